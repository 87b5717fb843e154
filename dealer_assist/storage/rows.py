"""Records read one by one into columns: any record that has them, whoever wrote it and whatever else stands in it."""

import struct
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Final, Generic, Literal, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType
from numpy.typing import NDArray

from dealer_assist.application.columns import ABSENT, ACTIONS, BY_RANK, BY_SUIT, MOST_CARDS, NO_CARD
from dealer_assist.application.records import FORMAT
from dealer_assist.game.dealing import HAND_SIZE
from dealer_assist.game.errors import BadAmount
from dealer_assist.game.money import MOST_DIGITS, Money, format_amount, parse_amount
from dealer_assist.game.setup import MaxPayout
from dealer_assist.storage.pages import TERMS, Coded, Days, Ints, Label, Page, Read, page_from

# --- a record, as far as columns go ------------------------------------------------------------------------------------
# Whatever does not fit is no error here: it has no columns, and the live engine tells what is wrong with it, if anything.


class _Bets(msgspec.Struct, gc=False):
    ante: str
    action: str
    bonus: str | None = None
    jackpot: str | None = None
    unit: str | None = None


class _KnownBets(_Bets, forbid_unknown_fields=True, gc=False):
    pass


class _Nets(msgspec.Struct, gc=False, forbid_unknown_fields=True, rename={"raise_bet": "raise"}):
    ante: str | UnsetType = UNSET
    raise_bet: str | UnsetType = UNSET
    bonus: str | UnsetType = UNSET
    jackpot: str | UnsetType = UNSET


B = TypeVar("B", bound=_Bets | _Nets)
_BY_SEAT: Final = {"one": "1", "two": "2", "three": "3", "four": "4"}


class _Seats(msgspec.Struct, Generic[B], gc=False, forbid_unknown_fields=True, rename=_BY_SEAT):
    one: B | UnsetType = UNSET
    two: B | UnsetType = UNSET
    three: B | UnsetType = UNSET
    four: B | UnsetType = UNSET


class Record(msgspec.Struct, Generic[B], gc=False):
    """The fields of a `round/1` record that have columns. `cards` as written: they are read many rounds at a time."""

    format: str
    id: str
    profile: str
    cards: msgspec.Raw
    seats: _Seats[B]
    deal: Literal["single", "packet"] | None = None
    reading: str | None = None
    upcard: Literal["first", "last"] | None = None
    side_bets_after_fold: Literal["stand", "lost"] | None = None
    unit: str | None = None
    meter: str | None = None
    max_payout: str | MaxPayout | None = None
    recorded: _Seats[_Nets] | None = None
    table: str | None = None
    dealer: str | None = None
    time: str | None = None
    deck: str | None = None


class _AnyRecord(Record[_Bets], gc=False):
    """With the fields that have none, so that what is wrong with them is seen here too."""

    void: str | None = None
    burned: tuple[int, ...] = ()
    rulings: tuple[dict[str, object], ...] = ()
    house_decides: tuple[str, ...] | None = None
    unverified: bool = False


class _KnownRecord(Record[_KnownBets], gc=False, forbid_unknown_fields=True):
    pass


AnyRecord = Record[_Bets] | Record[_KnownBets]
NOBODY_RECORDED: Final = _Seats[_Nets]()


_any: Final = msgspec.json.Decoder(_AnyRecord).decode
_known: Final = msgspec.json.Decoder(_KnownRecord).decode


def known_record(line: bytes) -> AnyRecord:
    """The record on a line of which every field has a column. Raises: msgspec.DecodeError, UnicodeDecodeError."""
    return _known(line)


def is_record(line: bytes) -> bool:
    """Whether each field on a line, also one that decides nothing, is of the kind it must be."""
    try:
        _any(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def page_of_records(lines: Iterable[tuple[int, bytes]], line_at: Callable[[int], bytes]) -> Page:
    """The page of some lines and their places, for settling: fields that decide nothing may be any."""
    rows, others = Rows(), []
    for place, line in lines:
        try:
            record = _any(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            if line.strip():
                others.append(place)
            continue
        if record.void is not None or record.burned or record.rulings or not rows.take(place, record):
            others.append(place)
    return rows.page(others, line_at)


class _NoColumns(Exception):
    """A record with something in it that has no column."""


class _Amounts(dict[object, int]):
    """By its text, an amount and how it is written in one number: 4 × minor units + decimals."""

    _MOST: Final = 1 << 17

    def __init__(self) -> None:
        super().__init__({None: ABSENT, UNSET: ABSENT})

    def __missing__(self, text: str) -> int:
        digits = len(text.partition(".")[2])
        amount = parse_amount(text, digits) if digits <= MOST_DIGITS else Money(0)
        if format_amount(amount, min(digits, MOST_DIGITS)) != text:
            raise _NoColumns
        if len(self) > self._MOST:
            self.clear()
            self |= {None: ABSENT, UNSET: ABSENT}
        self[text] = found = 4 * amount + digits
        return found


_five: Final = struct.Struct("5q").pack
_terms: Final = attrgetter(*TERMS)
_NUMBERS: Final = {name: number for number, name in enumerate(ACTIONS) if name}


class Rows:
    """Takes records one by one, and makes a page of them."""

    def __init__(self) -> None:
        self._amounts = _Amounts()
        self._bets = bytearray()
        self._nets = bytearray()
        self._meters: list[int] = []
        self._cards: list[msgspec.Raw] = []
        self._places: list[int] = []
        self._terms: dict[tuple[object, ...], int] = {}
        self._terms_of: list[int] = []
        self._labels: dict[tuple[str | None, str | None, str | None], int] = {}
        self._labels_of: list[int] = []
        self._days = Days()

    def take(self, place: int, record: AnyRecord) -> bool:
        """Take a record, unless it has something in it that has no column. Cards are looked at when the page is made."""
        bets, nets = len(self._bets), len(self._nets)
        try:
            self._take_bets(record)
            if record.recorded is not None:
                self._take_nets(record.recorded)
            meter = self._amounts[record.meter]
        except (_NoColumns, BadAmount, KeyError):
            del self._bets[bets:], self._nets[nets:]
            return False
        self._meters.append(meter)
        self._cards.append(record.cards)
        self._places.append(place)
        terms = _terms(record)
        self._terms_of.append(self._terms.setdefault(terms, len(self._terms)))
        label = (record.table, record.dealer, self._days.of(record.time, record.id))
        self._labels_of.append(self._labels.setdefault(label, len(self._labels)))
        return True

    def _take_bets(self, record: AnyRecord) -> None:
        seats, amounts, cell = record.seats, self._amounts, 4 * len(self._places)
        for bets in (seats.one, seats.two, seats.three, seats.four):
            if bets is not UNSET:
                if bets.unit is not None:
                    raise _NoColumns
                action = _NUMBERS[bets.action]
                self._bets += _five(cell, action, amounts[bets.ante], amounts[bets.bonus], amounts[bets.jackpot])
            cell += 1
        if record.format != FORMAT:
            raise _NoColumns

    def _take_nets(self, recorded: _Seats[_Nets]) -> None:
        amounts, cell = self._amounts, 4 * len(self._places)
        for nets in (recorded.one, recorded.two, recorded.three, recorded.four):
            if nets is not UNSET:
                ante, raised, bonus, jackpot = nets.ante, nets.raise_bet, nets.bonus, nets.jackpot
                self._nets += _five(cell, amounts[ante], amounts[raised], amounts[bonus], amounts[jackpot])
            cell += 1

    def page(self, others: Sequence[int], line_at: Callable[[int], bytes]) -> Page:
        """The page of all that was taken, but what turns out to have no columns: it joins the others."""
        count = len(self._places)
        bets, nets = (np.frombuffer(taken, np.int64).reshape(-1, 5) for taken in (self._bets, self._nets))
        cells = np.full((4 * count, 9), ABSENT)
        cells[:, [0, 4]] = 0
        cells[bets[:, 0], :4] = bets[:, 1:]
        cells[nets[:, 0], 4] = 1
        cells[nets[:, 0], 5:] = nets[:, 1:]
        cards, drawn = _cards(self._cards)
        meters = np.array(self._meters, np.int64)
        read = Read(np.array(self._places, np.int64), cells.reshape(count, 4, 9), meters, cards, drawn)
        terms = Coded(np.array(self._terms_of, np.int64), list(self._terms))
        labels = Coded(np.array(self._labels_of, np.int64), [Label(*label) for label in self._labels])
        return page_from(read, terms, labels, others, line_at)


def _cards(written: Sequence[msgspec.Raw]) -> tuple[NDArray[np.uint8], Ints]:
    """The numbers of cards that are written `["As","Kd",…]`, with or without a space behind each comma, and how many; 0 of
    those written otherwise. All lists of one length are read at once: a byte's place then says what it must be.
    """
    cards, drawn = np.full((len(written), MOST_CARDS), NO_CARD, np.uint8), np.zeros(len(written), np.int64)
    lengths = np.fromiter(map(len, written), np.int64, len(written))
    for count in range(2 * HAND_SIZE, MOST_CARDS + 1, HAND_SIZE):
        for gap in (b",", b", "):
            template = b"[" + gap.join(count * [b'"##"']) + b"]"
            rows = np.flatnonzero(lengths == len(template)).tolist()
            text = np.frombuffer(b"".join([written[row] for row in rows]), np.uint8).reshape(-1, len(template))
            form = np.frombuffer(template, np.uint8)
            step = 4 + len(gap)
            ranks, suits = BY_RANK[text[:, 2::step]], BY_SUIT[text[:, 3::step]]
            fits = ((text == form) | (form == ord("#"))).all(axis=1)
            fits &= (ranks != NO_CARD).all(axis=1) & (suits != NO_CARD).all(axis=1)
            drawn[rows] = np.where(fits, count, 0)
            cards[rows, :count] = ranks + suits
    return cards, drawn
