"""The pictures of what a camera disputed: kept a while, readable by their owner only, known by their names and hashes."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from dealer_assist.application.ports import Snap
from dealer_assist.game.round import Picture
from dealer_assist.storage.folder import write_owner_only

_NAME: Final = re.compile(r"(\d{8}T\d{6}Z)-[0-9a-f]{6}-\d{1,2}\.jpg(\.partial)?")


class EvidenceStore:
    """The pictures in one folder. Its files' names begin with the time, UTC, at which they were kept."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder

    def keep(self, snaps: Sequence[Snap], at: datetime) -> tuple[Picture, ...]:
        """Write pictures, safely on disk before this returns. Raises: OSError."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        stem = f"{_stamp(at)}-{secrets.token_hex(3)}"
        return tuple(self._kept(f"{stem}-{n}.jpg", snap) for n, snap in enumerate(snaps))

    def _kept(self, name: str, snap: Snap) -> Picture:
        write_owner_only(self._folder / name, snap.jpeg)
        return Picture(name, hashlib.sha256(snap.jpeg).hexdigest(), snap.card)

    def expired(self, now: datetime, keep_days: int) -> tuple[str, ...]:
        """The names of pictures that are older than so many days."""
        oldest = _stamp(now - timedelta(days=keep_days))
        names = sorted(path.name for path in self._folder.glob("*.jpg*"))
        return tuple(name for name in names if (match := _NAME.fullmatch(name)) and match[1] < oldest)

    def remove(self, names: Sequence[str]) -> None:
        """Remove pictures. Raises: OSError."""
        for name in names:
            (self._folder / name).unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """A picture's bytes; None where there is none of this name."""
        if _NAME.fullmatch(name) is None:
            return None
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    def finding(self, picture: Picture) -> str | None:
        """What is wrong with a picture that the log names; None where nothing is."""
        try:
            data = self.read(picture.name)
        except OSError as error:
            return f"its picture {picture.name} can't be read: {error.strerror}"
        if data is None:
            return f"its picture {picture.name} is missing"
        whole = hashlib.sha256(data).hexdigest() == picture.sha256
        return None if whole else f"its picture {picture.name} was changed"


def _stamp(at: datetime) -> str:
    return f"{at:%Y%m%dT%H%M%SZ}"
