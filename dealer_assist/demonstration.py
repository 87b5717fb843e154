"""Wiring of the demonstration: a running table, the virtual shoe on its pseudo-terminal, and the robot between them."""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from dealer_assist.application.robot import Robot
from dealer_assist.bootstrap import RunningTable
from dealer_assist.game.cards import Card
from dealer_assist.game.settings import Raw
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.tables import TablePlan
from hardware.simulated.client import ShoeError, VirtualShoe


class _DeckInPlay:
    """The virtual shoe as the robot needs it: loaded with the deck that is in play."""

    def __init__(self, shoe: VirtualShoe, table: RunningTable) -> None:
        self._shoe = shoe
        self._table = table

    def present(self, card: Card) -> None:
        """The card slides out over the reader. Raises: OSError where the shoe is unplugged or gone."""
        try:
            self._shoe.present(card, self._table.service.snapshot.table.deck_in_play)
        except ShoeError as error:
            raise OSError(str(error)) from error


class Demonstration:
    """A table that deals by itself. `stop` ends all of it."""

    def __init__(self, plan: TablePlan, folder: DataFolder, *, speed: float, manual: bool) -> None:
        # The port's name lies outside the data folder, which holds what is kept and nothing else.
        self._scratch = Path(tempfile.mkdtemp(prefix="dealer-assist-"))
        port = self._scratch / "shoe"
        self.shoe = VirtualShoe(port, decks=plan.decks, repeats=2)
        self.table = RunningTable(msgspec.structs.replace(plan, readers=_at_port(plan.readers, port)), folder)
        self.robot = Robot(
            self.table.service,
            self.table.publisher,
            _DeckInPlay(self.shoe, self.table),
            speed=speed,
            seed=folder.key("demo-shoe"),
            manual=manual,
        )

    def start(self, rounds: int | None, done: Callable[[int], None]) -> None:
        """Begin to deal; after `rounds` rounds `done` is called with their number."""
        self.table.start()
        self.robot.start(rounds, done)

    def stop(self) -> None:
        """End the robot, the table and the shoe."""
        self.robot.stop()
        self.table.stop()
        self.shoe.close()
        shutil.rmtree(self._scratch, ignore_errors=True)


def _at_port(readers: tuple[Raw, ...], port: Path) -> tuple[Raw, ...]:
    return tuple({**reader, "url": str(port)} for reader in readers)
