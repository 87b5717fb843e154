"""A UHF reader with the UHFReader18 protocol. It answers, and in its active mode it talks by itself as well.

    04 FF 01  1B B4                            inventory
      → LEN 00 01 01  02 0C ‹EPC› 0C ‹EPC›  CRC    a count, then each tag's length and EPC
      → 05 00 01 FB  CRC                           none
    04 FF 21  CRC                              what it is
      → 0D 00 21 00  version, type, …  CRC
    any other command
      → 05 00 CMD FE  CRC

    11 00 EE 00  ‹EPC›  CRC                    active mode: for each tag, again and again
    56 00 00 00 00 00                          active mode: the heartbeat, now and then while there is none

A command that fails its checks is not heard at all.
"""

from typing import ClassVar, Final

from fastcrc import crc16

from hardware.simulated.devices.device import SILENCE, Lying, Said, require_size

HEARTBEAT: Final = bytes.fromhex("560000000000")

_SHORTEST: Final = 5  # a command without data
_LONGEST: Final = 64  # what says that it is longer is noise
_HEARTBEAT_EVERY: Final = 25  # turns
_INVENTORY, _INFORMATION, _REPORT = 0x01, 0x21, 0xEE
_INFORMATION_GIVEN: Final = bytes.fromhex("0102 09 03 00 00 1E 0A")
_ALL: Final = 0xFF  # the address that every reader answers to
_EPC_SIZES: Final = range(1, 63)
_MOST_TAGS: Final = 3  # so many fit into one frame


class UhfReader18Device:
    """A UHFReader18 since its power came; `active`: it talks."""

    hears: ClassVar[bool] = True
    damaged: ClassVar[bytes] = bytes.fromhex("1100EE002000708C2B380B2D00000000E057")  # its CRC is one off

    def __init__(self, *, active: bool = False) -> None:
        self._active = active
        self._heard = b""
        self._turns = 0

    @property
    def talks(self) -> bool:
        return self._active

    def check(self, uid: bytes, /) -> None:
        require_size(uid, _EPC_SIZES, "EPCs")

    def speak(self, lying: Lying, /) -> Said:
        if not self._active:
            return SILENCE
        if lying:
            return Said(b"".join(frame(_REPORT, 0, uid) for uid in lying), of_tags=True)
        self._turns += 1
        return Said(HEARTBEAT) if self._turns % _HEARTBEAT_EVERY == 0 else SILENCE

    def answer(self, chunk: bytes, lying: Lying, /) -> list[Said]:
        self._heard += chunk
        said = []
        while len(self._heard) >= _SHORTEST:
            end = self._heard[0] + 1
            if len(self._heard) < end <= _LONGEST:
                break
            if not _SHORTEST <= end <= _LONGEST or crc16.mcrf4xx(self._heard[:end]):
                self._heard = self._heard[1:]
                continue
            command, self._heard = self._heard[:end], self._heard[end:]
            if command[1] in (0, _ALL):
                said.append(carried_out(command[2], lying))
        return said


def carried_out(command: int, lying: Lying) -> Said:
    """The answer to a command."""
    match command:
        case 0x01 if lying:
            listed = b"".join(bytes([len(uid)]) + uid for uid in lying[:_MOST_TAGS])
            return Said(frame(command, 1, bytes([len(lying[:_MOST_TAGS])]) + listed), of_tags=True)
        case 0x01:
            return Said(frame(command, 0xFB))
        case 0x21:
            return Said(frame(command, 0, _INFORMATION_GIVEN))
        case _:
            return Said(frame(command, 0xFE))


def frame(command: int, status: int, data: bytes = b"") -> bytes:
    """A frame around an answer's status and data."""
    inside = bytes([len(data) + _SHORTEST, 0, command, status]) + data
    return inside + crc16.mcrf4xx(inside).to_bytes(2, "little")
