"""What a decoder makes of bytes, and the shape of a decoder.

A message says what one reader said, in no particular deck: the deck book turns it into a sighting.
"""

from typing import Protocol

import msgspec

from dealer_assist.game.cards import Card


class Tag(msgspec.Struct, frozen=True, tag="tag"):
    """A tag lies on the reader. `uid`: upper-case hex in the order sent, leading zeros kept.

    `seat` and `event` are the device's own words, where a line's pattern names them. `rssi`: how strongly it was
    heard, in dBm, where the reader says so.
    """

    uid: str
    seat: str | None = None
    event: str | None = None
    rssi: int | None = None


class CardCode(msgspec.Struct, frozen=True, tag="card"):
    """A line that names a card outright by its code, such as `As`. `uid`, `seat`, `event` as in `Tag`."""

    card: Card
    uid: str | None = None
    seat: str | None = None
    event: str | None = None


class Notice(msgspec.Struct, frozen=True, tag="notice"):
    """A line the pattern knows that is about no card, such as a door or a button. Never a card."""

    event: str
    seat: str | None = None


class NoTag(msgspec.Struct, frozen=True, tag="none"):
    """A reader that was asked sees no tag. Not a removal: a card that is read again later may never have moved."""


class Collision(msgspec.Struct, frozen=True, tag="collision"):
    """More than one tag lies on a reader made for one: which came first can't be told, so neither is taken."""


class ReaderError(msgspec.Struct, frozen=True, tag="error"):
    """A well-formed answer that says that something failed. `code`: the device's own, in upper-case hex."""

    code: str


class Answer(msgspec.Struct, frozen=True, tag="answer"):
    """Any other well-formed answer, such as an acknowledgement or a version.

    `code`: which command it answers, as the format numbers it, in upper-case hex; or `ack`, `nack`. `data`: the rest.
    """

    code: str
    data: bytes = b""


class Echo(msgspec.Struct, frozen=True, tag="echo"):
    """A well-formed command to a reader, heard on a line that both sides talk on. Nobody's answer. `data`: the command."""

    data: bytes


class Heartbeat(msgspec.Struct, frozen=True, tag="heartbeat"):
    """The reader says that it is there."""


class BadFrame(msgspec.Struct, frozen=True, tag="bad_frame"):
    """A frame that fails. `data`: its bytes as received, without a line's terminator.

    Where frames are found by their length, it goes on to the next frame that holds: nothing else says where it ends.
    """

    reason: str
    data: bytes


class Noise(msgspec.Struct, frozen=True, tag="noise"):
    """Bytes outside any frame."""

    data: bytes


Message = Tag | CardCode | Notice | NoTag | Collision | ReaderError | Answer | Echo | Heartbeat | BadFrame | Noise


class Decoder(Protocol):
    """Turns bytes into messages: no I/O, no clock, no thread inside.

    The same bytes give the same messages however they are cut into chunks. Holds bounded memory and never
    raises, whatever it is fed; each byte ends in a message or is named in one, save terminators, marks and blanks.
    """

    def feed(self, chunk: bytes, /) -> list[Message]:
        """The messages that `chunk` completes, in the order sent."""
        ...

    def end(self) -> list[Message]:
        """What silence (or the end of a file) makes of the bytes still held; the decoder starts afresh."""
        ...
