"""Rounds as lines of JSON, a hundred thousand at a time: byte for byte what `parquet.lines_of` gives one by one."""

from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numba import njit
from numpy.typing import NDArray

from dealer_assist.application.columns import ABSENT, ACTIONS, CODES, EMPTY, NETS, STAKES, Rounds
from dealer_assist.application.records import UNREAD

Bytes = NDArray[np.uint8]

_LONGEST: Final = 1_500
"""More than all that a round's columns come to."""

_COMMA, _QUOTE, _COLON, _OPENING, _CLOSING, _MINUS, _POINT, _ZERO = b',":{}-.0'


_MOST_DIGITS: Final = 19


def _bytes(text: str) -> Bytes:
    return np.frombuffer(text.encode(), np.uint8)


class _Heads(NamedTuple):
    """The beginnings of n lines, one after another, and where each of them starts, [n + 1]; the decimals of all amounts."""

    text: Bytes
    starts: NDArray[np.int32]
    digits: int


class _Words(NamedTuple):
    """The constant parts of a line. `codes` [256] by card number; what is no card's number was not read."""

    codes: Bytes
    actions: tuple[Bytes, ...]
    seats: tuple[Bytes, ...]
    nets: tuple[Bytes, ...]
    cards: Bytes
    stakes: Bytes
    recorded: Bytes
    meter: Bytes
    end: Bytes


def _words() -> _Words:
    codes = np.tile(_bytes(f'"{UNREAD}"'), (256, 1))
    for number, code in enumerate(CODES):
        codes[number] = _bytes(f'"{code}"')
    return _Words(
        codes=codes,
        actions=tuple(_bytes(f'"action":"{action}"') for action in ACTIONS),
        seats=tuple(_bytes(f'"{bet}":"') for bet in STAKES),
        nets=tuple(_bytes(f'"{bet}":"') for bet in NETS),
        cards=_bytes(',"cards":['),
        stakes=_bytes('],"seats":{'),
        recorded=_bytes('},"recorded":{'),
        meter=_bytes('},"meter":"'),
        end=_bytes("}\n"),
    )


def lines(rounds: Rounds, heads: pa.Array, digits: int) -> tuple[Bytes, NDArray[np.int64]]:
    """The lines of rounds that are all recorded, and where each of them ends.

    `heads`: texts, each line's beginning up to the member before `cards`. `digits`: the decimals of the amounts.
    """
    _, starts, text = heads.buffers()
    beginnings = _Heads(np.frombuffer(text, np.uint8), np.frombuffer(starts, np.int32), digits)
    out = np.empty(len(text) + _LONGEST * len(heads), np.uint8)
    ends = np.empty(len(heads), np.int64)
    _write(rounds, beginnings, _WORDS, out, ends)
    return out[: ends[-1]], ends


_WORDS: Final = _words()


@njit(cache=True, nogil=True)
def _write(rounds: Any, heads: Any, words: Any, out: Any, ends: Any) -> None:
    at, digits = 0, heads.digits
    for row in range(len(rounds.cards)):
        at = _copy(heads.text[heads.starts[row] : heads.starts[row + 1]], out, at)
        at = _copy(words.cards, out, at)
        for place in range(rounds.drawn[row]):
            at = _copy(words.codes[rounds.cards[row, place]], out, _comma(place > 0, out, at))
        at, first = _copy(words.stakes, out, at), True
        for seat in range(4):
            if rounds.actions[row, seat] != EMPTY:
                at, first = _seat(seat, out, _comma(not first, out, at)), False
                at = _copy(words.actions[rounds.actions[row, seat]], out, at)
                at = _amounts(rounds.stakes[row, seat], words.seats, digits, True, out, at)
        at, first = _copy(words.recorded, out, at), True
        for seat in range(4):
            if rounds.recorded_seats[row] >> seat & 1:
                at, first = _seat(seat, out, _comma(not first, out, at)), False
                at = _amounts(rounds.recorded[row, seat], words.nets, digits, False, out, at)
        if rounds.meter[row] != ABSENT:
            at = _copy(words.meter, out, at)
            at = _amount(rounds.meter[row], digits, out, at)
        else:
            out[at] = _CLOSING
            at += 1
        at = _copy(words.end, out, at)
        ends[row] = at


@njit(cache=True, nogil=True)
def _copy(text: Any, out: Any, at: Any) -> Any:
    for letter in text:
        out[at] = letter
        at += 1
    return at


@njit(cache=True, nogil=True)
def _comma(wanted: Any, out: Any, at: Any) -> Any:
    out[at] = _COMMA
    return at + wanted


@njit(cache=True, nogil=True)
def _seat(seat: Any, out: Any, at: Any) -> Any:
    """The key of a seat's object, and its opening."""
    out[at], out[at + 1], out[at + 2], out[at + 3], out[at + 4] = _QUOTE, _ZERO + 1 + seat, _QUOTE, _COLON, _OPENING
    return at + 5


@njit(cache=True, nogil=True)
def _amounts(amounts: Any, names: Any, digits: Any, follow: Any, out: Any, at: Any) -> Any:
    """The amounts that are stated, as the last members of an object; whether they `follow` others."""
    for bet in range(len(amounts)):
        if amounts[bet] != ABSENT:
            at = _copy(names[bet], out, _comma(follow, out, at))
            at, follow = _amount(amounts[bet], digits, out, at), True
    out[at] = _CLOSING
    return at + 1


@njit(cache=True, nogil=True)
def _amount(amount: Any, digits: Any, out: Any, at: Any) -> Any:
    """A decimal string, up to the quote behind it."""
    if amount < 0:
        out[at] = _MINUS
        at, amount = at + 1, -amount
    size, least = digits + 1, np.int64(10) ** (digits + 1)
    while size < _MOST_DIGITS and amount >= least:
        size, least = size + 1, least * 10
    for place in range(size - 1, -1, -1):
        behind = place + (digits > 0 and place >= size - digits)
        out[at + behind] = _ZERO + amount % 10
        amount //= 10
    if digits:
        out[at + size - digits] = _POINT
    at += size + (digits > 0)
    out[at] = _QUOTE
    return at + 1
