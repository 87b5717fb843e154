"""One deck before one camera: how each of its cards was read, and what may therefore be asked less of it, or not at all.

What a deck showed can make cards that are read more, never a wrong card likelier: a threshold is lowered only for ranks and
suits that stood well apart from all others on this very deck, no further than its own cards need, and not at all unless each
of the 52 was measured. A name that another card came near, and a card that was not measured, are left unsure always.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated, Final

import msgspec
import numpy as np
import tomli_w
from numpy.typing import NDArray

from dealer_assist.game.cards import DECK, RANKS, SUITS, Card
from dealer_assist.game.settings import Raw, require, shaped
from hardware.camera.calibration import Calibration
from hardware.camera.opencv import Image
from hardware.camera.reading import Reading
from hardware.camera.recogniser import Recogniser
from hardware.camera.votes import USUAL, Thresholds
from hardware.camera.voting import CardSeen, CardUnsure

FORMAT: Final = "camera-deck/1"
ENOUGH: Final = 5  # pictures of a card whose name is known, before it counts as measured
LOWEST: Final = 0.85  # no threshold is lowered further than this

_APART: Final = 0.25  # well apart: no index of another rank (suit) gave this one more
_NEAR: Final = 0.5  # too near: an index of another card gave both rank and suit of this one more
_SAME_MM: Final = 1.0  # what is told of a spot tells its middle in the newest picture that voted
_MOST_WAITING: Final = 50

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a card was read: by how many pictures, in how many it stayed unsure, and the lowest confidence of a reading."""

    read: int
    unsure: int
    lowest: Share


class Enrolled(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck's file. `ranks`, `suits`, `unsure`: as of Thresholds. `cards`: the figures of each that was seen."""

    format: str
    deck: str
    made: str
    source: str
    unsure: tuple[Card, ...]
    ranks: dict[str, float]
    suits: dict[str, float]
    cards: dict[str, Figures]

    @property
    def thresholds(self) -> Thresholds:
        """What the recogniser is to go by while this deck is in play."""
        return Thresholds(ranks=dict(self.ranks), suits=dict(self.suits), unsure=self.unsure)


def enrolled_from(raw: Raw) -> Enrolled:
    """A parsed file. Raises: BadSetting."""
    require(raw.get("format") == FORMAT, "format", f'"{FORMAT}"', raw.get("format", "none"))
    deck = shaped(raw, Enrolled)
    for name, found, known in (("ranks", deck.ranks, RANKS), ("suits", deck.suits, SUITS), ("cards", deck.cards, DECK)):
        for key in found:
            require(key in tuple(known), f"{name}.{key}", f"one of the {len(known)} {name}", key)
    for name, shares in (("ranks", deck.ranks), ("suits", deck.suits)):
        for key, share in shares.items():
            require(LOWEST <= share <= 1, f"{name}.{key}", f"{LOWEST} to 1", share)
    return deck


def enrolled_text(deck: Enrolled) -> str:
    """The file's text."""
    fields: Raw = msgspec.to_builtins(deck)
    told = "# Written by `dealer-assist camera enrol`. It holds for this deck's design before this camera.\n"
    return told + tomli_w.dumps(fields)


@dataclass(frozen=True)
class Look:
    """What one picture showed of one card: the name it was read by, if any, and the net's shares for its index."""

    card: Card | None
    confidence: float
    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]


@dataclass
class _Stay:
    """A card at a spot, as long as it is the same."""

    card: Card | None = None
    by_order: bool = False  # named by the order it was laid in, not by what was told
    doubted: bool = False  # the pictures once disagreed whether it is this card
    waiting: list[Look] = field(default_factory=list)  # looks at what is not known yet


class Enrolment:
    """The measuring of a deck: fed with what is told of the spots on the felt, and what each picture showed there.

    `order`: of the cards, where they are laid one after another in a known one; it names a card that is told as unsure. Any
    other card is the one that it is told to be. `confused`: cards that were not told apart.
    """

    def __init__(self, order: Sequence[Card] = ()) -> None:
        self.next = next(iter(order), None)  # the card to be laid, in a known order
        self.confused: frozenset[Card] = frozenset()
        self._after: Final = dict(pairwise(order))
        self._stays: dict[int, _Stay] = {}
        self._looks: Final[dict[Card, list[Look]]] = {card: [] for card in DECK}

    def take(self, told: CardSeen | CardUnsure, look: Look) -> None:
        """One picture's look at a spot, with what is told of it now. Looks at what is not known yet wait for its name."""
        stay = self._stays.setdefault(told.spot, _Stay())
        if isinstance(told, CardSeen):
            stay = self._seen(told, stay)
        elif self.next in told.candidates and stay.card not in told.candidates:
            stay = self._stays[told.spot] = _Stay(self.next, by_order=True, waiting=stay.waiting)
        else:
            stay.doubted |= stay.card in told.candidates
        stay.waiting = [*stay.waiting, look][-_MOST_WAITING:]
        if stay.card is not None and (stay.by_order or isinstance(told, CardSeen)):
            if not self._looks[stay.card]:
                self.next = self._after.get(stay.card)
            self._looks[stay.card] += stay.waiting
            stay.waiting = []

    def _seen(self, told: CardSeen, stay: _Stay) -> _Stay:
        """The stay of a card that is told, another one where it lies in the place of the card before it."""
        before = stay.card
        if before is not None and before != told.card:
            if stay.doubted and told.card != self.next:
                self.confused |= {told.card, before}
            stay = self._stays[told.spot] = _Stay(waiting=stay.waiting)
        stay.card, stay.doubted = told.card, False
        return stay

    def twice(self, card: Card) -> None:
        """One picture showed this card at two places: of one deck, one of them is another."""
        self.confused |= {card}

    @property
    def missing(self) -> tuple[Card, ...]:
        """The cards that are not measured yet."""
        return tuple(card for card in DECK if len(self._looks[card]) < ENOUGH)

    def figures(self) -> dict[str, Figures]:
        """How each card was read that was seen at all."""
        return {card.value: _figures(card, looks) for card, looks in self._looks.items() if looks}

    def thresholds(self) -> Thresholds:
        """What the recogniser may go by on this deck."""
        missing = self.missing
        pairs = [(card, look) for card, looks in self._looks.items() for look in looks]
        near = {name for card, look in pairs for name in _named(look) if name != card}
        unsure = {*missing, *self.confused, *near}
        told = tuple(card for card in DECK if card in unsure)
        if missing:
            return Thresholds(unsure=told)
        ranks = _needed(RANKS, np.array([look.ranks for _, look in pairs]), np.array([c.rank for c, _ in pairs]))
        suits = _needed(SUITS, np.array([look.suits for _, look in pairs]), np.array([c.suit for c, _ in pairs]))
        for card in told:
            ranks.pop(card[0], None)
            suits.pop(card[1], None)
        return Thresholds(
            ranks={rank: share for rank, share in ranks.items() if share < USUAL.rank_unconfirmed},
            suits={suit: share for suit, share in suits.items() if share < USUAL.suit_unconfirmed},
            unsure=told,
        )


def _named(look: Look) -> list[Card]:
    """The names that a look came near: its own reading, and its index."""
    rank, suit = int(look.ranks[: len(RANKS)].argmax()), int(look.suits[: len(SUITS)].argmax())
    near = [Card(RANKS[rank] + SUITS[suit])] if min(look.ranks[rank], look.suits[suit]) > _NEAR else []
    return near if look.card is None else [*near, look.card]


def _needed(names: str, shares: NDArray[np.float32], own: NDArray[np.int64]) -> dict[str, float]:
    """What is enough for each rank (suit) that stood well apart: what its own looks were given at the least, within bounds.

    `shares`: what each look was given for each of the names, [looks, names]; `own`: which of them is its own, [looks].
    """
    found = {}
    for n, name in enumerate(names):
        if shares[own != n, n].max() <= _APART:
            found[name] = round(max(LOWEST, float(shares[own == n, n].min())), 3)
    return found


def _figures(card: Card, looks: Sequence[Look]) -> Figures:
    sure = [look.confidence for look in looks if look.card == card]
    return Figures(len(sure), len(looks) - len(sure), round(min(sure, default=0.0), 3))


class EnrollingReader:
    """Reads a watcher's pictures, and measures each card in them once it is told what lies there.

    `told`: what the watcher tells to lie on the felt. For the watcher's thread.
    """

    def __init__(
        self,
        recogniser: Recogniser,
        calibration: Calibration,
        told: Callable[[], Sequence[CardSeen | CardUnsure]],
        order: Sequence[Card] = (),
    ) -> None:
        self.enrolment: Final = Enrolment(order)
        self._recogniser, self._calibration, self._told = recogniser, calibration, told
        self._looks: list[tuple[tuple[float, float], Look]] = []
        self._at = float("-inf")

    def read(self, image: Image) -> Reading:
        """The cards in a picture. What the picture before it voted for is measured first."""
        self._measure()
        reading = self._recogniser.recognise(image, self._calibration.card_size)
        found = [(c.card, c.confidence, c.corners) for c in reading.cards]
        names = [*found, *((None, u.confidence, u.corners) for u in reading.unsure)]
        indices = self._recogniser.indices(image, [corners for *_, corners in names])
        self._looks = [
            (self._calibration.place(corners)[1], Look(card, sure, index.ranks, index.suits))
            for (card, sure, corners), index in zip(names, indices, strict=True)
        ]
        return reading

    def _measure(self) -> None:
        """Each look to what is told of its spot, as far as that picture had a vote there: none has while a hand is near."""
        told = self._told()
        newest = max((each.at for each in told), default=self._at)
        for each in told if newest > self._at else ():
            away = [(float(np.hypot(x - each.middle[0], y - each.middle[1])), look) for (x, y), look in self._looks]
            nearest = min(away, key=lambda pair: pair[0], default=None)
            if each.at == newest and nearest is not None and nearest[0] < _SAME_MM:
                self.enrolment.take(each, nearest[1])
        self._at = newest


def enrolled(enrolment: Enrolment, deck: str, source: str) -> Enrolled:
    """The file of a deck that was measured now."""
    wanted = enrolment.thresholds()
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Enrolled(FORMAT, deck, made, source, wanted.unsure, wanted.ranks, wanted.suits, enrolment.figures())
