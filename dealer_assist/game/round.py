"""One round as it stands: bets, cards at their places, decisions, what has been turned and paid.

A `Round` is immutable; `evolve` makes the next one from an event. Here are its shape and the questions it answers.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import msgspec

from dealer_assist.game.bets import Action, Bets, Decision, Line
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import HAND_SIZE, Place, Seat
from dealer_assist.game.money import Money


class Phase(StrEnum):
    """Where a round stands."""

    bets_open = "bets_open"
    dealing = "dealing"
    decisions = "decisions"
    reveal = "reveal"
    settlement = "settlement"
    closed = "closed"
    void = "void"


OVER: Final = frozenset({Phase.closed, Phase.void})


class Source(StrEnum):
    """How a card came to be known."""

    reader = "reader"
    hand = "hand"
    camera = "camera"
    unread = "unread"


class Draw(msgspec.Struct, frozen=True):
    """One card drawn from the shoe. `card` is None while its face is not known; then `candidates` may narrow it down."""

    card: Card | None
    source: Source
    tag: str | None = None
    candidates: tuple[Card, ...] = ()


class NoticeKind(StrEnum):
    """Odd happenings that a person must look at before the round goes on."""

    unknown_tag = "unknown_tag"
    other_deck = "other_deck"
    read_twice = "read_twice"
    out_of_turn = "out_of_turn"
    reader_lost = "reader_lost"
    reader_back = "reader_back"
    wrong_place = "wrong_place"
    card_moved = "card_moved"
    card_lifted = "card_lifted"
    collision = "collision"
    reader_fault = "reader_fault"
    shoe_empty = "shoe_empty"
    jam = "jam"
    jackpot_signal = "jackpot_signal"


COUNT_FIRST: Final = frozenset({NoticeKind.reader_lost, NoticeKind.reader_back})
"""Notices that are settled by counting the cards on the felt: what the reader missed, nobody knows."""


REMARKS: Final = frozenset({NoticeKind.card_lifted, NoticeKind.reader_fault, NoticeKind.jackpot_signal})
"""Notices that are told and recorded, and stop nothing."""


class Notice(msgspec.Struct, frozen=True):
    """One such happening: when it came up `drawn` cards lay on the felt. `detail`: a tag, a deck, a reason; never a card."""

    id: int
    kind: NoticeKind
    reader: str
    drawn: int
    detail: str = ""
    is_open: bool = True


class Picture(msgspec.Struct, frozen=True):
    """A picture kept as evidence: its file's name, the SHA-256 of its bytes in hex, and the card it is cut out around.

    `card` None: all that the camera saw.
    """

    name: str
    sha256: str
    card: Card | None = None


class Ending(StrEnum):
    """How a dispute ended."""

    upheld = "upheld"  # a person looked, and the record is right
    corrected = "corrected"  # the record was changed, and the camera no longer gainsays it
    dropped = "dropped"  # the hand no longer lies there: the round is over, or was taken back


class Dispute(msgspec.Struct, frozen=True):
    """The camera saw a card in an open hand that the record does not have there: the round is held while it is open.

    `recorded`, `seen`: the hand's open cards by the record and by the camera as it came up, in no order. `fault`: why no
    pictures were kept.
    """

    id: int
    holder: Seat
    recorded: tuple[Card, ...]
    seen: tuple[Card, ...]
    pictures: tuple[Picture, ...] = ()
    fault: str = ""
    ending: Ending | None = None


class Round(msgspec.Struct, frozen=True):
    """A round. Mappings are never changed in place.

    `order`: the place of each card in the order drawn, fixed at lock; `positions`: the same by hand.
    `misplaced`: cards an antenna read where none was due, by the notice that asks about them.
    `hands`: those of which all five cards are known, once every card is dealt.
    `turned`: whose hands are open on the felt; 0 stands for the dealer. `settled`: the lines as paid, by seat.
    `aside`: the jackpot lines as paid, last of all. `corrected`: something already settled may have changed.
    `compared`: whose whole hand was compared with what the camera saw.
    `before`: the round as it was before the last step that can be undone.
    """

    number: str
    opened_at: str
    phase: Phase = Phase.bets_open
    bets: Mapping[Seat, Bets] = {}
    order: tuple[Place, ...] = ()
    positions: Mapping[Seat, tuple[int, ...]] = {}
    draws: tuple[Draw, ...] = ()
    hands: Mapping[Seat, tuple[Card, ...]] = {}
    burned: tuple[int, ...] = ()
    decisions: Mapping[Seat, Decision] = {}
    turned: frozenset[Seat] = frozenset()
    settled: Mapping[Seat, tuple[Line, ...]] = {}
    aside: tuple[Line, ...] | None = None
    meter_at_lock: Money | None = None
    hit_frozen: bool = False
    notices: tuple[Notice, ...] = ()
    seen_out_of_turn: frozenset[str] = frozenset()
    misplaced: Mapping[int, Draw] = {}
    disputes: tuple[Dispute, ...] = ()
    compared: frozenset[Seat] = frozenset()
    void_reason: str | None = None
    unverified: bool = False
    doubled: bool = False
    corrected: bool = False
    before: "Round | None" = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that play, from the dealer's left."""
        return tuple(sorted(self.bets))

    @property
    def placed(self) -> tuple[Draw, ...]:
        """The cards that went to a hand, in the order drawn: `placed[i]` lies at `order[i]`."""
        if not self.burned:
            return self.draws
        return tuple(draw for at, draw in enumerate(self.draws) if at not in self.burned)

    @property
    def next_place(self) -> Place | None:
        """Where the next card goes; None before lock, and when all are dealt."""
        at = len(self.draws) - len(self.burned)
        return self.order[at] if at < len(self.order) else None

    @property
    def open_notices(self) -> tuple[Notice, ...]:
        """What a person must look at."""
        return tuple(notice for notice in self.notices if notice.is_open)

    @property
    def open_disputes(self) -> tuple[Dispute, ...]:
        """Where the camera gainsays the record, and nobody has decided yet."""
        return tuple([dispute for dispute in self.disputes if dispute.ending is None])

    def draw_at(self, place: Place) -> Draw | None:
        """The card drawn to a place; None while it is empty."""
        index = self.index_of(place)
        placed = self.placed
        return placed[index] if index is not None and index < len(placed) else None

    def index_of(self, place: Place) -> int | None:
        """The position of a place in the dealing order; None where the round has no such place."""
        return self.order.index(place) if place in self.order else None

    def draw_index(self, placed: int) -> int:
        """The position among all cards drawn of the `placed`-th one that went to a hand."""
        for burned in sorted(self.burned):
            placed += burned <= placed
        return placed

    def hand(self, holder: Seat) -> tuple[Draw | None, ...]:
        """The five places of a hand in slot order; None where no card lies yet."""
        placed = self.placed
        count = len(placed)
        return tuple(placed[at] if at < count else None for at in self.positions.get(holder, ()))

    def known_hand(self, holder: Seat) -> tuple[Card, ...] | None:
        """The five cards of a hand; None while any of them is not known."""
        found = self.hands.get(holder)
        if found is not None or self.next_place is None:
            return found
        cards = tuple(draw.card for draw in self.hand(holder) if draw is not None and draw.card is not None)
        return cards if len(cards) == HAND_SIZE else None

    def has_folded(self, seat: Seat) -> bool:
        """Whether the seat folded."""
        decision = self.decisions.get(seat)
        return decision is not None and decision.action is Action.fold

    def place_of(self, card: Card) -> Place | None:
        """Where a card lies; None where it is not on the felt. A burned card has no place."""
        return next((place for draw, place in zip(self.placed, self.order, strict=False) if draw.card == card), None)

    def drawn(self, card: Card) -> Draw | None:
        """The draw in which a card left the shoe; None where it has not."""
        for draw in self.draws:
            if draw.card is card:
                return draw
        return None

    def has_drawn(self, card: Card) -> bool:
        """Whether a card has left the shoe in this round."""
        return self.drawn(card) is not None
