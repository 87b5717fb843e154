"""A table as it stands: its setup, the round, the meter, its readers. Immutable; the fold of its events."""

from collections.abc import Mapping

import msgspec

from dealer_assist.game.bets import Bets
from dealer_assist.game.dealing import Seat
from dealer_assist.game.events import HitFrozen
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.round import Round
from dealer_assist.game.setup import TableSetup


class PendingHit(msgspec.Struct, frozen=True):
    """A frozen jackpot hit that has not been handed out yet."""

    number: str
    hit: HitFrozen


class CameraLink(msgspec.Struct, frozen=True):
    """Whether the camera watches, and if not, why; nothing before it was heard of."""

    is_live: bool = False
    reason: str = ""


class Table(msgspec.Struct, frozen=True):
    """The state of one table.

    `coming`: a setup opened while a round was on the table; it holds from the next round on.
    `readers`: reader name → None while its link stands, else why it is lost. `last_bets`: of the round before.
    """

    setup: TableSetup
    coming: TableSetup | None = None
    round: Round | None = None
    meter: Meter | None = None
    readers: Mapping[str, str | None] = {}
    camera: CameraLink = CameraLink()
    last_bets: Mapping[Seat, Bets] = {}
    deck: str | None = None
    pending_hits: tuple[PendingHit, ...] = ()
    supervisor_called: bool = False

    @property
    def deck_in_play(self) -> str | None:
        """The deck whose cards count; None where the table has no deck files."""
        decks = self.next_setup.decks
        return self.deck if self.deck in decks else next(iter(decks), None)

    @property
    def next_setup(self) -> TableSetup:
        """What the next round will be played by."""
        return self.coming or self.setup
