"""`export` and `verify` from the outside, on a log that a table left."""

import json
import shutil
from pathlib import Path

import pytest

from dealer_assist.storage import acts
from dealer_assist.storage.folder import DataFolder
from tests.cli.command import dealer_assist
from tests.storage.logs import ROUNDS, make_log, seal_of, stored, tamper


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a table that has closed."""
    return make_log(tmp_path_factory.mktemp("left") / "table").path


@pytest.fixture
def folder(left: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(left, tmp_path / "table"))


def export(folder: Path, reason: str = "dispute 12") -> tuple[str, ...]:
    return ("export", str(folder), "--format", "round/1", "--reason", reason)


def test_an_export_replays_without_a_difference_and_is_logged_with_its_reason(folder: Path) -> None:
    ran = dealer_assist(*export(folder))
    assert (ran.status, ran.err, len(ran.rows)) == (0, "", ROUNDS)
    assert {row["format"] for row in ran.rows} == {"round/1"}
    (folder.parent / "log.jsonl").write_text(ran.out, "utf-8")
    replayed = dealer_assist("replay", folder.parent / "log.jsonl", "--json")
    assert replayed.status == 0
    assert replayed.rows[-1]["summary"]["rounds"] == ROUNDS
    last = stored(DataFolder(folder).log)[-1]
    assert (last.kind, json.loads(last.body)) == (
        "HistoryExported",
        {"type": "HistoryExported", "reason": "dispute 12", "format": "round/1", "rounds": ROUNDS},
    )
    assert last.actor.startswith("user:")
    assert dealer_assist("verify", folder).status == 0


def test_an_export_beside_a_running_table_leaves_its_reason_for_that_table_to_log(folder: Path) -> None:
    data = DataFolder(folder)
    data.lock()
    rows = len(stored(data.log))
    ran = dealer_assist(*export(folder), "--json")
    assert (ran.status, len(ran.rows)) == (0, ROUNDS)
    assert len(stored(data.log)) == rows
    ((_, act),) = acts.left(data.acts)
    assert (act.command.reason, act.command.rounds) == ("dispute 12", ROUNDS)
    data.unlock()


def test_an_export_without_a_reason_or_a_table_is_told_and_logs_nothing(folder: Path, tmp_path: Path) -> None:
    rows = len(stored(DataFolder(folder).log))
    dealer_assist(*export(folder, " ")).refused("--reason")
    dealer_assist("export", folder, "--format", "round/1").refused("--reason")
    dealer_assist("export", folder, "--format", "csv", "--reason", "x").refused("csv", "round/1")
    assert len(stored(DataFolder(folder).log)) == rows
    dealer_assist(*export(tmp_path / "missing")).refused("missing", "expected a table's data folder with a log")
    assert not (tmp_path / "missing").exists()


def test_a_broken_log_is_not_exported(folder: Path) -> None:
    data = DataFolder(folder)
    (folder / "seal.key").write_bytes(bytes(32))
    dealer_assist(*export(folder)).refused("log.sqlite", "run verify")
    for path in folder.glob("log.sqlite*"):
        path.unlink()
    data.log.write_bytes(b"no database" * 100)
    dealer_assist(*export(folder)).refused("log.sqlite")


def test_a_log_that_holds_is_said_to_hold(folder: Path) -> None:
    rows = len(stored(DataFolder(folder).log))
    ran = dealer_assist("verify", folder)
    assert (ran.status, ran.out) == (0, f"holds: {rows} events of {ROUNDS} rounds\n")
    (verdict,) = dealer_assist("verify", folder, "--json").rows
    assert verdict == {"rows": rows, "rounds": ROUNDS, "broken": None}


def test_the_first_sequence_that_does_not_hold_is_named(folder: Path) -> None:
    tamper(DataFolder(folder).log, "update log set actor = 'nobody' where seq in (23, 40)")
    ran = dealer_assist("verify", folder)
    assert ran.status == 1
    assert ran.out.startswith("sequence 23 does not hold: its hash does not fit")
    (verdict,) = dealer_assist("verify", folder, "--json").rows
    assert (verdict["rows"], verdict["broken"]["seq"]) == (22, 23)


def test_a_check_changes_nothing(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    dealer_assist("verify", folder)
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert {name: data for name, data in after.items() if not name.endswith(("-shm", "-wal"))} == before


def test_a_check_makes_no_key_where_there_is_none(folder: Path) -> None:
    (folder / "seal.key").unlink()
    assert dealer_assist("verify", folder).status != 0
    assert not (folder / "seal.key").exists()


def test_a_folder_without_a_table_is_told(tmp_path: Path) -> None:
    dealer_assist("verify", tmp_path).refused("expected a table's data folder with a log, found none")
    assert list(tmp_path.iterdir()) == []


def test_a_key_of_another_table_opens_nothing(folder: Path) -> None:
    (folder / "seal.key").write_bytes(bytes(32))
    assert seal_of(DataFolder(folder)) is not None
    ran = dealer_assist("verify", folder)
    assert ran.status == 1
    assert "its seal does not open with this folder's key" in ran.out
