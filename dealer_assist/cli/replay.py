"""`dealer-assist replay`: logged rounds dealt again, settled, and compared with what was paid."""

import gzip
import io
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import click
import msgspec
import zstandard
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from dealer_assist.application.records import Fault, RoundRecord, Unreadable, id_of, read_record
from dealer_assist.application.replay import ReplayedRound, Replayer, outcome_of
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.errors import GameError
from dealer_assist.storage.profiles import UnknownName, load_profile


class FaultLine(msgspec.Struct, frozen=True):
    """A line that can't be replayed."""

    line: int
    id: str | None
    fault: str


class Summary(msgspec.Struct):
    """What a whole replay came to."""

    rounds: int = 0
    differences: int = 0
    faults: int = 0
    seconds: float = 0.0


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--profile", metavar="ID", help="Play by this rule profile (id or path), whatever the records name.")
@click.option("--reading", metavar="NAME", help="Play by this reading of the profile, whatever the records name.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a round, and a summary last.")
def replay(files: tuple[Path, ...], profile: str | None, reading: str | None, as_json: bool) -> int:
    """Replay shoe logs (FILE… of round/1 records, plain, .gz or .zst): same cards in, same payouts out."""
    if profile is not None:
        with told_in_one_line("--profile"):
            load_profile(profile, reading)
    for path in files:
        _require_usable(path, profile, reading)
    replayer, summary, started = Replayer(load_profile), Summary(), time.perf_counter()
    report = _Report(as_json)
    with _progress(files) as advance:
        for path in files:
            number = 0
            try:
                for number, line in _lines(path, advance):
                    report.tell(_replayed(replayer, number, line, profile, reading), summary)
            except UnusableInput as broken:  # a log that ends before its end: what was read is told all the same
                report.tell(FaultLine(number + 1, None, str(broken)), summary)
    summary.seconds = round(time.perf_counter() - started, 3)
    report.summary(summary)
    return 1 if summary.differences or summary.faults else 0


def _require_usable(path: Path, profile: str | None, reading: str | None) -> None:
    """Raises: UnusableInput, where a file holds no line that is a record of a known profile and reading."""
    first: str | None = None
    for number, line in _lines(path):
        finding = _misfit(line, profile, reading)
        if finding is None:
            return
        first = first or f"{path}, line {number}: {finding}"
    raise UnusableInput(first or f"{path}: expected round/1 records, found an empty file")


def _misfit(line: bytes, profile: str | None, reading: str | None) -> str | None:
    """Why a line is no record of a known profile and reading; None where it is one."""
    try:
        record = read_record(line)
        load_profile(profile or record.profile, reading or record.reading)
    except (Unreadable, Fault, UnknownName, GameError) as error:
        return str(error)
    return None


def _replayed(
    replayer: Replayer, number: int, line: bytes, profile: str | None, reading: str | None
) -> ReplayedRound | FaultLine:
    try:
        record = _overridden(read_record(line), profile, reading)
        return outcome_of(record, replayer.play(record))
    except (Unreadable, Fault, UnknownName, GameError) as error:
        return FaultLine(number, id_of(line), str(error))


def _overridden(record: RoundRecord, profile: str | None, reading: str | None) -> RoundRecord:
    if profile is None and reading is None:
        return record
    return msgspec.structs.replace(record, profile=profile or record.profile, reading=reading or record.reading)


# --- reading -------------------------------------------------------------------------------------------------------


def _lines(path: Path, advance: Callable[[int], None] = lambda _: None) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines of a log with their numbers. Raises: UnusableInput, where the file can't be read."""
    try:
        with path.open("rb") as raw, _unpacked(path, raw) as text:
            read = 0
            for number, line in enumerate(text, 1):
                if number % 256 == 0:
                    advance(raw.tell() - read)
                    read = raw.tell()
                if line.strip():
                    yield number, line
            advance(raw.tell() - read)
    except OSError as error:
        raise UnusableInput(f"{path}: expected a readable log, found: {error.strerror or error}") from None
    except (EOFError, zlib.error, zstandard.ZstdError) as error:
        raise UnusableInput(f"{path}: expected a whole compressed log, found: {error}") from None


def _unpacked(path: Path, raw: BinaryIO) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast("BinaryIO", gzip.open(raw))
        case ".zst":
            return cast(
                "BinaryIO", io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
            )
        case _:
            return raw


@contextmanager
def _progress(files: tuple[Path, ...]) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal's standard error, counting the bytes read; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (TextColumn("replaying"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("replay", total=sum(path.stat().st_size for path in files))
        yield lambda count: bar.advance(task, count)


# --- telling -------------------------------------------------------------------------------------------------------


class _Report:
    """Prints each round as JSON, or only what differs as text, and counts."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json

    def tell(self, result: ReplayedRound | FaultLine, summary: Summary) -> None:
        """Count and print one line's result."""
        summary.rounds += 1
        if isinstance(result, FaultLine):
            summary.faults += 1
        else:
            summary.differences += len(result.differences)
        if self._as_json:
            sys.stdout.write(msgspec.json.encode(result).decode() + "\n")
        elif isinstance(result, FaultLine):
            click.echo(f"line {result.line} ({result.id or 'no id'}): {result.fault}")
        else:
            for found in result.differences:
                wanted = "nothing: the seat did not play" if found.expected is None else found.expected
                click.echo(f"{result.id}, seat {found.seat}, {found.bet}: recorded {found.recorded}, expected {wanted}")

    def summary(self, summary: Summary) -> None:
        """Print what it all came to."""
        if self._as_json:
            sys.stdout.write(msgspec.json.encode({"summary": summary}).decode() + "\n")
            return
        rate = summary.rounds / summary.seconds if summary.seconds else 0
        click.echo(
            f"{summary.rounds} rounds, {summary.differences} differences, {summary.faults} faults"
            f" in {summary.seconds} s ({rate:.0f} rounds/s)"
        )
