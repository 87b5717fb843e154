"""A reader that writes a line of text for each tag.

04 06 B9 02 0A 54 81 \\n         one tag
04 06 B9 02 0A 54 81 \\n
04 A1 B2 C3 D4 E5 F6 \\n         two tags: one line after the other
"""

from typing import ClassVar

from hardware.simulated.devices.device import Lying, Said, TalkingDevice


class LineDevice(TalkingDevice):
    """A microcontroller that lists what it sees."""

    damaged: ClassVar[bytes] = b"04 06 B9 0\xfd 0A 54\n"  # a line that lost half a byte to a disturbance

    def check(self, uid: bytes, /) -> None:
        pass  # a line may carry any

    def speak(self, lying: Lying, /) -> Said:
        return Said(b"".join(map(line_frame, lying)), of_tags=True)


def line_frame(uid: bytes) -> bytes:
    """A tag's frame in the line format: `04 06 B9 02 0A 54 81` and a line feed."""
    return uid.hex(" ").upper().encode() + b"\n"
