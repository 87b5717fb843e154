"""Games as a fixed camera sees them: hands fanned, rows, heaps, single cards, chips and hands over them, in all light.

Each scene knows of each card how much of it can be seen, so that a reading can be held against the truth.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import DECK, Card
from hardware.camera import opencv
from hardware.camera.calibration import READS_WELL_PX
from hardware.camera.crops import points_on
from hardware.camera.marks import LEAST_CARD_PX
from hardware.camera.opencv import Image, Points, points
from hardware.camera.training.photographs import placed
from hardware.camera.zones import overlap, through, within
from tests.hardware.camera.tables import SIZES, dealt, felt, index_of

NEAR: Final = (READS_WELL_PX, 150.0)  # a card's width in pixels
FAR: Final = (LEAST_CARD_PX, READS_WELL_PX)
CONDITIONS: Final = ("plain", "glare", "motion", "dim")
_WASHED: Final = 0.5  # the share of glare from which an index counts as hidden
_APART: Final = 1.1  # a card grown so much touches nothing: then it lies apart
_SKINS: Final = ((120, 150, 205), (95, 120, 180), (60, 80, 120), (150, 180, 225), (40, 50, 75))


class Seen(StrEnum):
    """What can be seen of a card."""

    isolated = "isolated"  # all of it, and nothing touches it
    fanned = "fanned"  # it lies among others; one of its index corners, at least, is whole
    hidden = "hidden"  # neither index corner is whole


@dataclass(frozen=True)
class Laid:
    """A card on the table: its corners in pixels, clockwise from an index corner, and how it came to lie there."""

    card: Card
    corners: Points
    group: str
    seen: Seen

    @property
    def high(self) -> float:
        """Its height in pixels."""
        return float(np.hypot(*(self.corners[3] - self.corners[0])))


@dataclass(frozen=True)
class Lens:
    """How a camera sees for as long as nobody touches it; `high`: a card's height in pixels."""

    condition: str
    high: float
    light: tuple[float, float, float]  # how much brighter it gets from left to right and from top to bottom, and in all
    tint: tuple[float, float, float]
    focus: float  # the blur in pixels
    grain: float  # the noise in levels
    quality: int  # of the JPEG that comes over the wire
    lamp: tuple[float, float, float, float] | None = None  # a reflection: x, y, radius in pixels, share

    def washed(self, at: Points) -> NDArray[np.floating]:
        """How much of what is at these points a lamp's reflection covers, 0…1."""
        if self.lamp is None:
            return np.zeros(at.shape[:-1])
        x, y, radius, share = self.lamp
        return np.asarray(share * np.exp(-(((at - (x, y)) / radius) ** 2).sum(axis=-1)), np.float64)

    def exposed(self, scene: Image, rng: np.random.Generator, *, moved: bool = False) -> Image:
        """One picture of a scene: the noise and a tremor are never twice the same."""
        high, wide = scene.shape[:2]
        tremor = np.array([(1, 0, rng.normal(0, 0.3)), (0, 1, rng.normal(0, 0.3)), (0, 0, 1)])
        image = opencv.warp(scene, tremor, wide, high)
        down, across = np.linspace(-0.5, 0.5, high, dtype=np.float32), np.linspace(-0.5, 0.5, wide, dtype=np.float32)
        light = (1 + down[:, None] * self.light[1] + across * self.light[0])[:, :, None] * self.light[2]
        lit = image * (light * points(self.tint) * np.float32(rng.normal(1, 0.01)))
        if self.lamp is not None:
            grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1).astype(np.float32)
            share = self.washed(grid).astype(np.float32)[:, :, None]
            lit = lit * (1 - share) + 255 * share
        shown = opencv.blurred(np.asarray(np.clip(lit, 0, 255), np.uint8), self.focus)
        if moved:
            shown = opencv.filtered(shown, _streak(rng.uniform(0.006, 0.02) * self.high, rng.uniform(0, np.pi)))
        grain = rng.standard_normal((high, wide, 1), np.float32) * np.float32(self.grain)
        tint = rng.standard_normal((high // 2 + 1, wide // 2 + 1, 3), np.float32) * np.float32(0.6 * self.grain)
        grained = shown + grain + tint.repeat(2, 0).repeat(2, 1)[:high, :wide]
        sent = opencv.encoded(np.asarray(np.clip(grained, 0, 255), np.uint8), ".jpg", self.quality)
        taken = opencv.decoded(sent)
        assert taken is not None
        return taken


def _streak(length: float, angle: float) -> NDArray[np.float32]:
    half = max(1, round(length))
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for step in np.linspace(-length / 2, length / 2, 8 * half):
        kernel[round(half + step * np.sin(angle)), round(half + step * np.cos(angle))] += 1
    return points(kernel / kernel.sum())


def drawn_lens(condition: str, high: float, size: tuple[int, int], rng: np.random.Generator) -> Lens:
    """A camera at random, as one may stand once it has been set up."""
    lamp = None
    if condition == "glare":
        lamp = (*rng.uniform(0, size), rng.uniform(0.3, 1.5) * high, rng.uniform(0.4, 0.95))
    bright = rng.uniform(0.42, 0.6) if condition == "dim" else rng.uniform(0.65, 1.0)
    return Lens(
        condition,
        high,
        (rng.normal(0, 0.12), rng.normal(0, 0.12), bright),
        (rng.normal(1, 0.05), rng.normal(1, 0.03), rng.normal(1, 0.05)),
        rng.uniform(0.35, 0.7) + rng.uniform(0, 0.003) * high,
        rng.uniform(3, 7) if condition == "dim" else rng.uniform(0.5, 4),
        int(rng.integers(60, 96)),
        lamp,
    )


@dataclass(frozen=True)
class Scene:
    """A table, the cards on it, the lower ones first, and the camera that looks at it."""

    design: str
    image: Image
    laid: tuple[Laid, ...]
    lens: Lens

    def pictures(self, count: int, rng: np.random.Generator) -> Iterator[Image]:
        """Pictures one after the other; where there is motion, the first is blurred by it, and some of the rest."""
        for n in range(count):
            moved = self.lens.condition == "motion" and (n == 0 or rng.random() < 0.3)
            yield self.lens.exposed(self.image, rng, moved=moved)


Group = Callable[[float, np.random.Generator], list[Points]]
"""Where the cards of a group lie about nought, at a height in pixels, the lower ones first."""


def single(high: float, rng: np.random.Generator) -> list[Points]:
    """One card."""
    return [_card(high, 0, (0, 0))]


def fan(high: float, rng: np.random.Generator) -> list[Points]:
    """A hand of five: each card covers the one before but for its left edge."""
    step, radius = np.deg2rad(rng.uniform(7, 14)), rng.uniform(1.1, 1.5) * high
    angles = step * (np.arange(5) - 2) + rng.normal(0, 0.02, 5)
    return [_card(high, a, (radius * np.sin(a), radius * (1 - np.cos(a)))) for a in angles]


def row(high: float, rng: np.random.Generator) -> list[Points]:
    """Five cards side by side, each over the one before."""
    step = rng.uniform(0.26, 0.6) * high / 1.4
    return [_card(high, rng.normal(0, 0.02), (step * (n - 2), rng.normal(0, 0.02) * high)) for n in range(5)]


def heap(high: float, rng: np.random.Generator) -> list[Points]:
    """Two to four cards thrown over one another."""
    turns = rng.uniform(0, 2 * np.pi, rng.integers(2, 5))
    return [_card(high, turn, tuple(rng.normal(0, 0.35, 2) * high)) for turn in turns]


GROUPS: Final[dict[str, Group]] = {"single": single, "fan": fan, "row": row, "heap": heap}
_OFTEN: Final = (0.55, 0.2, 0.13, 0.12)


def _card(high: float, angle: float, middle: tuple[float, ...]) -> Points:
    return points(placed(high, 1.4, angle, np.zeros((4, 2))) + np.array(middle))


@cache
def index_box(design: str) -> NDArray[np.float64]:
    """Where an index stands with the paper about it: points from the corner on, in units of the card, [n, 2]."""
    box = index_of(design)
    right, low = 2 * box.middle, box.low + 1
    return np.stack(np.meshgrid(np.linspace(1, right, 8), np.linspace(1, low, 14)), axis=-1).reshape(-1, 2)


def scene(design: str, rng: np.random.Generator, wide: tuple[float, float] = (LEAST_CARD_PX, 150.0)) -> Scene:
    """A table at random, a card between so many pixels wide."""
    size = SIZES[rng.integers(len(SIZES))]
    high = 1.4 * float(np.exp(rng.uniform(*np.log(wide))))
    condition = str(rng.choice(CONDITIONS, p=(0.5, 0.2, 0.12, 0.18)))
    groups = rng.choice(list(GROUPS), 60, p=_OFTEN)
    return laid_out(design, groups, size, drawn_lens(condition, high, size, rng), rng)


def laid_out(
    design: str, groups: Iterable[str], size: tuple[int, int], lens: Lens, rng: np.random.Generator, most: int = 52
) -> Scene:
    """A table with as many of these groups as find room, so many cards at the most; chips, and now and then a hand."""
    image, view = felt(size, rng), drawn_view(size, rng)
    dealt_out = _dealt_out(groups, size, lens.high, view, rng)[:most]
    for card, corners, _ in dealt_out:
        dealt(image, design, card, corners)
    lid = _lid(image, lens.high, rng)
    seen = [how_seen(n, dealt_out, lid, lens, index_box(design)) for n in range(len(dealt_out))]
    laid = [Laid(card, corners, group, s) for (card, corners, group), s in zip(dealt_out, seen, strict=True)]
    return Scene(design, image, tuple(laid), lens)


def drawn_view(size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float64]:
    """A camera that hangs a little to one side."""
    flat = points([(0, 0), (size[0], 0), size, (0, size[1])])
    return opencv.homography(flat, points(flat + rng.normal(0, 0.03, (4, 2)) * size))


Lying = tuple[Card, Points, str]  # a card, its corners, its group's name


def _dealt_out(
    groups: Iterable[str], size: tuple[int, int], high: float, view: NDArray[np.float64], rng: np.random.Generator
) -> list[Lying]:
    """Groups of cards as many as find room, no card twice, all within the picture."""
    found: list[Lying] = []
    taken: list[tuple[NDArray[np.float64], float]] = []
    deck = iter(rng.permutation(np.array(DECK)))
    for name in groups:
        cards = GROUPS[name](high, rng)
        reach = float(max(np.hypot(*corner) for corners in cards for corner in corners)) + 0.08 * high
        middle = rng.uniform(0, size)
        if any(np.hypot(*(middle - there)) < reach + other for there, other in taken):
            continue
        turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.15)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        seen = [points(through(view, corners @ spin.T + middle)) for corners in cards]
        if any((corners < 3).any() or (corners > np.array(size) - 4).any() for corners in seen):
            continue
        taken.append((middle, reach))
        names = [next(deck, None) for _ in seen]
        found += [
            (Card(str(card)), corners, name) for card, corners in zip(names, seen, strict=True) if card is not None
        ]
    return found


def _lid(image: Image, high: float, rng: np.random.Generator) -> Image:
    """Chips, and now and then a hand, laid over the table in place; gives where they are."""
    lid = np.zeros(image.shape[:2], np.uint8)
    for _ in range(int(rng.integers(0, 7))):
        _chip(image, lid, rng.uniform(0, image.shape[1::-1]), 0.22 * high, rng)
    if rng.random() < 0.3:
        _hand(image, lid, high, rng)
    return lid


def _chip(image: Image, lid: Image, at: NDArray[np.float64], radius: float, rng: np.random.Generator) -> None:
    middle, ink = (float(at[0]), float(at[1])), tuple(int(v) for v in rng.uniform(0, 255, 3))
    opencv.draw_circle(lid, middle, radius + 1, (255,))
    opencv.draw_circle(image, middle, radius, ink)
    for turn in np.linspace(0, 2 * np.pi, 7)[:-1]:
        spot = at + 0.82 * radius * np.array([np.cos(turn), np.sin(turn)])
        opencv.draw_circle(image, (float(spot[0]), float(spot[1])), 0.17 * radius, (235, 235, 235))
    opencv.draw_circle(image, middle, 0.6 * radius, (240, 240, 240), max(1, round(0.06 * radius)))


def _hand(image: Image, lid: Image, high: float, rng: np.random.Generator) -> None:
    """An arm from the picture's rim, a palm and four fingers."""
    size = np.array(image.shape[1::-1])
    at = rng.uniform(0.15, 0.85, 2) * size
    start = np.array([at[0] + rng.normal(0, 0.2) * size[0], rng.choice([-high, size[1] + high])])
    way = (at - start) / np.hypot(*(at - start))
    across = np.array([-way[1], way[0]])
    skin = np.array(_SKINS[rng.integers(len(_SKINS))])
    parts = [_bar(start, at - 0.5 * high * way, 0.34 * high), _bar(at - 0.9 * high * way, at, 0.42 * high)]
    for n in range(4):
        root = at + (n - 1.5) * 0.19 * high * across
        parts.append(_bar(root - 0.1 * high * way, root + rng.uniform(0.5, 0.75) * high * way, 0.085 * high))
    for n, part in enumerate(parts):
        opencv.fill_polygon(lid, part, (255,))
        shade = skin * (0.86 if n % 2 else 1.0) + rng.normal(0, 4, 3)
        opencv.fill_polygon(image, part, tuple(int(v) for v in shade.clip(0, 255)))


def _bar(start: NDArray[np.float64], end: NDArray[np.float64], half: float) -> NDArray[np.float64]:
    """An outline about a line, round at both its ends."""
    angle = np.arctan2(*(end - start)[::-1])
    turns = np.linspace(-np.pi / 2, np.pi / 2, 9)
    caps = [m + half * np.stack([np.cos(angle + a + turns), np.sin(angle + a + turns)], axis=1)
            for m, a in ((end, 0.0), (start, np.pi))]  # fmt: skip
    return np.concatenate(caps)


def how_seen(n: int, dealt_out: list[Lying], lid: Image, lens: Lens, box: NDArray[np.float64]) -> Seen:
    """What can be seen of the card of that number; `lid`: what lies over all cards, `box`: of `index_box`."""
    corners = dealt_out[n][1]
    over = [other for _, other, _ in dealt_out[n + 1 :]]
    grown = points(corners.mean(axis=0) + _APART * (corners - corners.mean(axis=0)))
    unit = np.stack(np.meshgrid(np.linspace(0, 250, 26), np.linspace(0, 350, 36)), axis=-1).reshape(-1, 2)
    alone = not any(overlap(grown, other) for m, (_, other, _) in enumerate(dealt_out) if m != n)
    whole = [_is_whole(points_on(way, box), over, lid, lens) for way in (corners, np.roll(corners, -2, axis=0))]
    if alone and all(whole) and not _under(lid, points_on(grown, unit)).any():
        return Seen.isolated
    return Seen.fanned if any(whole) else Seen.hidden


def _is_whole(index: Points, over: list[Points], lid: Image, lens: Lens) -> bool:
    """Whether nothing covers an index corner, not even a lamp's reflection."""
    hidden = _under(lid, index) | (lens.washed(index) > _WASHED)
    for other in over:
        hidden |= within(other, index)
    return not hidden.any()


def _under(lid: Image, at: Points) -> NDArray[np.bool_]:
    x, y = np.round(at).astype(int).T
    high, wide = lid.shape
    return np.asarray(lid[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)] > 0, np.bool_)
