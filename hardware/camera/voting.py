"""From what single pictures show to what is told: the same card at the same spot in three of the last five.

A spot is where a card lies. What was told of it holds until something else is told of the same spot: another card, doubt,
or that it is gone.
"""

import math
from collections import Counter, deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import msgspec

from dealer_assist.game.cards import Card
from hardware.camera.zones import Place

WINDOW: Final = 5  # pictures that vote
ENOUGH: Final = 3  # votes
WITHIN_S: Final = 4.0  # an older vote does not count
GONE_AFTER_S: Final = 1.0

_SAME_CARD_MM: Final = 40.0  # a card that was pushed, or whose corners were found otherwise
_SAME_SPOT_MM: Final = 20.0  # whatever is read there

Millimetres = tuple[float, float]


class Sight(msgspec.Struct, frozen=True):
    """What one picture shows at one spot: a card, or (`card` None) candidates. `middle`: on the felt, in mm."""

    place: Place
    middle: Millimetres
    card: Card | None
    candidates: tuple[Card, ...] = ()
    confidence: float = 0.0

    def speaks_against(self, card: Card) -> bool:
        """Whether it can't be that card."""
        return self.card != card if self.card is not None else bool(self.candidates) and card not in self.candidates


class CardSeen(msgspec.Struct, frozen=True, tag=True):
    """A card lies there. `frames`: how many of the last pictures say so; `at`: when the last of them was taken."""

    place: Place
    card: Card
    confidence: float
    frames: int
    at: float
    spot: int
    middle: Millimetres


class CardUnsure(msgspec.Struct, frozen=True, tag=True):
    """A card lies there, and the pictures don't agree which, or can't say: its likeliest names."""

    place: Place
    candidates: tuple[Card, ...]
    frames: int
    at: float
    spot: int
    middle: Millimetres


class CardGone(msgspec.Struct, frozen=True, tag=True):
    """What was told to lie at this spot is not seen there any more: taken away, moved, turned or covered by another."""

    place: Place
    card: Card | None
    at: float
    spot: int


class EqualCards(msgspec.Struct, frozen=True, tag=True):
    """One picture shows the same card twice or more: of two decks, or one of them is misread. An alarm, told at once."""

    card: Card
    places: tuple[Place, ...]
    at: float


CardEvent = CardSeen | CardUnsure | CardGone | EqualCards


@dataclass
class _Twins:
    places: tuple[Place, ...]
    missed: int = 0


class _Spot:
    """One card's place in the votes."""

    def __init__(self, number: int, sight: Sight) -> None:
        self.number: Final = number
        self.place: Final = sight.place
        self.middle = sight.middle
        self.told: CardSeen | CardUnsure | None = None
        self.seen_at = 0.0
        self._votes: deque[tuple[float, Sight | None]] = deque(maxlen=WINDOW)

    def vote(self, at: float, sight: Sight | None) -> None:
        self._votes.append((at, sight))
        if sight is not None:
            self.middle, self.seen_at = sight.middle, at

    def forget_votes(self) -> None:
        self._votes.clear()

    @property
    def is_empty(self) -> bool:
        """Whether a whole window of pictures showed nothing here."""
        return len(self._votes) == WINDOW and all(sight is None for _, sight in self._votes)

    def reach(self, sight: Sight) -> float | None:
        """How well a sight fits here, less is better; None where it does not."""
        x, y = sight.middle[0] - self.middle[0], sight.middle[1] - self.middle[1]
        away = math.hypot(x, y)
        if sight.card is not None and sight.card in self._cards() and away <= _SAME_CARD_MM:
            return away
        return _SAME_CARD_MM + away if away <= _SAME_SPOT_MM else None

    def _cards(self) -> set[Card]:
        voted = {sight.card for _, sight in self._votes if sight is not None and sight.card is not None}
        return voted | ({self.told.card} if isinstance(self.told, CardSeen) else set())

    def verdict(self, now: float) -> CardSeen | CardUnsure | None:
        """What the votes say; None where they are too few."""
        sights = [sight for at, sight in self._votes if sight is not None and now - at <= WITHIN_S]
        if len(sights) < ENOUGH:
            return None
        named = Counter(sight.card for sight in sights if sight.card is not None)
        best, count = min(named.items(), key=lambda vote: (-vote[1], vote[0])) if named else (None, 0)
        if best is not None and count >= ENOUGH and not any(sight.speaks_against(best) for sight in sights):
            sure = sum(sight.confidence for sight in sights if sight.card == best) / count
            return CardSeen(self.place, best, round(sure, 4), count, self.seen_at, self.number, self.middle)
        likely = Counter(named)
        for sight in sights:
            likely.update(sight.candidates if sight.card is None else ())
        names = sorted(likely, key=lambda card: (-named[card], -likely[card], card))[:2]
        return CardUnsure(self.place, tuple(names), len(sights), self.seen_at, self.number, self.middle)


class Votes:
    """The votes of all spots. For one thread."""

    def __init__(self) -> None:
        self._spots: list[_Spot] = []
        self._twins: dict[Card, _Twins] = {}
        self._numbered = 0
        self._last_at: float | None = None

    @property
    def told(self) -> tuple[CardSeen | CardUnsure, ...]:
        """What lies on the felt as far as it was told, in the order it was first seen."""
        return tuple(spot.told for spot in self._spots if spot.told is not None)

    def forget(self) -> None:
        """Nothing is known any more: the camera was lost. Nothing is told of it but the loss."""
        self._spots.clear()
        self._twins.clear()

    def disturb(self, places: Collection[Place]) -> None:
        """Something moved at these places: what was seen before votes no longer. What was told holds until unsaid."""
        for spot in self._spots:
            if spot.place in places:
                spot.forget_votes()
        self._spots = [spot for spot in self._spots if spot.told is not None or spot.place not in places]

    def look(self, at: float, places: Collection[Place], sights: Iterable[Sight]) -> list[CardEvent]:
        """Takes what one picture shows at the places that may be read in it, in any order; what is to be told now.

        Raises: ValueError, for a picture that is not newer than the last.
        """
        if self._last_at is not None and at <= self._last_at:
            raise ValueError(f"expected a picture newer than {self._last_at}, found one of {at}")
        self._last_at = at
        seen = sorted((s for s in sights if s.place in places), key=lambda s: (s.middle, s.card or "", s.candidates))
        self._vote(at, [spot for spot in self._spots if spot.place in places], seen)
        told = [event for spot in self._spots if spot.place in places for event in _news(spot, at)]
        self._spots = [spot for spot in self._spots if not (spot.is_empty and spot.told is None)]
        return [*self._equal(at, places, seen), *told]

    def _vote(self, at: float, spots: list[_Spot], seen: list[Sight]) -> None:
        """Each sight to the spot it fits best, one to one; to a new one where it fits none."""
        fits = [
            (reach, spot.number, n, spot)
            for spot in spots
            for n, sight in enumerate(seen)
            if spot.place == sight.place and (reach := spot.reach(sight)) is not None
        ]
        given: dict[int, int] = {}
        for _, number, n, _ in sorted(fits, key=lambda fit: fit[:3]):
            if number not in given and n not in given.values():
                given[number] = n
        for spot in spots:
            spot.vote(at, seen[given[spot.number]] if spot.number in given else None)
        for n, sight in enumerate(seen):
            if n not in given.values():
                self._numbered += 1
                spot = _Spot(self._numbered, sight)
                spot.vote(at, sight)
                self._spots.append(spot)

    def _equal(self, at: float, places: Collection[Place], seen: list[Sight]) -> list[EqualCards]:
        found: list[EqualCards] = []
        counts = Counter(sight.card for sight in seen if sight.card is not None)
        for card in sorted(card for card, count in counts.items() if count > 1):
            there = tuple(sorted((s.place for s in seen if s.card == card), key=lambda p: -1 if p is None else p))
            if card not in self._twins or self._twins[card].places != there:
                found.append(EqualCards(card, there, at))
            self._twins[card] = _Twins(there)
        for card, twins in list(self._twins.items()):
            if counts[card] < 2 and all(place in places for place in twins.places):
                twins.missed += 1
                if twins.missed >= WINDOW:  # they are no longer there: seen again, they are told again
                    del self._twins[card]
        return found


def _news(spot: _Spot, at: float) -> list[CardEvent]:
    """What is to be told of a spot; it is told from now on."""
    told = spot.told
    if told is not None and spot.is_empty and at - spot.seen_at >= GONE_AFTER_S:
        spot.told = None
        return [CardGone(spot.place, told.card if isinstance(told, CardSeen) else None, at, spot.number)]
    verdict = spot.verdict(at)
    if verdict is None:
        return []
    spot.told = verdict
    return [] if told is not None and _same(told, verdict) else [verdict]


def _same(one: CardSeen | CardUnsure, two: CardSeen | CardUnsure) -> bool:
    match one, two:
        case CardSeen(), CardSeen():
            return one.card == two.card
        case CardUnsure(), CardUnsure():
            return set(one.candidates) == set(two.candidates)
        case _:
            return False
