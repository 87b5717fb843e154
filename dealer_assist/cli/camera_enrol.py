"""`dealer-assist camera enrol`: one deck laid before one camera, and what it showed."""

from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TypedDict, Unpack

import click
import msgspec

from dealer_assist.cli.camera_source import (
    CALIBRATION,
    FILE,
    FORCE,
    JSON,
    LOOP,
    SOURCE,
    TABLE,
    json_line,
    may_write,
    until_end,
    watched,
    write,
)
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.cards import DECK, SUITS, Card
from hardware.camera.enrolment import EnrollingReader, Enrolment, enrolled, enrolled_text
from hardware.camera.pulse import Frozen, Lost
from hardware.camera.recogniser import Recogniser
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.voting import CardUnsure, EqualCards
from hardware.camera.watching import CameraEvent, Watcher
from hardware.camera.zones import place_name
from hardware.reader.registration import ORDERS, order_of

_SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


class _Enrolling(TypedDict):
    source: str | None
    calibration: Path | None
    table: str | None
    deck: str
    order: str | None
    out: Path
    seconds: float
    loop: bool
    force: bool
    as_json: bool


class Measured(msgspec.Struct, frozen=True, tag=True):
    """Cards that are measured now, those that are still missing, and in a known order the one to be laid."""

    cards: tuple[Card, ...]
    missing: tuple[Card, ...]
    next: Card | None = None


class Confused(msgspec.Struct, frozen=True, tag=True):
    """Cards that were not told apart, or seen twice: they will be left unsure always."""

    cards: tuple[Card, ...]


class Written(msgspec.Struct, frozen=True, tag=True):
    """The deck's file, and what stands in it."""

    file: str
    missing: tuple[Card, ...]
    unsure: tuple[Card, ...]
    ranks: dict[str, float]
    suits: dict[str, float]


_Told = Measured | Confused | CardUnsure | Lost | Frozen


@click.command()
@SOURCE
@CALIBRATION
@TABLE
@click.option("--deck", required=True, metavar="ID", help="The deck, by the id of its own file.")
@click.option("--order", metavar="ORDER", help=f"{', '.join(ORDERS)} (spades first), or 52 card codes; default: any.")
@click.option("--out", required=True, type=FILE, metavar="FILE.toml", help="The file to write.")
@click.option("--seconds", type=click.FloatRange(1), default=120.0, metavar="N", help="End after N seconds.")
@LOOP
@FORCE
@JSON
def enrol(**options: Unpack[_Enrolling]) -> int:
    """Measure how one deck is read by one camera: lay its 52 cards on the felt.

    In any order they may be laid some or all at a time; a card that the camera can't read stays missing. With --order they
    are laid one after another, each beside the others, and such a card is measured too. It tells what is missing as it
    goes, and ends by itself when nothing is. Exit 1 where a card is to be left unsure always; the file names it.
    """
    may_write(options["out"], options["force"])
    with told_in_one_line():
        order = order_of(options["order"]) if options["order"] else ()
    what = watched(options["source"], options["calibration"], options["table"])
    opened = Camera(SourceSettings(source=what.source, size=what.calibration.size, loop=options["loop"]))
    heard: SimpleQueue[CameraEvent] = SimpleQueue()
    reader = EnrollingReader(Recogniser(), what.calibration, lambda: watcher.lying, order)
    watcher = Watcher(opened, what.calibration, reader.read, heard.put)
    watcher.start()
    try:
        with suppress(KeyboardInterrupt):
            _follow(watcher, heard, reader.enrolment, options)
    finally:
        watcher.stop()
    if opened.ended is not None and not opened.played_to_its_end:
        raise UnusableInput(f"{what.path}: {opened.ended}")
    found = enrolled(reader.enrolment, options["deck"], what.source.name)
    if not found.cards:
        raise UnusableInput(f"{what.source.name}: expected the cards of a deck, found none")
    write(options["out"], enrolled_text(found).encode())
    told = Written(str(options["out"]), reader.enrolment.missing, found.unsure, found.ranks, found.suits)
    click.echo(json_line(told) if options["as_json"] else _summary(told))
    return 1 if found.unsure else 0


def _follow(watcher: Watcher, heard: "SimpleQueue[CameraEvent]", enrolment: Enrolment, options: _Enrolling) -> None:
    """Tell what is measured and what is not, until nothing is missing or the time is over."""
    missing: tuple[Card, ...] = ()  # nothing is told yet
    confused = enrolment.confused
    for event in until_end(watcher, heard, options["seconds"]):
        told: list[_Told] = [event] if isinstance(event, CardUnsure | Lost | Frozen) else []
        if isinstance(event, EqualCards):
            enrolment.twice(event.card)
        if enrolment.confused != confused:
            told.append(Confused(tuple(sorted(enrolment.confused - confused))))
            confused = enrolment.confused
        if enrolment.missing != missing:
            before, missing = missing, enrolment.missing
            now = tuple(card for card in before if card not in missing)
            told.append(Measured(now, missing, enrolment.next))
        for each in told:
            click.echo(json_line(each) if options["as_json"] else _words(each))
        if not missing:
            return


def _words(told: _Told) -> str:
    match told:
        case Measured(cards=cards, missing=missing, next=card):
            now = f"{' '.join(cards)} measured; " if cards else ""
            lay = "" if card is None else f"; lay {card}"
            return f"{len(DECK) - len(missing):2} of 52: {now}missing: {_by_suit(missing)}{lay}"
        case Confused(cards=cards):
            return f"{' '.join(cards)}: not told apart, or there twice; they will be left unsure always"
        case CardUnsure(candidates=candidates):
            return f"unsure at {place_name(told.place)}: {' or '.join(candidates)}: lay it apart, or turn it"
        case Lost(reason=reason) | Frozen(reason=reason):
            return reason


def _by_suit(cards: tuple[Card, ...]) -> str:
    """Cards in few words: `clubs 2 3 T, hearts all`."""
    held = {suit: [card[0] for card in cards if card[1] == suit] for suit in SUITS}
    return ", ".join(
        f"{_SUIT_NAMES[suit]} {'all' if len(ranks) == 13 else ' '.join(ranks)}" for suit, ranks in held.items() if ranks
    ) or "none"  # fmt: skip


def _summary(told: Written) -> str:
    lowered = ", ".join(f"{name} {share}" for name, share in (told.ranks | told.suits).items())
    return (
        f"{told.file}: {len(DECK) - len(told.missing)} of 52 measured; left unsure always: {_by_suit(told.unsure)}\n"
        f"enough for a rank or suit of this deck, where it is less than usual: {lowered or 'none'}"
    )
