"""A block of a shoe log's lines to a page: by the compiled reader where it can, record by record where it can't."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.application.columns import MOST_CARDS
from dealer_assist.storage.pages import TERMS, Coded, Ints, Label, Page, Read, joined, page_from, parsed_day
from dealer_assist.storage.rows import page_of_records
from dealer_assist.storage.scanning import CARDS, CELL, DRAWN, FIELDS, METER, SPANS, TAKEN, TEXTS, different, scan

_TABLE, _DEALER, _TIME, _ID = (FIELDS.index(name) for name in ("table", "dealer", "time", "id"))
_NEWLINE: Final = ord("\n")
_DATE: Final = len("2026-11-30")


def page_of(block: bytes) -> Page:
    """The page of whole lines, for settling: fields that decide nothing may be any."""
    text = np.frombuffer(block if block.endswith(b"\n") else block + b"\n", np.uint8)
    ends = np.flatnonzero(text == _NEWLINE) + 1
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])

    def line_at(place: int) -> bytes:
        return block[starts[place] : ends[place]]

    found = scan(text, starts)
    spans = found[:, SPANS:TAKEN].reshape(-1, TEXTS, 2)
    taken = found[:, TAKEN].astype(bool)
    labels, labels_of = _labels(block, text, spans, taken)
    places = np.flatnonzero(taken)
    read = Read(
        places=places,
        cells=found[places, :METER].reshape(-1, 4, CELL),
        meters=found[places, METER],
        cards=found[places, CARDS : CARDS + MOST_CARDS].astype(np.uint8),
        drawn=found[places, DRAWN],
    )
    firsts, terms_of = different(text, spans[places, : len(TERMS)])
    terms = [_texts(block, spans[place, : len(TERMS)]) for place in places[firsts]]
    page = page_from(read, Coded(terms_of, terms), Coded(labels_of, labels), (), line_at)
    if taken.all():
        return page
    rest = np.flatnonzero(~taken).tolist()
    return joined(page, page_of_records(((place, line_at(place)) for place in rest), line_at))


def _labels(block: bytes, text: NDArray[np.uint8], spans: Ints, taken: NDArray[np.bool_]) -> tuple[list[Label], Ints]:
    """The labels of the lines taken, and which of them each has. Not taken any more are those whose time is not plain UTC."""
    times, ids = spans[:, _TIME], spans[:, _ID]
    timed = times[:, 0] > 0
    behind_date = text[np.minimum(times[:, 0] + _DATE, len(text) - 1)]
    plain = (behind_date == ord("T")) & (text[times[:, 1] - 1] == ord("Z")) & (times[:, 1] - times[:, 0] > _DATE)
    taken &= plain | ~timed
    dates = np.where(timed[:, None], times, ids)
    dates[:, 1] = np.minimum(dates[:, 1], dates[:, 0] + _DATE)
    # An empty text, at 1 where there is a time, keeps apart dates of times and of ids.
    which = np.where(timed[:, None], [[1, 1]], [[0, 0]])
    whose = np.stack([spans[:, _TABLE], spans[:, _DEALER], dates, which], axis=1)
    rows = np.flatnonzero(taken)
    firsts, labels_of = different(text, whose[rows])
    found = [_texts(block, whose[row, :3]) for row in rows[firsts]]
    labels = [Label(table, dealer, date and parsed_day(date)) for table, dealer, date in found]
    told = np.array([label.day is not None for label in labels], np.bool_) | ~timed[rows[firsts]]
    taken[rows[~told[labels_of]]] = False
    return labels, labels_of[told[labels_of]]


def _texts(block: bytes, spans: Ints) -> list[str | None]:
    """What stands in spans [k, 2]; None where there is none."""
    return [block[start:end].decode() if start else None for start, end in spans.tolist()]
