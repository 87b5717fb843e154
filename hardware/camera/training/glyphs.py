"""Rank glyphs as card makers draw them and fonts seldom do: narrow, of strokes thick one way and thin the other."""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Image

Stroke = NDArray[np.floating]

_TOP, _FOOT = 30.0, 220.0
_SIZE: Final = (260, 250)  # a glyph's canvas, height and width, before it is trimmed


def drawn_rank(rank: str, rng: np.random.Generator) -> Image | None:
    """A rank's ink, uint8 [h, w], not trimmed; None for a rank that fonts do well.

    A 3 with a flat or a round top, a narrow Q whose tail runs or curls through its ring, A, J and K with slabs at the
    ends of their strokes.
    """
    draw = {"3": _three, "Q": _queen, "K": _king, "J": _jack, "A": _ace}.get(rank)
    if draw is None:
        return None
    thick = rng.uniform(9, 26)
    thin = thick * (1.0 if rng.random() < 0.4 else rng.uniform(0.3, 1.0))
    pen = (thick, thin) if rng.random() < 0.85 else (thin, thick)
    canvas = np.zeros(_SIZE, np.uint8)
    for stroke in draw(rng):
        _inked(canvas, stroke, pen)
    return canvas


def _inked(canvas: Image, stroke: Stroke, pen: tuple[float, float]) -> None:
    """Draw along a line with a pen so wide and so high."""
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    nib = np.stack([np.cos(turn) * pen[0] / 2, np.sin(turn) * pen[1] / 2], 1)
    for start, end in pairwise(stroke):
        opencv.fill_polygon(canvas, opencv.hull(opencv.points(np.concatenate([nib + start, nib + end]))), (255,))


def _curve(*knots: tuple[float, float]) -> Stroke:
    """A Bézier curve from the first knot to the last, drawn towards those between."""
    share = np.linspace(0, 1, 32)[:, None]
    rows = [np.broadcast_to(np.array(knot), (32, 2)) for knot in knots]
    while len(rows) > 1:
        rows = [a * (1 - share) + b * share for a, b in pairwise(rows)]
    return rows[0]


def _arc(
    middle: tuple[float, float], half: tuple[float, float], start: float, end: float, square: float = 1.0
) -> Stroke:
    """A part of an ellipse, clockwise as seen, its angles in turns from the right; `square`: below 1, of a rounder oblong."""
    turn = 2 * np.pi * np.linspace(start, end, 48)
    across, down = (np.sign(v) * np.abs(v) ** square for v in (np.cos(turn), np.sin(turn)))
    return np.stack([middle[0] + half[0] * across, middle[1] + half[1] * down], 1)


def _slab(x: float, y: float, left: float, right: float) -> Stroke:
    return np.array([(x - left, y), (x + right, y)])


def _slabs(places: list[tuple[float, float]], rng: np.random.Generator) -> list[Stroke]:
    """Slabs at the ends of strokes, or none at all."""
    half = rng.uniform(12, 32)
    return [] if rng.random() < 0.2 else [_slab(x, y, half, half) for x, y in places]


def _drop(at: NDArray[np.floating], rng: np.random.Generator) -> list[Stroke]:
    """The ball that a stroke may end in."""
    radius = rng.uniform(5, 14)
    return (
        []
        if rng.random() < 0.5
        else [_arc((at[0], at[1]), (share * radius, share * radius), 0, 1) for share in (1.0, 0.5)]
    )


def _three(rng: np.random.Generator) -> list[Stroke]:
    half = rng.uniform(45, 75)
    knee = rng.uniform(95, 125)
    low = _arc(
        (100, (knee + _FOOT) / 2), (half * rng.uniform(1.0, 1.15), (_FOOT - knee) / 2), -0.25, rng.uniform(0.36, 0.5)
    )
    strokes = [low, *_drop(low[-1], rng)]
    if rng.random() < 0.55:  # a flat top, its left end often bent down, and a slant to the bowl
        bend = rng.uniform(8, 40) if rng.random() < 0.6 else 0.0
        left, right = 100 - half * rng.uniform(0.75, 1.0), 100 + half * rng.uniform(0.75, 1.0)
        lid = np.array([(left, _TOP + bend), (left, _TOP), (right, _TOP), (rng.uniform(62, 112), knee), (100, knee)])
        return [*strokes, lid]
    high = _arc(
        (100, (knee + _TOP) / 2), (half * rng.uniform(0.8, 1.0), (knee - _TOP) / 2), rng.uniform(-0.48, -0.38), 0.25
    )
    return [*strokes, high, *_drop(high[0], rng), _slab(100, knee, rng.uniform(0, 25), 0)]


def _queen(rng: np.random.Generator) -> list[Stroke]:
    half, foot = rng.uniform(28, 75), rng.uniform(190, 220)
    square = 1.0 if rng.random() < 0.6 else rng.uniform(0.45, 1.0)
    ring = _arc((110, (_TOP + foot) / 2), (half, (foot - _TOP) / 2), 0, 1, square)
    left, right, out = 110 - half * rng.uniform(0.3, 1.35), 110 + half, half * rng.uniform(0.0, 0.5)
    match rng.integers(6):
        case 4 | 5:  # short, through the rim alone
            start = (110 + half * rng.uniform(0.0, 0.6), foot - rng.uniform(15, 50))
            tail = np.array([start, (right + half * rng.uniform(-0.15, 0.3), foot + rng.uniform(-4, 14))])
        case 0:  # straight through the ring
            tail = np.array(
                [(rng.uniform(85, 120), foot - rng.uniform(30, 65)), (right + out, foot + rng.uniform(0, 15))]
            )
        case 1:  # a wave along its foot
            tail = _curve(
                (left, foot), (left + half * 0.4, foot - 60), (right - half * 0.6, foot + 55), (right + out, foot)
            )
        case 2:  # a curl within the ring, then out to the right
            high = foot - rng.uniform(50, 95)
            tail = _curve(
                (left, foot - 5),
                (left - 20, high),
                (110 + half * 0.5, high),
                (110, foot + 15),
                (right + out, foot + rng.uniform(5, 25)),
            )
        case _:  # a loop across its foot
            at = (rng.uniform(80, 120), foot - rng.uniform(5, 30))
            loop = _arc(at, (half * rng.uniform(0.3, 0.9), rng.uniform(12, 30)), 0.1, rng.uniform(0.9, 1.1))
            tail = np.concatenate([loop, [(right + out, foot + rng.uniform(0, 20))]])
    return [ring, tail]


def _king(rng: np.random.Generator) -> list[Stroke]:
    stem, reach, waist = rng.uniform(45, 65), rng.uniform(135, 185), rng.uniform(115, 155)
    high = reach - rng.uniform(0, 20)
    joint = rng.uniform(0.0, 0.5)
    knee = (stem + joint * (high - stem), waist - joint * (waist - _TOP))
    arms = [
        np.array([(stem, _TOP), (stem, _FOOT)]),
        np.array([(high, _TOP), (stem, waist)]),
        np.array([knee, (reach, _FOOT)]),
    ]
    return arms + _slabs([(stem, _TOP), (stem, _FOOT), (high, _TOP), (reach, _FOOT)], rng)


def _jack(rng: np.random.Generator) -> list[Stroke]:
    half, stem = rng.uniform(14, 60), 150.0
    bowl = _FOOT - rng.uniform(14, 60)
    hook = _arc((stem - half, bowl), (half, _FOOT - bowl), 0, rng.uniform(0.38, 0.58))
    lid = [] if rng.random() < 0.2 else [_slab(stem, _TOP, rng.uniform(15, 50), rng.choice([0.0, rng.uniform(10, 45)]))]
    return [np.array([(stem, _TOP), (stem, bowl)]), hook, *_drop(hook[-1], rng), *lid]


def _ace(rng: np.random.Generator) -> list[Stroke]:
    half, bar = rng.uniform(45, 85), rng.uniform(140, 185)
    across = half * (bar - _TOP) / (_FOOT - _TOP)
    legs = [np.array([(110, _TOP), (110 - half, _FOOT)]), np.array([(110, _TOP), (110 + half, _FOOT)])]
    return [*legs, _slab(110, bar, across, across), *_slabs([(110 - half, _FOOT), (110 + half, _FOOT)], rng)]
