"""A reader of the table: its link, its decoder and the deck book, joined into a source of sightings.

    bytes → (decoder) → Message → (deck book) → Sighting → sink

Each read is reported, repeats included: whether a repeat is a new card is the table's business, not the reader's.
"""

from typing import Annotated, Final, assert_never

import msgspec
import structlog

from dealer_assist.application.ports import BadRead, CardSighted, ReaderLost, ReaderOnline, Sighting, SightingSink
from hardware.reader.deck import DeckBook
from hardware.reader.decoders import make_decoder
from hardware.reader.link import LinkListener, LinkSettings, SerialLink
from hardware.reader.messages import (
    Answer,
    BadFrame,
    CardCode,
    Collision,
    Echo,
    Heartbeat,
    Message,
    Noise,
    NoTag,
    Notice,
    ReaderError,
    Tag,
)

Text = Annotated[str, msgspec.Meta(min_length=1)]
Positive = Annotated[int, msgspec.Meta(gt=0)]
Seconds = Annotated[float, msgspec.Meta(gt=0)]


class ReaderSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One `[[readers]]` of a table's file.

    `name`: how screens and the log call it. `url`: a device path such as `/dev/serial/by-id/…`, or a pyserial URL
    (`hwgrep://VID:PID`). `protocol`: the wire format, `pattern` the line format's regular expression.
    `silence_s`: seconds of silence after which an unfinished frame counts as broken.
    Raises: BadSettings, for an unknown protocol or a pattern that can't be used.
    """

    name: Text
    url: Text
    protocol: str = "line"
    baudrate: Positive = 9600
    pattern: str | None = None
    silence_s: Seconds = 0.5

    def __post_init__(self) -> None:
        make_decoder(self.protocol, self.pattern)  # a setting that can't work is told where it is read


class Reader:
    """Reports what one device sees to `sink`, from a thread of its own, between `start` and `stop`.

    `ReaderOnline` comes at the start and once after each loss, `ReaderLost` once an outage. A frame that an unplug
    cuts short is a `BadRead` before the `ReaderLost`.
    """

    def __init__(self, settings: ReaderSettings, decks: DeckBook, sink: SightingSink) -> None:
        self.name: Final = settings.name
        self._decks = decks
        self._sink = sink
        self._decoder = make_decoder(settings.protocol, settings.pattern)
        self._log = structlog.get_logger(__name__).bind(reader=settings.name)
        self._link = SerialLink(
            LinkSettings(settings.url, settings.baudrate, settings.silence_s),
            LinkListener(received=self._received, silent=self._silent, online=self._online, lost=self._lost),
        )

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        """Returns within 2 s, from any thread; nothing is reported after it."""
        self._link.stop()

    def _received(self, chunk: bytes) -> None:
        self._report_all(self._decoder.feed(chunk))

    def _silent(self) -> None:
        self._report_all(self._decoder.end())

    def _online(self) -> None:
        self._report(ReaderOnline(self.name))

    def _lost(self, reason: str) -> None:
        try:
            self._silent()
        finally:
            self._report(ReaderLost(self.name, reason))

    def _report_all(self, messages: list[Message]) -> None:
        for message in messages:
            sighting = sighting_of(message, self.name, self._decks)
            if sighting is not None:
                self._report(sighting)
            elif isinstance(message, Notice):  # the others come with every poll
                self._log.info("notice", message=repr(message))

    def _report(self, sighting: Sighting) -> None:
        try:
            self._sink(sighting)
        except Exception:  # noqa: BLE001 - made visible; what else the chunk held must still be reported
            self._log.exception("the sink refused a sighting", sighting=repr(sighting))


def sighting_of(message: Message, reader: str, decks: DeckBook) -> Sighting | None:
    """What a message means with these decks, or None for what is about no card."""
    match message:
        case Tag():
            return decks.sighting(reader, message)
        case CardCode(card=card, uid=uid):
            return CardSighted(reader, card, uid)
        case BadFrame(reason=reason, data=data):
            return BadRead(reader, reason, data.hex().upper())
        case Noise(data=data):
            return BadRead(reader, "noise outside any frame", data.hex().upper())
        case ReaderError(code=code):
            return BadRead(reader, f"the reader reports error {code}", code)
        case Collision():
            return BadRead(reader, "more than one tag at once: none is taken", "")
        case Notice() | NoTag() | Answer() | Echo() | Heartbeat():
            return None
        case _:
            assert_never(message)
