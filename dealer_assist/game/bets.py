"""The words of betting and paying: bets before the cards, decisions, outcomes, and the lines of a settlement."""

from enum import StrEnum

import msgspec

from dealer_assist.game.dealing import Seat
from dealer_assist.game.money import NOTHING, Money


class Bet(StrEnum):
    """The four bets, in the order in which a seat's are settled."""

    ante = "ante"
    raise_bet = "raise"
    bonus = "bonus"
    jackpot = "jackpot"

    __hash__ = str.__hash__


class Unit(StrEnum):
    """What a seat's amounts are in: the table's currency, or hundredths of an ante where no amount was keyed."""

    currency = "currency"
    ante = "ante"


ONE_ANTE = Money(100)
"""An ante, and a bonus bet, of a seat whose amounts are not keyed."""


class Bets(msgspec.Struct, frozen=True):
    """A seat's bets before the cards; 0 where none. The jackpot stake is always in the table's currency."""

    ante: Money
    bonus: Money = NOTHING
    jackpot: Money = NOTHING
    unit: Unit = Unit.currency

    def of(self, bet: Bet) -> Money:
        """The stake on one of the bets made before the cards."""
        return {Bet.ante: self.ante, Bet.bonus: self.bonus, Bet.jackpot: self.jackpot}[bet]


class Action(StrEnum):
    """A seat's choice."""

    raise_bet = "raise"
    fold = "fold"


class Decision(msgspec.Struct, frozen=True):
    """What a seat did, and whether its time ran out first."""

    action: Action
    timed_out: bool = False


class Outcome(StrEnum):
    """How a seat's ante and raise came out."""

    fold = "fold"
    dealer_not_qualified = "dealer_not_qualified"
    win = "win"
    lose = "lose"
    push = "push"
    void = "void"


class Result(StrEnum):
    """What the dealer's hand does with a bet: take it, let it lie, or pay it."""

    take = "take"
    push = "push"
    pay = "pay"


class Why(StrEnum):
    """The rule behind a line."""

    folded = "folded"
    dealer_not_qualified = "dealer_not_qualified"
    second_column = "second_column"
    player_wins = "player_wins"
    dealer_wins = "dealer_wins"
    tie = "tie"
    bonus_hand = "bonus_hand"
    no_bonus_hand = "no_bonus_hand"
    jackpot_hand = "jackpot_hand"
    jackpot_share = "jackpot_share"
    no_jackpot_hand = "no_jackpot_hand"
    round_void = "round_void"


class Line(msgspec.Struct, frozen=True):
    """One bet's settlement. `amount`: taken, or paid beside the stake (a jackpot prize: paid for the stake), or 0.

    `odds`: as on the paytable ("7:1", "10%"), None where an amount is fixed or nothing is paid.
    `uncapped`: what would have been paid without the table's maximum payout, where that bit.
    """

    seat: Seat
    bet: Bet
    result: Result
    stake: Money
    amount: Money
    why: Why
    unit: Unit = Unit.currency
    odds: str | None = None
    uncapped: Money | None = None

    @property
    def net(self) -> Money:
        """What the player is up or down by this bet."""
        if self.result is Result.take:
            return Money(-self.stake)
        if self.result is Result.push:
            return NOTHING
        return Money(self.amount - self.stake) if self.bet is Bet.jackpot else self.amount
