"""`dealer-assist simulate`: shoe logs of rounds that nobody played, the same for the same arguments."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import msgspec

from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.cli.progress import progress
from dealer_assist.game.errors import Malformed
from dealer_assist.game.money import Money, parse_amount
from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.shoe_logs import Kind, kind_of

if TYPE_CHECKING:
    from dealer_assist.bulk.simulate import Order, Written

STRATEGIES: Final = {
    "optimal": "optimal",
    "three-rules": "three rules",
    "matching-rank": "matching rank",
    "akj83-or-better": "AKJ83 or better",
    "pair-or-better": "pair or better",
    "ace-and-king-or-better": "ace and king or better",
    "always-raise": "always raise",
    "always-fold": "always fold",
}
_USUAL: Final = "three-rules,matching-rank,pair-or-better,ace-and-king-or-better"
_START: Final = "2026-01-01T12:00:00Z"
_LOGS: Final = ", ".join(f".{kind}" for kind in Kind)


class Told(msgspec.Struct, frozen=True):
    """What `--json` prints."""

    rounds: int
    tables: int
    files: tuple[str, ...]
    planted: str | None
    errors: int
    misreads: int
    seconds: float


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--profile", required=True, metavar="ID", help="The rule profile (id or path).")
@click.option("--reading", metavar="NAME", help="With this reading of the profile.")
@click.option("--rounds", required=True, type=click.IntRange(1, 10**9), help="How many rounds, all tables together.")
@click.option("--seed", required=True, type=click.IntRange(0), help="The same seed gives the same rounds.")
@click.option(
    "--tables", default=1, show_default=True, type=click.IntRange(1, 1000), help="How many tables, T1, T2, …."
)
@click.option(
    "--seats", default="random", show_default=True, metavar="1-4|random", help="How many always play, or by chance."
)
@click.option("--strategy", default=_USUAL, show_default=True, metavar="NAME,…", help=f"Of: {', '.join(STRATEGIES)}.")
@click.option("--ante", metavar="LOW-HIGH", help='Instead of the profile\'s limits, like "5.00-100.00".')
@click.option(
    "--misreads", default=0.0, type=click.FloatRange(0, 1), help="The share of rounds logged with wrong cards."
)
@click.option("--errors", default=0, type=click.IntRange(0), help="How many payments to record wrongly.")
@click.option("--start", default=_START, show_default=True, metavar="TIME", help="When the tables open, UTC.")
@click.option("--format", "kind", type=click.Choice([kind.value for kind in Kind]), help="Of the files in a folder.")
@click.option("--json", "as_json", is_flag=True, help="What was written, as one JSON object.")
def simulate(out: Path, kind: str | None, as_json: bool, **options: Any) -> None:
    """Simulate rounds into OUT: one log (.jsonl, .jsonl.gz, .jsonl.zst, .parquet), or a folder of logs, table by table.

    Nothing is ever overwritten. What --misreads and --errors spoil is listed in OUT.planted.jsonl.
    """
    started = time.perf_counter()
    with told_in_one_line("--profile"):
        profile = load_profile(options["profile"], options["reading"])
    log, folder = _kind(out, kind)
    for name in ("tables", "errors"):
        if options[name] > options["rounds"]:
            raise UnusableInput(f"--{name}: expected at most one a round, found {options[name]}")
    players: dict[str, Any] = {
        "seats": _seats(options["seats"], profile),
        "strategies": _strategies(options["strategy"]),
        "antes": _antes(options["ante"], profile),
        "start": _moment(options["start"]),
    }
    planted = out.with_name(f"{out.name}.planted.jsonl") if options["misreads"] or options["errors"] else None
    _require_free(out, planted)
    from dealer_assist.analysis.simulate import Plan  # noqa: PLC0415  the compiler is loaded only when needed
    from dealer_assist.bulk.simulate import Order  # noqa: PLC0415

    named = {name: options[name] for name in ("rounds", "seed", "tables")}
    plan = Plan(profile=profile, named=options["profile"], **named, **players)
    written = _written(
        Order(plan=plan, misread=options["misreads"], wrong=options["errors"]), out, log, folder, planted
    )
    told = Told(
        rounds=plan.rounds,
        tables=plan.tables,
        files=tuple(map(str, written.files)),
        planted=None if planted is None else str(planted),
        errors=written.payments,
        misreads=written.misreads,
        seconds=round(time.perf_counter() - started, 3),
    )
    click.echo(msgspec.json.encode(told).decode() if as_json else _text(told))


def _require_free(*paths: Path | None) -> None:
    for path in paths:
        if path is not None and path.exists():
            found = "folder" if path.is_dir() else "file"
            raise UnusableInput(f"{path}: expected a name that is free, found a {found}")


def _written(order: "Order", out: Path, kind: Kind, folder: bool, planted: Path | None) -> "Written":
    from dealer_assist.bulk.simulate import simulate as simulated  # noqa: PLC0415

    if order.plan.asks_for_values:
        click.echo("enumerating all deals for optimal play (the first run compiles, and takes longer)", err=True)
    try:
        with told_in_one_line("--profile"), progress("simulating", order.plan.rounds) as advance:
            return simulated(order, out, kind, folder=folder, planted=planted, advance=advance)
    except OSError as error:
        raise UnusableInput(f"{out}: expected a place to write to, found: {error.strerror or error}") from None


def _text(told: Told) -> str:
    rate = told.rounds / told.seconds if told.seconds else 0
    files = told.files[0] if len(told.files) == 1 else f"{len(told.files)} files in {Path(told.files[0]).parent}"
    lines = [f"{told.rounds} rounds at {told.tables} tables in {told.seconds} s ({rate:.0f} rounds/s): {files}"]
    if told.planted:
        lines.append(f"{told.errors} wrong payments and {told.misreads} misread rounds are listed in {told.planted}")
    return "\n".join(lines)


# --- options ---------------------------------------------------------------------------------------------------------


def _kind(out: Path, wanted: str | None) -> tuple[Kind, bool]:
    """Of the files that are written, and whether they go into a folder."""
    found = kind_of(out)
    if found is None and (wanted or not out.suffix):
        return Kind(wanted or Kind.parquet), True
    if found is None:
        raise UnusableInput(f"{out}: expected a name that ends with {_LOGS}, or a folder's")
    if wanted is not None:
        raise UnusableInput(f"--format: expected it beside a folder, found it beside {out}")
    return found, False


def _seats(text: str, profile: RuleProfile) -> int | None:
    if text == "random":
        return None
    if text not in map(str, range(1, profile.seats + 1)):
        raise UnusableInput(f'--seats: expected 1 to {profile.seats}, or random, found "{text}"')
    return int(text)


def _strategies(text: str) -> tuple[str, ...]:
    for name in text.split(","):
        if name not in STRATEGIES:
            raise UnusableInput(f'--strategy: expected some of {", ".join(STRATEGIES)}, found "{name}"')
    return tuple(STRATEGIES[name] for name in text.split(","))


def _antes(text: str | None, profile: RuleProfile) -> tuple[Money, Money] | None:
    if text is None:
        return None
    lowest, _, highest = text.partition("-")
    try:
        amounts = (parse_amount(lowest, profile.minor_digits), parse_amount(highest or lowest, profile.minor_digits))
    except Malformed as error:
        raise UnusableInput(f"--ante: {error}") from None
    if not 0 < amounts[0] <= amounts[1]:
        raise UnusableInput(f'--ante: expected a lowest and a highest above nothing, found "{text}"')
    return amounts


def _moment(text: str) -> int:
    """The second of the Unix era of an ISO 8601 time."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UnusableInput(f'--start: expected a time like "{_START}", found "{text}"') from None
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
