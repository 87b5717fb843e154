"""Rounds in Parquet: one row a round, nothing lost. A regular round is columns; any other keeps its line as it stood.

docs/bulk.md says what each column holds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from dealer_assist.application.columns import (
    ABSENT,
    ACTIONS,
    CODES,
    EMPTY,
    MOST_CARDS,
    NETS,
    NO_CARD,
    STAKES,
    Rounds,
    Terms,
)
from dealer_assist.application.records import FORMAT
from dealer_assist.game.dealing import SEATS
from dealer_assist.game.money import Money, format_amount
from dealer_assist.storage.pages import TERMS, Coded, Days, Ints, Label, Page, parsed_day, terms_from
from dealer_assist.storage.rows import NOBODY_RECORDED, AnyRecord, Rows, is_record, known_record
from dealer_assist.storage.shoe_logs import DamagedLog, UnreadableLog

VERSION: Final = "round-columns/1"
"""Goes up when a column's meaning changes; it stands in the file's metadata under `dealer_assist.format`."""

_VERSION_KEY: Final = b"dealer_assist.format"
_ROW_GROUP: Final = 100_000
_AT_ONCE: Final = 10_000

_TEXTS: Final = ("id", *TERMS, "table", "dealer", "time", "deck")
_STAKES: Final = tuple((f"seat{seat}_{bet}", seat - 1, at) for seat in SEATS for at, bet in enumerate(STAKES))
_NETS: Final = tuple((f"seat{seat}_net_{bet}", seat - 1, at) for seat in SEATS for at, bet in enumerate(NETS))
_ACTIONS: Final = tuple(f"seat{seat}_action" for seat in SEATS)
_REPEATED: Final = (*TERMS, "table", "dealer", "deck", *_ACTIONS)
"""Few values, many rows."""

SCHEMA: Final = pa.schema(
    [
        *((name, pa.string()) for name in _TEXTS),
        ("digits", pa.uint8()),
        ("cards", pa.binary()),
        *((name, pa.string()) for name in _ACTIONS),
        *((name, pa.int64()) for name, _, _ in _STAKES),
        ("meter", pa.int64()),
        ("recorded_seats", pa.uint8()),
        *((name, pa.int64()) for name, _, _ in _NETS),
        ("rest", pa.string()),
        ("line", pa.binary()),
    ],
    {_VERSION_KEY: VERSION.encode()},
)
_FIELDS: Final = frozenset((*_TEXTS, "format", "cards", "seats", "meter", "recorded"))
"""The fields of a record that have columns."""

_DECIDING: Final = frozenset(("void", "burned", "rulings"))
"""Fields without a column that decide what a round comes to."""

_NUMBERS: Final = {name: number for number, name in enumerate(ACTIONS) if name} | {None: EMPTY}
_NO_ACTION: Final = 255
_NO_DIGITS: Final = 255
_CODES: Final = (*CODES, *(f"#{number}" for number in range(len(CODES), 256)))
"""By number; what is no card's number is seen to be none."""


# --- lines to columns --------------------------------------------------------------------------------------------------


class _Names(msgspec.Struct):
    """What is worth asking a file for, of rounds that keep their line."""

    id: str | None = None
    profile: str | None = None
    table: str | None = None
    dealer: str | None = None
    time: str | None = None


_names: Final = msgspec.json.Decoder(_Names).decode
_fields: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def write(path: Path, lines: Iterable[bytes]) -> None:
    """Write lines of records, in constant memory."""
    source = iter(lines)
    write_rows(path, map(pa.concat_tables, iter(lambda: list(_tables(source)), [])))


def write_rows(path: Path, tables: Iterable[pa.Table], level: int = 9) -> None:
    """Write tables of `SCHEMA`, each as it comes; `level`: of the compression."""
    steady = {"id": "DELTA_BYTE_ARRAY", "time": "DELTA_BYTE_ARRAY", "meter": "DELTA_BINARY_PACKED"}
    with pq.ParquetWriter(
        path,
        SCHEMA,
        compression="zstd",
        compression_level=level,
        use_dictionary=list(_REPEATED),
        column_encoding=steady,
        write_page_checksum=True,
    ) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=_ROW_GROUP)


def _tables(lines: Iterator[bytes]) -> Iterator[pa.Table]:
    """The tables of one row group."""
    for _ in range(0, _ROW_GROUP, _AT_ONCE):
        if found := list(islice(lines, _AT_ONCE)):
            yield table_of(found)


def table_of(lines: Sequence[bytes]) -> pa.Table:
    """A row for each line, blank ones too; the ends of lines are left out."""
    rows, others, records, rests = Rows(), [], {}, {}
    for place, line in enumerate(lines):
        record, rest = _lossless(line)
        if record is not None and rows.take(place, record):
            records[place], rests[place] = record, rest
        else:
            others.append(place)
    page = rows.page(others, lines.__getitem__)
    places = page.places.tolist()
    regular = _regular(page, [records[place] for place in places], [rests[place] for place in places])
    if not page.others:
        return regular
    kept = pa.Table.from_pylist([_kept(lines[place]) for place in page.others], SCHEMA)
    return pa.concat_tables([regular, kept]).take(np.argsort(np.array([*places, *page.others])))


def _lossless(line: bytes) -> tuple[AnyRecord | None, str | None]:
    """The record on a line that columns can give back, and the JSON of the fields that have none; None where they can't."""
    rest = None
    try:
        try:
            record = known_record(line)
        except msgspec.ValidationError:
            fields = _fields(line)
            if not fields.keys().isdisjoint(_DECIDING) or not is_record(line):
                return None, None
            rest = msgspec.json.encode({name: fields.pop(name) for name in fields.keys() - _FIELDS}).decode()
            line = msgspec.json.encode(fields)
            record = known_record(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, None
    # Columns do not tell a null from a field that is not there, nor an empty `recorded` from none.
    told_apart = b"null" not in line and record.recorded != NOBODY_RECORDED
    return (record, rest) if told_apart else (None, None)


def _kept(line: bytes) -> dict[str, object]:
    """The row of a line that is kept as it stood."""
    row: dict[str, object] = {"line": line.removesuffix(b"\n")}
    try:
        return row | msgspec.structs.asdict(_names(line))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return row


def _regular(page: Page, records: Sequence[AnyRecord], rests: Sequence[str | None]) -> pa.Table:
    digits = np.array([terms.digits for terms in page.terms if terms is not None], np.uint8)
    texts: dict[str, Any] = {name: [getattr(record, name) for record in records] for name in _TEXTS}
    texts["max_payout"] = [found and msgspec.json.encode(found).decode() for found in texts["max_payout"]]
    return rows_of(page.rounds, {**texts, "digits": digits[page.terms_of], "rest": rests})


def rows_of(rounds: Rounds, others: Mapping[str, Any]) -> pa.Table:
    """A row for each of n rounds. `others` [n]: the columns by name that are no facts of `Rounds`; null where left out."""
    count = len(rounds.cards)
    ends = np.concatenate([[0], np.cumsum(rounds.drawn, dtype=np.int32)]).astype(np.int32)
    cards = pa.py_buffer(rounds.cards[np.arange(MOST_CARDS) < rounds.drawn[:, None]])
    columns = {
        "cards": pa.Array.from_buffers(pa.binary(), count, [None, pa.py_buffer(ends), cards]),
        "meter": _amounts(rounds.meter),
        "recorded_seats": rounds.recorded_seats,
        **others,
    }
    for seat, name in enumerate(_ACTIONS):
        taken = rounds.actions[:, seat]
        numbers = pa.array(taken, mask=taken == EMPTY)
        columns[name] = pa.DictionaryArray.from_arrays(numbers, list(ACTIONS)).cast(pa.string())
    for names, amounts in ((_STAKES, rounds.stakes), (_NETS, rounds.recorded)):
        # One column after the other in memory, as Parquet wants them.
        flat = np.ascontiguousarray(amounts.reshape(count, len(names)).T)
        columns |= {name: _amounts(column) for (name, _, _), column in zip(names, flat, strict=True)}
    return pa.table([columns.get(field.name, pa.nulls(count, field.type)) for field in SCHEMA], SCHEMA)


def _amounts(column: Ints) -> pa.Array:
    stated = column != ABSENT
    bits = None if stated.all() else pa.py_buffer(np.packbits(stated, bitorder="little"))
    return pa.Array.from_buffers(pa.int64(), len(column), [bits, pa.py_buffer(np.ascontiguousarray(column))])


# --- columns to pages, and to lines --------------------------------------------------------------------------------------


class RowGroups:
    """A Parquet file of rounds, opened to be read. Raises: UnreadableLog, DamagedLog."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.open("rb").close()
        except OSError as error:
            raise UnreadableLog(f"{path}: expected a readable log, found: {error.strerror}") from None
        with _told(path):
            metadata = pq.read_metadata(path)
            found = (metadata.metadata or {}).get(_VERSION_KEY, b"none").decode(errors="replace")
            if found != VERSION or not metadata.schema.to_arrow_schema().equals(SCHEMA):
                raise DamagedLog(f'{path}: expected Parquet of rounds of version "{VERSION}", found version "{found}"')
            self._file = pq.ParquetFile(
                path, read_dictionary=list(_REPEATED), pre_buffer=False, page_checksum_verification=True
            )
        self.rows = [self._file.metadata.row_group(at).num_rows for at in range(self._file.num_row_groups)]

    def tables(self, start: int, end: int, size: int) -> Iterator[pa.RecordBatch]:
        """Rows of the row groups `start` to `end`, about `size` at a time. Raises: DamagedLog."""
        with _told(self._path):
            yield from self._file.iter_batches(size, range(start, end), use_threads=False)

    def lines(self) -> Iterator[bytes]:
        """Every row as the line of its record. Raises: DamagedLog."""
        for batch in self.tables(0, len(self.rows), _AT_ONCE):
            yield from lines_of(batch)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every row as the line of its record, with its number. Raises: UnreadableLog, DamagedLog."""
    groups = RowGroups(path)
    try:
        yield from enumerate(groups.lines(), 1)
    finally:
        groups.close()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError) as error:
        raise DamagedLog(f"{path}: expected whole Parquet, found: {str(error).splitlines()[0]}") from None


def _coded(column: pa.Array) -> Coded:
    known = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    values = known.dictionary.to_pylist()
    return Coded(known.indices.fill_null(len(values)).to_numpy().astype(np.int64), [*values, None])


def page_of(batch: pa.RecordBatch) -> Page:
    """The page of some rows. Rows that keep their line are among its `others`."""
    lengths = pc.binary_length(batch["cards"]).fill_null(0).to_numpy()
    has_columns = pc.is_null(batch["line"]).to_numpy(zero_copy_only=False) & (lengths <= MOST_CARDS)
    places = np.flatnonzero(has_columns)
    rows = batch if len(places) == len(batch) else batch.take(places)
    terms, terms_of = _terms(rows)
    labels, labels_of = _labels(rows)
    return Page(
        places=places,
        rounds=_rounds(rows),
        terms=terms,
        terms_of=terms_of,
        labels=labels,
        labels_of=labels_of,
        others=np.flatnonzero(~has_columns).tolist(),
        line_at=lambda place: next(lines_of(batch.slice(place, 1))) + b"\n",
    )


def _rounds(rows: pa.RecordBatch) -> Rounds:
    count = len(rows)
    stakes, recorded = np.empty((count, 4, 3), np.int64), np.empty((count, 4, 4), np.int64)
    actions = np.empty((count, 4), np.uint8)
    for name, seat, bet in _STAKES:
        stakes[:, seat, bet] = rows[name].fill_null(ABSENT).to_numpy()
    for name, seat, bet in _NETS:
        recorded[:, seat, bet] = rows[name].fill_null(ABSENT).to_numpy()
    for seat, name in enumerate(_ACTIONS):
        taken = _coded(rows[name])
        actions[:, seat] = np.array([_NUMBERS.get(value, _NO_ACTION) for value in taken.values], np.uint8)[
            taken.numbers
        ]
    cards, drawn = _cards(rows["cards"])
    meter = rows["meter"].fill_null(ABSENT).to_numpy()
    return Rounds(cards, drawn, actions, stakes, meter, recorded, rows["recorded_seats"].fill_null(0).to_numpy())


def _cards(column: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    _, offsets, values = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    drawn = np.diff(ends)
    cards = np.full((len(column), MOST_CARDS), NO_CARD, np.uint8)
    cards[np.arange(MOST_CARDS) < drawn[:, None]] = np.frombuffer(values or b"", np.uint8)[ends[0] : ends[-1]]
    return cards, drawn.astype(np.uint8)


def _terms(rows: pa.RecordBatch) -> tuple[list[Terms | None], Ints]:
    digits = Coded(rows["digits"].fill_null(_NO_DIGITS).to_numpy().astype(np.int64), range(256))
    found, terms_of = _different([*(_coded(rows[name]) for name in TERMS), digits])
    return [_terms_from(*values) for values in found], terms_of


def _terms_from(*values: Any) -> Terms | None:
    *fields, cap, digits = values
    try:
        return terms_from([*fields, cap and msgspec.json.decode(cap)], digits)
    except msgspec.DecodeError:
        return None


def _labels(rows: pa.RecordBatch) -> tuple[list[Label], Ints]:
    found, labels_of = _different([_coded(rows["table"]), _coded(rows["dealer"]), _days(rows)])
    return [Label(*values) for values in found], labels_of


def _days(rows: pa.RecordBatch) -> Coded:
    """The day of each row, as `pages.Days` gives it; almost every time is UTC and says so, and is not looked at further."""
    times, days = rows["time"], Days()
    plain = pc.and_(pc.ends_with(times, "Z"), pc.equal(pc.utf8_slice_codeunits(times, 10, 11), "T"))
    dates = _coded(pc.if_else(plain, pc.utf8_slice_codeunits(times, 0, 10), None))
    values = [date and parsed_day(date) for date in dates.values]
    if None not in values:
        return Coded(dates.numbers, values)
    numbers = dates.numbers.copy()
    for row in np.flatnonzero(np.array([value is None for value in values])[numbers]).tolist():
        values.append(days.of(times[row].as_py(), rows["id"][row].as_py() or ""))
        numbers[row] = len(values) - 1
    return Coded(numbers, values)


def _different(columns: Sequence[Coded]) -> tuple[list[tuple[Any, ...]], Ints]:
    """The rows that are not alike, and which of them each row is, [n]."""
    key = np.zeros(len(columns[0].numbers), np.int64)
    for column in columns:
        if len(column.values) > 1:
            key = np.unique(key * len(column.values) + column.numbers, return_inverse=True)[1]
    _, first, numbers = np.unique(key, return_index=True, return_inverse=True)
    return [tuple(column.values[column.numbers[row]] for column in columns) for row in first], numbers


def lines_of(batch: pa.RecordBatch) -> Iterator[bytes]:
    """Each row as the line of its record, without the line's end."""
    columns = {name: column.to_pylist() for name, column in zip(batch.schema.names, batch.columns, strict=True)}
    for at, line in enumerate(columns["line"]):
        yield _line({name: column[at] for name, column in columns.items()}) if line is None else line


def _line(row: Mapping[str, Any]) -> bytes:
    """The line of a row that keeps none."""
    digits, recorded_seats = row["digits"] or 0, row["recorded_seats"] or 0

    def amounts(prefix: str, bets: Sequence[str]) -> dict[str, str]:
        found = {bet: row[prefix + bet] for bet in bets}
        return {bet: format_amount(Money(amount), digits) for bet, amount in found.items() if amount is not None}

    seats = {str(seat): {"action": row[f"seat{seat}_action"], **amounts(f"seat{seat}_", STAKES)} for seat in SEATS}
    recorded = {str(seat): amounts(f"seat{seat}_net_", NETS) for seat in SEATS if recorded_seats >> (seat - 1) & 1}
    record = {
        "format": FORMAT,
        **{name: row[name] for name in _TEXTS if row[name] is not None},
        "cards": [_CODES[number] for number in row["cards"] or b""],
        "seats": {seat: bets for seat, bets in seats.items() if bets["action"] is not None},
        **({"recorded": recorded} if recorded else {}),
    }
    if row["max_payout"] is not None:
        record["max_payout"] = msgspec.Raw(row["max_payout"].encode())
    if row["meter"] is not None:
        record["meter"] = format_amount(Money(row["meter"]), digits)
    line = msgspec.json.encode(record)
    return line if row["rest"] is None else line[:-1] + b"," + row["rest"].encode()[1:]
