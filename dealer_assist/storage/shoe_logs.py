"""Shoe logs as files: `round/1` records, one a line; plain, gzip (`.gz`) or Zstandard (`.zst`)."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import zstandard

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_BUFFER: Final = 1 << 20
_PACKED: Final = 1 << 16
_GZIP_LEVEL: Final = 6  # the best one takes five times as long for a twentieth less


class Kind(StrEnum):
    """How a log is packed."""

    plain = "jsonl"
    gzip = "jsonl.gz"
    zstd = "jsonl.zst"
    parquet = "parquet"


class UnreadableLog(Exception):
    """A log that can't be read: its path, and what was found."""


class DamagedLog(UnreadableLog):
    """A log that is there and can be opened, and whose bytes are not what its name says, or end too soon."""


def kind_of(path: Path) -> Kind | None:
    """What a file's name says that it is; None where it is no shoe log's."""
    return next((kind for kind in Kind if path.name.endswith(f".{kind}") and path.name != f".{kind}"), None)


def logs_under(folder: Path) -> list[Path]:
    """The shoe logs under a folder, sorted by path; a log itself is one."""
    if folder.is_file():
        return [folder] if kind_of(folder) else []
    return sorted(path for path in folder.rglob("*") if kind_of(path) and path.is_file())


def lines(path: Path, advance: Callable[[int], None] = lambda _: None) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines of a JSON log with their numbers; `advance` is told how many bytes of the file were read.

    Raises: UnreadableLog, DamagedLog.
    """
    with _told(path), path.open("rb") as raw, _unpacked(path, raw) as text:
        read = 0
        for number, line in enumerate(text, 1):
            if number % 256 == 0:
                advance(raw.tell() - read)
                read = raw.tell()
            if line.strip():
                yield number, line
        advance(raw.tell() - read)


def blocks(path: Path, start: int, end: int | None, size: int) -> Iterator[bytes]:
    """Whole lines of a JSON log, blank ones too, about `size` bytes at a time.

    `start` and `end` are offsets in a plain log at which a line begins; a packed log is read whole. Of a damaged one come
    the lines before the damage. Raises: UnreadableLog, DamagedLog.
    """
    with _told(path), path.open("rb", buffering=_BUFFER) as raw, _unpacked(path, raw) as text:
        yield from _packed_blocks(text, size) if end is None else _plain_blocks(raw, start, end, size)


def _plain_blocks(log: BinaryIO, start: int, end: int, size: int) -> Iterator[bytes]:
    log.seek(start)
    while start < end and (found := log.read(min(size, end - start))):
        if not found.endswith(b"\n"):
            found += log.readline()
        start += len(found)
        yield found


def _packed_blocks(text: BinaryIO, size: int) -> Iterator[bytes]:
    """Line by line, as `lines` reads: so both see the same of a damaged log."""
    found, length = [], 0
    try:
        for line in text:
            found.append(line)
            length += len(line)
            if length >= size:
                yield b"".join(found)
                found, length = [], 0
    except (*_DAMAGE, OSError):
        if found:
            yield b"".join(found)
        raise
    if found:
        yield b"".join(found)


_DAMAGE: Final = (EOFError, zlib.error, gzip.BadGzipFile, zstandard.ZstdError)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise DamagedLog(f"{path}: expected a whole compressed log, found: {error}") from None
    except OSError as error:
        raise UnreadableLog(f"{path}: expected a readable log, found: {error.strerror or error}") from None


def _unpacked(path: Path, raw: BinaryIO) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast("BinaryIO", gzip.open(raw))
        case ".zst":
            return cast("BinaryIO", io.BufferedReader(_Zstandard(raw)))
        case _:
            return raw


class _Zstandard(io.RawIOBase):
    """What Zstandard frames, one after another, unpack to. Raises: ZstdError; EOFError, where the last one is cut off."""

    def __init__(self, raw: BinaryIO) -> None:
        self._chunks: Final = self._unpacked(raw)
        self._left = memoryview(b"")

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Some bytes; none at the end."""
        while not self._left and (chunk := next(self._chunks, None)) is not None:
            self._left = memoryview(chunk)
        into = memoryview(buffer)
        count = min(len(into), len(self._left))
        into[:count], self._left = self._left[:count], self._left[count:]
        return count

    @staticmethod
    def _unpacked(raw: BinaryIO) -> Iterator[bytes]:
        frame = None
        while packed := raw.read(_PACKED):
            while packed:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(packed)
                packed = frame.unused_data
                frame = None if frame.eof else frame
        if frame is not None:
            raise EOFError("it ends within a frame")


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A name to write a file under, which becomes `path` when it is whole, and is nothing where it did not get there."""
    partial = path.with_name(f"{path.name}.partial")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def write_lines(path: Path, kind: Kind, found: Iterable[bytes]) -> None:
    """Write a JSON log, each line without its end, in constant memory."""
    with path.open("wb") as raw, _packing(kind, raw) as out:
        for line in found:
            out.write(line + b"\n")


def _packing(kind: Kind, raw: BinaryIO) -> BinaryIO:
    match kind:
        case Kind.gzip:
            # No name and no time of day in the file: the same rounds are the same bytes.
            return cast("BinaryIO", gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0))
        case Kind.zstd:
            return cast(
                "BinaryIO", zstandard.ZstdCompressor(level=9, write_checksum=True).stream_writer(raw, closefd=False)
            )
        case _:
            return raw
