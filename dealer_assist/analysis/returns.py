"""The exact return of the main bets: how often each outcome comes under a policy, and what a profile pays for it.

A policy's whole result is one small table of counts, by category of the player's hand and by outcome. Every figure is
that table weighed with the profile's payments: whole numbers throughout, nothing sampled and nothing rounded.
"""

import math
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.deals import DEALS, Deals
from dealer_assist.analysis.sweep import COMPLETIONS, HANDS, LOSE, TIE, UNQUALIFIED, UPCARDS, WIN
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.hands import Category
from dealer_assist.game.money import Odds
from dealer_assist.game.profile import RuleProfile

Raises = NDArray[np.bool_]
"""`[class, upcard]`: where a player raises."""


class Payoffs(NamedTuple):
    """What ante and raise together bring: `units` `[category, outcome]` in `1 / scale` of an ante, categories worst first."""

    units: NDArray[np.int64]
    scale: int


class Tally(NamedTuple):
    """A policy's outcomes counted over all deals.

    `counts` `[category, outcome]`: deals. `raised` `[category of the best of six]`: hands and upcards that are raised.
    """

    counts: NDArray[np.int64]
    raised: NDArray[np.int64]


class Return(NamedTuple):
    """A policy's result over all deals. `edge`: the house's share of an ante; `variance` in squared antes."""

    edge: Fraction
    raise_frequency: Fraction
    variance: Fraction

    def on_ante(self) -> Fraction:
        """What comes back for each ante."""
        return 1 - self.edge

    def on_total_stake(self, raise_multiple: int) -> Fraction:
        """What comes back for each unit staked, raises counted."""
        return 1 - self.edge / (1 + raise_multiple * self.raise_frequency)


MOST_UNITS: Final = (1 << 62) // COMPLETIONS
"""A larger payment, in the finest unit that a profile's odds need, would not fit the machine's whole numbers."""


def payoffs(profile: RuleProfile) -> Payoffs:
    """The profile's payments as whole numbers.

    Raises: BadSetting, where its odds share no unit fine enough to count in.
    """
    rows = [_payments(profile, category) for category in Category]
    scale = math.lcm(*(paid.denominator for row in rows for paid in row))
    units = [[int(paid * scale) for paid in row] for row in rows]
    if max(abs(paid) for row in units for paid in row) > MOST_UNITS:
        raise BadSetting(
            "raise_paytable", "expected odds of smaller whole numbers, found a common unit too fine to count in"
        )
    return Payoffs(np.array(units, np.int64), scale)


def _payments(profile: RuleProfile, category: Category) -> list[Fraction]:
    """What ante and raise of one ante bring with a hand of this category, by outcome, in antes."""
    multiple = profile.decision.raise_multiple
    first = profile.raise_paytable.odds(category)
    assert first is not None
    second = profile.not_qualified_paytable.odds(category) or profile.not_qualified.raise_bet
    paid = [Fraction(-1)] * 5
    paid[UNQUALIFIED] = _won(profile.not_qualified.ante, 1) + _won(second, multiple)
    paid[WIN] = _won(profile.win.ante, 1) + _won(first, multiple)
    paid[TIE] = _won(profile.tie.ante, 1) + _won(profile.tie.raise_bet, multiple)
    paid[LOSE] = Fraction(-1 - multiple)
    return paid


def _won(odds: Odds, stake: int) -> Fraction:
    return Fraction(stake * odds.to, odds.per)


def raise_values(deals: Deals, pay: Payoffs) -> NDArray[np.int64]:
    """`[class, upcard]`: the value of raising, in units of `1 / (scale × 163,185)` of an ante; a fold's is `-scale × 163,185`."""
    units = pay.units[deals.categories][:, :, np.newaxis]
    values: NDArray[np.int64] = (
        deals.unqualified * units[:, UNQUALIFIED]
        + deals.win * units[:, WIN]
        + deals.tie * units[:, TIE]
        + (COMPLETIONS - deals.unqualified - deals.win - deals.tie) * units[:, LOSE]
    )
    return values


def tally(deals: Deals, raises: Raises) -> Tally:
    """What comes of raising just there."""
    counts, raised = np.zeros((len(Category), 5), np.int64), np.zeros(len(Category), np.int64)
    played = np.ascontiguousarray(raises)
    compiled.tally(
        deals.sizes, deals.categories, deals.unqualified, deals.win, deals.tie, deals.six, played, counts, raised
    )
    return Tally(counts, raised)


def policy_return(counted: Tally, pay: Payoffs) -> Return:
    """What a tally is worth under a profile's payments."""
    pairs = list(zip(counted.counts.ravel().tolist(), pay.units.ravel().tolist(), strict=True))
    mean = Fraction(sum(count * paid for count, paid in pairs), DEALS * pay.scale)
    square = Fraction(sum(count * paid * paid for count, paid in pairs), DEALS * pay.scale**2)
    return Return(-mean, Fraction(int(counted.raised.sum()), HANDS * UPCARDS), square - mean**2)
