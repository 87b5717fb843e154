"""Optimal play as a table to read: own hand by the rank of the dealer's upcard.

Hands that rank side by side and are played alike against every upcard share a row; a pair or better and a high card never
do. A cell may still be raised in part:
suits matter, for an own card of the dealer's suit takes a flush from him.
"""

from functools import cache
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.classes import NUMBERS
from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.analysis.policies import optimal
from dealer_assist.analysis.returns import Payoffs, payoffs
from dealer_assist.analysis.sweep import COMPLETIONS, FOLD, HANDS, LOSE, TIE, UNQUALIFIED, UPCARDS, WIN
from dealer_assist.game.cards import RANKS, parse_cards
from dealer_assist.game.hands import WORST_ORDINAL, Category, category_of, kinds_best_first, rank_five
from dealer_assist.game.profile import RuleProfile

Sums = NDArray[np.int64]
"""`[ordinal, rank of the upcard, which]`, as `sweep.by_upcard` fills them."""


class StrategyCell(msgspec.Struct, frozen=True):
    """One row against one rank. `cases`: hands with upcards, `raised_cases` of them raised, `raised` their share.

    `gain`: what raising brings beyond folding, in antes, on average. None where no case is.
    """

    cases: int
    raised_cases: int
    raised: float | None
    gain: float | None


class StrategyRow(msgspec.Struct, frozen=True):
    """The hands of ordinals from `best` to `worst`. `frequency`: their share of all hands; `cells`: upcard deuce to ace."""

    label: str
    best: int
    worst: int
    frequency: float
    cells: tuple[StrategyCell, ...]


class StrategyGrid(msgspec.Struct, frozen=True):
    """Optimal play of one profile. `upcards`: the columns' ranks, deuce to ace; rows best first."""

    profile: str
    reading: str | None
    upcards: tuple[str, ...]
    rows: tuple[StrategyRow, ...]


def strategy_grid(profile: RuleProfile, deals: Deals | None = None) -> StrategyGrid:
    """Where optimal play raises, and how much it gains. `deals` as for `audit`. Raises: BadSetting, as `payoffs`."""
    deals = deals or count_deals(profile.lowest_qualifying)
    pay = payoffs(profile)
    sums = np.zeros((WORST_ORDINAL + 1, 13, 5), np.int64)
    compiled.by_upcard(
        deals.cards, deals.ordinals, deals.sizes, deals.unqualified, deals.win, deals.tie, optimal(pay)(deals), sums
    )
    gains = _gains(sums, pay)
    rows = tuple(_row(sums, gains, best, worst) for best, worst in _alike(sums))
    return StrategyGrid(profile.id, profile.reading, tuple(RANKS), rows)


def _gains(sums: Sums, pay: Payoffs) -> NDArray[np.float64]:
    """`[ordinal, rank]`: what raising all cases brings beyond folding them, in antes times completions."""
    of_kind = [NUMBERS[category_of(max(ordinal, 1))] for ordinal in range(len(sums))]
    units = (pay.units / pay.scale)[of_kind, np.newaxis]
    lost = units[:, :, LOSE] - units[:, :, FOLD]
    better = units[:, :, [UNQUALIFIED, WIN, TIE]] - units[:, :, [LOSE]]
    found: NDArray[np.float64] = sums[:, :, 0] * COMPLETIONS * lost + (sums[:, :, 2:] * better).sum(axis=2)
    return found


def _alike(sums: Sums) -> list[tuple[int, int]]:
    """The longest runs of ordinals that are always, never or partly raised against the same ranks, pairs and up apart."""
    cases, raised = sums[:, :, 0], sums[:, :, 1]
    played = np.where(cases == 0, _NO_CASE, np.where(raised == 0, 0, np.where(raised == cases, 2, 1))).tolist()
    runs, first, pattern = [], 1, played[1]
    for ordinal in range(2, WORST_ORDINAL + 1):
        own = played[ordinal]
        if own == pattern and ordinal != _BEST_HIGH_CARD:
            continue
        if ordinal != _BEST_HIGH_CARD and all(a == b or _NO_CASE in (a, b) for a, b in zip(own, pattern, strict=True)):
            pattern = [max(a, b) for a, b in zip(own, pattern, strict=True)]
        else:
            runs.append((first, ordinal - 1))
            first, pattern = ordinal, own
    return [*runs, (first, WORST_ORDINAL)]


_NO_CASE: Final = -1
_BEST_HIGH_CARD: Final = rank_five(parse_cards("As Kd Qh Jc 9s"))


def _row(sums: Sums, gains: NDArray[np.float64], best: int, worst: int) -> StrategyRow:
    cases, raised = (sums[best : worst + 1, :, which].sum(axis=0).tolist() for which in (0, 1))
    gained = gains[best : worst + 1].sum(axis=0).tolist()
    cells = tuple(
        StrategyCell(all_of, some, some / all_of if all_of else None, gain / (all_of * COMPLETIONS) if all_of else None)
        for all_of, some, gain in zip(cases, raised, gained, strict=True)
    )
    return StrategyRow(_label(best, worst), best, worst, sum(cases) / (HANDS * UPCARDS), cells)


# --- names of hands --------------------------------------------------------------------------------------------------

_WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip


@cache
def _kinds() -> tuple[tuple[Category, tuple[int, ...]], ...]:
    return tuple(kinds_best_first())


def _label(best: int, worst: int) -> str:
    if best == worst:
        return _name(best)
    if best == 1:
        last_of_its_name = worst == WORST_ORDINAL or _main(worst) != _main(worst + 1)
        return (
            "every hand"
            if worst == WORST_ORDINAL
            else f"{_main(worst) if last_of_its_name else _name(worst)} or better"
        )
    return f"{_name(best)} or worse" if worst == WORST_ORDINAL else f"{_name(best)} to {_name(worst)}"


def _name(ordinal: int) -> str:
    """A kind of hand with all its ranks, such as "pair of twos, K-Q-J"."""
    category, ranks = _kinds()[ordinal - 1]
    kickers = ranks[_KICKERS.get(category, len(ranks)) :]
    return f"{_main(ordinal)}, {_dashed(kickers)}" if kickers else _main(ordinal)


_KICKERS: Final = {Category.quads: 4, Category.trips: 3, Category.two_pair: 4, Category.pair: 2}
"""Where the ranks that no name tells begin."""


def _main(ordinal: int) -> str:
    """A kind of hand without its kickers."""
    category, ranks = _kinds()[ordinal - 1]
    first, other = _WORDS[ranks[0]], _plural(ranks[-2 if category is Category.full_house else 2])
    match category:
        case Category.high_card:
            return _dashed(ranks)
        case Category.pair:
            return f"pair of {_plural(ranks[0])}"
        case Category.two_pair:
            return f"{_plural(ranks[0])} and {other}"
        case Category.trips:
            return f"three {_plural(ranks[0])}"
        case Category.straight | Category.straight_flush:
            return f"{first}-high {category.replace('_', ' ')}"
        case Category.flush:
            return f"flush {_dashed(ranks)}"
        case Category.full_house:
            return f"{_plural(ranks[0])} full of {other}"
        case Category.quads:
            return f"four {_plural(ranks[0])}"
        case Category.royal_flush:
            return "royal flush"


def _plural(rank: int) -> str:
    return _WORDS[rank] + ("es" if _WORDS[rank] == "six" else "s")


def _dashed(ranks: tuple[int, ...]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)
