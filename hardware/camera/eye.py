"""A table's camera as the table uses it: what lies on the felt, and pictures of it as evidence."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np

from dealer_assist.application.ports import LyingCard, Snap
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from hardware.camera import opencv
from hardware.camera.calibration import Calibration
from hardware.camera.opencv import Image
from hardware.camera.recogniser import Recogniser
from hardware.camera.settings import CameraSettings, source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.view import View
from hardware.camera.votes import USUAL, Thresholds
from hardware.camera.voting import CardSeen, CardUnsure
from hardware.camera.watching import CameraEvent, Watcher

_QUALITY: Final = 92
_ABOUT: Final = 0.8  # of a card's height: how far to each side of its middle it is cut out


class Eye(View):
    """One camera between `start` and `stop`, for the table and for the supervisor. `enrolled`: thresholds by deck."""

    def __init__(
        self, camera: Camera, calibration: Calibration, recogniser: Recogniser, enrolled: Mapping[str, Thresholds]
    ) -> None:
        read = partial(recogniser.recognise, card_size=calibration.card_size)
        watcher = Watcher(camera, calibration, read, _unheard)
        super().__init__(watcher, calibration)
        self.start: Final = watcher.start
        self.stop: Final = watcher.stop
        self._recogniser = recogniser
        self._enrolled = enrolled

    def put_into_play(self, deck: str | None) -> None:
        """Read the cards of this deck from the next picture on; None: of one that is not named."""
        self._recogniser.thresholds = USUAL if deck is None else self._enrolled.get(deck, USUAL)

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        """What lies on the felt, as far as it still holds; nothing unless the camera lives."""
        return tuple(_lying(told) for told in self._watcher.lying)

    def snaps(self, place: Seat, cards: tuple[Card, ...]) -> tuple[Snap, ...]:
        """The newest picture that was read, whole, and each of these cards at that place cut out of it."""
        look, told = self._watcher.newest, self._watcher.lying
        if look is None:
            return ()
        image = look.frame.picture
        seen = [each for each in told if isinstance(each, CardSeen) and each.place == place and each.card in cards]
        cut = (Snap(_jpeg(self._cut(image, each)), each.card) for each in seen)
        return Snap(_jpeg(image)), *cut

    def _cut(self, image: Image, seen: CardSeen) -> Image:
        (x, y), reach = seen.middle, _ABOUT * self._calibration.card_mm[1]
        about = np.array(
            [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]
        )
        pixels = self._calibration.pixels(about)
        left, top = np.maximum(pixels.min(axis=0).astype(int), 0)
        right, bottom = pixels.max(axis=0).astype(int) + 1
        return image[top:bottom, left:right]


def eye_of(settings: CameraSettings, calibration: Calibration, enrolled: Mapping[str, Thresholds]) -> Eye:
    """The eye of a table's camera, not yet started."""
    camera = Camera(SourceSettings(source=source_of(settings.source), size=calibration.size))
    return Eye(camera, calibration, Recogniser(), enrolled)


def _unheard(event: CameraEvent) -> None:
    """The table looks when it is ready to: what it has missed by then is nothing to it."""


def _jpeg(image: Image) -> bytes:
    return opencv.encoded(np.ascontiguousarray(image), ".jpg", _QUALITY)


def _lying(told: CardSeen | CardUnsure) -> LyingCard:
    place = None if told.place is None else Seat(told.place)
    across = told.middle[0]
    if isinstance(told, CardSeen):
        return LyingCard(place, told.card, told.at, across=across)
    return LyingCard(place, None, told.at, told.candidates, across)
