"""`decide(table, command, stamp)` → the events that follow, or a RuleViolation and no change.

Facts are always recorded; only intentions are refused. One function a command, found by the command's type:
`betting` up to the lock, `dealing` for cards and readers, `playing` for decisions, reveal, settlement and void,
`correcting` for undo and what a supervisor signs, `watching` for what a camera tells.
"""

from collections.abc import Callable
from typing import Final

from dealer_assist.game import commands as cmd
from dealer_assist.game.decide import betting, correcting, dealing, playing, watching
from dealer_assist.game.errors import HandUnknown, Refusal, RuleViolation
from dealer_assist.game.events import Event
from dealer_assist.game.table import Table

Events = tuple[Event, ...]
_Decider = Callable[..., Events]


def decide(table: Table, command: cmd.Command, stamp: cmd.Stamp) -> Events:
    """The events that a command leads to; none where it tells nothing new.

    Raises: RuleViolation; MeterUnknown where a prize needs a meter that the table does not have.
    """
    try:
        return _DECIDERS[type(command)](table, command, stamp)
    except HandUnknown as unknown:
        raise RuleViolation(Refusal.cards_unknown, holder=unknown.holder) from unknown


def can(table: Table, command: cmd.Command, stamp: cmd.Stamp) -> bool:
    """Whether a command would be taken: a screen greys a key out with it."""
    return refusal_of(table, command, stamp) is None


def refusal_of(table: Table, command: cmd.Command, stamp: cmd.Stamp) -> RuleViolation | None:
    """Why a command would be refused; None where it would be taken."""
    try:
        decide(table, command, stamp)
    except RuleViolation as violation:
        return violation
    return None


_DECIDERS: Final[dict[type, _Decider]] = {
    cmd.OpenRound: betting.open_round,
    cmd.PlaceBet: betting.place_bet,
    cmd.RemoveBet: betting.remove_bet,
    cmd.DoubleBets: betting.double_bets,
    cmd.LockBets: betting.lock_bets,
    cmd.DrawCard: dealing.draw_card,
    cmd.BurnCard: dealing.burn_card,
    cmd.EnterCard: dealing.enter_card,
    cmd.MarkUnread: dealing.mark_unread,
    cmd.InsertUnread: dealing.insert_unread,
    cmd.TakeOut: dealing.take_out,
    cmd.ReportNotice: dealing.report_notice,
    cmd.ReportDiscard: dealing.report_discard,
    cmd.RegisterJackpot: betting.register_jackpot,
    cmd.SettleNotice: dealing.settle_notice,
    cmd.ConfirmCount: dealing.confirm_count,
    cmd.ReportReaderLost: dealing.report_reader_lost,
    cmd.ReportReaderBack: dealing.report_reader_back,
    cmd.ReportHand: watching.report_hand,
    cmd.UpholdRecord: watching.uphold_record,
    cmd.ReportCameraLost: watching.report_camera_lost,
    cmd.ReportCameraBack: watching.report_camera_back,
    cmd.DropEvidence: watching.drop_evidence,
    cmd.Decide: playing.decide_seat,
    cmd.TimeOutSeat: playing.time_out_seat,
    cmd.CloseDecisions: playing.close_decisions,
    cmd.ConfirmDealerHand: playing.confirm_dealer_hand,
    cmd.StateAmounts: playing.state_amounts,
    cmd.SettleSeat: playing.settle_seat,
    cmd.SettleJackpot: playing.settle_jackpot,
    cmd.VoidRound: playing.void_round,
    cmd.Undo: correcting.undo,
    cmd.CorrectCard: correcting.correct_card,
    cmd.CorrectBet: correcting.correct_bet,
    cmd.CorrectDecision: correcting.correct_decision,
    cmd.ChangeDeck: betting.change_deck,
    cmd.CallSupervisor: correcting.call_supervisor,
    cmd.AnswerCall: correcting.answer_call,
    cmd.PayHit: correcting.pay_hit,
    cmd.RecordExport: correcting.record_export,
}
