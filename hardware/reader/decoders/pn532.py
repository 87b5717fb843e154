"""The PN532 over its serial line (HSU).

    00 00 FF  0F   F1   D5   4B 01 01 00 44 00 07 04 41 6D 41 2B 02 89  EA   00
    │         LEN  LCS  TFI  └──────────────── data ────────────────┘   DCS  │
    mark      LEN + LCS ≡ 0  TFI + data + DCS ≡ 0 (mod 256)                  closing

    00 00 FF  00 FF  00                                        ACK; NACK has FF 00
    00 00 FF  01 FF  7F 81 00                                  error frame
    00 00 FF  FF FF  LENM LENL LCS  TFI data DCS  00           extended: LENM + LENL + LCS ≡ 0

    4B  00                                                     InListPassiveTarget: none in the field
    4B  01  Tg  SENS_RES(2)  SEL_RES  n  UID(n)  [ATS]         one target, n = 4, 7 or 10
    4B  02  …                                                  two targets: a collision

TFI is D5 in answers and D4 in commands, which are told as echoes. Idle 00 and 55 around frames is nothing.

Recovery:
- The zeros that a frame ends in may be the next one's first, so a frame is still found where some of them were lost.
- A frame that fails a check, or whose data makes no sense, is searched again behind its mark; see `scanner`.
- A length beyond what the chip can send fails at once, and waits for nothing.

Source: protocols sheet, "PN532 over HSU".
"""

import re
from typing import Final

from hardware.reader.decoders.scanner import Failed, Frame, FrameScanner
from hardware.reader.messages import Answer, Collision, Echo, Message, NoTag, ReaderError, Tag

LONGEST_DATA: Final = 265  # bytes of TFI and data in an extended frame

_MARK: Final = re.compile(rb"\x00\x00\xff")
_MARK_SIZE: Final = 3
_IDLE: Final = b"\x00\x55"
_SIGNALS: Final = {b"\x00\xff": Answer("ack"), b"\xff\x00": Answer("nack")}
_EXTENDED: Final = b"\xff\xff"
_TO_HOST: Final = 0xD5
_TO_CHIP: Final = 0xD4
_ERROR: Final = b"\x7f"
_LISTED_TARGETS: Final = 0x4B
_UID_SIZES: Final = (4, 7, 10)


class Pn532Decoder(FrameScanner):
    """A PN532's frames into tags and answers; see the module for the format."""

    def __init__(self) -> None:
        super().__init__(_MARK, _MARK_SIZE, judge, _IDLE)


def judge(held: bytes, at: int) -> Frame | Failed | None:
    """What begins at the mark `held[at:]`."""
    start = at + _MARK_SIZE
    head = held[start : start + 2]
    if len(head) < 2:
        return None
    if head in _SIGNALS:
        return _closed(held, at, start + 2, _SIGNALS[head])
    if head == _EXTENDED:
        start += 2
        head = held[start : start + 3]
        if len(head) < 3:
            return None
    if sum(head) & 0xFF:
        return Failed("wrong length checksum")
    size = int.from_bytes(head[:-1])
    if not 1 <= size <= LONGEST_DATA:
        return Failed("no such length")
    start += len(head)
    data, dcs = held[start : start + size], start + size
    if len(held) <= dcs:
        return None
    if (sum(data) + held[dcs]) & 0xFF:
        return Failed("wrong checksum")
    said = read_data(data)
    return said if isinstance(said, Failed) else _closed(held, at, dcs + 1, said)


def _closed(held: bytes, at: int, end: int, message: Message) -> Frame | Failed | None:
    if len(held) <= end:
        return None
    if held[end]:
        return Failed("no closing 00")
    left = end if held[end - 1] else end - 1  # the next frame's, if it lost its own; else idle, hence nothing
    return Frame(left - at, (message,))


def read_data(data: bytes) -> Message | Failed:
    """What a frame's TFI and data say."""
    if data == _ERROR:
        return ReaderError(data.hex().upper())
    if data[0] == _TO_CHIP:
        return Echo(data)
    if data[0] != _TO_HOST or len(data) < 2:
        return Failed("neither an answer nor a command")
    if data[1] == _LISTED_TARGETS:
        return read_targets(data[2:])
    return Answer(data[1:2].hex().upper(), data[2:])


def read_targets(listed: bytes) -> Message | Failed:
    """What InListPassiveTarget found: the count of targets, and what each tells of itself."""
    if listed == b"\x00":
        return NoTag()
    if listed[:1] == b"\x02":
        return Collision()
    uid_size = listed[5] if len(listed) > 5 else 0
    uid, ats = listed[6 : 6 + uid_size], listed[6 + uid_size :]
    if listed[:1] != b"\x01" or uid_size not in _UID_SIZES or len(uid) < uid_size:
        return Failed("no list of targets")
    if ats and ats[0] != len(ats):
        return Failed("bytes behind the target")
    return Tag(uid.hex().upper())
