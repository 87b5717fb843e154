"""A table's camera as its file names it. Nothing here needs OpenCV: without a camera it is never loaded."""

import re
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec

from dealer_assist.game.setup import CameraRole
from hardware.reader.errors import BadSettings, Fault

Text = Annotated[str, msgspec.Meta(min_length=1)]

_DEVICE: Final = re.compile(r"(?:/dev/video)?(\d{1,3})")
_SCHEMES: Final = ("rtsp", "rtsps", "http", "https", "udp", "tcp")


class CameraSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[camera]` of a table's file.

    `source`: a device's number, a video file or a URL. `calibration`: the file that `camera calibrate` wrote. `role`:
    what the table makes of it. `enrolment`: by a deck's id, the file that `camera enrol` wrote of it, used while that deck is
    in play. Raises: BadSettings, for a source that no camera can have.
    """

    source: int | Text
    calibration: Text
    role: CameraRole = CameraRole.off
    keep_days: Annotated[int, msgspec.Meta(ge=1, le=3650)] = 90
    enrolment: dict[str, Text] = {}

    def __post_init__(self) -> None:
        source_of(self.source)


class Source(msgspec.Struct, frozen=True):
    """Where pictures come from: a device's number, or a path or URL as OpenCV takes it."""

    where: int | str

    @property
    def is_file(self) -> bool:
        """Whether it is a file, which is played at its own rate."""
        return isinstance(self.where, str) and "://" not in self.where

    @property
    def name(self) -> str:
        """What people are shown; a password in a URL is not."""
        if isinstance(self.where, int):
            return f"camera {self.where}"
        if self.is_file:
            return self.where
        url = urlsplit(self.where)
        return url._replace(netloc=url.netloc.rpartition("@")[2], query="").geturl()


def source_of(raw: int | str) -> Source:
    """What a file or a command line names. Raises: BadSettings."""
    if isinstance(raw, int):
        if not 0 <= raw <= 999:
            raise BadSettings(Fault("source", "a camera's number, 0 to 999", str(raw)))
        return Source(raw)
    device = _DEVICE.fullmatch(raw)
    if device is not None and not Path(raw).is_file():
        return Source(int(device[1]))
    scheme, mark, _ = raw.partition("://")
    if mark and scheme.lower() not in _SCHEMES:
        raise BadSettings(Fault("source", f"a URL that begins with {', '.join(_SCHEMES)}", scheme + mark + "…"))
    return Source(raw)
