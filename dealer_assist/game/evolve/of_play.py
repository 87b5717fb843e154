"""Events from the decisions to the close, undo, and what a supervisor signs."""

import msgspec

from dealer_assist.game import events as ev
from dealer_assist.game.bets import Decision
from dealer_assist.game.dealing import DEALER
from dealer_assist.game.evolve.of_camera import compared_after_undo, disputes_after_undo
from dealer_assist.game.evolve.turning import reopened, way_back, with_next_turned
from dealer_assist.game.round import COUNT_FIRST, Phase, Round
from dealer_assist.game.table import Table

replace = msgspec.structs.replace


def seat_decided(table: Table, now: Round, event: ev.SeatDecided) -> Round:
    return replace(now, decisions={**now.decisions, event.seat: event.decision}, before=now)


def hole_cards_turned(table: Table, now: Round, event: ev.HoleCardsTurned) -> Round:
    return replace(now, phase=Phase.reveal, turned=now.turned | {DEALER}, before=None)


def dealer_hand_confirmed(table: Table, now: Round, event: ev.DealerHandConfirmed) -> Round:
    return with_next_turned(table, replace(now, phase=Phase.settlement, before=None))


def amounts_stated(table: Table, now: Round, event: ev.AmountsStated) -> Round:
    return replace(now, bets={**now.bets, event.seat: event.bets}, before=way_back(now))


def seat_settled(table: Table, now: Round, event: ev.SeatSettled) -> Round:
    return with_next_turned(
        table, replace(now, settled={**now.settled, event.seat: event.lines}, turned=now.turned | {event.seat})
    )


def jackpot_settled(table: Table, now: Round, event: ev.JackpotSettled) -> Round:
    return replace(now, aside=event.lines)


def round_closed(table: Table, now: Round, event: ev.RoundClosed) -> Round:
    return replace(now, phase=Phase.closed, before=None)


def round_voided(table: Table, now: Round, event: ev.RoundVoided) -> Round:
    return replace(now, phase=Phase.void, void_reason=event.reason, before=None)


def step_undone(table: Table, now: Round, event: ev.StepUndone) -> Round:
    """The round before the step; what the readers and the camera reported since stays, and what was decided of it."""
    before = now.before
    assert before is not None
    later = now.notices[len(before.notices) :]
    if before.phase is Phase.bets_open:  # no card is left on the felt to count
        later = tuple(replace(n, is_open=n.is_open and n.kind not in COUNT_FIRST) for n in later)
    notices = before.notices + later
    return replace(
        before,
        notices=notices,
        misplaced={**before.misplaced, **now.misplaced},
        seen_out_of_turn=now.seen_out_of_turn,
        unverified=_still_unverified(before, now),
        disputes=disputes_after_undo(before, now),
        compared=compared_after_undo(table.setup.profile, before, now),
    )


def _still_unverified(before: Round, now: Round) -> bool:
    """A reader lost while dealing leaves its mark; undoing the lock takes it away, for no card was dealt."""
    return before.unverified or (now.unverified and before.phase is not Phase.bets_open)


def bet_corrected(table: Table, now: Round, event: ev.BetCorrected) -> Round:
    """A signed correction is no step: undo does not reach behind it."""
    return reopened(table, replace(now, bets={**now.bets, event.seat: event.bets}, before=None))


def decision_corrected(table: Table, now: Round, event: ev.DecisionCorrected) -> Round:
    corrected = replace(now, decisions={**now.decisions, event.seat: Decision(event.action)})
    return reopened(table, corrected)
