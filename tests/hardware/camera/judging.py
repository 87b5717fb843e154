"""Readings held against what truly lies on a drawn table."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hardware.camera.opencv import Points, points
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.voting import CardSeen, CardUnsure, Sight, Votes
from hardware.camera.zones import within
from tests.hardware.camera.scenes import Laid, Scene

_NEAR = 0.5  # of a card's height: how far from a card's middle a reading of it may have its own
_CARD_MM = 88.0  # a card's height


@dataclass(frozen=True)
class Judged:
    """One reading of a scene: which of its cards were read, which told as unsure, and what was read wrong or twice."""

    read: frozenset[int]
    unsure: frozenset[int]
    wrong: tuple[SeenCard, ...]
    doubled: tuple[SeenCard, ...]


def judged(reading: Reading, scene: Scene) -> Judged:
    """A card is read where its name is told at its place, and once; any other name, or any other place, is wrong."""
    read: set[int] = set()
    wrong, doubled = [], []
    for seen in reading.cards:
        there = [n for n, laid in enumerate(scene.laid) if laid.card == seen.card and _lies_at(laid, seen.corners)]
        if not there:
            wrong.append(seen)
        elif there[0] in read:
            doubled.append(seen)
        read.update(there)
    unsure = {n for n, laid in enumerate(scene.laid) for doubt in reading.unsure if _lies_at(laid, doubt.corners)}
    return Judged(frozenset(read), frozenset(unsure - read), tuple(wrong), tuple(doubled))


def _lies_at(laid: Laid, corners: Points) -> bool:
    """Whether a reading is of that card: its middle is near, or the index it was taken from stands on it."""
    away = laid.corners.mean(axis=0) - corners.mean(axis=0)
    index = corners[0] + 0.1 * (corners[1] - corners[0]) + 0.16 * (corners[3] - corners[0])
    return float(np.hypot(*away)) < _NEAR * laid.high or bool(within(laid.corners, index[None])[0])


def voted(readings: Iterable[Reading], scene: Scene) -> Judged:
    """What is told after one second of pictures, five of them, of a place that nobody disturbs."""
    votes, scale = Votes(), _CARD_MM / scene.lens.high
    for n, reading in enumerate(readings, 1):
        sights = [Sight(0, _middle(c.corners, scale), c.card, confidence=c.confidence) for c in reading.cards]
        sights += [Sight(0, _middle(u.corners, scale), None, u.candidates, u.confidence) for u in reading.unsure]
        votes.look(0.2 * n, {0}, sights)
    told = votes.told
    cards = (SeenCard(t.card, t.confidence, _about(t, scale)) for t in told if isinstance(t, CardSeen))
    unsure = (Unsure(t.candidates, 0.0, _about(t, scale)) for t in told if isinstance(t, CardUnsure))
    return judged(Reading(tuple(cards), tuple(unsure), 0.0), scene)


def _middle(corners: Points, scale: float) -> tuple[float, float]:
    x, y = (corners.mean(axis=0) * scale).tolist()
    return x, y


def _about(told: CardSeen | CardUnsure, scale: float) -> Points:
    """Four corners about the middle that was told; where they lie else is known to nobody."""
    return points([told.middle] * 4) / np.float32(scale)
