"""Readers of 125 kHz tags: RDM6300, and ID-12LA with ID-20LA, which end their digits with CR and LF.

    02  36 37 30 30 33 42 35 31 43 36  43 42         03      RDM6300
    02  30 35 30 30 32 30 37 42 33 32  36 43  0D 0A  03      ID-12LA, ID-20LA
    STX ten hex digits: the UID        XOR           ETX

Such tags talk all at once, so that of two on the antenna neither is read.
"""

from functools import reduce
from operator import xor
from typing import ClassVar, Final

from hardware.simulated.devices.device import Lying, Said, TalkingDevice, require_size

UID_SIZE: Final = 5


class Em4100Device(TalkingDevice):
    """An RDM6300, or with `line_end` an ID-12LA."""

    damaged: ClassVar[bytes] = bytes.fromhex("02303131344145334242433C03")  # one digit short

    def __init__(self, line_end: bytes = b"") -> None:
        self._line_end = line_end

    def check(self, uid: bytes, /) -> None:
        require_size(uid, (UID_SIZE,), "EM4100 tags")

    def speak(self, lying: Lying, /) -> Said:
        return Said(em4100_frame(lying[0], self._line_end) if len(lying) == 1 else b"", of_tags=bool(lying))


def em4100_frame(uid: bytes, line_end: bytes = b"") -> bytes:
    """A tag's frame."""
    return b"\x02%s%02X%s\x03" % (uid.hex().upper().encode(), reduce(xor, uid), line_end)
