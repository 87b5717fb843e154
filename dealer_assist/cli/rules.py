"""`dealer-assist rules`: which rule sheets there are, what one says, and whether a file is one."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from dealer_assist.cli.audit_report import report
from dealer_assist.cli.errors import told_in_one_line
from dealer_assist.game.hands import BEST_FIRST, Category
from dealer_assist.game.money import format_amount
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.setup import TableSetup, overridden
from dealer_assist.storage import audit_cache
from dealer_assist.storage.profiles import config_folder, find, load_profile, names, read_toml
from dealer_assist.storage.tables import load_table

if TYPE_CHECKING:
    from dealer_assist.analysis.figures import Audit


@click.group()
def rules() -> None:
    """The rule profiles under config/rules: list them, show one, check a file."""


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
def list_rules(as_json: bool) -> None:
    """List the profiles with their readings."""
    with told_in_one_line():
        profiles = [load_profile(name) for name in names("rules")]
    if as_json:
        rows = [{"id": p.id, "title": p.title, "sheet": p.sheet, "readings": list(p.readings)} for p in profiles]
        click.echo(msgspec.json.encode(rows).decode())
        return
    for profile in profiles:
        readings = f"  readings: {', '.join(profile.readings)}" if profile.readings else ""
        click.echo(f"{profile.id:<16} sheet {profile.sheet}  {profile.title}{readings}")
    click.echo(f"(files in {config_folder() / 'rules'})")


@rules.command()
@click.argument("profile", metavar="ID")
@click.option("--reading", metavar="NAME", help="With this reading laid over it.")
@click.option("--json", "as_json", is_flag=True, help="The whole file as JSON.")
def show(profile: str, reading: str | None, as_json: bool) -> None:
    """Show a profile, by id or path: its values with the clauses they come from."""
    with told_in_one_line():
        shown = load_profile(profile, reading)
        raw = read_toml(find("rules", profile))
    if as_json:
        click.echo(msgspec.json.encode(raw).decode())
        return
    click.echo(f"{shown.title} (sheet {shown.sheet}, {shown.language}){f', reading {reading}' if reading else ''}\n")
    _show_tables(shown)
    click.echo("\nsources")
    for path, clause in shown.sources.items():
        click.echo(f"  {path:<28}{clause}")
    for name, alternative in shown.readings.items():
        click.echo(f"\nreading {name}\n  {alternative.note}\n  {alternative.source}")


def _show_tables(profile: RuleProfile) -> None:
    click.echo(f"dealer qualifies with {profile.dealer_qualifies.lowest} or better")
    click.echo(f"dealer does not qualify: ante {profile.not_qualified.ante}, raise {profile.not_qualified.raise_bet}")
    click.echo(f"\n{'hand':<22}{'raise':>8}{'not qual.':>11}{'5+1':>8}{'jackpot':>10}")
    for category in BEST_FIRST:
        cells = (
            profile.raise_paytable.odds(category),
            profile.not_qualified_paytable.odds(category),
            profile.bonus_paytable.odds(category) if profile.bonus_paytable else None,
            _prize(profile, category),
        )
        texts = ["–" if cell is None else str(cell) for cell in cells]
        name = profile.hand_names.get(category, category.value)
        click.echo(f"{name:<22}{texts[0]:>8}{texts[1]:>11}{texts[2]:>8}{texts[3]:>10}")


def _prize(profile: RuleProfile, category: Category) -> str | None:
    prize = profile.jackpot_paytable.prize(category) if profile.jackpot_paytable else None
    if prize is None:
        return None
    if prize.fixed is not None:
        return format_amount(prize.fixed, profile.minor_digits)
    return f"{(prize.share or 0) * 100} %"


@rules.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help='{"id": …, "readings": […]}.')
def check(file: Path, as_json: bool) -> None:
    """Check a profile's FILE, each of its readings too."""
    with told_in_one_line():
        path = str(file) if file.suffix == ".toml" else f"{file}.toml"
        profile = load_profile(path)
        for reading in profile.readings:
            load_profile(path, reading)
    if as_json:
        click.echo(msgspec.json.encode({"id": profile.id, "readings": list(profile.readings)}).decode())
    else:
        click.echo(f"{file}: profile {profile.id}, {len(profile.readings)} readings, every value in order")


@rules.command()
@click.argument("profile", metavar="ID")
@click.option("--reading", metavar="NAME", help="With this reading laid over it.")
@click.option("--table", metavar="FILE", help="As this table plays it: its limits, seats, maximum payout, overrides.")
@click.option("--strategy", is_flag=True, help="Optimal play too, by own hand and upcard.")
@click.option("--no-cache", is_flag=True, help="Compute it, whatever was kept.")
@click.option("--json", "as_json", is_flag=True, help="The figures as one JSON object.")
def audit(profile: str, reading: str | None, table: str | None, strategy: bool, no_cache: bool, as_json: bool) -> int:
    """The exact figures of a profile by full enumeration, beside what its sheet claims. Exit 1: with warnings."""
    started = time.perf_counter()
    with told_in_one_line():
        audited = load_profile(profile, reading)
    setup = None
    if table is not None:
        with told_in_one_line("--table"):
            setup = load_table(table, profile).setup
        audited = _as_played(audited, setup)
    made_of = audited, setup, strategy
    found = None if no_cache else audit_cache.recall(made_of)
    if found is None:
        with told_in_one_line(profile):
            found = msgspec.json.encode(_computed(audited, setup, strategy=strategy))
        audit_cache.keep(made_of, found)
    figures = msgspec.json.decode(found)
    figures["seconds"] = round(time.perf_counter() - started, 3)
    click.echo(msgspec.json.encode(figures).decode() if as_json else report(figures))
    return 1 if figures["warnings"] else 0


def _as_played(profile: RuleProfile, setup: TableSetup) -> RuleProfile:
    """The profile with what the table chose for itself laid on it."""
    jackpot = profile.jackpot
    if jackpot is not None and setup.contribution is not None:
        jackpot = msgspec.structs.replace(jackpot, contribution=setup.contribution)
    return overridden(msgspec.structs.replace(profile, jackpot=jackpot), setup.overrides)


def _computed(profile: RuleProfile, setup: TableSetup | None, *, strategy: bool) -> "Audit":
    # The compiler takes its time to load, so it is loaded only when something is computed.
    from dealer_assist.analysis.audit import audit as audited  # noqa: PLC0415
    from dealer_assist.analysis.compiling import told_of_compiling  # noqa: PLC0415
    from dealer_assist.analysis.deals import count_deals  # noqa: PLC0415
    from dealer_assist.analysis.strategy import strategy_grid  # noqa: PLC0415

    with told_of_compiling(lambda: click.echo(COMPILING, err=True)):
        deals = count_deals(profile.lowest_qualifying)
        found = audited(profile, deals, setup)
        return msgspec.structs.replace(found, strategy=strategy_grid(profile, deals)) if strategy else found


COMPILING: Final = "compiling the enumeration for this machine, once: this run takes longer than later ones"
