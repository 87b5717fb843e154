"""A run's folder: what each finished part came to, kept so that a run that was cut off goes on where it stood."""

import fcntl
import hashlib
import os
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.bulk.partitions import Partition
from dealer_assist.bulk.work import Options, PartResult, digest
from dealer_assist.storage.shoe_logs import written

FORMAT: Final = 1
"""Goes up when a part's result would come out otherwise: what was kept before is then done again."""

_DIGEST: Final = hashlib.sha256().digest_size
_decode: Final = msgspec.msgpack.Decoder(PartResult).decode


class FolderBusy(Exception):
    """Another run writes to the folder."""


class UnusableFolder(Exception):
    """A folder that can't be written to."""


class Store:
    """The folder `out` of one run; use it as a context. Raises: UnusableFolder; FolderBusy, while another run has it."""

    def __init__(self, out: Path, options: Options) -> None:
        self.out: Final = out
        self._parts: Final = out / "parts"
        self._options: Final = options
        try:
            self._parts.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(out / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise UnusableFolder(f"{out}: expected a folder to write to, found: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise FolderBusy(f"{out}: expected a folder that no other run uses, found one at work in it") from None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._lock)

    def clear(self) -> None:
        """Forget everything."""
        for path in (*self._parts.iterdir(), self.out / "differences.jsonl", self.out / "summary.json"):
            path.unlink(missing_ok=True)

    def keep(self, part: Partition, result: PartResult) -> None:
        """Keep a part's result, whole or not at all."""
        body = msgspec.msgpack.encode(result)
        with written(self._path(part)) as partial:
            partial.write_bytes(hashlib.sha256(body).digest() + body)

    def recall(self, part: Partition) -> PartResult | None:
        """What was kept of a part; None where it isn't whole, or the part was played by sheets that have changed."""
        try:
            kept = self._path(part).read_bytes()
            if hashlib.sha256(kept[_DIGEST:]).digest() != kept[:_DIGEST]:
                return None
            result = _decode(kept[_DIGEST:])
        except (OSError, msgspec.DecodeError):
            return None
        return result if all(digest(sheet) == seen for sheet, seen in result.sheets.items()) else None

    def forget_others(self, parts: Iterable[Partition]) -> None:
        """Forget parts of logs that are no longer there, or no longer so."""
        wanted = {self._path(part) for part in parts}
        for path in self._parts.iterdir():
            if path not in wanted:
                path.unlink()

    def _path(self, part: Partition) -> Path:
        """Named by all that the result hangs on."""
        code = (FORMAT, version("dealer-assist"))
        found = (part.name, part.size, part.mtime_ns, part.start, part.end)
        key = msgspec.json.encode((code, found, self._options))
        return self._parts / f"{hashlib.sha256(key).hexdigest()[:32]}.part"
