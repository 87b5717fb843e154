"""The compiled part of the enumeration: every five cards ranked, and one sweep over the ranks.

The sweep goes from the worst rank to the best and keeps, for each set of up to five cards, how many hands of the ranks
passed hold that set. How many of them hold the upcard `u` and none of a player's five cards then follows by
inclusion and exclusion over the player's cards: the sum over their subsets S, of up to four cards, of
(-1)^|S| × the count of {u} ∪ S. A set's place among those of its size is its number in colexicographic order.
"""

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

HANDS: Final = 2_598_960
COMPLETIONS: Final = 163_185
UPCARDS: Final = 47
SUBSETS: Final = 31  # of five cards, without all five

Ints = NDArray[np.int64]


def binomials() -> Ints:
    """`[n, k]`: how many ways to choose k of n, n ≤ 52, k ≤ 6."""
    table = np.zeros((53, 7), np.int64)
    table[:, 0] = 1
    for n in range(1, 53):
        for k in range(1, 7):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


def subset_offsets() -> Ints:
    """Where the counts of sets of 0 … 5 cards begin in one flat array; the last entry is its length."""
    sizes = [0, 0, 52, 1326, 22100, 270725, HANDS]
    return np.cumsum(np.array(sizes, np.int64))


@njit(cache=True, nogil=True)
def ordinal_of(cards: Any, suited: Any, distinct: Any, paired: Any, weights: Any) -> Any:
    """The ordinal of five card numbers."""
    mask = 0
    total = 0
    same = True
    for at in range(5):
        rank = cards[at] >> 2
        mask |= 1 << rank
        total += weights[rank]
        same = same and (cards[at] & 3) == (cards[0] & 3)
    if same:
        return suited[mask]
    found = distinct[mask]
    # Ranks that differ are five bits; four or fewer mean an equal pair, though their mask may be another hand's.
    bits = mask
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return found if count == 5 else paired[total]


@njit(cache=True, nogil=True)
def rank_all(suited: Any, distinct: Any, paired: Any, weights: Any, cards: Any, ordinals: Any) -> None:
    """Every five cards in colexicographic order, and their ordinals."""
    at = 0
    for e in range(4, 52):
        for d in range(3, e):
            for c in range(2, d):
                for b in range(1, c):
                    for a in range(b):
                        hand = cards[at]
                        hand[0] = a
                        hand[1] = b
                        hand[2] = c
                        hand[3] = d
                        hand[4] = e
                        ordinals[at] = ordinal_of(hand, suited, distinct, paired, weights)
                        at += 1


@njit(cache=True, nogil=True)
def classes(cards: Any, members: Any, sizes: Any) -> int:
    """One hand of each class that exchanging suits leaves alike, and the class's size; how many classes there are."""
    found = 0
    ranks = np.zeros(4, np.int64)
    for at in range(len(cards)):
        ranks[:] = 0
        for card in cards[at]:
            ranks[card & 3] |= 1 << (card >> 2)
        if ranks[0] >= ranks[1] and ranks[1] >= ranks[2] and ranks[2] >= ranks[3]:
            size = 24
            alike = 1
            for suit in range(1, 4):
                alike = alike + 1 if ranks[suit] == ranks[suit - 1] else 1
                size //= alike
            members[found] = at
            sizes[found] = size
            found += 1
    return found


@njit(cache=True, nogil=True)
def by_ordinal(ordinals: Any, starts: Any, order: Any) -> None:
    """A counting sort: `order[starts[o]:starts[o + 1]]` are the places of ordinal o."""
    for ordinal in ordinals:
        starts[ordinal + 1] += 1
    for ordinal in range(len(starts) - 1):
        starts[ordinal + 1] += starts[ordinal]
    filled = starts.copy()
    for at in range(len(ordinals)):
        order[filled[ordinals[at]]] = at
        filled[ordinals[at]] += 1


@njit(cache=True, nogil=True)
def _disjoint(hand: Any, counts: Any, choose: Any, offsets: Any, signs: Any, out: Any) -> None:
    """For each upcard not in the hand: how many counted hands hold it and none of the hand's cards."""
    base = np.empty(SUBSETS, np.int64)
    place = np.empty(SUBSETS, np.int64)
    column = 0
    for gap in range(6):
        low = hand[gap - 1] + 1 if gap > 0 else 0
        high = hand[gap] if gap < 5 else 52
        if low >= high:
            continue
        for subset in range(SUBSETS):
            size = 0
            number = 0
            below = 0
            for at in range(5):
                if subset >> at & 1:
                    size += 1
                    if at < gap:
                        number += choose[hand[at], size]
                        below = size
                    else:
                        number += choose[hand[at], size + 1]
            base[subset] = offsets[size + 1] + number
            place[subset] = below + 1
        for upcard in range(low, high):
            total = 0
            for subset in range(SUBSETS):
                total += signs[subset] * counts[base[subset] + choose[upcard, place[subset]]]
            out[column] = total
            column += 1


@njit(cache=True, nogil=True)
def _count(hand: Any, counts: Any, choose: Any, offsets: Any) -> None:
    """One more hand passed: every set of cards it holds is held once more."""
    for subset in range(1, SUBSETS + 1):
        size = 0
        number = 0
        for at in range(5):
            if subset >> at & 1:
                size += 1
                number += choose[hand[at], size]
        counts[offsets[size] + number] += 1


@njit(cache=True, nogil=True)
def sweep(
    cards: Any, starts: Any, order: Any, members: Any, class_starts: Any, class_order: Any, choose: Any, offsets: Any,
    lowest_qualifying: int, part: int, parts: int, unqualified: Any, worse: Any, no_better: Any,
) -> None:  # fmt: skip
    """Fill, for each class of every `parts`-th from `part` on and each upcard, how many dealer's hands there are:

    `unqualified` below the qualifying rank, `worse` than the player's, `no_better` than his; the last two only for
    classes that would themselves qualify.
    """
    counts = np.zeros(offsets[len(offsets) - 1], np.int32)
    signs = np.ones(SUBSETS, np.int32)
    for subset in range(SUBSETS):
        bits = subset
        while bits:
            bits &= bits - 1
            signs[subset] = -signs[subset]
    for ordinal in range(7462, 0, -1):
        if ordinal == lowest_qualifying:
            for at in range(part, len(members), parts):
                _disjoint(cards[members[at]], counts, choose, offsets, signs, unqualified[at])
        if ordinal <= lowest_qualifying:
            for slot in range(class_starts[ordinal], class_starts[ordinal + 1]):
                at = class_order[slot]
                if at % parts == part:
                    _disjoint(cards[members[at]], counts, choose, offsets, signs, worse[at])
        for slot in range(starts[ordinal], starts[ordinal + 1]):
            _count(cards[order[slot]], counts, choose, offsets)
        if ordinal <= lowest_qualifying:
            for slot in range(class_starts[ordinal], class_starts[ordinal + 1]):
                at = class_order[slot]
                if at % parts == part:
                    _disjoint(cards[members[at]], counts, choose, offsets, signs, no_better[at])


@njit(cache=True, nogil=True)
def best_of_six(
    suited: Any, distinct: Any, paired: Any, weights: Any, category: Any, part: int, parts: int, counts: Any
) -> None:
    """Count the six-card sets by the category of their best five; every `parts`-th highest card from `part` on."""
    hand = np.zeros(5, np.int64)
    six = np.zeros(6, np.int64)
    for f in range(5 + part, 52, parts):
        for e in range(4, f):
            for d in range(3, e):
                for c in range(2, d):
                    for b in range(1, c):
                        for a in range(b):
                            six[0], six[1], six[2], six[3], six[4], six[5] = a, b, c, d, e, f
                            best = 7463
                            for left_out in range(6):
                                slot = 0
                                for at in range(6):
                                    if at != left_out:
                                        hand[slot] = six[at]
                                        slot += 1
                                ordinal = ordinal_of(hand, suited, distinct, paired, weights)
                                best = min(best, ordinal)
                            counts[category[best]] += 1
