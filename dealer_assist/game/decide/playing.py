"""Commands from the last card to the close: decisions, reveal, settlement, void."""

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action, Bet, Bets, Decision, Unit
from dealer_assist.game.commands import Stamp
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.decide.betting import jackpot_feeds
from dealer_assist.game.decide.checks import (
    require,
    require_notices_settled,
    require_signed,
    require_undisputed,
    round_in,
)
from dealer_assist.game.dues import is_settled, jackpot_unsettled, unsettled_in_paying_order
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve
from dealer_assist.game.hands import Category, category_of, rank_five
from dealer_assist.game.money import Money
from dealer_assist.game.paying import (
    aside_lines,
    house_decides,
    needs_amount,
    payees_in_paying_order,
    required_hand,
    round_prizes,
    seat_lines,
    stakes,
)
from dealer_assist.game.profile import TimeoutRule
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.settlement import qualifies
from dealer_assist.game.setup import TimeOut
from dealer_assist.game.table import Table

Events = tuple[ev.Event, ...]


def decide_seat(table: Table, command: cmd.Decide, stamp: Stamp) -> Events:
    """A raise of exactly two antes, or a fold. Source: sheet A "Tag en beslutning", sheet D "Panostaminen" 2 c."""
    now = _deciding(table, command.seat)
    return (_decided(now, command.seat, Decision(command.action)),)


def time_out_seat(table: Table, command: cmd.TimeOutSeat, stamp: Stamp) -> Events:
    """No decision in time: the profile's rule, or on felt what the supervisor directs. Source: procedure row 15."""
    now = _deciding(table, command.seat)
    if table.setup.procedure.time_out is TimeOut.ask_supervisor:
        require(stamp.signed_by is not None, Refusal.needs_supervisor)
        action = command.directed or Action.fold
    else:
        action = _by_rule(table, now, command.seat)
    return (_decided(now, command.seat, Decision(action, timed_out=True)),)


def _by_rule(table: Table, now: Round, seat: Seat) -> Action:
    """Source: sheet A "AUTO FOLDET"; sheet D "Käden jakaminen" 4."""
    if table.setup.profile.decision.timeout is TimeoutRule.fold:
        return Action.fold
    paired = category_of(rank_five(required_hand(now, seat))) is not Category.high_card
    return Action.raise_bet if paired else Action.fold


def _deciding(table: Table, seat: Seat) -> Round:
    now = round_in(table, Phase.decisions)
    require_notices_settled(now)
    require(seat in now.bets, Refusal.no_such_seat, seat=seat)
    return now


def _decided(now: Round, seat: Seat, decision: Decision) -> ev.SeatDecided:
    require(now.decisions.get(seat) != decision, Refusal.already_decided, seat=seat)
    return ev.SeatDecided(seat, decision)


def close_decisions(table: Table, command: cmd.CloseDecisions, stamp: Stamp) -> Events:
    """Who has not folded raises; the dealer turns his cards, unless nobody is left to play.

    Source: sheet D "Taking and Paying Bets" 3, "Käden jakaminen" 5.
    """
    now = round_in(table, Phase.decisions)
    require_notices_settled(now)
    events: Events = tuple(
        ev.SeatDecided(seat, Decision(Action.raise_bet)) for seat in now.seats if seat not in now.decisions
    )
    after = _after(table, events)
    if not payees_in_paying_order(table.setup, after):
        return *events, ev.RoundClosed()
    cards = tuple(draw.card if draw else None for draw in after.hand(DEALER))
    return *events, ev.HoleCardsTurned(cards)


def _after(table: Table, events: Events) -> Round:
    for event in events:
        table = evolve(table, event)
    assert table.round is not None
    return table.round


def confirm_dealer_hand(table: Table, command: cmd.ConfirmDealerHand, stamp: Stamp) -> Events:
    """The dealer's hand stands, and qualifies or not."""
    now = round_in(table, Phase.reveal)
    require_undisputed(now)
    cards = required_hand(now, DEALER)
    ordinal = rank_five(cards)
    confirmed = ev.DealerHandConfirmed(cards, category_of(ordinal), qualifies(table.setup.profile, ordinal))
    return confirmed, *closing(evolve(table, confirmed))


def state_amounts(table: Table, command: cmd.StateAmounts, stamp: Stamp) -> Events:
    """What a seat really staked, where a maximum payout may bite."""
    now = round_in(table, Phase.dealing, Phase.decisions, Phase.reveal, Phase.settlement)
    bets = now.bets.get(command.seat)
    if bets is None:
        raise RuleViolation(Refusal.no_such_seat, seat=command.seat)
    due = command.seat in unsettled_in_paying_order(table, now)
    require(bets.unit is Unit.ante and due, Refusal.no_amount_here, seat=command.seat)
    require(
        command.ante > 0 and command.bonus >= 0 and bool(command.bonus) == bool(bets.bonus), Refusal.amount_expected
    )
    return (ev.AmountsStated(command.seat, Bets(command.ante, command.bonus, bets.jackpot)),)


def settle_seat(table: Table, command: cmd.SettleSeat, stamp: Stamp) -> Events:
    """One seat turned, compared, taken or paid. Source: sheet D "Taking and Paying Bets" 4."""
    now = round_in(table, Phase.settlement)
    require_undisputed(now)
    waiting = unsettled_in_paying_order(table, now)
    require(waiting[:1] == (command.seat,), Refusal.not_next_in_paying_order, seat=waiting[0] if waiting else None)
    cards = required_hand(now, command.seat)
    require(not needs_amount(table.setup, now, command.seat), Refusal.amounts_needed, seat=command.seat)
    settled = ev.SeatSettled(command.seat, cards, seat_lines(table.setup, now, command.seat))
    return settled, *(() if waiting[1:] else closing(evolve(table, settled)))


def closing(table: Table) -> Events:
    """The close, where a round in settlement has nothing left to settle or to decide."""
    now = table.round
    assert now is not None
    over = now.phase is Phase.settlement and not now.open_disputes and is_settled(table, now)
    return (ev.RoundClosed(),) if over else ()


def settle_jackpot(table: Table, command: cmd.SettleJackpot, stamp: Stamp) -> Events:
    """The chips set aside, after every seat is turned. A won share of the meter is frozen now.

    Source: sheets A, C, D on the jackpot; felt practice: a 100 % prize reseeds at once.
    """
    now = round_in(table, Phase.settlement)
    require_undisputed(now)
    require(not unsettled_in_paying_order(table, now), Refusal.not_next_in_paying_order)
    require(jackpot_unsettled(table, now), Refusal.nothing_to_settle)
    events: Events = (ev.JackpotSettled(aside_lines(table.setup, now)),)
    prizes = round_prizes(table.setup, now)
    if prizes.from_meter and now.meter_at_lock is not None and not now.hit_frozen:
        payees = tuple(prize for prize in prizes.in_paying_order if prize.from_meter)
        events += (ev.HitFrozen(payees, prizes.from_meter, now.meter_at_lock),)
        if prizes.meter_won and table.setup.seed is not None:
            events += (ev.MeterSeeded(table.setup.seed),)
    return *events, ev.RoundClosed()


def void_round(table: Table, command: cmd.VoidRound, stamp: Stamp) -> Events:
    """Every bet goes back, the jackpot bet and what it fed too. Source: sheet A "Procedure ved fejl", "Jackpot-indsats"."""
    now = round_in(table, Phase.bets_open, Phase.dealing, Phase.decisions, Phase.reveal, Phase.settlement)
    require_signed(stamp, command.reason)
    require(not now.hit_frozen, Refusal.hit_frozen)
    reversals = () if now.phase is Phase.bets_open else feeds_reversed(table, now)
    return *reversals, ev.RoundVoided(command.reason, refunds(table, now), house_decides(table.setup, now))


def feeds_reversed(table: Table, now: Round) -> tuple[ev.JackpotFeedReversed, ...]:
    """The round's feeds given back."""
    return tuple(ev.JackpotFeedReversed(fed.seat, fed.increment) for fed in jackpot_feeds(table.setup, now))


def refunds(table: Table, now: Round) -> tuple[ev.Refund, ...]:
    """What a void gives back, in paying order: stakes, or of a seat already settled what makes its net nothing."""
    given = []
    for seat in reversed(now.seats):
        lines = (*now.settled.get(seat, ()), *(line for line in now.aside or () if line.seat == seat))
        back = {bet: stake for bet, stake, _ in stakes(table.setup, now, seat)}
        back |= {line.bet: Money(-line.net) for line in lines}
        given += [ev.Refund(seat, bet, back[bet]) for bet in Bet if bet in back]
    return tuple(given)
