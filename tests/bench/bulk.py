"""Logs made and replayed by the million, beside the plain engine, as they grow: rounds a second and bytes a round."""

import json
import resource
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.bench.figures import Figure
from tests.served import COMMAND

PROFILE: Final = "four-seat-fi"
SIZES: Final[dict[str, tuple[int, ...]]] = {
    "parquet": (10_000, 100_000, 1_000_000, 10_000_000),
    "jsonl": (10_000, 100_000, 1_000_000),
    "jsonl.zst": (10_000, 100_000, 1_000_000),
}
PLAIN: Final = 20_000
LARGEST: Final = 10_000_000


def bulk_figures() -> Iterator[Figure]:
    """Every format and size, then one log by the plain engine."""
    with tempfile.TemporaryDirectory() as name:
        for form, sizes in SIZES.items():
            for size in sizes:
                yield from _one_size(Path(name) / f"{form}-{size}", form, size)
        yield _plain(Path(name) / "plain.jsonl")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    yield Figure("most memory of one process so far", round(peak), "MiB", 2048, note="at most two are at work")


def _one_size(folder: Path, form: str, size: int) -> Iterator[Figure]:
    """Make a log of two tables with some errors, replay it, and see that just those are found."""
    errors = size // 1000
    made = _run("simulate", "--profile", PROFILE, "--rounds", size, "--seed", size, "--tables", 2, "--errors", errors,
                "--format", form, folder)  # fmt: skip
    summary = _replayed(folder)
    if (summary["rounds"], summary["differences"], summary["faults"]) != (size, errors, 0):
        raise AssertionError(f"{form} {size}: expected {errors} differences and no fault, found {summary}")
    target = LARGEST / 180 if size == LARGEST else None
    note = f"made at {size / made:,.0f}/s, {summary['formats'][form]['bytes_per_round']} bytes a round"
    yield Figure(f"batch replay, {form}, {size:.0e}", summary["rounds_per_second"], "rounds/s", target, "higher", note)


def _replayed(folder: Path) -> dict[str, Any]:
    command = [str(COMMAND), "replay", "--batch", str(folder), "--out", f"{folder}-replayed", "--json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    summary: dict[str, Any] = json.loads(done.stdout)["summary"]
    return summary


def _plain(log: Path) -> Figure:
    _run("simulate", "--profile", PROFILE, "--rounds", PLAIN, "--seed", 1, log)
    seconds = _run("replay", log)
    return Figure("plain replay, whole command", round(PLAIN / seconds), "rounds/s", better="higher", note="one core")


def _run(*arguments: object) -> float:
    """How many seconds a command takes that must succeed."""
    started = time.perf_counter()
    subprocess.run([str(COMMAND), *map(str, arguments)], check=True, capture_output=True)
    return time.perf_counter() - started
