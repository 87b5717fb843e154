"""From sightings to commands: what a device saw, as a request to the table.

A card lying on a reader sends its frame again and again: that is one presentation. The rule is keyed on the round
and the card, not on seconds, so a legal re-deal of the same card a moment later counts.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

import structlog

from dealer_assist.application.ports import (
    BadRead,
    CardDiscarded,
    CardLifted,
    CardSighted,
    CollisionSighted,
    OtherDeckSighted,
    ReaderFault,
    ReaderLost,
    ReaderOnline,
    Sighting,
    SignalSighted,
    UnknownTagSighted,
)
from dealer_assist.application.service import Request, Snapshot
from dealer_assist.game import commands as cmd
from dealer_assist.game.dealing import Seat
from dealer_assist.game.round import NoticeKind, Phase, Round

_say = structlog.get_logger(__name__)


_SIGNALS: Final = {"shoe_empty": NoticeKind.shoe_empty, "jam": NoticeKind.jam}


def command_for(sighting: Sighting) -> cmd.Command | None:  # noqa: C901  one line a kind
    """The command that a sighting stands for; None for what is only counted: bytes or words that say nothing."""
    match sighting:
        case CardSighted():
            return cmd.DrawCard(sighting.reader, sighting.card, sighting.tag, _seat(sighting.seat))
        case CardLifted():
            return cmd.ReportNotice(NoticeKind.card_lifted, sighting.reader, str(sighting.seat))
        case CardDiscarded():
            return cmd.ReportDiscard(sighting.reader, sighting.card, sighting.tag)
        case CollisionSighted():
            return cmd.ReportNotice(NoticeKind.collision, sighting.reader, str(sighting.seat or ""))
        case UnknownTagSighted():
            return cmd.ReportNotice(NoticeKind.unknown_tag, sighting.reader, sighting.tag)
        case OtherDeckSighted():
            return cmd.ReportNotice(NoticeKind.other_deck, sighting.reader, sighting.deck)
        case ReaderFault():
            return cmd.ReportNotice(NoticeKind.reader_fault, sighting.reader, sighting.reason)
        case SignalSighted():
            return _signalled(sighting)
        case ReaderLost():
            return cmd.ReportReaderLost(sighting.reader, sighting.reason)
        case ReaderOnline():
            return cmd.ReportReaderBack(sighting.reader)
        case BadRead():
            return None


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)


def _signalled(signal: SignalSighted) -> cmd.Command | None:
    if signal.event == "jackpot":
        return None if signal.seat is None else cmd.RegisterJackpot(signal.reader, Seat(signal.seat))
    kind = _SIGNALS.get(signal.event)
    return None if kind is None else cmd.ReportNotice(kind, signal.reader, "")


class Intake:
    """Takes sightings from the readers' threads. `latest` gives the table's snapshot, `submit` queues a request."""

    def __init__(self, latest: Callable[[], Snapshot], submit: Callable[[Request], "Future[int]"]) -> None:
        self._latest = latest
        self._submit = submit
        self._lying: dict[str, tuple[_Presentation, Future[int]]] = {}
        self.bad_reads: dict[str, int] = {}

    def __call__(self, sighting: Sighting) -> None:
        """Queue what a sighting asks for, once a presentation."""
        command = command_for(sighting)
        if command is None:
            self._count_bad(sighting)
            return
        request = Request(command, actor=f"reader:{sighting.reader}")
        if not isinstance(sighting, CardSighted | UnknownTagSighted | OtherDeckSighted):
            self._submit(request)
            return
        now = self._latest().table.round
        presented = _presentation(now, sighting)
        lying = self._lying.get(sighting.reader)
        if lying is None or lying[0] != presented or _was_taken_back(now, sighting, lying[1]):
            self._lying[sighting.reader] = presented, self._submit(request)

    def _count_bad(self, sighting: Sighting) -> None:
        self.bad_reads[sighting.reader] = self.bad_reads.get(sighting.reader, 0) + 1
        if isinstance(sighting, SignalSighted):
            _say.warning("unknown signal", reader=sighting.reader, signal=sighting.event, seat=sighting.seat)
        if isinstance(sighting, BadRead):
            # Its bytes stay out of the log: a damaged frame may still tell which card lies face down.
            _say.warning("bad read", reader=sighting.reader, reason=sighting.reason, bytes=len(sighting.data) // 2)


def _presentation(now: Round | None, sighting: CardSighted | UnknownTagSighted | OtherDeckSighted) -> "_Presentation":
    """What tells one presentation from the next: the round, whether cards are due, and the tag or card."""
    due = now is not None and now.phase is Phase.dealing
    card = sighting.card if isinstance(sighting, CardSighted) else None
    return now.number if now else None, due, sighting.tag or card


def _was_taken_back(
    now: Round | None, sighting: CardSighted | UnknownTagSighted | OtherDeckSighted, taken: "Future[int]"
) -> bool:
    """Whether the table took this card, and no longer has it: then the felt says that it lies there after all."""
    if now is None or not isinstance(sighting, CardSighted) or not taken.done():
        return False
    return now.phase is Phase.dealing and not now.has_drawn(sighting.card)


_Presentation = tuple[str | None, bool, str | None]
