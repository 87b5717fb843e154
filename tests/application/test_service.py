"""The table's one thread: decided, committed, then published; refused or failed, nothing changed."""

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from dealer_assist.application.service import Conflict, LogUnavailable, Request, Snapshot, Stamped, TableService
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import fold
from dealer_assist.game.money import Money
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog, open_to_read
from dealer_assist.storage.verify import verify
from tests.application.desk import Desk, desk_at
from tests.game.felt import table_setup

ANTE_1 = cmd.PlaceBet(Seat(1), Bet.ante, Money(1000))
ANTE_3 = cmd.PlaceBet(Seat(3), Bet.ante, Money(1000))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with desk_at(tmp_path) as running:
        yield running


def request(command: cmd.Command, key: str | None = None, expected: int | None = None) -> Request:
    return Request(command, "dealer", key=key, expected=expected)


@contextmanager
def no_more_disk(log: Path) -> Iterator[None]:
    """Files can't grow: the log's next commit fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (log.with_name(log.name + "-wal").stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# --- committed, then published -------------------------------------------------------------------------------------


def test_a_snapshot_is_published_only_after_its_events_are_committed(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    log = SqliteLog(folder.log, Seal(folder.key("seal")))
    seen: list[tuple[int, int]] = []

    def publish(snapshot: Snapshot) -> None:
        reader = open_to_read(folder.log)
        seen.append((snapshot.version, reader.execute("select max(seq) from log").fetchone()[0]))
        reader.close()

    service = TableService(log, table_setup("D"), lambda: "2026-11-30T20:14:03Z", publish)
    service.start()
    for command in (cmd.OpenRound(), ANTE_1, cmd.LockBets(0)):
        service.do(request(command))
    service.stop()
    log.close()
    assert seen == [(2, 2), (3, 3), (4, 4), (5, 5)]


def test_the_state_is_the_fold_of_the_log(desk: Desk) -> None:
    desk.play(ANTE_1, ANTE_3)
    desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)))
    assert fold([logged.event for logged in desk.history]) == desk.service.snapshot.table
    assert [logged.seq for logged in desk.history] == list(range(1, desk.service.snapshot.version + 1))
    assert [snapshot.version for snapshot in desk.published][-1] == desk.service.snapshot.version


def test_the_log_keeps_when_who_and_who_signed(desk: Desk) -> None:
    desk.at = "2026-11-30T20:15:00.000000Z"
    desk.service.do(Request(cmd.OpenRound(), "dealer 7", key="k1"))
    desk.service.do(Request(cmd.VoidRound("power"), "dealer 7", signed_by="supervisor 2"))
    opened, voided = desk.history[-2:]
    assert opened.stamp == Stamped("2026-11-30T20:15:00.000000Z", "dealer 7", None, "k1")
    assert voided.stamp == Stamped("2026-11-30T20:15:00.000000Z", "dealer 7", "supervisor 2", None)
    assert desk.service.snapshot.at == "2026-11-30T20:15:00.000000Z"


def test_a_command_that_tells_nothing_new_changes_nothing(desk: Desk) -> None:
    desk.do(cmd.ReportReaderBack("shoe"))
    before, published = desk.service.snapshot, len(desk.published)
    assert desk.do(cmd.ReportReaderBack("shoe")) == before.version
    assert desk.service.snapshot is before
    assert len(desk.published) == published


def test_commands_of_many_threads_are_taken_one_after_the_other(desk: Desk) -> None:
    def call(name: str) -> None:
        for _ in range(25):
            desk.service.do(request(cmd.RecordExport(name, "round/1", 1)))

    threads = [threading.Thread(target=call, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(desk.history) == 2 + 100
    assert [snapshot.version for snapshot in desk.published] == list(range(2, 103))


# --- refused -------------------------------------------------------------------------------------------------------


def test_a_refused_command_changes_nothing(desk: Desk) -> None:
    desk.do(cmd.OpenRound())
    before, published, kinds = desk.service.snapshot, len(desk.published), desk.kinds
    with pytest.raises(RuleViolation) as refused:
        desk.do(cmd.LockBets(0))
    assert refused.value.refusal is Refusal.no_bets
    assert desk.service.snapshot is before
    assert (len(desk.published), desk.kinds) == (published, kinds)


def test_a_command_made_for_another_state_is_a_conflict(desk: Desk) -> None:
    version = desk.do(cmd.OpenRound())
    desk.service.do(request(ANTE_1, expected=version))
    with pytest.raises(Conflict) as conflict:
        desk.service.do(request(ANTE_3, expected=version))
    assert (conflict.value.expected, conflict.value.version) == (version, version + 1)
    assert list(desk.now.bets) == [1]


def test_what_is_no_command_is_told_to_its_sender_and_the_table_goes_on(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KeyError):
        desk.service.do(request(cast("cmd.Command", "open")))
    assert "command failed" in capsys.readouterr().out
    desk.do(cmd.OpenRound())


# --- idempotent keys -----------------------------------------------------------------------------------------------


def test_a_key_that_comes_twice_is_done_once(desk: Desk) -> None:
    desk.do(cmd.OpenRound())
    first = desk.service.do(request(ANTE_1, key="k1"))
    assert desk.service.do(request(ANTE_1, key="k1")) == first
    assert desk.service.do(request(ANTE_1, key="k1", expected=first - 1)) == first
    assert desk.now.bets[Seat(1)].ante == 1000
    assert desk.service.do(request(ANTE_1, key="k2")) == first + 1
    assert desk.now.bets[Seat(1)].ante == 2000


def test_a_key_is_known_after_a_restart_too(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.do(cmd.OpenRound())
        first = desk.service.do(request(ANTE_1, key="k1"))
    with desk_at(tmp_path) as desk:
        assert desk.service.do(request(ANTE_1, key="k1")) == first
        assert desk.now.bets[Seat(1)].ante == 1000


def test_the_key_of_a_refused_command_is_free_again(desk: Desk) -> None:
    with pytest.raises(RuleViolation):
        desk.service.do(request(ANTE_1, key="k1"))
    desk.do(cmd.OpenRound())
    desk.service.do(request(ANTE_1, key="k1"))
    assert list(desk.now.bets) == [1]


def test_a_key_gives_the_last_sequence_of_a_command_with_many_events(desk: Desk) -> None:
    desk.do(cmd.OpenRound(), ANTE_1, cmd.PlaceBet(Seat(1), Bet.jackpot))
    version = desk.service.do(request(cmd.LockBets(1), key="lock"))
    assert desk.kinds[-2:] == ["BetsLocked", "JackpotFed"]
    assert desk.service.do(request(cmd.LockBets(1), key="lock")) == version == len(desk.kinds)


# --- a log that can't be written -----------------------------------------------------------------------------------


def test_a_full_disk_is_told_and_nothing_changes(desk: Desk) -> None:
    desk.play(ANTE_1, ANTE_3)
    before, published, kinds = desk.service.snapshot, len(desk.published), desk.kinds
    with no_more_disk(desk.folder.log), pytest.raises(LogUnavailable):
        desk.do(cmd.CloseDecisions())
    assert desk.service.snapshot is before
    assert (len(desk.published), desk.kinds) == (published, kinds)
    desk.do(cmd.CloseDecisions())
    assert desk.kinds == [*kinds, "SeatDecided", "SeatDecided", "HoleCardsTurned"]
    assert verify(desk.folder.log, Seal(desk.folder.key("seal"))).broken is None


def test_a_log_that_another_process_holds_is_told_and_nothing_changes(desk: Desk) -> None:
    desk.do(cmd.OpenRound())
    before = desk.service.snapshot
    desk.log._connection.execute("pragma busy_timeout = 20")
    other = SqliteLog(desk.folder.log, Seal(desk.folder.key("seal")))
    other._connection.execute("begin immediate")
    with pytest.raises(LogUnavailable):
        desk.do(ANTE_1)
    assert desk.service.snapshot is before
    other._connection.execute("rollback")
    other.close()
    desk.do(ANTE_1)


def test_two_writers_of_one_log_never_fork_its_chain(desk: Desk) -> None:
    desk.do(cmd.OpenRound())
    other = SqliteLog(desk.folder.log, Seal(desk.folder.key("seal")))
    desk.do(ANTE_1)
    with pytest.raises(LogUnavailable):
        other.append([desk.history[2].event], Stamped("2026-11-30T20:14:03Z", "somebody"))
    other.close()
    assert verify(desk.folder.log, Seal(desk.folder.key("seal"))).broken is None


# --- opened anew ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", "ABCD")
def test_a_restart_takes_up_the_round_where_it_stood_and_writes_nothing(tmp_path: Path, sheet: str) -> None:
    with desk_at(tmp_path, table_setup(sheet)) as desk:
        desk.lock(ANTE_1, ANTE_3)
        desk.draw("9s Kh Ad 9h")
        before = desk.service.snapshot
    with desk_at(tmp_path, table_setup(sheet)) as desk:
        assert desk.service.snapshot == before
        assert desk.published == [before]
        assert len(desk.history) == before.version


def test_changed_settings_hold_from_the_next_round_and_never_in_a_running_one(tmp_path: Path) -> None:
    old, new = table_setup("D"), table_setup("D", "literal")
    with desk_at(tmp_path, old) as desk:
        desk.play(ANTE_1, ANTE_3)
    with desk_at(tmp_path, new) as desk:
        assert desk.service.snapshot.table.setup == old
        assert desk.kinds.count("TableOpened") == 1
        desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
        meter = desk.service.snapshot.table.meter
    with desk_at(tmp_path, new) as desk:
        assert desk.kinds.count("TableOpened") == 2
        assert desk.kinds.count("MeterSeeded") == 1
        desk.do(cmd.OpenRound())
        assert desk.service.snapshot.table.setup == new
        assert desk.service.snapshot.table.meter == meter


def test_cards_that_were_seen_before_a_restart_are_known_after_it(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.lock(ANTE_1, ANTE_3)
        desk.do(cmd.DrawCard("shoe", Card("As"), "04AA"))
    with desk_at(tmp_path) as desk:
        assert desk.do(cmd.DrawCard("shoe", Card("As"), "04AA")) == desk.service.snapshot.version
        assert [draw.card for draw in desk.now.draws] == [Card("As")]
