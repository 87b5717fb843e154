"""Registering a deck: 52 cards are shown to a reader in a stated order, and each tag becomes its card's.

Before a deck is registered every tag is unknown, so what a reader sights of it is `UnknownTagSighted`, and a tag of a
deck that is known already is `OtherDeckSighted`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, assert_never

import msgspec

from dealer_assist.application.ports import (
    BadRead,
    CardDiscarded,
    CardLifted,
    CardSighted,
    CollisionSighted,
    OtherDeckSighted,
    ReaderFault,
    ReaderLost,
    ReaderOnline,
    Sighting,
    SignalSighted,
    UnknownTagSighted,
)
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.errors import DuplicateCard, UnknownCard
from hardware.reader.deck import Deck, DeckBook
from hardware.reader.errors import BadDeck, Fault

_SUITS: Final = "shdc"

ORDERS: Final[Mapping[str, tuple[Card, ...]]] = MappingProxyType(
    {
        "ace-down": tuple(Card(rank + suit) for suit in _SUITS for rank in "AKQJT98765432"),
        "ace-up": tuple(Card(rank + suit) for suit in _SUITS for rank in "A23456789TJQK"),
    }
)


class Taken(msgspec.Struct, frozen=True):
    """The tag is this card's from now on."""

    card: Card
    uid: str


class Again(msgspec.Struct, frozen=True):
    """The card shown last still lies there, or a device said what is about no tag."""


class NotTaken(msgspec.Struct, frozen=True):
    """The tag can't be this card's; `reason` in words. `final`: a pass that met it has lost its order."""

    reason: str
    final: bool


Outcome = Taken | Again | NotTaken


def order_of(text: str) -> tuple[Card, ...]:
    """The order by its name, or as 52 card codes.

    Raises: BadDeck.
    """
    if text in ORDERS:
        return ORDERS[text]
    try:
        cards = parse_cards(text)
    except (UnknownCard, DuplicateCard) as error:
        raise BadDeck(Fault("order", f"{', '.join(ORDERS)}, or 52 card codes", str(error))) from None
    if len(cards) != len(DECK):
        raise BadDeck(Fault("order", f"{', '.join(ORDERS)}, or 52 card codes", f"{len(cards)} codes"))
    return cards


def unregistered(known: list[Deck]) -> DeckBook:
    """The book to read an unregistered deck with: every tag is unknown, or a known deck's.

    Raises: BadDeck, where the known ones contradict each other.
    """
    return DeckBook(Deck("", "", "", {}), known)


class Registration:
    """One deck on its way. `tags_per_card`: one, or two where each card carries two."""

    def __init__(self, order: tuple[Card, ...], tags_per_card: int = 1) -> None:
        self._order: Final = order
        self._tags_per_card: Final = tags_per_card
        self._taken: list[Taken] = []
        self.damaged = 0  # reads that were no tag

    @property
    def due(self) -> Card | None:
        """The card to be shown next; None once all are registered."""
        at = len(self._taken) // self._tags_per_card
        return self._order[at] if at < len(self._order) else None

    @property
    def done(self) -> int:
        """How many tags are registered."""
        return len(self._taken)

    @property
    def wanted(self) -> int:
        """How many there are to be."""
        return len(self._order) * self._tags_per_card

    @property
    def tags(self) -> dict[str, tuple[str, ...]]:
        """The tags of each card, as the reader sends them."""
        tags: dict[str, tuple[str, ...]] = {}
        for taken in self._taken:
            tags[taken.card] = (*tags.get(taken.card, ()), taken.uid)
        return tags

    def take(self, sighting: Sighting) -> Outcome:
        """What a sighting does to the registration."""
        match sighting:
            case UnknownTagSighted(tag=uid):
                return self._take(uid)
            case OtherDeckSighted(tag=uid, deck=deck):
                return NotTaken(f"tag {uid} belongs to deck {deck}", final=True)
            case CardSighted(card=card, tag=uid) | CardDiscarded(card=card, tag=uid):
                return NotTaken(f"the reader names the card itself ({card}), by no tag", final=True)
            case CollisionSighted():
                return NotTaken("two tags or more at once: take all but one away", final=True)
            case ReaderLost(reason=reason):
                return NotTaken(reason, final=True)
            case ReaderFault(reason=reason):
                return NotTaken(reason, final=False)
            case BadRead(reason=reason):
                self.damaged += 1
                return NotTaken(f"a damaged read ({reason}): show the card again", final=False)
            case CardLifted() | SignalSighted() | ReaderOnline():
                return Again()
            case _:
                assert_never(sighting)

    def _take(self, uid: str) -> Outcome:
        owner = next((taken.card for taken in self._taken if taken.uid == uid), None)
        if owner is not None and owner == self._taken[-1].card:
            return Again()
        if owner is not None:
            return NotTaken(f"tag {uid} is {owner} already", final=True)
        card = self.due
        if card is None:
            return NotTaken(f"tag {uid} is one more than the deck has cards", final=True)
        self._taken.append(Taken(card, uid))
        return self._taken[-1]
