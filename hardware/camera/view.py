"""The supervisor's eye: the newest picture that was read and what was read in it, a JPEG only when somebody asks."""

import threading
import time
from typing import Final

import msgspec

from dealer_assist.application.ports import CameraPicture, CameraPulse, CameraState, CameraZone, SeenBox
from dealer_assist.game.dealing import Seat
from hardware.camera import opencv
from hardware.camera.calibration import Calibration
from hardware.camera.opencv import Image
from hardware.camera.pulse import Frozen, Live, Lost
from hardware.camera.watching import Look, Watcher
from hardware.camera.zones import Place, Points

_WIDEST: Final = 1280  # pixels of what is sent; boxes and zones stay in those of the picture itself
_QUALITY: Final = 80


class View:
    """What one watcher sees, for people. From any thread."""

    def __init__(self, watcher: Watcher, calibration: Calibration) -> None:
        self._watcher = watcher
        self._calibration = calibration
        self._lock = threading.Lock()
        self._made: CameraPicture | None = None
        self.zones: Final = tuple(
            CameraZone(Seat(zone.seat), _corners(calibration.pixels(zone.outline))) for zone in calibration.zones
        )

    @property
    def state(self) -> CameraState:
        """How the camera stands, as the watcher told it."""
        match self._watcher.state:
            case Live():
                return CameraState(CameraPulse.live)
            case Frozen(reason=reason):
                return CameraState(CameraPulse.frozen, reason)
            case Lost(reason=reason):
                return CameraState(CameraPulse.lost, reason)

    def picture(self) -> CameraPicture | None:
        """The newest picture that was read, encoded once however many ask; None before the first, and unless it lives."""
        look = self._watcher.newest
        if look is None:
            return None
        with self._lock:
            if self._made is None or self._made.number != look.frame.number:
                self._made = self._encoded(look)
            return msgspec.structs.replace(self._made, age_s=look.frame.age(time.monotonic()))

    def _encoded(self, look: Look) -> CameraPicture:
        image = look.frame.picture
        high, wide = image.shape[:2]
        return CameraPicture(
            number=look.frame.number,
            age_s=0.0,
            size=(wide, high),
            jpeg=opencv.encoded(_smaller(image), ".jpg", _QUALITY),
            boxes=self._boxes(look),
        )

    def _boxes(self, look: Look) -> tuple[SeenBox, ...]:
        read = look.reading
        sure = [
            SeenBox(_corners(s.corners), s.confidence, card=s.card, place=self._place(s.corners)) for s in read.cards
        ]
        unsure = [
            SeenBox(_corners(u.corners), u.confidence, candidates=u.candidates, place=self._place(u.corners))
            for u in read.unsure
        ]
        return (*sure, *unsure)

    def _place(self, corners: Points) -> Seat | None:
        place: Place = self._calibration.place(corners)[0]
        return None if place is None else Seat(place)


def _smaller(image: Image) -> Image:
    high, wide = image.shape[:2]
    return image if wide <= _WIDEST else opencv.resize(image, _WIDEST, round(high * _WIDEST / wide))


def _corners(outline: Points) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in outline)
