"""The event log of one table: one append-only SQLite table, each row chained to the one before by its hash.

One connection writes. WAL with synchronous FULL: a commit that has returned survives a power cut.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.application.service import Logged, LogUnavailable, Stamped
from dealer_assist.game.events import Event
from dealer_assist.storage.codec import decode_event, encode_event
from dealer_assist.storage.sealing import Seal

_SCHEMA: Final = """
create table if not exists log (
    seq integer primary key,
    at text not null,
    actor text not null,
    signed_by text,
    request text,
    kind text not null,
    is_sealed integer not null,
    body blob not null,
    hash blob not null
) strict;
create index if not exists log_request on log (request) where request is not null;
create trigger if not exists log_only_grows before insert on log when exists (select 1 from log where seq >= new.seq)
    begin select raise(abort, 'the log only grows'); end;
create trigger if not exists log_is_never_edited before update on log
    begin select raise(abort, 'the log is never edited'); end;
create trigger if not exists log_is_never_thinned before delete on log
    begin select raise(abort, 'nothing is ever deleted from the log'); end;
"""

GENESIS: Final = bytes(32)


class Row(msgspec.Struct, frozen=True):
    """One row as stored; `body` is the event's JSON, encrypted where `is_sealed`."""

    seq: int
    at: str
    actor: str
    signed_by: str | None
    request: str | None
    kind: str
    is_sealed: int
    body: bytes
    hash: bytes

    def chained(self, previous: bytes) -> bytes:
        """The hash this row must have behind a row of hash `previous`."""
        fields = [self.seq, self.at, self.actor, self.signed_by, self.request, self.kind, self.is_sealed, self.body]
        return hashlib.sha256(previous + msgspec.msgpack.encode(fields)).digest()

    def place(self) -> bytes:
        """What a sealed body is tied to."""
        return place(self.seq, self.kind)


def place(seq: int, kind: str) -> bytes:
    """The name of a row's place, for its seal."""
    return f"{seq}:{kind}".encode()


class SqliteLog:
    """The writing end. Use from one thread at a time. Not `durable` is a log that only counts once it is whole."""

    def __init__(self, path: Path, seal: Seal, *, durable: bool = True) -> None:
        self._seal = seal
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute(f"pragma synchronous = {'full' if durable else 'off'}")
        self._connection.executescript(_SCHEMA)
        last = self._connection.execute("select seq, hash from log order by seq desc limit 1").fetchone()
        self._seq: int = last[0] if last else 0
        self._hash: bytes = last[1] if last else GENESIS

    def append(self, events: Sequence[Event], stamp: Stamped) -> int:
        """Commit events, all or none; the sequence of the last. Raises: LogUnavailable."""
        rows, previous = [], self._hash
        for seq, event in enumerate(events, self._seq + 1):
            row = self._row(seq, event, stamp, previous)
            rows.append(msgspec.structs.astuple(row))
            previous = row.hash
        try:
            self._connection.execute("begin immediate")
            self._connection.executemany("insert into log values (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._connection.execute("commit")
        except sqlite3.Error as error:
            if self._connection.in_transaction:
                self._connection.execute("rollback")
            raise LogUnavailable(str(error)) from error
        self._seq, self._hash = self._seq + len(rows), previous
        return self._seq

    def _row(self, seq: int, event: Event, stamp: Stamped, previous: bytes) -> Row:
        kind, body = type(event).__name__, encode_event(event)
        if event.sealed:
            body = self._seal.close(body, place(seq, kind))
        unchained = Row(seq, stamp.at, stamp.actor, stamp.signed_by, stamp.request, kind, int(event.sealed), body, b"")
        return msgspec.structs.replace(unchained, hash=unchained.chained(previous))

    def read(self) -> Iterator[Logged]:
        """Every event in order."""
        return logged(rows(self._connection), self._seal)

    def find_request(self, request: str) -> int | None:
        """The last sequence that a client's request led to; None where it led to none."""
        found = self._connection.execute("select max(seq) from log where request = ?", (request,)).fetchone()
        return int(found[0]) if found[0] is not None else None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def rows(connection: sqlite3.Connection, after: int | None = None) -> Iterator[Row]:
    """Every row in order, or those behind a sequence."""
    # A text that is none is read as another one, which its hash then does not fit.
    connection.text_factory = lambda stored: stored.decode(errors="replace")
    stored = (
        connection.execute("select * from log order by seq")
        if after is None
        else connection.execute("select * from log where seq > ? order by seq", (after,))
    )
    for found in stored:
        yield Row(*found)


def logged(stored: Iterator[Row], seal: Seal) -> Iterator[Logged]:
    """The events of rows. Raises: BrokenSeal; msgspec.ValidationError."""
    for row in stored:
        stamp = Stamped(row.at, row.actor, row.signed_by, row.request)
        yield Logged(row.seq, stamp, event_of(row, seal))


def event_of(row: Row, seal: Seal) -> Event:
    """The event of one row. Raises: BrokenSeal; msgspec.ValidationError."""
    return decode_event(seal.open(row.body, row.place()) if row.is_sealed else row.body)


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that reads the log, also while a table writes it."""
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)
