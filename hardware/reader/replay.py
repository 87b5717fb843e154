"""A capture in place of a port: `replay://FILE?speed=real|full` is read by the very link that reads a device.

At `real` speed its bytes come when they came; at `full` speed time itself jumps to the next thing that happened, so that
silences and a dialogue's deadlines fall where they fell, and nothing is waited for. What the dialogue sends is dropped:
the answers are in the capture. Where the capture lost its reader, so does the link.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote

from hardware.reader.capture import Entry, load_capture
from hardware.reader.errors import BadSettings, Fault

_SCHEME: Final = "replay://"
_SPEEDS: Final = ("real", "full")


_ENDED: Final = "the recording has ended: "


class RecordingEnded(Exception):
    """A capture was played to its end: there is nothing to open again."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{_ENDED}{path}")


def tells_end(reason: str) -> bool:
    """Whether a link was lost for this reason because its recording was over, and not by a fault."""
    return reason.startswith(_ENDED)


def is_replay(url: str) -> bool:
    """Whether what comes from this URL is a recording, and no card on a table."""
    return url.lower().startswith(_SCHEME)


def parse_replay(url: str) -> tuple[Path, bool]:
    """The file that a `replay://` URL names, and whether it is played at full speed.

    Raises: BadSettings, for a speed or an option that is not known.
    """
    name, _, query = url[len(_SCHEME) :].partition("?")
    options = parse_qs(query, keep_blank_values=True)
    speed = options.pop("speed", ["real"])[-1]
    if options or speed not in _SPEEDS or not name:
        raise BadSettings(Fault("url", 'a replay like "replay://FILE?speed=real" or "…=full"', f'"{url}"'))
    return Path(unquote(name)), speed == "full"


class Player:
    """Plays one capture from its beginning to its end, through as many openings as its outages ask for.

    `poll_s`: longest wait inside one read. `stopping`: cuts a wait short.
    Raises: BadSettings, for a URL that can't be used.
    """

    def __init__(self, url: str, poll_s: float, stopping: threading.Event) -> None:
        self._path, self._full_speed = parse_replay(url)
        self._poll_s = poll_s
        self._stopping = stopping
        self._entries: list[Entry] | None = None  # what is still to come, the next one last
        self._began = 0.0
        self._now = 0.0

    def open(self) -> tuple["ReplayPort", Callable[[], float]]:
        """The port, and the clock that goes with it.

        Raises: OSError, where the file can't be read, or where the capture's own port was lost here; BadSettings.
        """
        if self._entries is None:
            self._entries = list(reversed(load_capture(self._path).entries))
            self._began = time.monotonic()
        if (entry := self._next()) is not None and entry.lost is not None:
            self._entries.pop()
            raise OSError(entry.lost)
        return ReplayPort(self), self.now

    def now(self) -> float:
        """Seconds since the capture's beginning."""
        return self._now if self._full_speed else time.monotonic() - self._began

    def await_bytes(self) -> bytes:
        """What was received next, or nothing if that takes longer than one read may.

        Raises: OSError, where the capture lost its reader; RecordingEnded.
        """
        entry = self._next()
        if entry is None or self._entries is None:
            raise RecordingEnded(self._path)
        patience_ends = self.now() + self._poll_s
        if entry.t > patience_ends:
            self._wait_until(patience_ends)
            return b""
        self._wait_until(entry.t)
        self._entries.pop()
        if entry.lost is not None:
            raise OSError(entry.lost)
        return bytes.fromhex(entry.received or "")

    def _next(self) -> Entry | None:
        """The next thing to happen to the port; what was sent, and the coming online, are the dialogue's own to repeat."""
        while self._entries and (self._entries[-1].online or self._entries[-1].sent is not None):
            self._entries.pop()
        return self._entries[-1] if self._entries else None

    def _wait_until(self, then: float) -> None:
        if self._full_speed:
            self._now = max(self._now, then)
        else:
            self._stopping.wait(max(0.0, then - self.now()))


class ReplayPort:
    """The port of a capture that is being played."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._unread = b""

    @property
    def in_waiting(self) -> int:
        return len(self._unread)

    def read(self, size: int, /) -> bytes:
        if size and not self._unread:
            self._unread = self._player.await_bytes()
        taken, self._unread = self._unread[:size], self._unread[size:]
        return taken

    def write(self, data: bytes, /) -> int:
        return len(data)

    def close(self) -> None:
        """Nothing is held: the player goes on where this port stopped reading."""
