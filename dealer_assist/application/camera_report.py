"""How a table's camera fares by its log: each open card that was compared, by deck and card, and what was disputed."""

from collections import Counter, deque
from typing import Final

import msgspec

from dealer_assist.application.service import Logged
from dealer_assist.game.camera_events import EvidenceDropped, HandCompared, HandDisputed, RecordUpheld
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.events import CardCorrected, RoundVoided
from dealer_assist.game.evolve import evolve
from dealer_assist.game.round import Ending, Picture
from dealer_assist.game.table import Table


class CardTally(msgspec.Struct, frozen=True):
    """One card of one deck (None: the table has no deck files): how often it lay open in a hand that was compared.

    `looked` = `agreed` + `unsure` + `unseen` + `disputed`, the last where another card was seen in that hand.
    """

    deck: str | None
    card: Card
    looked: int
    agreed: int
    unsure: int
    unseen: int
    disputed: int


class HandTally(msgspec.Struct, frozen=True):
    """One hand that was compared: how many of its cards came out how. `round`: its game number; `at`: ISO 8601, UTC."""

    round: str
    at: str
    holder: Seat
    agreed: int
    unsure: int
    unseen: int
    disputed: int


class DisputeTold(msgspec.Struct, frozen=True):
    """One dispute, and how it was decided. `round`: its game number; `at`, `decided_at`: ISO 8601, UTC.

    `ending` None: it is still open. `decided_by`, `signed_by`: who gave the command that ended it.
    """

    round: str
    at: str
    deck: str | None
    holder: Seat
    recorded: tuple[Card, ...]
    seen: tuple[Card, ...]
    pictures: tuple[Picture, ...]
    fault: str = ""
    ending: Ending | None = None
    decided_at: str | None = None
    decided_by: str | None = None
    signed_by: str | None = None
    reason: str = ""


class CameraReport(msgspec.Struct, frozen=True):
    """`hands`: how many were compared. `cards`: those that ever lay in one, by deck, then card. `disputes`: oldest first.

    `newest`: the last 40 hands at most, oldest first. `dropped`: the names of pictures that were kept long enough and
    are removed.
    """

    hands: int
    cards: tuple[CardTally, ...]
    disputes: tuple[DisputeTold, ...]
    newest: tuple[HandTally, ...] = ()
    dropped: frozenset[str] = frozenset()


_HOW: Final = ("agreed", "unsure", "unseen", "disputed")
_NEWEST: Final = 40


class CameraLedger:
    """Takes a log event by event, from its first, and tells at any time what it came to. For one thread."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._hands = 0
        self._counts: dict[str, Counter[tuple[str | None, Card]]] = {name: Counter() for name in _HOW}
        self._newest: deque[HandTally] = deque(maxlen=_NEWEST)
        self._disputes: list[DisputeTold] = []
        self._of_round: list[int] = []
        self._dropped: set[str] = set()

    @property
    def report(self) -> CameraReport:
        """What the log taken so far tells."""
        lain = sorted(set().union(*self._counts.values()), key=lambda at: (at[0] or "", DECK.index(at[1])))
        return CameraReport(
            hands=self._hands,
            cards=tuple(self._tally(deck, card) for deck, card in lain),
            disputes=tuple(self._disputes),
            newest=tuple(self._newest),
            dropped=frozenset(self._dropped),
        )

    def _tally(self, deck: str | None, card: Card) -> CardTally:
        counts = [self._counts[name][deck, card] for name in _HOW]
        return CardTally(deck, card, sum(counts), *counts)

    def take(self, logged: Logged) -> None:
        """The next event of the log."""
        event = logged.event
        self._table = table = evolve(self._table, event)
        if isinstance(event, EvidenceDropped):
            self._dropped.update(event.names)
        elif isinstance(event, HandCompared):
            self._compared(table, logged.stamp.at, event)
        elif isinstance(event, HandDisputed):
            self._open(table, logged, event)
        if self._of_round:
            self._close_ended(table, logged)

    def _compared(self, table: Table, at: str, event: HandCompared) -> None:
        assert table.round is not None
        told = event.agreed, event.unsure, event.unseen, event.disputed
        for counter, cards in zip(self._counts.values(), told, strict=True):
            counter.update((table.deck_in_play, card) for card in cards)
        self._hands += 1
        self._newest.append(HandTally(table.round.number, at, event.holder, *map(len, told)))

    def _open(self, table: Table, logged: Logged, event: HandDisputed) -> None:
        now = table.round
        assert now is not None
        if len(now.disputes) == 1:
            self._of_round = []
        self._of_round.append(len(self._disputes))
        fields = now.number, logged.stamp.at, table.deck_in_play, event.holder, event.recorded, event.seen
        self._disputes.append(DisputeTold(*fields, event.pictures, event.fault))

    def _close_ended(self, table: Table, logged: Logged) -> None:
        """Told by the event that ended them; undone, they are open again."""
        now = table.round
        assert now is not None
        for at, dispute in zip(self._of_round, now.disputes, strict=False):
            told = self._disputes[at]
            if dispute.ending is told.ending:
                continue
            stamp, reason = logged.stamp, _reason_of(logged)
            ended = dispute.ending is not None
            self._disputes[at] = msgspec.structs.replace(
                told,
                ending=dispute.ending,
                decided_at=stamp.at if ended else None,
                decided_by=stamp.actor if ended else None,
                signed_by=stamp.signed_by if ended else None,
                reason=reason if ended else "",
            )


def _reason_of(logged: Logged) -> str:
    event = logged.event
    return event.reason if isinstance(event, RecordUpheld | CardCorrected | RoundVoided) else ""
