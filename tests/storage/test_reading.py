"""Lines to columns: what the compiled reader takes is what a JSON parser makes of it, and the live engine would say the same."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.storage.pages import Page
from dealer_assist.storage.reading import page_of
from dealer_assist.storage.rows import page_of_records
from tests.bulk.damage import lines
from tests.bulk.logs import LOGS, lines_of, many_rounds, written


def contents(page: Page) -> dict[int, Any]:
    """What a page tells of each line, by its place; of those it leaves to others, nothing."""
    told: dict[int, Any] = dict.fromkeys(page.others)
    for row, place in enumerate(page.places.tolist()):
        facts = tuple(column[row].tolist() for column in page.rounds)
        told[place] = (facts, page.terms[page.terms_of[row]], page.labels[page.labels_of[row]])
    return told


def by_parser(block: bytes) -> dict[int, Any]:
    found = (
        block.splitlines(keepends=True) if b"\r" not in block else block.replace(b"\r", b" ").splitlines(keepends=True)
    )
    return contents(page_of_records(enumerate(found), found.__getitem__))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_reads_the_same_compiled_and_parsed(path: Any) -> None:
    block = b"".join(lines_of(path))
    assert contents(page_of(block)) == by_parser(block)


def test_every_golden_round_is_taken_by_the_compiled_reader() -> None:
    from dealer_assist.storage import scanning  # noqa: PLC0415

    block = written(many_rounds(1000))
    text = np.frombuffer(block, np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(text == ord("\n"))[:-1] + 1])
    taken = scanning.scan(text, starts)[:, scanning.TAKEN]
    void = [b'"void"' in line for line in block.splitlines()]
    assert (taken == 1).tolist() == [not each for each in void]


@given(st.lists(lines(), min_size=1, max_size=8))
def test_spoilt_lines_read_the_same_compiled_and_parsed(found: list[bytes]) -> None:
    block = b"".join(found)
    assert contents(page_of(block)) == by_parser(block)


@given(st.lists(lines(), min_size=1, max_size=8), st.integers(1, 5))
def test_a_line_is_given_back_as_it_stood(found: list[bytes], cut: int) -> None:
    block = b"".join(found)[:-cut]
    expected = block.split(b"\n")
    page = page_of(block)
    for place in [*page.places.tolist(), *page.others]:
        assert page.line_at(place).removesuffix(b"\n") == expected[place]


def test_a_block_of_nothing_is_a_page_of_nothing() -> None:
    for block in (b"", b"\n", b"\n\n \n"):
        assert contents(page_of(block)) == {}
