"""Tables of the laboratory's figures: lines of cells, each with what it was before the edits."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

Told = dict[str, Any]
"""An audit, or a part of it, as `rules audit --json` writes it."""


@dataclass(frozen=True)
class Cell:
    """One figure. `note`: the fraction that it is; `was`: what it was before the edits, empty where it is the same."""

    text: str
    note: str = ""
    was: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Row:
    """A line of a table; `main`: the one to look at first."""

    name: str
    cells: tuple[Cell, ...]
    main: bool = False


@dataclass(frozen=True)
class Table:
    """A table of figures. `about`: what is to know beside its title."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    about: str = ""


def compared(now: Told, before: Told | None, write: Callable[[Told], str]) -> Cell:
    """What a line says, with what it said; a dash where there was none."""
    text, was = write(now), "–" if before is None else write(before)
    return Cell(text, was=was if was != text else "")


def beside(now: Told, before: Told | None, key: str, write: Callable[[Any], str]) -> Cell:
    """One figure of a line with the one it was, and the fraction that it is."""
    cell = compared(now, before, lambda line: "–" if line[key] is None else write(line[key]))
    return replace(cell, note=now.get(f"{key}_fraction", ""))


def minor(text: str) -> int:
    """Minor units of an amount that an audit writes."""
    return int(text.replace(".", ""))
