"""A table as a server process: the listening socket, the worker's table, the lines a person reads on the terminal."""

import logging
import os
import secrets
import socket
import sys
from pathlib import Path
from typing import Final

import platformdirs
import structlog

from dealer_assist.cli.errors import UnusableInput
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.pins import PinBook

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


def free_folder(path: Path) -> DataFolder:
    """A table's folder, made if need be, that no other table uses. Raises: FolderInUse."""
    data = DataFolder(path)
    data.lock()
    data.unlock()
    return data


def greet(listener: socket.socket, data: DataFolder) -> str:
    """Say where the screens are, and where the PINs are set while there are none; the token that page asks for."""
    host, port = listener.getsockname()[:2]
    here, token = f"http://{host}:{port}", secrets.token_urlsafe(12)
    say(f"dealer {here}/dealer")
    say(f"sign {here}/sign")
    if not PinBook(data.pins).are_set:
        say(f"setup {here}/setup?token={token}")
    say(f"data {data.path}")
    return token


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
