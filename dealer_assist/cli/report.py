"""`dealer-assist report`: what a table's log tells of the devices at it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from dealer_assist.application.camera_report import CameraReport, CardTally, DisputeTold
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.round import Ending
from dealer_assist.storage.camera_history import LoggedCamera
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import BrokenSeal, Seal

_ENDINGS: Final = {
    None: "still open",
    Ending.upheld: "the record was right",
    Ending.corrected: "the record was corrected",
    Ending.dropped: "left undecided",
}

_COUNTS: Final = ("looked", "agreed", "unsure", "unseen", "disputed")


@click.group()
def report() -> None:
    """Reports from a table's log."""


@report.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The report as one JSON object.")
def camera(folder: Path, as_json: bool) -> int:
    """How the camera of the table in DIR fares, by deck and card, and all that it disputed.

    agreed: seen as recorded. unsure: named as one of several. unseen: not seen before the round went on. disputed:
    another card was seen in that hand. Exit 1 where anything was ever disputed.
    """
    with told_in_one_line():
        data = DataFolder.existing(folder)
        seal = Seal(data.kept_key("seal"))
    try:
        told = LoggedCamera(data, seal).report()
    except (BrokenSeal, msgspec.ValidationError) as error:
        raise UnusableInput(f"{data.log}: expected a log that holds (see `verify`), found: {error!r}") from None
    if as_json:
        click.echo(msgspec.json.encode(told).decode())
    else:
        click.echo("\n".join(_lines(told)))
    return 1 if told.disputes else 0


def _lines(told: CameraReport) -> Iterator[str]:
    yield f"hands compared: {told.hands}, disputes: {len(told.disputes)}"
    for deck in dict.fromkeys(tally.deck for tally in told.cards):
        yield f"\n{f'deck {deck}' if deck else 'no deck file':<20}" + "".join(f"{count:>10}" for count in _COUNTS)
        tallies = [tally for tally in told.cards if tally.deck == deck]
        yield from (_row(tally.card, tally) for tally in tallies)
        yield _row("all", *tallies)
    if told.disputes:
        yield ""
    yield from map(_dispute, told.disputes)


def _row(name: str, *tallies: CardTally) -> str:
    return f"  {name:<18}" + "".join(f"{sum(getattr(tally, count) for tally in tallies):>10}" for count in _COUNTS)


def _dispute(told: DisputeTold) -> str:
    place = f"seat {told.holder}" if told.holder else "dealer"
    cards = f"{' '.join(told.recorded)} recorded, {' '.join(told.seen)} seen"
    by = f" by {told.signed_by or told.decided_by}" if told.decided_by and told.ending is not Ending.dropped else ""
    reason = f": {told.reason}" if told.reason else ""
    kept = f"{len(told.pictures)} pictures" if told.pictures else f"no pictures ({told.fault or 'none kept'})"
    return f"{told.at[:19]}  {told.round}  {place}: {cards}; {_ENDINGS[told.ending]}{by}{reason}; {kept}"
