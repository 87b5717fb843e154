"""Rounds in Parquet: every line comes back, what is regular is columns that anybody can read, and damage is told."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.storage import parquet
from dealer_assist.storage.parquet import RowGroups, lines_of, table_of
from dealer_assist.storage.parquet import page_of as page_of_rows
from dealer_assist.storage.reading import page_of
from dealer_assist.storage.shoe_logs import DamagedLog, UnreadableLog
from tests.bulk import logs
from tests.bulk.damage import lines
from tests.bulk.logs import LOGS, golden_rounds, many_rounds, written
from tests.storage.test_reading import contents


def as_json(line: bytes) -> object:
    """What a line says, told apart as JSON tells it apart; of one that can't be read, its bytes."""
    try:
        return json.loads(line, parse_int=lambda digits: ("int", digits), parse_float=lambda digits: ("float", digits))
    except ValueError:
        return line.removesuffix(b"\n")


def given_back(found: Iterable[bytes]) -> list[bytes]:
    [batch] = table_of(list(found)).combine_chunks().to_batches()
    return list(lines_of(batch))


def kept_lines(found: Iterable[bytes]) -> list[bool]:
    """Of each line, whether it is kept as it stood."""
    return [line is not None for line in table_of(list(found))["line"].to_pylist()]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_line_of_a_log_comes_back(path: Path, tmp_path: Path) -> None:
    found = logs.lines_of(path)
    parquet.write(tmp_path / "log.parquet", found)
    back = list(RowGroups(tmp_path / "log.parquet").lines())
    assert [as_json(line) for line in back] == [as_json(line) for line in found]


@given(st.lists(lines(), min_size=1, max_size=8))
def test_every_spoilt_line_comes_back(found: list[bytes]) -> None:
    assert [as_json(line) for line in given_back(found)] == [as_json(line) for line in found]


def test_a_round_that_was_played_to_its_end_is_columns_alone() -> None:
    rounds = [each for each in golden_rounds() if "void" not in each]
    assert not any(kept_lines([written([each]) for each in rounds]))


PLAIN: Final[dict[str, Any]] = next(each for each in golden_rounds() if "meter" in each)


@pytest.mark.parametrize(
    "changes",
    [
        {"void": "shoe jam"},
        {"void": None},
        {"burned": []},
        {"rulings": []},
        {"recorded": {}},
        {"recorded": None},
        {"table": None},
        {"unit": None},
        {"house_decides": ""},
        {"unverified": "yes"},
        {"meter": "-0.00"},
        {"meter": "100"},
        {"cards": [*PLAIN["cards"][:-1], "??"]},
        {"cards": PLAIN["cards"][:-1]},
        {"seats": {"1": {"ante": "10.00", "action": "raise", "player": "A."}}},
        {"seats": {"1": {"ante": "10.00", "action": "raise", "unit": "currency"}}},
        {"seats": {"1": {"ante": "10.00"}}},
        {"max_payout": {"amount": "25.00", "note": 1}},
    ],
    ids=str,
)
def test_a_round_that_columns_could_not_give_back_keeps_its_line(changes: dict[str, Any]) -> None:
    line = written([{**PLAIN, **changes}])
    assert kept_lines([line]) == [True]
    assert given_back([line]) == [line.removesuffix(b"\n")]


@pytest.mark.parametrize(
    "changes",
    [
        {"camera": {"left": 3, "right": [1.0, 1, None]}},
        {"unverified": True},
        {"house_decides": []},
        {"reading": "literal", "upcard": "last", "side_bets_after_fold": "lost", "deck": "blue", "unit": "ante"},
        {"max_payout": "25.00"},
        {"max_payout": {"amount": "25.00", "per": "round", "bets": ["raise"]}},
        {"id": 'a "round" of\nmany cafés ☃'},
        {"profile": "nobody"},
        {
            "seats": {"2": {"ante": "999999999999999.99", "action": "timeout", "bonus": "0.00"}},
            "cards": PLAIN["cards"][:10],
        },
        {"recorded": {"1": {}, "4": {"jackpot": "-0.50"}}},
    ],
    ids=str,
)
def test_a_round_with_anything_that_has_a_column_or_decides_nothing_is_columns(changes: dict[str, Any]) -> None:
    line = written([{**PLAIN, **changes}])
    assert kept_lines([line]) == [False]
    assert [as_json(back) for back in given_back([line])] == [as_json(line)]


@given(st.lists(lines(), min_size=1, max_size=8))
def test_rows_hold_the_facts_of_their_lines(found: list[bytes]) -> None:
    block = b"".join(found)
    [batch] = table_of(found).combine_chunks().to_batches()
    by_row, by_line = contents(page_of_rows(batch)), contents(page_of(block))
    for place, facts in by_row.items():
        assert facts is None or facts == by_line[place]


def test_the_columns_say_what_the_book_says(tmp_path: Path) -> None:
    """docs/bulk.md: a reader that knows nothing of us finds cards by number, and amounts in minor units."""
    path = tmp_path / "log.parquet"
    parquet.write(path, [written([PLAIN])])
    [row] = pq.read_table(path).to_pylist()
    codes = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    assert [codes[number] for number in row["cards"]] == PLAIN["cards"]
    for seat, bets in PLAIN["seats"].items():
        assert row[f"seat{seat}_action"] == bets["action"]
        assert row[f"seat{seat}_ante"] == round(float(bets["ante"]) * 10 ** row["digits"])
        for bet, net in PLAIN["recorded"][seat].items():
            assert row[f"seat{seat}_net_{bet}"] == round(float(net) * 10 ** row["digits"])
    assert row["recorded_seats"] == sum(1 << (int(seat) - 1) for seat in PLAIN["recorded"])
    assert pq.read_schema(path).metadata[b"dealer_assist.format"] == parquet.VERSION.encode()


def test_row_groups_hold_a_hundred_thousand_rounds_at_most(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    line = written([PLAIN])
    parquet.write(path, (line for _ in range(100_001)))
    assert RowGroups(path).rows == [100_000, 1]


def test_a_log_of_no_rounds_is_parquet_too(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    parquet.write(path, [])
    assert list(RowGroups(path).lines()) == []


# --- what is no such file ----------------------------------------------------------------------------------------------------


def test_a_file_that_is_none_or_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with pytest.raises(UnreadableLog, match="No such file"):
        RowGroups(path)
    parquet.write(path, [written(many_rounds(500))])
    whole = path.read_bytes()
    for kept in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:kept])
        with pytest.raises(DamagedLog, match="expected whole Parquet"):
            RowGroups(path)


def test_a_byte_that_has_changed_is_never_read_as_another_round(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    found = written(many_rounds(300)).splitlines()
    parquet.write(path, found)
    whole = path.read_bytes()
    right = [as_json(line) for line in found]
    told = 0
    for at in range(4, len(whole) - 8, len(whole) // 60):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            read = [as_json(line) for line in RowGroups(path).lines()]
        except DamagedLog:
            told += 1
        else:
            assert read == right
    assert told > 30


def test_parquet_of_something_else_is_told(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(
        DamagedLog, match='expected Parquet of rounds of version "round-columns/1", found version "none"'
    ):
        RowGroups(path)
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata(parquet.SCHEMA.metadata), path)
    with pytest.raises(DamagedLog, match="expected Parquet of rounds"):
        RowGroups(path)


def test_rows_that_no_writer_of_ours_wrote_are_faults_and_no_crash() -> None:
    row = table_of([written([PLAIN])]).to_pylist()[0]
    strange: dict[Any, list[Any]] = {pa.int64(): [None, -5], pa.uint8(): [None, 77], pa.string(): [None, "x"]}
    for field in parquet.SCHEMA:
        for value in strange.get(field.type, [None, b"\xff" * 30]):
            [batch] = pa.Table.from_pylist([{**row, field.name: value}], parquet.SCHEMA).to_batches()
            page = page_of_rows(batch)
            for place in [*page.places.tolist(), *page.others]:
                assert page.line_at(place).endswith(b"\n")
