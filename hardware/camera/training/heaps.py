"""Tables that never were: cards in fans, rows, heaps and apart, seen from above, and where on them an index can be seen.

They teach the finder, at the size at which it looks, and the index reader what it will be shown of cards that lie so.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.crops import WINDOW, Pyramid, nudged, points_on, turned
from hardware.camera.finder import CELL, NOMINAL
from hardware.camera.opencv import Image, Points, points
from hardware.camera.training.decks import NO_RANKS, Supply, back
from hardware.camera.training.faces import RANKS, SUITS, Deck
from hardware.camera.training.photographs import (
    NO_RANK,
    NO_SUIT,
    NOT_TOLD,
    Printed,
    Sample,
    cast_shadow,
    lay,
    of_index,
    on_a_grid,
    placed,
    table,
    through_a_lens,
)

SIDE: Final = 256  # pixels of a picture's side
GRID: Final = SIDE // CELL
_WIDE: Final = (46.0, 90.0)  # of a card, in pixels
_TARGET: Final = 0.07  # of a card's width about an index's middle: cells that must find it
_DONT_CARE: Final = 0.16  # and those that may
_WHOLE, _GONE = 0.97, 0.35  # shares of rank and suit that can be seen: an index from there up, none from there down
_KINDS: Final = ("index?", "index", "across", "down", "right", "low", "size")
"""The planes of what is to be learnt: whether a cell counts, whether an index is there, the way to the card's corner (cells),
the card's down direction (x, y), and the logarithm of its width over the nominal one."""
PLANES: Final = len(_KINDS)

Boxes = tuple[NDArray[np.float32], NDArray[np.float32]]
Lesson = tuple[Image, NDArray[np.float16]]


@dataclass(frozen=True)
class Face:
    """A picture of a card, its rank and suit, the boxes of both in its index (None: a back)."""

    image: Image
    rank: str = ""
    suit: str = ""
    boxes: Boxes | None = None


@dataclass(frozen=True)
class Scene:
    """A picture of a table, what lies on it, the lower first, and whose each pixel is (negative: no card's)."""

    image: Image
    laid: list[tuple[Face, Points]]
    owner: NDArray[np.int16]

    def indices(self) -> Iterator[tuple[Face, Boxes, Points, list[float]]]:
        """Every index: its face and boxes, the card's corners from there on, the shares of rank and suit to be seen."""
        for n, (face, corners) in enumerate(self.laid):
            if face.boxes is not None:
                for way in (corners, turned(corners)):
                    yield face, face.boxes, way, [_seen_share(way, box, self.owner == n) for box in face.boxes]


def lessons(seed: int, count: int, supply: Supply) -> list[Lesson]:
    """For the finder: pictures, BGR [256, 256, 3], each with what is to be learnt of it, [64, 64, 7] (see `PLANES`)."""
    rng = np.random.default_rng(seed)
    scenes = _scenes(count, lambda: (SIDE, float(np.exp(rng.uniform(*np.log(_WIDE))))), supply, rng)
    return [(scene.image, lesson_of(scene)) for scene in scenes]


def samples_in_heaps(seed: int, count: int, supply: Supply) -> list[Sample]:
    """For the index reader: what it would be shown of so many tables."""
    rng = np.random.default_rng(seed)
    found: list[Sample] = []
    for scene in _scenes(count, lambda: _near_or_far(rng), supply, rng):
        pyramid = Pyramid(scene.image)
        middles: list[NDArray[np.floating]] = []
        for face, boxes, corners, shares in scene.indices():
            middles.append(points_on(corners, _middle(*boxes)[None])[0])
            if max(shares) > _GONE or rng.random() < 0.15:
                index = Printed(face.rank, face.suit, boxes, corners, [1 - share for share in shares])
                told = (of_index(pyramid, _told(corners, rng), index, rng) for _ in range(2))
                found += [sample for sample in told if sample is not None]
        found += _no_indices(scene, pyramid, middles, rng)
    return found


def _near_or_far(rng: np.random.Generator) -> tuple[int, float]:
    wide = float(np.exp(rng.uniform(np.log(46), np.log(160))))
    return round(3.4 * wide), wide


def _scenes(
    count: int, drawn: Callable[[], tuple[int, float]], supply: Supply, rng: np.random.Generator
) -> Iterator[Scene]:
    """Tables, a dozen with one deck; `drawn` gives a picture's side and a card's width."""
    for first in range(0, count, 12):
        faces = _faces(supply, rng)
        for _ in range(min(12, count - first)):
            yield _scene(faces, *drawn(), rng)


def _faces(supply: Supply, rng: np.random.Generator) -> list[Face]:
    """A handful of cards of one deck, and a back now and then."""
    deck = supply.deck(rng)
    ranks = [*(str(rng.choice(list(RANKS))) for _ in range(14)), str(rng.choice(list(NO_RANKS)))]
    faces = [_face(deck, rank, str(rng.choice(list(SUITS)))) for rank in ranks]
    return [*faces, Face(back(rng))] if rng.random() < 0.5 else faces


def _face(deck: Deck, rank: str, suit: str) -> Face:
    return Face(deck.face(rank, suit), rank, suit, deck.index_boxes(rank, suit))


def _scene(faces: list[Face], side: int, wide: float, rng: np.random.Generator) -> Scene:
    high, rounding = wide * rng.uniform(1.36, 1.58), rng.uniform(0.03, 0.07)
    image = table(side, side, rng)
    owner = np.full((side, side), -1, np.int16)
    laid: list[tuple[Face, Points]] = []
    tilt = rng.normal(0, rng.choice([0.004, 0.02]), (4, 2))
    for _ in range(int(rng.integers(1, 5))):
        middle, turn = rng.uniform(-0.05 * side, 1.05 * side, 2), rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        for angle, away in _GROUPS[rng.choice(len(_GROUPS), p=_OFTEN)](rng):
            corners = points((placed(high, high / wide, angle, tilt) + high * away) @ spin.T + middle)
            face = faces[rng.integers(len(faces))]
            cast_shadow(image, corners, high, rng)
            owner[lay(image, face.image, corners, rounding) > 128] = len(laid)
            laid.append((face, corners))
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.4 else 0):
        _lid(image, owner, high, rng)
    return Scene(through_a_lens(image, high, rng), laid, owner)


Lying = list[tuple[float, NDArray[np.floating]]]
Group = Callable[[np.random.Generator], Lying]
"""The turns of a group's cards and their places about nought, in card heights, the lower ones first."""


def _fan(rng: np.random.Generator) -> Lying:
    count = int(rng.integers(2, 8))
    step, radius = np.deg2rad(rng.uniform(4, 16)), rng.uniform(0.8, 1.9)
    angles = step * (np.arange(count) - count // 2) + rng.normal(0, 0.03, count)
    slips = rng.normal(0, 0.015, (count, 2))
    return [
        (a, np.array([radius * np.sin(a), radius * (1 - np.cos(a))]) + s) for a, s in zip(angles, slips, strict=True)
    ]


def _row(rng: np.random.Generator) -> Lying:
    """Side by side, over one another from left or right, or each a little lower."""
    way, drop = rng.choice([-1, 1], p=[0.3, 0.7]), rng.choice([0.0, rng.uniform(-0.35, 0.35)])
    return _in_line(np.array([way * rng.uniform(0.11, 0.74), drop]), rng)


def _column(rng: np.random.Generator) -> Lying:
    return _in_line(np.array([0.0, rng.uniform(0.12, 0.6)]), rng)


def _in_line(step: NDArray[np.floating], rng: np.random.Generator) -> Lying:
    count = int(rng.integers(2, 7))
    return [(rng.normal(0, 0.03), step * (n - count / 2) + rng.normal(0, 0.02, 2)) for n in range(count)]


def _heap(rng: np.random.Generator) -> Lying:
    spread = rng.uniform(0.15, 0.5)
    return [(rng.uniform(0, 2 * np.pi), rng.normal(0, spread, 2)) for _ in range(rng.integers(2, 8))]


def _single(rng: np.random.Generator) -> Lying:
    return [(0.0, rng.normal(0, 0.01, 2))]


_GROUPS: Final[tuple[Group, ...]] = (_fan, _row, _column, _heap, _single)
_OFTEN: Final = (0.3, 0.2, 0.08, 0.27, 0.15)


def _lid(image: Image, owner: NDArray[np.int16], high: float, rng: np.random.Generator) -> None:
    """A chip or a finger over the cards, in place."""
    ink = tuple(int(v) for v in rng.uniform(0, 255, 3))
    at, size = rng.uniform(0, len(image), 2), rng.uniform(0.1, 0.25) * high
    mask = np.zeros(image.shape[:2], np.uint8)
    if rng.random() < 0.6:
        middle = (float(at[0]), float(at[1]))
        opencv.draw_circle(mask, middle, size, (255,))
        opencv.draw_circle(image, middle, size, ink)
        opencv.draw_circle(image, middle, 0.6 * size, (235, 235, 235), max(1, round(0.1 * size)))
    else:
        way = rng.uniform(0, 2 * np.pi)
        end = at + 4 * high * np.array([np.cos(way), np.sin(way)])
        side = 0.5 * size * np.array([-np.sin(way), np.cos(way)])
        outline = np.array([at + side, at - side, end - side, end + side])
        opencv.fill_polygon(mask, outline, (255,))
        opencv.fill_polygon(image, outline, ink)
    owner[mask > 128] = -2


def _told(corners: Points, rng: np.random.Generator) -> Points:
    """The card as the finder tells it by one corner: a little off, turned, larger or smaller; now and then by much."""
    far = 2.0 if rng.random() < 0.3 else 1.0
    size = rng.normal(1, 0.06 * far) * rng.normal(1, 0.03, 2)
    turn, (across, down) = float(np.deg2rad(rng.normal(0, 3.5 * far))), rng.normal(0, 5 * far, 2)
    return nudged(corners, turn, (across, down), (size[0], size[1]))


def _no_indices(
    scene: Scene, pyramid: Pyramid, middles: list[NDArray[np.floating]], rng: np.random.Generator
) -> Iterator[Sample]:
    """Windows on cards that show no index, or one that lies on its side."""
    there = np.argwhere(scene.owner >= 0)
    if not scene.laid or not len(there):
        return
    wide = _width(scene.laid[0][1])
    for _ in range(4):
        middle, way = there[rng.integers(len(there)), ::-1], rng.uniform(0, 2 * np.pi)
        if middles and rng.random() < 0.4:
            nearest = min(
                range(len(scene.laid)), key=lambda n: float(np.hypot(*(scene.laid[n][1].mean(axis=0) - middle)))
            )
            edge = scene.laid[nearest][1][1] - scene.laid[nearest][1][0]
            way = float(np.arctan2(edge[1], edge[0])) + np.pi / 2 * rng.integers(4)
        apart = min((float(np.hypot(*(m - middle))) for m in middles), default=wide)
        if apart > 0.32 * wide:
            corners = placed(1.4 * wide, 1.4, way, np.zeros((4, 2)))
            shift = middle - points_on(corners, np.array([(WINDOW[0] / 2, WINDOW[1] / 2)]))[0]
            yield pyramid.index(points(corners + shift)), NO_RANK, NO_SUIT, NOT_TOLD


def lesson_of(scene: Scene) -> NDArray[np.float16]:
    """What is to be learnt of a picture, cell by cell.

    The indices at the right of a four-cornered deck's cards are none: a card placed by them would lie beside itself.
    """
    planes = np.zeros((GRID, GRID, PLANES), np.float32)
    planes[..., 0] = 1
    cells = np.stack(np.meshgrid(np.arange(GRID), np.arange(GRID)), axis=-1) * CELL + (CELL - 1) / 2
    for _, boxes, corners, shares in scene.indices():
        if max(shares) > _GONE:
            _teach(planes, cells, corners, _middle(*boxes), whole=min(shares) >= _WHOLE)
    return planes.astype(np.float16)


def _teach(planes: NDArray[np.float32], cells: NDArray[np.floating], corners: Points, index: NDArray[np.floating], *,
           whole: bool) -> None:  # fmt: skip
    """One index, whose middle is at those units: to be found where it is whole, else to be found or not."""
    wide = _width(corners)
    away = np.hypot(*np.moveaxis(cells - points_on(corners, index[None])[0], -1, 0))
    planes[(away < _DONT_CARE * wide) & (planes[..., 1] == 0), 0] = 0
    if whole:
        near = away < max(_TARGET * wide, 0.75 * CELL)
        planes[near, 0] = planes[near, 1] = 1
        planes[near, 2:4] = (corners[0] - cells[near]) / CELL
        planes[near, 4:6] = (corners[3] - corners[0]) / np.hypot(*(corners[3] - corners[0]))
        planes[near, 6] = np.log(wide / NOMINAL)


def _width(corners: Points) -> float:
    return float(np.hypot(*(corners[1] - corners[0])) + np.hypot(*(corners[2] - corners[3]))) / 2


def _middle(rank: NDArray[np.floating], suit: NDArray[np.floating]) -> NDArray[np.floating]:
    """The middle of an index, in units."""
    left, top, right, low = (min(rank[0], suit[0]), rank[1], max(rank[2], suit[2]), suit[3])
    return np.array([(left + right) / 2, (top + low) / 2])


def _seen_share(corners: Points, box: NDArray[np.float32], mine: NDArray[np.bool_]) -> float:
    """How much of a box (units) of a card can be seen."""
    there = np.round(points_on(corners, on_a_grid(box))).astype(int)
    side = len(mine)
    inside = ((there >= 1) & (there < side - 1)).all(axis=1)
    at = there.clip(0, side - 1)
    return float((mine[at[:, 1], at[:, 0]] & inside).mean())
