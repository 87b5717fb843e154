"""One table behind gunicorn: a single worker process with a thread a request, and a socket that is already bound.

The table is opened in the worker, never in the master, so that its thread, its log and its serial port are the
worker's own. A worker that can't open it ends everything; one that dies later is replaced by one that takes up the log.
"""

import contextlib
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, Final

from flask import Flask
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]
from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]

from web_ui.site import site_of

THREADS: Final = 400
CONNECTIONS: Final = 1000
GRACE_S: Final = 2
"""How long the master waits at the end; the worker waits less, and closes the table in what is left."""
WORKER_GRACE_S: Final = 1
LINGER_S: Final = 0.5
BOOT_S: Final = 300
"""A worker that shows no sign of life for so long is replaced; a long log takes a while to read."""


def run_server(open_app: Callable[[], Flask], listener: socket.socket) -> int:
    """Serve until a signal, or `end_server`, ends it; the exit status, 0 where all went well.

    `open_app` is called in the worker process. The listener is bound already and is closed at the end.
    """
    master = os.getpid()
    try:
        _Master(_Application(open_app, listener.detach())).run()
    except SystemExit as end:
        if os.getpid() != master:
            raise  # the worker's own end: nothing of the caller's goes on in it
        return end.code if isinstance(end.code, int) else 1
    return 0


def end_server() -> None:
    """From inside the worker: end the whole server, with status 0."""
    os.kill(os.getppid(), signal.SIGTERM)


class _Application(BaseApplication):  # type: ignore[misc]
    """gunicorn's settings, and the app it loads in the worker."""

    def __init__(self, open_app: Callable[[], Flask], listener: int) -> None:
        self._open_app = open_app
        self._listener = listener
        super().__init__()

    def load_config(self) -> None:
        for name, value in {
            "bind": f"fd://{self._listener}",
            "worker_class": _Worker,
            "workers": 1,
            "threads": THREADS,
            "worker_connections": CONNECTIONS,
            "timeout": BOOT_S,
            "graceful_timeout": GRACE_S,
            "keepalive": 15,
            "control_socket_disable": True,
            "accesslog": None,
            "errorlog": "-",
            "loglevel": "warning",
            "worker_exit": _close_table,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        logging.getLogger("gunicorn.error").addFilter(_without_stalled_readers)
        return self._open_app()


def _close_table(_: object, worker: Any) -> None:
    """In the worker, as the last thing it does; in the master there is no table."""
    app = worker.app.callable
    if app is not None:
        _let_viewers_go(app)
        site_of(app).access.close()


def _let_viewers_go(app: Flask) -> None:
    """End the streams, and a computation that somebody waits for."""
    access = site_of(app).access
    access.publisher.close()
    if access.laboratory is not None:
        access.laboratory.close()


def _without_stalled_readers(record: logging.LogRecord) -> bool:
    """A reader that took nothing and lost its connection is told in a line, not with a trace of calls."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BlockingIOError | TimeoutError):
        record.exc_info, record.levelno, record.levelname = None, logging.WARNING, "WARNING"
        record.msg, record.args = "a viewer took nothing for too long and was let go", ()
    return True


class _Worker(ThreadWorker):  # type: ignore[misc]
    """A worker that lets its viewers go at once when told to end, and never waits for a viewer in its main loop."""

    def handle_exit(self, sig: int, frame: object) -> None:
        super().handle_exit(sig, frame)
        self.method_queue.defer(self._hurry)

    def _hurry(self) -> None:
        self.cfg.set("graceful_timeout", WORKER_GRACE_S)
        _let_viewers_go(self.app.callable)
        for connection in (*self.keepalived_conns, *self.pending_conns):
            connection.timeout = time.monotonic()

    def handle(self, conn: Any) -> object:
        again = super().handle(conn)
        if not again or not self.alive:
            _part(conn.sock)
        return again


def _part(connection: socket.socket) -> None:
    """Say that nothing more comes, and let the other side close: here, in the request's own thread.

    Both ways are shut then, so that gunicorn's own closing finds nothing to wait for.
    """
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        connection.settimeout(LINGER_S)
        give_up = time.monotonic() + LINGER_S
        while connection.recv(4096) and time.monotonic() < give_up:
            pass
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _Master(Arbiter):  # type: ignore[misc]
    """A master of exactly one worker: two would open one table twice."""

    def handle_hup(self) -> None:
        """A terminal that goes away ends the table as SIGTERM does."""
        self.handle_term()

    def handle_ttin(self) -> None:
        """There is one worker, always."""

    def handle_ttou(self) -> None:
        """There is one worker, always."""

    def handle_usr2(self) -> None:
        """There is one master, always."""
