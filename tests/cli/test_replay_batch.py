"""`replay --batch` from the outside: what it prints, its exit status, and what it can't use."""

import json
import shutil
from pathlib import Path

import pytest

from tests.bulk.logs import SHOES
from tests.cli.command import dealer_assist

EVENING = SHOES / "evening.jsonl"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of one log, in which all is right."""
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(EVENING, folder)
    return folder


def test_a_folder_of_right_payments_is_told_to_be_one(logs: Path, tmp_path: Path) -> None:
    ran = dealer_assist("replay", "--batch", logs, "--out", tmp_path / "out", "--json")
    assert (ran.status, ran.err) == (0, "")
    [row] = ran.rows
    assert row["summary"] == json.loads((tmp_path / "out/summary.json").read_bytes())
    assert (row["summary"]["rounds"], row["summary"]["differences"]) == (9, 0)
    assert row["summary"]["formats"]["jsonl"]["bytes_per_round"] == round(EVENING.stat().st_size / 9, 1)
    assert (tmp_path / "out/differences.jsonl").read_bytes() == b""
    again = dealer_assist("replay", "--batch", logs, "--out", tmp_path / "out")
    assert again.status == 0
    assert "9 rounds in 1 files, 0 differences in 0 rounds, 0 faults" in again.out
    assert "1 of 1 parts taken over from before" in again.out
    fresh = dealer_assist("replay", "--batch", logs, "--out", tmp_path / "out", "--fresh", "--sample", 1, "--json")
    assert (fresh.rows[0]["summary"]["parts_taken_over"], fresh.rows[0]["summary"]["sampled"]) == (0, 9)


def test_differences_and_faults_are_told_by_the_exit_status_and_in_a_file(logs: Path, tmp_path: Path) -> None:
    for name in ("wrong-payments.jsonl", "broken-rounds.jsonl"):
        shutil.copy(SHOES / name, logs)
    ran = dealer_assist("replay", "--batch", logs, "--out", tmp_path / "out", "--json")
    assert (ran.status, ran.err) == (1, "")
    found = ran.rows[0]["summary"]
    assert (found["rounds"], found["differences"], found["faults"]) == (21, 4, 5)
    rows = [json.loads(line) for line in (tmp_path / "out/differences.jsonl").read_bytes().splitlines()]
    plain = dealer_assist("replay", *sorted(logs.iterdir()), "--json").rows
    assert [row["fault"] for row in rows if "fault" in row] == [row["fault"] for row in plain if "fault" in row]
    told = [
        {name: each[name] for name in ("seat", "bet", "recorded", "expected")}
        for row in rows
        for each in row.get("differences", ())
    ]
    assert told == [each for row in plain for each in row.get("differences", ())]


def test_findings_go_beside_where_one_stands(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert dealer_assist("replay", "--batch", "logs").status == 0
    assert (tmp_path / "logs-replayed/summary.json").exists()


def test_a_profile_or_reading_of_the_command_line_goes_before_the_records(logs: Path, tmp_path: Path) -> None:
    ran = dealer_assist("replay", "--batch", logs, "--out", tmp_path / "out", "--profile", "four-seat-fi", "--json")
    plain = dealer_assist("replay", EVENING, "--profile", "four-seat-fi", "--json")
    for name in ("rounds", "differences", "faults"):
        assert ran.rows[0]["summary"][name] == plain.rows[-1]["summary"][name]


# --- what it can't use -------------------------------------------------------------------------------------------------------


def test_options_that_name_nothing_are_told_and_nothing_is_written(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    bulk = ("replay", "--batch", logs, "--out", out)
    dealer_assist(*bulk, "--profile", "nobody").refused("--profile", "nobody", "four-seat-fi")
    dealer_assist(*bulk, "--reading", "strict").refused("evening.jsonl, line 1", "strict")
    dealer_assist(*bulk, "--sample", "-1").refused("--sample")
    dealer_assist(*bulk, "--workers", "0").refused("--workers")
    dealer_assist(*bulk, EVENING).refused("evening.jsonl", "expected no FILE beside --batch")
    for name, value in (("--out", "x"), ("--sample", "5"), ("--workers", "2"), ("--cluster", "tcp://h:1")):
        dealer_assist("replay", EVENING, name, value).refused(name, "expected it beside --batch, found it alone")
    dealer_assist("replay", EVENING, "--fresh").refused("--fresh", "beside --batch")
    dealer_assist("replay").refused("expected a FILE, or --batch FOLDER, found neither")
    assert not out.exists()


def test_a_folder_without_a_round_is_told(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    dealer_assist("replay", "--batch", tmp_path / "missing", "--out", out).refused("missing", "found none")
    (logs / "evening.jsonl").write_bytes(b'\n{"format": "round/2"}\n')
    dealer_assist("replay", "--batch", logs, "--out", out).refused("evening.jsonl, line 2", "round/2")
    (logs / "evening.jsonl").rename(logs / "evening.txt")
    dealer_assist("replay", "--batch", logs, "--out", out).refused(".jsonl.zst, .parquet, found none")
    (logs / "log.parquet").write_bytes(b"no parquet")
    dealer_assist("replay", "--batch", logs, "--out", out).refused("log.parquet", "expected whole Parquet")
    assert not out.exists()


def test_findings_never_go_among_the_logs(logs: Path, tmp_path: Path) -> None:
    dealer_assist("replay", "--batch", logs, "--out", logs / "out").refused("--out", "expected a folder outside")
    dealer_assist("replay", "--batch", logs, "--out", logs).refused("--out", "expected a folder outside")
    (tmp_path / "file").write_bytes(b"")
    dealer_assist("replay", "--batch", logs, "--out", tmp_path / "file").refused("expected a folder to write to")
    assert [path.name for path in logs.iterdir()] == ["evening.jsonl"]
