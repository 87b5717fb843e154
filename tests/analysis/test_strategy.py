"""Optimal play as a grid."""

from fractions import Fraction

import pytest

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.deals import Deals
from dealer_assist.analysis.policies import optimal
from dealer_assist.analysis.returns import payoffs, policy_return, tally
from dealer_assist.analysis.strategy import StrategyGrid, strategy_grid
from dealer_assist.storage.profiles import load_profile, names

ALL = [(name, reading) for name in names("rules") for reading in (None, *load_profile(name).readings)]
HANDS_AND_UPCARDS = 2_598_960 * 47


@pytest.fixture(params=ALL, ids=lambda which: " ".join(filter(None, which)))
def which(request: pytest.FixtureRequest) -> tuple[str, str | None]:
    found: tuple[str, str | None] = request.param
    return found


def test_the_cells_weighed_add_up_to_the_raise_frequency(deals: Deals, which: tuple[str, str | None]) -> None:
    profile = load_profile(*which)
    cells = [cell for row in strategy_grid(profile, deals).rows for cell in row.cells]
    pay = payoffs(profile)
    exact = policy_return(tally(deals, optimal(pay)(deals)), pay).raise_frequency
    assert sum(cell.cases for cell in cells) == HANDS_AND_UPCARDS
    assert Fraction(sum(cell.raised_cases for cell in cells), HANDS_AND_UPCARDS) == exact


def test_the_gains_weighed_add_up_to_raising_always(deals: Deals, which: tuple[str, str | None]) -> None:
    profile = load_profile(*which)
    cells = [cell for row in strategy_grid(profile, deals).rows for cell in row.cells]
    gained = sum(cell.cases * cell.gain for cell in cells if cell.gain is not None) / HANDS_AND_UPCARDS
    assert 1 - gained == pytest.approx(audit(profile, deals).policies["always raise"], abs=1e-12)


def test_rows_follow_one_another_from_best_to_worst(deals: Deals, which: tuple[str, str | None]) -> None:
    grid = strategy_grid(load_profile(*which), deals)
    assert [row.best for row in grid.rows] == [1, *(row.worst + 1 for row in grid.rows[:-1])]
    assert grid.rows[-1].worst == 7462
    assert len({row.label for row in grid.rows}) == len(grid.rows)
    assert sum(row.frequency for row in grid.rows) == pytest.approx(1, abs=1e-12)
    for row in grid.rows:
        for cell in row.cells:
            if cell.raised == 1:
                assert cell.gain is not None
                assert cell.gain > 0
            if cell.raised == 0:
                assert cell.gain is not None
                assert cell.gain <= 0


def grid_of(deals: Deals) -> StrategyGrid:
    return strategy_grid(load_profile("cyber-stud-nb"), deals)


def test_a_pair_or_better_is_one_row_and_hands_below_ace_and_king_another(deals: Deals) -> None:
    rows = grid_of(deals).rows
    assert rows[0].label == "pair of twos or better"
    assert all(cell.raised == 1 for cell in rows[0].cells)
    assert rows[1].label.startswith("A-K-Q-J-9")
    assert rows[-1].label == "A-Q-J-T-9 or worse"
    assert all(cell.raised == 0 for cell in rows[-1].cells)


def test_ace_and_king_are_told_by_their_kickers_and_by_the_upcard_they_match(deals: Deals) -> None:
    """A-K-Q-J-9 … always raises; A-K-4-3-2 only against a rank that it holds itself."""
    grid = grid_of(deals)
    (row,) = (row for row in grid.rows if row.label == "A-K-4-3-2")
    raised = {rank: cell.raised for rank, cell in zip(grid.upcards, row.cells, strict=True)}
    assert {rank for rank, share in raised.items() if share == 1} == {"2", "3", "4"}
    assert all(share == 0 for rank, share in raised.items() if rank not in "234")
