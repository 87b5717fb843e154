"""Asking a UHF module of the R200 family.

    BB 00 28 00 00 28 7E      stop: whoever had it before may have left it polling → an answer to 28
    BB 00 22 00 00 22 7E      poll once → a notice for each tag, or error 15: none

Source: protocols sheet, "R200 / YRM100 UHF".
"""

from typing import Final

from hardware.reader.dialogues.asking import Request, Script
from hardware.reader.messages import Answer, Message

EVERY_S: Final = 0.05

STOP: Final = bytes.fromhex("BB 00 28 00 00 28 7E")
POLL: Final = bytes.fromhex("BB 00 22 00 00 22 7E")

_WITHIN_S: Final = 0.2


def _stopped(message: Message) -> bool:
    return isinstance(message, Answer) and message.code == "28"


SCRIPT: Final = Script(
    setup=(Request(STOP, _WITHIN_S, answers=_stopped, optional=True),), poll=Request(POLL, _WITHIN_S), closing=STOP
)
