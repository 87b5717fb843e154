"""The log on disk: appended all or none, never edited, chained, sealed, and read by others while it is written."""

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from dealer_assist.application.service import LogUnavailable, Stamped
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet
from dealer_assist.game.camera_events import HandCompared
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.evolve import fold
from dealer_assist.game.money import Money
from dealer_assist.game.round import Draw, Source
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import BrokenSeal, Seal
from dealer_assist.storage.sqlite_log import GENESIS, SqliteLog, logged, open_to_read, rows
from dealer_assist.storage.verify import verify
from tests.application.desk import desk_at
from tests.game.felt import table_setup
from tests.storage.logs import make_log, play_a_bit_of_everything, seal_of, stored

STAMP = Stamped("2026-11-30T20:14:03.000000Z", "dealer 7", None, "k1")
OPENED = ev.TableOpened(table_setup("D"))


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "table")


@pytest.fixture
def log(folder: DataFolder) -> Iterator[SqliteLog]:
    opened = SqliteLog(folder.log, seal_of(folder))
    yield opened
    opened.close()


def draw(code: str) -> ev.CardDrawn:
    return ev.CardDrawn(Draw(Card(code), Source.reader, "04AA"))


def test_what_was_appended_reads_back_in_order(log: SqliteLog) -> None:
    events: list[ev.Event] = [OPENED, ev.MeterSeeded(Money(100)), ev.RoundOpened("n", "t"), draw("As")]
    assert log.append(events[:2], STAMP) == 2
    assert log.append(events[2:], Stamped("later", "dealer 8", "supervisor", None)) == 4
    read = list(log.read())
    assert [each.seq for each in read] == [1, 2, 3, 4]
    assert [each.event for each in read] == events
    assert read[0].stamp == read[1].stamp == STAMP
    assert read[3].stamp == Stamped("later", "dealer 8", "supervisor", None)


def test_a_log_goes_on_where_it_ended(folder: DataFolder) -> None:
    for expected in (2, 4, 6):
        log = SqliteLog(folder.log, seal_of(folder))
        assert log.append([OPENED, ev.MeterSeeded(Money(100))], STAMP) == expected
        log.close()
    found = stored(folder.log)
    assert [row.hash for row in found] == [
        row.chained(before) for row, before in zip(found, [GENESIS, *(row.hash for row in found)], strict=False)
    ]


def test_nothing_appended_is_nothing_stored(log: SqliteLog) -> None:
    assert log.append([], STAMP) == 0
    assert list(log.read()) == []


def test_a_request_is_found_by_its_key(log: SqliteLog) -> None:
    log.append([OPENED, ev.MeterSeeded(Money(100))], STAMP)
    assert (log.find_request("k1"), log.find_request("k2"), log.find_request("")) == (2, None, None)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("update log set actor = 'somebody' where seq = 1", "the log is never edited"),
        ("update log set body = x''", "the log is never edited"),
        ("delete from log where seq = 1", "nothing is ever deleted from the log"),
        ("delete from log", "nothing is ever deleted from the log"),
        ("insert or replace into log select * from log where seq = 1", "the log only grows"),
        ("replace into log values (1, 'a', 'b', null, null, 'c', 0, x'', x'')", "the log only grows"),
        ("insert into log values (1, 'a', 'b', null, null, 'c', 0, x'', x'')", "the log only grows"),
        ("insert into log values (9, 'a', 'b', null, null, 'c', 'yes', x'', x'')", "cannot store TEXT"),
    ],
)
def test_the_database_itself_refuses_to_edit_or_thin_the_log(
    log: SqliteLog, folder: DataFolder, statement: str, reason: str
) -> None:
    log.append([OPENED], STAMP)
    before = stored(folder.log)
    connection = sqlite3.connect(folder.log)
    with pytest.raises(sqlite3.IntegrityError, match=reason):
        connection.execute(statement)
    connection.close()
    assert stored(folder.log) == before


def test_events_are_appended_all_or_none(log: SqliteLog, folder: DataFolder) -> None:
    log.append([OPENED], STAMP)
    connection = sqlite3.connect(folder.log)
    connection.executescript("""create trigger no_seeds before insert on log when new.kind = 'MeterSeeded'
                             begin select raise(abort, 'no'); end""")
    with pytest.raises(LogUnavailable, match="no"):
        log.append([ev.RoundOpened("n", "t"), draw("As"), ev.MeterSeeded(Money(1))], STAMP)
    connection.execute("drop trigger no_seeds")
    connection.close()
    assert log.append([ev.RoundOpened("n", "t")], STAMP) == 2
    assert [row.kind for row in stored(folder.log)] == ["TableOpened", "RoundOpened"]
    found = stored(folder.log)
    assert found[1].hash == found[1].chained(found[0].hash)


# --- sealed --------------------------------------------------------------------------------------------------------


def test_a_copied_log_tells_no_card_of_a_round_that_is_not_over(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.play(cmd.PlaceBet(Seat(1), Bet.ante, Money(1000)), cmd.PlaceBet(Seat(3), Bet.ante, Money(1000)))
        desk.draw("7s")
        code = re.compile(rb'"[2-9TJQKA][cdhs]"')
        for row in stored(desk.folder.log):
            if row.is_sealed:
                assert b'"type"' not in row.body
                with pytest.raises(ValueError, match=r".*"):
                    json.loads(row.body)
            else:
                assert not code.search(row.body), row.kind
        on_disk = b"".join(path.read_bytes() for path in tmp_path.glob("log.sqlite*"))
        assert b"TableOpened" in on_disk
        assert not code.search(on_disk)


def test_every_event_that_may_carry_a_hidden_card_is_sealed() -> None:
    """All that carry a card, but those that say what lies open."""
    turned = {ev.HoleCardsTurned, ev.DealerHandConfirmed, ev.SeatSettled, HandCompared}
    for kind in set(get_args(ev.Event)) - turned:
        carries = any(re.search(r"\b(Card|Draw)\b", str(field)) for field in get_type_hints(kind).values())
        assert kind.sealed is carries, kind


def test_a_sealed_row_opens_with_its_own_key_at_its_own_place_only(tmp_path: Path) -> None:
    folder = make_log(tmp_path)
    connection = open_to_read(folder.log)
    with pytest.raises(BrokenSeal):
        list(logged(rows(connection), Seal(bytes(32))))
    connection.close()
    sealed = [row for row in stored(folder.log) if row.is_sealed]
    with pytest.raises(BrokenSeal):
        seal_of(folder).open(sealed[0].body, sealed[1].place())
    seal_of(folder).open(sealed[0].body, sealed[0].place())


def test_the_same_card_is_never_sealed_the_same_way(log: SqliteLog, folder: DataFolder) -> None:
    log.append([OPENED, ev.RoundOpened("n", "t"), draw("As"), draw("As")], STAMP)
    first, second = stored(folder.log)[2:]
    assert first.body != second.body
    assert first.body[:12] != second.body[:12]


# --- others read while one writes ------------------------------------------------------------------------------------

READER = """
import sys
from dealer_assist.storage.sqlite_log import open_to_read, rows
connection = open_to_read(sys.argv[1])
for _ in sys.stdin:
    print(sum(1 for _ in rows(connection)), flush=True)
"""


def test_another_process_reads_what_is_committed_while_this_one_writes(log: SqliteLog, folder: DataFolder) -> None:
    log.append([OPENED], STAMP)
    with subprocess.Popen(
        [sys.executable, "-c", READER, str(folder.log)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for count in range(1, 20):
            reader.stdin.write("\n")
            reader.stdin.flush()
            assert int(reader.stdout.readline()) == count
            log.append([ev.RoundOpened("n", "t")], STAMP)
        reader.stdin.close()
        assert reader.wait() == 0


def test_a_reader_never_sees_half_a_command_nor_holds_the_writer_up(log: SqliteLog, folder: DataFolder) -> None:
    log.append([OPENED], STAMP)
    reader = open_to_read(folder.log)
    reading = rows(reader)
    next(reading)
    for _ in range(20):
        log.append([ev.RoundOpened("n", "t"), draw("As"), ev.RoundClosed()], STAMP)
        other = open_to_read(folder.log)
        assert sum(1 for _ in rows(other)) % 3 == 1
        other.close()
    assert list(reading) == []
    reader.close()


def test_a_reading_connection_cannot_write(log: SqliteLog, folder: DataFolder) -> None:
    log.append([OPENED], STAMP)
    reader = open_to_read(folder.log)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("insert into log values (9, 'a', 'b', null, null, 'c', 0, x'', x'')")
    reader.close()


# --- cut off in the middle -------------------------------------------------------------------------------------------

TORN = """
import os, signal, sys
from pathlib import Path
from dealer_assist.game import events as ev
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
folder = DataFolder(Path(sys.argv[1]))
log = SqliteLog(folder.log, Seal(folder.key("seal")))
log._connection.create_function("die", 0, lambda: os.kill(os.getpid(), signal.SIGKILL))
log._connection.execute("create temp trigger torn after insert on main.log when new.kind = 'RoundClosed' begin select die(); end")
from dealer_assist.application.service import Stamped
log.append([ev.RoundOpened("n", "t"), ev.BetsLocked(0), ev.RoundClosed()], Stamped("t", "dealer"))
"""


def test_a_process_killed_within_a_transaction_leaves_nothing_of_it(tmp_path: Path) -> None:
    folder = make_log(tmp_path)
    before = stored(folder.log)
    killed = subprocess.run([sys.executable, "-c", TORN, str(tmp_path)], capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert stored(folder.log) == before
    with desk_at(tmp_path) as desk:
        assert fold([each.event for each in desk.history]) == desk.service.snapshot.table
        play_a_bit_of_everything(desk)
    assert verify(folder.log, seal_of(folder)).broken is None


def test_a_log_is_durable_before_a_commit_returns(log: SqliteLog) -> None:
    settings = {
        name: log._connection.execute(f"pragma {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2}
