"""`dealer-assist settle`: one round's settlement in paying order, each line explained."""

import sys
from pathlib import Path

import click
import msgspec

from dealer_assist.application.explaining import explained
from dealer_assist.application.records import Fault, Unreadable, read_record
from dealer_assist.application.replay import Played, Replayer
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.bets import Line, Result, Unit
from dealer_assist.game.chips import chips_for
from dealer_assist.game.money import Money, format_amount
from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.tables import load_table


class SettledLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the output; amounts as decimal strings, chips as value → count."""

    seat: str
    bet: str
    result: str
    amount: str
    odds: str | None
    why: str
    chips: dict[str, int]
    uncapped: str | None = None
    short: str | None = None


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--profile", metavar="ID", help="Settle by this rule profile (id or path).")
@click.option("--reading", metavar="NAME", help="Settle by this reading of the profile.")
@click.option("--table", default="demo", metavar="ID", help="The table (id or path) whose chips are handed out.")
@click.option("--json", "as_json", is_flag=True, help='{"lines": […]} in paying order.')
def settle(file: Path, profile: str | None, reading: str | None, table: str, as_json: bool) -> None:
    """Settle the one round/1 record in FILE ("-": standard input)."""
    with told_in_one_line("--table"):
        chips = load_table(table).setup.chips
    played = _played(file, profile, reading)
    lines = [_told(line, played.table.setup.profile, chips) for line in played.lines]
    if as_json:
        click.echo(msgspec.json.encode({"lines": lines}).decode())
        return
    for line in lines:
        paid = f" {line.odds}" if line.odds else ""
        handed = " + ".join(f"{count} × {value}" for value, count in line.chips.items())
        handed += f" (no chips for {line.short})" if line.short else ""
        click.echo(
            f"seat {line.seat} {line.bet:<8}{line.result:<5}{line.amount:>12}{paid}  {line.why}{handed and '  ' + handed}"
        )


def _played(file: Path, profile: str | None, reading: str | None) -> Played:
    place = "standard input" if str(file) == "-" else str(file)
    try:
        text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise UnusableInput(f"{place}: expected a readable file, found: {error.strerror}") from None
    with told_in_one_line(place):
        try:
            record = read_record(text)
            changed = msgspec.structs.replace(
                record, profile=profile or record.profile, reading=reading or record.reading
            )
            return Replayer(load_profile).play(changed)
        except (Unreadable, Fault) as error:
            raise UnusableInput(f"{place}: {error}") from None


def _told(line: Line, profile: RuleProfile, chip_set: tuple[Money, ...]) -> SettledLine:
    digits = profile.minor_digits if line.unit is Unit.currency else 2
    pays = line.result is Result.pay and line.unit is Unit.currency
    payment = chips_for(line.amount, chip_set) if pays else chips_for(Money(0), chip_set)
    return SettledLine(
        seat=str(line.seat),
        bet=line.bet.value,
        result=line.result.value,
        amount=format_amount(line.amount, digits),
        odds=line.odds,
        why=explained(line, profile),
        chips={format_amount(chip.value, digits): chip.count for chip in payment.chips},
        uncapped=None if line.uncapped is None else format_amount(line.uncapped, digits),
        short=format_amount(payment.short, digits) if payment.short else None,
    )
