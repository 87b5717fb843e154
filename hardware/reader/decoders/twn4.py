"""TWN4 readers, simple protocol: one line of hex text an answer.

    00      01     80    20    04      41A2B3C4 \\r      the answer to SearchTag: a tag
    status  found  type  bits  length  UID

    00 00 \\r                                           none found
    01 \\r                                              any status but 00: an error
    00 \\r    00 03 54574E \\r                           other answers: nothing, or a text with its length first

Digits of either case; the spaces above are not sent. A line feed ends a line as well as CR does.

Recovery: as for other lines, see `lines`. There is no checksum, so every field must agree with the others.

Source: protocols sheet, "TWN4 simple protocol".
"""

from typing import Final

from hardware.reader.decoders.lines import LineScanner, as_hex
from hardware.reader.messages import Answer, BadFrame, Message, NoTag, ReaderError, Tag

_OK: Final = 0x00
_NONE: Final = b"\x00"
_FOUND: Final = 0x01
_BEFORE_UID: Final = 4  # found, type, bits, length


class Twn4Decoder(LineScanner):
    """A TWN4's answers into tags; see the module for the format."""

    def __init__(self) -> None:
        super().__init__(read_answer)


def read_answer(line: bytes) -> Message:
    """What a line without its terminator says."""
    digits = as_hex(line.decode("latin-1"))
    if digits is None:
        return BadFrame("not an even number of hex digits", line)
    status, *_ = answer = bytes.fromhex(digits)
    return ReaderError(digits[:2]) if status != _OK else read_result(answer[1:]) or BadFrame("no such answer", line)


def read_result(result: bytes) -> Message | None:
    """What follows a good status, or None where its fields contradict each other."""
    if not result:
        return Answer("00")
    if result == _NONE:
        return NoTag()
    if result[0] != _FOUND:
        return Answer("00", result[1:]) if result[0] == len(result) - 1 else None
    uid = result[_BEFORE_UID:]
    if not uid or result[3] != len(uid) or (result[2] + 7) // 8 != len(uid):
        return None
    return Tag(uid.hex().upper())
