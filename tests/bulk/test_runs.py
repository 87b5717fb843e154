"""Bulk runs: put together in the order of the logs, kept part by part, taken up again after any end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import zstandard

from dealer_assist.bulk import partitions as cut
from dealer_assist.bulk.partitions import Partition, partitions
from dealer_assist.bulk.run import Compute, RunBroken, Watch, here, in_processes, run
from dealer_assist.bulk.store import FolderBusy, Store, UnusableFolder
from dealer_assist.bulk.summary import Summary
from dealer_assist.bulk.work import Options, PartResult
from dealer_assist.storage import parquet
from dealer_assist.storage.profiles import config_folder
from dealer_assist.storage.shoe_logs import UnreadableLog
from tests.bulk.logs import SHOES, many_rounds, underpaid, written
from tests.cli.command import SCRIPT

FEW: Final = Options(sample=500)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Logs of every kind, with a wrong payment in each, an empty one, and files that are none."""
    logs = tmp_path / "logs"
    (logs / "deep").mkdir(parents=True)
    for number, name in enumerate(("b.jsonl", "a.jsonl.gz", "deep/c.jsonl.zst", "d.parquet")):
        rounds = list(many_rounds(40, f"T{number}"))
        rounds[9] = underpaid(rounds[9])
        plain = tmp_path / "plain.jsonl"
        plain.write_bytes(written(rounds))
        match name.rpartition(".")[2]:
            case "gz":
                subprocess.run(["gzip", "-kf", plain], check=True)
                Path(f"{plain}.gz").replace(logs / name)
            case "zst":
                (logs / name).write_bytes(zstandard.compress(plain.read_bytes()))
            case "parquet":
                parquet.write(logs / name, plain.read_bytes().splitlines())
            case _:
                plain.replace(logs / name)
    (logs / "empty.jsonl").write_bytes(b"")
    (logs / "notes.txt").write_text("no log", "utf-8")
    (logs / ".jsonl").write_text("no log either", "utf-8")
    return logs


def done(folder: Path, out: Path, compute: Compute = here, options: Options = FEW) -> Summary:
    """A run of all logs under a folder."""
    with Store(out, options) as store:
        return run(list(partitions(folder)), options, store, compute, Watch())


def differences(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "differences.jsonl").read_bytes().splitlines()]


def told(out: Path) -> dict[str, Any]:
    """A run's summary, without how long it took."""
    found: dict[str, Any] = json.loads((out / "summary.json").read_bytes())
    return {
        name: value for name, value in found.items() if name not in ("seconds", "rounds_per_second", "parts_taken_over")
    }


def test_every_kind_of_log_is_replayed_in_the_order_of_its_names(folder: Path, tmp_path: Path) -> None:
    summary = done(folder, tmp_path / "out")
    assert (summary.rounds, summary.files, summary.differing_rounds, summary.faults) == (160, 5, 4, 0)
    places = [(each["file"], each.get("line"), each.get("row")) for each in differences(tmp_path / "out")]
    assert places == [
        ("a.jsonl.gz", 10, None),
        ("b.jsonl", 10, None),
        ("d.parquet", None, 10),
        ("deep/c.jsonl.zst", 10, None),
    ]
    kinds = {name: (found.files, found.rounds) for name, found in summary.formats.items()}
    assert kinds == {"jsonl": (2, 40), "jsonl.gz": (1, 40), "jsonl.zst": (1, 40), "parquet": (1, 40)}
    assert {found["name"]: found["differences"] for found in told(tmp_path / "out")["by_table"]} == {
        "T0": 1, "T1": 1, "T2": 1, "T3": 1,
    }  # fmt: skip


def test_lines_are_numbered_through_all_parts_of_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cut, "PART_BYTES", 5000)
    rounds = list(many_rounds(100))
    wrong = [0, 1, 37, 64, 99]
    for at in wrong:
        rounds[at] = underpaid(rounds[at])
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.jsonl").write_bytes(b"\n".join([written(rounds[:50]), b"", written(rounds[50:])])[:-1])
    parts = list(partitions(logs))
    assert len(parts) > 10
    assert [(one.end, other.start) for one, other in pairwise(parts) if one.end != other.start] == []
    done(logs, tmp_path / "out")
    lines = [at + 1 + 2 * (at >= 50) for at in wrong]
    assert [each["line"] for each in differences(tmp_path / "out")] == lines


def test_processes_come_to_the_same_as_one(folder: Path, tmp_path: Path) -> None:
    done(folder, tmp_path / "one")
    done(folder, tmp_path / "two", in_processes(2))
    assert told(tmp_path / "one") == told(tmp_path / "two")
    assert (tmp_path / "one/differences.jsonl").read_bytes() == (tmp_path / "two/differences.jsonl").read_bytes()


def test_a_single_log_is_a_folder_of_one(tmp_path: Path) -> None:
    assert done(SHOES / "wrong-payments.jsonl", tmp_path / "out").differences == 4
    assert {each["file"] for each in differences(tmp_path / "out")} == {"wrong-payments.jsonl"}


# --- a log that is not whole -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.jsonl.gz", "deep/c.jsonl.zst", "d.parquet"])
def test_a_log_that_is_cut_off_is_a_fault_behind_its_last_line(folder: Path, tmp_path: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(whole[: len(whole) * 2 // 3])
    summary = done(folder, tmp_path / "out")
    faults = [each for each in differences(tmp_path / "out") if "fault" in each]
    assert (summary.faults, [each["file"] for each in faults]) == (len(faults), [name] * len(faults))
    assert len(faults) >= 1
    assert 120 < summary.rounds < 160 or summary.rounds == 121


def test_a_log_that_grows_while_it_is_read_ends_the_run(folder: Path, tmp_path: Path) -> None:
    def growing(parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
        (folder / "b.jsonl").write_bytes(b"\n")
        yield from here(parts, options)

    with pytest.raises(UnreadableLog, match=r"b\.jsonl: expected a log that stays as it is, found it changed"):
        done(folder, tmp_path / "out", growing)
    assert done(folder, tmp_path / "out").parts_taken_over >= 1


# --- what is kept --------------------------------------------------------------------------------------------------------------


def test_a_second_run_takes_everything_over(folder: Path, tmp_path: Path) -> None:
    done(folder, tmp_path / "out")
    first = told(tmp_path / "out"), differences(tmp_path / "out")

    def nothing(parts: Sequence[Partition], _: Options) -> Iterator[tuple[Partition, PartResult]]:
        assert not parts
        return iter(())

    assert done(folder, tmp_path / "out", nothing).parts_taken_over == 5
    assert (told(tmp_path / "out"), differences(tmp_path / "out")) == first


def redone(folder: Path, out: Path, options: Options = FEW) -> list[str]:
    """The logs of which a run did a part again."""
    names: list[str] = []

    def watched(parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
        names.extend(part.name for part in parts)
        yield from here(parts, options)

    done(folder, out, watched, options)
    return names


def test_what_has_changed_is_done_again(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    every = redone(folder, out)
    assert len(every) == 5
    assert redone(folder, out) == []
    os.utime(folder / "b.jsonl", (1, 1))
    assert redone(folder, out) == ["b.jsonl"]
    assert redone(folder, out, Options(sample=7)) == every
    assert redone(folder, out, Options(profile="four-seat-fi")) == every
    for kept in sorted((out / "parts").iterdir())[:2]:
        kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    assert len(redone(folder, out, Options(profile="four-seat-fi"))) == 2


def test_parts_of_logs_that_are_gone_are_forgotten(folder: Path, tmp_path: Path) -> None:
    done(folder, tmp_path / "out")
    (folder / "d.parquet").unlink()
    summary = done(folder, tmp_path / "out")
    assert (summary.rounds, len(list((tmp_path / "out/parts").iterdir()))) == (120, 4)


def test_a_rule_sheet_that_has_changed_is_played_anew(tmp_path: Path) -> None:
    sheet = tmp_path / "house.toml"
    text = (config_folder() / "rules/four-seat-fi.toml").read_text("utf-8")
    sheet.write_text(text, "utf-8")
    options = Options(profile=str(sheet))
    assert redone(SHOES / "evening.jsonl", tmp_path / "out", options) == ["evening.jsonl"]
    assert redone(SHOES / "evening.jsonl", tmp_path / "out", options) == []
    sheet.write_text(text + "\n# a remark\n", "utf-8")
    assert redone(SHOES / "evening.jsonl", tmp_path / "out", options) == ["evening.jsonl"]


def test_a_rule_sheet_that_was_missing_is_looked_for_again(tmp_path: Path) -> None:
    sheet, log = tmp_path / "house.toml", tmp_path / "log.jsonl"
    log.write_bytes(written({**each, "profile": str(sheet)} for each in many_rounds(3)))
    assert done(log, tmp_path / "out").faults == 3
    sheet.write_bytes((config_folder() / "rules/casino-stud-da.toml").read_bytes())
    assert done(log, tmp_path / "out").faults == 0


def test_a_worker_with_another_rule_sheet_ends_the_run(folder: Path, tmp_path: Path) -> None:
    def elsewhere(parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
        for part, result in here(parts, options):
            result.sheets["four-seat-fi"] = "another"
            yield part, result

    with pytest.raises(RunBroken, match="four-seat-fi: expected the rule sheet as it is here"):
        done(folder, tmp_path / "out", elsewhere)


def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    with Store(tmp_path / "out", FEW), pytest.raises(FolderBusy, match="found one at work"):
        Store(tmp_path / "out", FEW)
    Store(tmp_path / "out", FEW).__exit__()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UnusableFolder, match="expected a folder to write to"):
        Store(tmp_path / "file", FEW)


# --- killed --------------------------------------------------------------------------------------------------------------------


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_until(holds: Any, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_killed_run_is_taken_up_where_it_stood_and_leaves_no_process(tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    block = written(many_rounds(1500))
    for number in range(40):
        (logs / f"{number:02d}.jsonl").write_bytes(block)
    (logs / "41.jsonl").write_bytes(written(underpaid(each) for each in many_rounds(5)))
    command = [
        str(SCRIPT),
        "replay",
        "--batch",
        str(logs),
        "--out",
        str(out),
        "--workers",
        "2",
        "--sample",
        "100",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        wait_until(lambda: len(list((out / "parts").glob("*.part"))) >= 4)
        workers = children(running.pid)
        running.send_signal(signal.SIGKILL)
    assert len(workers) >= 2
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers), 20)
    assert not (out / "summary.json").exists()
    kept = len(list((out / "parts").glob("*.part")))
    again = subprocess.run(command, capture_output=True, check=False, timeout=100)
    assert again.returncode == 1, again.stderr
    summary = json.loads(again.stdout)["summary"]
    assert 4 <= summary["parts_taken_over"] == kept < 41
    assert (summary["rounds"], summary["differing_rounds"]) == (40 * 1500 + 5, 5)
    done(logs, tmp_path / "whole", in_processes(1), Options(sample=100))
    assert told(out) == told(tmp_path / "whole")
    assert (out / "differences.jsonl").read_bytes() == (tmp_path / "whole/differences.jsonl").read_bytes()


def test_a_worker_that_is_killed_ends_the_run_in_one_line(tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "out"
    logs.mkdir()
    for number in range(30):
        (logs / f"{number:02d}.jsonl").write_bytes(written(many_rounds(1500)))
    command = [str(SCRIPT), "replay", "--batch", str(logs), "--out", str(out), "--workers", "2", "--sample", "100"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        wait_until(lambda: len(list((out / "parts").glob("*.part"))) >= 2)
        computing = [pid for pid in children(running.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill(computing[0], signal.SIGKILL)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (2, "")
    *progress, complaint = said.splitlines()
    assert complaint.startswith("dealer-assist: expected every worker to work on, found one ended")
    assert all(line.endswith(" left") for line in progress)  # a slow run tells how far it is


@pytest.mark.torture
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", ["jsonl", "jsonl.zst", "parquet"])
def test_four_times_the_rounds_take_no_more_memory(tmp_path: Path, kind: str) -> None:
    peaks = []
    for times in (1, 4):
        logs = tmp_path / f"logs-{times}"
        logs.mkdir()
        plain = tmp_path / f"{times}.jsonl"
        block = written(many_rounds(50_000))
        with plain.open("wb") as log:
            for _ in range(4 * times):
                log.write(block)
        subprocess.run([SCRIPT, "convert", plain, logs / f"log.{kind}"], check=True)
        measured = (
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        out = tmp_path / f"out-{times}"
        measuring = [sys.executable, "-c", measured, str(SCRIPT)]
        command = [*measuring, "replay", "--batch", str(logs), "--out", str(out), "--workers", "1"]
        ran = subprocess.run(command, capture_output=True, check=True, text=True)
        peaks.append(int(ran.stdout.splitlines()[-1]))
    assert peaks[1] < 1.2 * peaks[0]
    assert peaks[1] < 1_000_000
