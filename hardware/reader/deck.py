"""Decks, and the book of decks that says which card a tag is. How a deck file is written: `deck_file`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.application.ports import CardSighted, OtherDeckSighted, UnknownTagSighted
from dealer_assist.game.cards import DECK, Card
from hardware.reader.deck_file import read_draft
from hardware.reader.errors import BadDeck, Fault
from hardware.reader.messages import Tag


class Deck(msgspec.Struct, frozen=True):
    """A deck of 52 tagged cards.

    `tags`: the UIDs of each card, one or two, as the reader sends them; no UID belongs to two cards.
    """

    id: str
    name: str
    back: str
    tags: Mapping[Card, tuple[str, ...]]

    def tags_to_cards(self) -> dict[str, Card]:
        """Each UID of the deck and its card."""
        return {uid: card for card, uids in self.tags.items() for uid in uids}


def load_deck(path: Path) -> Deck:
    """The deck of a deck file.

    Raises: BadDeck, naming the file and every fault in it by its place.
    """
    draft = read_draft(path)
    if draft.faults:
        raise BadDeck(*draft.faults)
    return Deck(draft.id, draft.name, draft.back, {card: draft.tags[card] for card in DECK})


class _Shelf(msgspec.Struct, frozen=True):
    """The decks at one moment: never changed, only replaced."""

    in_play: Deck
    cards: Mapping[str, Card]  # UIDs of the deck in play
    elsewhere: Mapping[str, str]  # UIDs of resting decks, and the deck's id


class DeckBook:
    """The decks a table knows: one in play, the others resting.

    May be used from any thread: readers look tags up while another thread puts a deck into play.
    Raises: BadDeck, if two decks share an id or a UID.
    """

    def __init__(self, in_play: Deck, resting: Iterable[Deck] = ()) -> None:
        decks = (in_play, *resting)
        faults = tuple(_clashes(decks))
        if faults:
            raise BadDeck(*faults)
        self._decks: Final[Mapping[str, Deck]] = {deck.id: deck for deck in decks}
        self._shelf = self._with_in_play(in_play)

    @property
    def ids(self) -> tuple[str, ...]:
        """Every deck's id, the one first in play first."""
        return tuple(self._decks)

    @property
    def in_play(self) -> Deck:
        return self._shelf.in_play

    def put_into_play(self, deck_id: str) -> None:
        """Brings the deck of this id into play; the one before rests.

        Raises: BadDeck, for an id that is not in the book.
        """
        if deck_id not in self._decks:
            raise BadDeck(Fault("deck in play", "one of " + ", ".join(self._decks), f'"{deck_id}"'))
        self._shelf = self._with_in_play(self._decks[deck_id])

    def sighting(
        self, reader: str, tag: Tag, seat: int | None = None
    ) -> CardSighted | OtherDeckSighted | UnknownTagSighted:
        """What the tag is: a card of the deck in play, one of another deck, or unknown (never a card)."""
        shelf = self._shelf  # one look, so that a switch in between can't mix two moments
        if tag.uid in shelf.cards:
            return CardSighted(reader, shelf.cards[tag.uid], tag.uid, seat)
        if tag.uid in shelf.elsewhere:
            return OtherDeckSighted(reader, tag.uid, shelf.elsewhere[tag.uid])
        return UnknownTagSighted(reader, tag.uid)

    def _with_in_play(self, deck: Deck) -> _Shelf:
        resting = (other for other in self._decks.values() if other.id != deck.id)
        elsewhere = {uid: other.id for other in resting for uid in other.tags_to_cards()}
        return _Shelf(deck, deck.tags_to_cards(), elsewhere)


def _clashes(decks: Iterable[Deck]) -> Iterator[Fault]:
    ids: set[str] = set()
    owners: dict[str, str] = {}
    for deck in decks:
        if deck.id in ids:
            yield Fault("decks", "an id of its own for each deck", f'"{deck.id}" twice')
        ids.add(deck.id)
        for uid, card in deck.tags_to_cards().items():
            if uid in owners:
                yield Fault(f"deck {deck.id}, {card}", "a UID of its own", f'"{uid}", which {owners[uid]} has')
            owners.setdefault(uid, f"{card} of deck {deck.id}")
