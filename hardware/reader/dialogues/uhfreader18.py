"""Asking a UHFReader18, where it is not set to speak by itself: an inventory, of whichever address.

    04 FF 01 1B B4      → the EPCs in the field, or status FB: none

An inventory may last as long as the reader's scan time, a second as it leaves the factory.

Source: protocols sheet, "UHFReader18".
"""

from typing import Final

from hardware.reader.dialogues.asking import Request, Script

POLL: Final = bytes.fromhex("04 FF 01 1B B4")

_WITHIN_S: Final = 1.2

SCRIPT: Final = Script(poll=Request(POLL, _WITHIN_S))
