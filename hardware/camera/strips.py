"""Indices along an edge of a heap: in a row or a fan only the first card's corner is a corner of the heap's outline.

The strip below the edge is seen flat; each run of inked columns in it may be a card's index.
"""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import inks, opencv
from hardware.camera.corners import Corner, Edge
from hardware.camera.crops import Pyramid
from hardware.camera.opencv import Image, points

_HIGH: Final = 112.0  # units below the edge in which an index stands
_ABOVE: Final = 26.0  # units above it: an outline may be that far off
_CLEAR: Final = 6.0  # units next to the edge that are not looked at: its own blur
_BEFORE: Final = 24.0  # units by which a strip begins before its edge: where a rounded corner was
_BEHIND: Final = 44.0  # units by which it goes on: an index may reach across the next card's edge
_UNIT: Final = 0.4  # pixels of a flat strip
_LEAST: Final = 8.0  # units that an index is wide
_MOST: Final = 58.0
_BRIDGED: Final = 4.0  # units between the two figures of a 10
_CENTRES: Final = (20.0, 33.0)  # units from a card's left edge to its index's middle: of most decks, of large indices
_LEFT: Final = 10.0  # the same to an index's left, for one that runs into a court's frame
_DARK: Final = 56  # of 255: how much darker than the paper ink is at the least
_BLOCK: Final = 24  # pixels of a strip over which the paper's brightness is one


def corners_along(pyramid: Pyramid, edge: Edge, size: tuple[float, float]) -> list[Corner]:
    """Where the left top corners of cards so large (width and height in pixels) may be, told by the ink below an edge."""
    unit = size[0] / 250
    start = edge.start - _BEFORE * unit * edge.along
    length = edge.length / unit + _BEFORE + _BEHIND
    card = Corner(points(start), edge.along, edge.down, edge.length).card(*size)
    flat = (max(8, round(length * _UNIT)), round((_ABOVE + _HIGH) * _UNIT))
    strip = pyramid.seen_flat(card, flat, (length, _ABOVE + _HIGH), -_ABOVE)
    rim = _rim(strip)
    start = start + (rim / _UNIT - _ABOVE) * size[1] / 350 * edge.down
    lefts: list[float] = []
    for first, last in _runs(_inked(strip[rim + round(_CLEAR * _UNIT) :])):
        left, right = first / _UNIT, last / _UNIT
        narrow = right - left <= _MOST
        lefts += [(left + right) / 2 - centre for centre in _CENTRES] if narrow else [left - _LEFT]
    places = [points(start + left * unit * edge.along) for left in lefts]
    return [Corner(at, edge.along, edge.down, edge.length, loose=True) for at in places]


def _rim(strip: Image) -> int:
    """The row where the paper begins; where it does not show, the one where it was said to."""
    said = round(_ABOVE * _UNIT)
    bright = inks.at_share(opencv.darkest_channel(strip).T, 0.5)
    outer, inner = float(bright[: said // 2].min()), float(inks.at_share(bright[2 * said : 4 * said], 0.5))
    dark = np.flatnonzero(bright[: 2 * said] < (outer + inner) / 2)
    return int(dark[-1]) + 1 if inner > outer + 10 and len(dark) else said


def _inked(strip: Image) -> NDArray[np.bool_]:
    """What is clearly darker, in some channel, than the paper about it: bool [h, w]."""
    wide = strip.shape[1]
    blocks = max(1, wide // _BLOCK)
    starts = [wide * n // blocks for n in range(blocks + 1)]
    ink = np.empty(strip.shape[:2], np.uint8)
    for left, right in pairwise(starts):
        block = np.ascontiguousarray(strip[:, left:right])
        ink[:, left:right] = opencv.ink(block, inks.at_share(block.reshape(-1, 3), 0.8), 30)
    return np.asarray(ink > _DARK)


def _runs(ink: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The runs of columns with ink, first and one behind the last, small gaps bridged, thin lines left out."""
    columns = ink.sum(axis=0) >= 2
    ends = np.flatnonzero(np.diff(np.concatenate([[False], columns, [False]]).astype(np.int8)))
    runs: list[tuple[int, int]] = []
    for first, last in ends.reshape(-1, 2).tolist():
        if runs and first - runs[-1][1] <= _BRIDGED * _UNIT:
            runs[-1] = (runs[-1][0], last)
        else:
            runs.append((first, last))
    return [(first, last) for first, last in runs if last - first >= _LEAST * _UNIT]
