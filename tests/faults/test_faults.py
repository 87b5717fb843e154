"""The whole fault script against live rounds: every fault at every moment ends right, or waits for a person.

`python -m tests.faults` writes docs/faults.md anew.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from hardware.simulated.client import VirtualShoe
from hardware.simulated.devices import DEVICES
from tests.faults.dealer import DEALT_AS, Fault, Moment
from tests.faults.felt import faulty_shoe
from tests.faults.matrix import FAULTS, Outcome, faults_of, page, played

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults.md"

Play = Callable[[str, Fault, Moment], Outcome]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """Plays a fault at a moment with a device, once."""
    shoes: dict[str, VirtualShoe] = {}
    outcomes: dict[tuple[str, str, Moment], Outcome] = {}

    def play(device: str, fault: Fault, moment: Moment) -> Outcome:
        if device not in shoes:
            shoes[device] = faulty_shoe(tmp_path_factory.mktemp("shoe"), device)
        cell = (device, fault.name, moment)
        if cell not in outcomes:
            outcomes[cell] = played(shoes[device], tmp_path_factory.mktemp("cell") / "table", fault, moment, device)
        return outcomes[cell]

    yield play
    for shoe in shoes.values():
        shoe.close()


def cells(*devices: str) -> list[tuple[str, Fault, Moment]]:
    return [(device, fault, moment) for device in devices for fault in faults_of(device) for moment in Moment]


def name_of(cell: tuple[str, Fault, Moment]) -> str:
    device, fault, moment = cell
    return f"{device}, {fault.name}, {moment}"


@pytest.mark.parametrize("cell", cells("line"), ids=name_of)
def test_every_card_ends_where_it_lies_and_none_is_wrong_unasked(play: Play, cell: tuple[str, Fault, Moment]) -> None:
    device, fault, moment = cell
    outcome = play(device, fault, moment)
    assert outcome.is_right, outcome
    assert outcome.misled == (fault.misleads and moment in DEALT_AS)


@pytest.mark.torture
@pytest.mark.parametrize("cell", cells(*(device for device in DEVICES if device != "line")), ids=name_of)
def test_so_it_is_with_every_other_format(play: Play, cell: tuple[str, Fault, Moment]) -> None:
    test_every_card_ends_where_it_lies_and_none_is_wrong_unasked(play, cell)


def test_the_page_says_what_comes_of_each_fault(play: Play) -> None:
    outcomes = {(fault.name, moment): play("line", fault, moment) for fault in FAULTS for moment in Moment}
    assert PAGE.read_text("utf-8") == page(outcomes)
