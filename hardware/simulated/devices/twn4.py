"""A TWN4 in its simple protocol: a line of hex text a command, one an answer.

    0500 10 \\r              SearchTag, of at most 16 bytes
      → 00 01 80 20 04 41A2B3C4 \\r       found: type, bits, bytes, UID (sent without the spaces)
      → 00 00 \\r                         none
    0004 FF \\r              GetVersionString
      → 00 07 …… \\r                      length, text
    anything else
      → 01 \\r                            no such command; 05: not hex

It tells of one tag at a time: the one that was laid down first.
"""

from typing import ClassVar, Final

from hardware.simulated.devices.device import AskedDevice, Lying, Said, require_size

_LONGEST: Final = 256  # characters held for want of a line's end
_VERSION: Final = b"TWN4/B1"
_TYPE: Final = b"\x80"  # ISO 14443 type A
_SEARCH: Final = b"\x05\x00"
_GET_VERSION: Final = b"\x00\x04"


class Twn4Device(AskedDevice):
    """A TWN4 since its power came."""

    damaged: ClassVar[bytes] = b"000180380704A1B2C3\r"  # three bytes of the UID are missing

    def __init__(self) -> None:
        self._heard = b""

    def check(self, uid: bytes, /) -> None:
        require_size(uid, range(1, 17), "its tags")

    def answer(self, chunk: bytes, lying: Lying, /) -> list[Said]:
        *lines, rest = (self._heard + chunk).split(b"\r")
        self._heard = rest[-_LONGEST:]
        return [carried_out(line, lying) for line in lines if line]


def carried_out(line: bytes, lying: Lying) -> Said:
    """The answer to a command."""
    try:
        command = bytes.fromhex(line.decode("ascii"))
    except ValueError:
        return said(b"\x05")
    if command[:2] == _SEARCH and len(command) == 3:
        uid = lying[0] if lying and len(lying[0]) <= command[2] else None
        return said(b"\x00\x00") if uid is None else said(b"\x00\x01" + tag(uid), of_tags=True)
    if command[:2] == _GET_VERSION and len(command) == 3:
        return said(b"\x00" + bytes([len(_VERSION)]) + _VERSION)
    return said(b"\x01")


def tag(uid: bytes) -> bytes:
    """What a search tells of a tag: type, bits, bytes, UID."""
    return _TYPE + bytes([8 * len(uid), len(uid)]) + uid


def said(answer: bytes, *, of_tags: bool = False) -> Said:
    """An answer as it is sent."""
    return Said(answer.hex().upper().encode() + b"\r", of_tags)
