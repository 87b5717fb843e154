"""A table with its app for each test; tests that need another table ask `new_table` for it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.game.setup import TableSetup
from tests.web_ui.helpers import DEALER_PIN, SUPERVISOR_PIN, Screen, TableAtHand, setup_of

NewTable = Callable[..., TableAtHand]


@pytest.fixture
def new_table(tmp_path: Path) -> Iterator[NewTable]:
    tables: list[TableAtHand] = []

    def open_table(setup: TableSetup | None = None, *, pins: bool = True, **access: Any) -> TableAtHand:
        folder = tmp_path / str(len(tables))
        folder.mkdir()
        table = TableAtHand(folder, setup or setup_of(), **access)
        tables.append(table)
        if pins:
            table.pins.set_up(DEALER_PIN, SUPERVISOR_PIN)
        return table

    yield open_table
    for table in tables:
        table.close()


@pytest.fixture
def table(new_table: NewTable) -> TableAtHand:
    return new_table()


@pytest.fixture
def screen(table: TableAtHand) -> Screen:
    """A screen at which the dealer has signed in."""
    screen = Screen(table)
    assert screen.sign_in().status_code == 302
    return screen
