"""Playing-card faces drawn from type and simple shapes: decks without end, none of them a real one.

A face is BGR uint8 [504, 360, 3]. Lengths inside are of a card 250 wide and 350 high, as everywhere in the camera.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Image, points

RANKS = "23456789TJQKA"
SUITS = "cdhs"
WIDTH, HEIGHT = 360, 504
SCALE = WIDTH / 250  # pixels a unit

_THIRDS, _FOURTHS = (0.2, 0.5, 0.8), (0.2, 0.4, 0.6, 0.8)


def pip_places(rank: str, column: float) -> list[tuple[float, float]]:
    """Where the pips of a number card stand, as shares of width and height, with the outer column at `column`."""
    left, right = column, 1 - column
    rows = {"4": (0.2, 0.8), "5": (0.2, 0.8), "6": _THIRDS, "7": _THIRDS, "8": _THIRDS, "9": _FOURTHS, "T": _FOURTHS}
    places = [(x, y) for y in rows.get(rank, ()) for x in (left, right)]
    middle = {"2": (0.2, 0.8), "3": _THIRDS, "5": (0.5,), "7": (0.35,), "8": (0.35, 0.65), "9": (0.5,), "T": (0.3, 0.7)}
    return places + [(0.5, y) for y in middle.get(rank, ())]


def trimmed(mask: Image) -> Image:
    """A mask cut to what is inked."""
    ys, xs = np.nonzero(mask > 40)
    return mask if not len(ys) else mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def drawn_suit(suit: str, rng: np.random.Generator) -> Image:
    """A suit sign from simple curves, a little different each time: uint8 [h, w]."""
    canvas = np.zeros((240, 240), np.uint8)
    t = np.linspace(0, 2 * np.pi, 120)
    if suit == "d":
        bend, wide = rng.uniform(0.85, 1.25), rng.uniform(0.62, 0.95)
        c, s = np.cos(t), np.sin(t)
        x, y = np.sign(c) * np.abs(c) ** (2 * bend) * wide, np.sign(s) * np.abs(s) ** (2 * bend)
        opencv.fill_polygon(canvas, np.stack([120 + 100 * x, 120 + 100 * y], 1), (255,))
    elif suit == "c":
        radius, spread = rng.uniform(36, 46), rng.uniform(38, 50)
        for cx, cy in ((120, 70), (120 - spread, 132), (120 + spread, 132)):
            opencv.draw_circle(canvas, (cx, cy), radius, (255,))
        _stem(canvas, rng)
    else:
        power, dip = rng.uniform(2.4, 3.2), rng.uniform(4, 6.5)
        c = np.cos(t)
        x = 16 * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** power
        y = 13 * c - dip * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
        y = (y - y.min()) / (y.max() - y.min())
        wide = rng.uniform(82, 102)
        high = rng.uniform(170, 200) if suit == "h" else rng.uniform(140, 170)
        ys = 20 + high * ((1 - y) if suit == "h" else y)
        opencv.fill_polygon(canvas, np.stack([120 + wide * x / 16, ys], 1), (255,))
        if suit == "s":
            _stem(canvas, rng)
    return trimmed(canvas)


def _stem(canvas: Image, rng: np.random.Generator) -> None:
    foot, neck, base = rng.uniform(26, 50), rng.uniform(4, 12), rng.uniform(195, 225)
    rows = np.linspace(0, 1, 12)
    half = neck + (foot - neck) * rows ** rng.uniform(1.2, 3)
    ys = 120 + (base - 120) * rows
    outline = np.concatenate([np.stack([120 - half, ys], 1), np.stack([120 + half, ys], 1)[::-1]])
    opencv.fill_polygon(canvas, outline, (255,))


@dataclass(frozen=True)
class Layout:
    """Where a deck prints its indices and pips, in units of a card 250 × 350."""

    rank_high: float
    rank_wide: float  # the most a rank may be wide
    stretch: float  # a glyph's width over the font's own
    centre: float  # of the index column, from the left edge
    top: float
    suit_high: float
    gap: float  # between rank and suit
    pip: float  # a pip's height
    column: float  # the outer pip column, as a share of the width
    frame: tuple[float, float]  # a court's frame: from the left, from the top
    corners: int = 2  # how many corners carry an index: 2 or 4
    spread: float = 1.0  # how far the rows of pips stand from the middle, over the usual

    @staticmethod
    def drawn(rng: np.random.Generator) -> "Layout":
        """A layout at random; one in three has large indices, one in seven prints small ones far from the edges."""
        large, inward = rng.random() < 0.33, rng.random() < 0.14
        high = rng.uniform(44, 66) if large else rng.uniform(24, 46)
        wide = rng.uniform(34, 52) if large else rng.uniform(20, 36)
        centre = max(wide / 2 + rng.uniform(4, 9), rng.uniform(16, 26) if rng.random() < 0.6 else rng.uniform(24, 36))
        suit = high * (rng.uniform(0.5, 0.85) if rng.random() < 0.7 else rng.uniform(0.4, 1.1))
        room = max(8.0, (145 if large or inward else 112) - high - suit - 8)
        top = min(rng.uniform(8, 20) if rng.random() < 0.6 else rng.uniform(16, 62), room)
        if inward and not large:
            centre, top = rng.uniform(24, 40), min(rng.uniform(30, 66), room)
        column = rng.uniform(0.29, 0.37) if large else rng.uniform(0.25, 0.36)
        frame = (max(0.1, (centre + wide / 2 + rng.uniform(-5, 12)) / 250), rng.uniform(0.03, 0.13))
        corners = 4 if rng.random() < 0.12 else 2
        return Layout(high, wide, rng.uniform(0.5, 1.1), centre, top, suit, rng.uniform(3, 10), rng.uniform(38, 66), column,
                      frame, corners)  # fmt: skip


@dataclass(frozen=True)
class Deck:
    """One design: its glyphs, its colours, its layout, and the figures on its courts (BGR pictures)."""

    ranks: dict[str, Image]
    suits: dict[str, Image]
    colours: dict[str, tuple[int, int, int]]
    layout: Layout
    figures: dict[str, Image]
    paper: tuple[int, int, int] = (255, 255, 255)
    frame_line: tuple[int, int, int] | None = None
    extra: dict[str, Image] = field(default_factory=dict)  # glyphs that are no rank: B, D, 0 …

    def index_boxes(self, rank: str, suit: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Where rank and suit of the top left index stand: two boxes left, top, right, bottom, in units."""
        place = self.layout
        mask = self.ranks.get(rank, self.extra.get(rank))
        assert mask is not None
        wide = min(place.rank_wide, place.rank_high * mask.shape[1] / mask.shape[0] * place.stretch)
        sign = self.suits[suit]
        sign_wide = min(place.suit_high * sign.shape[1] / sign.shape[0], 2 * place.centre - 4)
        low = place.top + place.rank_high
        rank_box = (place.centre - wide / 2, place.top, place.centre + wide / 2, low)
        suit_box = (
            place.centre - sign_wide / 2,
            low + place.gap,
            place.centre + sign_wide / 2,
            low + place.gap + place.suit_high,
        )
        return points(rank_box), points(suit_box)

    def face(self, rank: str, suit: str) -> Image:
        """The card's face; a rank that is none of the thirteen is drawn as a court with that letter."""
        half = np.empty((HEIGHT, WIDTH, 3), np.uint8)
        half[:] = self.paper
        if rank in RANKS[:9] + "A":
            self._pips(half, rank, suit)
        else:
            self._court(half, rank, suit)
        self._index(half, rank, suit)
        half = np.ascontiguousarray(half[::-1, ::-1])
        self._index(half, rank, suit)
        return half

    def _index(self, face: Image, rank: str, suit: str) -> None:
        mask = self.ranks[rank] if rank in self.ranks else self.extra[rank]
        for box, ink in zip(self.index_boxes(rank, suit), (mask, self.suits[suit]), strict=True):
            _stamp(face, ink, tuple(box), self.colours[suit])
            if self.layout.corners == 4:
                _stamp(face, ink, (250 - box[2], box[1], 250 - box[0], box[3]), self.colours[suit])

    def pip_boxes(self, rank: str, suit: str) -> list[tuple[float, float, float, float]]:
        """Where the pips of a number card or an ace stand: boxes left, top, right, bottom, in units."""
        high = self.layout.pip * (1.6 if rank == "A" else 0.85 if rank in "9T" else 1)
        wide = high if rank == "A" else min(high, high * self.suits[suit].shape[1] / self.suits[suit].shape[0])
        places = [(0.5, 0.5)] if rank == "A" else pip_places(rank, self.layout.column)
        middles = [(250 * x, 350 * (0.5 + (y - 0.5) * self.layout.spread)) for x, y in places]
        return [(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2) for x, y in middles]

    def _pips(self, face: Image, rank: str, suit: str) -> None:
        for box in self.pip_boxes(rank, suit):
            ink = self.suits[suit] if box[1] + box[3] <= HEIGHT / SCALE else self.suits[suit][::-1]
            _stamp(face, ink, box, self.colours[suit])

    def _court(self, face: Image, rank: str, suit: str) -> None:
        left, top = round(self.layout.frame[0] * WIDTH), round(self.layout.frame[1] * HEIGHT)
        figure = self.figures.get(f"{rank}{suit}")
        if figure is None:
            figure = next(iter(self.figures.values()))
        face[top : HEIGHT - top, left : WIDTH - left] = opencv.resize(figure, WIDTH - 2 * left, HEIGHT - 2 * top)
        if self.frame_line:
            opencv.draw_rectangle(face, (left, top, WIDTH - left, HEIGHT - top), self.frame_line, 2)
        high = self.layout.pip * 0.9
        x, y = left / SCALE + 4, top / SCALE + 4
        for ink, box in ((self.suits[suit], (x, y, x + high, y + high)),
                         (self.suits[suit][::-1], (250 - x - high, 350 - y - high, 250 - x, 350 - y))):  # fmt: skip
            _stamp(face, ink, box, self.colours[suit])


def _stamp(face: Image, ink: Image, box: tuple[float, ...], colour: tuple[int, int, int]) -> None:
    """Print a mask into a box (units) of a face, in place."""
    left, top, right, bottom = (round(v * SCALE) for v in box)
    wide, high = max(1, right - left), max(1, bottom - top)
    left, top = max(0, min(left, WIDTH - wide)), max(0, min(top, HEIGHT - high))
    share = opencv.resize(np.ascontiguousarray(ink), wide, high)[:, :, None].astype(np.float32) / 255
    part = face[top : top + high, left : left + wide]
    part[:] = (part * (1 - share) + points(colour) * share).astype(np.uint8)
