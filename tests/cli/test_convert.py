"""`convert` from the outside: from any form to any other, and into a live log that verifies."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.game import commands as cmd
from dealer_assist.game.dealing import Seat
from dealer_assist.storage.folder import DataFolder
from tests.application.desk import desk_at
from tests.bulk.logs import GOLDEN, SHOES, many_rounds, written
from tests.cli.command import dealer_assist
from tests.storage.logs import BETS, ROUNDS, make_log, stored

SPECIAL = GOLDEN / "rounds-special.jsonl"


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def converted(*arguments: object) -> dict[str, Any]:
    """What a conversion says of itself."""
    ran = dealer_assist("convert", *arguments, "--json")
    assert (ran.status, ran.err) == (0, ""), ran.err
    [found] = ran.rows
    return dict(found)


def test_rounds_come_back_equal_through_every_form(tmp_path: Path) -> None:
    before = SPECIAL
    for name in ("a.parquet", "b.jsonl.gz", "c.jsonl.zst", "d.parquet", "e.jsonl"):
        found = converted(before, tmp_path / name)
        size = (tmp_path / name).stat().st_size
        assert found == {
            "rounds": 24,
            "bytes_in": before.stat().st_size,
            "bytes_out": size,
            "bytes_per_round": round(size / 24, 1),
        }
        before = tmp_path / name
    assert records(before) == records(SPECIAL)


def test_lines_that_are_no_rounds_come_back_byte_for_byte(tmp_path: Path) -> None:
    broken = SHOES / "broken-rounds.jsonl"
    dealer_assist("convert", broken, tmp_path / "a.parquet")
    dealer_assist("convert", tmp_path / "a.parquet", tmp_path / "b.jsonl")
    assert b"not a record at all" in (tmp_path / "b.jsonl").read_bytes().splitlines()
    plain = [dealer_assist("replay", path, "--json").rows for path in (broken, tmp_path / "b.jsonl")]
    assert [row.get("fault") for row in plain[0][:-1]] == [row.get("fault") for row in plain[1][:-1]]


def test_many_sources_and_folders_of_them_become_one(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(SHOES / "evening.jsonl.gz", folder)
    shutil.copy(SHOES / "wrong-payments.jsonl", folder)
    assert converted(folder, SPECIAL, tmp_path / "all.jsonl.zst")["rounds"] == 9 + 5 + 24
    told = dealer_assist("convert", tmp_path / "all.jsonl.zst", tmp_path / "all.parquet")
    assert told.out.startswith(f"{tmp_path}/all.parquet: 38 rounds, ")


# --- a table's log ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a table that has closed, with a bit of everything in its log."""
    return make_log(tmp_path / "table").path


def test_a_tables_rounds_leave_it_with_a_reason_that_is_logged(folder: Path, tmp_path: Path) -> None:
    rows = len(stored(DataFolder(folder).log))
    for reason in ((), ("--reason", " ")):
        dealer_assist("convert", folder, tmp_path / "a.parquet", *reason).refused("--reason", "leave the house")
    assert len(stored(DataFolder(folder).log)) == rows
    assert converted(folder, tmp_path / "a.parquet", "--reason", "dispute 12")["rounds"] == ROUNDS
    last = stored(DataFolder(folder).log)[-1]
    assert (last.kind, json.loads(last.body)["reason"]) == ("HistoryExported", "dispute 12")
    exported = dealer_assist("export", folder, "--format", "round/1", "--reason", "dispute 12")
    dealer_assist("convert", tmp_path / "a.parquet", tmp_path / "b.jsonl")
    assert records(tmp_path / "b.jsonl") == exported.rows


def test_exported_rounds_become_a_log_that_holds_and_exports_the_same(folder: Path, tmp_path: Path) -> None:
    converted(folder, tmp_path / "a.parquet", "--reason", "a copy")
    found = converted(tmp_path / "a.parquet", tmp_path / "again", "--to-log")
    assert (found["rounds"], found.get("left_out")) == (ROUNDS, None)
    assert dealer_assist("verify", tmp_path / "again").out.endswith(f"events of {ROUNDS} rounds\n")
    converted(tmp_path / "a.parquet", tmp_path / "a.jsonl")
    converted(tmp_path / "again", tmp_path / "b.jsonl", "--reason", "a comparison")
    assert records(tmp_path / "a.jsonl") == records(tmp_path / "b.jsonl")


def test_a_table_goes_on_from_a_log_that_was_made(folder: Path, tmp_path: Path) -> None:
    converted(folder, tmp_path / "a.jsonl", "--reason", "a copy")
    converted(tmp_path / "a.jsonl", tmp_path / "again", "--to-log")
    with desk_at(tmp_path / "again") as desk:
        assert desk.service.snapshot.table.pending_hits == ()
        desk.play(*BETS)
        desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
    assert dealer_assist("verify", tmp_path / "again").out.endswith(f"events of {ROUNDS + 1} rounds\n")


def of_one_setup(count: int) -> list[dict[str, Any]]:
    """Golden rounds that one table may have dealt, one after another."""
    rounds = (each for each in many_rounds(900) if each["profile"] == "four-seat-fi" and "reading" not in each)
    return [each for each in rounds if each["deal"] == "packet" and "void" not in each][:count]


def test_a_log_made_of_records_replays_and_pays_as_they_say(tmp_path: Path) -> None:
    rounds = of_one_setup(60)
    log = tmp_path / "a.jsonl"
    log.write_bytes(written(rounds))
    found = converted(log, tmp_path / "table", "--to-log")
    assert found["left_out"] == {"dealer": len(rounds)} | (
        {"seats": late} if (late := sum("timeout" in json.dumps(each["seats"]) for each in rounds)) else {}
    )
    assert dealer_assist("verify", tmp_path / "table").status == 0
    converted(tmp_path / "table", tmp_path / "b.jsonl", "--reason", "a comparison")
    assert dealer_assist("replay", tmp_path / "b.jsonl").status == 0
    for before, after in zip(rounds, records(tmp_path / "b.jsonl"), strict=True):
        for name in ("id", "cards", "meter", "time", "table"):
            assert after.get(name) == before.get(name)
        for seat, nets in before["recorded"].items():
            assert {bet: after["recorded"][seat][bet] for bet in nets} == nets


@pytest.mark.parametrize("profile", ["live-studio-da", "casino-stud-da", "cyber-stud-nb", "four-seat-fi"])
def test_every_bet_of_a_sheet_is_in_the_log_that_is_made(profile: str, tmp_path: Path) -> None:
    log, table, back = tmp_path / "a.jsonl", tmp_path / "table", tmp_path / "b.jsonl"
    made = dealer_assist(
        "simulate", "--profile", profile, "--rounds", 40, "--seed", 3, "--strategy", "always-raise", log
    )
    assert made.status == 0
    converted(log, table, "--to-log")
    assert dealer_assist("verify", table).status == 0
    converted(table, back, "--reason", "a comparison")
    for before, after in zip(records(log), records(back), strict=True):
        assert stakes(after) == stakes(before)
        assert all(
            after["recorded"][seat] | nets == after["recorded"][seat] for seat, nets in before["recorded"].items()
        )


def stakes(record: Any) -> Any:
    """What was staked. An action may be told otherwise: of a time-out the log keeps what came of it."""
    return {
        seat: {bet: amount for bet, amount in bets.items() if bet != "action"} for seat, bets in record["seats"].items()
    }


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        ({"profile": "cyber-stud-nb"}, "line 3: profile: expected 'four-seat-fi' as in the rounds before"),
        ({"table": "T8"}, "line 3: table: expected 'T7' as in the rounds before, found 'T8'"),
        ({"id": "r3"}, 'line 3: id: expected a game number like "2026-11-30/T7/20:14:03", found "r3"'),
        ({"id": "2026-11-01/T7/00:00:00"}, "line 3: id: expected a later game number"),
        ({"cards": ["As"]}, "line 3: cards: expected"),
        (
            {"recorded": {"1": {"ante": "0.01"}, "2": {}, "3": {}, "4": {}}},
            "line 3: recorded: expected what the rules pay",
        ),
        ({"meter": None}, "line 3: meter: expected the jackpot at lock, as in the rounds before, found none"),
    ],
    ids=str,
)
def test_a_round_that_one_table_could_not_have_dealt_is_told_with_its_line(
    tmp_path: Path, spoil: dict[str, Any], told: str
) -> None:
    rounds = [each for each in of_one_setup(20) if not any("jackpot" in bets for bets in each["seats"].values())][:3]
    rounds[2] |= spoil
    log = tmp_path / "a.jsonl"
    log.write_bytes(written(rounds))
    dealer_assist("convert", log, tmp_path / "table", "--to-log").refused(f"{log}, {told}")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


# --- what it can't use -------------------------------------------------------------------------------------------------------


def test_nothing_that_is_there_is_ever_overwritten(tmp_path: Path) -> None:
    for name, options in (("a.jsonl", ()), ("b.parquet", ()), ("table", ("--to-log",))):
        (tmp_path / name).write_bytes(b"mine")
        dealer_assist("convert", SPECIAL, tmp_path / name, *options).refused(name, "found it there already")
        assert (tmp_path / name).read_bytes() == b"mine"


def test_what_cannot_be_read_or_written_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    dealer_assist("convert", SPECIAL, tmp_path / "a.csv").refused("a.csv", ".jsonl.zst, .parquet, or --to-log")
    dealer_assist("convert", tmp_path / "missing.jsonl", tmp_path / "a.jsonl").refused("missing.jsonl", "found none")
    dealer_assist("convert", SPECIAL, tmp_path / "no/a.jsonl").refused("no/a.jsonl", "expected an existing folder")
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes((SHOES / "evening.jsonl.gz").read_bytes()[:-20])
    dealer_assist("convert", cut, tmp_path / "a.parquet").refused("cut.jsonl.gz", "expected a whole compressed log")
    cut = tmp_path / "cut.jsonl.zst"
    cut.write_bytes((SHOES / "evening.jsonl.zst").read_bytes()[:-20])
    dealer_assist("convert", cut, tmp_path / "a.jsonl").refused("cut.jsonl.zst", "expected a whole compressed log")
    assert {path.name for path in tmp_path.iterdir()} == {"cut.jsonl.gz", "cut.jsonl.zst"}
