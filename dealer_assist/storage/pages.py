"""Pages: some lines of a shoe log as columns. Of every regular round the same facts as its record, of the rest its place."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.application.columns import ABSENT, Rounds, Terms
from dealer_assist.game.dealing import HAND_SIZE

Ints = NDArray[np.int64]
TERMS: Final = ("profile", "reading", "deal", "upcard", "side_bets_after_fold", "unit", "max_payout")
"""The fields of a record that say what its round was played by."""


class Label(NamedTuple):
    """Whose round it was, by name; None where the record is silent. `day`: ISO 8601, UTC."""

    table: str | None
    dealer: str | None
    day: str | None


class Page(NamedTuple):
    """Some lines of a log. Of the n regular rounds: `places` [n] among the lines, `rounds`, and each one's terms and label
    by number, `terms_of` [n] and `labels_of` [n]; terms that can't be are None. `others`: the places of the other lines
    that are not blank.

    `line_at` gives the line at a place, its end included.
    """

    places: Ints
    rounds: Rounds
    terms: Sequence[Terms | None]
    terms_of: Ints
    labels: Sequence[Label]
    labels_of: Ints
    others: Sequence[int]
    line_at: Callable[[int], bytes]


class Read(NamedTuple):
    """What was read of n records, in the order of their `places`: `cells` [n, 4, 9] by seat, its action, three stakes, whether
    it is recorded, four nets; `meters` [n]; amounts as 4 × minor units + decimals. `cards` [n, 25] and how many, `drawn` [n].
    """

    places: Ints
    cells: Ints
    meters: Ints
    cards: NDArray[np.uint8]
    drawn: Ints


class Coded(NamedTuple):
    """A column of few values: numbers [n], and the values that they stand for."""

    numbers: Ints
    values: Sequence[Any]


def page_from(read: Read, terms: Coded, labels: Coded, others: Sequence[int], line_at: Callable[[int], bytes]) -> Page:
    """The page of what was read: a round whose cards or decimals do not fit joins the others. `terms` by field."""
    count = len(read.places)
    cells = read.cells
    stated = [read.meters[:, None], cells[..., 1:4].reshape(count, 12), cells[..., 5:].reshape(count, 16)]
    amounts, digits, whole = _split(np.concatenate(stated, axis=1))
    actions = cells[..., 0].astype(np.uint8)
    whole &= read.drawn == HAND_SIZE * (1 + np.count_nonzero(actions, axis=1))
    whole &= actions.any(axis=1)
    rounds = Rounds(
        cards=read.cards,
        drawn=read.drawn.astype(np.uint8),
        actions=actions,
        stakes=amounts[:, 1:13].reshape(count, 4, 3),
        meter=amounts[:, 0],
        recorded=amounts[:, 13:].reshape(count, 4, 4),
        recorded_seats=(cells[..., 4] << np.arange(4)).sum(axis=1).astype(np.uint8),
    )
    kept = np.flatnonzero(whole)
    written, terms_of = np.unique((4 * terms.numbers + digits)[kept], return_inverse=True)
    return Page(
        places=read.places[kept],
        rounds=chosen(rounds, kept),
        terms=[terms_from(terms.values[number >> 2], int(number) & 3) for number in written],
        terms_of=terms_of,
        labels=labels.values,
        labels_of=labels.numbers[kept],
        others=sorted([*others, *np.delete(read.places, kept).tolist()]),
        line_at=line_at,
    )


def terms_from(values: Sequence[object], digits: int) -> Terms | None:
    """The terms of the fields that `TERMS` names; None where a field has a value that it can't have."""
    try:
        return msgspec.convert({**dict(zip(TERMS, values, strict=True)), "digits": digits}, Terms)
    except msgspec.ValidationError:
        return None


def joined(page: Page, other: Page) -> Page:
    """The page of what stands on either of two; the places mean the same lines."""
    return Page(
        places=np.concatenate([page.places, other.places]),
        rounds=Rounds._make(
            np.concatenate([getattr(each.rounds, name) for each in (page, other)]) for name in Rounds._fields
        ),
        terms=[*page.terms, *other.terms],
        terms_of=np.concatenate([page.terms_of, other.terms_of + len(page.terms)]),
        labels=[*page.labels, *other.labels],
        labels_of=np.concatenate([page.labels_of, other.labels_of + len(page.labels)]),
        others=sorted([*page.others, *other.others]),
        line_at=page.line_at,
    )


def chosen(rounds: Rounds, rows: Ints) -> Rounds:
    """Some of the rounds, by their row, ascending and each once."""
    return rounds if len(rows) == len(rounds.cards) else rounds.some(rows)


def _split(written: Ints) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Amounts [n, k] as `_Amounts` gives them, to minor units, decimals [n], and [n] whether a row's are all the same."""
    stated = written != ABSENT
    digits = np.where(stated, written & 3, 0).max(axis=1, initial=0)
    return np.where(stated, written >> 2, ABSENT), digits, ((written & 3 == digits[:, None]) | ~stated).all(axis=1)


class Days:
    """The day of a round, UTC: of its time, else of its id where that begins with a date."""

    _MOST: Final = 10_000

    def __init__(self) -> None:
        self._known: dict[str, str | None] = {}

    def of(self, time: str | None, id_: str) -> str | None:
        """The day as ISO 8601; None where neither tells it."""
        if time is not None:
            # Almost every time is UTC and says so: then its first ten letters are looked up, and not its moment.
            day = self._day(time[:10] if time[10:11] == "T" and time[-1:] == "Z" else time)
            if day is not None:
                return day
        return self._day(id_[:10])

    def _day(self, text: str) -> str | None:
        try:
            return self._known[text]
        except KeyError:
            if len(self._known) > self._MOST:
                self._known.clear()
            self._known[text] = found = parsed_day(text)
            return found


def parsed_day(text: str) -> str | None:
    """The day of a date or of a moment; None where it is neither."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (moment if moment.tzinfo is None else moment.astimezone(UTC)).date().isoformat()
