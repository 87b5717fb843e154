"""Frames as readers send them, built a second time and more plainly than the decoders take them apart."""

import random
from collections.abc import Callable, Iterable
from functools import reduce
from operator import xor
from typing import Final

import msgspec
from hypothesis import strategies as st

from hardware.reader.decoders import make_decoder
from hardware.reader.messages import BadFrame, Message, Noise, Tag


def em4100(uid: bytes, before_etx: bytes = b"") -> bytes:
    return b"\x02" + (uid + bytes([reduce(xor, uid)])).hex().upper().encode() + before_etx + b"\x03"


def pn532(data: bytes) -> bytes:
    return b"\x00\x00\xff" + bytes([len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF]) + b"\x00"


def pn532_extended(data: bytes) -> bytes:
    length = len(data).to_bytes(2)
    check = bytes([-sum(length) & 0xFF])
    return b"\x00\x00\xff\xff\xff" + length + check + data + bytes([-sum(data) & 0xFF]) + b"\x00"


def pn532_tag(uid: bytes, ats: bytes = b"") -> bytes:
    return pn532(b"\xd5\x4b\x01\x01\x00\x44\x00" + bytes([len(uid)]) + uid + ats)


def r200(kind: int, command: int, payload: bytes = b"") -> bytes:
    body = bytes([kind, command]) + len(payload).to_bytes(2) + payload
    return b"\xbb" + body + bytes([sum(body) & 0xFF]) + b"\x7e"


def r200_tag(epc: bytes, rssi: int = -55) -> bytes:
    pc = (len(epc) // 2) << 11
    return r200(2, 0x22, bytes([rssi & 0xFF]) + pc.to_bytes(2) + epc + b"\x3a\x76")


def twn4_tag(uid: bytes) -> bytes:
    return (b"\x00\x01\x80" + bytes([len(uid) * 8, len(uid)]) + uid).hex().upper().encode() + b"\r"


def uhfreader18(command: int, status: int | None, data: bytes = b"", address: int = 0) -> bytes:
    body = bytes([address, command]) + (b"" if status is None else bytes([status])) + data
    frame = bytes([len(body) + 2]) + body
    return frame + crc(frame).to_bytes(2, "little")


def uhfreader18_tag(epc: bytes) -> bytes:
    return uhfreader18(0xEE, 0x00, epc)


def crc(data: bytes) -> int:
    """CRC-16, polynomial 8408, begun with FFFF; bit by bit."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x8408 if value & 1 else 0)
    return value


def line(uid: bytes) -> bytes:
    return uid.hex(" ").upper().encode() + b"\r\n"


class Format(msgspec.Struct, frozen=True):
    """What the tests know of a format. `frame`: a tag's frame; `uid_size` in bytes.

    `pieces`: bytes that matter to the format, which come up far more often than chance would have them.
    """

    frame: Callable[[bytes], bytes]
    uid_size: int
    pieces: tuple[bytes, ...]

    def uid(self, number: int) -> bytes:
        """A UID that is not found in another's frame by accident. The same number gives the same one."""
        return random.Random(number).randbytes(self.uid_size)


FORMATS: Final = {
    "line": Format(line, 7, (b"\r", b"\n", b"\x02", b"\x03", b" ", b"04", b"0")),
    "em4100": Format(em4100, 5, (b"\x02", b"\x03", b"\r\n", b"0" * 12, b"67003B51C6CB", b"0")),
    "pn532": Format(
        pn532_tag,
        7,
        (
            b"\x00\x00\xff", b"\x00", b"\x55", b"\xff\xff", b"\x00\x00\xff\x00\xff\x00", b"\x00\x00\xff\xff\x00\x00",
            b"\x00\x00\xff\x0f\xf1\xd5\x4b", b"\x00\x00\xff\xff\xff\x01\x00\xff\xd5", pn532(b"\xd5\x4b\x00"),
            pn532(b"\x7f"), pn532(b"\xd5\x4b\x02"), pn532(b"\xd4\x02"), pn532_extended(b"\xd5\x03\x32\x01\x06\x07"),
        ),
    ),
    "r200": Format(
        r200_tag,
        12,
        (
            b"\xbb", b"\x7e", b"\x00", b"\xbb\x02\x22\x00\x11", b"\xbb\x02\x22\x00\xff", b"\xbb\x00\x00\x00\x00",
            r200(1, 0xFF, b"\x15"), r200(1, 0xFF, b"\x17"), r200(0, 0x22), r200(1, 0x03, b"\x00M100"),
        ),
    ),
    "twn4": Format(twn4_tag, 4, (b"\r", b"\n", b"\x02", b"0000\r", b"01\r", b"00", b"01", b"0")),
    "uhfreader18": Format(
        uhfreader18_tag,
        12,
        (
            b"\x56\x00\x00\x00\x00\x00", b"\x56\x00\x00", b"\x11\x00\xee\x00", b"\xff\x00\xee\x00", b"\x05\x00\x01\xfb",
            b"\xff\x00\x01\x01", uhfreader18(0x01, None, address=0xFF), uhfreader18(0x01, 0xFB),
            uhfreader18(0x01, 0xF8), uhfreader18(0x01, 0x01, b"\x01\x02\xe2\x00"), uhfreader18(0x21, 0x00, b"\x02"),
        ),
    ),
}  # fmt: skip
LENGTH_FRAMED: Final = ("pn532", "r200", "uhfreader18")
MARKED: Final = ("em4100", *LENGTH_FRAMED)
LINES: Final = ("line", "twn4")


def decode(protocol: str, *chunks: bytes) -> list[Message]:
    """All that a fresh decoder says of these chunks and of the silence after them."""
    decoder = make_decoder(protocol)
    return [message for chunk in chunks for message in decoder.feed(chunk)] + decoder.end()


def tags(messages: Iterable[Message]) -> list[str]:
    return [message.uid for message in messages if isinstance(message, Tag)]


def unread(messages: Iterable[Message]) -> bytes:
    """The bytes that were told as damage or noise."""
    return b"".join(message.data for message in messages if isinstance(message, BadFrame | Noise))


def rubbish(protocol: str, max_pieces: int = 6) -> st.SearchStrategy[bytes]:
    pieces = st.one_of(st.sampled_from(FORMATS[protocol].pieces), st.binary(min_size=1, max_size=6))
    return st.lists(pieces, max_size=max_pieces).map(b"".join)


def damaged(frame: bytes) -> st.SearchStrategy[bytes]:
    """The frame with one byte changed, one lost, one too many, or its end missing."""
    at, byte = st.integers(0, len(frame) - 1), st.integers(1, 255)
    changed = st.tuples(at, byte).map(lambda a: frame[: a[0]] + bytes([frame[a[0]] ^ a[1]]) + frame[a[0] + 1 :])
    lost = at.map(lambda a: frame[:a] + frame[a + 1 :])
    added = st.tuples(at, byte).map(lambda a: frame[: a[0]] + bytes([a[1]]) + frame[a[0] :])
    return st.one_of(changed, lost, added, at.map(lambda a: frame[:a]))


def streams(protocol: str, max_pieces: int = 25) -> st.SearchStrategy[bytes]:
    """Whole frames, damaged ones, and rubbish, in any order."""
    whole = st.integers(0, 51).map(lambda number: FORMATS[protocol].frame(FORMATS[protocol].uid(number)))
    long_rubbish = st.tuples(st.sampled_from(FORMATS[protocol].pieces), st.integers(200, 1200)).map(
        lambda drawn: drawn[0] * (drawn[1] // len(drawn[0]) + 1)
    )
    part = st.one_of(whole, whole.flatmap(damaged), rubbish(protocol), long_rubbish)
    return st.lists(part, max_size=max_pieces).map(b"".join)
