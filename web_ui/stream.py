"""The screens' event streams: whole pictures, the newest only, and a heartbeat that scripts can hear.

`id: epoch-seq` names each picture, so a browser that comes back gets nothing it has. Every `data:` line is a JSON
object with `round` and `phase`.
"""

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from flask import Response, request, stream_with_context

from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import Snapshot
from web_ui.format import Json
from web_ui.language import reader_locale

DEALER_BEAT_S: Final = 4.0
SIGN_BEAT_S: Final = 2.0
SIGN_APART_S: Final = 0.25
STALLED_S: Final = 4

Shown = tuple[object, object]
"""What of a picture matters: the part that may not wait, and the part that may."""


class Rendering:
    """Snapshots as the bytes of a message, made once a version and language however many streams want them."""

    def __init__(self, make: Callable[[Snapshot], Json]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: dict[str, tuple[int, bytes]] = {}

    def of(self, snapshot: Snapshot) -> bytes:
        """The message of a snapshot."""
        language = str(reader_locale())
        with self._lock:
            version, data = self._made.get(language, (-1, b""))
            if version != snapshot.version:
                data = msgspec.json.encode(self._make(snapshot))
                self._made[language] = snapshot.version, data
            return data


class Feed:
    """One viewer's stream. `beat` makes a heartbeat's message, `allowed` says at each whether the viewer may stay."""

    def __init__(
        self, publisher: Publisher, rendering: Rendering, beat: Callable[[], Json], allowed: Callable[[], bool]
    ) -> None:
        self._publisher = publisher
        self._rendering = rendering
        self._beat = beat
        self._allowed = allowed

    def every_picture(self, last_id: str | None, beat_s: float = DEALER_BEAT_S) -> Iterator[bytes]:
        """The newest picture whenever there is one."""
        seen = self._resumed(last_id)
        yield self._opening()
        beat_due = time.monotonic() + beat_s
        while not self._publisher.closed and self._allowed():
            snapshot = self._publisher.newer_than(seen, max(beat_due - time.monotonic(), 0))
            if snapshot is not None:
                seen = snapshot.version
                yield self._picture(snapshot)
            if time.monotonic() >= beat_due:
                yield self._heartbeat()
                beat_due = time.monotonic() + beat_s

    def coalesced(
        self, last_id: str | None, shown_of: Callable[[Snapshot], Shown], beat_s: float = SIGN_BEAT_S
    ) -> Iterator[bytes]:
        """Pictures that differ in what is shown: at once where the first part does, else at most four a second."""
        seen = self._resumed(last_id)
        yield self._opening()
        shown: Shown | None = None
        waiting: Snapshot | None = None
        beat_due, send_at = time.monotonic() + beat_s, 0.0
        while not self._publisher.closed and self._allowed():
            until = min(beat_due, send_at) if waiting else beat_due
            waiting = self._publisher.newer_than(seen, max(until - time.monotonic(), 0)) or waiting
            if waiting is not None:
                seen = waiting.version
                now = shown_of(waiting)
                if shown is None or now[0] != shown[0] or (now != shown and time.monotonic() >= send_at):
                    yield self._picture(waiting)
                    shown, send_at = now, time.monotonic() + SIGN_APART_S
                if now == shown:
                    waiting = None
            if time.monotonic() >= beat_due:
                yield self._heartbeat()
                beat_due = time.monotonic() + beat_s

    def _resumed(self, last_id: str | None) -> int:
        epoch, _, seq = (last_id or "").partition("-")
        return int(seq) if epoch == self._publisher.epoch and seq.isascii() and seq.isdigit() else 0

    def _opening(self) -> bytes:
        return b"retry: 1000\n" + self._heartbeat()

    def _picture(self, snapshot: Snapshot) -> bytes:
        head = f"id: {self._publisher.epoch}-{snapshot.version}\ndata: ".encode()
        return head + self._rendering.of(snapshot) + b"\n\n"

    def _heartbeat(self) -> bytes:
        return b"event: heartbeat\ndata: " + msgspec.json.encode(self._beat()) + b"\n\n"


def event_stream(frames: Iterator[bytes]) -> Response:
    """A stream as a response that nothing on its way keeps back."""
    let_go_of_stalled_readers(request.environ.get("gunicorn.socket"))
    return Response(
        stream_with_context(frames),
        mimetype="text/event-stream",
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no"},
    )


def let_go_of_stalled_readers(connection: object) -> None:
    """A reader that takes nothing for four seconds loses its connection, and with it the thread it holds."""
    if not isinstance(connection, socket.socket):
        return
    with contextlib.suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", STALLED_S, 0))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_S * 1000)
