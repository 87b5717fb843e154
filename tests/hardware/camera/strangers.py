"""What lies on a table, or is held over it, and is no card of the deck: none of it may be read as one."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.opencv import Image, points
from hardware.camera.training.faces import HEIGHT, WIDTH
from hardware.camera.training.photographs import placed
from hardware.camera.zones import through
from tests.hardware.camera.scenes import CONDITIONS, drawn_lens, drawn_view
from tests.hardware.camera.tables import DESIGNS, face, felt, index_of, put

SIZE: Final = (1280, 720)
FOREIGN: Final = "BDVHN"  # what other languages' courts bear
_WHITE: Final = (250, 250, 250)

Picture = Callable[[np.random.Generator], Image]
"""A picture of a card's shape, BGR [504, 360, 3]."""


# --- letters ---

_STROKES: Final[dict[str, tuple[tuple[tuple[float, float], ...], ...]]] = {  # in a square of side 1, y down
    "B": (((0.1, 0), (0.1, 1)), ((0.1, 0), (0.6, 0), (0.8, 0.12), (0.8, 0.35), (0.6, 0.47), (0.1, 0.47)),
          ((0.6, 0.47), (0.9, 0.6), (0.9, 0.87), (0.65, 1), (0.1, 1))),
    "D": (((0.1, 0), (0.1, 1)), ((0.1, 0), (0.5, 0), (0.8, 0.2), (0.88, 0.5), (0.8, 0.8), (0.5, 1), (0.1, 1))),
    "V": (((0, 0), (0.5, 1), (1, 0)),),
    "R": (((0.1, 0), (0.1, 1)), ((0.1, 0), (0.65, 0), (0.85, 0.13), (0.85, 0.38), (0.65, 0.5), (0.1, 0.5)),
          ((0.5, 0.5), (0.95, 1))),
    "H": (((0.1, 0), (0.1, 1)), ((0.9, 0), (0.9, 1)), ((0.1, 0.5), (0.9, 0.5))),
    "N": (((0.1, 1), (0.1, 0), (0.9, 1), (0.9, 0)),),
    "J": (((0.75, 0), (0.75, 0.75), (0.6, 0.97), (0.35, 0.97), (0.15, 0.8)),),
    "O": (((0.5, 0), (0.85, 0.2), (0.92, 0.5), (0.85, 0.8), (0.5, 1), (0.15, 0.8), (0.08, 0.5), (0.15, 0.2), (0.5, 0)),),
    "K": (((0.1, 0), (0.1, 1)), ((0.85, 0), (0.1, 0.62)), ((0.35, 0.4), (0.9, 1))),
    "E": (((0.85, 0), (0.1, 0), (0.1, 1), (0.85, 1)), ((0.1, 0.48), (0.7, 0.48))),
}  # fmt: skip


def letter(which: str, wide: float, high: float, weight: float) -> Image:
    """A letter's ink: uint8 [high, wide], its strokes so many pixels thick."""
    canvas = np.zeros((round(high), round(wide)), np.uint8)
    for stroke in _STROKES[which]:
        at = np.array(stroke) * (wide - weight, high - weight) + weight / 2
        for start, end in pairwise(at):
            for share in np.linspace(0, 1, 40):
                x, y = start + share * (end - start)
                opencv.draw_circle(canvas, (float(x), float(y)), weight / 2, (255,))
    return canvas


def print_on(picture: Image, ink: Image, at: tuple[float, float], colour: tuple[int, ...]) -> None:
    """Print a mask on a picture, its left top there, in place."""
    x, y = round(at[0]), round(at[1])
    part = picture[y : y + ink.shape[0], x : x + ink.shape[1]]
    share = ink[: part.shape[0], : part.shape[1], None].astype(np.float32) / 255
    part[:] = (part * (1 - share) + points(colour) * share).astype(np.uint8)


# --- cards of no English deck ---


def foreign_court(rng: np.random.Generator, letters: str = FOREIGN) -> Image:
    """A court that bears another language's letter: of a deck that no training saw, in that deck's layout and ink."""
    design, suit = str(rng.choice(DESIGNS)), str(rng.choice(list("cdhs")))
    picture = face(design, Card(str(rng.choice(list("JQK"))) + suit)).copy()
    box, scale = index_of(design), WIDTH / 250
    column, top, low = box.middle * scale, box.top * scale, box.rank_low * scale
    wide, high = 2 * column * rng.uniform(0.55, 0.75), low - top
    ink = letter(str(rng.choice(list(letters))), wide, high, high * rng.uniform(0.1, 0.2))
    colour = (40, 30, 200) if suit in "dh" else (20, 20, 20)
    for _ in range(2):
        for turn in (1, -1) if design == "bebas" else (1,):  # that design has four indices
            side = picture if turn == 1 else picture[:, ::-1]
            side[max(0, round(top) - 3) : round(low) + 3, 4 : round(2 * column) - 2] = 255
            print_on(side, ink[:, ::turn], (column - wide / 2, top), colour)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    return picture


def joker(rng: np.random.Generator) -> Image:
    """A joker: its letters one under the other, and a fool."""
    picture = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    colour = (20, 20, 20) if rng.random() < 0.5 else (40, 30, 200)
    high, every = rng.uniform(24, 44), rng.uniform(1.05, 1.3)
    for _ in range(2):
        for n, which in enumerate("JOKER"):
            print_on(picture, letter(which, 0.7 * high, high, 0.16 * high), (14, 16 + n * every * high), colour)
        picture = np.ascontiguousarray(picture[::-1, ::-1])
    for turn in np.linspace(0, 2 * np.pi, 9)[:-1] if rng.random() < 0.5 else ():
        opencv.draw_circle(picture, (180 + 70 * np.cos(turn), 252 + 70 * np.sin(turn)), 26, (40, 180, 220))
    opencv.draw_circle(picture, (180, 252), rng.uniform(40, 90), (60, 140, 60))
    return picture


def back(rng: np.random.Generator) -> Image:
    """A card's back: stripes, a trellis or dots, mostly within a white rim."""
    kind, step = int(rng.integers(3)), float(rng.uniform(9, 40))
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    waves = [np.sin(x * np.pi / step), np.sin((x + y) * np.pi / step) * np.sin((x - y) * np.pi / step),
             np.sin(x * np.pi / step) * np.sin(y * np.pi / step)]  # fmt: skip
    share = (waves[kind] > rng.uniform(-0.2, 0.4))[:, :, None]
    picture = np.where(share, rng.uniform(150, 255, 3), rng.uniform(0, 160, 3)).astype(np.uint8)
    rim = int(rng.integers(8, 34)) if rng.random() < 0.75 else 0
    if rim:
        picture[:rim], picture[-rim:], picture[:, :rim], picture[:, -rim:] = 255, 255, 255, 255
    return picture


# --- other things ---


def phone(rng: np.random.Generator) -> Image:
    """A telephone that shines: rows of icons, a clock, a notice with rounded corners that might be a card."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = _WHITE if rng.random() < 0.5 else rng.uniform(0, 255, 3).astype(np.uint8)
    opencv.draw_words(picture, f"{rng.integers(1, 24)}:{rng.integers(10, 60)}", (70, 34), 26, (20, 20, 20))
    for n in range(20):
        left, top = 22 + 84 * (n % 4), 280 + 44 * (n // 4)
        opencv.draw_rectangle(picture, (left, top, left + 34, top + 30), tuple(int(v) for v in rng.uniform(0, 255, 3)))
    left, top, wide = 40, 80, int(rng.integers(90, 180))
    opencv.draw_rectangle(picture, (left, top, left + wide, top + 170), (255, 255, 255))
    for corner in ((left, top), (left + wide, top)):
        words = str(rng.choice(list("3579"))) if rng.random() < 0.5 else "NEW"
        opencv.draw_words(picture, words, (corner[0] + (16 if corner[0] == left else -16), top + 24), 20, (30, 30, 200))
    opencv.draw_circle(picture, (left + wide / 2, top + 95), 30, (60, 60, 220))
    opencv.draw_rectangle(picture, (0, 0, WIDTH - 1, HEIGHT - 1), (15, 15, 15), 16)
    return picture


def note(rng: np.random.Generator) -> Image:
    """A slip of paper of a card's size, with lines of writing."""
    picture = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    for n in range(int(rng.integers(2, 9))):
        words = str(rng.integers(10, 10 ** int(rng.integers(2, 7))))
        opencv.draw_words(picture, words, (rng.uniform(90, 250), 40 + 50 * n), rng.uniform(14, 30), (90, 40, 30))
    return picture


def chips(image: Image, rng: np.random.Generator) -> None:
    """Chips with their values, alone and in stacks, in place."""
    for _ in range(int(rng.integers(6, 20))):
        at, radius = rng.uniform((0, 0), SIZE), rng.uniform(18, 60)
        stack = [(float(at[0]), float(at[1] - 0.14 * radius * n)) for n in range(int(rng.integers(1, 5)))]
        for middle in stack:
            opencv.draw_circle(image, middle, radius, tuple(int(v) for v in rng.uniform(0, 255, 3)))
            opencv.draw_circle(image, middle, 0.7 * radius, (245, 245, 245))
        value = str(rng.choice(["1", "2", "5", "10", "25", "100", "500", "A", "K"]))
        opencv.draw_words(image, value, stack[-1], 0.5 * radius, (20, 20, 180) if rng.random() < 0.5 else (20, 20, 20))


def faces(image: Image, rng: np.random.Generator) -> None:
    """People who bend over the table: skin, eyes, a mouth, a white collar, in place."""
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.uniform((150, 120), (SIZE[0] - 150, SIZE[1] - 120))
        size, skin = rng.uniform(60, 150), np.array([125, 155, 215]) * rng.uniform(0.3, 1.1)
        collar = np.array([(x - size, y + 1.1 * size), (x + size, y + 1.1 * size), (x + 0.7 * size, y + 2.4 * size),
                           (x - 0.7 * size, y + 2.4 * size)])  # fmt: skip
        opencv.fill_polygon(image, collar, (240, 240, 240))
        turns = np.linspace(0, 2 * np.pi, 40)
        oval = np.stack([x + 0.8 * size * np.cos(turns), y + 1.1 * size * np.sin(turns)], axis=1)
        opencv.fill_polygon(image, oval, tuple(int(v) for v in skin))
        for side in (-1, 1):
            eye = (x + side * 0.32 * size, y - 0.2 * size)
            opencv.draw_circle(image, eye, 0.14 * size, (245, 245, 245))
            opencv.draw_circle(image, eye, 0.06 * size, (20, 20, 20))
        mouth = (round(x - 0.3 * size), round(y + 0.5 * size), round(x + 0.3 * size), round(y + 0.58 * size))
        opencv.draw_rectangle(image, mouth, (60, 60, 170))


def felt_print(image: Image, rng: np.random.Generator) -> None:
    """What is printed on a table's cloth: circles, boxes, words, in place."""
    ink = tuple(int(v) for v in rng.uniform(170, 250, 3))
    for word in rng.permutation(["ANTE", "RAISE", "JACKPOT", "A K Q J 10", "5+1", "BONUS", "2 to 1", "7 : 1"]):
        x, y = rng.uniform((120, 80), (SIZE[0] - 120, SIZE[1] - 80))
        opencv.draw_words(image, str(word), (x, y), rng.uniform(16, 40), ink)
        if rng.random() < 0.5:
            opencv.draw_circle(image, (x, y), 70, ink, 4)
        else:
            opencv.draw_rectangle(image, (round(x - 60), round(y - 84), round(x + 60), round(y + 84)), ink, 4)


# --- pictures of them ---

LAID: Final[dict[str, Picture]] = {
    "foreign courts": foreign_court,
    "French kings": partial(foreign_court, letters="R"),  # of all foreign letters the one most like an English one
    "jokers": joker,
    "backs": back,
    "telephones": phone,
    "notes": note,
}
_ROUND: Final = {"chips": chips, "faces": faces, "print on the cloth": felt_print}
_LEVELS: Final = {"dark": 3, "white-out": 255}
KINDS: Final = (*LAID, *_ROUND, "cloth", *_LEVELS)


def picture(kind: str, rng: np.random.Generator) -> tuple[Image, float]:
    """A camera's picture of a table with things of a kind, and no card of the deck; and how high a card would be, in pixels."""
    high = float(rng.uniform(100, 260))
    lens = drawn_lens(str(rng.choice(CONDITIONS)), high, SIZE, rng)
    level = _LEVELS.get(kind)
    image = felt(SIZE, rng) if level is None else np.full((SIZE[1], SIZE[0], 3), level, np.uint8)
    if kind in _ROUND:
        _ROUND[kind](image, rng)
    if kind in LAID:
        view = drawn_view(SIZE, rng)
        for middle in _middles(high, rng):
            corners = placed(high, 1.4, rng.uniform(0, 2 * np.pi), np.zeros((4, 2))) + middle
            put(image, LAID[kind](rng), points(through(view, corners)))
    return lens.exposed(image, rng, moved=lens.condition == "motion"), high


def _middles(high: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Places on a grid, for things so high, each a little off; now and then they lie over one another."""
    every = high * rng.choice([0.8, 1.35])
    x, y = (np.arange(0.75 * high, side - 0.7 * high, every) for side in SIZE)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return np.asarray(rng.permutation(grid)[:14] + rng.normal(0, 0.04 * every, (min(14, len(grid)), 2)))
