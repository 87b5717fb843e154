"""`dealer-assist camera`: the calibration page, a camera's calibration, and what a camera sees."""

import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypedDict, Unpack

import click
import msgspec
import structlog

from dealer_assist.cli.camera_enrol import enrol
from dealer_assist.cli.camera_source import (
    CALIBRATION,
    FILE,
    FORCE,
    JSON,
    LOOK_EVERY_S,
    LOOP,
    SOURCE,
    TABLE,
    json_line,
    may_write,
    source_named,
    thresholds_in,
    until_end,
    watched,
    write,
)
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.storage.profiles import named, read_toml
from hardware.camera import opencv
from hardware.camera.calibration import READS_WELL_PX, Calibration, calibration_text, plan_from, plan_text
from hardware.camera.marks import RULER_MM, NotCalibrated, calibrated, drawn
from hardware.camera.opencv import Image
from hardware.camera.pulse import Frozen, Live, Lost
from hardware.camera.recogniser import Recogniser
from hardware.camera.settings import Source
from hardware.camera.sheet import sheet
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.voting import CardGone, CardSeen, CardUnsure, EqualCards
from hardware.camera.watching import CameraEvent, PlaceClear, PlaceCovered, Watcher
from hardware.camera.zones import ZonePlan, default_zones, place_name

_WISH: Final = (1920, 1080)
_SEATS: Final = click.option("--seats", type=click.IntRange(1, 4), default=4, help="How many seats; default: 4.")


class _Size(click.ParamType[tuple[int, int]]):
    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        wide, _, high = str(value).lower().partition("x")
        if not (wide.isdecimal() and high.isdecimal() and int(wide) and int(high)):
            self.fail(f"expected a width and a height like 1920x1080, found {value}", param, ctx)
        return int(wide), int(high)


class _Calibrating(TypedDict):
    page: Path | None
    source: str | None
    out: Path | None
    zones: Path | None
    picture: Path | None
    seats: int
    ruler: float
    size: tuple[int, int]
    seconds: float
    force: bool
    as_json: bool


class _Watching(TypedDict):
    source: str | None
    calibration: Path | None
    table: str | None
    enrolment: Path | None
    loop: bool
    seconds: float | None
    as_json: bool


@click.group()
def camera() -> None:
    """Cameras over the felt: the calibration page, a calibration, what they see."""
    structlog.configure(
        logger_factory=structlog.PrintLoggerFactory(sys.stderr)
    )  # standard output is for what was asked


camera.add_command(enrol)


@camera.command()
@click.option("--sheet", "page", type=FILE, metavar="OUT.pdf", help="Write the page to print: A4, then A3.")
@SOURCE
@click.option("--out", type=FILE, metavar="FILE.toml", help="The calibration to write.")
@click.option("--zones", type=FILE, metavar="FILE.toml", help="The felt's zones; see `camera zones`.")
@click.option("--picture", type=FILE, metavar="OUT.png", help="The picture with the zones; default: beside --out.")
@_SEATS
@click.option(
    "--ruler", type=click.FloatRange(50, 200), default=RULER_MM, metavar="MM", help="The printed ruler's length."
)
@click.option(
    "--size", type=_Size(), default="x".join(map(str, _WISH)), help="What a camera is asked for; default: 1920x1080."
)
@click.option("--seconds", type=click.FloatRange(0.1), default=15.0, metavar="N", help="Give up after N seconds.")
@FORCE
@JSON
def calibrate(**options: Unpack[_Calibrating]) -> int:
    """Print the page with the marks (--sheet), or find it on the felt (--source, --out).

    The page lies in the middle of the felt, which is otherwise empty. The calibration holds until camera, lens or table
    are moved. Look at the picture that is written beside it: each zone must lie where those cards lie.
    """
    page, source, out = options["page"], options["source"], options["out"]
    if (page is None) == (source is None):
        raise UnusableInput("--sheet, --source: expected one of them, found " + ("neither" if page is None else "both"))
    if page is not None:
        may_write(page, options["force"])
        write(page, sheet())
        click.echo(f"{page}: page 1 is A4, page 2 is A3; print one of them at 100 %")
        return 0
    assert source is not None
    if out is None:
        raise UnusableInput("--out: expected the calibration's file, found none")
    picture = options["picture"] or out.with_suffix(".png")
    for path in (out, picture):
        may_write(path, options["force"])
    image, found = _calibration(source_named(source), _plan(options), options)
    write(picture, opencv.encoded(drawn(image, found), ".png"))
    write(out, calibration_text(found).encode())
    _tell_calibration(out, picture, found, options["as_json"])
    return 0


def _plan(options: _Calibrating) -> ZonePlan:
    path = options["zones"]
    if path is None:
        return default_zones(options["seats"])
    with told_in_one_line():
        return named(path, lambda: plan_from(read_toml(path)))


def _calibration(source: Source, plan: ZonePlan, options: _Calibrating) -> tuple[Image, Calibration]:
    """The first picture in which the page is found whole. Raises: UnusableInput, saying what is missing."""
    fault = f"{source.name}: expected a picture, found none"
    for image in _pictures(source, options):
        try:
            return image, calibrated(image, plan, source.name, options["ruler"])
        except NotCalibrated as missing:
            fault = f"{source.name}: {missing}"
    raise UnusableInput(fault)


def _pictures(source: Source, options: _Calibrating) -> Iterator[Image]:
    """Pictures for as many seconds as are given, or to the end of a file. Raises: UnusableInput, where none comes."""
    if source.is_file and Path(str(source.where)).suffix.lower() in opencv.PICTURES:
        image = opencv.read_image(Path(str(source.where)))
        if image is not None:
            yield image
        return
    opened = Camera(SourceSettings(source=source, wish=options["size"]))
    ends, number = time.monotonic() + options["seconds"], 0
    opened.start()
    try:
        while time.monotonic() < ends and opened.ended is None:
            frame = opened.newest(number, LOOK_EVERY_S)
            if frame is not None:
                number = frame.number
                yield frame.picture
        if number == 0 and isinstance(opened.state, Lost | Frozen):
            raise UnusableInput(opened.state.reason)
    finally:
        opened.stop()


def _tell_calibration(out: Path, picture: Path, found: Calibration, as_json: bool) -> None:
    least, most = found.card_px
    if as_json:
        told = {
            "file": str(out),
            "picture": str(picture),
            "size": found.size,
            "card_px": found.card_px,
            "reads_well": found.reads_well,
            "off_px": found.off_px,
            "seats": [zone.seat for zone in found.zones],
        }
        click.echo(msgspec.json.encode(told).decode())
        return
    click.echo(f"{out}: pictures of {found.size[0]}×{found.size[1]}, a card is {least:.0f} to {most:.0f} pixels wide")
    if not found.reads_well:
        click.echo(
            f"below {READS_WELL_PX:.0f} pixels many cards are left unsure where they lie over one another: "
            "hang the camera lower, or ask it for larger pictures (--size)"
        )
    click.echo(f"the page fits to {found.off_px} pixels; look at {picture}: each zone must lie where those cards lie")


@camera.command()
@_SEATS
def zones(seats: int) -> None:
    """Print the usual zones as a file to change by hand, for `camera calibrate --zones`."""
    click.echo(plan_text(default_zones(seats)), nl=False)


@camera.command()
@SOURCE
@CALIBRATION
@TABLE
@click.option("--enrolment", type=FILE, metavar="FILE.toml", help="What `camera enrol` wrote of the deck that is laid.")
@LOOP
@click.option("--seconds", type=click.FloatRange(0.001), metavar="N", help="End after N seconds.")
@JSON
def watch(**options: Unpack[_Watching]) -> int:
    """Show live what a camera sees as it changes, until Ctrl-C is pressed: for setting up, never beside a game.

    Exit 1 where the camera was lost or frozen, or one picture showed two equal cards.
    """
    what = watched(options["source"], options["calibration"], options["table"])
    if options["enrolment"] is not None:
        what = replace(what, thresholds=thresholds_in(options["enrolment"]))
    heard: SimpleQueue[CameraEvent] = SimpleQueue()
    opened = Camera(SourceSettings(source=what.source, size=what.calibration.size, loop=options["loop"]))
    read = partial(Recogniser(thresholds=what.thresholds).recognise, card_size=what.calibration.card_size)
    watcher = Watcher(opened, what.calibration, read, heard.put)
    faults = lived = False
    watcher.start()
    try:
        with suppress(KeyboardInterrupt):
            for event in until_end(watcher, heard, options["seconds"]):
                if event is None:
                    continue
                lived = lived or isinstance(event, Live)
                lost = lived and isinstance(event, Lost) and opened.ended is None
                faults = faults or lost or isinstance(event, EqualCards | Frozen)
                click.echo(json_line(event) if options["as_json"] else _text_line(event))
    finally:
        watcher.stop()
    if opened.ended is not None and not opened.played_to_its_end:
        raise UnusableInput(f"{what.path}: {opened.ended}")
    return 1 if faults or not lived else 0


def _text_line(event: CameraEvent) -> str:
    return f"{datetime.now(UTC).astimezone():%H:%M:%S.%f}  {_words(event)}"


def _words(event: CameraEvent) -> str:
    match event:
        case Live():
            return "camera   live"
        case Frozen(reason=reason):
            return f"camera   FROZEN  {reason}"
        case Lost(reason=reason):
            return f"camera   LOST  {reason}"
        case CardSeen():
            return f"{place_name(event.place):8} {event.card}  {event.frames} of 5, {event.confidence:.0%}"
        case CardUnsure():
            return f"{place_name(event.place):8} unsure: {' or '.join(event.candidates)}"
        case CardGone():
            return f"{place_name(event.place):8} {event.card or 'the unsure card'} is not seen any more"
        case EqualCards():
            return f"EQUAL CARDS  {event.card} at {' and '.join(map(place_name, event.places))}"
        case PlaceCovered():
            return f"{place_name(event.place):8} covered: something lies across its rim"
        case PlaceClear():
            return f"{place_name(event.place):8} clear again"
