"""`dealer-assist replay --batch`: every log under a folder re-checked in bulk, here or by a cluster."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from dealer_assist.bulk.cluster import NoCluster, on_cluster
from dealer_assist.bulk.judging import Judge
from dealer_assist.bulk.partitions import partitions
from dealer_assist.bulk.run import Compute, RunBroken, Watch, in_processes, run
from dealer_assist.bulk.store import FolderBusy, Store, UnusableFolder
from dealer_assist.bulk.summary import Summary
from dealer_assist.bulk.work import Options
from dealer_assist.cli.errors import UnusableInput
from dealer_assist.storage import parquet
from dealer_assist.storage.shoe_logs import DamagedLog, Kind, UnreadableLog, kind_of, lines, logs_under

_TELL_EVERY_S: Final = 10.0


class Asked(msgspec.Struct, frozen=True):
    """What the command line asks for; None where it does not say."""

    folder: Path
    profile: str | None
    reading: str | None
    out: Path | None
    sample: int | None
    workers: int | None
    fresh: bool
    cluster: str | None


def replay_batch(asked: Asked, as_json: bool) -> int:
    """Re-check, write DIR, and tell the summary; the exit status. Raises: UnusableInput."""
    out = asked.out or Path(f"{asked.folder.resolve().name}-replayed")
    _require_apart(out, asked.folder)
    sample = Options().sample if asked.sample is None else asked.sample
    options = Options(asked.profile, asked.reading, sample)
    try:
        _require_usable(asked.folder, Judge(asked.profile, asked.reading))
        parts = list(partitions(asked.folder))
        with _compute(asked) as compute, Store(out, options) as store, _watching() as watch:
            if asked.fresh:
                store.clear()
            summary = run(parts, options, store, compute, watch)
    except (UnreadableLog, UnusableFolder, FolderBusy, RunBroken, NoCluster) as error:
        raise UnusableInput(str(error)) from None
    if as_json:
        sys.stdout.write(msgspec.json.encode({"summary": summary}).decode() + "\n")
    else:
        _tell(summary, out)
    return 1 if summary.differences or summary.faults or summary.engines_disagree else 0


@contextmanager
def _compute(asked: Asked) -> Iterator[Compute]:
    if asked.cluster is None:
        yield in_processes(asked.workers or os.cpu_count() or 1)
        return
    if asked.workers is not None:
        raise UnusableInput("--workers: expected none beside --cluster, whose workers are its own")
    with on_cluster(asked.cluster) as compute:
        yield compute


def _require_apart(out: Path, folder: Path) -> None:
    if not folder.exists():
        raise UnusableInput(f"{folder}: expected a folder of shoe logs, found none")
    if out.resolve().is_relative_to(folder.resolve()):
        raise UnusableInput(f"--out: expected a folder outside {folder}, found {out}")


def _require_usable(folder: Path, judge: Judge) -> None:
    """Raises: UnusableInput, where no log under a folder holds a record of a known profile and reading."""
    first: str | None = None
    for path in logs_under(folder):
        try:
            for number, line in parquet.lines(path) if kind_of(path) is Kind.parquet else lines(path):
                finding = judge.misfit(line)
                if finding is None:
                    return
                first = first or f"{path}, line {number}: {finding}"
        except DamagedLog as damaged:
            first = first or str(damaged)
    kinds = ", ".join(f".{kind}" for kind in Kind)
    raise UnusableInput(first or f"{folder}: expected round/1 records in files named {kinds}, found none")


# --- telling -------------------------------------------------------------------------------------------------------------


@contextmanager
def _watching() -> Iterator[Watch]:
    """On a terminal a bar, elsewhere a line now and then; both on standard error."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    columns = (
        TextColumn("replaying"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %  {task.fields[told]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield _Bar(bar)


class _Rate(Watch):
    """Counts."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self.expected, self.done, self.rounds = 0, 0, 0

    def begin(self, expected: int) -> None:
        self._started, self.expected = time.perf_counter(), expected

    def advance(self, expected: int, rounds: int) -> None:
        self.done += expected
        self.rounds += rounds

    def told(self) -> str:
        """The rounds so far, and how fast."""
        seconds = time.perf_counter() - self._started
        return f"{self.rounds:,} rounds, {self.rounds / seconds if seconds else 0:,.0f} rounds/s"

    def left(self) -> float:
        """About how many seconds are left."""
        return (time.perf_counter() - self._started) * (self.expected - self.done) / self.done if self.done else 0.0


class _Bar(_Rate):
    def __init__(self, bar: Progress) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task("replay", total=None, told="")

    def begin(self, expected: int) -> None:
        super().begin(expected)
        self._bar.update(self._task, total=expected)

    def advance(self, expected: int, rounds: int) -> None:
        super().advance(expected, rounds)
        self._bar.update(self._task, advance=expected, told=self.told())


class _Lines(_Rate):
    def __init__(self) -> None:
        super().__init__()
        self._next = time.perf_counter() + _TELL_EVERY_S

    def advance(self, expected: int, rounds: int) -> None:
        super().advance(expected, rounds)
        if time.perf_counter() >= self._next:
            self._next += _TELL_EVERY_S
            share = 100 * self.done / self.expected if self.expected else 100
            click.echo(f"{share:.0f} %: {self.told()}, about {self.left():.0f} s left", err=True)


def _tell(summary: Summary, out: Path) -> None:
    click.echo(
        f"{summary.rounds} rounds in {summary.files} files, {summary.differences} differences in"
        f" {summary.differing_rounds} rounds, {summary.faults} faults in {summary.seconds} s"
        f" ({summary.rounds_per_second} rounds/s)"
    )
    click.echo(
        f"{summary.irregular_rounds} rounds by the live engine alone, {summary.sampled} by both as a sample,"
        f" {summary.parts_taken_over} of {summary.parts} parts taken over from before"
    )
    for kind, found in summary.formats.items():
        click.echo(f".{kind}: {found.files} files, {found.bytes} bytes, {found.bytes_per_round} a round")
    if summary.engines_disagree:
        click.echo(
            f"THE ENGINES DISAGREE on {summary.engines_disagree} rounds: report it, with {out}/differences.jsonl"
        )
    click.echo(f"findings: {out / 'differences.jsonl'}, totals: {out / 'summary.json'}")
