"""Asking a TWN4: SearchTag, with room for a UID of sixteen bytes.

    050010 \\r      → a tag, or 0000: none

Source: protocols sheet, "TWN4 simple protocol".
"""

from typing import Final

from hardware.reader.dialogues.asking import Request, Script

EVERY_S: Final = 0.1

POLL: Final = b"050010\r"

_WITHIN_S: Final = 0.3

SCRIPT: Final = Script(poll=Request(POLL, _WITHIN_S))
