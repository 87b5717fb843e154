"""What a bulk run goes over: the logs under a folder, cut into parts that are worked on apart."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.storage.parquet import RowGroups
from dealer_assist.storage.shoe_logs import DamagedLog, Kind, UnreadableLog, kind_of, logs_under

PART_BYTES: Final = 32 << 20
"""About how much of a plain log is one part."""


class Partition(msgspec.Struct, frozen=True):
    """One part of one log: bytes `start` to `end` of a plain one, row groups of a Parquet file, or a packed one whole.

    `path` to read it, `name` to tell of it. `size` in bytes and `mtime_ns` of the file as it was found; `weight`: about how
    many rounds. `is_last` of its file.
    """

    path: str
    name: str
    kind: Kind
    size: int
    mtime_ns: int
    start: int
    end: int
    weight: int
    is_last: bool

    def require_unchanged(self) -> None:
        """Raises: UnreadableLog, where the file is not what it was when the run began."""
        try:
            found = Path(self.path).stat()
        except OSError as error:
            raise UnreadableLog(f"{self.path}: expected a readable log, found: {error.strerror}") from None
        if (found.st_size, found.st_mtime_ns) != (self.size, self.mtime_ns):
            raise UnreadableLog(f"{self.path}: expected a log that stays as it is, found it changed meanwhile")


def partitions(folder: Path) -> Iterator[Partition]:
    """The parts of the logs under a folder, in their order. Raises: UnreadableLog."""
    for path in logs_under(folder):
        name = path.name if path == folder else path.relative_to(folder).as_posix()
        yield from _parts(path, name)


def _parts(path: Path, name: str) -> Iterator[Partition]:
    kind = kind_of(path)
    assert kind is not None
    try:
        found = path.stat()
        spans = _spans(path, kind, found.st_size)
    except OSError as error:
        raise UnreadableLog(f"{path}: expected a readable log, found: {error.strerror}") from None
    for start, end, weight in spans:
        yield Partition(
            path=str(path.resolve()),
            name=name,
            kind=kind,
            size=found.st_size,
            mtime_ns=found.st_mtime_ns,
            start=start,
            end=end,
            weight=weight,
            is_last=end == spans[-1][1],
        )


_BYTES_A_ROUND: Final = {Kind.plain: 600, Kind.gzip: 150, Kind.zstd: 120, Kind.parquet: 60}
"""About; only for the progress that is shown."""


def _spans(path: Path, kind: Kind, size: int) -> list[tuple[int, int, int]]:
    """Start, end and weight of each part."""
    if kind is Kind.parquet:
        try:
            groups = RowGroups(path)
        except DamagedLog:
            return [(0, 0, 1)]  # what is wrong with it is told where it is read
        groups.close()
        return [(at, at + 1, rows) for at, rows in enumerate(groups.rows)] or [(0, 0, 0)]
    cuts = _cuts(path, size) if kind is Kind.plain else [0, size]
    return [(start, end, (end - start) // _BYTES_A_ROUND[kind] + 1) for start, end in pairwise(cuts)]


def _cuts(path: Path, size: int) -> list[int]:
    """Offsets at which lines begin, and the end."""
    cuts = [0]
    with path.open("rb") as log:
        while cuts[-1] + PART_BYTES < size:
            log.seek(cuts[-1] + PART_BYTES)
            log.readline()
            cuts.append(min(log.tell(), size))
    return [*cuts, size] if cuts[-1] < size or size == 0 else cuts
