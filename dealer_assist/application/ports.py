"""What the rim reports to the table: sightings of cards, faults of readers, coming and going of links.

A sighting says what a device saw, not what it means: `intake` turns it into a command.
"""

from typing import Protocol

import msgspec

from dealer_assist.game.cards import Card


class CardSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a card of the deck in play. `tag`: its UID as sent, or None where the line carried the card's code."""

    reader: str
    card: Card
    tag: str | None = None


class UnknownTagSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a tag that is in no deck file: never a card."""

    reader: str
    tag: str


class OtherDeckSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a card of a known deck that is not in play."""

    reader: str
    tag: str
    deck: str


class BadRead(msgspec.Struct, frozen=True, tag=True):
    """Bytes that are no message: a damaged frame, or noise. `data` as upper-case hex."""

    reader: str
    reason: str
    data: str


class ReaderOnline(msgspec.Struct, frozen=True, tag=True):
    """The link to a reader stands: at the start, and once after each loss."""

    reader: str


class ReaderLost(msgspec.Struct, frozen=True, tag=True):
    """The link to a reader is gone (`reason` in words for a person). Reported once an outage."""

    reader: str
    reason: str


Sighting = CardSighted | UnknownTagSighted | OtherDeckSighted | BadRead | ReaderOnline | ReaderLost


class SightingSink(Protocol):
    """Takes sightings from any thread; never blocks long and never raises."""

    def __call__(self, sighting: Sighting, /) -> None: ...
