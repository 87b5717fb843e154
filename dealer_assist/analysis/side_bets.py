"""The exact returns of 5+1 and the jackpot, which hang on no decision but a fold.

Where a fold loses the bet, the player is taken to play ante and raise for their own sake.
"""

from fractions import Fraction
from typing import Final, NamedTuple

from dealer_assist.analysis.classes import NUMBERS
from dealer_assist.analysis.deals import DEALS
from dealer_assist.analysis.returns import Tally
from dealer_assist.analysis.sweep import FOLD, HANDS, UPCARDS
from dealer_assist.game.hands import BEST_FIRST, Category
from dealer_assist.game.money import Money, Odds
from dealer_assist.game.profile import AfterFold, Prize, RuleProfile


class BonusWin(NamedTuple):
    """How often 5+1 wins with the best of six of a category, and what that brings back for each unit, the stake with it."""

    category: Category
    odds: Odds
    frequency: Fraction

    @property
    def contribution(self) -> Fraction:
        """To what the bet brings back."""
        return self.frequency * (1 + Fraction(self.odds.to, self.odds.per))


class JackpotWin(NamedTuple):
    """How often the jackpot pays a category's prize. Prizes are paid for the stake, in minor units or shares of the meter."""

    category: Category
    prize: Prize
    frequency: Fraction
    stake: Money

    @property
    def fixed(self) -> Fraction:
        """What the fixed prize brings back for each unit staked."""
        return self.frequency * (self.prize.fixed or 0) / self.stake

    @property
    def per_meter_unit(self) -> Fraction:
        """What each minor unit of the meter brings back for each minor unit staked."""
        return self.frequency * (self.prize.share or 0) / self.stake


class JackpotReturn(NamedTuple):
    """Per unit staked: what fixed prizes bring back, and what each minor unit of the meter adds."""

    fixed: Fraction
    per_meter_unit: Fraction

    def at(self, meter: Fraction) -> Fraction:
        """What comes back, the meter standing there at lock; what the bet feeds to the meter is not in it."""
        return self.fixed + meter * self.per_meter_unit

    def break_even(self) -> Fraction | None:
        """The meter, in minor units, at which the bet brings back what it takes; None where nothing hangs on it."""
        return (1 - self.fixed) / self.per_meter_unit if self.per_meter_unit else None

    def curve(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Twelve meters from zero to past the break-even, a round number apart, and the return at each; none where nothing
        hangs on the meter.
        """
        if not self.per_meter_unit:
            return ()
        break_even = self.break_even() or Fraction(0)
        step = _round_step((break_even if break_even > 0 else 1 / self.per_meter_unit) / (CURVE_POINTS - 2))
        return tuple((meter, self.at(meter)) for meter in (step * at for at in range(CURVE_POINTS)))


CURVE_POINTS: Final = 12


def _round_step(least: Fraction) -> Fraction:
    """The least of 1, 2, 2.5 or 5 times a power of ten that is not below `least`."""
    power = Fraction(1)
    while power * 10 <= least:
        power *= 10
    while power > least:
        power /= 10
    return next(power * times for times in (1, 2, Fraction(5, 2), 5, 10) if power * times >= least)


def six_card_counts(always: Tally) -> tuple[int, ...]:
    """How many of all six-card sets are worth each category, worst first: of each set, six are hand and upcard."""
    return tuple(count // 6 for count in always.raised.tolist())


def bonus_wins(profile: RuleProfile, always: Tally, best: Tally) -> tuple[BonusWin, ...] | None:
    """5+1 by category, best first; None where the profile has no such bet.

    `always`: a raise on everything. `best`: the play under which a fold may lose the bet.
    """
    if profile.bonus is None or profile.bonus_paytable is None:
        return None
    counts = (best if profile.bonus.after_fold is AfterFold.lost else always).raised.tolist()
    rows = ((category, profile.bonus_paytable.odds(category), counts[NUMBERS[category]]) for category in BEST_FIRST)
    return tuple(
        BonusWin(each, odds, Fraction(count, HANDS * UPCARDS)) for each, odds, count in rows if odds is not None
    )


def jackpot_wins(profile: RuleProfile, best: Tally) -> tuple[JackpotWin, ...] | None:
    """The jackpot by category, best first; None where there is none. `best`: the play under which a fold may lose it."""
    if profile.jackpot is None or profile.jackpot_paytable is None:
        return None
    deals = best.counts.sum(axis=1)
    if profile.jackpot.after_fold is AfterFold.lost:
        deals -= best.counts[:, FOLD]
    rows = ((category, profile.jackpot_paytable.prize(category), deals[NUMBERS[category]]) for category in BEST_FIRST)
    stake = profile.jackpot_stake
    return tuple(
        JackpotWin(each, prize, Fraction(int(count), DEALS), stake) for each, prize, count in rows if prize is not None
    )


def jackpot_return(wins: tuple[JackpotWin, ...]) -> JackpotReturn:
    """What the jackpot brings back, without what the bet feeds to the meter."""
    return JackpotReturn(
        sum((win.fixed for win in wins), Fraction(0)), sum((win.per_meter_unit for win in wins), Fraction(0))
    )
