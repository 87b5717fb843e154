"""Deck files, and the book of decks that says which card a tag is.

A deck file (TOML) names each of the 52 cards' tags:

    id = "demo-red"
    name = "Demo deck with a red back"
    back = "red"
    uid_form = "hex"            how UIDs are written below; stated, never guessed
    byte_order = "as-sent"      their bytes in the order the reader sends them

    [cards]
    As = "0406B9020A5481"
    Kd = ["04A1B2C3D4E5F6", "04A1B2C3D4E5F7"]     a card may carry two tags
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

import msgspec

from dealer_assist.application.ports import CardSighted, OtherDeckSighted, UnknownTagSighted
from dealer_assist.game.cards import DECK, Card
from hardware.reader.errors import BadDeck, Fault
from hardware.reader.messages import Tag

TAGS_PER_CARD: Final = 2  # at most
_UID: Final = re.compile(r"(?:[0-9A-F]{2})+")


class Deck(msgspec.Struct, frozen=True):
    """A deck of 52 tagged cards. `tags`: the UIDs of each card, one or two; no UID belongs to two cards."""

    id: str
    name: str
    back: str
    tags: Mapping[Card, tuple[str, ...]]

    def tags_to_cards(self) -> dict[str, Card]:
        """Each UID of the deck and its card."""
        return {uid: card for card, uids in self.tags.items() for uid in uids}


class _DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    back: str
    uid_form: Literal["hex"]
    byte_order: Literal["as-sent"]
    cards: dict[str, str | list[str]]


def load_deck(path: Path) -> Deck:
    """The deck of a deck file.

    Raises: BadDeck, naming the file and every fault in it by its place.
    """
    try:
        content = msgspec.toml.decode(path.read_bytes(), type=_DeckFile)
    except OSError as error:
        raise BadDeck(Fault(str(path), "a deck file that can be read", str(error.strerror))) from None
    except msgspec.ValidationError as error:
        raise BadDeck(Fault(str(path), "the keys and types of a deck file", str(error))) from None
    except (ValueError, RecursionError) as error:
        raise BadDeck(Fault(str(path), "TOML in UTF-8", str(error))) from None
    written = {code: (uids,) if isinstance(uids, str) else tuple(uids) for code, uids in content.cards.items()}
    faults = tuple(_faults(str(path), written))
    if faults:
        raise BadDeck(*faults)
    tags = {card: written[card] for card in DECK}
    return Deck(content.id, content.name, content.back, tags)


def _faults(file: str, cards: Mapping[str, tuple[str, ...]]) -> Iterator[Fault]:
    for code in (code for code in cards if code not in DECK):
        yield Fault(f"{file}, cards.{code}", 'a card code like "As" or "Td"', f'"{code}"')
    owners: dict[str, str] = {}
    for card in DECK:
        place = f"{file}, cards.{card}"
        if card not in cards:
            yield Fault(place, "a UID for each of the 52 cards", "nothing")
            continue
        if not 1 <= len(cards[card]) <= TAGS_PER_CARD:
            yield Fault(place, f"one to {TAGS_PER_CARD} UIDs", str(len(cards[card])))
        for uid in cards[card]:
            if not _UID.fullmatch(uid):
                yield Fault(place, "a UID in upper-case hex with an even number of digits", f'"{uid}"')
            if uid in owners:
                yield Fault(place, "a UID of its own", f'"{uid}", which {owners[uid]} has')
            owners.setdefault(uid, card)


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
    def in_play(self) -> Deck:
        return self._shelf.in_play

    def put_into_play(self, deck_id: str) -> None:
        """Brings the deck of this id into play; the one before rests.

        Raises: BadDeck, for an id that is not in the book.
        """
        if deck_id not in self._decks:
            raise BadDeck(Fault("deck in play", "one of " + ", ".join(self._decks), f'"{deck_id}"'))
        self._shelf = self._with_in_play(self._decks[deck_id])

    def sighting(self, reader: str, tag: Tag) -> CardSighted | OtherDeckSighted | UnknownTagSighted:
        """What the tag is: a card of the deck in play, one of another deck, or unknown (never a card)."""
        shelf = self._shelf  # one look, so that a switch in between can't mix two moments
        if tag.uid in shelf.cards:
            return CardSighted(reader, shelf.cards[tag.uid], tag.uid)
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
