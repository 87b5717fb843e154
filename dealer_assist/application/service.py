"""The table service: one thread owns the table's state and its log; everybody else queues commands.

A command is decided, its events are committed, the state moves on, and only then is it published.
"""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

import msgspec
import structlog

from dealer_assist.game import commands as cmd
from dealer_assist.game.decide import decide
from dealer_assist.game.errors import GameError
from dealer_assist.game.events import Event, MeterSeeded, TableOpened
from dealer_assist.game.evolve import evolve
from dealer_assist.game.round import OVER
from dealer_assist.game.setup import TableSetup
from dealer_assist.game.table import Table

_say = structlog.get_logger(__name__)


class Stamped(msgspec.Struct, frozen=True):
    """What the log keeps beside events: when, who, who signed, and the client's idempotency key."""

    at: str
    actor: str
    signed_by: str | None = None
    request: str | None = None


class Logged(msgspec.Struct, frozen=True):
    """One event as it stands in the log."""

    seq: int
    stamp: Stamped
    event: Event


class EventLog(Protocol):
    """The one history of a table, append-only."""

    def append(self, events: Sequence[Event], stamp: Stamped) -> int:
        """Commit events, all or none; the sequence of the last."""

    def read(self) -> Iterator[Logged]:
        """Every event in order."""

    def find_request(self, request: str) -> int | None:
        """The last sequence that a client's request led to; None where it led to none."""


class Snapshot(msgspec.Struct, frozen=True):
    """The table at one sequence of its log, and when that was committed."""

    version: int
    table: Table
    at: str


class Conflict(Exception):
    """A command made for another state than the table is in."""

    def __init__(self, expected: int, version: int) -> None:
        super().__init__(f"made for sequence {expected}, the table is at {version}")
        self.expected = expected
        self.version = version


class LogUnavailable(Exception):
    """The log could not be written: nothing was taken, nothing changed."""


class Request(msgspec.Struct, frozen=True):
    """A command on its way, with who gives it and the state it was made for."""

    command: cmd.Command
    actor: str
    signed_by: str | None = None
    expected: int | None = None
    key: str | None = None


_STOP: Final = None


class TableService:
    """One table's thread. `clock` gives the time as ISO 8601, UTC; `publish` takes each committed snapshot."""

    def __init__(
        self,
        log: EventLog,
        setup: TableSetup,
        clock: Callable[[], str],
        publish: Callable[[Snapshot], None],
    ) -> None:
        self._log = log
        self._clock = clock
        self._publish = publish
        self._queue: queue.SimpleQueue[tuple[Request, Future[int]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._snapshot = self._opened(setup)

    @property
    def snapshot(self) -> Snapshot:
        """The table as last committed."""
        return self._snapshot

    def start(self) -> None:
        """Publish what stands, and begin to take commands."""
        self._publish(self._snapshot)
        self._thread.start()

    def stop(self) -> None:
        """Finish what is queued, and end."""
        self._queue.put(_STOP)
        self._thread.join(timeout=2)

    def submit(self, request: Request) -> "Future[int]":
        """Queue a command. The future gives the sequence it led to, or raises what it was refused for.

        RuleViolation and MeterUnknown: the table does not allow it. Conflict: the table has moved on.
        LogUnavailable: it could not be stored.
        """
        future: Future[int] = Future()
        self._queue.put((request, future))
        return future

    def do(self, request: Request, timeout: float = 5.0) -> int:
        """Queue a command and wait for it; raises as `submit`'s future does."""
        return self.submit(request).result(timeout)

    def _opened(self, setup: TableSetup) -> Snapshot:
        """The table as its log leaves it, opened anew where its setup has changed and no round is running."""
        version, table, at = 0, None, self._clock()
        for logged in self._log.read():
            version, table, at = logged.seq, evolve(table, logged.event), logged.stamp.at
        running = table is not None and table.round is not None and table.round.phase not in OVER
        if table is not None and (running or table.next_setup == setup):
            return Snapshot(version, table, at)
        events: list[Event] = [TableOpened(setup)]
        if setup.seed is not None and (table is None or table.meter is None):
            events.append(MeterSeeded(setup.seed))
        at = self._clock()
        version = self._log.append(events, Stamped(at, "system"))
        for event in events:
            table = evolve(table, event)
        assert table is not None
        return Snapshot(version, table, at)

    def _run(self) -> None:
        while (item := self._queue.get()) is not _STOP:
            request, future = item
            try:
                future.set_result(self._take(request))
            except (GameError, Conflict, LogUnavailable) as refused:
                future.set_exception(refused)
            except Exception as error:  # noqa: BLE001  the loop's edge: made visible here and at the caller
                _say.exception("command failed", command=type(request.command).__name__)
                future.set_exception(error)

    def _take(self, request: Request) -> int:
        if request.key is not None and (done := self._log.find_request(request.key)) is not None:
            return done
        now = self._snapshot
        if request.expected is not None and request.expected != now.version:
            raise Conflict(request.expected, now.version)
        at = self._clock()
        events = decide(now.table, request.command, cmd.Stamp(at, request.actor, request.signed_by))
        if not events:
            return now.version
        version = self._log.append(events, Stamped(at, request.actor, request.signed_by, request.key))
        table = now.table
        for event in events:
            table = evolve(table, event)
        self._snapshot = Snapshot(version, table, at)
        self._publish(self._snapshot)
        return version
