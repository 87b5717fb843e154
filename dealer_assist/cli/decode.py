"""`dealer-assist decode`: what a reader's raw bytes say, one event a line."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

import click
import msgspec

from dealer_assist.cli.errors import UnusableInput
from hardware.reader.decoders import PROTOCOLS, make_decoder
from hardware.reader.errors import BadSettings
from hardware.reader.messages import (
    Answer,
    BadFrame,
    CardCode,
    Decoder,
    Echo,
    Heartbeat,
    Message,
    Noise,
    Notice,
    ReaderError,
)

_CHUNK: Final = 1 << 16
_FAULTS: Final = (BadFrame, Noise, ReaderError)
_ASIDES: Final = (Answer, Echo, Heartbeat, Notice)  # well-formed, and about no tag
_NAMES: Final = {"data": "bytes", "event": "device_event"}  # of a message's fields, where an event names them otherwise


@click.command()
@click.argument("file")
@click.option("--protocol", required=True, type=click.Choice(PROTOCOLS), help="The wire format.")
@click.option("--pattern", metavar="REGEX", help="What a line must match, with groups card, uid, seat, event.")
@click.option("--all", "with_asides", is_flag=True, help="Also tell answers, echoes, heartbeats and notices.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def decode(file: str, protocol: str, pattern: str | None, with_asides: bool, as_json: bool) -> int:
    """Decode FILE ("-": standard input), the raw bytes of a reader. Repeats are not merged.

    Exit 1 where bad frames, noise or errors of the reader were found.
    """
    try:
        decoder = make_decoder(protocol, pattern)
    except BadSettings as error:
        raise UnusableInput(f"--{error}") from None
    faults = False
    for message in _messages(decoder, _chunks(file)):
        faults = faults or isinstance(message, _FAULTS)
        if with_asides or not isinstance(message, _ASIDES):
            event = event_of(message)
            text = msgspec.json.encode(event).decode() if as_json else " ".join(map(str, event.values()))
            sys.stdout.write(text + "\n")
    return 1 if faults else 0


def _messages(decoder: Decoder, chunks: Iterable[bytes]) -> Iterator[Message]:
    for chunk in chunks:
        yield from decoder.feed(chunk)
        sys.stdout.flush()  # what is read may be a pipe that stays open
    yield from decoder.end()


def _chunks(file: str) -> Iterator[bytes]:
    """The bytes of a file or of standard input, as they come. Raises: UnusableInput, where they can't be read."""
    try:
        standard_input = cast("BufferedReader", sys.stdin.buffer)
        with nullcontext(standard_input) if file == "-" else Path(file).open("rb") as stream:
            while chunk := stream.read1(_CHUNK):
                yield chunk
    except OSError as error:
        raise UnusableInput(f"{file}: expected a readable file, found: {error.strerror or error}") from None


def event_of(message: Message) -> dict[str, object]:
    """A message as an event: its kind first, then what it carries; bytes in upper-case hex. A card's code is a tag's."""
    kind = "tag" if isinstance(message, CardCode) else message.__struct_config__.tag
    carried = {_NAMES.get(name, name): value for name, value in msgspec.structs.asdict(message).items()}
    return {"event": kind} | {name: _shown(value) for name, value in carried.items() if value is not None}


def _shown(value: object) -> object:
    return value.hex().upper() if isinstance(value, bytes) else value
