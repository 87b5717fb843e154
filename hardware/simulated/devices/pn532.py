"""A PN532 on its serial line: it sleeps until it is woken, acknowledges every command, then answers it.

    55 55 00 … 00 (14 at least)                        wakes it
    00 00 FF 05 FB  D4 14 01 00 00  17 00              SAMConfiguration: before it, targets are not listed
      → 00 00 FF 00 FF 00                              ACK
      → 00 00 FF 02 FE  D5 15  16 00
    00 00 FF 02 FE  D4 02  2A 00                       GetFirmwareVersion
      → 00 00 FF 06 FA  D5 03 32 01 06 07  E8 00
    00 00 FF 04 FC  D4 4A 02 00  E0 00                 InListPassiveTarget: at most two, 106 kbit/s type A
      → 00 00 FF 03 FD  D5 4B 00  E0 00                none
      → … D5 4B 01  01 00 44 00 07 04 41 6D 41 2B 02 89 …           one
      → … D5 4B 02  01 00 44 00 07 …  02 00 04 08 04 …              two, if so many were asked for
    anything else
      → 00 00 FF 01 FF  7F  81 00                      error frame

A program's ACK takes back what it asked; a command that fails its checks is not heard at all.
"""

import re
from typing import ClassVar, Final

from hardware.simulated.devices.device import AskedDevice, Lying, Said, require_size

ACK: Final = bytes.fromhex("0000FF00FF00")
ERROR: Final = bytes.fromhex("0000FF01FF7F8100")

_WAKE: Final = re.compile(rb"\x55\x55\x00{14}")
_COMMAND: Final = re.compile(rb"\x00\x00\xff([\x01-\xfe])(.)", re.DOTALL)
_LONGEST: Final = 300  # bytes held for want of a whole command
_FIRMWARE: Final = bytes.fromhex("32010607")
# SENS_RES and SEL_RES of the usual tags with UIDs of so many bytes
_TRAITS: Final = {4: b"\x00\x04\x08", 7: b"\x00\x44\x00", 10: b"\x00\x84\x00"}


class Pn532Device(AskedDevice):
    """A PN532 since its power came."""

    damaged: ClassVar[bytes] = bytes.fromhex("0000FF0CF4D54B010100040804 9EB36E66 AA00")  # DCS is one off

    def __init__(self) -> None:
        self._heard = b""
        self._awake = False
        self._configured = False

    def check(self, uid: bytes, /) -> None:
        require_size(uid, _TRAITS, "type A tags")

    def answer(self, chunk: bytes, lying: Lying, /) -> list[Said]:
        self._heard += chunk
        if not self._awake:
            wake = _WAKE.search(self._heard)
            if wake is None:
                self._heard = self._heard[-_LONGEST:]
                return []
            self._awake, self._heard = True, self._heard[wake.end() - 2 :]  # its last zeros may begin a frame
        said = []
        while (command := self._next_command()) is not None:
            said.append(self._carried_out(command, lying))
        return said

    def _next_command(self) -> bytes | None:
        """The data of the next command that holds, its TFI left out."""
        at = 0
        while found := _COMMAND.search(self._heard, at):
            end = found.end() + found[1][0]
            if len(self._heard) <= end:
                self._heard = self._heard[found.start() :]
                return None
            data, dcs = self._heard[found.end() : end], self._heard[end]
            at = found.start() + 3
            if (found[1][0] + found[2][0]) & 0xFF == 0 and (sum(data) + dcs) & 0xFF == 0 and data[0] == 0xD4:
                self._heard = self._heard[end + 1 :]
                return data[1:]
        self._heard = self._heard[-4:]
        return None

    def _carried_out(self, command: bytes, lying: Lying) -> Said:
        code = command[:1]
        told: Lying = ()
        match code[0] if code else None:
            case 0x14:
                self._configured, result = True, b""
            case 0x02:
                result = _FIRMWARE
            case 0x32:
                result = b""
            case 0x4A if self._configured and len(command) == 3 and command[1] in (1, 2):
                told = lying[: command[1]]
                result = targets(told)
            case _:
                return Said(ACK + ERROR)
        return Said(ACK + frame(bytes([0xD5, code[0] + 1]) + result), of_tags=bool(told))


def targets(uids: Lying) -> bytes:
    """The count of targets, and what each tells of itself."""
    listed = bytes([len(uids)])
    for number, uid in enumerate(uids, 1):
        listed += bytes([number]) + _TRAITS[len(uid)] + bytes([len(uid)]) + uid
    return listed


def frame(data: bytes) -> bytes:
    """A frame around its TFI and data."""
    return b"\x00\x00\xff" + bytes([len(data), -len(data) & 0xFF]) + data + bytes([-sum(data) & 0xFF, 0])
