"""When a place may be read: nothing moves there, and no hand lies across its rim.

Pictures are judged shrunk, by their colours alone: no OpenCV is needed. Motion is what differs from the picture before, a
change of the light apart. A hand that rests is told by the rim, for every hand comes over it: a run of the rim that looks
otherwise than when it was calibrated, and not like paper. What is neither, such as a card across the rim, covers nothing.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera.calibration import RIM_STEP_MM, Calibration, RimColours, rim_from
from hardware.camera.zones import Place, along, through, within

SHRINK: Final = 4
STILL_FRAMES: Final = 3

_MOVED: Final = 16  # levels by which a shrunk pixel must differ
_LEAST_MM2: Final = 200.0  # of the felt that must differ: a finger's tip
_SAMPLED: Final = 8  # one pixel of so many tells how the light changed
_STRANGE: Final = 30.0  # levels, and this share of the colour, by which the rim must differ
_STRANGE_SHARE: Final = 0.2
_FINGER_MM: Final = 12.0
_PAPER: Final = 110.0  # a card's paper: each channel above this, and within
_PAPER_TINT: Final = 45.0
_ABOUT_MM: Final = 60.0  # how far from the zones cards may lie in none of them

Shrunk = NDArray[np.uint8]


class Standing(StrEnum):
    """How a place is in the newest picture; only a still one may be read."""

    moving = "moving"
    covered = "covered"
    settling = "settling"
    still = "still"


class Gate:
    """Judges one picture after the other. `None` is the felt about the zones, where cards lie in no place or across two."""

    def __init__(self, calibration: Calibration) -> None:
        wide, high = calibration.size
        self.size: Final = (wide // SHRINK, high // SHRINK)
        self._regions = _regions(calibration, self.size)
        self._rims = {rim.seat: _Rim(calibration, rim, self.size) for rim in calibration.rims}
        self.forget()

    def forget(self) -> None:
        """Begin anew, as with the first picture."""
        self._before: NDArray[np.int16] | None = None
        self._still = dict.fromkeys(self._regions, 0)

    def judge(self, picture: Shrunk) -> Mapping[Place, Standing]:
        """How each place stands in the newest picture, BGR uint8 [h, w, 3] of this gate's `size`."""
        now = picture.astype(np.int16)
        before, self._before = self._before, now
        found: dict[Place, Standing] = {}
        for place, region in self._regions.items():
            moved = before is not None and region.moved(before, now)
            self._still[place] = 0 if moved or before is None else self._still[place] + 1
            found[place] = self._standing(place, picture, moved)
        return found

    def _standing(self, place: Place, picture: Shrunk, moved: bool) -> Standing:
        if moved:
            return Standing.moving
        if place is not None and self._rims[place].is_crossed(picture):
            return Standing.covered
        return Standing.still if self._still[place] >= STILL_FRAMES else Standing.settling


class _Region:
    """The shrunk pixels of a place. `least`: how many must differ."""

    def __init__(self, mask: NDArray[np.bool_], pixels_per_mm2: float) -> None:
        self._pixels = np.flatnonzero(mask)
        self._least = max(3.0, _LEAST_MM2 * pixels_per_mm2)

    def moved(self, before: NDArray[np.int16], now: NDArray[np.int16]) -> bool:
        if not len(self._pixels):
            return False
        change = now.reshape(-1, 3)[self._pixels] - before.reshape(-1, 3)[self._pixels]
        change -= np.median(change[::_SAMPLED], axis=0).astype(np.int16)  # the light, or the camera's exposure
        return bool((np.abs(change).max(axis=1) > _MOVED).sum() >= self._least)


def _regions(calibration: Calibration, size: tuple[int, int]) -> dict[Place, _Region]:
    wide, high = size
    grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1).reshape(-1, 2)
    felt = calibration.felt((grid + 0.5) * SHRINK - 0.5)
    corners = np.concatenate([zone.outline for zone in calibration.zones])
    (left, near), (right, far) = corners.min(axis=0) - _ABOUT_MM, corners.max(axis=0) + _ABOUT_MM
    about = within(np.array([(left, near), (right, near), (right, far), (left, far)]), felt)
    found: dict[Place, _Region] = {}
    scales = []
    for zone in calibration.zones:
        inside = within(zone.outline, felt)
        scales.append(calibration.pixels_per_mm2(zone) / SHRINK**2)
        found[zone.seat] = _Region(inside, scales[-1])
        about &= ~inside
    found[None] = _Region(about, float(np.mean(scales)))
    return found


class _Rim:
    """The rim of one zone, as it looks with nothing across it."""

    def __init__(self, calibration: Calibration, rim: RimColours, size: tuple[int, int]) -> None:
        [zone] = [zone for zone in calibration.zones if zone.seat == rim.seat]
        felt = along(zone.outline, RIM_STEP_MM)
        self._colours, self._known = rim_from(rim)
        x, y = ((through(calibration.matrix, felt) + 0.5) / SHRINK - 0.5).round().astype(int).T
        self._at = (np.clip(y, 0, size[1] - 1), np.clip(x, 0, size[0] - 1))

    def is_crossed(self, picture: Shrunk) -> bool:
        """Whether something at least a finger wide, and not of paper, lies across it."""
        if not self._known.any():
            return False
        now = picture[self._at].astype(np.float32)
        light = np.median(now[self._known] / np.maximum(self._colours[self._known], 8), axis=0).clip(0.3, 3)
        usual = self._colours * light
        off = np.abs(now - usual).max(axis=1)
        strange = self._known & (off > _STRANGE + _STRANGE_SHARE * usual.max(axis=1)) & ~_paper(now)
        return longest_run(strange.tolist()) * RIM_STEP_MM >= _FINGER_MM


def _paper(colours: NDArray[np.float32]) -> NDArray[np.bool_]:
    least, most = colours.min(axis=1), colours.max(axis=1)
    return np.asarray((least > _PAPER) & (most - least < _PAPER_TINT), np.bool_)


def longest_run(ring: Sequence[bool]) -> int:
    """The longest run of True in a ring."""
    if all(ring):
        return len(ring)
    start = ring.index(False)
    longest = run = 0
    for held in [*ring[start:], *ring[:start]]:
        run = run + 1 if held else 0
        longest = max(longest, run)
    return longest
