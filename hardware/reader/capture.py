"""Captures: what went over a reader's port, with times, as JSON lines.

    {"format":"capture/1","reader":"shoe","protocol":"pn532","started":"2026-11-30T20:14:03Z"}
    {"t":0.000,"online":true}                 the reader is there
    {"t":0.012,"out":"000000FF04FC…"}         sent to the reader, in hex
    {"t":0.031,"in":"0000FF00FF00"}           received from it
    {"t":0.531,"silent":true}                 silence long enough to end an unfinished frame
    {"t":9.870,"lost":"the connection …"}     the link broke off, or could not be made

`t` is in seconds since the capture began, and never falls. Unknown fields are passed over.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypeVar

import msgspec

from hardware.reader.errors import BadSettings, Fault

FORMAT: Final = "capture/1"

T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """The first line. `started` in UTC. `pattern` and `silence_s` as in the reader's settings."""

    format: Literal["capture/1"]
    reader: str
    protocol: str
    started: str
    baudrate: int | None = None
    pattern: str | None = None
    silence_s: float | None = None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened `t` seconds after the start; exactly one of the others is set."""

    t: float
    received: str | None = msgspec.field(name="in", default=None)
    sent: str | None = msgspec.field(name="out", default=None)
    online: bool = False
    silent: bool = False
    lost: str | None = None


class CaptureWriter:
    """Writes a capture to an open file, each entry at once. For one thread at a time."""

    def __init__(self, file: BinaryIO, header: Header, clock: Callable[[], float] = time.monotonic) -> None:
        self._file = file
        self._clock = clock
        self._began = clock()
        self.bytes_received = 0
        self.bytes_sent = 0
        self._line(header)

    def received(self, data: bytes) -> None:
        self.bytes_received += len(data)
        self._line(Entry(self._t(), received=data.hex().upper()))

    def sent(self, data: bytes) -> None:
        self.bytes_sent += len(data)
        self._line(Entry(self._t(), sent=data.hex().upper()))

    def online(self) -> None:
        self._line(Entry(self._t(), online=True))

    def silent(self) -> None:
        self._line(Entry(self._t(), silent=True))

    def lost(self, reason: str) -> None:
        self._line(Entry(self._t(), lost=reason))

    def _t(self) -> float:
        return round(self._clock() - self._began, 6)

    def _line(self, value: Header | Entry) -> None:
        self._file.write(msgspec.json.encode(value) + b"\n")
        self._file.flush()


class Capture(msgspec.Struct, frozen=True):
    """A capture read back."""

    header: Header
    entries: tuple[Entry, ...]


def load_capture(path: Path) -> Capture:
    """The capture of a file. A last line that was cut short, as by a power cut, is left out.

    Raises: OSError; BadSettings, naming the line that is none of a capture.
    """
    lines = path.read_bytes().split(b"\n")
    whole, rest = lines[:-1], lines[-1]
    if not whole:
        raise BadSettings(Fault(f"{path}, line 1", f"the header of a {FORMAT}", f"{len(rest)} bytes without an end"))
    header = _decoded(path, 1, whole[0], Header)
    return Capture(header, tuple(_entries(path, whole)))


def _entries(path: Path, lines: list[bytes]) -> Iterator[Entry]:
    before = 0.0
    for number, line in enumerate(lines[1:], 2):
        entry = _decoded(path, number, line, Entry)
        if entry.t < before:
            raise BadSettings(Fault(f"{path}, line {number}", f"a time of {before} or later", str(entry.t)))
        before = entry.t
        try:
            bytes.fromhex(entry.received or "")
        except ValueError:
            raise BadSettings(Fault(f"{path}, line {number}", "bytes in hex", f'"{entry.received}"')) from None
        yield entry


def _decoded(path: Path, number: int, line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadSettings(Fault(f"{path}, line {number}", f"a line of a {FORMAT}", str(error))) from None
