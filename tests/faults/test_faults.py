"""The whole fault script against live rounds: every fault at every moment ends right, or waits for a person.

`python -m tests.faults` writes docs/faults.md anew.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from hardware.simulated.client import VirtualShoe
from tests.faults.dealer import DEALT_AS, Fault, Moment
from tests.faults.felt import faulty_shoe
from tests.faults.matrix import FAULTS, Outcome, page, played

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults.md"

Play = Callable[[Fault, Moment], Outcome]


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualShoe]:
    with faulty_shoe(tmp_path_factory.mktemp("shoe"), "line") as shoe:
        yield shoe


@pytest.fixture(scope="module")
def play(shoe: VirtualShoe, tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Plays a cell of the table, once."""
    outcomes: dict[tuple[str, Moment], Outcome] = {}

    def play(fault: Fault, moment: Moment) -> Outcome:
        if (fault.name, moment) not in outcomes:
            folder = tmp_path_factory.mktemp("cell") / "table"
            outcomes[fault.name, moment] = played(shoe, folder, fault, moment)
        return outcomes[fault.name, moment]

    return play


@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_card_ends_where_it_lies_and_none_is_wrong_unasked(play: Play, fault: Fault, moment: Moment) -> None:
    outcome = play(fault, moment)
    assert outcome.is_right, outcome
    assert outcome.misled == (fault.misleads and moment in DEALT_AS)


def test_the_page_says_what_comes_of_each_fault(play: Play) -> None:
    outcomes = {(fault.name, moment): play(fault, moment) for fault in FAULTS for moment in Moment}
    assert PAGE.read_text("utf-8") == page(outcomes)
