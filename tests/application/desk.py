"""A table service over a real log on disk, with a clock that a test sets and a record of what was published."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dealer_assist.application.service import Logged, Request, Snapshot, TableService
from dealer_assist.game import commands as cmd
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.round import Round
from dealer_assist.game.setup import TableSetup
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from tests.game.felt import dealt, table_setup

HANDS = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"}


class Desk:
    """One table, running."""

    def __init__(self, path: Path, setup: TableSetup | None = None) -> None:
        self.folder = DataFolder(path)
        self.log = SqliteLog(self.folder.log, Seal(self.folder.key("seal")))
        self.at = "2026-11-30T20:14:03.000000Z"
        self.published: list[Snapshot] = []
        self.listeners: list[Callable[[Snapshot], None]] = [self.published.append]
        self.service = TableService(self.log, setup or table_setup("D"), lambda: self.at, self._publish)
        self.service.start()

    def _publish(self, snapshot: Snapshot) -> None:
        for listener in self.listeners:
            listener(snapshot)

    @property
    def now(self) -> Round:
        """The round."""
        found = self.service.snapshot.table.round
        assert found is not None
        return found

    @property
    def history(self) -> list[Logged]:
        """The whole log."""
        return list(self.log.read())

    @property
    def kinds(self) -> list[str]:
        """What happened, by name."""
        return [type(logged.event).__name__ for logged in self.history]

    def do(self, *commands: cmd.Command, signed: str | None = None) -> int:
        """Give commands; the last sequence."""
        version = 0
        for command in commands:
            version = self.service.do(Request(command, "dealer", signed))
        return version

    def draw(self, codes: str | tuple[Card, ...]) -> None:
        """Cards leave the shoe."""
        cards = parse_cards(codes) if isinstance(codes, str) else codes
        self.do(*(cmd.DrawCard("shoe", card) for card in cards))

    def lock(self, *bets: cmd.PlaceBet) -> None:
        """Bets are made and locked."""
        self.do(cmd.OpenRound(), *bets)
        self.do(cmd.LockBets(sum(1 for made in self.now.bets.values() if made.jackpot)))

    def play(self, *bets: cmd.PlaceBet) -> None:
        """A whole round of seats 1 and 3, up to the decisions."""
        self.lock(*bets)
        self.draw(dealt(self.service.snapshot.table.setup, HANDS))

    def stop(self) -> None:
        """End."""
        self.service.stop()
        self.log.close()


@contextmanager
def desk_at(path: Path, setup: TableSetup | None = None) -> Iterator[Desk]:
    """A desk that is stopped afterwards."""
    desk = Desk(path, setup)
    try:
        yield desk
    finally:
        desk.stop()
