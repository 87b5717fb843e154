"""Films for the camera's tests: pictures with a sensor's noise, as files, and as a stream that can stall and break."""

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from hardware.camera.opencv import Image


def noisy(image: Image, seed: int) -> Image:
    """The picture as a sensor gives it: a little different each time."""
    grain = np.random.default_rng(seed).integers(-3, 4, image.shape, np.int16)
    return np.asarray(np.clip(image.astype(np.int16) + grain, 0, 255), np.uint8)


def plain(level: int = 90, size: tuple[int, int] = (320, 240)) -> Image:
    return np.full((size[1], size[0], 3), level, np.uint8)


def shots(scene: Image, count: int) -> Iterator[Image]:
    """So many pictures of it, each with its grain elsewhere: none like another, and quicker than grain made anew."""
    high, wide = scene.shape[:2]
    grain = np.random.default_rng(0).integers(-3, 4, (high + count, wide, 3), np.int16)
    for n in range(count):
        yield np.asarray(cv2.add(scene, grain[n : n + high], dtype=cv2.CV_8U), np.uint8)


def film(path: Path, pictures: Iterable[Image], rate: float = 20.0) -> Path:
    """A video file: of MPEG-4 where its name ends so, which is a tenth of the size, else of motion JPEG."""
    codec = "mp4v" if path.suffix == ".mp4" else "MJPG"
    writer = None
    for picture in pictures:
        if writer is None:
            writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), rate, picture.shape[1::-1])
            assert writer.isOpened()
        writer.write(picture)
    assert writer is not None
    writer.release()
    return path


class Stream:
    """An MJPEG stream on loopback. `stall`: it sends nothing more; `freeze`: one picture, again and again; `break_off`:
    it closes what is open and refuses what comes."""

    def __init__(self, rate: float = 20.0) -> None:
        self.rate = rate
        self.scene = plain()
        self.opened = 0
        self.flowing = threading.Event()
        self.flowing.set()
        self.frozen = False
        self.broken = False
        self.over = False
        self._numbers = count()

    def stall(self) -> None:
        self.flowing.clear()

    def freeze(self) -> None:
        self.frozen = True

    def break_off(self) -> None:
        self.broken = True

    def mend(self) -> None:
        self.frozen = self.broken = False
        self.flowing.set()

    def next_picture(self) -> Image:
        return noisy(self.scene, 0 if self.frozen else next(self._numbers) + 1)

    def parts(self) -> Iterator[bytes]:
        while not (self.broken or self.over):
            if self.flowing.wait(0.05):
                jpeg = cv2.imencode(".jpg", self.next_picture())[1].tobytes()
                yield b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n"
                time.sleep(1 / self.rate)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A camera that hangs up is no error."""


@contextmanager
def served(stream: Stream) -> Iterator[str]:
    """The stream's URL, as long as it is served."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if stream.broken:
                self.send_error(503)
                return
            stream.opened += 1
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for part in stream.parts():
                self.wfile.write(part)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name it has there
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://operator:secret@127.0.0.1:{server.server_port}/table.mjpg"
    finally:
        stream.over = True
        server.shutdown()
        server.server_close()
        thread.join()
