"""`dealer-assist reader`: what is plugged in, what a reader sees, and captures of what it says."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

import click
import msgspec

from dealer_assist.application.ports import (
    BadRead,
    CollisionSighted,
    ReaderFault,
    ReaderLost,
    ReaderOnline,
    Sighting,
)
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.settings import shaped
from dealer_assist.storage.profiles import find, named, read_toml
from hardware.reader.capture import FORMAT, CaptureWriter, Header, load_capture
from hardware.reader.deck import DeckBook, load_deck
from hardware.reader.decoders import PROTOCOLS
from hardware.reader.link import devices
from hardware.reader.reader import Reader, ReaderSettings
from hardware.reader.registration import unregistered
from hardware.reader.replay import is_replay, parse_replay, tells_end

T = TypeVar("T")

_LOOK_EVERY_S: Final = 0.1
_FAULTS: Final = (BadRead, CollisionSighted, ReaderFault)


class Pick(msgspec.Struct, frozen=True):
    """Which reader a command line means: one of a table's file, or one described by options."""

    reader: str | None
    only: str | None
    url: str | None
    usb: str | None
    protocol: str | None
    baudrate: int | None
    pattern: str | None
    poll_s: float | None


_PORT_OPTIONS: Final = (
    click.option("--reader", "--table", "reader", metavar="FILE", help="A table's file (or id): its readers."),
    click.option("--only", metavar="NAME", help="Of that table's readers, this one."),
    click.option("--url", metavar="URL", help="A device path, socket://host:port, replay://FILE?speed=real|full, …"),
    click.option("--usb", metavar="VID:PID[:SERIAL]", help="In place of --url: the device by what it is."),
    click.option("--protocol", type=click.Choice(PROTOCOLS), help="The wire format; default: line."),
    click.option("--baudrate", type=click.IntRange(1), metavar="N", help="Default: the protocol's usual one."),
    click.option("--pattern", metavar="REGEX", help="For line: groups card, uid, seat, event."),
    click.option("--poll", "poll_s", type=click.FloatRange(0.001), metavar="S", help="Seconds between polls."),
)
_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
_SECONDS: Final = click.option("--seconds", type=click.FloatRange(0.001), metavar="N", help="End after N seconds.")


def port_options(command: Callable[..., T]) -> Callable[..., T]:
    """Gives a command the options that say which reader is meant, as a `Pick`."""

    @wraps(command)
    def picking(**options: object) -> T:
        picked = {name: options.pop(name) for name in Pick.__struct_fields__}
        return command(msgspec.convert(picked, Pick), **options)

    for option in reversed(_PORT_OPTIONS):
        picking = option(picking)
    return picking


def settings_of(pick: Pick) -> list[ReaderSettings]:
    """The readers that are meant. Raises: UnusableInput."""
    if pick.reader is None:
        if pick.only is not None:
            raise UnusableInput("--only: expected --reader FILE beside it, found none")
        with told_in_one_line():
            return [_described(pick)]
    described = [name for name in ("url", "usb", "protocol", "baudrate", "pattern", "poll_s") if getattr(pick, name)]
    if described:
        raise UnusableInput(f"--reader: expected it alone, found --{described[0].removesuffix('_s')} beside it")
    with told_in_one_line():
        path = find("tables", pick.reader)
        raw = read_toml(path)
        table = named(path, lambda: shaped({"readers": raw.get("readers", [])}, _Readers))
    found = [settings for settings in table.readers if pick.only in (None, settings.name)]
    if not found:
        names = ", ".join(settings.name for settings in table.readers) or "none at all"
        raise UnusableInput(f"{path}: expected a reader{f' named {pick.only}' if pick.only else ''}, found {names}")
    return found


def one_reader(pick: Pick) -> ReaderSettings:
    """The one reader that is meant. Raises: UnusableInput, where a table has several and none is named."""
    found = settings_of(pick)
    if len(found) > 1:
        names = ", ".join(settings.name for settings in found)
        raise UnusableInput(f"--only: expected one of {names}, found none")
    return found[0]


class _Readers(msgspec.Struct, frozen=True):
    readers: tuple[ReaderSettings, ...]


def _described(pick: Pick) -> ReaderSettings:
    if (pick.url is None) == (pick.usb is None):
        found = "none of them" if pick.url is None else "--url and --usb"
        raise UnusableInput(f"--reader, --url, --usb: expected one of them, found {found}")
    protocol, pattern = pick.protocol or "line", pick.pattern
    if pick.url is not None and is_replay(pick.url):
        header = _header(pick.url)
        protocol = pick.protocol or header.protocol
        pattern = header.pattern if pick.pattern is None and pick.protocol is None else pick.pattern
    return ReaderSettings(
        name="reader",
        url=pick.url,
        usb=pick.usb,
        protocol=protocol,
        baudrate=pick.baudrate,
        pattern=pattern,
        poll_s=pick.poll_s,
    )


def _header(url: str) -> Header:
    path, _ = parse_replay(url)
    try:
        return load_capture(path).header
    except OSError as error:
        raise UnusableInput(f"{path}: expected a capture that can be read, found: {error.strerror or error}") from None


def heard_until_end(readers: list[Reader], heard: "SimpleQueue[Sighting]", seconds: float | None) -> Iterator[Sighting]:
    """What running readers report, until the time is over, all recordings have ended, or Ctrl-C is pressed."""
    ends = None if seconds is None else time.monotonic() + seconds
    try:
        while True:
            over = all(reader.wait(0) for reader in readers) or (ends is not None and time.monotonic() >= ends)
            try:
                while True:
                    yield heard.get(block=not over, timeout=None if over else _LOOK_EVERY_S)
                    if ends is not None and time.monotonic() >= ends:
                        return
            except Empty:
                if over:
                    return
    except KeyboardInterrupt:
        return


@click.group()
def reader() -> None:
    """Readers: what is plugged in, what they see, captures of what they say."""


@reader.command()
@_JSON
def ports(as_json: bool) -> None:
    """List the serial devices that are plugged in, as a table's file may name them."""
    found = devices()
    if as_json:
        rows = [{"usb": device.usb, **msgspec.structs.asdict(device)} for device in found]
        click.echo(msgspec.json.encode(rows).decode())
        return
    for device in found:
        click.echo(f"{device.path}  {device.description}")
        click.echo(f'  usb = "{device.usb}"' if device.usb else "  (not on USB)")
        if device.by_id:
            click.echo(f'  url = "{device.by_id}"')
    if not found:
        click.echo("no serial device is plugged in")


@reader.command()
@port_options
@click.option("--deck", "decks", multiple=True, metavar="FILE", help="A deck file or id, the one in play first.")
@_SECONDS
@_JSON
def monitor(pick: Pick, decks: tuple[str, ...], seconds: float | None, as_json: bool) -> int:
    """Show live what readers see, cards lying face down too: for setting up, never beside a game.

    Exit 1 where damaged reads, collisions, faults or losses were seen.
    """
    chosen = settings_of(pick)
    book = _book(pick, decks)
    heard: SimpleQueue[Sighting] = SimpleQueue()
    faults = False
    with ExitStack() as running:
        readers = [Reader(settings, book, heard.put) for settings in chosen]
        for each in readers:
            each.start()
            running.callback(each.stop)
        for sighting in heard_until_end(readers, heard, seconds):
            click.echo(_json_line(sighting) if as_json else _text_line(sighting))
            faults = faults or isinstance(sighting, _FAULTS) or is_loss(sighting)
    return 1 if faults else 0


def _book(pick: Pick, decks: tuple[str, ...]) -> DeckBook:
    with told_in_one_line():
        paths = [find("decks", name) for name in decks]
        if pick.reader is not None and not paths:
            table = find("tables", pick.reader)
            paths = [_deck_path(table, str(name)) for name in _list(read_toml(table).get("decks"))]
        loaded = [load_deck(path) for path in paths]
        return DeckBook(loaded[0], loaded[1:]) if loaded else unregistered([])


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _deck_path(table: Path, name: str) -> Path:
    beside = table.parent / name
    return find("decks", str(beside) if name.endswith(".toml") and beside.is_file() else name)


def is_loss(sighting: Sighting) -> bool:
    """Whether a reader was lost, and not by its recording's end."""
    return isinstance(sighting, ReaderLost) and not tells_end(sighting.reason)


def _json_line(sighting: Sighting) -> str:
    fields: dict[str, object] = msgspec.to_builtins(sighting)
    return msgspec.json.encode({"time": _now().isoformat(timespec="milliseconds"), **fields}).decode()


def _text_line(sighting: Sighting) -> str:
    fields = {name: value for name, value in msgspec.structs.asdict(sighting).items() if value is not None}
    name = fields.pop("reader")
    words = "  ".join(f"{field} {value}" for field, value in fields.items())
    return f"{_now().astimezone():%H:%M:%S.%f}  {name}  {type(sighting).__name__}  {words}".rstrip()


def _now() -> datetime:
    return datetime.now(UTC)


@reader.command()
@port_options
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The capture; a new file.")
@_SECONDS
@_JSON
def record(pick: Pick, out: Path, seconds: float | None, as_json: bool) -> int:
    """Write down all that goes over a reader's port, with times, until N seconds are over or Ctrl-C is pressed.

    The capture plays again as replay://FILE. Exit 1 where the reader never came online.
    """
    settings = one_reader(pick)
    header = Header(
        format=FORMAT,
        reader=settings.name,
        protocol=settings.protocol,
        started=_now().isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        baudrate=settings.line_speed,
        pattern=settings.pattern,
        silence_s=settings.silence_s,
    )
    began, online = time.monotonic(), False
    heard: SimpleQueue[Sighting] = SimpleQueue()
    try:
        with out.open("xb") as file:
            tap = CaptureWriter(file, header)
            recorded = Reader(settings, unregistered([]), heard.put, tap)
            recorded.start()
            try:
                for sighting in heard_until_end([recorded], heard, seconds):
                    online = online or isinstance(sighting, ReaderOnline)
                    if isinstance(sighting, ReaderOnline | ReaderLost):
                        click.echo(_text_line(sighting), err=True)
            finally:
                recorded.stop()
    except OSError as error:
        raise UnusableInput(f"--out: expected a new file that can be written, found {out}: {error.strerror}") from None
    lasted = round(time.monotonic() - began, 3)
    told = {"file": str(out), "seconds": lasted, "received": tap.bytes_received, "sent": tap.bytes_sent}
    text = f"{out}: {lasted} s, {tap.bytes_received} bytes received, {tap.bytes_sent} sent"
    click.echo(msgspec.json.encode(told).decode() if as_json else text)
    return 0 if online else 1
