"""What the commands of `dealer-assist camera` share: which camera with which calibration, and files to write."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import click
import msgspec

from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.settings import shaped
from dealer_assist.storage.folder import write_owner_only
from dealer_assist.storage.profiles import named, read_toml
from dealer_assist.storage.tables import load_table
from hardware.camera.calibration import Calibration, calibration_from
from hardware.camera.enrolment import enrolled_from
from hardware.camera.settings import CameraSettings, Source, source_of
from hardware.camera.votes import USUAL, Thresholds
from hardware.camera.watching import CameraEvent, Watcher
from hardware.reader.deck import load_deck

LOOK_EVERY_S: Final = 0.1
FILE: Final = click.Path(path_type=Path)
SOURCE_HELP: Final = "A camera's number, a file, or a URL (rtsp, http)."
JSON: Final = click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
FORCE: Final = click.option("--force", is_flag=True, help="Write over files that are there.")
SOURCE: Final = click.option("--source", metavar="SOURCE", help=SOURCE_HELP)
CALIBRATION: Final = click.option(
    "--calibration", type=FILE, metavar="FILE.toml", help="What `camera calibrate` wrote."
)
TABLE: Final = click.option("--table", metavar="FILE", help="In place of both: a table's file (or id), its camera.")
LOOP: Final = click.option("--loop", is_flag=True, help="Begin a file again at its end.")


@dataclass(frozen=True)
class Watched:
    """A camera to watch: its source, its calibration and that one's file, and the thresholds of the deck in play."""

    source: Source
    path: Path
    calibration: Calibration
    thresholds: Thresholds


def source_named(raw: str) -> Source:
    """What `--source` names. Raises: UnusableInput."""
    with told_in_one_line():
        source = source_of(raw)
    if source.is_file and not Path(raw).is_file():
        raise UnusableInput(f"--source: expected a camera's number, a file or a URL, found {raw}, which is not there")
    return source


def watched(source: str | None, calibration: Path | None, table: str | None) -> Watched:
    """The camera that `--source` and `--calibration`, or `--table`, name. Raises: UnusableInput."""
    thresholds = USUAL
    if table is not None:
        if source is not None or calibration is not None:
            raise UnusableInput("--table: expected it alone, found --source or --calibration beside it")
        settings, in_play = _of_table(table)
        source, calibration = str(settings.source), Path(settings.calibration)
        if in_play in settings.enrolment:
            thresholds = thresholds_in(Path(settings.enrolment[in_play]))
    if source is None or calibration is None:
        raise UnusableInput("--source, --calibration: expected both, or --table FILE")
    path = calibration
    with told_in_one_line():
        found = named(path, lambda: calibration_from(read_toml(path)))
    return Watched(source_named(source), path, found, thresholds)


class _Table(msgspec.Struct, frozen=True):
    camera: CameraSettings


def _of_table(table: str) -> tuple[CameraSettings, str | None]:
    """A table's camera, and the deck that it begins to play with."""
    with told_in_one_line():
        plan = load_table(table)
        if plan.camera is None:
            raise UnusableInput(f"{table}: expected a table with a [camera], found none")
        settings = named(Path(table), lambda: shaped({"camera": plan.camera}, _Table)).camera
        return settings, load_deck(plan.decks[0]).id if plan.decks else None


def thresholds_in(path: Path) -> Thresholds:
    """Those that a file of `camera enrol` holds. Raises: UnusableInput."""
    with told_in_one_line():
        return named(path, lambda: enrolled_from(read_toml(path))).thresholds


def may_write(path: Path, force: bool) -> None:
    """Raises: UnusableInput, for a file that is there unless it may be written over."""
    if path.exists() and not force:
        raise UnusableInput(f"{path}: expected a new file, found one that is there; --force writes over it")


def write(path: Path, data: bytes) -> None:
    """Write a file whole, readable by its owner only. Raises: UnusableInput."""
    try:
        write_owner_only(path, data)
    except OSError as error:
        raise UnusableInput(f"{path}: expected a file that can be written, found: {error.strerror}") from None


def until_end(
    watcher: Watcher, heard: "SimpleQueue[CameraEvent]", seconds: float | None
) -> Iterator[CameraEvent | None]:
    """What a running watcher tells, until the time is over or the video has ended; None whenever it is silent for a while."""
    ends = None if seconds is None else time.monotonic() + seconds
    while True:
        over = watcher.wait(0) or (ends is not None and time.monotonic() >= ends)
        try:
            while True:
                yield heard.get(block=not over, timeout=None if over else LOOK_EVERY_S)
                if ends is not None and time.monotonic() >= ends:
                    return
        except Empty:
            if over:
                return
            yield None


def json_line(told: msgspec.Struct) -> str:
    """An event as a line of JSON, with the time of day."""
    fields: dict[str, object] = msgspec.to_builtins(told)
    return msgspec.json.encode({"time": datetime.now(UTC).isoformat(timespec="milliseconds"), **fields}).decode()
