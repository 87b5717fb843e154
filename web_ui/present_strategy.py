"""Optimal play as a table: own hands by the dealer's upcard, with what the rules as they stand would have played."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final

from web_ui.format import number, percent
from web_ui.language import gettext
from web_ui.words import RANK_NAMES

SIGNS: Final = {"raise": "●", "mixed": "◐", "fold": "○", "none": "–"}


@dataclass(frozen=True)
class Play:
    """One hand against one upcard. `kind`: a key of `SIGNS`; `moved`: the rules as they stand play it otherwise."""

    kind: str
    gain: str
    share: str
    moved: bool

    @property
    def sign(self) -> str:
        """The mark that stands in the table."""
        return SIGNS[self.kind]


@dataclass(frozen=True)
class Hands:
    """A row: hands that are played alike, and their share of all hands."""

    name: str
    frequency: str
    plays: tuple[Play, ...]


@dataclass(frozen=True)
class Strategy:
    """The table. `upcards`: each column's letter and spoken name."""

    upcards: tuple[tuple[str, str], ...]
    rows: tuple[Hands, ...]


def strategy(grid: dict[str, Any], stated: dict[str, Any]) -> Strategy:
    """The table of a grid as an audit tells it, beside the one before."""
    upcards = tuple((rank, gettext(RANK_NAMES[rank][0])) for rank in grid["upcards"])
    before = _Before(stated)
    return Strategy(upcards, tuple(_hands(row, before) for row in grid["rows"]))


def _hands(row: dict[str, Any], before: "_Before") -> Hands:
    plays = (
        Play(
            kind=(kind := _kind(cell)),
            gain="" if cell["gain"] is None else number(cell["gain"], signed=True),
            share=percent(cell["raised"], 2) if kind == "mixed" else "",
            moved=before.differs(row, column, kind),
        )
        for column, cell in enumerate(row["cells"])
    )
    return Hands(row["label"], percent(row["frequency"], 4), tuple(plays))


def _kind(cell: dict[str, Any]) -> str:
    if not cell["cases"]:
        return "none"
    if not cell["raised_cases"]:
        return "fold"
    return "raise" if cell["raised_cases"] == cell["cases"] else "mixed"


class _Before:
    """How the rules as they stand play any run of hands."""

    def __init__(self, grid: dict[str, Any]) -> None:
        self._rows = grid["rows"]
        self._worst = [row["worst"] for row in self._rows]

    def differs(self, row: dict[str, Any], column: int, kind: str) -> bool:
        """Whether any of a row's hands was played otherwise against an upcard."""
        if kind == "none":
            return False
        first = bisect_left(self._worst, row["best"])
        after = bisect_left(self._worst, row["worst"]) + 1
        before = {_kind(each["cells"][column]) for each in self._rows[first:after]} - {"none"}
        return bool(before - {kind})
