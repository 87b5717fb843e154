"""`dealer-assist replay`: logged rounds dealt again, settled, and compared with what was paid."""

import sys
import time
from pathlib import Path

import click
import msgspec

from dealer_assist.application.records import id_of
from dealer_assist.application.replay import ReplayedRound
from dealer_assist.bulk.judging import Judge, Judgement
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.cli.progress import progress
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.shoe_logs import UnreadableLog, lines


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
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--profile", metavar="ID", help="Play by this rule profile (id or path), whatever the records name.")
@click.option("--reading", metavar="NAME", help="Play by this reading of the profile, whatever the records name.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object a round, and a summary last; in bulk, the summary."
)
@click.option(
    "--batch", metavar="FOLDER", type=click.Path(path_type=Path), help="Replay all logs under FOLDER in bulk."
)
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Bulk: where its findings go and are kept.")
@click.option(
    "--sample", metavar="N", type=click.IntRange(min=0), help="Bulk: deal 1 round in N by the live engine too (10000)."
)
@click.option("--workers", metavar="N", type=click.IntRange(min=1), help="Bulk: how many processes (one a core).")
@click.option("--fresh", is_flag=True, help="Bulk: forget what an earlier run left in DIR.")
@click.option("--cluster", metavar="URL", help="Bulk: work on the Dask cluster of this scheduler, tcp://HOST:PORT.")
def replay(  # noqa: PLR0913, PLR0917  one parameter an option
    files: tuple[Path, ...],
    profile: str | None,
    reading: str | None,
    as_json: bool,
    batch: Path | None,
    out: Path | None,
    sample: int | None,
    workers: int | None,
    fresh: bool,
    cluster: str | None,
) -> int:
    """Replay shoe logs (FILE… of round/1 records, plain, .gz or .zst): same cards in, same payouts out.

    With --batch, all logs under a folder, Parquet too, by the million.
    """
    if profile is not None:
        with told_in_one_line("--profile"):
            load_profile(profile, reading)
    bulk = {"--out": out, "--sample": sample, "--workers": workers, "--fresh": fresh or None, "--cluster": cluster}
    if batch is None:
        if alone := next((name for name, given in bulk.items() if given is not None), None):
            raise UnusableInput(f"{alone}: expected it beside --batch, found it alone")
        if not files:
            raise UnusableInput("expected a FILE, or --batch FOLDER, found neither")
        return _replay(files, Judge(profile, reading), as_json)
    if files:
        raise UnusableInput(f"{files[0]}: expected no FILE beside --batch, found one")
    from dealer_assist.cli.replay_batch import Asked, replay_batch  # noqa: PLC0415  it loads what no other replay needs

    return replay_batch(Asked(batch, profile, reading, out, sample, workers, fresh, cluster), as_json)


def _replay(files: tuple[Path, ...], judge: Judge, as_json: bool) -> int:
    for path in files:
        _require_usable(path, judge)
    summary, started = Summary(), time.perf_counter()
    report = _Report(as_json)
    with progress("replaying", sum(path.stat().st_size for path in files)) as advance:
        for path in files:
            number = 0
            try:
                for number, line in lines(path, advance):
                    report.tell(_replayed(judge, number, line), summary)
            except UnreadableLog as broken:  # a log that ends before its end: what was read is told all the same
                report.tell(FaultLine(number + 1, None, str(broken)), summary)
    summary.seconds = round(time.perf_counter() - started, 3)
    report.summary(summary)
    return 1 if summary.differences or summary.faults else 0


def _require_usable(path: Path, judge: Judge) -> None:
    """Raises: UnusableInput, where a file holds no line that is a record of a known profile and reading."""
    first: str | None = None
    try:
        for number, line in lines(path):
            finding = judge.misfit(line)
            if finding is None:
                return
            first = first or f"{path}, line {number}: {finding}"
    except UnreadableLog as error:
        raise UnusableInput(str(error)) from None
    raise UnusableInput(first or f"{path}: expected round/1 records, found an empty file")


def _replayed(judge: Judge, number: int, line: bytes) -> ReplayedRound | FaultLine:
    found = judge.judge(line)
    return found.outcome if isinstance(found, Judgement) else FaultLine(number, id_of(line), found)


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
