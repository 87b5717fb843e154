"""A table's data folder: who may use it, and the key that seals cards still face down. Readable by its owner only."""

import fcntl
import os
import secrets
from pathlib import Path
from typing import Final

OWNER_ONLY: Final = 0o077


class FolderInUse(Exception):
    """Another process runs a table on this folder."""

    def __init__(self, folder: Path, holder: str) -> None:
        super().__init__(f"{folder}: expected a folder that no other table uses, found it in use by {holder}")


class NoTable(Exception):
    """A folder in which no table was ever opened."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder}: expected a table's data folder with a log, found none")


class NoKey(Exception):
    """The key is gone that the log's sealed cards need."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: expected the key that the log's cards are sealed with, found none")


class DataFolder:
    """The folder of one table. Making one creates it; every file made from now on is its owner's alone."""

    def __init__(self, path: Path) -> None:
        os.umask(OWNER_ONLY)
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(0o700)
        self.path: Final = path
        self._lock: int | None = None

    @classmethod
    def existing(cls, path: Path) -> "DataFolder":
        """The folder of a table that was opened before. Raises: NoTable."""
        if not (path / "log.sqlite").is_file():
            raise NoTable(path)
        return cls(path)

    @property
    def log(self) -> Path:
        """The event log."""
        return self.path / "log.sqlite"

    @property
    def pins(self) -> Path:
        """The hashes of the people's PINs."""
        return self.path / "pins.json"

    @property
    def evidence(self) -> Path:
        """The pictures of what a camera disputed."""
        return self.path / "evidence"

    @property
    def acts(self) -> Path:
        """Acts done while the table runs, waiting to be taken into its log."""
        return self.path / "acts"

    def key(self, name: str) -> bytes:
        """A secret of 32 bytes kept in this folder, made at first use."""
        path = self.path / f"{name}.key"
        try:
            return path.read_bytes()
        except FileNotFoundError:
            write_owner_only(path, secrets.token_bytes(32))
            return path.read_bytes()

    def kept_key(self, name: str) -> bytes:
        """A secret that must be here already. Raises: NoKey."""
        path = self.path / f"{name}.key"
        if not path.is_file():
            raise NoKey(path)
        return path.read_bytes()

    def lock(self) -> None:
        """Claim the folder until this process ends. Raises: FolderInUse."""
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(handle, 32).decode(errors="replace").strip()
            os.close(handle)
            raise FolderInUse(self.path, f"process {holder}" if holder else "another process") from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        self._lock = handle

    def unlock(self) -> None:
        """Give the folder free."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def write_owner_only(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, readable by its owner only."""
    partial = path.with_name(path.name + ".partial")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
    parent = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)
