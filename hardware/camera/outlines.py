"""Finds what may be cards: bright four-sided patches, and heaps of several cards that lie over one another.

A quad is float32 [4, 2], its corners clockwise as seen, in the picture's pixels.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.crops import grown
from hardware.camera.laid import GROWN
from hardware.camera.opencv import Image, Points, points

_WORKING_EDGE: Final = 960  # a larger picture is searched at this size, and read at its own
_LEAST_EDGE: Final = 22.0  # pixels of a card's short side, at the working size
_FILL: Final = 0.93  # of a quad that a card's outline fills, rounded corners and all
_STRAYING: Final = 1.6  # pixels by which a straight edge may stray, at the working size
_STRAIGHT: Final = 10.0  # pixels from which an edge is taken for one
_LEAST_STRAIGHT: Final = 0.5  # of a heap's outline
_ENOUGH_TIMES: Final = 2  # that a patch is tried for a card before it is taken for a heap
_AS_PAPER: Final = 0.6  # of how bright a card's paper is: from where something else may be paper
_LEAST_PAPER: Final = 0.08  # of a card's area: what must show of paper that is no rim
_BESIDE: Final = 0.6  # of a card's width: how much about such paper is looked at
_SAME_BOX: Final = 2  # pixels, at the working size, between the sides of what is one patch at two levels

Bounds = tuple[int, int, int, int]


@dataclass(frozen=True)
class Quad:
    """Four straight sides round a bright patch; `rough` is the mean distance of the outline from them, in pixels."""

    corners: Points
    rough: float

    @property
    def size(self) -> float:
        """The square root of its area."""
        return float(abs(opencv.area(self.corners)) ** 0.5)


@dataclass(frozen=True)
class Outlines:
    """What a picture holds: quads, and the outlines of every patch large enough to be a card or several."""

    quads: list[Quad]
    patches: list[Points]


def find(image: Image) -> Outlines:
    """Every quad (one of several nearly equal) and every patch in a picture."""
    scale = min(1.0, _WORKING_EDGE / max(image.shape[:2]))
    quads: list[Quad] = []
    patches: list[Points] = []
    cards: list[Bounds] = []
    heaps: list[Bounds] = []
    for mask in _masks(_shrunk(image, scale)):
        high, wide = mask.shape
        for outline in opencv.outlines(mask, round(4 * _LEAST_EDGE)):
            size = opencv.area(outline)
            if not _LEAST_EDGE**2 < size < 0.7 * wide * high:
                continue
            bounds = opencv.bounds(outline)
            tried = _times(bounds, heaps)
            if tried >= _ENOUGH_TIMES or _times(bounds, cards):
                continue
            quad = quad_of(outline, size)
            if quad is not None:
                quads.append(quad)
                cards.append(bounds)
            elif tried:
                heaps.append(bounds)
            elif is_of_cards(outline, (wide, high)):
                heaps.append(bounds)
                patches.append(outline)
    kept = distinct(quads)
    return Outlines([Quad(_full(q.corners, scale), q.rough / scale) for q in kept], [_full(p, scale) for p in patches])


def _shrunk(image: Image, scale: float) -> Image:
    size = round(image.shape[1] * scale), round(image.shape[0] * scale)
    if scale == 1.0:
        return image
    return opencv.shrunk_a_little(image, *size) if scale >= 0.5 else opencv.resize(image, *size)


def is_of_cards(outline: Points, size: tuple[int, int]) -> bool:
    """Whether straight edges make up enough of an outline for a heap of cards; the grain of a cloth has none.

    `size`: the picture's width and height; where its rim cuts a patch off, no edge is told.
    """
    ends = opencv.simplified(outline, _STRAYING)
    starts = np.roll(ends, 1, axis=0)
    cut = ((starts <= 1) & (ends <= 1) | (starts >= np.array(size) - 2) & (ends >= np.array(size) - 2)).any(axis=1)
    lengths = np.linalg.norm(ends - starts, axis=1)[~cut]
    return float(lengths[lengths > _STRAIGHT].sum()) > _LEAST_STRAIGHT * float(lengths.sum())


def paper_beside(image: Image, patch: Points, cards: list[Points], card: tuple[float, float]) -> list[Points]:
    """Of a patch, what is about as bright as the paper of the cards [4, 2] that lie in it, those cards left out: a box about
    each piece that may be more than a rim. The patch itself where no card lies in it.

    A patch that was found at a low level is a card and some of the cloth about it. `card`: a card's width and height, in pixels.
    """
    left, top, right, low = (max(0, side) for side in opencv.bounds(patch))
    here = [c for c in cards if left <= (m := c.mean(axis=0))[0] < right and top <= m[1] < low]
    if not here:
        return [patch]
    part = opencv.darkest_channel(np.ascontiguousarray(image[top:low, left:right]))
    paper = opencv.above(part, min(_AS_PAPER * _brightness(part, points(c - (left, top))) for c in here))
    for c in cards:
        opencv.fill_polygon(paper, grown(c, GROWN) - (left, top), (0,))
    pieces = opencv.patches(_within(paper, patch - (left, top)))
    large = [piece for piece in pieces if piece[4] >= _LEAST_PAPER * card[0] * card[1]]
    rim = _BESIDE * card[0]
    boxes = [((x - rim, y - rim), (x + wide + rim, y + high + rim)) for x, y, wide, high, *_ in large]
    return [
        points(np.clip([(a, b), (c, b), (c, d), (a, d)], 0, (right - left, low - top)) + np.array([left, top]))
        for (a, b), (c, d) in boxes
    ]


def _brightness(grey: Image, card: Points) -> float:
    """How bright the paper of a card is, that may reach beyond the picture."""
    left, top, right, low = (max(0, side) for side in opencv.bounds(card))
    part = grey[top:low, left:right]
    return float(np.quantile(part[_within(np.full_like(part, 255), card - (left, top)) > 0], 0.8))


def _within(mask: Image, outline: NDArray[np.floating]) -> Image:
    """What of a mask lies within an outline."""
    inside = np.zeros_like(mask)
    opencv.fill_polygon(inside, outline, (255,))
    return np.minimum(mask, inside)


def _times(bounds: Bounds, known: list[Bounds]) -> int:
    """How many known patches fill, but for a pixel or two, the same box: what was found at another level."""
    left, top, right, low = bounds
    return sum(
        abs(left - a) <= _SAME_BOX
        and abs(top - b) <= _SAME_BOX
        and abs(right - c) <= _SAME_BOX
        and abs(low - d) <= _SAME_BOX
        for a, b, c, d in known
    )


def _full(outline: Points, scale: float) -> Points:
    return outline if scale == 1.0 else points((outline + 0.5) / scale - 0.5)


def _masks(image: Image) -> list[Image]:
    """What is bright, at the levels that part the picture, and what outshines its neighbourhood.

    The darkest channel shows paper on cloth; the blue one, paper on wood, which is bright but yellow.
    """
    grey, blue = (opencv.smoothed(c) for c in (opencv.darkest_channel(image), opencv.blue_channel(image)))
    block = (max(grey.shape) // 24) | 1
    return [
        *(opencv.above(channel, level) for channel in (grey, blue) for level in _levels(channel)),
        opencv.above_neighbours(grey, block, 10),
        opencv.outshining(blue, 5 * block, 20),
    ]


def _levels(grey: Image) -> list[float]:
    """Where a picture parts in two, where each half parts again, and the brighter half's brighter half."""
    counts = opencv.levels_of(grey)
    middle = parting(counts, 0)
    upper = parting(counts, middle + 1)
    return [middle, upper, parting(counts, upper + 1), parting(counts[: middle + 1], 0)]


def parting(counts: NDArray[np.int64], start: int) -> int:
    """The level from `start` up that parts a histogram's two heaps best (Otsu)."""
    if counts[start:].sum() == 0:
        return min(start, 254)
    levels = np.arange(len(counts) - start)
    heap = np.cumsum(counts[start:]).astype(np.float64)
    weight = np.cumsum(counts[start:] * levels)
    rest = heap[-1] - heap
    apart = heap * rest * (weight / np.maximum(heap, 1) - (weight[-1] - weight) / np.maximum(rest, 1)) ** 2
    return start + int(np.argmax(apart))


def quad_of(outline: Points, size: float) -> Quad | None:
    """The four straight sides of an outline; None if it has others. `size` is its area."""
    hull = opencv.hull(outline)
    if size < 0.9 * opencv.area(hull):
        return None
    rough = _four_corners(hull)
    if rough is None:
        return None
    fitted = _fitted(outline, rough)
    if fitted is None or not card_shaped(fitted.corners):
        return None
    return fitted if _FILL <= size / max(1.0, opencv.area(fitted.corners)) <= 1.03 else None


def _four_corners(hull: Points) -> Points | None:
    """The hull's four main corners, the roundings cut off."""
    edge = opencv.perimeter(hull)
    for slack in (0.02, 0.03, 0.045, 0.06):
        corners = opencv.simplified(hull, slack * edge)
        if len(corners) == 4:
            return corners
    return None


def _fitted(outline: Points, corners: Points) -> Quad | None:
    """Each side laid through the middle part of its points, and the corners where the sides meet."""
    lines, off = [], 0.0
    every = max(1, len(outline) // 200)
    outline = outline[::every]
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < _LEAST_EDGE * 0.7:
            return None
        along /= length
        across = points([-along[1], along[0]])
        away = outline - start
        t, d = away @ along, away @ across
        near = (t > 0.14 * length) & (t < 0.86 * length) & (np.abs(d) < 0.075 * length + 2)
        if near.sum() < 0.5 * length / every:
            return None
        slope, height, rest = straight(t[near], d[near])
        off = max(off, rest)
        lines.append((start + across * height, along + across * slope))
    if off > 1.0 + 0.004 * float(np.hypot(*(corners[2] - corners[0]))):
        return None
    met = [_meeting(lines[n - 1], lines[n]) for n in range(4)]
    corners_met = [m for m in met if m is not None]
    return Quad(points(corners_met), off) if len(corners_met) == 4 else None


def straight(t: NDArray[np.floating], d: NDArray[np.floating]) -> tuple[float, float, float]:
    """A line d = height + slope × t through points, outliers dropped; and the mean distance of nine tenths of them."""
    slope, height = _line(t, d)
    off = np.abs(d - height - slope * t)
    for _ in range(2):
        keep = off <= max(0.8, 2.0 * float(np.partition(off, len(off) // 2)[len(off) // 2]))
        slope, height = _line(t[keep], d[keep])
        off = np.abs(d - height - slope * t)
    most = max(1, int(0.9 * len(off)))
    return slope, height, float(np.partition(off, most - 1)[:most].sum()) / most


def _line(t: NDArray[np.floating], d: NDArray[np.floating]) -> tuple[float, float]:
    n, st, sd = len(t), float(t.sum()), float(d.sum())
    slope = (n * float(t @ d) - st * sd) / max(1e-6, n * float(t @ t) - st * st)
    return slope, (sd - slope * st) / n


def _meeting(one: tuple[Points, Points], two: tuple[Points, Points]) -> Points | None:
    (p, u), (q, v) = one, two
    turn = float(u[0] * v[1] - u[1] * v[0])
    if abs(turn) < 0.2:
        return None
    w = q - p
    return points(p + u * (float(w[0] * v[1] - w[1] * v[0]) / turn))


def card_shaped(corners: Points) -> bool:
    """Whether four corners could be a card's, seen at a slant or not."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < _LEAST_EDGE * 0.8:
        return False
    a, b = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    if max(a, b) > 2.5 * min(a, b):
        return False
    if max(lengths[0], lengths[2]) > 1.6 * min(lengths[0], lengths[2]) or max(lengths[1], lengths[3]) > 1.6 * min(
        lengths[1], lengths[3]
    ):
        return False
    units = sides / lengths[:, None]
    turns = units[:, 0] * np.roll(units, -1, axis=0)[:, 1] - units[:, 1] * np.roll(units, -1, axis=0)[:, 0]
    return bool(turns.min() > 0.6)


def distinct(quads: list[Quad]) -> list[Quad]:
    """One quad of each several nearly equal ones: of middling size, where a blurred edge is half way. The largest come first."""
    heaps: list[list[Quad]] = []
    for quad in sorted(quads, key=lambda q: q.size):
        heap = next((h for h in heaps if _same(quad, h[len(h) // 2])), None)
        if heap is None:
            heaps.append([quad])
        else:
            heap.append(quad)
    return [heap[(len(heap) - 1) // 2] for heap in reversed(heaps)]


def _same(one: Quad, two: Quad) -> bool:
    slack = 0.035 * min(one.size, two.size) + 1.5
    gaps = np.linalg.norm(one.corners[:, None] - two.corners[None], axis=2)
    return bool((gaps.min(axis=1) < slack).all())


def upright(corners: Points) -> Points:
    """The corners in an order that puts the long sides left and right."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners if lengths[0] + lengths[2] <= lengths[1] + lengths[3] else np.roll(corners, -1, axis=0)
