"""All 19,933,230,517,200 deals of a player, an upcard and four hole cards, as counts by class of hand and upcard.

They do not depend on what any sheet pays, only on the dealer's lowest qualifying hand: every profile shares them.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.sweep import COMPLETIONS, HANDS, UPCARDS
from dealer_assist.analysis.tables import RankTables, rank_tables

CLASSES: Final = 134_459
DEALS: Final = HANDS * UPCARDS * COMPLETIONS
THREADS: Final = 2


class Deals(NamedTuple):
    """`[class, upcard]` counts over the 163,185 ways to complete the dealer's hand; upcards ascending, the hand's left out.

    `cards` `[class, 5]`: one hand of each class, ascending; `sizes`: how many hands a class has; `ordinals`, `categories`
    of the classes. `win`, `tie`, `lose` only where the dealer qualifies.
    """

    cards: NDArray[np.uint8]
    sizes: NDArray[np.int32]
    ordinals: NDArray[np.uint16]
    categories: NDArray[np.int8]
    unqualified: NDArray[np.int32]
    win: NDArray[np.int32]
    tie: NDArray[np.int32]
    lose: NDArray[np.int32]


def count_deals(lowest_qualifying: int) -> Deals:
    """Enumerate every deal. `lowest_qualifying`: the worst ordinal with which the dealer plays."""
    tables = rank_tables()
    cards, ordinals = _all_hands(tables)
    starts, order = _sorted(ordinals)
    members, sizes = _classes(cards)
    class_ordinals = ordinals[members]
    class_starts, class_order = _sorted(class_ordinals)
    unqualified, worse, no_better = (np.zeros((len(members), UPCARDS), np.int32) for _ in range(3))
    choose, offsets = compiled.binomials(), compiled.subset_offsets()

    def part(number: int) -> None:
        compiled.sweep(
            cards, starts, order, members, class_starts, class_order, choose, offsets,
            lowest_qualifying, number, THREADS, unqualified, worse, no_better,
        )  # fmt: skip

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(part, range(THREADS)))
    plays = (class_ordinals <= lowest_qualifying)[:, np.newaxis]
    win = np.where(plays, worse - unqualified, 0).astype(np.int32)
    tie = np.where(plays, no_better - worse, 0).astype(np.int32)
    lose = COMPLETIONS - unqualified - win - tie
    categories = tables.category[class_ordinals]
    return Deals(cards[members], sizes, class_ordinals, categories, unqualified, win, tie, lose)


def _all_hands(tables: RankTables) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    cards, ordinals = np.empty((HANDS, 5), np.uint8), np.empty(HANDS, np.uint16)
    compiled.rank_all(tables.suited, tables.distinct, tables.paired, tables.weights, cards, ordinals)
    return cards, ordinals


def _sorted(ordinals: NDArray[np.uint16]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    starts, order = np.zeros(7464, np.int64), np.empty(len(ordinals), np.int32)
    compiled.by_ordinal(ordinals, starts, order)
    return starts, order


def _classes(cards: NDArray[np.uint8]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    members, sizes = np.empty(CLASSES, np.int32), np.empty(CLASSES, np.int32)
    found = compiled.classes(cards, members, sizes)
    assert found == CLASSES
    return members, sizes
