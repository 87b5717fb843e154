"""Takes pictures in a process of its own: a driver that hangs, or dies over a damaged stream, takes no table with it.

Every picture is taken as soon as the source has it, so that none grows old in a driver's queue; of these, as many as are
wanted and as the pipe has room for are decoded and sent. The process ends when its standard input does.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from hardware.camera.opencv import Image, Video
from hardware.camera.wire import HEADER, Kind, Order

_FILE_RATE: Final = 25.0  # of a file that says none


class _Sender:
    """Sends one picture at a time from a thread of its own; while it does, it takes no other."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._due = threading.Condition()
        self._picture: tuple[Image, float] | None = None
        threading.Thread(target=self._run, name="sender", daemon=True).start()

    @property
    def is_free(self) -> bool:
        return self._picture is None

    def send(self, image: Image, at: float) -> None:
        with self._due:
            self._picture = (image, at)
            self._due.notify_all()

    def finish(self, kind: Kind, words: str = "") -> None:
        """The last word, after the picture that is under way."""
        with self._due:
            self._due.wait_for(lambda: self._picture is None)
            self._write(HEADER.pack(kind, time.monotonic(), 0, 0, len(words.encode())) + words.encode())

    def _run(self) -> None:
        while True:
            with self._due:
                self._due.wait_for(lambda: self._picture is not None)
                assert self._picture is not None
                image, at = self._picture
            high, wide = image.shape[:2]
            self._write(HEADER.pack(Kind.picture, at, wide, high, image.nbytes), image.tobytes())
            with self._due:
                self._picture = None
                self._due.notify_all()

    def _write(self, *parts: bytes) -> None:
        try:
            self._out.writelines(parts)
            self._out.flush()
        except BrokenPipeError:
            os._exit(0)  # nobody takes it any more


def _taken(order: Order, video: Video) -> Iterator[float]:
    """When each picture was taken, until the source gives none; a file's at the file's own rate."""
    is_file = isinstance(order.where, str) and "://" not in order.where
    gap = 1 / (video.rate or _FILE_RATE) if is_file else 0.0
    due = time.monotonic()
    while video.grab():
        due += gap
        if is_file:
            time.sleep(max(0.0, due - time.monotonic()))
        yield time.monotonic()


def _film(order: Order, sender: _Sender) -> None:
    last = -1.0
    while True:
        video = Video(order.where, order.size)
        if not video.is_open:
            return sender.finish(Kind.refused, _why_not(order))
        none = True
        for at in _taken(order, video):
            none = False
            if at - last >= 0.9 / order.rate and sender.is_free:
                image = video.retrieve()
                if image is not None:
                    sender.send(image, at)
                    last = at
        video.close()
        if isinstance(order.where, int) or "://" in order.where:
            return sender.finish(
                Kind.refused, f"{order.name} gives no more pictures: check its plug, power and network"
            )
        if none:
            return sender.finish(Kind.refused, f"{order.name} holds no picture that can be read")
        if not order.loop:
            return sender.finish(Kind.ended)


def _why_not(order: Order) -> str:
    if isinstance(order.where, int):
        device = Path(f"/dev/video{order.where}")
        if not device.exists():
            return f"{order.name} is not there: plug it in, and check its number with: ls /dev/video*"
        if not os.access(device, os.R_OK | os.W_OK):
            return f"no permission to use {device}: add this user to the group video, then log in again"
        return f"{device} can't be opened: it may be in use by another program, or be no camera"
    if "://" in order.where:
        return f"{order.name} does not answer, or sends no video"
    return f"{order.name} is not there, or holds no video that can be read"


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    """Take an order, then pictures."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()
    _film(order, _Sender(sys.stdout.buffer))
    os._exit(0)


if __name__ == "__main__":
    main()
