"""All 19,933,230,517,200 deals of a player, an upcard and four hole cards, as counts by class of hand and upcard.

They do not depend on what any sheet pays, only on the dealer's lowest qualifying hand: every profile shares them.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.classes import all_classes, all_kinds
from dealer_assist.analysis.sweep import COMPLETIONS, HANDS, UPCARDS

DEALS: Final = HANDS * UPCARDS * COMPLETIONS
THREADS: Final = 2


@dataclass(frozen=True, eq=False, slots=True)
class Deals:
    """`[class, upcard]` counts over the 163,185 ways to complete the dealer's hand; upcards ascending, the hand's left out.

    `cards` `[class, 5]`: one hand of each class; `sizes`: how many hands a class has; `ordinals`, `categories`
    of the classes. `win`, `tie`: the dealer qualifies and is beaten, or tied; in all other deals he wins.
    `six`: the category of the best five of the hand and the upcard. Categories are numbered worst first.
    """

    cards: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    ordinals: NDArray[np.uint16]
    categories: NDArray[np.int8]
    unqualified: NDArray[np.int32]
    win: NDArray[np.int32]
    tie: NDArray[np.uint8]
    six: NDArray[np.int8]


def count_deals(lowest_qualifying: int) -> Deals:
    """Enumerate every deal. `lowest_qualifying`: the worst ordinal with which the dealer plays."""
    kinds = all_kinds()
    classes = all_classes(kinds)
    starts = np.searchsorted(classes.ordinals, np.arange(len(kinds.masks) + 1))
    shape = len(classes.cards), UPCARDS
    unqualified, win = np.empty(shape, np.int32), np.zeros(shape, np.int32)
    tie, six = np.zeros(shape, np.uint8), np.empty(shape, np.int8)
    unsuited = ~kinds.suited
    unsuited[0] = False
    slots, before = (5 * kinds.ranks + kinds.times)[unsuited], np.append(np.cumsum(unsuited) - unsuited, unsuited.sum())
    choose = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.int64)
    with ThreadPoolExecutor(THREADS) as pool:
        done = [
            pool.submit(
                compiled.sweep, kinds.ranks, kinds.times, kinds.masks, kinds.suited, slots, before, starts,
                classes.cards, choose,
                lowest_qualifying, part, THREADS, unqualified, win, tie,
            )
            for part in range(THREADS)
        ]  # fmt: skip
        done.append(pool.submit(compiled.best_of_six, classes.cards, starts, kinds.ranks, kinds.times, _runs(), six))
        for each in done:
            each.result()
    categories = kinds.categories[classes.ordinals]
    return Deals(classes.cards, classes.sizes, classes.ordinals, categories, unqualified, win, tie, six)


def _runs() -> NDArray[np.int8]:
    """By mask of ranks: 1 where five follow one another, 2 where those are ten to ace."""
    masks = np.arange(1 << 13)
    found = np.zeros(1 << 13, np.int8)
    for straight in [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]:
        found[masks & straight == straight] = 1 + (straight == 0b11111 << 8)
    return found
