"""What the readers' side bears: decoders by themselves, a link from byte to sighting, four readers at full rate.

BENCH_SECONDS sets how long the four readers run (60).
"""

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from dealer_assist.application.ports import CardSighted, ReaderOnline, Sighting
from dealer_assist.game.cards import DECK
from hardware.reader.deck import Deck, DeckBook, load_deck
from hardware.reader.decoders import PROTOCOLS, make_decoder
from hardware.reader.messages import Tag
from hardware.reader.reader import Reader, ReaderSettings
from hardware.simulated.devices import make_device, protocol_of
from hardware.simulated.devices.pn532 import frame as pn532_frame
from hardware.simulated.devices.pn532 import targets
from hardware.simulated.devices.r200 import polled
from hardware.simulated.devices.twn4 import carried_out
from hardware.simulated.pty_device import PtyDevice
from tests.bench.figures import Figure, best_of, percentile
from tests.hardware.simulated.decks import deck_file

MEGABYTE: Final = 1_000_000
CHUNK: Final = 4096
LATENCIES: Final = 500
GAP_S: Final = 0.01
SECONDS: Final = float(os.environ.get("BENCH_SECONDS", "60"))
AT_ONCE: Final = ("line", "em4100", "r200", "uhfreader18-active")
BITS_A_BYTE: Final = 10  # 8N1

FRAMES: Final[dict[str, Callable[[bytes], bytes]]] = {
    "line": lambda uid: make_device("line").speak([uid]).data,
    "em4100": lambda uid: make_device("em4100").speak([uid]).data,
    "pn532": lambda uid: pn532_frame(b"\xd5\x4b" + targets([uid])),
    "r200": lambda uid: polled([uid]).data,
    "twn4": lambda uid: carried_out(b"050010", [uid]).data,
    "uhfreader18": lambda uid: make_device("uhfreader18-active").speak([uid]).data,
}
"""A tag's frame in each format."""


def reader_figures() -> list[Figure]:
    """All of it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        folder = Path(scratch)
        return [*_decoders(folder), *_latency(folder), *_four_at_once(folder)]


def _frames(folder: Path, protocol: str) -> list[bytes]:
    """A deck's frames, in the order of `DECK`."""
    deck = _deck(folder, protocol)
    return [FRAMES[protocol](bytes.fromhex(deck.tags[card][0])) for card in DECK]


def _deck(folder: Path, protocol: str) -> Deck:
    return load_deck(deck_file(folder, protocol))


# --- decoders ------------------------------------------------------------------------------------------------------


def _decoders(folder: Path) -> Iterator[Figure]:
    noise = random.Random(7).randbytes(MEGABYTE // 4)
    for protocol in PROTOCOLS:
        deck = b"".join(_frames(folder, protocol))
        clean = deck * (MEGABYTE // len(deck))
        tags = sum(isinstance(message, Tag) for message in make_decoder(protocol).feed(clean))
        yield _speed(f"{protocol}: decoded, clean", protocol, clean, f"{tags} tags")
        cut = b"".join(frame[:-1] for frame in _frames(folder, protocol))
        yield _speed(f"{protocol}: decoded, all cut", protocol, cut * (MEGABYTE // 4 // len(cut)), "a byte short each")
        yield _speed(f"{protocol}: decoded, noise", protocol, noise, "random bytes")


def _speed(name: str, protocol: str, stream: bytes, note: str) -> Figure:
    def decode() -> None:
        decoder = make_decoder(protocol)
        for at in range(0, len(stream), CHUNK):
            decoder.feed(stream[at : at + CHUNK])
        decoder.end()

    return Figure(name, round(len(stream) / MEGABYTE / best_of(3, decode), 2), "MB/s", better="higher", note=note)


# --- links ---------------------------------------------------------------------------------------------------------


class _Sink:
    """Notes which card was seen at which reader, and when."""

    def __init__(self) -> None:
        self.online = threading.Semaphore(0)
        self.seen: dict[str, list[tuple[int, float]]] = {}

    def __call__(self, sighting: Sighting, /) -> None:
        now = time.perf_counter()
        if isinstance(sighting, CardSighted):
            self.seen.setdefault(sighting.reader, []).append((DECK.index(sighting.card), now))
        elif isinstance(sighting, ReaderOnline):
            self.online.release()


@contextmanager
def _running(folder: Path, device: str, sink: _Sink) -> Iterator[tuple[PtyDevice, int]]:
    """A pty with a reader at it, which is online unless it waits to be answered; and the speed of its line in baud."""
    protocol = protocol_of(device)
    with PtyDevice(folder / device) as port:
        settings = ReaderSettings(name=device, url=str(port.port_link), protocol=protocol)
        reader = Reader(settings, DeckBook(_deck(folder, protocol)), sink)
        reader.start()
        try:
            yield port, settings.line_speed
        finally:
            reader.stop()


def _latency(folder: Path) -> list[Figure]:
    """From a frame's writing to its sighting, one frame after the other."""
    sink, frames = _Sink(), _frames(folder, "line")
    written = []
    with _running(folder, "line", sink) as (port, _):
        sink.online.acquire(timeout=5)
        port.write(frames[0])  # settles the port, and is not counted
        for at in range(LATENCIES):
            time.sleep(GAP_S)
            written.append(time.perf_counter())
            port.write(frames[(at + 1) % len(frames)])
        _wait_for(lambda: len(sink.seen.get("line", ())) > LATENCIES)
    seconds = [seen - wrote for (_, seen), wrote in zip(sink.seen["line"][1:], written, strict=True)]
    return [
        Figure(f"byte on the line → sighting p{share}", round(percentile(seconds, share / 100) * 1000, 3), "ms")
        for share in (50, 99)
    ]


def _four_at_once(folder: Path) -> list[Figure]:
    """Four readers, each as fast as its line is; every card must come once, in its order."""
    sink, sent = _Sink(), dict.fromkeys(AT_ONCE, 0)
    with ExitStack() as running:
        writers = []
        for device in AT_ONCE:
            port, baud = running.enter_context(_running(folder, device, sink))
            frames = _frames(folder, protocol_of(device))
            writers.append(threading.Thread(target=_write, args=(port, baud, frames, sent, device)))
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        _wait_for(lambda: all(len(sink.seen.get(device, ())) >= sent[device] for device in AT_ONCE), patience_s=5)
    lost = doubled = 0
    for device in AT_ONCE:
        here = _missed_and_repeated([card for card, _ in sink.seen.get(device, ())], sent[device])
        lost, doubled = lost + here[0], doubled + here[1]
    note = f"{sum(sent.values())} cards in {SECONDS:g} s: {', '.join(AT_ONCE)}"
    return [
        Figure("four readers at full rate: cards lost", lost, "cards", 0, note=note),
        Figure("four readers at full rate: cards doubled", doubled, "cards", 0, note=note),
        Figure("four readers at full rate", round(sum(sent.values()) / SECONDS), "cards/s", better="higher", note=note),
    ]


def _write(port: PtyDevice, baud: int, frames: list[bytes], sent: dict[str, int], device: str) -> None:
    """Frames without a pause between them, at the line's speed."""
    began, bits = time.perf_counter(), 0
    while (now := time.perf_counter() - began) < SECONDS:
        if bits > now * baud:
            time.sleep((bits / baud) - now)
        frame = frames[sent[device] % len(frames)]
        port.write(frame)
        sent[device] += 1
        bits += len(frame) * BITS_A_BYTE


def _missed_and_repeated(cards: list[int], sent: int) -> tuple[int, int]:
    """How many of `sent` cards, the deck again and again, are not there, and how many are there once more."""
    at = missed = repeated = 0
    for card in cards:
        ahead = (card - at) % len(DECK)
        if ahead == len(DECK) - 1:
            repeated += 1
            continue
        missed += ahead
        at += ahead + 1
    return missed + sent - at, repeated


def _wait_for(holds: Callable[[], bool], patience_s: float = 10) -> None:
    end = time.monotonic() + patience_s
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
