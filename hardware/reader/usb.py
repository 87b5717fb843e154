"""Which of the devices plugged in is meant: by `VID:PID`, and by serial number where two are alike."""

import errno
import re
from collections.abc import Iterable
from typing import Final

import msgspec

from hardware.reader.errors import BadSettings, Fault

_USB: Final = re.compile(r"([0-9A-Fa-f]{4}):([0-9A-Fa-f]{4})(?::(.+))?")


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A serial device. `by_id`: the path that stays the same wherever it is plugged in, where there is one."""

    path: str
    by_id: str | None = None
    vid: int | None = None
    pid: int | None = None
    serial: str | None = None
    description: str = ""

    @property
    def usb(self) -> str | None:
        """`VID:PID` or `VID:PID:serial`, as a setting names it; None for what is not on USB."""
        if self.vid is None or self.pid is None:
            return None
        return f"{self.vid:04X}:{self.pid:04X}" + (f":{self.serial}" if self.serial else "")


def check_usb(usb: str) -> None:
    """Raises: BadSettings, for text that is not `VID:PID` or `VID:PID:serial`."""
    if not _USB.fullmatch(usb):
        raise BadSettings(Fault("usb", '"VID:PID" or "VID:PID:serial", such as "0403:6001:A50285BI"', f'"{usb}"'))


def choose(usb: str, plugged: Iterable[Device]) -> str:
    """The path of the one device that `usb` names.

    Raises: OSError with ENODEV, where there is none; with ENOTUNIQ, where there are several. BadSettings.
    """
    check_usb(usb)
    vid, pid, *rest = usb.split(":", 2)
    alike = [device for device in plugged if (device.vid, device.pid) == (int(vid, 16), int(pid, 16))]
    found = [device for device in alike if not rest or device.serial == rest[0]]
    if not found:
        raise OSError(errno.ENODEV, f"no such device among the {len(alike)} of this kind that are plugged in", usb)
    if len(found) > 1:
        names = ", ".join(device.usb or device.path for device in found)
        raise OSError(
            errno.ENOTUNIQ, f"it fits {len(found)} devices ({names}): add the serial number, or use a by-id path"
        )
    return found[0].path
