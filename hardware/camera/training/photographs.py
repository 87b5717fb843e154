"""Photographs that never were: a drawn card on a table, through a lens, and the index crops a reader would cut from it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.crops import CARD, LOW, WINDOW, Pyramid, in_units_of, nudged, points_on, sideways, strayed, turned
from hardware.camera.opencv import Image, Points, points
from hardware.camera.training.faces import HEIGHT, RANKS, SUITS, WIDTH, Deck

NO_RANK, NO_SUIT = 13, 4
_FACE = points([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)])
_SAME_IN_A_MIRROR = "A8Q"  # these, mirrored, may still be taken for themselves


@dataclass(frozen=True)
class Photograph:
    """A picture, the card in it (corners clockwise from an index corner), and what lies over the card, per pixel 0–255."""

    image: Image
    corners: Points
    covered: Image


def table(height: int, width: int, rng: np.random.Generator) -> Image:
    """A table top: cloth, wood or paper, uneven in light."""
    kind = rng.random()
    if kind < 0.5:  # cloth
        colour = rng.uniform(10, 130, 3)
    elif kind < 0.75:  # wood
        colour = np.array([rng.uniform(30, 150), rng.uniform(70, 190), rng.uniform(110, 220)])
    else:
        colour = rng.uniform(20, 245) + rng.uniform(-15, 15, 3)
    image = np.empty((height, width, 3), np.float32)
    image[:] = colour
    coarse = rng.normal(0, rng.uniform(0, 14), (max(2, height // 12), max(2, width // 40), 3))
    image += _stretched(coarse.mean(2, keepdims=True) + coarse * 0.2, height, width)
    image += rng.standard_normal((height, width, 1), np.float32) * np.float32(rng.uniform(0, 8))
    return np.clip(image, 0, 255).astype(np.uint8)


def _stretched(field: NDArray[np.floating], height: int, width: int) -> NDArray[np.floating]:
    shown = np.clip(field * 2 + 128, 0, 255).astype(np.uint8)
    return (
        opencv.resize(np.ascontiguousarray(shown), width, height).astype(np.float32).reshape(height, width, -1) - 128
    ) / 2


def lay(image: Image, face: Image, corners: Points, rounding: float) -> Image:
    """Put a card's face into a picture, in place; gives its mask."""
    matrix = opencv.homography(_FACE, corners)
    height, width = image.shape[:2]
    mask = _card_shape(rounding)
    edge = np.linalg.norm(corners[1] - corners[0])
    if edge < WIDTH / 1.7:  # averaged down first, as a lens does
        small = (WIDTH // 2, HEIGHT // 2) if edge > WIDTH / 3.4 else (WIDTH // 4, HEIGHT // 4)
        face, mask = opencv.resize(face, *small), opencv.resize(mask, *small)
        matrix = matrix @ np.diag([WIDTH / small[0], HEIGHT / small[1], 1.0])
    there = opencv.warp(mask, matrix, width, height, border=False)
    seen = opencv.warp(face, matrix, width, height)
    share = there[:, :, None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + seen * share).astype(np.uint8)
    return there


def _card_shape(rounding: float) -> Image:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    r = max(1, round(rounding * WIDTH))
    opencv.draw_rectangle(mask, (r, 0, WIDTH - r - 1, HEIGHT - 1), (255,))
    opencv.draw_rectangle(mask, (0, r, WIDTH - 1, HEIGHT - r - 1), (255,))
    for x in (r, WIDTH - r - 1):
        for y in (r, HEIGHT - r - 1):
            opencv.draw_circle(mask, (x, y), r, (255,))
    return mask


def placed(high: float, aspect: float, angle: float, tilt: NDArray[np.floating]) -> Points:
    """A card's corners about nought: so many pixels high, turned, each corner pulled by its share (`tilt`, [4, 2])."""
    half = np.array([(-0.5 / aspect, -0.5), (0.5 / aspect, -0.5), (0.5 / aspect, 0.5), (-0.5 / aspect, 0.5)])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return points(((half + tilt) @ turn.T) * high)


def photograph(face: Image, other: Image, rng: np.random.Generator) -> Photograph:
    """One card on a table, perhaps with another under or over it."""
    high = float(np.exp(rng.uniform(np.log(72), np.log(300))))
    aspect, rounding = rng.uniform(1.36, 1.58), rng.uniform(0.03, 0.07)
    tilt = rng.normal(0, rng.choice([0.006, 0.03]), (4, 2))
    corners = placed(high, aspect, rng.uniform(0, 2 * np.pi), tilt)
    corners += corners.min(0) * -1 + high * 0.12
    size = np.ceil(corners.max(0) + high * 0.12).astype(int)
    image = table(int(size[1]), int(size[0]), rng)
    if rng.random() < 0.45:
        lay(image, other, _beside(image, corners, (high, aspect), 0.6, rng), rounding)
    cast_shadow(image, corners, high, rng)
    lay(image, face, corners, rounding)
    covered = np.zeros(image.shape[:2], np.uint8)
    if rng.random() < 0.3:
        covered = lay(image, other, _beside(image, corners, (high, aspect), 0.9, rng), rounding)
    return Photograph(through_a_lens(image, high, rng), corners, covered)


def _beside(image: Image, corners: Points, shape: tuple[float, float], far: float, rng: np.random.Generator) -> Points:
    """Where another card of that height and aspect lies, up to so far away (in heights); its shadow is cast at once."""
    high, aspect = shape
    turn = rng.normal(0, 0.25) if rng.random() < 0.6 else rng.uniform(0, 2 * np.pi)
    edge = corners[1] - corners[0]
    away, towards = rng.uniform(0.12, far) * high, rng.uniform(0, 2 * np.pi)
    middle = corners.mean(0) + away * np.array([np.cos(towards), np.sin(towards)])
    there = points(placed(high, aspect, float(np.arctan2(edge[1], edge[0])) + turn, np.zeros((4, 2))) + middle)
    cast_shadow(image, there, high, rng)
    return there


def cast_shadow(image: Image, corners: Points, high: float, rng: np.random.Generator) -> None:
    mask = np.zeros(image.shape[:2], np.uint8)
    opencv.fill_polygon(mask, corners + rng.normal(0, 0.01 * high, 2), (255,))
    depth = opencv.blurred(mask, max(0.6, rng.uniform(0.004, 0.02) * high))[:, :, None].astype(np.float32) / 255
    image[:] = (image * (1 - rng.uniform(0.1, 0.6) * depth)).astype(np.uint8)


def through_a_lens(image: Image, high: float, rng: np.random.Generator) -> Image:
    """Light, glare, blur, noise and compression. `high` is a card's height in pixels."""
    height, width = image.shape[:2]
    slope = points(rng.normal(0, 0.18, 2))
    down, across = (np.linspace(-0.5, 0.5, n, dtype=np.float32) for n in (height, width))
    light = (1 + down[:, None] * slope[0] + across * slope[1])[:, :, None]
    cast = points(rng.normal(1, 0.07, 3) * rng.uniform(0.55, 1.15))
    if rng.random() < 0.15:
        cast *= np.float32(rng.uniform(0.5, 1.1, 3))
    lift = rng.uniform(0, 45) if rng.random() < 0.5 else 0.0
    curve = points(255 * np.linspace(0, 1, 256) ** rng.uniform(0.75, 1.35))
    lit = points(lift) + curve[image] * light * cast * points((255 - lift) / 255)
    if rng.random() < 0.2:
        lit = _glare(lit, high, rng)
    shown: Image = _blur(np.asarray(np.clip(lit, 0, 255), np.uint8), high, rng)
    if rng.random() < 0.8:
        grain = rng.standard_normal((height, width, 1), np.float32) * np.float32(rng.uniform(0.5, 9))
        tint = rng.standard_normal((height // 2 + 1, width // 2 + 1, 3), np.float32) * np.float32(rng.uniform(0.2, 6))
        grained = shown + grain + tint.repeat(2, 0).repeat(2, 1)[:height, :width]
        shown = np.asarray(np.clip(grained, 0, 255), np.uint8)
    if rng.random() < 0.25:  # sharpened by the camera
        sharp = shown * 1.8 - opencv.blurred(shown, rng.uniform(0.7, 1.6)) * 0.8
        shown = np.asarray(np.clip(sharp, 0, 255), np.uint8)
    if rng.random() < 0.2:
        return shown
    compressed = opencv.decoded(opencv.encoded(shown, ".jpg", int(rng.integers(35, 96))))
    assert compressed is not None
    return compressed


def _glare(lit: NDArray[np.floating], high: float, rng: np.random.Generator) -> NDArray[np.floating]:
    height, width = lit.shape[:2]
    ys, xs = np.mgrid[:height, :width].astype(np.float32)
    cx, cy, radius = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(0.1, 0.6) * high
    spot = np.exp(
        -(
            ((xs - np.float32(cx)) ** 2 + ((ys - np.float32(cy)) * np.float32(rng.uniform(0.4, 2))) ** 2)
            / np.float32(radius**2)
        )
    )
    share = spot[:, :, None] * np.float32(rng.uniform(0.2, 0.8))
    return np.asarray(lit * (1 - share) + 255 * share)


def _blur(image: Image, high: float, rng: np.random.Generator) -> Image:
    kind = rng.random()
    if kind < 0.5:
        return opencv.blurred(image, rng.uniform(0.3, 0.8))
    if kind < 0.85:
        return opencv.blurred(image, max(0.4, rng.uniform(0.002, 0.0065) * high))
    length = max(2, round(rng.uniform(0.005, 0.015) * high))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 4 * length):
        kernel[round(length + step * np.sin(angle)), round(length + step * np.cos(angle))] += 1
    return opencv.filtered(image, kernel / kernel.sum())


def guessed(corners: Points, rng: np.random.Generator) -> Points:
    """The corners as a finder would give them: a little off; now and then known by one corner and a scale alone."""
    size = float(np.linalg.norm(corners[1] - corners[0]))
    if rng.random() < 0.6:
        return points(corners + rng.normal(0, 0.008 * size + 0.35, (4, 2)))
    scale, lean = rng.uniform(0.86, 1.16, 2), rng.normal(0, 0.035)
    across, down = rng.normal(0, 5, 2)
    return nudged(corners, lean, (across, down), (scale[0], scale[1]))


Sample = tuple[Image, int, int, NDArray[np.float64]]
"""A crop, its rank (13 none), its suit (4 none), how its window strayed from the card (not a number: nobody can tell)."""
NOT_TOLD = np.full(4, np.nan)
_WHOLE = 0.97  # the share of a rank or suit that must be seen to be told
_ENOUGH = 0.88  # the same, where nothing but the crop's own edge cuts it off
_OFF = 6.0  # units by which the middle of an index is told wrong


@dataclass(frozen=True)
class Printed:
    """An index: its rank and suit, their boxes (units), the card's corners from there on, what share of each is hidden."""

    rank: str
    suit: str
    boxes: tuple[NDArray[np.float32], NDArray[np.float32]]
    corners: Points
    hidden: list[float]


def samples(deck: Deck, rank: str, suit: str, other: Image, rng: np.random.Generator) -> list[Sample]:
    """Crops from one photograph of a card: its two indices, and windows that show none."""
    shot = photograph(deck.face(rank, suit), other, rng)
    found: list[Sample] = []
    pyramid, lid = Pyramid(shot.image), Pyramid(shot.covered)
    boxes = deck.index_boxes(rank, suit)
    for corners in (shot.corners, turned(shot.corners)):
        index = Printed(rank, suit, boxes, corners, [_hidden(lid, corners, box) for box in boxes])
        found += [s for _ in range(2) if (s := of_index(pyramid, guessed(corners, rng), index, rng)) is not None]
    found += _windows_without(shot, deck, rank, pyramid, rng)
    return found


def of_index(pyramid: Pyramid, window: Points, index: Printed, rng: np.random.Generator) -> Sample | None:
    """A crop of an index: from the card's edge, from where whole cards are looked at again, or with the index about in its
    middle, as the finder tells it; None where no label would be fair."""
    middle = float(index.boxes[0][1] + index.boxes[1][3]) / 2
    about = float(np.clip(middle + rng.normal(0, _OFF) - WINDOW[1] / 2, 0, LOW))
    top = float(rng.choice([0.0, about, LOW], p=(0.45, 0.5, 0.05)))
    shown = [_share_in(window, top, index.corners, box) for box in index.boxes]
    seen = [(1 - h) * (1.0 if s > _ENOUGH else s) for h, s in zip(index.hidden, shown, strict=True)]
    kept = _labels(index.rank, index.suit, [1 - share for share in seen])
    off = strayed(window, index.corners) if min(seen) >= _WHOLE else NOT_TOLD
    return None if kept is None else (pyramid.index(window, top), *kept, off)


def _share_in(window: Points, top: float, corners: Points, box: NDArray[np.floating]) -> float:
    """The share of a box (units) of a card that a crop of that window shows."""
    x, y = in_units_of(window, points_on(corners, on_a_grid(box))).T
    return float(((x >= 0) & (x <= WINDOW[0]) & (y >= top) & (y <= top + WINDOW[1])).mean())


def on_a_grid(box: NDArray[np.floating]) -> NDArray[np.floating]:
    """Points all over a box: [49, 2]."""
    across, down = np.linspace(box[0], box[2], 7), np.linspace(box[1], box[3], 7)
    return np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)


def _hidden(lid: Pyramid, corners: Points, box: NDArray[np.floating]) -> float:
    """The share of a box (units) that something lies over."""
    flat = lid.seen_flat(corners, (62, 88), (125.0, 176.0))
    left, top, right, bottom = (max(0, round(float(v) / 2)) for v in box)
    return float((flat[top : bottom + 1, left : right + 1] > 128).mean())


def _labels(rank: str, suit: str, hidden: list[float]) -> tuple[int, int] | None:
    """The labels of an index parts of which are hidden; None where neither `seen` nor `not seen` would be fair."""
    if any(1 - _WHOLE < h < 0.3 for h in hidden):
        return None
    return (RANKS.index(rank) if rank in RANKS and hidden[0] <= 1 - _WHOLE else NO_RANK,
            SUITS.index(suit) if suit in SUITS and hidden[1] <= 1 - _WHOLE else NO_SUIT)  # fmt: skip


def _windows_without(
    shot: Photograph, deck: Deck, rank: str, pyramid: Pyramid, rng: np.random.Generator
) -> list[Sample]:
    corners = shot.corners
    kinds = rng.choice(["upside down", "mirror", "side", "elsewhere", "scale", "rank off"], 3,
                       p=[0.2, 0.22, 0.18, 0.2, 0.1, 0.1])  # fmt: skip
    found: list[Sample] = []
    for kind in kinds:
        window = guessed(corners if rng.random() < 0.5 else turned(corners), rng)
        if kind == "upside down":
            crop = np.ascontiguousarray(pyramid.index(window)[::-1, ::-1])
        elif kind == "mirror":
            if rank in _SAME_IN_A_MIRROR:
                continue
            crop = np.ascontiguousarray(pyramid.index(window)[:, ::-1])
            if rng.random() < 0.3:
                crop = np.ascontiguousarray(crop[::-1, ::-1])
        elif kind == "side":
            crop = pyramid.index(sideways(window))
            if deck.layout.corners == 4 and rng.random() < 0.5:
                crop = np.ascontiguousarray(crop[:, ::-1])
        else:
            crop = _elsewhere(str(kind), window, pyramid, rng)
        found.append((crop, NO_RANK, NO_SUIT, NOT_TOLD))
    return found


def _elsewhere(kind: str, window: Points, pyramid: Pyramid, rng: np.random.Generator) -> Image:
    scale, at = 1.0, np.zeros(2)
    if kind == "scale":
        scale = rng.choice([rng.uniform(0.35, 0.6), rng.uniform(1.9, 2.8)])
    elif kind == "rank off":  # so that a part of the index is cut away
        at = np.array([rng.choice([-1, 1]) * rng.uniform(32, 60), rng.uniform(-12, 12)]) if rng.random() < 0.5 else \
            np.array([rng.uniform(-8, 8), rng.choice([rng.uniform(48, 90), -rng.uniform(70, 100)])])  # fmt: skip
    else:
        at = np.array([rng.uniform(45, 200), rng.uniform(60, 280)])
    square = np.array([(0, 0), (CARD[0], 0), CARD, (0, CARD[1])]) * scale + at
    angle = rng.uniform(0, 2 * np.pi) if kind == "elsewhere" else 0.0
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    middle = at + 30
    return pyramid.index(points_on(window, (square - middle) @ turn.T + middle))
