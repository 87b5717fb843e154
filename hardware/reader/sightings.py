"""What one reader's messages mean, in the deck in play and at the reader's place.

                     shoe                  seat                               discard
    tag, card        CardSighted           CardSighted with its seat          CardDiscarded
    … of `lifted`    nothing               CardLifted                         nothing
    none, twice      nothing               CardLifted, once a card            nothing
    collision        CollisionSighted, once until something else is read
    error            ReaderFault, once until the reader answers well
    signal           SignalSighted; never a card, whatever else the line says
    damage, noise, an unknown antenna      BadRead, and nothing else

Each read is reported, repeats included: whether a repeat is a new card is the table's business, not the reader's.
"""

from collections.abc import Iterator
from typing import Final, assert_never

import structlog

from dealer_assist.application.ports import (
    BadRead,
    CardDiscarded,
    CardLifted,
    CardSighted,
    CollisionSighted,
    ReaderFault,
    Sighting,
    SignalSighted,
)
from dealer_assist.game.cards import Card
from hardware.reader.deck import DeckBook
from hardware.reader.messages import (
    Answer,
    BadFrame,
    CardCode,
    Collision,
    Echo,
    Heartbeat,
    Message,
    Noise,
    NoTag,
    Notice,
    ReaderError,
    Tag,
)
from hardware.reader.places import Place, Role, UnknownAntenna

SIGNALS: Final = ("jackpot", "shoe_empty", "jam")  # events that are about no card
LIFTED: Final = "lifted"  # the event of a card that leaves its antenna
NONE_IN_A_ROW: Final = 2  # polls that must see nothing before a card counts as gone: a read may fail once


class Interpreter:
    """Turns messages into sightings; one a reader, since it remembers what lies there. For one thread at a time."""

    def __init__(self, reader: str, decks: DeckBook, place: Place) -> None:
        self._reader: Final = reader
        self._decks: Final = decks
        self._place: Final = place
        self._lying: dict[Card, int] = {}  # cards at a seat's antenna, in the order they came, and the seat
        self._nones = 0
        self._condition: Message | None = None  # a collision or an error that holds on
        self._log = structlog.get_logger(__name__).bind(reader=reader)

    def sightings(self, message: Message) -> list[Sighting]:
        """What a message means; nothing for what is about no card."""
        try:
            return list(self._read(message))
        except UnknownAntenna as unknown:
            return [BadRead(self._reader, str(unknown), "")]

    def _read(self, message: Message) -> Iterator[Sighting]:
        match message:
            case Tag() | CardCode() | Notice():
                yield from self._told(message)
            case NoTag():
                yield from self._none()
            case Collision():
                self._nones = 0
                if self._begins(message):
                    yield CollisionSighted(self._reader, self._place.seat(None))
            case ReaderError(code=code):
                if self._begins(message):
                    yield ReaderFault(self._reader, f"the reader reports error {code}")
            case BadFrame(reason=reason, data=data):
                yield BadRead(self._reader, reason, data.hex().upper())
            case Noise(data=data):
                yield BadRead(self._reader, "noise outside any frame", data.hex().upper())
            case Answer() | Echo() | Heartbeat():
                pass
            case _:
                assert_never(message)

    def _told(self, message: Tag | CardCode | Notice) -> Iterator[Sighting]:
        seat = self._place.seat(message.seat)
        event = None if message.event is None else message.event.strip().lower()
        self._nones, self._condition = 0, None
        if event in SIGNALS:
            yield SignalSighted(self._reader, event, seat)
        elif isinstance(message, Notice):
            yield from self._noticed(message.event, event == LIFTED, seat)
        else:
            found = self._found(message, seat)
            if not isinstance(found, CardSighted):
                yield found
            elif event == LIFTED:
                yield from self._lifted(found.card, seat)
            else:
                yield self._at_its_place(found)

    def _noticed(self, word: str, lifted: bool, seat: int | None) -> Iterator[Sighting]:
        if not lifted:
            self._log.info("notice", word=word, seat=seat)
            yield SignalSighted(self._reader, word, seat)
        elif seat is not None and self._place.role == Role.seat:
            cards = [card for card, at in self._lying.items() if at == seat]
            for card in cards or (None,):
                yield from self._lifted(card, seat)

    def _found(self, message: Tag | CardCode, seat: int | None) -> Sighting:
        if isinstance(message, CardCode):
            return CardSighted(self._reader, message.card, message.uid, seat)
        return self._decks.sighting(self._reader, message, seat)

    def _at_its_place(self, sighted: CardSighted) -> Sighting:
        if self._place.role == Role.discard:
            return CardDiscarded(sighted.reader, sighted.card, sighted.tag)
        if self._place.role == Role.seat and sighted.seat is not None:
            self._lying[sighted.card] = sighted.seat
        return sighted

    def _lifted(self, card: Card | None, seat: int | None) -> Iterator[Sighting]:
        if card is not None:
            self._lying.pop(card, None)
        if seat is not None and self._place.role == Role.seat:
            yield CardLifted(self._reader, card, seat)

    def _none(self) -> Iterator[Sighting]:
        self._condition = None
        self._nones += 1
        if self._nones == NONE_IN_A_ROW:
            for card, seat in list(self._lying.items()):
                yield from self._lifted(card, seat)

    def _begins(self, condition: Message) -> bool:
        """Whether a condition is new: one that holds on comes with every poll."""
        before, self._condition = self._condition, condition
        return before != condition
