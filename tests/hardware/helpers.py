"""What the tests of devices share: a sink that remembers, waiting with a limit, and the demo decks."""

import time
from collections.abc import Callable
from pathlib import Path

from dealer_assist.application.ports import Sighting
from hardware.reader.deck import Deck, load_deck

DECKS = Path(__file__).parents[2] / "config" / "decks"


def demo_deck(back: str) -> Deck:
    return load_deck(DECKS / f"demo-{back}.toml")


def wait_until(holds: Callable[[], bool], within_s: float = 5.0) -> None:
    deadline = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


class Sightings:
    """A sink that keeps what it is told."""

    def __init__(self) -> None:
        self.all: list[Sighting] = []

    def __call__(self, sighting: Sighting, /) -> None:
        self.all.append(sighting)

    def of(self, *kinds: type[Sighting]) -> list[Sighting]:
        return [sighting for sighting in self.all if isinstance(sighting, kinds)]

    def wait_for(self, sighting: Sighting, times: int = 1) -> None:
        wait_until(lambda: self.all.count(sighting) >= times)

    def wait_for_kind(self, kind: type[Sighting], times: int = 1) -> None:
        wait_until(lambda: len(self.of(kind)) >= times)
