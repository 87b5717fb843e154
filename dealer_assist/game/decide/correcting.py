"""Undo, the corrections that a person signs, and calling the supervisor."""

import msgspec

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet, Bets, Unit
from dealer_assist.game.commands import Stamp
from dealer_assist.game.decide.checks import require, require_signed, require_word_on, round_in
from dealer_assist.game.decide.dealing import twin_doubted, twin_of
from dealer_assist.game.decide.playing import closing, feeds_reversed
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.sight import lies_open
from dealer_assist.game.table import Table

Events = tuple[ev.Event, ...]

_WITH_CARDS = (Phase.dealing, Phase.decisions, Phase.reveal, Phase.settlement, Phase.closed)


def undo(table: Table, command: cmd.Undo, stamp: Stamp) -> Events:
    """The last step, as long as no hole card was shown; undoing the lock gives the meter's feeds back."""
    now = table.round
    if now is None or now.before is None:
        raise RuleViolation(Refusal.nothing_to_undo)
    reversals = feeds_reversed(table, now) if now.order and not now.before.order else ()
    return *reversals, ev.StepUndone()


def correct_card(table: Table, command: cmd.CorrectCard, stamp: Stamp) -> Events:
    """The felt speaks: an open card is another than was read. Source: procedure row 23."""
    now = round_in(table, *_WITH_CARDS)
    draw = now.draw_at(command.place)
    if draw is None:
        raise RuleViolation(Refusal.no_card_there, place=command.place)
    require(lies_open(table.setup.profile, now, command.place), Refusal.card_not_due, place=command.place)
    require(not now.hit_frozen, Refusal.hit_frozen)
    if draw.card is None:
        return ev.CardEntered(command.place, command.card), *twin_doubted(now, command.card)
    require(draw.card != command.card, Refusal.same_card)
    twin = twin_of(now, command.card)
    holders = {command.place.holder} if twin is None else {command.place.holder, twin.holder}
    require_word_on(table, stamp, command.reason, *holders)
    return _with_close(table, ev.CardCorrected(command.place, draw.card, command.card, command.reason, twin))


def _with_close(table: Table, event: ev.Event) -> Events:
    """A correction, and the close where it leaves nothing to settle."""
    return event, *closing(evolve(table, event))


def correct_bet(table: Table, command: cmd.CorrectBet, stamp: Stamp) -> Events:
    """A bet that was other than recorded; a jackpot bet is fixed at lock. Source: procedure rows 14, 22, 24, 25."""
    now = round_in(table, *_WITH_CARDS)
    require_signed(stamp, command.reason)
    bets = _bets_of(now, command)
    require(command.bet is not Bet.jackpot, Refusal.jackpot_fixed_at_lock)
    require(bets.unit is Unit.currency, Refusal.no_amount_here)
    match command.bet:
        case Bet.ante:
            require(command.amount > 0, Refusal.amount_expected)
            corrected = msgspec.structs.replace(bets, ante=command.amount)
        case Bet.bonus:
            require(table.setup.profile.bonus is not None, Refusal.bet_unknown, bet=command.bet)
            require(command.amount >= 0, Refusal.amount_expected)
            corrected = msgspec.structs.replace(bets, bonus=command.amount)
        case _:
            raise RuleViolation(Refusal.bet_unknown, bet=command.bet)
    return _with_close(table, ev.BetCorrected(command.seat, corrected, command.reason))


def _bets_of(now: Round, command: cmd.CorrectBet | cmd.CorrectDecision) -> Bets:
    bets = now.bets.get(command.seat)
    if bets is None:
        raise RuleViolation(Refusal.no_such_seat, seat=command.seat)
    return bets


def correct_decision(table: Table, command: cmd.CorrectDecision, stamp: Stamp) -> Events:
    """A decision that was other than recorded, once undo no longer reaches it. Source: procedure row 26."""
    now = round_in(table, Phase.reveal, Phase.settlement, Phase.closed)
    require_signed(stamp, command.reason)
    _bets_of(now, command)
    require(not now.hit_frozen, Refusal.hit_frozen)
    require(now.decisions[command.seat].action is not command.action, Refusal.already_decided, seat=command.seat)
    return _with_close(table, ev.DecisionCorrected(command.seat, command.action, command.reason))


def call_supervisor(table: Table, command: cmd.CallSupervisor, stamp: Stamp) -> Events:
    """A lamp for the supervisor; calling twice is calling once."""
    return () if table.supervisor_called else (ev.SupervisorCalled(),)


def answer_call(table: Table, command: cmd.AnswerCall, stamp: Stamp) -> Events:
    """The supervisor is here, by his own word."""
    require(table.supervisor_called, Refusal.not_called)
    require(stamp.signed_by is not None, Refusal.needs_supervisor)
    return (ev.SupervisorCame(),)


def pay_hit(table: Table, command: cmd.PayHit, stamp: Stamp) -> Events:
    """A frozen hit was handed out, signed."""
    require(any(hit.number == command.number for hit in table.pending_hits), Refusal.no_such_hit)
    require(stamp.signed_by is not None, Refusal.needs_supervisor)
    return (ev.HitPaid(command.number),)


def record_export(table: Table, command: cmd.RecordExport, stamp: Stamp) -> Events:
    """History left the house, folded hands with it. Source: felt practice, "Secrecy"."""
    require(bool(command.reason.strip()), Refusal.reason_needed)
    return (ev.HistoryExported(command.reason, command.format, command.rounds),)
