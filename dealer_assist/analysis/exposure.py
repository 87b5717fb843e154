"""The most that a house may have to pay in one round, and a deal in which it does.

Paid is what goes out beside the stakes: winnings, and the jackpot's fixed prizes. A share of the meter is not the house's
and is left out. A seat is taken to raise and to win, or to meet a dealer who does not qualify.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis.worst_round import Dealt, Holding, dealt
from dealer_assist.game.bets import ONE_ANTE, Bet, Bets, Unit
from dealer_assist.game.hands import BEST_FIRST, Category
from dealer_assist.game.money import NOTHING, Money, parse_amount
from dealer_assist.game.profile import Limit, RuleProfile
from dealer_assist.game.setup import Cap, PayoutScope, TableSetup

Paid = tuple[Money, Money, Money, Money]
"""What each bet is paid, in the order of `Bet`."""


class Limits(NamedTuple):
    """What may be staked. `most`: the highest of each bet, its unit antes where nothing limits the ante; no jackpot is
    counted then. `lowest` of the ante; `total` of a seat's bets.
    """

    most: Bets
    seats: int
    lowest: Money = Money(1)
    total: Money | None = None
    cap: Cap | None = None

    def corners(self) -> list[Bets]:
        """The stakes among which the dearest are: most on the ante or on the bonus, with a jackpot bet and without."""
        if self.total is None:
            return [self.most]
        found = []
        for jackpot in (self.most.jackpot, NOTHING):
            left = self.total - jackpot
            if left >= self.lowest:
                ante, bonus = min(self.most.ante, left), min(self.most.bonus, left - self.lowest)
                found.append(Bets(Money(ante), Money(min(self.most.bonus, left - ante)), jackpot))
                found.append(Bets(Money(min(self.most.ante, left - bonus)), Money(bonus), jackpot))
        return found


class Win(NamedTuple):
    """What a seat holds, what it staked, and what each bet is paid before a maximum payout cuts it."""

    holding: Holding
    bets: Bets
    paid: Paid


class Worst(NamedTuple):
    """The dearest round of so many seats: each seat's win and what it is paid in the end, and the cards."""

    wins: tuple[Win, ...]
    paid: tuple[Paid, ...]
    qualifies: bool
    deal: Dealt

    def of(self, bet: Bet) -> Money:
        """What all seats are paid on a bet."""
        return Money(sum(paid[_BETS.index(bet)] for paid in self.paid))

    @property
    def total(self) -> Money:
        """What all seats are paid on all bets."""
        return Money(sum(map(sum, self.paid)))


_BETS: Final = tuple(Bet)

LIFTS: Final[dict[Category, tuple[Category, ...]]] = {
    Category.high_card: (Category.pair, Category.straight, Category.flush, Category.straight_flush, Category.royal_flush),
    Category.pair: (
        Category.two_pair, Category.trips, Category.straight, Category.flush, Category.straight_flush, Category.royal_flush,
    ),
    Category.two_pair: (Category.full_house,),
    Category.trips: (Category.full_house, Category.quads),
    Category.straight: (Category.flush, Category.straight_flush, Category.royal_flush),
    Category.flush: (Category.straight_flush, Category.royal_flush),
    Category.full_house: (Category.quads,),
    Category.quads: (),
    Category.straight_flush: (Category.royal_flush,),
    Category.royal_flush: (),
}  # fmt: skip
"""What a sixth card can make of five."""


# --- what may be staked ----------------------------------------------------------------------------------------------


def limits_of(profile: RuleProfile, setup: TableSetup | None = None) -> Limits:
    """The limits of a table, or of the profile where there is none; the highest where several bound a bet."""
    limits, seats = (profile.limits, profile.seats) if setup is None else (setup.limits, len(setup.seats))
    cap = None if setup is None else setup.cap
    highest = {bounds: _highest(profile, limits, bounds) for bounds in ("ante", "bonus", "total")}
    jackpot = NOTHING if profile.jackpot is None else profile.jackpot_stake
    ante, total = highest["ante"] or highest["total"], highest["total"]
    if ante is None:
        return Limits(Bets(ONE_ANTE, _bonus(profile, ONE_ANTE), NOTHING, Unit.ante), seats)
    lowest = (parse_amount(each.lowest, profile.minor_digits) for each in limits if each.bounds == "ante")
    most = Bets(ante, _bonus(profile, highest["bonus"] or ante), jackpot)
    return Limits(most, seats, min(lowest, default=Money(1)), total, cap)


def _highest(profile: RuleProfile, limits: tuple[Limit, ...], bounds: str) -> Money | None:
    amounts = [parse_amount(limit.highest, profile.minor_digits) for limit in limits if limit.bounds == bounds]
    return max(amounts, default=None)


def _bonus(profile: RuleProfile, amount: Money) -> Money:
    return NOTHING if profile.bonus is None else amount


# --- the dearest round -----------------------------------------------------------------------------------------------


def worst_round(profile: RuleProfile, limits: Limits, seats: int, cap: Cap | None = None) -> Worst:
    """The round of so many seats that costs most, a maximum payout counted where one is given.

    Every choice of wins is tried from the dearest down; the first that one deck can deal is the answer, and its cards
    prove it.
    """
    states = [(_wins(profile, limits, cap, qualifies=qualifies), qualifies) for qualifies in (True, False)]
    sums = [_totals(wins, seats, cap) for wins, _ in states]
    for place in np.argsort(-np.concatenate(sums), kind="stable").tolist():
        (wins, qualifies), at = (states[0], place) if place < len(sums[0]) else (states[1], place - len(sums[0]))
        chosen = [wins[number] for number in _choices(len(wins), seats)[at].tolist()]
        chosen.sort(key=lambda win: win.holding.own is win.holding.six)  # what the upcard lifts is the rarest: first
        deal = dealt(tuple(win.holding for win in chosen), profile.lowest_qualifying, qualifies=qualifies)
        if deal is not None:
            return Worst(tuple(chosen), _paid_out(chosen, cap), qualifies, deal)
    raise AssertionError("a deck deals every seat a pair")


def _wins(profile: RuleProfile, limits: Limits, cap: Cap | None, *, qualifies: bool) -> list[Win]:
    """Every win of a seat. A high card beats a dealer who plays in so few deals that it is the dearest in none."""
    own = BEST_FIRST[:-1] if qualifies else BEST_FIRST
    holdings = [Holding(hand, hand) for hand in own]
    if limits.most.bonus:
        holdings += [Holding(hand, six) for hand in own for six in LIFTS[hand]]
    wins = []
    for holding in holdings:
        of_holding = [
            Win(holding, bets, _paid(profile, holding, bets, qualifies=qualifies)) for bets in limits.corners()
        ]
        wins += _dearest(of_holding, cap)
    return wins


def _dearest(wins: list[Win], cap: Cap | None) -> list[Win]:
    """Of wins that differ in their stakes, those that no other one is sure to cost more than."""
    costs = [_cost(win, cap) for win in wins]
    best = max(costs, key=sum)
    if cap is None or cap.per is PayoutScope.hand:
        return [wins[costs.index(best)]]
    return [
        win
        for at, (win, cost) in enumerate(zip(wins, costs, strict=True))
        if not any(_exceeds(other, cost) for other in costs) and cost not in costs[:at]
    ]


def _cost(win: Win, cap: Cap | None) -> tuple[int, int]:
    """What a win costs on the bets that a maximum payout names, cut where it counts for a hand, and on the others."""
    named = [cap is not None and bet in cap.bets for bet in _BETS]
    capped, free = (
        sum(paid for paid, of in zip(win.paid, named, strict=True) if of is which) for which in (True, False)
    )
    return (min(capped, cap.amount) if cap is not None and cap.per is PayoutScope.hand else capped), free


def _exceeds(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and one[0] >= other[0] and one[1] >= other[1]


def _paid(profile: RuleProfile, holding: Holding, bets: Bets, *, qualifies: bool) -> Paid:
    raised = Money(bets.ante * profile.decision.raise_multiple)
    if qualifies:
        ante, odds = profile.win.ante, profile.raise_paytable.odds(holding.own)
    else:
        ante, odds = profile.not_qualified.ante, profile.not_qualified_paytable.odds(holding.own)
    bonus = profile.bonus_paytable.odds(holding.six) if profile.bonus_paytable is not None else None
    prize = profile.jackpot_paytable.prize(holding.own) if profile.jackpot_paytable is not None else None
    return (
        ante.winnings(bets.ante),
        (odds or profile.not_qualified.raise_bet).winnings(raised),
        bonus.winnings(bets.bonus) if bonus is not None else NOTHING,
        prize.fixed if bets.jackpot and prize is not None and prize.fixed is not None else NOTHING,
    )


def _totals(wins: list[Win], seats: int, cap: Cap | None) -> NDArray[np.int64]:
    """What each choice of wins costs."""
    costs = np.array([_cost(win, cap) for win in wins], np.int64)
    of_round = costs[_choices(len(wins), seats)].sum(axis=1)
    if cap is not None and cap.per is PayoutScope.round:
        of_round[:, 0] = np.minimum(of_round[:, 0], cap.amount)
    totals: NDArray[np.int64] = of_round.sum(axis=1)
    return totals


@cache
def _choices(count: int, seats: int) -> NDArray[np.intp]:
    """`[choice, seat]`: every choice of one of `count` things for each seat, whatever the order of the seats."""
    rows = np.arange(count)[:, np.newaxis]
    for _ in range(seats - 1):
        last = rows[:, -1]
        further = count - last  # each row goes on with its last thing or a later one
        first = np.cumsum(further) - further
        following = np.arange(further.sum()) - np.repeat(first - last, further)
        rows = np.column_stack((np.repeat(rows, further, axis=0), following))
    return rows


def _paid_out(wins: list[Win], cap: Cap | None) -> tuple[Paid, ...]:
    """What each seat is paid, in paying order: seat by seat, the jackpot last, each cut to what the maximum leaves."""
    if cap is None:
        return tuple(win.paid for win in wins)
    left = [cap.amount] * (1 if cap.per is PayoutScope.round else len(wins))
    paid = [list(win.paid) for win in wins]
    jackpot = _BETS.index(Bet.jackpot)
    seat_by_seat = [(seat, bet) for seat in range(len(wins)) for bet in range(jackpot)]
    for seat, bet in [*seat_by_seat, *((seat, jackpot) for seat in range(len(wins)))]:
        if _BETS[bet] in cap.bets:
            paid[seat][bet] = Money(min(paid[seat][bet], left[seat % len(left)]))
            left[seat % len(left)] = Money(left[seat % len(left)] - paid[seat][bet])
    return tuple((ante, raised, bonus, prize) for ante, raised, bonus, prize in paid)
