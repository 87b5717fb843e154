"""Finds where indices stand, however the cards lie: a small net that looks at a part of a picture, told how wide a card is.

It says nothing of what they show. Where it is mistaken, the index reader sees no index.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.crops import CARD, LOW, WINDOW
from hardware.camera.opencv import Image, Points, points

CELL: Final = 4  # pixels of a picture that one cell of the net's answer stands for
NOMINAL: Final = 64.0  # pixels that a card is wide in the pictures it looks at
REACH: Final = 1.4  # cards so much wider or narrower than it was told are found as well

_WEIGHTS: Final = Path(__file__).parent / "weights" / "finder.onnx"
_LIKELY: Final = 0.2  # the odds from which a cell counts
_RIM: Final = 4  # pixels about an outline
_WASTE: Final = 1.05  # of two parts' areas: what one part that holds both may have
_STEP: Final = 32  # pixels to a multiple of which a part is filled up, so that the net meets few sizes

Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""


def parts_of(outlines: list[Points], size: tuple[int, int]) -> list[Box]:
    """The parts of a picture, of that width and height, that hold all the outlines; those that share much are one."""
    parts: list[Box] = []
    for outline in sorted(outlines, key=lambda o: -abs(opencv.area(o))):
        left, top = np.floor(outline.min(axis=0)).astype(int) - _RIM
        right, low = np.ceil(outline.max(axis=0)).astype(int) + _RIM
        part = max(0, int(left)), max(0, int(top)), min(size[0], int(right)), min(size[1], int(low))
        while (
            near := next((p for p in parts if _area(_both(p, part)) <= _WASTE * (_area(p) + _area(part))), None)
        ) is not None:
            parts.remove(near)
            part = _both(near, part)
        parts.append(part)
    return [p for p in parts if min(p[2] - p[0], p[3] - p[1]) > 0]


def _both(one: Box, two: Box) -> Box:
    return min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3])


def _area(part: Box) -> int:
    return max(0, part[2] - part[0]) * max(0, part[3] - part[1])


@dataclass(frozen=True)
class Corner:
    """An index corner of a card: where it is, the directions (unit vectors) along its top and down its left edge."""

    at: Points
    down: Points
    wide: float  # the card's width in pixels, by the look of its index
    below: float  # how far the index's middle is below the corner, in pixels
    odds: float  # that a card has its corner here

    @property
    def right(self) -> Points:
        """The direction along the card's top."""
        return points([self.down[1], -self.down[0]])

    def card(self, wide: float, high: float) -> Points:
        """The card of that size, in pixels, that has its left top here."""
        across, down = self.right * wide, self.down * high
        return points([self.at, self.at + across, self.at + across + down, self.at + down])

    def top(self, wide: float) -> float:
        """From how many units below the corner of a card so wide a crop must begin to have the index in its middle."""
        return min(LOW, max(0.0, self.below * CARD[0] / wide - WINDOW[1] / 2))


class Finder:
    """Looks with one set of weights; holds nothing from one picture to the next."""

    def __init__(self, weights: Path = _WEIGHTS) -> None:
        self._net = opencv.Net(weights)

    def corners(self, image: Image, part: Box, wide: float) -> list[Corner]:
        """The index corners in a part of a picture whose cards are about so many pixels wide."""
        left, top, right, low = part
        size = [max(CELL, round(side * NOMINAL / wide)) for side in (right - left, low - top)]
        seen = opencv.resize(np.ascontiguousarray(image[top:low, left:right]), *size)
        rim = [-side % _STEP for side in size]
        cells = self._net.planes(np.pad(seen, ((0, rim[1]), (0, rim[0]), (0, 0)), mode="edge"))
        scale = np.array([right - left, low - top]) / size
        return [
            replace(
                c,
                at=points((c.at + 0.5) * scale - 0.5 + (left, top)),
                wide=c.wide * wide / NOMINAL,
                below=c.below * wide / NOMINAL,
            )
            for c in _peaks(cells)
        ]


def _peaks(cells: NDArray[np.float32]) -> list[Corner]:
    """What the likeliest cells tell, each with those next to it, in pixels of what the net saw."""
    odds = 1 / (1 + np.exp(-cells[0]))
    high, wide = odds.shape
    rimmed = np.pad(odds, 2)
    around = np.max([rimmed[y : y + high, x : x + wide] for y in range(5) for x in range(5)], axis=0)
    return [_corner(cells, odds, int(y), int(x)) for y, x in np.argwhere((odds >= _LIKELY) & (odds == around))]


def _corner(cells: NDArray[np.float32], odds: NDArray[np.float32], y: int, x: int) -> Corner:
    about = slice(max(0, y - 1), min(len(odds), y + 2)), slice(max(0, x - 1), min(odds.shape[1], x + 2))
    share = odds[about] * (odds[about] > 0.5 * odds[y, x])
    share /= share.sum()
    ys, xs = np.mgrid[about]
    _, across, down, way_x, way_y, grown = cells[(slice(None), *about)]
    at, index = (CELL * np.array(place) + (CELL - 1) / 2 for place in (
        [(share * (xs + across)).sum(), (share * (ys + down)).sum()], [(share * xs).sum(), (share * ys).sum()]))  # fmt: skip
    way = np.array([(share * way_x).sum(), (share * way_y).sum()])
    way /= max(1e-6, float(np.hypot(*way)))
    wide = NOMINAL * float(np.exp((share * grown).sum()))
    return Corner(points(at), points(way), wide, float((index - at) @ way), float(odds[y, x]))
