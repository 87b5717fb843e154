"""A table as a server process: the listening socket, the worker's table, the lines a person reads on the terminal."""

import logging
import os
import socket
import sys
from pathlib import Path
from typing import Final

import platformdirs
import structlog

from dealer_assist.cli.errors import UnusableInput

LOOPBACK: Final = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A listening socket on loopback; port 0 takes any free one. Raises: UnusableInput."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
    except OSError as error:
        listener.close()
        raise UnusableInput(f"--port: expected a free port, found {port}: {error.strerror}") from None
    listener.listen(1024)  # whoever reads the address below may call at once: he waits until the worker is there
    return listener


def address(listener: socket.socket) -> str:
    """Where the screens are."""
    host, port = listener.getsockname()[:2]
    return f"http://{host}:{port}"


def log_to(path: Path) -> None:
    """The program's own log: JSON lines in a file of its owner, so that the terminal stays readable."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(os.fdopen(file, "a", buffering=1)),
        cache_logger_on_first_use=True,
    )
    logging.captureWarnings(True)


def default_data(name: str) -> Path:
    """Where a table keeps its data when no folder is named."""
    return Path(platformdirs.user_data_dir("dealer-assist")) / name


def say(line: str) -> None:
    """One line to the terminal, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def setup_address(here: str, token: str) -> str:
    """The line that leads to the first run's page, where the PINs are set."""
    return f"setup {here}/setup?token={token}"
