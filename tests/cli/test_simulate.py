"""`dealer-assist simulate`: the same arguments give the same log, whole or not at all, and nothing is overwritten."""

import json
import signal
import subprocess
import time
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import SCRIPT, Ran, dealer_assist

BASIC = ("simulate", "--profile", "four-seat-fi", "--rounds", 300, "--seed", 11)


def simulated(out: Path, *options: object) -> Any:
    """What it says that it wrote."""
    ran = dealer_assist(*BASIC, *options, "--json", out)
    assert ran.status == 0, ran.err
    return ran.rows[0]


def replayed(*files: Path) -> Ran:
    return dealer_assist("replay", *files, "--json")


def rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_simulated_evening_replays_without_a_difference(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    ran = dealer_assist(*BASIC, "--tables", 3, log)
    assert ran.status == 0
    assert ran.out.startswith("300 rounds at 3 tables in ")
    assert ran.out.endswith(f": {log}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["evening.jsonl"]
    assert Counter(record["table"] for record in rows(log)) == {"T1": 100, "T2": 100, "T3": 100}
    again = replayed(log)
    assert (again.status, again.rows[-1]["summary"]["rounds"], again.rows[-1]["summary"]["differences"]) == (0, 300, 0)


def test_planted_errors_are_all_that_a_replay_finds(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    told = simulated(log, "--errors", 40)
    planted = rows(tmp_path / "evening.jsonl.planted.jsonl")
    assert (told["errors"], told["misreads"], told["planted"]) == (40, 0, str(log) + ".planted.jsonl")
    again = replayed(log)
    found = [{"id": row["id"], **each} for row in again.rows[:-1] for each in row["differences"]]
    assert again.status == 1
    assert found == [
        {"id": row["id"], "seat": row["seat"], "bet": row["bet"], "recorded": row["recorded"], "expected": row["right"]}
        for row in planted
    ]


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    logs = [tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"]
    told = [simulated(log, "--misreads", 0.2, "--tables", 2) for log in logs]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert told[0]["misreads"] == told[1]["misreads"] > 30
    assert Path(told[0]["planted"]).read_bytes() == Path(told[1]["planted"]).read_bytes()


def test_a_folder_holds_the_tables_of_the_one_log_in_files_of_their_own(tmp_path: Path) -> None:
    log, folder = tmp_path / "all.jsonl", tmp_path / "evening"
    simulated(log, "--tables", 3, "--strategy", "always-raise", "--errors", 10)
    told = simulated(folder, "--tables", 3, "--strategy", "always-raise", "--errors", 10, "--format", "jsonl")
    files = [folder / f"T{table}-0001.jsonl" for table in (1, 2, 3)]
    assert [Path(path) for path in told["files"]] == files == sorted(folder.iterdir())
    assert list(chain.from_iterable(map(rows, files))) == rows(log)
    assert rows(tmp_path / "evening.planted.jsonl") == rows(tmp_path / "all.jsonl.planted.jsonl")


def test_a_folder_holds_parquet_unless_another_format_is_asked_for(tmp_path: Path) -> None:
    told = simulated(tmp_path / "evening", "--tables", 2)
    assert [Path(path).name for path in told["files"]] == ["T1-0001.parquet", "T2-0001.parquet"]


def test_options_say_who_plays_where_and_for_how_much(tmp_path: Path) -> None:
    log = tmp_path / "evening.jsonl"
    options = (
        "--seats",
        3,
        "--ante",
        "7.50-30.00",
        "--strategy",
        "always-fold",
        "--start",
        "2026-11-30T20:14:03+01:00",
    )
    simulated(log, "--reading", "literal", *options)
    records = rows(log)
    assert (records[0]["id"], records[0]["reading"]) == ("2026-11-30/T1/19:14:03", "literal")
    assert all(set(record["seats"]) == {"1", "2", "3"} for record in records)
    assert {seat["ante"] for record in records for seat in record["seats"].values()} == {
        "7.50",
        "15.00",
        "22.50",
        "30.00",
    }
    assert {seat["action"] for record in records for seat in record["seats"].values()} <= {"fold", "timeout"}


def test_optimal_play_says_that_it_counts_first(tmp_path: Path) -> None:
    ran = dealer_assist(*BASIC, "--strategy", "optimal,pair-or-better", tmp_path / "evening.jsonl")
    assert ran.status == 0
    assert ran.err == "enumerating all deals for optimal play (the first run compiles, and takes longer)\n"


def test_a_profile_given_by_its_file_is_named_by_it(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "config" / "rules" / "casino-stud-da.toml"
    sheet, log = tmp_path / "own.toml", tmp_path / "evening.jsonl"
    sheet.write_bytes(source.read_bytes())
    assert dealer_assist("simulate", "--profile", sheet, "--rounds", 20, "--seed", 1, log).status == 0
    assert rows(log)[0]["profile"] == str(sheet)
    assert replayed(log).status == 0


# --- what it can't use ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (("--profile", "nobody"), ("--profile", "nobody", "four-seat-fi")),
        (("--reading", "strict"), ("strict", "literal")),
        (("--rounds", 0), ("--rounds",)),
        (("--seed", -1), ("--seed",)),
        (("--tables", 0), ("--tables",)),
        (("--tables", 400), ("--tables", "at most one a round", "400")),
        (("--seats", 5), ("--seats", "1 to 4, or random", "5")),
        (("--strategy", "three-rules,luck"), ("--strategy", "optimal", "luck")),
        (("--ante", "5"), ("--ante", "2 decimals", "5")),
        (("--ante", "9.00-5.00"), ("--ante", "9.00-5.00")),
        (("--ante", "0.00"), ("--ante", "0.00")),
        (("--ante", "99999999999.00"), ("limits", "at most")),
        (("--misreads", 1.5), ("--misreads",)),
        (("--errors", 301), ("--errors", "at most one a round", "301")),
        (("--start", "tonight"), ("--start", "2026-01-01T12:00:00Z", "tonight")),
        (("--format", "jsonl"), ("--format", "a folder", "evening.jsonl")),
        (("--format", "csv"), ("--format",)),
    ],
)
def test_options_that_make_no_sense_are_told(
    options: tuple[object, ...], parts: tuple[str, ...], tmp_path: Path
) -> None:
    dealer_assist(*BASIC, *options, tmp_path / "evening.jsonl").refused(*parts)
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_no_logs_is_told(tmp_path: Path) -> None:
    dealer_assist(*BASIC, tmp_path / "evening.json").refused("evening.json", ".jsonl, .jsonl.gz, .jsonl.zst, .parquet")
    dealer_assist(*BASIC, tmp_path / "missing" / "evening.jsonl").refused("evening.jsonl", "No such file or directory")


@pytest.mark.parametrize("name", ["evening.jsonl", "evening"])
def test_nothing_is_overwritten(name: str, tmp_path: Path) -> None:
    log, planted = tmp_path / name, tmp_path / f"{name}.planted.jsonl"
    planted.write_text("kept", "utf-8")
    dealer_assist(*BASIC, "--errors", 1, log).refused(str(planted), "expected a name that is free, found a file")
    assert not log.exists()
    log.mkdir()
    dealer_assist(*BASIC, log).refused(str(log), "expected a name that is free, found a folder")
    assert (planted.read_text("utf-8"), list(log.iterdir())) == ("kept", [])


@pytest.mark.parametrize("name", ["evening.jsonl.gz", "evening"])
def test_a_simulation_that_is_stopped_leaves_no_log(name: str, tmp_path: Path) -> None:
    command = [
        str(SCRIPT),
        "simulate",
        "--profile",
        "four-seat-fi",
        "--rounds",
        "100000000",
        "--seed",
        "1",
        str(tmp_path / name),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as running:
        deadline = time.monotonic() + 60
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [path.name for path in tmp_path.iterdir()] == [f"{name}.partial"]
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
    assert running.returncode == 130
    assert not list(tmp_path.iterdir())
