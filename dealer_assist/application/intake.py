"""From sightings to commands: what a device saw, as a request to the table.

A card lying on a reader sends its frame again and again: that is one presentation. The rule is keyed on the round
and the card, not on seconds, so a legal re-deal of the same card a moment later counts.
"""

from collections.abc import Callable

import structlog

from dealer_assist.application.ports import (
    BadRead,
    CardSighted,
    OtherDeckSighted,
    ReaderLost,
    ReaderOnline,
    Sighting,
    UnknownTagSighted,
)
from dealer_assist.application.service import Request, Snapshot
from dealer_assist.game import commands as cmd
from dealer_assist.game.round import NoticeKind, Phase

_say = structlog.get_logger(__name__)


def command_for(sighting: Sighting) -> cmd.Command | None:
    """The command that a sighting stands for; None for bytes that are no message, which are only logged."""
    match sighting:
        case CardSighted():
            return cmd.DrawCard(sighting.reader, sighting.card, sighting.tag)
        case UnknownTagSighted():
            return cmd.ReportNotice(NoticeKind.unknown_tag, sighting.reader, sighting.tag)
        case OtherDeckSighted():
            return cmd.ReportNotice(NoticeKind.other_deck, sighting.reader, sighting.deck)
        case ReaderLost():
            return cmd.ReportReaderLost(sighting.reader, sighting.reason)
        case ReaderOnline():
            return cmd.ReportReaderBack(sighting.reader)
        case BadRead():
            return None


class Intake:
    """Takes sightings from the readers' threads. `latest` gives the table's snapshot, `submit` queues a request."""

    def __init__(self, latest: Callable[[], Snapshot], submit: Callable[[Request], object]) -> None:
        self._latest = latest
        self._submit = submit
        self._lying: dict[str, tuple[object, ...]] = {}
        self.bad_reads: dict[str, int] = {}

    def __call__(self, sighting: Sighting) -> None:
        """Queue what a sighting asks for, once a presentation."""
        command = command_for(sighting)
        if command is None:
            self._count_bad(sighting)
            return
        if isinstance(sighting, CardSighted | UnknownTagSighted | OtherDeckSighted):
            presented = self._presentation(sighting)
            if self._lying.get(sighting.reader) == presented:
                return
            self._lying[sighting.reader] = presented
        self._submit(Request(command, actor=f"reader:{sighting.reader}"))

    def _presentation(self, sighting: CardSighted | UnknownTagSighted | OtherDeckSighted) -> tuple[object, ...]:
        """What tells one presentation from the next: the round, whether cards are due, and the tag or card."""
        now = self._latest().table.round
        due = now is not None and now.phase is Phase.dealing
        card = sighting.card if isinstance(sighting, CardSighted) else None
        return (now.number if now else None, due, sighting.tag or card)

    def _count_bad(self, sighting: Sighting) -> None:
        self.bad_reads[sighting.reader] = self.bad_reads.get(sighting.reader, 0) + 1
        if isinstance(sighting, BadRead):
            # Its bytes stay out of the log: a damaged frame may still tell which card lies face down.
            _say.warning("bad read", reader=sighting.reader, reason=sighting.reason, bytes=len(sighting.data) // 2)
