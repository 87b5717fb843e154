"""The server as a process: it serves, ends in time with streams open, and says by its status how it ended."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

SCRIPT = """
import os, socket, sys
from pathlib import Path
from tests.web_ui.helpers import TableAtHand, setup_of
from web_ui.server import end_server, run_server

folder, deed = Path(sys.argv[1]), sys.argv[2]

def open_app():
    if deed == "fails":
        raise RuntimeError("no reader")
    table = None
    def close():
        table.close()
        (folder / "closed").touch()
    table = TableAtHand(folder, setup_of(), open_to_watch=True, close=close)
    app = table.app
    app.add_url_rule("/end", "end", lambda: end_server() or "")
    app.add_url_rule("/pid", "pid", lambda: str(os.getpid()))
    return app

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
status = run_server(open_app, listener)
print("ended", flush=True)
sys.exit(status)
"""
ROOT = Path(__file__).parent.parent.parent


class Server:
    def __init__(self, folder: Path, deed: str) -> None:
        self.folder = folder
        command = [sys.executable, "-c", SCRIPT, str(folder), deed]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())

    def open(self, address: str) -> Any:
        return urllib.request.urlopen(f"http://127.0.0.1:{self.port}{address}", timeout=20)

    def get(self, address: str) -> str:
        with self.open(address) as answer:
            return answer.read().decode()  # type: ignore[no-any-return]

    def ended(self, timeout: float = 20) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=timeout)
        return self.process.returncode, out, err


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    started = Server(tmp_path, getattr(request, "param", "serves"))
    yield started
    if started.process.poll() is None:
        started.process.kill()
        started.process.communicate()


def test_it_ends_within_three_seconds_of_sigterm_with_streams_open(server: Server) -> None:
    with ExitStack() as streams:
        for _ in range(10):
            stream = streams.enter_context(server.open("/sign/stream"))
            assert stream.readline().startswith(b"retry")
        began = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        status, out, err = server.ended()
        assert time.monotonic() - began < 3
    assert (status, out, err) == (0, "ended\n", "")
    assert (server.folder / "closed").exists()


def test_it_can_be_ended_from_inside_with_status_0(server: Server) -> None:
    server.get("/end")
    assert server.ended()[0] == 0
    assert (server.folder / "closed").exists()


def test_a_terminal_that_goes_away_ends_it_too(server: Server) -> None:
    server.get("/alive")
    server.process.send_signal(signal.SIGHUP)
    assert server.ended()[0] == 0


@pytest.mark.parametrize("server", ["fails"], indirect=True)
def test_a_table_that_can_not_be_opened_ends_it_with_a_fault(server: Server) -> None:
    status, out, err = server.ended()
    assert (status, out) == (3, "ended\n")
    assert "no reader" in err


def test_a_worker_that_dies_is_replaced(server: Server) -> None:
    first = int(server.get("/pid"))
    os.kill(first, signal.SIGKILL)
    end = time.monotonic() + 15
    second = first
    while second == first and time.monotonic() < end:
        try:
            second = int(server.get("/pid"))
        except OSError:
            time.sleep(0.1)
    assert second != first


def test_a_viewer_that_takes_nothing_does_not_keep_others_waiting(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        stalled.sendall(b"GET /sign/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        began = time.monotonic()
        for _ in range(20):
            server.get("/alive")
        assert time.monotonic() - began < 3
