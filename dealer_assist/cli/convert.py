"""`dealer-assist convert`: rounds from one form to another, nothing lost: JSON lines, Parquet, a table's live log."""

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from dealer_assist.application.records import FORMAT
from dealer_assist.application.service import LogUnavailable
from dealer_assist.cli.errors import UnusableInput
from dealer_assist.cli.history import exported
from dealer_assist.storage import parquet
from dealer_assist.storage.shoe_logs import Kind, UnreadableLog, kind_of, lines, logs_under, write_lines, written


class Converted(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was written. `left_out`: of a live log, how many rounds had a field that it does not keep."""

    rounds: int
    bytes_in: int
    bytes_out: int
    bytes_per_round: float | None
    left_out: dict[str, int] = {}


@click.command()
@click.argument("sources", metavar="SOURCE…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.argument("dest", metavar="DEST", type=click.Path(path_type=Path))
@click.option(
    "--reason", metavar="TEXT", help="Why rounds leave a table's folder: it opens folded hands, and is logged."
)
@click.option("--to-log", is_flag=True, help="DEST is a new data folder: deal the rounds again into a live log.")
@click.option("--json", "as_json", is_flag=True, help="What was written as one JSON object.")
def convert(sources: tuple[Path, ...], dest: Path, reason: str | None, to_log: bool, as_json: bool) -> None:
    """Write the rounds of every SOURCE to DEST, whose name says how: .jsonl, .jsonl.gz, .jsonl.zst or .parquet.

    A SOURCE is such a file, a folder of them, or a table's data folder.
    """
    kind = None if to_log else kind_of(dest)
    if kind is None and not to_log:
        raise UnusableInput(f"{dest}: expected a name ending in {_endings()}, or --to-log, found neither")
    if dest.exists():
        raise UnusableInput(f"{dest}: expected a name that is not taken, found it there already")
    if not dest.absolute().parent.is_dir():
        raise UnusableInput(f"{dest}: expected an existing folder to write to, found none")
    logs = [log for source in sources for log in _logs(source)]
    _require_reason(logs, reason)
    bytes_in = sum(_size(log) for log in logs)
    reading = _Reading(logs, reason or "")
    try:
        left_out = _write_log(dest, reading) if kind is None else _write(dest, kind, reading)
    except (UnreadableLog, LogUnavailable) as error:
        raise UnusableInput(str(error)) from None
    except OSError as error:
        raise UnusableInput(f"{dest}: expected room to write to, found: {error.strerror or error}") from None
    bytes_out, rounds = _size(dest), reading.rounds
    _tell(
        Converted(rounds, bytes_in, bytes_out, round(bytes_out / rounds, 1) if rounds else None, left_out),
        dest,
        as_json,
    )


def _endings() -> str:
    return ", ".join(f".{kind}" for kind in Kind)


def _is_table(path: Path) -> bool:
    return (path / "log.sqlite").is_file()


def _size(path: Path) -> int:
    return sum(log.stat().st_size for log in path.glob("log.sqlite*")) if path.is_dir() else path.stat().st_size


def _logs(source: Path) -> list[Path]:
    """The files of a source, or the table's folder that it is. Raises: UnusableInput."""
    if _is_table(source):
        return [source]
    found = logs_under(source)
    if not found:
        raise UnusableInput(f"{source}: expected a table's folder, or files named {_endings()}, found none")
    return found


def _require_reason(logs: list[Path], reason: str | None) -> None:
    table = next(filter(_is_table, logs), None)
    if table is not None and not (reason or "").strip():
        raise UnusableInput(f"--reason: expected why the rounds of {table} leave the house, found nothing")


class _Reading:
    """The lines of logs, one after another, with their places; counts them."""

    def __init__(self, logs: list[Path], reason: str) -> None:
        self._logs = logs
        self._reason = reason
        self.rounds = 0

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        for log in self._logs:
            for number, line in self._lines(log):
                self.rounds += 1
                yield f"{log}, line {number}", line.removesuffix(b"\n")

    def _lines(self, log: Path) -> Iterator[tuple[int, bytes]]:
        if _is_table(log):
            yield from enumerate((line.encode() for line in exported(log, FORMAT, self._reason)), 1)
        elif kind_of(log) is Kind.parquet:
            yield from parquet.lines(log)
        else:
            yield from lines(log)


def _write(dest: Path, kind: Kind, reading: _Reading) -> dict[str, int]:
    found = (line for _, line in reading)
    with written(dest) as partial:
        if kind is Kind.parquet:
            parquet.write(partial, found)
        else:
            write_lines(partial, kind, found)
    return {}


def _write_log(dest: Path, reading: _Reading) -> dict[str, int]:
    """What the log does not keep. Raises: UnusableInput."""
    from dealer_assist.bulk.live_log import NotOneTable, make_log, new_folder  # noqa: PLC0415  no other way needs it

    try:
        with new_folder(dest) as folder:
            return make_log(folder, reading).left_out
    except NotOneTable as error:
        raise UnusableInput(str(error)) from None


def _tell(done: Converted, dest: Path, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(done).decode())
        return
    told = f"{done.rounds} rounds, {done.bytes_in} bytes in, {done.bytes_out} bytes out, {done.bytes_per_round} a round"
    click.echo(f"{dest}: {told}")
    for name, count in sorted(done.left_out.items()):
        click.echo(f"not kept by a live log: {name} of {count} rounds")
