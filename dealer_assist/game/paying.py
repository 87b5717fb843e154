"""A round's settlement put together: who is settled in which order, the lines of each seat, the jackpot set aside.

Source: sheet D "Taking and Paying Bets" 4, from the dealer's right to his left; felt practice for the jackpot:
chips that qualify are set aside until every seat is turned.
"""

import msgspec

from dealer_assist.game.bets import Action, Bet, Bets, Line, Outcome, Result, Unit, Why
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Facing, Place, Seat, upcard_slot
from dealer_assist.game.errors import HandUnknown
from dealer_assist.game.hands import Category, category_of, rank_five
from dealer_assist.game.jackpot import Entrant, Prizes, prizes
from dealer_assist.game.money import NOTHING, Money
from dealer_assist.game.profile import RoyalShare, RuleProfile
from dealer_assist.game.round import Round
from dealer_assist.game.settlement import ante_and_raise, bonus, bonus_lost, bonus_stands, jackpot_stands, outcome
from dealer_assist.game.setup import Cap, PayoutScope, TableSetup

NO_PRIZES = Prizes((), meter_won=False)


def payees_in_paying_order(setup: TableSetup, now: Round) -> tuple[Seat, ...]:
    """The seats with something to settle, from the dealer's right to his left."""
    profile = setup.profile
    return tuple([seat for seat in reversed(now.seats) if _has_stakes(profile, now, seat)])


def _has_stakes(profile: RuleProfile, now: Round, seat: Seat) -> bool:
    if not now.has_folded(seat):
        return True
    bets = now.bets[seat]
    return bonus_stands(profile, bets, folded=True) or jackpot_stands(profile, bets, folded=True)


def upcard_place(profile: RuleProfile) -> Place:
    """Where the dealer's upcard lies."""
    return Place(DEALER, upcard_slot(profile.deal.upcard))


def upcard(profile: RuleProfile, now: Round) -> Card | None:
    """The dealer's upcard; None before it lies there, or while it is not known."""
    draw = now.draw_at(upcard_place(profile))
    return draw.card if draw else None


def required_hand(now: Round, holder: Seat) -> tuple[Card, ...]:
    """The five cards of a hand. Raises: HandUnknown."""
    hand = now.known_hand(holder)
    if hand is None:
        raise HandUnknown(holder)
    return hand


def seat_outcome(setup: TableSetup, now: Round, seat: Seat) -> Outcome:
    """How a seat's ante and raise came out. Raises: HandUnknown."""
    if now.has_folded(seat):
        return Outcome.fold
    return outcome(setup.profile, Action.raise_bet, required_hand(now, seat), required_hand(now, DEALER))


def seat_lines(setup: TableSetup, now: Round, seat: Seat) -> tuple[Line, ...]:
    """What is settled at a seat's turn: ante, raise, 5+1, and a jackpot chip that wins nothing. The cap is applied.

    Raises: HandUnknown.
    """
    cap = setup.cap
    if cap is None:
        return _uncapped_lines(setup, now, seat)
    budget = cap.amount
    if cap.per is PayoutScope.round:
        for earlier in payees_in_paying_order(setup, now):
            if earlier == seat:
                break
            _, budget = _capped(_uncapped_lines(setup, now, earlier), cap, budget)
    return _capped(_uncapped_lines(setup, now, seat), cap, budget)[0]


def _uncapped_lines(setup: TableSetup, now: Round, seat: Seat) -> tuple[Line, ...]:
    profile, bets, folded = setup.profile, now.bets[seat], now.has_folded(seat)
    result = seat_outcome(setup, now, seat)
    hand = None if folded and not _has_stakes(profile, now, seat) else required_hand(now, seat)
    lines = ante_and_raise(profile, seat, bets, result, hand)
    if bets.bonus:
        lines += (_bonus_line(profile, now, seat, hand),)
    if bets.jackpot and not _is_set_aside(setup, now, seat):
        why = Why.no_jackpot_hand if jackpot_stands(profile, bets, folded=folded) else Why.folded
        lines += (Line(seat, Bet.jackpot, Result.take, bets.jackpot, bets.jackpot, why),)
    return lines


def _bonus_line(profile: RuleProfile, now: Round, seat: Seat, hand: tuple[Card, ...] | None) -> Line:
    bets = now.bets[seat]
    if hand is None or not bonus_stands(profile, bets, folded=now.has_folded(seat)):
        return bonus_lost(seat, bets)
    card = upcard(profile, now)
    if card is None:
        raise HandUnknown(DEALER)
    return bonus(profile, seat, bets, hand, card)


def _capped(lines: tuple[Line, ...], cap: Cap, budget: Money) -> tuple[tuple[Line, ...], Money]:
    """The lines with each payment that the cap names cut to what is left of `budget`, and what is left then."""
    kept = []
    for line in lines:
        if line.result is Result.pay and line.bet in cap.bets and line.unit is Unit.currency:
            amount = Money(min(line.amount, budget))
            budget = Money(budget - amount)
            if amount < line.amount:
                line = msgspec.structs.replace(line, amount=amount, uncapped=line.amount)  # noqa: PLW2901
        kept.append(line)
    return tuple(kept), budget


def _is_set_aside(setup: TableSetup, now: Round, seat: Seat) -> bool:
    """Whether a jackpot chip waits until every seat is turned: it wins, or may still share in what another wins."""
    profile = setup.profile
    if profile.jackpot is None or not _enters(setup, now, seat):
        return False
    if _wins_by_hand(setup, now, seat):
        return True
    return profile.jackpot.royal_share is RoyalShare.round_bettors and _may_share(setup, now, seat)


def _may_share(setup: TableSetup, now: Round, seat: Seat) -> bool:
    """Whether a chip may share a royal of the table.

    Where players' cards lie face down every chip waits: taking one would tell that no hand still down is royal.
    """
    if setup.profile.deal.players is Facing.down:
        return True
    categories = [_category(now, other) for other in now.seats if _enters(setup, now, other)]
    if Category.royal_flush in categories:
        return True
    if seat in now.settled:
        return all(line.bet is not Bet.jackpot for line in now.settled[seat])
    return None in categories


def _enters(setup: TableSetup, now: Round, seat: Seat) -> bool:
    return jackpot_stands(setup.profile, now.bets[seat], folded=now.has_folded(seat))


def _wins_by_hand(setup: TableSetup, now: Round, seat: Seat) -> bool:
    category = _category(now, seat)
    table = setup.profile.jackpot_paytable
    return category is not None and table is not None and table.prize(category) is not None


def _category(now: Round, seat: Seat) -> Category | None:
    hand = now.known_hand(seat)
    return category_of(rank_five(hand)) if hand else None


def round_prizes(setup: TableSetup, now: Round) -> Prizes:
    """The jackpot prizes of the round, each of the meter at lock.

    Raises: HandUnknown, MeterUnknown.
    """
    profile = setup.profile
    if profile.jackpot is None or profile.jackpot_paytable is None:
        return NO_PRIZES
    entrants = tuple(
        Entrant(seat, now.bets[seat].jackpot, category_of(rank_five(required_hand(now, seat))))
        for seat in reversed(now.seats)
        if _enters(setup, now, seat)
    )
    return (
        prizes(profile.jackpot_paytable, profile.jackpot.royal_share, entrants, now.meter_at_lock)
        if entrants
        else NO_PRIZES
    )


def aside_lines(setup: TableSetup, now: Round) -> tuple[Line, ...]:
    """The jackpot lines settled last, in paying order. Raises: HandUnknown, MeterUnknown."""
    won = {prize.seat: prize for prize in round_prizes(setup, now).in_paying_order}
    lines = []
    for seat in reversed(now.seats):
        if not now.bets[seat].jackpot or not _is_set_aside(setup, now, seat):
            continue
        stake, prize = now.bets[seat].jackpot, won.get(seat)
        if prize is None:
            lines.append(Line(seat, Bet.jackpot, Result.take, stake, stake, Why.no_jackpot_hand))
        else:
            why = Why.jackpot_hand if prize.by_hand else Why.jackpot_share
            lines.append(Line(seat, Bet.jackpot, Result.pay, stake, prize.amount, why, odds=prize.odds))
    return _capped_aside(setup, now, tuple(lines))


def _capped_aside(setup: TableSetup, now: Round, lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """The jackpot lines, cut where the table counts the jackpot towards its maximum payout."""
    cap = setup.cap
    if cap is None or Bet.jackpot not in cap.bets:
        return lines
    per_round = cap.per is PayoutScope.round
    budget = (
        Money(cap.amount - _counted(cap, *(seat_lines(setup, now, seat) for seat in now.seats)))
        if per_round
        else cap.amount
    )
    kept: tuple[Line, ...] = ()
    for line in lines:
        left = budget if per_round else Money(cap.amount - _counted(cap, seat_lines(setup, now, line.seat)))
        capped, budget = _capped((line,), cap, left)
        kept += capped
    return kept


def _counted(cap: Cap, *settled: tuple[Line, ...]) -> int:
    return sum(line.amount for lines in settled for line in lines if line.result is Result.pay and line.bet in cap.bets)


def paid_in_paying_order(setup: TableSetup, now: Round) -> tuple[Line, ...]:
    """Every line of a round that is over, as it was paid: seat by seat from the dealer's right, the jackpot last."""
    if now.void_reason is not None:
        return void_lines(setup, now)
    lines: tuple[Line, ...] = ()
    for seat in reversed(now.seats):
        # A fold that leaves no side bet standing was taken when it happened, and has no turn of its own.
        lines += now.settled[seat] if seat in now.settled else seat_lines(setup, now, seat)
    return lines + (now.aside or ())


def void_lines(setup: TableSetup, now: Round) -> tuple[Line, ...]:
    """Every stake given back. Source: sheet A "Procedure ved fejl"."""
    return tuple(
        Line(seat, bet, Result.push, stake, NOTHING, Why.round_void, unit)
        for seat in reversed(now.seats)
        for bet, stake, unit in stakes(setup, now, seat)
    )


def stakes(setup: TableSetup, now: Round, seat: Seat) -> tuple[tuple[Bet, Money, Unit], ...]:
    """What a seat has on the felt: each bet it made, its stake and the unit."""
    bets = now.bets[seat]
    decision = now.decisions.get(seat)
    raised = decision is not None and decision.action is Action.raise_bet
    made = (
        (Bet.ante, bets.ante, bets.unit),
        (Bet.raise_bet, Money(bets.ante * setup.profile.decision.raise_multiple * raised), bets.unit),
        (Bet.bonus, bets.bonus, bets.unit),
        (Bet.jackpot, bets.jackpot, Unit.currency),
    )
    return tuple(stake for stake in made if stake[1])


def house_decides(setup: TableSetup, now: Round) -> tuple[Seat, ...]:
    """Seats of a void round whose five cards would have won a jackpot prize, ascending. Source: sheet A "Jackpot-indsats"."""
    return tuple(seat for seat in now.seats if now.bets[seat].jackpot and _wins_by_hand(setup, now, seat))


def needs_amount(setup: TableSetup, now: Round, seat: Seat) -> bool:
    """Whether the table's maximum payout may bite on a seat whose amounts were not keyed. Raises: HandUnknown."""
    bets: Bets = now.bets[seat]
    if bets.unit is Unit.currency or setup.cap is None or setup.highest_ante is None:
        return False
    capped = setup.cap.bets
    winnings = sum(
        line.amount for line in _uncapped_lines(setup, now, seat) if line.result is Result.pay and line.bet in capped
    )
    most = winnings * setup.highest_ante + (_most_jackpot(setup, now, seat) * 100 if Bet.jackpot in capped else 0)
    return winnings > 0 and most > setup.cap.amount * 100


def _most_jackpot(setup: TableSetup, now: Round, seat: Seat) -> Money:
    """What a seat's hand may win of the jackpot at the most, while other hands may still share."""
    category, table = _category(now, seat), setup.profile.jackpot_paytable
    prize = table.prize(category) if table is not None and category is not None and _enters(setup, now, seat) else None
    if prize is None:
        return NOTHING
    return prize.fixed if prize.fixed is not None else now.meter_at_lock or NOTHING
