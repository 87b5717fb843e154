"""A live log out of records: each round's commands decided and logged again, as a table would have."""

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.application.export import record_of
from dealer_assist.application.records import Fault, RoundRecord, SeatRecord, Unreadable, read_record
from dealer_assist.application.replay import Played, dealt, meter_of, outcome_of, set_up
from dealer_assist.application.service import Stamped
from dealer_assist.game import commands as cmd
from dealer_assist.game.decide import decide
from dealer_assist.game.errors import GameError
from dealer_assist.game.events import Event, MeterSeeded, RoundOpened, TableOpened
from dealer_assist.game.evolve import evolve
from dealer_assist.game.money import Money, parse_amount
from dealer_assist.game.paying import paid_in_paying_order
from dealer_assist.game.setup import TableSetup
from dealer_assist.game.table import Table
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.profiles import UnknownName, load_profile
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog

_ACTOR: Final = "convert"
_NUMBER: Final = re.compile(r"(\d{4}-\d\d-\d\d)/([A-Za-z0-9_.-]{1,16})/(\d\d:\d\d:\d\d)(?:/([1-9]\d*))?", re.ASCII)
"""A game number, as a table gives it: date, table, time, and which round of that second."""

_SETUP: Final = ("profile", "reading", "deal", "upcard", "side_bets_after_fold", "unit", "max_payout", "table")


class NotOneTable(Exception):
    """A line that no live log of the rounds before it can take: its place, and why."""


class Made(msgspec.Struct, frozen=True):
    """What became a log, and how often each field had something that a log does not keep."""

    rounds: int
    left_out: dict[str, int]


@contextmanager
def new_folder(path: Path) -> Iterator[DataFolder]:
    """A data folder that is at `path` when it is whole, and nowhere before."""
    partial = path.with_name(f"{path.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        folder = DataFolder(partial)
        yield folder
        with folder.log.open("rb") as log:
            os.fsync(log.fileno())
        partial.replace(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def make_log(folder: DataFolder, lines: Iterable[tuple[str, bytes]]) -> Made:
    """Fill a new folder's log with the rounds of lines, each with its place. Raises: NotOneTable."""
    log = SqliteLog(folder.log, Seal(folder.key("seal")), durable=False)
    maker = _Maker(log)
    try:
        for place, line in lines:
            try:
                maker.take(line)
            except (Unreadable, Fault, UnknownName, GameError, NotOneTable) as error:
                raise NotOneTable(f"{place}: {error}") from None
    finally:
        log.close()
    return Made(maker.rounds, dict(maker.left_out))


class _Maker:
    """A table that is dealt the rounds of records."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._first: RoundRecord | None = None
        self._table: Table | None = None
        self._last = ("", "", 0)
        self.rounds = 0
        self.left_out: Counter[str] = Counter()

    def take(self, line: bytes) -> None:
        """Log one round, all of it or nothing. Raises: NotOneTable; Unreadable, Fault, UnknownName, GameError."""
        record = read_record(line)
        number = self._number(record)
        self._require_same_setup(record)
        table, events = self._opened(record, number[2])
        at = record.time or f"{number[1]}T{number[3]}Z"

        def after(table: Table, command: cmd.Command) -> Table:
            if isinstance(command, cmd.LockBets) and _ended_before_lock(record):
                return table
            for event in decide(table, command, cmd.Stamp(at, _ACTOR, _ACTOR)):
                if isinstance(event, RoundOpened):
                    event = RoundOpened(record.id, at)  # noqa: PLW2901  the number it had then
                events.append(event)
                table = evolve(table, event)
            return table

        if record.unverified:  # what makes a round so is a reader that is away
            table = after(table, cmd.ReportReaderLost(_ACTOR, "the round was logged as unverified"))
        table = dealt(table, record, after)
        _require_paid_by_rules(record, table)
        if record.unverified:
            table = after(table, cmd.ReportReaderBack(_ACTOR))
        for hit in table.pending_hits:
            table = after(table, cmd.PayHit(hit.number))
        self._log.append(events, Stamped(at, _ACTOR))
        self._table, self._last = table, _order(number)
        self.rounds += 1
        self.left_out.update(_left_out(line, record, table))

    def _number(self, record: RoundRecord) -> "re.Match[str]":
        """The round's number, in its parts. Raises: NotOneTable, where no table gives it, or not after those before."""
        number = _NUMBER.fullmatch(record.id)
        if number is None:
            raise NotOneTable(f'id: expected a game number like "2026-11-30/T7/20:14:03", found "{record.id}"')
        if _order(number) <= self._last:
            raise NotOneTable(f"id: expected a later game number than that of the round before, found {record.id}")
        return number

    def _require_same_setup(self, record: RoundRecord) -> None:
        """Raises: NotOneTable, where a round was played otherwise than those before."""
        first = self._first = self._first or record
        for name in _SETUP:
            was, found = getattr(first, name), getattr(record, name)
            if was != found:
                raise NotOneTable(f"{name}: expected {was!r} as in the rounds before, found {found!r}")

    def _opened(self, record: RoundRecord, name: str) -> tuple[Table, list[Event]]:
        """The table before the round, and what led to it: its opening, and where its meter stands otherwise, that."""
        profile = load_profile(record.profile, record.reading)
        setup = msgspec.structs.replace(set_up(record, profile), table=record.table or name)
        table, events = self._table, list[Event]()
        meter = None if _ended_before_lock(record) else meter_of(setup, record)
        had = None if table is None else table.meter
        if meter is None and had is not None and not _ended_before_lock(record):
            raise NotOneTable("meter: expected the jackpot at lock, as in the rounds before, found none")
        if meter is not None:
            rate = profile.jackpot.contribution if profile.jackpot else None
            fed = (rate or 0) * sum(_jackpot(bets, setup) for bets in record.seats.values())
            short = Money(meter.shown - int(((had.exact if had else 0) + fed) // 1))
            setup = msgspec.structs.replace(setup, seed=short, contribution=rate)
            if short or had is None:
                events = [TableOpened(setup), MeterSeeded(short)]
        if table is None and not events:
            events = [TableOpened(setup)]
        for event in events:
            table = evolve(table, event)
        assert table is not None
        return table, events


def _order(number: "re.Match[str]") -> tuple[str, str, int]:
    """Of two game numbers the later one is greater."""
    return number[1], number[3], int(number[4] or 1)


def _ended_before_lock(record: RoundRecord) -> bool:
    """Whether a round was void before the bets were locked: then no meter stands in its record."""
    return record.void is not None and not record.cards and record.meter is None


def _jackpot(bets: SeatRecord, setup: TableSetup) -> Money:
    return Money(0) if bets.jackpot is None else parse_amount(bets.jackpot, setup.minor_digits)


def _require_paid_by_rules(record: RoundRecord, table: Table) -> None:
    """Raises: NotOneTable, where a round was paid otherwise than a table pays."""
    assert table.round is not None
    played = Played(table, paid_in_paying_order(table.setup, table.round))
    for found in outcome_of(record, played).differences:
        told = f"seat {found.seat}, {found.bet}: recorded {found.recorded}, expected {found.expected or 'nothing'}"
        raise NotOneTable(f"recorded: expected what the rules pay, found a difference: {told}")


def _left_out(line: bytes, record: RoundRecord, table: Table) -> Iterator[str]:
    """The fields of a record that the log does not give back."""
    assert table.round is not None
    kept = record_of(table.setup, table.round)
    fields = msgspec.structs.fields(RoundRecord)
    yield from msgspec.json.decode(line).keys() - {field.name for field in fields}
    for field in fields:
        found = getattr(record, field.name)
        # Whatever else `recorded` leaves out is nothing, and amounts are in currency where no unit is named.
        if field.name != "recorded" and found not in (field.default, "currency") and found != getattr(kept, field.name):
            yield field.name
