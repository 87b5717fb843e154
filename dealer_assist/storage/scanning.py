"""A compiled reader of shoe logs: it reads records as this program, and most others, write them.

It takes a line only where it is sure what a JSON parser would make of it: plain strings, fields that it knows, each of them
once. Every other line it leaves alone, which costs time and nothing else.

A position is an index into the text, -1 where the line is not taken. Every line ends with a newline, which is in no token:
so no loop runs beyond it.
"""

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dealer_assist.application.columns import ABSENT, ACTIONS, BY_RANK, BY_SUIT, MOST_CARDS, NETS, NO_CARD, STAKES
from dealer_assist.application.records import FORMAT

FIELDS: Final = (
    "profile", "reading", "deal", "upcard", "side_bets_after_fold", "unit", "max_payout", "table", "dealer", "time", "id",
    "deck", "format", "meter", "cards", "seats", "recorded",
)  # fmt: skip
"""A field's number is its place here; the first `TEXTS` hold plain text."""

TEXTS: Final = 12
_FORMAT, _METER, _CARDS, _SEATS, _RECORDED = range(TEXTS, len(FIELDS))
_REQUIRED: Final = sum(1 << FIELDS.index(name) for name in ("format", "id", "profile", "cards", "seats"))

# What is read of a line, one number each. A cell is a seat's: its action, three stakes, whether it is recorded, four nets.
CELL: Final = 9
ACTION, STAKE, IS_RECORDED, NET = 0, 1, 4, 5
METER: Final = 4 * CELL
DRAWN: Final = METER + 1
CARDS: Final = DRAWN + 1
SPANS: Final = CARDS + MOST_CARDS
TAKEN: Final = SPANS + 2 * TEXTS
WIDTH: Final = TAKEN + 1

_NEWLINE, _SPACE, _QUOTE, _COMMA, _MINUS, _POINT, _ZERO, _ONE, _NINE = b'\n ",-.019'
_OPEN, _CLOSE, _OPEN_LIST, _CLOSE_LIST, _COLON, _ESCAPE, _DELETE = b"{}[]:\\\x7f"
_MOST_DIGITS: Final = 15
_MOST_DECIMALS: Final = 3

_WORDS: Final = (*FIELDS, "action", *STAKES, *NETS, *ACTIONS[1:], FORMAT)
_AMONG_FIELDS: Final = (0, len(FIELDS))
_AMONG_BETS: Final = (_AMONG_FIELDS[1], _AMONG_FIELDS[1] + 1 + len(STAKES))
_AMONG_NETS: Final = (_AMONG_BETS[1], _AMONG_BETS[1] + len(NETS))
_AMONG_ACTIONS: Final = (_AMONG_NETS[1], _AMONG_NETS[1] + len(ACTIONS) - 1)
_AMONG_FORMATS: Final = (_AMONG_ACTIONS[1], _AMONG_ACTIONS[1] + 1)
_LENGTHS: Final = np.array([len(word) for word in _WORDS])
_LETTERS: Final = np.array([list(word.encode().ljust(24)) for word in _WORDS], np.uint8)


def scan(text: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Read the lines that begin at `starts`, of a text that ends with a newline: `[n, WIDTH]`.

    Amounts are 4 × minor units + decimals; a text field goes from where to where, 0 and 0 where it is not there. A line that
    was not taken has 0 at `TAKEN`, and nothing that holds elsewhere.
    """
    out = np.full((len(starts), WIDTH), ABSENT)
    out[:, [*range(ACTION, METER, CELL), *range(IS_RECORDED, METER, CELL), DRAWN]] = 0
    out[:, CARDS:SPANS] = NO_CARD
    out[:, SPANS:] = 0
    _scan(text, starts, out)
    return out


@njit(cache=True, nogil=True)
def _scan(text: Any, starts: Any, out: Any) -> None:
    for row in range(len(starts)):
        at = _record(text, starts[row], out, row)
        out[row, TAKEN] = at >= 0 and text[_blank(text, at)] == _NEWLINE


@njit(cache=True, nogil=True)
def _record(text: Any, at: Any, out: Any, row: Any) -> Any:
    """Behind the object of a record."""
    seen = 0
    more, at = _first(text, at)
    while more:
        field, at = _key(text, at, _AMONG_FIELDS)
        if field < 0 or seen >> field & 1:
            return -1
        seen |= 1 << field
        at = _value(text, at, out, row, field)
        more, at = _next(text, at)
    return at if seen & _REQUIRED == _REQUIRED else -1


@njit(cache=True, nogil=True)
def _value(text: Any, at: Any, out: Any, row: Any, field: Any) -> Any:
    """Behind the value of one of a record's fields."""
    if field == _CARDS:
        return _cards(text, at, out, row)
    if field in (_SEATS, _RECORDED):
        return _seats(text, at, out, row, field == _SEATS)
    end = _string(text, at)
    if end < 0:
        return -1
    if field == _FORMAT:
        return end + 1 if _word(text, at + 1, end, _AMONG_FORMATS) == 0 else -1
    if field == _METER:
        out[row, METER] = _amount(text, at + 1, end)
        return end + 1 if out[row, METER] != ABSENT else -1
    out[row, SPANS + 2 * field], out[row, SPANS + 2 * field + 1] = at + 1, end
    return end + 1


@njit(cache=True, nogil=True)
def _seats(text: Any, at: Any, out: Any, row: Any, bets: Any) -> Any:
    """Behind an object by seat: of bets, or of nets."""
    more, at = _first(text, at)
    while more:
        end = _string(text, at)
        if end != at + 2:
            return -1
        seat = np.int64(text[at + 1]) - _ONE
        if not 0 <= seat < 4:
            return -1
        at = _colon(text, end + 1)
        at = _bets(text, at, out, row, seat * CELL) if bets else _nets(text, at, out, row, seat * CELL)
        more, at = _next(text, at)
    return at


@njit(cache=True, nogil=True)
def _bets(text: Any, at: Any, out: Any, row: Any, cell: Any) -> Any:
    """Behind what one seat bet and did."""
    if out[row, cell + ACTION]:
        return -1
    more, at = _first(text, at)
    while more:
        name, at = _key(text, at, _AMONG_BETS)
        end = _string(text, at)
        if name < 0 or end < 0:
            return -1
        if name == 0:
            is_first, found = out[row, cell] == 0, 1 + _word(text, at + 1, end, _AMONG_ACTIONS)
        else:
            is_first, found = out[row, cell + name] == ABSENT, _amount(text, at + 1, end)
        if not is_first or found == ABSENT or (name == 0 and found == 0):
            return -1
        out[row, cell + name] = found
        more, at = _next(text, end + 1)
    return at if out[row, cell + ACTION] and out[row, cell + STAKE] != ABSENT else -1


@njit(cache=True, nogil=True)
def _nets(text: Any, at: Any, out: Any, row: Any, cell: Any) -> Any:
    """Behind what one seat is recorded to have won."""
    if out[row, cell + IS_RECORDED]:
        return -1
    out[row, cell + IS_RECORDED] = 1
    more, at = _first(text, at)
    while more:
        name, at = _key(text, at, _AMONG_NETS)
        end = _string(text, at)
        if name < 0 or end < 0 or out[row, cell + NET + name] != ABSENT:
            return -1
        found = _amount(text, at + 1, end)
        if found == ABSENT:
            return -1
        out[row, cell + NET + name] = found
        more, at = _next(text, end + 1)
    return at


@njit(cache=True, nogil=True)
def _cards(text: Any, at: Any, out: Any, row: Any) -> Any:
    """Behind the list of cards."""
    if at < 0 or text[at] != _OPEN_LIST:
        return -1
    for count in range(MOST_CARDS):
        at = _blank(text, at + 1)
        end = _string(text, at)
        if end != at + 3:
            return -1
        rank, suit = BY_RANK[text[at + 1]], BY_SUIT[text[at + 2]]
        if NO_CARD in (rank, suit):
            return -1
        out[row, CARDS + count] = rank + suit
        at = _blank(text, end + 1)
        if text[at] == _CLOSE_LIST:
            out[row, DRAWN] = count + 1
            return at + 1
        if text[at] != _COMMA:
            return -1
    return -1


# --- tokens ----------------------------------------------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def _blank(text: Any, at: Any) -> Any:
    """Behind spaces."""
    while text[at] == _SPACE:
        at += 1
    return at


@njit(cache=True, nogil=True)
def _first(text: Any, at: Any) -> Any:
    """Whether an object has a member, and where it begins; else behind the object."""
    if at < 0 or text[at] != _OPEN:
        return False, -1
    at = _blank(text, at + 1)
    return (False, at + 1) if text[at] == _CLOSE else (True, at)


@njit(cache=True, nogil=True)
def _next(text: Any, at: Any) -> Any:
    """Behind a member: whether an object has another one, and where it begins; else behind the object."""
    if at < 0:
        return False, -1
    at = _blank(text, at)
    if text[at] == _COMMA:
        return True, _blank(text, at + 1)
    return False, at + 1 if text[at] == _CLOSE else -1


@njit(cache=True, nogil=True)
def _string(text: Any, at: Any) -> Any:
    """At the closing quote of a string of plain letters that begins here."""
    if at < 0 or text[at] != _QUOTE:
        return -1
    at += 1
    while text[at] != _QUOTE:
        if text[at] < _SPACE or text[at] == _ESCAPE or text[at] >= _DELETE:
            return -1
        at += 1
    return at


@njit(cache=True, nogil=True)
def _colon(text: Any, at: Any) -> Any:
    """Behind a colon, at the value."""
    at = _blank(text, at)
    return _blank(text, at + 1) if text[at] == _COLON else -1


@njit(cache=True, nogil=True)
def _key(text: Any, at: Any, among: Any) -> Any:
    """Which of some words a key is, -1 for none, and where its value begins."""
    end = _string(text, at)
    if end < 0:
        return -1, -1
    return _word(text, at + 1, end, among), _colon(text, end + 1)


@njit(cache=True, nogil=True)
def _word(text: Any, start: Any, end: Any, among: Any) -> Any:
    """Which of some words stands there, counted from the first of them; -1 for none."""
    for number in range(among[0], among[1]):
        if _LENGTHS[number] == end - start:
            same = True
            for letter in range(end - start):
                same &= text[start + letter] == _LETTERS[number, letter]
            if same:
                return number - among[0]
    return -1


@njit(cache=True, nogil=True)
def _amount(text: Any, start: Any, end: Any) -> Any:
    """4 × minor units + decimals of an amount; ABSENT where it is none, or is not as it would be written."""
    first = start + (text[start] == _MINUS)
    units, whole, decimals, point = 0, 0, 0, False
    for at in range(first, end):
        if _ZERO <= text[at] <= _NINE:
            units = 10 * units + (text[at] - _ZERO)
            whole, decimals = whole + (not point), decimals + point
        elif text[at] == _POINT and not point:
            point = True
        else:
            return ABSENT
        if whole > _MOST_DIGITS or decimals > _MOST_DECIMALS:
            return ABSENT
    leading = whole > 1 and text[first] == _ZERO
    if whole == 0 or leading or point != (decimals > 0) or (first > start and units == 0):
        return ABSENT
    return 4 * (-units if first > start else units) + decimals


# --- what is alike ---------------------------------------------------------------------------------------------------------


@njit(cache=True, nogil=True)
def different(text: Any, spans: Any) -> Any:
    """Of rows of texts, spans [n, k, 2], the first of each kind, and for each row which kind it is, [n]."""
    size = 4
    while size < 2 * len(spans):
        size *= 2
    slots, firsts, kinds = np.full(size, -1), np.empty(len(spans), np.int64), np.empty(len(spans), np.int64)
    count = 0
    for row in range(len(spans)):
        slot = _hash(text, spans[row]) & (size - 1)
        while slots[slot] >= 0 and not _same(text, spans[firsts[slots[slot]]], spans[row]):
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot], firsts[count] = count, row
            count += 1
        kinds[row] = slots[slot]
    return firsts[:count], kinds


@njit(cache=True, nogil=True)
def _hash(text: Any, spans: Any) -> Any:
    mixed = np.uint64(14695981039346656037)
    for field in range(len(spans)):
        for at in range(spans[field, 0], spans[field, 1]):
            mixed = (mixed ^ np.uint64(text[at])) * np.uint64(1099511628211)
        mixed = (mixed ^ np.uint64(spans[field, 1] - spans[field, 0])) * np.uint64(1099511628211)
    return np.int64(mixed >> np.uint64(20))


@njit(cache=True, nogil=True)
def _same(text: Any, one: Any, other: Any) -> Any:
    for field in range(len(one)):
        length = one[field, 1] - one[field, 0]
        if length != other[field, 1] - other[field, 0] or (one[field, 0] == 0) != (other[field, 0] == 0):
            return False
        for at in range(length):
            if text[one[field, 0] + at] != text[other[field, 0] + at]:
                return False
    return True
