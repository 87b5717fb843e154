"""Straight edges on the outline of a heap, and corners of cards: where two of them meet at a right angle, paper inside."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.camera import opencv
from hardware.camera.opencv import Points, points
from hardware.camera.outlines import straight

_MOST_EDGES: Final = 100


@dataclass(frozen=True)
class Corner:
    """A convex right-angled corner: where it is, and the directions (unit vectors) along the top and down the left edge."""

    at: Points
    right: Points
    down: Points
    edge: float  # how far, in pixels, the outline runs straight on from here, the shorter way
    loose: bool = False  # only a top edge shows, with ink below it where an index would be: a card in a fan or a row

    def inward(self, pixels: float) -> Points:
        """The point so far in, along both edges."""
        return points(self.at + pixels * (self.right + self.down))

    def card(self, wide: float, high: float) -> Points:
        """The card of that size, in pixels, that has its left top here."""
        across, down = self.right * wide, self.down * high
        return points([self.at, self.at + across, self.at + across + down, self.at + down])


@dataclass(frozen=True)
class Edge:
    """A straight stretch of an outline, clockwise, so that the paper lies to its right: start, direction (unit), length."""

    start: Points
    along: Points
    length: float

    @property
    def down(self) -> Points:
        """The direction into the paper."""
        return points([-self.along[1], self.along[0]])

    @property
    def middle(self) -> Points:
        """The point half way."""
        return points(self.start + 0.5 * self.length * self.along)


def of_quad(corners: Points) -> tuple[list[Edge], list[Corner]]:
    """The four sides and the four corners of a quad, clockwise as seen."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    units = points(sides / lengths[:, None])
    edges = [Edge(corners[n], units[n], float(lengths[n])) for n in range(4)]
    met = [Corner(corners[n], units[n], -units[n - 1], float(min(lengths[n], lengths[n - 1]))) for n in range(4)]
    return edges, met


def of_patch(outline: Points, slack: float) -> tuple[list[Edge], list[Corner]]:
    """The edges and corners of a patch's outline, clockwise. `slack` is how far, in pixels, an edge may stray from straight."""
    rough = opencv.simplified(outline, slack)
    if len(rough) > _MOST_EDGES:  # grain or a figure, no heap of cards
        return [], []
    lengths = np.linalg.norm(np.roll(rough, -1, axis=0) - rough, axis=1)
    long = [int(n) for n in np.flatnonzero(lengths > 6 * slack)]
    edges = [_edge(outline, rough[n], rough[(n + 1) % len(rough)]) for n in long]
    met = []
    for at, n in enumerate(long):
        before, edge = edges[at - 1], edges[at]
        bare = float(np.hypot(*(rough[n] - rough[(long[at - 1] + 1) % len(rough)])))  # a rounded corner, cut across
        if bare < 14 * slack and (corner := _met(before, edge)) is not None:
            met.append(corner)
    return edges, met


def distinct(edges: list[Edge], slack: float) -> list[Edge]:
    """One of each several edges that run along one another, the longest; they come first."""
    kept: list[Edge] = []
    rows = np.empty((len(edges), 5))
    for edge in sorted(edges, key=lambda e: -e.length):
        known = rows[: len(kept)]
        away = edge.middle - known[:, :2]
        t = (away * known[:, 2:4]).sum(axis=1)
        off = np.abs(away[:, 1] * known[:, 2] - away[:, 0] * known[:, 3])
        same_way = known[:, 2:4] @ edge.along > 0.98
        if not (same_way & (off < slack) & (t > 0) & (t < known[:, 4])).any():
            rows[len(kept)] = [*edge.start, *edge.along, edge.length]
            kept.append(edge)
    return kept


def _met(before: Edge, edge: Edge) -> Corner | None:
    """Where one edge turns into the next at about a right angle, to the right."""
    (u, v), away = (before.along, edge.along), edge.start - before.start
    turn = float(u[0] * v[1] - u[1] * v[0])
    if turn < 0.85:
        return None
    at = before.start + u * (float(away[0] * v[1] - away[1] * v[0]) / turn)
    return Corner(points(at), v, -u, min(before.length, edge.length))


def _edge(outline: Points, start: Points, end: Points) -> Edge:
    """The straight line through the outline between two of its points."""
    one, two = (int(np.abs(outline - p).sum(axis=1).argmin()) for p in (start, end))
    run = outline[one : two + 1] if two > one else np.concatenate([outline[one:], outline[: two + 1]])
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length
    across = np.array([-along[1], along[0]])
    away = run - start
    t, d = away @ along, away @ across
    middle = (t > 0.12 * length) & (t < 0.88 * length)
    if middle.sum() < 4:
        return Edge(start, points(along), length)
    slope, height, _ = straight(t[middle], d[middle])
    way = along + across * slope
    return Edge(points(start + across * height), points(way / np.hypot(*way)), length)
