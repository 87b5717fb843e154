"""From a card on the reader to its event in the browser, a key's round trip, start-up and memory: the whole table.

The card's frame is written to a pty, read through pyserial, committed to the log and streamed; Chromium notes when
its event arrives. Both clocks are this machine's.
"""

import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from dealer_assist.game.cards import DECK
from dealer_assist.storage.profiles import find
from hardware.reader.deck import load_deck
from hardware.simulated.pty_device import PtyDevice
from hardware.simulated.shoe import line_frame
from tests.bench.figures import Figure, spread
from tests.browser.at_the_table import DealerScreen
from tests.browser.conftest import CHROMIUM_FLAGS, chromium
from tests.served import COMMAND, Client, ServedTable

ROUNDS, KEYS = 6, 300

_NOTE_ARRIVALS = """
() => {
  window.arrivals = [];
  new EventSource('/dealer/stream').addEventListener('message', (event) => {
    const now = performance.timeOrigin + performance.now();
    window.arrivals.push([now, JSON.parse(event.data).count.drawn]);
  });
}
"""


class _OwnShoe(ServedTable):
    """A table whose pty is in this process, so that the moment a frame is written is known."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.shoe.unplug()
        self.device = PtyDevice(folder / "shoe")
        self.device.plug()
        self.frames = [line_frame(bytes.fromhex(tags[0])) for tags in self._tags()]

    def _tags(self) -> list[tuple[str, ...]]:
        deck = load_deck(find("decks", "demo-red"))
        return [deck.tags[card] for card in DECK]


def screen_figures() -> Sequence[Figure]:
    """Latencies with 1 and with 100 streams, and what the server weighs."""
    figures = [_start_up("demo", "demo start-up")]
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch, _OwnShoe(Path(scratch)) as table, _page() as page:
        table.set_pins()
        client = table.client()
        client.listen()
        _watch(page, table)
        for streams in (1, 100):
            with _others(client, streams - 1):
                figures += spread(
                    f"card read → event in browser, {streams} streams", _cards(table, client, page), 150, ""
                )
                figures += spread(f"key (POST), {streams} streams", _keys(client), 100, "")
        figures.append(Figure("server memory, 100 streams", round(_worker_mib(table), 1), "MiB"))
    return figures


@contextmanager
def _page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        try:
            yield browser.new_page()
        finally:
            browser.close()


def _watch(page: Page, table: ServedTable) -> None:
    DealerScreen(page, table).sign_in()
    page.goto(table.address + "/sign")
    page.evaluate(_NOTE_ARRIVALS)


@contextmanager
def _others(client: Client, count: int) -> Iterator[None]:
    if count == 0:
        yield
        return
    port = client.address.rpartition(":")[2]
    command = [sys.executable, "-m", "tests.bench.listeners", port, str(count), "/dealer/stream", client.cookies]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield
        finally:
            process.kill()


def _press(client: Client, command: dict[str, object], pin: str | None = None) -> None:
    status, answer = client.press(command, pin)
    assert status == 200, answer
    client.heard = {**client.heard, "seq": answer["seq"]}
    _wait_for(lambda: client.heard["seq"] >= answer["seq"] and "next" in client.heard)


def _wait_for(holds: object, patience: float = 5.0) -> None:
    end = time.monotonic() + patience
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.001)
    time.sleep(0.02)


def _cards(table: _OwnShoe, client: Client, page: Page) -> list[float]:
    """Seconds from each frame's writing to its event in the browser, over several rounds of four seats."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        _press(client, {"type": "OpenRound"})
        for seat in (1, 2, 3, 4):
            _press(client, {"type": "PlaceBet", "seat": seat, "bet": "ante", "amount": 500})
        _press(client, {"type": "LockBets", "jackpot_chips": 0})
        page.evaluate("() => { window.arrivals = []; }")
        written = []
        for frame in table.frames[:25]:
            written.append(time.time())
            table.device.write(frame)
            time.sleep(0.12)
        _wait_for(lambda: page.evaluate("() => window.arrivals.some(([, drawn]) => drawn === 25)"))
        arrived: dict[int, float] = {}
        for at, drawn in page.evaluate("() => window.arrivals"):
            arrived.setdefault(drawn, at / 1000)
        seconds += [arrived[drawn] - at for drawn, at in enumerate(written, 1) if drawn in arrived]
        _press(client, {"type": "VoidRound", "reason": "measured"}, "314159")
    return seconds


def _keys(client: Client) -> list[float]:
    """Seconds of each key's POST, from the press to the answer."""
    _press(client, {"type": "OpenRound"})
    seconds = []
    for at in range(KEYS):
        command = {"type": "PlaceBet", "seat": 1, "bet": "ante", "amount": 500} if at % 2 == 0 else {"type": "Undo"}
        started = time.perf_counter()
        status, answer = client.press(command)
        seconds.append(time.perf_counter() - started)
        assert status == 200, answer
        client.heard = {**client.heard, "seq": answer["seq"]}
    _press(client, {"type": "VoidRound", "reason": "measured"}, "314159")
    return seconds


def _worker_mib(table: ServedTable) -> float:
    """Resident memory of the server's processes."""
    children = Path(f"/proc/{table.process.pid}/task/{table.process.pid}/children").read_text().split()
    return sum(_resident_kib(pid) for pid in (str(table.process.pid), *children)) / 1024


def _resident_kib(pid: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _start_up(command: str, name: str) -> Figure:
    """Seconds from the command to its first answered page, the fastest of three."""
    fastest = 99.0
    for _ in range(3):
        with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
            started = time.perf_counter()
            process = subprocess.Popen([COMMAND, command, "--data", scratch], stdout=subprocess.PIPE, text=True)
            assert process.stdout is not None
            address = process.stdout.readline().split()[1]
            with urllib.request.urlopen(address, timeout=20):
                fastest = min(fastest, time.perf_counter() - started)
            process.terminate()
            process.wait(5)
            process.stdout.close()
    return Figure(name, round(fastest, 3), "s", 2)
