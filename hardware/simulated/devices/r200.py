"""A UHF module of the R200 family: it answers each command, and tells of each tag in a notice of its own.

    BB 00 22 00 00  22 7E                      poll once
      → BB 02 22 00 11  C9 34 00 30 75 … 3A 76  EF 7E      for each tag: RSSI, PC, EPC, CRC
      → BB 01 FF 00 01  15  16 7E                          there is none
    BB 00 27 00 03  22 27 10  83 7E            poll many times: it talks by itself, until
    BB 00 28 00 00  28 7E                      stop
      → BB 01 28 00 01  00  2A 7E
    BB 00 03 00 01  00  04 7E                  version
      → BB 01 03 00 10  4D 31 30 30 …  92 7E
    any other command
      → BB 01 FF 00 01  17  18 7E

A command that fails its checks is not heard at all.
"""

import re
from typing import ClassVar, Final

from fastcrc import crc16

from hardware.simulated.devices.device import SILENCE, Lying, Said, require_size

_HEADER: Final = re.compile(rb"\xbb\x00(.)(\x00.)", re.DOTALL)
_VERSION: Final = b"M100 26dBm V1.0"
_RSSI: Final = 0xC9  # −55 dBm
_COMMAND, _ANSWER, _NOTICE = 0x00, 0x01, 0x02
_EPC_SIZES: Final = range(2, 63, 2)  # told in five bits, in words


class R200Device:
    """An R200 since its power came."""

    hears: ClassVar[bool] = True
    damaged: ClassVar[bytes] = bytes.fromhex("BB010300104D3130302032 3664426D2056312E30 22 7E")  # its sum should be 92

    def __init__(self) -> None:
        self._heard = b""
        self._polls_left = 0

    @property
    def talks(self) -> bool:
        return self._polls_left > 0

    def check(self, uid: bytes, /) -> None:
        require_size(uid, _EPC_SIZES, "EPCs")

    def speak(self, lying: Lying, /) -> Said:
        if not self._polls_left:
            return SILENCE
        self._polls_left -= 1
        return polled(lying)

    def answer(self, chunk: bytes, lying: Lying, /) -> list[Said]:
        self._heard += chunk
        said = []
        while (command := self._next_command()) is not None:
            said += self._carried_out(*command, lying)
        return said

    def _next_command(self) -> tuple[int, bytes] | None:
        """The next command that holds, and its payload."""
        at = 0
        while found := _HEADER.search(self._heard, at):
            end = found.end() + int.from_bytes(found[2])
            if len(self._heard) < end + 2:
                self._heard = self._heard[found.start() :]
                return None
            at = found.start() + 1
            if frame(_COMMAND, found[1][0], self._heard[found.end() : end]) == self._heard[found.start() : end + 2]:
                payload, self._heard = self._heard[found.end() : end], self._heard[end + 2 :]
                return found[1][0], payload
        self._heard = self._heard[-4:]
        return None

    def _carried_out(self, command: int, payload: bytes, lying: Lying) -> list[Said]:
        match command, len(payload):
            case 0x22, 0:
                return [polled(lying)]
            case 0x27, 3:
                self._polls_left = int.from_bytes(payload[1:])
                return []
            case 0x28, 0:
                self._polls_left = 0
                return [Said(frame(_ANSWER, command, b"\x00"))]
            case 0x03, 1:
                return [Said(frame(_ANSWER, command, b"\x00" + _VERSION))]
            case _:
                return [Said(frame(_ANSWER, 0xFF, b"\x17"))]


def polled(lying: Lying) -> Said:
    """What one poll sees."""
    if not lying:
        return Said(frame(_ANSWER, 0xFF, b"\x15"))
    return Said(b"".join(frame(_NOTICE, 0x22, seen(uid)) for uid in lying), of_tags=True)


def seen(epc: bytes) -> bytes:
    """What a notice tells of a tag."""
    word = (len(epc) // 2 << 11 | 0x0400).to_bytes(2) + epc
    return bytes([_RSSI]) + word + crc16.genibus(word).to_bytes(2)


def frame(kind: int, command: int, payload: bytes) -> bytes:
    """A frame around its payload."""
    inside = bytes([kind, command]) + len(payload).to_bytes(2) + payload
    return b"\xbb" + inside + bytes([sum(inside) & 0xFF]) + b"\x7e"
