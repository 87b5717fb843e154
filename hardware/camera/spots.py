"""Index corners seen where cards lie over one another, and what those of a deck with four indices a card are to each other."""

from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from hardware.camera.crops import CARD, LOW, WINDOW, followed, nudged, turned
from hardware.camera.laid import at_its_foot, may_be_one, one_corner, same_outline, size_of
from hardware.camera.opencv import Points
from hardware.camera.votes import COURTS, Index, is_strange

_ACROSS: Final = (185.0, 207.0)  # units between the two indices at a card's top, where a deck has four
_ONE_WAY: Final = 0.8  # the cosine from which two cards lie the same way
_NEIGHBOURS: Final = 1.2  # of a card's width: within which two corners are those of cards side by side
FOUND: Final = 0.6  # of the finder: the odds from which a corner is taken for one, whatever its index says
ENDS_OFF_GUESSED: Final = 0.25  # of a card's diagonal: how far its ends may seem apart where its size is but guessed
_CONFIRMED: Final = 4.0  # in the logarithm of odds: what the right one of a card's indices, seen too, is worth


@dataclass(frozen=True)
class Spot:
    """Where an index is seen: the card's window, how far below its edge, what the net says, and what it said of every look."""

    window: Points
    top: float
    index: Index
    looks: tuple[Index, ...]
    odds: float  # of the finder, that a card has its corner there

    @property
    def leaning(self) -> float:
        """The logarithm of the finder's odds."""
        odds = min(max(self.odds, 0.01), 0.99)
        return float(np.log(odds / (1 - odds)))

    def led(self) -> "Spot":
        """The spot with its window where the net says that the card is."""
        window, top = led(self.window, self.top, self.index)
        return replace(self, window=window, top=top)

    def seen_again(self, index: Index) -> "Spot":
        """The spot with what the net says of it now."""
        return replace(self, index=index, looks=(*self.looks, index))

    def resized(self, size: tuple[float, float]) -> Points:
        """The window if its card were so many times as wide and as high, about the middle of what a crop shows."""
        (wide, high), middle = size, (WINDOW[0] / 2, self.top + WINDOW[1] / 2)
        return nudged(self.window, 0.0, ((1 - wide) * middle[0], (1 - high) * middle[1]), size)

    def lefts(self) -> list[tuple[Points, float]]:
        """Where the card would lie if the index were the right one of two at its top."""
        return [(nudged(self.window, 0.0, (-across, 0.0)), self.top) for across in _ACROSS]


def led(window: Points, top: float, index: Index) -> tuple[Points, float]:
    """A window where the net says that its card is; the crop's top stays where the index was seen."""
    there = followed(window, index.off)
    lower = float((there[0] - window[0]) @ (window[3] - window[0])) / size_of(window)[1] ** 2
    return there, min(LOW, max(0.0, top - lower * CARD[1]))


def without_feet(spots: list[Spot], confirmed: list[bool]) -> list[Spot]:
    """The spots but for those that are only the foot of another's card, where a deck has four indices.

    Of two such, either may be the other's foot: one of them puts the card where it lies, the other beside it. Of cards side by
    side the same side is covered, so neighbours are judged together, by how surely the finder saw their corners, and by those
    `confirmed`: seen by the right index of their card as well.
    """
    near = {(a, b) for a, b in permutations(range(len(spots)), 2) if _at_foot(spots[a], spots[b])}
    feet = near | {(b, a) for a, b in near}
    sure = [
        any(right and one_corner(other.window, spot.window) for other, right in zip(spots, confirmed, strict=True))
        for spot in spots
    ]
    leaning = [spot.leaning + _CONFIRMED * known for spot, known in zip(spots, sure, strict=True)]
    lead = {(a, b): leaning[a] - leaning[b] for a, b in feet}
    dropped = {b for a, b in feet if sum(v * _alike(spots[a], spots[other]) for (other, _), v in lead.items()) > 0}
    return [spot for n, spot in enumerate(spots) if n not in dropped]


def _at_foot(spot: Spot, other: Spot) -> bool:
    return spot.index.card == other.index.card and at_its_foot(spot.window, other.window)


def _alike(one: Spot, two: Spot) -> int:
    """1 where two neighbouring cards lie the same way, -1 where one is upside down, 0 where they aren't side by side."""
    a, b = (spot.window[1] - spot.window[0] for spot in (one, two))
    wide = float(np.hypot(*a))
    cosine = float(a @ b) / (wide * float(np.hypot(*b)))
    if abs(cosine) < _ONE_WAY or float(np.hypot(*(one.window[0] - two.window[0]))) > _NEIGHBOURS * wide:
        return 0
    return 1 if cosine > 0 else -1


def is_another_s_foot(spot: Spot, end: Index, spots: list[Spot]) -> bool:
    """Whether the index seen at a card's other end is that at the foot of another card, whose own corner is seen as well."""
    return any(s.index.card == end.card and at_its_foot(s.window, turned(spot.window)) for s in spots if s is not spot)


def has_strange_end(spot: Spot, nameless: list[Spot], unread: list[Points]) -> bool:
    """Whether a court's other end is seen too and isn't read: its outline is that of a whole card that was not, or the finder
    sees an index there that shows the suit and no rank. A mere look might see pips there."""
    card = spot.index.card
    if card is None or card[0] not in COURTS:
        return False
    ends = [s for s in nameless if s.odds >= FOUND and may_be_one(spot.window, s.window, ENDS_OFF_GUESSED)]
    return any(is_strange(end.index, card) for end in ends) or any(same_outline(spot.window, q) for q in unread)
