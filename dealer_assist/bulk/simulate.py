"""Simulated rounds as shoe logs: named, timed, spoilt where that is asked for, and written."""

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple, TypeVar

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dealer_assist.analysis.batch import rules_of
from dealer_assist.analysis.planting import Misread, WrongPayment, misread, pay_wrongly
from dealer_assist.analysis.players import Ints
from dealer_assist.analysis.shuffling import sample, stream
from dealer_assist.analysis.simulate import BATCH, Batch, Plan, course, minds_of
from dealer_assist.analysis.strategies import Minds
from dealer_assist.application.columns import CODES, MOST_CARDS, NETS, NO_CARD, Rounds, Terms
from dealer_assist.application.records import FORMAT, UNREAD
from dealer_assist.bulk.lines import lines
from dealer_assist.game.money import Money, format_amount
from dealer_assist.storage import parquet
from dealer_assist.storage.shoe_logs import Kind, write_lines, written

PART: Final = 10
"""How many batches go into one file of a folder: about a million rounds."""

SHIFT: Final = 8 * 3600
TURN: Final = 1800
"""Dealers change tables every half an hour, and go home after eight hours."""

_DAY: Final = 86_400

_LEVEL: Final = 3  # of compression: a tenth larger than the best, in half the time
_WHERE_WRONG, _HOW_WRONG, _MISREAD = range(2, 5)
_CODES: Final = dict(enumerate(CODES)) | {NO_CARD: UNREAD}
Advance = Callable[[int], None]
T = TypeVar("T")


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate, and what to spoil: the share of rounds that are `misread`, and how many payments are `wrong`."""

    plan: Plan
    misread: float = 0.0
    wrong: int = 0


class PlantedPayment(msgspec.Struct, frozen=True, tag="payment", tag_field="planted"):
    """A payment that is recorded otherwise than is right."""

    id: str
    seat: str
    bet: str
    recorded: str
    right: str
    how: str


class MisreadCard(msgspec.Struct, frozen=True):
    """What was logged at a place in the order drawn, counted from 0, and what lay there."""

    place: int
    logged: str
    lay: str


class PlantedMisread(msgspec.Struct, frozen=True, tag="misread", tag_field="planted"):
    """A round whose cards are logged otherwise than they lay; it is recorded as the cards that lay there pay."""

    id: str
    how: str
    cards: tuple[MisreadCard, ...]


Planted = PlantedPayment | PlantedMisread


class Written(msgspec.Struct, frozen=True):
    """What a simulation wrote, and how many payments and rounds it spoilt."""

    files: tuple[Path, ...]
    payments: int
    misreads: int


def simulate(
    order: Order, out: Path, kind: Kind, *, folder: bool, planted: Path | None = None, advance: Advance = lambda _: None
) -> Written:
    """Write the rounds to one log, table by table; or, table by table too, to logs of a million rounds in a folder.

    What was spoilt is listed in `planted`. What is not whole bears no name that was asked for. Raises: OSError; BadSetting,
    where a profile can't be simulated.
    """
    minds = minds_of(order.plan)
    wrong = sample(stream(order.plan.seed, _WHERE_WRONG, 0), order.plan.rounds, order.wrong)
    tables = [_Table(order, number, minds, wrong) for number in range(order.plan.tables)]
    log = _Log(kind, advance, Event())
    files = (
        _write_folder(log, out, tables) if folder else log.write(out, chain.from_iterable(map(_Table.played, tables)))
    )
    spoilt = [each for table in tables for each in table.planted]
    if planted is not None:
        with written(planted) as partial:
            write_lines(partial, Kind.plain, map(msgspec.json.encode, spoilt))
    payments = sum(isinstance(each, PlantedPayment) for each in spoilt)
    return Written(files, payments, len(spoilt) - payments)


# --- rounds to rows --------------------------------------------------------------------------------------------------


class Named(NamedTuple):
    """n rounds of one table with their texts [n]."""

    terms: Terms
    table: str
    ids: pa.Array
    times: pa.Array
    dealers: pa.Array
    rounds: Rounds


class _Table:
    """One table's rounds as rows, and what was spoilt in those that were made. `wrong`: the rounds of all tables, one after
    the other, that are paid wrongly.
    """

    def __init__(self, order: Order, number: int, minds: Minds, wrong: Ints) -> None:
        plan = order.plan
        self._order, self._number, self._minds = order, number, minds
        self._rules = rules_of(plan.profile, plan.terms)
        self._chip = 10**plan.profile.minor_digits
        self._wrong = wrong - sum(map(plan.rounds_at, range(number)))
        self._how_wrong, self._misread = stream(plan.seed, _HOW_WRONG, number), stream(plan.seed, _MISREAD, number)
        self.name = f"T{number + 1}"
        self.batches = -(-plan.rounds_at(number) // BATCH)
        self.planted: list[Planted] = []

    def played(self) -> Iterator[Named]:
        """Every round, in the order played."""
        done = 0
        for batch in course(self._order.plan, self._number, self._minds):
            named = self._named(batch)
            wrong = self._wrong[(self._wrong >= done) & (self._wrong < done + len(batch.times))] - done
            self._spoil(named, wrong)
            done += len(batch.times)
            yield named

    def _named(self, batch: Batch) -> Named:
        times, crew = batch.times, self._order.plan.tables + 1
        days, of_day = np.unique(times // _DAY, return_inverse=True)
        day = pa.array(np.datetime_as_string(days.astype("datetime64[D]"))).take(of_day)
        clock = _clock().take(times % _DAY)
        dealer = times // SHIFT % 3 * crew + (times // TURN + self._number) % crew
        return Named(
            self._order.plan.terms,
            self.name,
            _text(day, f"/{self.name}/", clock),
            _text(day, "T", clock, "Z"),
            pa.array([f"D{at + 1}" for at in range(3 * crew)]).take(dealer),
            batch.rounds,
        )

    def _spoil(self, named: Named, wrong: Ints) -> None:
        rounds, ids = named.rounds, named.ids
        paid = pay_wrongly(rounds, wrong, self._how_wrong, self._rules, self._chip)
        cards = misread(rounds, self._misread, self._order.misread, packet=self._rules.packet, but=wrong)
        found: list[tuple[int, Planted]] = [(each.at, self._told_payment(each, ids)) for each in paid]
        found += [(each.at, _told_misread(each, rounds, ids)) for each in cards]
        self.planted += [told for _, told in sorted(found, key=itemgetter(0))]

    def _told_payment(self, wrong: WrongPayment, ids: pa.Array) -> PlantedPayment:
        digits = self._order.plan.profile.minor_digits
        recorded, right = (format_amount(Money(amount), digits) for amount in (wrong.recorded, wrong.right))
        return PlantedPayment(
            ids[wrong.at].as_py(), str(wrong.seat + 1), NETS[wrong.bet], recorded, right, wrong.how.value
        )


def _told_misread(found: Misread, rounds: Rounds, ids: pa.Array) -> PlantedMisread:
    logged = rounds.cards[found.at]
    cards = (MisreadCard(place, _CODES[int(logged[place])], _CODES[lay]) for place, lay in found.lay.items())
    return PlantedMisread(ids[found.at].as_py(), found.how.value, tuple(cards))


@cache
def _clock() -> pa.Array:
    """Every second of a day as HH:MM:SS."""
    return pa.array([f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}" for at in range(_DAY)])


def _text(*parts: object) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


# --- rounds to files -------------------------------------------------------------------------------------------------


class _Stopped(Exception):
    """The rest of a simulation came to nothing."""


class _Log(NamedTuple):
    """How logs are written. In memory are the rounds of two batches at once. `over`: nothing more is to be written."""

    kind: Kind
    advance: Advance
    over: Event

    def write(self, path: Path, played: Iterator[Named]) -> tuple[Path, ...]:
        """One whole log, or none."""
        made = _rows if self.kind is Kind.parquet else _block
        with written(path) as partial, ThreadPoolExecutor(1) as pool:
            source = self._counted(_made_ahead(((len(named.ids), made(named)) for named in played), pool))
            if self.kind is Kind.parquet:
                parquet.write_rows(partial, source, _LEVEL)
            else:
                write_lines(partial, self.kind, source)
        return (path,)

    def _counted(self, source: Iterator[tuple[int, T]]) -> Iterator[T]:
        for count, made in source:
            if self.over.is_set():
                raise _Stopped
            yield made
            self.advance(count)


def _block(named: Named) -> bytes:
    """The lines one after another, without the last one's end."""
    return lines(named.rounds, _heads(named), named.terms.digits)[0][:-1].tobytes()


def _heads(named: Named) -> pa.Array:
    """The lines' beginnings, up to the cards."""
    known = {"profile": named.terms.profile, "reading": named.terms.reading, "table": named.table}
    members = msgspec.json.encode({name: text for name, text in known.items() if text is not None}).decode()[1:-1]
    middle = f'",{members},"dealer":"'
    return _text(f'{{"format":"{FORMAT}","id":"', named.ids, middle, named.dealers, '","time":"', named.times, '"')


def _rows(named: Named) -> pa.Table:
    """The rows; those with an unread card as the lines that they can only be."""
    count = len(named.ids)
    texts = {"id": named.ids, "time": named.times, "dealer": named.dealers}
    known = {"profile": named.terms.profile, "reading": named.terms.reading, "table": named.table}
    same = {name: pa.repeat(pa.scalar(text, pa.string()), count) for name, text in known.items()}
    digits = np.full(count, named.terms.digits, np.uint8)
    rows = parquet.rows_of(named.rounds, {**texts, **same, "digits": digits})
    places = np.arange(MOST_CARDS) < named.rounds.drawn[:, None]
    unread = ((named.rounds.cards == NO_CARD) & places).any(axis=1)
    if not unread.any():
        return rows
    text, ends = lines(named.rounds, _heads(named), named.terms.digits)
    starts = np.concatenate([[0], ends])
    kept = parquet.table_of([text[starts[at] : ends[at]].tobytes() for at in np.flatnonzero(unread)])
    order = np.argsort(np.concatenate([np.flatnonzero(~unread), np.flatnonzero(unread)]))
    return pa.concat_tables([rows.filter(pa.array(~unread)), kept]).take(order)


def _made_ahead(items: Iterator[T], pool: ThreadPoolExecutor) -> Iterator[T]:
    """Each item, while the next is being made."""
    coming = pool.submit(next, items, None)
    while (found := coming.result()) is not None:
        coming = pool.submit(next, items, None)
        yield found


def _write_folder(log: _Log, out: Path, tables: list[_Table]) -> tuple[Path, ...]:
    """The files of all tables, several at a time; the folder gets its name when all of them are whole."""
    partial = out.with_name(f"{out.name}.partial")
    partial.mkdir()
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                found = list(pool.map(lambda table: _write_table(log, partial, table), tables))
            finally:
                log.over.set()
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return tuple(out / name for names in found for name in names)


def _write_table(log: _Log, folder: Path, table: _Table) -> list[str]:
    played, files = table.played(), []
    for part in range(1, -(-table.batches // PART) + 1):
        files.append(f"{table.name}-{part:04}.{log.kind}")
        log.write(folder / files[-1], islice(played, PART))
    return files
