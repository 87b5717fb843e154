"""A reader of the table: its link, its dialogue, its decoder and the deck book, joined into a source of sightings.

bytes → (decoder) → Message → (interpreter) → Sighting → sink
                       └→ (dialogue) → bytes to the reader
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Protocol

import msgspec
import structlog

from dealer_assist.application.ports import ReaderLost, ReaderOnline, Sighting, SightingSink
from hardware.reader.deck import DeckBook
from hardware.reader.decoders import make_decoder
from hardware.reader.decoders.line import compile_pattern
from hardware.reader.dialogues import make_dialogue
from hardware.reader.errors import BadSettings, Fault
from hardware.reader.link import LinkListener, LinkSettings, SerialLink
from hardware.reader.messages import Message
from hardware.reader.places import DEFAULT_ANTENNAS, Place, Role
from hardware.reader.replay import is_replay, parse_replay
from hardware.reader.sightings import Interpreter
from hardware.reader.usb import check_usb

BAUDRATES: Final[Mapping[str, int]] = MappingProxyType({"pn532": 115200, "r200": 115200, "uhfreader18": 57600})
USUAL_BAUDRATE: Final = 9600

Text = Annotated[str, msgspec.Meta(min_length=1)]
Positive = Annotated[int, msgspec.Meta(gt=0)]
Seconds = Annotated[float, msgspec.Meta(gt=0)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=4)]


class ReaderSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[readers]]` of a table's file.

    `name`: how screens and the log call it. Where it is plugged in, one of two: `url`, a device path such as
    `/dev/serial/by-id/…`, a pyserial URL (`socket://host:port`) or `replay://FILE`; `usb`, `VID:PID` or
    `VID:PID:serial`. `protocol`: the wire format, `pattern` the line format's regular expression. `baudrate`: the
    protocol's usual one, where none is set. `silence_s`: seconds of silence after which an unfinished frame counts as
    broken. `poll_s`: seconds between polls of a reader that is asked. `role`: what a card it sees means; `seat`: whose
    place its antenna lies at, 0 for the dealer's. `antennas`: how its lines name the seats.
    Raises: BadSettings, for settings that can't work.
    """

    name: Text
    url: Text | None = None
    usb: Text | None = None
    protocol: str = "line"
    baudrate: Positive | None = None
    pattern: str | None = None
    silence_s: Seconds = 0.5
    poll_s: Seconds | None = None
    role: Role = Role.shoe
    seat: Seat | None = None
    antennas: dict[Text, Seat] | None = None

    def __post_init__(self) -> None:
        """A setting that can't work is told where it is read."""
        make_decoder(self.protocol, self.pattern)
        make_dialogue(self.protocol, self.poll_s)
        self._check_port()
        self._check_place()

    @property
    def is_replay(self) -> bool:
        """Whether what it reads is a recording, which must never touch a real meter."""
        return self.url is not None and is_replay(self.url)

    @property
    def line_speed(self) -> int:
        """The baud rate: the one that is set, or the protocol's usual one."""
        return self.baudrate if self.baudrate is not None else BAUDRATES.get(self.protocol, USUAL_BAUDRATE)

    def _check_port(self) -> None:
        if (self.url is None) == (self.usb is None):
            found = "neither" if self.url is None else "both"
            raise BadSettings(Fault("url", "either url or usb", found))
        if self.usb is not None:
            check_usb(self.usb)
        if self.url is not None and is_replay(self.url):
            parse_replay(self.url)

    def _check_place(self) -> None:
        if self.role != Role.seat and self.seat is not None:
            raise BadSettings(Fault("seat", f"none, since the role is {self.role}", str(self.seat)))
        if self.role == Role.seat and self.seat is None and not self._lines_name_seats:
            raise BadSettings(Fault("seat", "1 to 4, or 0 for the dealer's place, since the role is seat", "nothing"))

    @property
    def _lines_name_seats(self) -> bool:
        return self.pattern is not None and "seat" in compile_pattern(self.pattern).groupindex


class Tap(Protocol):
    """Is told what goes over a reader's port, before anything is made of it; on the link's own thread."""

    def received(self, data: bytes) -> None: ...
    def sent(self, data: bytes) -> None: ...
    def online(self) -> None: ...
    def silent(self) -> None: ...
    def lost(self, reason: str) -> None: ...


class Reader:
    """Reports what one device sees to `sink`, from a thread of its own, between `start` and `stop`.

    `ReaderOnline` comes at the start and once after each loss, `ReaderLost` once an outage. A frame that an unplug
    cuts short is a `BadRead` before the `ReaderLost`.
    """

    def __init__(self, settings: ReaderSettings, decks: DeckBook, sink: SightingSink, tap: Tap | None = None) -> None:
        self.name: Final = settings.name
        self.settings: Final = settings
        self._sink = sink
        self._tap = tap
        self._decoder = make_decoder(settings.protocol, settings.pattern)
        self._dialogue = make_dialogue(settings.protocol, settings.poll_s)
        antennas = DEFAULT_ANTENNAS if settings.antennas is None else settings.antennas
        self._interpreter = Interpreter(settings.name, decks, Place(settings.role, settings.seat, antennas))
        self._online = False
        self._log = structlog.get_logger(__name__).bind(reader=settings.name)
        self._link = SerialLink(
            LinkSettings(settings.url or "", settings.line_speed, settings.silence_s, settings.usb),
            LinkListener(
                received=self._received, silent=self._silent, online=self._came, lost=self._lost, sent=self._sent
            ),
            self._dialogue,
        )

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        """Returns within 2 s, from any thread; nothing is reported after it."""
        self._link.stop()

    def wait(self, seconds: float) -> bool:
        """Waits for the end, which comes by `stop` or with the end of a recording; whether it has come."""
        return self._link.wait(seconds)

    def _received(self, chunk: bytes, now: float) -> None:
        if self._tap is not None:
            self._tap.received(chunk)
        messages = self._decoder.feed(chunk)
        for message in messages:
            self._dialogue.heard(message, now)
        if self._dialogue.online:
            self._came()  # before the card that the same bytes may tell
        self._report_all(messages)

    def _silent(self) -> None:
        if self._tap is not None:
            self._tap.silent()
        self._report_all(self._decoder.end())

    def _sent(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap.sent(data)

    def _came(self) -> None:
        if self._online:
            return
        self._online = True
        if self._tap is not None:
            self._tap.online()
        self._report(ReaderOnline(self.name))

    def _lost(self, reason: str) -> None:
        self._online = False
        try:
            if self._tap is not None:
                self._tap.lost(reason)
            self._report_all(self._decoder.end())
        finally:
            self._report(ReaderLost(self.name, reason))

    def _report_all(self, messages: list[Message]) -> None:
        for message in messages:
            for sighting in self._interpreter.sightings(message):
                self._report(sighting)

    def _report(self, sighting: Sighting) -> None:
        try:
            self._sink(sighting)
        except Exception:  # noqa: BLE001 - made visible; what else the chunk held must still be reported
            self._log.exception("the sink refused a sighting", sighting=repr(sighting))
