"""Strategies: lines of logs as they should be, and as they should not."""

import json
from copy import deepcopy
from typing import Any, Final

from hypothesis import strategies as st

from tests.bulk.logs import LOGS, lines_of

LINES: Final = [line for log in LOGS for line in lines_of(log)]
_VALUES: Final[list[Any]] = [
    None, "", "x", "0.00", "-0.00", "1.00", "01.00", "1.0", "+1.00", "1", "1.000", "999999999999999.99", "1e2", "١.00",
    0, 1.5, True, [], {}, ["As"], ["As", "Ks"], {"1": {"ante": "1.00", "action": "raise"}}, {"5": {"ante": "1.00"}},
    {"1": {}}, {"1": None}, "raise", "call", "timeout", "single", "packet", "first", "last", "lost", "ante", "currency",
    "round/1", "round/2", "four-seat-fi", "nobody", "strict", "2026-11-30T23:59:59+05:00", "2026-99-99T00:00:00Z", "café",
    "quo\"te", "back\\slash", "line\nbreak", {"amount": "25.00", "bets": ["raise"]}, {"amount": "x"}, [{"row": 1}], [0],
]  # fmt: skip
_FIELDS: Final = [
    "format", "id", "profile", "cards", "seats", "deal", "reading", "upcard", "side_bets_after_fold", "unit", "meter",
    "max_payout", "recorded", "table", "dealer", "time", "deck", "void", "burned", "rulings", "house_decides", "unverified",
    "camera", "ante", "action", "bonus", "jackpot", "raise",
]  # fmt: skip


def _objects(found: Any) -> list[dict[str, Any]]:
    """An object and all that lie in it."""
    if not isinstance(found, dict):
        return []
    return [found, *(inner for value in found.values() for inner in _objects(value))]


@st.composite
def _changed(draw: st.DrawFn) -> bytes:
    """A record with a few of its fields otherwise, left out, or added, at any depth; written in one of some manners."""
    try:
        record = json.loads(draw(st.sampled_from(LINES)))
    except ValueError:
        record = {}
    for _ in range(draw(st.integers(0, 3))):
        objects = _objects(record)
        if not objects:
            break
        where = draw(st.sampled_from(objects))
        name = draw(st.sampled_from([*where, *_FIELDS]))
        if draw(st.booleans()):
            where[name] = deepcopy(draw(st.sampled_from(_VALUES)))
        else:
            where.pop(name, None)
    manner = draw(st.sampled_from([None, (",", ":"), (", ", " : ")]))
    ascii_only = draw(st.booleans())
    return json.dumps(record, separators=manner, ensure_ascii=ascii_only).encode() + draw(
        st.sampled_from([b"\n", b" \n", b"\r\n"])
    )


@st.composite
def _hit(draw: st.DrawFn) -> bytes:
    """A line in which some bytes are others, missing, or doubled."""
    line = bytearray(draw(st.sampled_from(LINES)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(line) - 2))
        match draw(st.integers(0, 2)):
            case 0:
                line[at] = draw(st.sampled_from(b'"{}[],: 0123456789.-AKs\\\x00\xff'))
            case 1:
                del line[at]
            case _:
                line.insert(at, line[at])
    return bytes(line).replace(b"\n", b"") + b"\n"


def lines() -> st.SearchStrategy[bytes]:
    """A line of a log, whole or spoilt."""
    return st.one_of(st.sampled_from(LINES), _changed(), _hit(), st.sampled_from([b"\n", b" \n", b"null\n", b"7\n"]))
