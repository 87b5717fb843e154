"""Corners of cards on the outline of a heap: where two straight edges meet at a right angle, paper inside."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Points, points
from hardware.camera.outlines import straight

_MOST_EDGES: Final = 60


@dataclass(frozen=True)
class Corner:
    """A convex right-angled corner: where it is, and the directions (unit vectors) along the top and down the left edge."""

    at: Points
    right: Points
    down: Points
    edge: float  # how far, in pixels, the outline runs straight on from here, the shorter way
    loose: bool = False  # only the top edge shows, from somewhere near the corner on: a card in a fan

    def shifted(self, pixels: float) -> "Corner":
        """The same corner so far back along its top edge."""
        return Corner(points(self.at - pixels * self.right), self.right, self.down, self.edge, self.loose)

    def card(self, wide: float, high: float) -> Points:
        """The card of that size, in pixels, that has its left top here."""
        across, down = self.right * wide, self.down * high
        return points([self.at, self.at + across, self.at + across + down, self.at + down])


def of_quad(corners: Points) -> list[Corner]:
    """The four corners of a quad, clockwise as seen."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    units = points(sides / lengths[:, None])
    return [Corner(corners[n], units[n], -units[n - 1], float(min(lengths[n], lengths[n - 1]))) for n in range(4)]


def of_patch(outline: Points, slack: float) -> list[Corner]:
    """The corners of a patch's outline, clockwise. `slack` is how far, in pixels, an edge may stray from straight."""
    rough = opencv.simplified(outline, slack)
    if len(rough) > _MOST_EDGES:  # grain or a figure, no heap of cards
        return []
    sides = np.roll(rough, -1, axis=0) - rough
    lengths = np.linalg.norm(sides, axis=1)
    long = np.flatnonzero(lengths > 6 * slack)
    found = []
    for n, edge in enumerate(long):
        before = long[n - 1]
        one, two = sides[before] / lengths[before], sides[edge] / lengths[edge]
        bare = float(np.hypot(*(rough[edge] - rough[(before + 1) % len(rough)])))  # a rounded corner, cut across
        corner = None
        if one[0] * two[1] - one[1] * two[0] > 0.85 and abs(float(one @ two)) < 0.45 and bare < 14 * slack:
            corner = _met(outline, rough, (int(before), int(edge)), float(min(lengths[before], lengths[edge])))
        found.append(corner or _top_edge(outline, rough, int(edge), float(lengths[edge])))
    return found


def _top_edge(outline: Points, rough: Points, edge: int, length: float) -> Corner:
    start, along = _line(outline, rough[edge], rough[(edge + 1) % len(rough)])
    return Corner(points(start), points(along), points([-along[1], along[0]]), length, loose=True)


def _met(outline: Points, rough: Points, edges: tuple[int, int], length: float) -> Corner | None:
    (p, u), (q, v) = (_line(outline, rough[n], rough[(n + 1) % len(rough)]) for n in edges)
    turn = float(u[0] * v[1] - u[1] * v[0])
    if turn < 0.85:
        return None
    away = q - p
    at = p + u * (float(away[0] * v[1] - away[1] * v[0]) / turn)
    return Corner(points(at), points(v), points(-u), length)


def _line(outline: Points, start: Points, end: Points) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """The straight line through the outline between two of its points: a point of it and its direction."""
    one, two = (int(np.abs(outline - p).sum(axis=1).argmin()) for p in (start, end))
    run = outline[one : two + 1] if two > one else np.concatenate([outline[one:], outline[: two + 1]])
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length
    across = np.array([-along[1], along[0]])
    away = run - start
    t, d = away @ along, away @ across
    middle = (t > 0.12 * length) & (t < 0.88 * length)
    if middle.sum() < 4:
        return start, along
    slope, height, _ = straight(t[middle], d[middle])
    way = along + across * slope
    return start + across * height, way / np.hypot(*way)
