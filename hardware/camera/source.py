"""A table's camera: the newest picture, and whether there is one. Needs no OpenCV: a process of its own takes the pictures.

A thread of its own starts that process, listens to it, and when it falls silent, hangs, dies, or sends the same picture
again and again, ends it and starts another, with growing pauses. Nobody ever waits for a driver: a read that hangs for
ever hangs in a process that can be killed.
"""

import contextlib
import itertools
import os
import select
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec
import numpy as np
import structlog
from numpy.typing import NDArray

from hardware.camera.pulse import REMEMBERED, CameraState, Frozen, Limits, Live, Lost, Pulse
from hardware.camera.settings import Source
from hardware.camera.wire import HEADER, LARGEST, Kind, Order

_POLL_S: Final = 0.05  # longest wait for the process, hence how soon a stop is noticed
_STOP_WITHIN_S: Final = 1.8
_KILLED_WITHIN_S: Final = 1.0
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0
_REOPEN_FROZEN_S: Final = 3.0  # a connection that shows one picture for so long is begun anew

_PLAYED: Final = "the video has been played to its end"


class SourceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How pictures are taken.

    `size`: the width and height they must have; None: any. `wish`: what a camera is asked for where no size is set.
    `rate`: pictures a second. `limits`: when it counts as lost or frozen. `stale_after_s`: a picture older than this is
    given to nobody. `loop`: a file begins again at its end.
    """

    source: Source
    size: tuple[int, int] | None = None
    wish: tuple[int, int] | None = None
    rate: float = 10.0
    limits: Limits = Limits()
    stale_after_s: float = 0.7
    loop: bool = False


@dataclass(frozen=True)
class Frame:
    """A picture, BGR uint8 [h, w, 3], its number from 1, and when it was taken (monotonic)."""

    picture: NDArray[np.uint8]
    number: int
    at: float

    def age(self, now: float) -> float:
        return now - self.at


class Camera:
    """One camera that is kept open as long as it can be. `start` once, `stop` from any thread."""

    def __init__(self, settings: SourceSettings) -> None:
        self.settings: Final = settings
        self._stopping = threading.Event()
        self._changed = threading.Condition()
        self._state: CameraState = Lost(f"{settings.source.name} is being opened")
        self._newest: Frame | None = None
        self._taken = 0
        self._ended: str | None = None
        self._thread = threading.Thread(target=self._run, name=settings.source.name, daemon=True)
        self._log = structlog.get_logger(__name__).bind(camera=settings.source.name)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the camera and its process; returns within 2 s."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(_STOP_WITHIN_S)
            if self._thread.is_alive():
                self._log.warning("camera still busy after stop")

    @property
    def state(self) -> CameraState:
        return self._state

    @property
    def ended(self) -> str | None:
        """Why no picture can come any more: the file is over, or its pictures have not the size they must have."""
        return self._ended

    @property
    def played_to_its_end(self) -> bool:
        return self._ended == _PLAYED

    def newest(self, after: int = 0, within_s: float = 0.0) -> Frame | None:
        """The newest picture, if its number is above `after`; waits so long for it. None while the camera does not live,
        and for a picture that is too old."""
        with self._changed:
            self._changed.wait_for(lambda: self._good(after) or self._ended is not None, within_s)
            return self._newest if self._good(after) else None

    def _good(self, after: int) -> bool:
        frame = self._newest
        if frame is None or frame.number <= after or not isinstance(self._state, Live):
            return False
        return frame.age(time.monotonic()) <= self.settings.stale_after_s

    def _tell(self, state: CameraState) -> None:
        with self._changed:
            self._state = state
            if not isinstance(state, Live):
                self._newest = None
            self._changed.notify_all()

    def _run(self) -> None:
        pauses = _pauses()
        # A film has no driver's queue that could go round; one that begins again may be a short one.
        remembered = 1 if self.settings.source.is_file else REMEMBERED
        while not self._stopping.is_set() and self._ended is None:
            pulse = Pulse(self.settings.limits, time.monotonic(), remembered)
            try:
                with _Grabber(self.settings) as grabber:
                    end = self._listen(grabber, pulse)
            except OSError as error:  # no process could be started, or it ended at once
                end = Lost(f"{self.settings.source.name} can't be watched: {error.strerror or error}")
            self._tell(end)
            if pulse.lived:
                pauses = _pauses()  # it had held: the next try may be quick again
            if self._ended is None:
                self._stopping.wait(next(pauses))

    def _listen(self, grabber: "_Grabber", pulse: Pulse) -> CameraState:
        """Takes pictures to the connection's end; how the camera stands then."""
        name, size = self.settings.source.name, self.settings.size
        grabber.ask()
        while not self._stopping.is_set():
            message, now = grabber.next(_POLL_S), time.monotonic()
            match message:
                case Lost():
                    return message
                case _Ended():
                    return self._over(_PLAYED)
                case _Picture() if size not in (None, message.size):
                    return self._over(_other_size(name, message.size, size))
                case _Picture() if pulse.is_news(zlib.crc32(message.data), now):
                    self._take(message)
                case _:
                    frozen_s = pulse.frozen_for(now)
                    if pulse.is_silent(now):
                        return Lost(f"{name} sends no pictures: check its plug, power and network")
                    if frozen_s > 0:
                        self._tell(Frozen(f"{name} sends the same picture again and again: check its plug"))
                    if frozen_s > _REOPEN_FROZEN_S:
                        return self._state
        return Lost("stopped")

    def _over(self, reason: str) -> Lost:
        """No picture can come any more; whoever sees that it ended sees it lost, too."""
        lost = Lost(reason)
        self._tell(lost)
        self._ended = reason
        with self._changed:
            self._changed.notify_all()
        return lost

    def _take(self, message: "_Picture") -> None:
        wide, high = message.size
        picture = np.frombuffer(message.data, np.uint8).reshape(high, wide, 3)
        with self._changed:
            self._taken += 1
            self._newest = Frame(picture, self._taken, message.at)
        self._tell(Live())


@dataclass(frozen=True)
class _Picture:
    size: tuple[int, int]
    at: float
    data: bytearray


class _Ended:
    """The file has been played."""


class _Grabber:
    """The process that takes the pictures. Made and left in one `with`: it is gone afterwards, whatever it was doing."""

    def __init__(self, settings: SourceSettings) -> None:
        self._name = settings.source.name
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "hardware.camera.grabber"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "OPENCV_FFMPEG_LOGLEVEL": "-8"},  # what is wrong with a stream is told by its state
            start_new_session=True,  # a terminal's signals are not for it
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._header: tuple[int, float, int, int, int] | None = None
        self._begin(HEADER.size)
        where = settings.source.where
        order = Order(where, self._name, settings.size or settings.wish, settings.rate, settings.loop)
        self._order = msgspec.json.encode(order) + b"\n"

    def __enter__(self) -> "_Grabber":
        return self

    def ask(self) -> None:
        """Send the order. Raises: OSError, where the process is gone already."""
        self._stdin.write(self._order)
        self._stdin.flush()

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        try:
            self._process.wait(_KILLED_WITHIN_S)
        except subprocess.TimeoutExpired:  # deep in a driver: it goes when the driver lets it
            structlog.get_logger(__name__).warning("a camera's process does not end", camera=self._name)
        self._stdout.close()
        with contextlib.suppress(BrokenPipeError):  # an order that nobody took
            self._stdin.close()

    def _begin(self, size: int) -> None:
        self._data, self._filled = bytearray(size), 0

    def next(self, within_s: float) -> "_Picture | _Ended | Lost | None":
        """The next picture, or why no more comes; None where nothing came in time."""
        ends = time.monotonic() + within_s
        while (left := ends - time.monotonic()) > 0:
            if not select.select([self._stdout], [], [], left)[0]:
                return None
            count = os.readv(self._stdout.fileno(), [memoryview(self._data)[self._filled :]])
            if count == 0:
                return Lost(
                    f"{self._name} can't be watched: the process that takes its pictures ended ({self._fate()})"
                )
            self._filled += count
            if self._filled == len(self._data) and (message := self._whole()) is not None:
                return message
        return None

    def _fate(self) -> int | None:
        try:
            return self._process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            return None

    def _whole(self) -> "_Picture | _Ended | Lost | None":
        data = self._data
        if self._header is None:
            self._header = HEADER.unpack(data)
            size = self._header[4]
            if size > LARGEST:
                return Lost(f"{self._name} sends pictures of {size} bytes, which can't be")
            self._begin(size)
            if size:
                return None
            data = self._data
        kind, at, wide, high, _ = self._header
        self._header = None
        self._begin(HEADER.size)
        match Kind(kind):
            case Kind.picture:
                return _Picture((wide, high), at, data)
            case Kind.refused:
                return Lost(data.decode())
            case Kind.ended:
                return _Ended()


def _other_size(name: str, found: tuple[int, int], wanted: tuple[int, int] | None) -> str:
    assert wanted is not None
    return f"{name} gives pictures of {found[0]}×{found[1]}, expected {wanted[0]}×{wanted[1]}, as it was calibrated for"


def _pauses() -> Iterator[float]:
    """Seconds to wait before each further try: quick at first, then ever slower up to a limit."""
    return (min(_FIRST_PAUSE_S * 2**tries, _LONGEST_PAUSE_S) for tries in itertools.count())
