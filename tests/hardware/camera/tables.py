"""Drawn tables: cards of decks no training saw, in perspective on felt, as a camera over a table would show them."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from dealer_assist.game.cards import DECK, Card
from hardware.camera import opencv
from hardware.camera.opencv import Image, Points, points
from hardware.camera.training.faces import HEIGHT, RANKS, SUITS, WIDTH
from hardware.camera.training.photographs import lay, placed, table, through_a_lens

DESIGNS = ("garamond", "park", "vollkorn", "bebas")
SIZES = ((1280, 720), (1920, 1080), (960, 720))
_SHEETS = Path(__file__).parent / "decks"


@cache
def sheet(design: str) -> Image:
    image = opencv.read_image(_SHEETS / f"{design}.png")
    assert image is not None
    return image


def face(design: str, card: Card) -> Image:
    """The card's face, BGR."""
    cards = sheet(design)
    high, wide = cards.shape[0] // 4, cards.shape[1] // 13
    row, column = SUITS.index(card[1]), RANKS.index(card[0])
    cut = cards[row * high : (row + 1) * high, column * wide : (column + 1) * wide]
    return opencv.resize(np.ascontiguousarray(cut), WIDTH, HEIGHT)


@dataclass(frozen=True)
class IndexBox:
    """Where a design prints its indices, in units: the column's middle, and the rank's and the whole index's rows."""

    middle: float
    top: float
    rank_low: float
    low: float


@cache
def index_of(design: str) -> IndexBox:
    """Told from an ace, beside whose index nothing is printed."""
    ink = opencv.resize(face(design, Card("As")), 250, 350)[:130, :62].max(axis=2) < 128
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    gap = int(np.flatnonzero(np.diff(rows) > 1)[0])
    return IndexBox((columns[0] + columns[-1] + 1) / 2, float(rows[0]), float(rows[gap] + 1), float(rows[-1] + 1))


@dataclass(frozen=True)
class Table:
    """A picture of a table and the cards whose index can be seen in it."""

    image: Image
    cards: tuple[Card, ...]


def felt(size: tuple[int, int], rng: np.random.Generator) -> Image:
    """An empty table top; never white."""
    cloth = table(size[1], size[0], rng)
    return np.ascontiguousarray((cloth * min(1.0, 130 / max(1.0, float(cloth.mean())))).astype(np.uint8))


def shadowed(image: Image, corners: Points) -> None:
    """The shadow of a card's thickness, that parts it from the card beneath, in place."""
    mask = np.zeros(image.shape[:2], np.uint8)
    opencv.fill_polygon(mask, corners + 1.0, (255,))
    image[:] = (image * (1 - 0.45 * (opencv.blurred(mask, 1.3)[:, :, None] / 255))).astype(np.uint8)


def put(image: Image, picture: Image, corners: Points) -> None:
    """Lay a picture of a card's shape on the table, in place."""
    high, wide = image.shape[:2]
    left, top, right, bottom = opencv.bounds(corners)
    about = (
        slice(max(0, top - 8), max(0, min(high, bottom + 8))),
        slice(max(0, left - 8), max(0, min(wide, right + 8))),
    )
    part = image[about]
    if part.size:
        here = points(corners - np.array([about[1].start, about[0].start]))
        shadowed(part, here)
        lay(part, picture, here, 0.045)


def dealt(image: Image, design: str, card: Card, corners: Points) -> None:
    """Lay a card on the table, in place."""
    put(image, face(design, card), corners)


def spread(design: str, count: int, size: tuple[int, int], rng: np.random.Generator) -> Table:
    """Cards that lie apart."""
    image = felt(size, rng)
    cards = tuple(Card(c) for c in rng.choice(np.array(DECK), count, replace=False))
    columns = 4
    rows = -(-count // columns)
    cell = np.array([size[0] / columns, size[1] / max(2, rows)])
    high = 0.74 * float(cell.min())
    for n, card in enumerate(cards):
        middle = (np.array([n % columns, n // columns]) + 0.5) * cell + rng.normal(0, 0.02 * high, 2)
        corners = placed(high, rng.uniform(1.38, 1.55), rng.uniform(0, 2 * np.pi), rng.normal(0, 0.012, (4, 2)))
        dealt(image, design, card, points(corners + middle))
    return Table(through_a_lens(image, high, rng), cards)


def fan(design: str, size: tuple[int, int], rng: np.random.Generator) -> Table:
    """A hand of five, fanned: each card covers the one before but for its left edge, and two single cards beside."""
    image = felt(size, rng)
    cards = [Card(c) for c in rng.choice(np.array(DECK), 7, replace=False)]
    high = 0.34 * min(size)
    pivot = np.array([size[0] * 0.34, size[1] * 0.9])
    for n, card in enumerate(cards[:5]):
        angle = np.deg2rad(-26 + 13 * n)
        middle = pivot + 1.25 * high * np.array([np.sin(angle), -np.cos(angle)])
        dealt(image, design, card, points(placed(high, 1.4, float(angle), np.zeros((4, 2))) + middle))
    for n, card in enumerate(cards[5:]):
        corners = placed(high, 1.4, rng.uniform(-0.4, 0.4), rng.normal(0, 0.01, (4, 2)))
        dealt(image, design, card, points(corners + np.array([size[0] * (0.68 + 0.2 * n), size[1] * 0.4])))
    return Table(through_a_lens(image, high, rng), tuple(cards))
