"""The exact returns of 5+1 and the jackpot, which hang on no decision but a fold."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.deals import THREADS, Deals
from dealer_assist.analysis.returns import Raises
from dealer_assist.analysis.sweep import HANDS, UPCARDS
from dealer_assist.analysis.tables import rank_tables
from dealer_assist.game.hands import Category
from dealer_assist.game.money import Money
from dealer_assist.game.profile import AfterFold, Jackpot, PrizeTable, RuleProfile

SIX_CARD_SETS: Final = 20_358_520


class JackpotReturn(NamedTuple):
    """Per unit staked: what fixed prizes bring back, and what each minor unit of the meter adds."""

    fixed: Fraction
    per_meter_unit: Fraction

    def break_even(self) -> Fraction | None:
        """The meter, in minor units, at which the bet brings back what it takes; None where nothing hangs on it."""
        return (1 - self.fixed) / self.per_meter_unit if self.per_meter_unit else None


def six_card_counts() -> NDArray[np.int64]:
    """How many of all six-card sets are worth each category, worst first."""
    tables = rank_tables()
    counts = np.zeros((THREADS, len(Category)), np.int64)

    def part(number: int) -> None:
        compiled.best_of_six(
            tables.suited,
            tables.distinct,
            tables.paired,
            tables.weights,
            tables.category,
            number,
            THREADS,
            counts[number],
        )

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(part, range(THREADS)))
    total: NDArray[np.int64] = counts.sum(axis=0)
    return total


def bonus_return(profile: RuleProfile) -> Fraction | None:
    """What 5+1 brings back for each unit; None where the profile has no such bet or a fold loses it."""
    if profile.bonus is None or profile.bonus_paytable is None:
        return None
    if profile.bonus.after_fold is AfterFold.lost:
        return None  # it then hangs on the fold, and the six cards on the decision
    back = Fraction(0)
    for category, count in zip(Category, six_card_counts().tolist(), strict=True):
        odds = profile.bonus_paytable.odds(category)
        if odds is not None:
            back += count * (1 + Fraction(odds.to, odds.per))
    return back / SIX_CARD_SETS


def jackpot_return(profile: RuleProfile, raises: Raises, deals: Deals) -> JackpotReturn | None:
    """What the jackpot brings back, without what the bet feeds to the meter; None where there is none."""
    if profile.jackpot is None or profile.jackpot_paytable is None:
        return None
    chances = _chances(profile.jackpot, raises, deals)
    return _weighed(profile.jackpot_paytable, chances, profile.jackpot_stake)


def _chances(jackpot: Jackpot, raises: Raises, deals: Deals) -> list[Fraction]:
    """How often a hand of each category plays for the jackpot: always, or where it raised."""
    sizes = deals.sizes.astype(np.int64)
    stands = np.full(len(sizes), UPCARDS) if jackpot.after_fold is AfterFold.stand else raises.sum(axis=1)
    counts = np.zeros(len(Category), np.int64)
    np.add.at(counts, deals.categories, stands * sizes)
    return [Fraction(count, HANDS * UPCARDS) for count in counts.tolist()]


def _weighed(table: PrizeTable, chances: list[Fraction], stake: Money) -> JackpotReturn:
    fixed = share = Fraction(0)
    for category, chance in zip(Category, chances, strict=True):
        prize = table.prize(category)
        if prize is not None and prize.fixed is not None:
            fixed += chance * prize.fixed
        elif prize is not None and prize.share is not None:
            share += chance * prize.share
    return JackpotReturn(fixed / stake, share / stake)
