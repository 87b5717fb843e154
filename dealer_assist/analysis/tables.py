"""Ranking tables as arrays: the same order of hands as `game.hands`, looked up by numbers instead of by cards.

A card's number is 4 × rank + suit, 0 (2c) … 51 (As). Five ranks that differ are looked up by their bit mask, suited or
not; five with an equal pair among them by a sum of weights that no two such sets of ranks share.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import Card
from dealer_assist.game.hands import Category, kinds_best_first

MASKS: Final = 1 << 13
# Each weight is the least that keeps all sums of up to four equal ranks apart.
WEIGHTS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUMS: Final = 4 * WEIGHTS[12] + WEIGHTS[11] + 1
_SUITED: Final = (Category.flush, Category.straight_flush, Category.royal_flush)


class RankTables(NamedTuple):
    """`suited` and `distinct`: ordinal by mask of ranks; `paired`: ordinal by sum of weights; `category`: by ordinal."""

    suited: NDArray[np.uint16]
    distinct: NDArray[np.uint16]
    paired: NDArray[np.uint16]
    weights: NDArray[np.int64]
    category: NDArray[np.int8]


def rank_tables() -> RankTables:
    """The tables, made from the one list of kinds that ranks hands at the table."""
    suited, distinct = np.zeros(MASKS, np.uint16), np.zeros(MASKS, np.uint16)
    paired, category = np.zeros(SUMS, np.uint16), np.zeros(7463, np.int8)
    numbers = {kind: number for number, kind in enumerate(Category)}
    for ordinal, (kind, ranks) in enumerate(kinds_best_first(), 1):
        category[ordinal] = numbers[kind]
        if len(set(ranks)) < len(ranks):
            paired[sum(WEIGHTS[rank] for rank in ranks)] = ordinal
        elif kind in _SUITED:
            suited[sum(1 << rank for rank in ranks)] = ordinal
        else:
            distinct[sum(1 << rank for rank in ranks)] = ordinal
    return RankTables(suited, distinct, paired, np.array(WEIGHTS, np.int64), category)


def number_of(card: Card) -> int:
    """A card's number, 0 … 51."""
    return 4 * card.rank + card.suit
