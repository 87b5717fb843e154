"""Asking a PN532 over its serial line.

    55 55 00 … 00   00 00 FF 05 FB D4 14 01 00 00 17 00      wake, SAMConfiguration: normal mode → D5 15
    00 00 FF 06 FA D4 32 05 FF 01 02 F3 00                   how often to look for a target → D5 33
    00 00 FF 04 FC D4 4A 02 00 E0 00                         poll for 106 kbit/s type A targets, two at most → D5 4B
    00 00 FF 00 FF 00                                        before closing: an ACK ends what the chip is doing

Each is acknowledged within 15 to 100 ms, or sent once more. Without the second the chip looks for a target for ever and
never says that there is none; one that does not know the command is polled all the same. Two targets are asked for,
since a chip asked for one tells the first of two, and a collision would pass for a read.

Source: protocols sheet, "PN532 over HSU".
"""

from typing import Final

from hardware.reader.dialogues.asking import Request, Script, sees
from hardware.reader.messages import Answer, Message

EVERY_S: Final = 0.05

WAKE: Final = b"\x55\x55" + bytes(14)
SAM: Final = bytes.fromhex("00 00 FF 05 FB D4 14 01 00 00 17 00")
RETRIES: Final = bytes.fromhex("00 00 FF 06 FA D4 32 05 FF 01 02 F3 00")
POLL: Final = bytes.fromhex("00 00 FF 04 FC D4 4A 02 00 E0 00")
ACK: Final = bytes.fromhex("00 00 FF 00 FF 00")

_ACKNOWLEDGED_WITHIN_S: Final = 0.1
_WITHIN_S: Final = 0.5


def _request(data: bytes, code: str | None = None, *, optional: bool = False) -> Request:
    def answers(message: Message) -> bool:
        return isinstance(message, Answer) and message.code == code

    return Request(
        data,
        _WITHIN_S,
        answers=sees if code is None else answers,
        acknowledged_within_s=_ACKNOWLEDGED_WITHIN_S,
        optional=optional,
    )


SCRIPT: Final = Script(
    setup=(_request(WAKE + SAM, "15"), _request(RETRIES, "33", optional=True)), poll=_request(POLL), closing=ACK
)
