"""Events of what a camera told, and which of its disputes other events end."""

import msgspec

from dealer_assist.game import camera_events as seen
from dealer_assist.game.dealing import Seat
from dealer_assist.game.looking import gainsays, open_cards
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.round import OVER, Dispute, Ending, Phase, Round
from dealer_assist.game.setup import TableSetup
from dealer_assist.game.table import CameraLink, Table

replace = msgspec.structs.replace


def camera_lost(table: Table, event: seen.CameraLost) -> Table:
    return replace(table, camera=CameraLink(is_live=False, reason=event.reason))


def camera_back(table: Table, event: seen.CameraBack) -> Table:
    return replace(table, camera=CameraLink(is_live=True))


def evidence_dropped(table: Table, event: seen.EvidenceDropped) -> Table:
    return table


def hand_compared(table: Table, now: Round, event: seen.HandCompared) -> Round:
    return replace(now, compared=now.compared | {event.holder})


def hand_disputed(table: Table, now: Round, event: seen.HandDisputed) -> Round:
    dispute = Dispute(len(now.disputes) + 1, event.holder, event.recorded, event.seen, event.pictures, event.fault)
    return replace(now, disputes=(*now.disputes, dispute))


def record_upheld(table: Table, now: Round, event: seen.RecordUpheld) -> Round:
    ended = (replace(each, ending=Ending.upheld) if each.id == event.id else each for each in now.disputes)
    return replace(now, disputes=tuple(ended))


def candidates_seen(table: Table, now: Round, event: seen.CandidatesSeen) -> Round:
    index = now.index_of(event.place)
    assert index is not None
    at = now.draw_index(index)
    draw = replace(now.draws[at], candidates=event.candidates)
    return replace(now, draws=(*now.draws[:at], draw, *now.draws[at + 1 :]))


def with_moot_ended(setup: TableSetup, now: Round) -> Round:
    """The round with each dispute ended that nothing is left of: its hand is gone, or shows what the camera saw."""
    ended = tuple(
        each if each.ending is not None else replace(each, ending=_ending(setup, now, each)) for each in now.disputes
    )
    return now if ended == now.disputes else replace(now, disputes=ended)


def _ending(setup: TableSetup, now: Round, dispute: Dispute) -> Ending | None:
    if now.phase in OVER or now.phase in (Phase.bets_open, Phase.dealing):
        return Ending.dropped
    return None if gainsays(setup, now, dispute.holder, dispute.seen) else Ending.corrected


def disputes_after_undo(before: Round, now: Round) -> tuple[Dispute, ...]:
    """Those of the round before the step, upheld where they were since, and those that came up since."""
    pairs = zip(before.disputes, now.disputes, strict=False)
    return (
        *(since if since.ending is Ending.upheld else old for old, since in pairs),
        *now.disputes[len(before.disputes) :],
    )


def compared_after_undo(profile: RuleProfile, before: Round, now: Round) -> frozenset[Seat]:
    """Whose hands were compared before the step, and since, as far as they are the same hands still."""
    same = {
        holder for holder in now.compared if open_cards(profile, before, holder) == open_cards(profile, now, holder)
    }
    return before.compared | same
