"""Hands ranked by the hundred million: the order of hands built anew from card counts, and looked up by sums.

Nothing here is shared with `game.hands`: the two are written apart so that each can prove the other.

A card's number is 4 × rank + suit, 0 (2c) … 51 (As). Each rank has a weight such that no two sets of five ranks add up
to the same; the sum of a hand's weights is its place in one table. Of its 7.5 million places 6,175 are used, so that a
core's own cache holds all that is ever touched. Five cards of one suit are looked up by the mask of their ranks.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

CATEGORIES: Final = (
    "high_card", "pair", "two_pair", "trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal_flush",
)  # fmt: skip
"""Worst first: a category's number is its place here."""

HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)
ORDINALS: Final = 7462

WEIGHTS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""By rank; each is the least that keeps all sums of five ranks, at most four of them alike, apart."""

_LARGEST_SUM: Final = 4 * WEIGHTS[12] + WEIGHTS[11]
_SHAPES: Final = {(4, 1): QUADS, (3, 2): FULL_HOUSE, (3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR, (2, 1, 1, 1): PAIR}
_WHEEL: Final = (12, 3, 2, 1, 0)


class Ranking(NamedTuple):
    """`keys` [52]: a card's weight; `by_sum`: ordinals by the sum of five keys; `suited` [8192]: by the mask of five ranks.

    `category` [7463] by ordinal, 1 (royal) … 7462.
    """

    keys: NDArray[np.int64]
    by_sum: NDArray[np.uint16]
    suited: NDArray[np.uint16]
    category: NDArray[np.int8]


@cache
def ranking() -> Ranking:
    """The tables, from nothing but the rules of poker; made once a process."""
    kinds = sorted(_kinds(), reverse=True)
    assert len(kinds) == ORDINALS
    by_sum, suited = np.zeros(_LARGEST_SUM + 1, np.uint16), np.zeros(1 << 13, np.uint16)
    category = np.zeros(ORDINALS + 1, np.int8)
    for ordinal, (number, _, ranks, same_suit) in enumerate(kinds, 1):
        category[ordinal] = number
        if same_suit:
            suited[sum(1 << rank for rank in ranks)] = ordinal
        else:
            by_sum[sum(WEIGHTS[rank] for rank in ranks)] = ordinal
    return Ranking(np.repeat(np.array(WEIGHTS, np.int64), 4), by_sum, suited, category)


def _kinds() -> list[tuple[int, tuple[int, ...], tuple[int, ...], bool]]:
    """Every kind of hand: category, ranks in the order they are compared, ranks, whether of one suit."""
    kinds: list[tuple[int, tuple[int, ...], tuple[int, ...], bool]] = []
    for ranks in combinations_with_replacement(range(12, -1, -1), 5):
        counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
        shape, compared = tuple(count for count, _ in counts), tuple(rank for _, rank in counts)
        if shape in _SHAPES:
            kinds.append((_SHAPES[shape], compared, ranks, False))
    for ranks in combinations(range(12, -1, -1), 5):
        runs = ranks[0] - ranks[4] == 4 or ranks == _WHEEL
        compared = ranks[1:] if ranks == _WHEEL else ranks
        straight_flush = ROYAL_FLUSH if ranks[4] == 8 else STRAIGHT_FLUSH
        kinds.append((STRAIGHT if runs else HIGH_CARD, compared, ranks, False))
        kinds.append((straight_flush if runs else FLUSH, compared, ranks, True))
    return kinds


@njit(inline="always")
def of_one_suit(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """Whether five cards are of one suit."""
    return (a ^ b | a ^ c | a ^ d | a ^ e) & 3 == 0


@njit(inline="always")
def mask_of(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    """The mask of five cards' ranks."""
    return 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2) | 1 << (e >> 2)


@njit(cache=True, nogil=True)
def _rank(hands: Any, keys: Any, by_sum: Any, suited: Any, out: Any) -> None:
    for at in range(len(hands)):
        a, b, c, d, e = hands[at, 0], hands[at, 1], hands[at, 2], hands[at, 3], hands[at, 4]
        # Stored first and overwritten in one hand of 500: the compiler then keeps the loop free of a choice.
        out[at] = by_sum[keys[a] + keys[b] + keys[c] + keys[d] + keys[e]]
        if of_one_suit(a, b, c, d, e):
            out[at] = suited[mask_of(a, b, c, d, e)]


def rank_hands(hands: NDArray[np.uint8], tables: Ranking) -> NDArray[np.uint16]:
    """The ordinals, 1 (royal) … 7462, of hands `[n, 5]` of card numbers, five different ones each."""
    out = np.empty(len(hands), np.uint16)
    _rank(hands, tables.keys, tables.by_sum, tables.suited, out)
    return out
