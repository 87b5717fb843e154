"""What the face reader is taught: faces of drawn cards, their corners blotted out, and as what each may be told."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.crops import CARD, Pyramid, nudged, sideways, turned
from hardware.camera.face import RANKS, SUITS, seen_flat
from hardware.camera.opencv import Image, Points
from hardware.camera.training import faces
from hardware.camera.training.decks import NO_RANKS, Supply, back
from hardware.camera.training.faces import HEIGHT, WIDTH, Deck
from hardware.camera.training.photographs import Photograph, guessed, photograph

PASSED_OVER: Final = -100  # a label that says nothing, either way
UNCLEAR: Final = (len(RANKS) - 1, len(SUITS) - 1)
_A_DECKS_CARDS: Final = 25  # photographs of each deck drawn
_FIGURE: Final = RANKS.index("figure")

Sample = tuple[Image, int, int]  # a face as the net sees it, the number of its rank, of its suit


def drawn(seed: int, count: int, supply: Supply) -> list[Sample]:
    """The faces of `count` photographs."""
    rng = np.random.default_rng(seed)
    found: list[Sample] = []
    for _ in range(0, count, _A_DECKS_CARDS):
        deck = supply.deck(rng)
        deck = replace(deck, layout=replace(deck.layout, spread=rng.uniform(0.85, 1.12)))
        other = deck.face(str(rng.choice(list(faces.RANKS))), str(rng.choice(list(faces.SUITS))))
        for _ in range(_A_DECKS_CARDS):
            kind = rng.random()
            if kind < 0.08 and (art := supply.artwork(rng)):
                rank, suit, picture = art
                found += _of(photograph(picture, other, rng), rank, suit, None, rng)
            elif kind < 0.12:
                found += _of(photograph(back(rng), other, rng), "", "", None, rng)
            else:
                rank = str(rng.choice(list(faces.RANKS) + list(rng.choice(list(NO_RANKS), 1))))
                suit = "*" if rank in "JQK" and rng.random() < 0.06 else str(rng.choice(list(faces.SUITS)))
                picture = deck.face(rank, suit)
                shown = rank
                if rng.random() < 0.05:
                    _lay_chip(picture, rng)
                    shown = ""
                found += _of(photograph(picture, other, rng), shown, suit, deck, rng)
                other = picture if rng.random() < 0.3 else other
    return found


def _lay_chip(face: Image, rng: np.random.Generator) -> None:
    """Lay a chip, coin or button on a face, in place."""
    x, y = rng.uniform(0.2, 0.8) * WIDTH, rng.uniform(0.15, 0.85) * HEIGHT
    radius = rng.uniform(0.06, 0.24) * HEIGHT
    opencv.draw_circle(face, (x, y), radius, tuple(int(v) for v in rng.uniform(0, 255, 3)))
    if rng.random() < 0.6:
        opencv.draw_circle(face, (x, y), rng.uniform(0.4, 0.8) * radius, tuple(int(v) for v in rng.uniform(0, 255, 3)))


def _of(shot: Photograph, rank: str, suit: str, deck: Deck | None, rng: np.random.Generator) -> Iterator[Sample]:
    """What is seen of one photograph: its card, either way up, and one time in four what is no card's outline."""
    pyramid = Pyramid(shot.image)
    card = shot.corners if rng.random() < 0.5 else turned(shot.corners)
    labels = labels_of(shot, rank, suit, deck)
    if labels != (PASSED_OVER, PASSED_OVER):
        yield seen_flat(pyramid, guessed(card, rng)), *labels
    if rng.random() < 0.25:
        yield seen_flat(pyramid, _beside(card, rng)), *UNCLEAR


def labels_of(shot: Photograph, rank: str, suit: str, deck: Deck | None) -> tuple[int, int]:
    """The numbers of rank and suit, as far as what lies over the card leaves them to be seen."""
    lid = Pyramid(shot.covered).seen_flat(shot.corners, (125, 175), CARD) > 128
    hidden = float(lid.mean())
    number = RANKS.index(rank) if rank in RANKS else _FIGURE if rank else UNCLEAR[0]
    sign = SUITS.index(suit) if suit in SUITS else UNCLEAR[1]
    if hidden == 0 or not rank:
        return number, sign if rank or hidden < 0.05 else PASSED_OVER
    if number == _FIGURE or deck is None:
        return (number, PASSED_OVER) if hidden < 0.05 else (PASSED_OVER, PASSED_OVER)
    gone = [_share_of(lid, box) for box in deck.pip_boxes(rank, suit)]
    if max(gone) == 0:
        return number, sign
    return (UNCLEAR[0] if max(gone) > 0.3 else PASSED_OVER, sign if min(gone) == 0 else
            UNCLEAR[1] if min(gone) > 0.5 else PASSED_OVER)  # fmt: skip


def _share_of(lid: NDArray[np.bool_], box: tuple[float, ...]) -> float:
    left, top, right, low = (max(0, round(v / 2)) for v in box)
    return float(lid[top : low + 1, left : right + 1].mean())


def _beside(card: Points, rng: np.random.Generator) -> Points:
    """An outline that is no card's: moved, of another size, or lying across."""
    kind = rng.random()
    if kind < 0.5:
        away = rng.choice([-1, 1], 2) * rng.uniform(0.25, 0.6, 2) * rng.permutation([1.0, rng.uniform(0, 1)])
        return nudged(card, rng.normal(0, 0.1), (away[0] * CARD[0], away[1] * CARD[1]))
    if kind < 0.75:
        size = rng.choice([rng.uniform(0.45, 0.7), rng.uniform(1.5, 2.0)])
        return nudged(card, 0.0, (rng.uniform(-0.4, 0.2) * CARD[0], rng.uniform(-0.4, 0.2) * CARD[1]), (size, size))
    return sideways(card)
