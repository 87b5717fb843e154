"""Cuts the windows that are read out of a picture: a card's index corner, or its whole face, seen flat.

A card is 250 units wide and 350 high, whatever its make. Its corners are float32 [4, 2], in pixels, clockwise from the
corner whose index stands upright: left top, right top, right bottom, left bottom.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Image, Points, points
from hardware.camera.zones import through

CARD: Final = (250.0, 350.0)
WINDOW: Final = (64.0, 88 / 0.75)  # what a crop shows of the corner, in units
LOW: Final = 36.0  # where, in units, the window begins for decks that print their indices low
CROP: Final = (48, 88)  # its size in pixels

FLAT: Final = points([(0, 0), (250, 0), (250, 350), (0, 350)])  # a card's corners, in units

_STRAYS: Final = np.array([16.0, 16.0, 0.1, 0.1])  # what a finder errs by: units, units, radians, share of the size


class Pyramid:
    """A picture and its halves, so that a large card is averaged down and not picked apart."""

    def __init__(self, image: Image) -> None:
        self._levels = [image]

    def seen_flat(self, corners: Points, size: tuple[int, int], units: tuple[float, float], top: float = 0.0) -> Image:
        """The left part of a card, `units` wide and high, from `top` units down, at `size` pixels: BGR [h, w, 3]."""
        shrink = opencv.perimeter(corners) / 1200 * units[0] / size[0]
        level = 0
        while shrink > 1.6 and min(self._levels[level].shape[:2]) > 16:
            level, shrink = level + 1, shrink / 2
            if level == len(self._levels):
                above = self._levels[-1]
                self._levels.append(opencv.resize(above, above.shape[1] // 2, above.shape[0] // 2))
        across, down = size[0] / units[0], size[1] / units[1]
        onto = np.array([(across, 0, 0), (0, down, -top * down), (0, 0, 1)])
        half = 0.5**level
        return opencv.warp(self._levels[level], onto @ opencv.homography(corners * half, FLAT), *size)

    def index(self, corners: Points, top: float = 0.0) -> Image:
        """The index corner, from `top` units below the card's edge: BGR [88, 48, 3]."""
        return self.seen_flat(corners, CROP, WINDOW, top)


def turned(corners: Points) -> Points:
    """The same card from its other index corner, half a turn round."""
    return corners[[2, 3, 0, 1]]


def grown(corners: NDArray[np.floating], times: float) -> NDArray[np.floating]:
    """Cards [..., 4, 2], so many times as large about their middles."""
    middles = corners.mean(axis=-2, keepdims=True)
    return np.asarray(middles + times * (corners - middles))


def sideways(corners: Points) -> Points:
    """The same four corners read as if the long sides were the short ones."""
    return corners[[1, 2, 3, 0]]


def nudged(
    corners: Points, turn: float = 0.0, shift: tuple[float, float] = (0.0, 0.0), size: tuple[float, float] = (1.0, 1.0)
) -> Points:
    """The same card turned about its first corner (radians), moved (units), and so many times as wide and as high."""
    square = np.array([(0, 0), (CARD[0], 0), CARD, (0, CARD[1])]) * size
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return points_on(corners, square @ spin.T + shift)


def strayed(window: Points, corners: Points) -> NDArray[np.float64]:
    """How a window lies beside the card it was meant for, [4]: where that card's first corner is, across and down; how it is
    turned; how much larger it is. Each in shares of what a finder errs by; `followed` undoes it."""
    ends = points_on(corners, np.array([(0.0, 0.0), (CARD[0] / 4, 0.0), (0.0, CARD[1] / 4)]))
    at, right, low = in_units_of(window, ends)
    across, down = right - at, low - at
    way = across / np.hypot(*across) + np.array([down[1], -down[0]]) / np.hypot(*down)
    size = np.sqrt(16 * np.hypot(*across) * np.hypot(*down) / (CARD[0] * CARD[1]))
    return np.asarray(np.array([*at, np.arctan2(way[1], way[0]), np.log(size)]) / _STRAYS, np.float64)


def followed(window: Points, off: NDArray[np.floating]) -> Points:
    """The window moved to where its card is, by what `strayed` tells of it."""
    across, down, turn, grown = (float(v) for v in off * _STRAYS)
    return nudged(window, turn, (across, down), (float(np.exp(grown)), float(np.exp(grown))))


def points_on(corners: Points, units: NDArray[np.floating]) -> Points:
    """Points of a card (units, [n, 2]) in the picture's pixels."""
    return points(through(opencv.homography(FLAT, corners), units))


def in_units_of(corners: Points, at: NDArray[np.floating]) -> NDArray[np.float64]:
    """Points of the picture (pixels, [n, 2]) in a card's units: the way back from `points_on`."""
    return through(opencv.homography(corners, FLAT), at)
