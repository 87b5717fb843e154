"""What one seat's bets get: compare, then ante, raise and 5+1, each with its reason.

One hand against one hand, in plain steps; a whole round is put together in `paying`.
"""

from dealer_assist.game.bets import Action, Bet, Bets, Line, Outcome, Result, Why
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.hands import best_five, category_of, rank_five
from dealer_assist.game.money import PUSH, Money, Odds
from dealer_assist.game.profile import AfterFold, RuleProfile

Hand = tuple[Card, ...]


def qualifies(profile: RuleProfile, ordinal: int) -> bool:
    """Whether the dealer plays with a hand of this ordinal. Source: every sheet, ace and king or better."""
    return ordinal <= profile.lowest_qualifying


def outcome(profile: RuleProfile, action: Action, hand: Hand, dealer: Hand) -> Outcome:
    """How ante and raise came out: five known cards each."""
    if action is Action.fold:
        return Outcome.fold
    dealer_ordinal = rank_five(dealer)
    if not qualifies(profile, dealer_ordinal):
        return Outcome.dealer_not_qualified
    ordinal = rank_five(hand)
    if ordinal == dealer_ordinal:
        return Outcome.push
    return Outcome.win if ordinal < dealer_ordinal else Outcome.lose


def ante_and_raise(
    profile: RuleProfile, seat: Seat, bets: Bets, result: Outcome, hand: Hand | None
) -> tuple[Line, ...]:
    """The ante's line, and the raise's where one was made. `hand` may be None for a fold.

    Source: sheet A "Spilresultater", B "Udbetalinger", C the text above the table, D "Voittavan käden päättäminen".
    """
    raise_stake = Money(bets.ante * profile.decision.raise_multiple)
    if result is Outcome.fold:
        return (_taken(seat, Bet.ante, bets.ante, Why.folded, bets),)
    if result is Outcome.lose:
        return (
            _taken(seat, Bet.ante, bets.ante, Why.dealer_wins, bets),
            _taken(seat, Bet.raise_bet, raise_stake, Why.dealer_wins, bets),
        )
    assert hand is not None
    category = category_of(rank_five(hand))
    match result:
        case Outcome.push:
            ante, raised, why = profile.tie.ante, profile.tie.raise_bet, Why.tie
        case Outcome.win:
            ante, raised, why = profile.win.ante, profile.raise_paytable.odds(category) or PUSH, Why.player_wins
        case _:
            second_column = profile.not_qualified_paytable.odds(category)
            ante, raised, why = profile.not_qualified.ante, profile.not_qualified.raise_bet, Why.dealer_not_qualified
            if second_column is not None:
                paid = _paid(seat, Bet.raise_bet, raise_stake, second_column, Why.second_column, bets)
                return _paid(seat, Bet.ante, bets.ante, ante, why, bets), paid
    return (
        _paid(seat, Bet.ante, bets.ante, ante, why, bets),
        _paid(seat, Bet.raise_bet, raise_stake, raised, why, bets),
    )


def bonus(profile: RuleProfile, seat: Seat, bets: Bets, hand: Hand, upcard: Card) -> Line:
    """The 5+1 line: the best five of the player's five cards and the dealer's upcard.

    Source: sheet A "5+1 BONUS", sheet B "5+1 BONUS".
    """
    ordinal, _ = best_five((*hand, upcard))
    odds = profile.bonus_paytable.odds(category_of(ordinal)) if profile.bonus_paytable else None
    if odds is None:
        return _taken(seat, Bet.bonus, bets.bonus, Why.no_bonus_hand, bets)
    return _paid(seat, Bet.bonus, bets.bonus, odds, Why.bonus_hand, bets)


def bonus_lost(seat: Seat, bets: Bets) -> Line:
    """The 5+1 line of a seat that folded where a fold loses it."""
    return _taken(seat, Bet.bonus, bets.bonus, Why.folded, bets)


def bonus_stands(profile: RuleProfile, bets: Bets, *, folded: bool) -> bool:
    """Whether a 5+1 bet is still to be settled."""
    return bets.bonus > 0 and profile.bonus is not None and not (folded and profile.bonus.after_fold is AfterFold.lost)


def jackpot_stands(profile: RuleProfile, bets: Bets, *, folded: bool) -> bool:
    """Whether a jackpot bet can still win."""
    return (
        bets.jackpot > 0
        and profile.jackpot is not None
        and not (folded and profile.jackpot.after_fold is AfterFold.lost)
    )


def _taken(seat: Seat, bet: Bet, stake: Money, why: Why, bets: Bets) -> Line:
    return Line(seat, bet, Result.take, stake, stake, why, bets.unit)


def _paid(seat: Seat, bet: Bet, stake: Money, odds: Odds, why: Why, bets: Bets) -> Line:
    if odds is PUSH or not odds.to:
        return Line(seat, bet, Result.push, stake, Money(0), why, bets.unit)
    return Line(seat, bet, Result.pay, stake, odds.winnings(stake), why, bets.unit, str(odds))
