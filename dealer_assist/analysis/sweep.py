"""The compiled part of the enumeration: for each class of hands and each upcard, the dealer's hands counted by kind.

How many of the dealer's hands of one kind leave a player's cards alone hangs on little. Were suits of no matter it would
hang on ranks alone: of each rank the dealer takes some of the cards that the player leaves, so the number of his hands is
a product of binomials, the same for every hand of the player's kind and every upcard of one rank. Suits matter in one way
only: five different ranks in one suit are a flush, not the high card or straight that the product counts. Whether
such a hand is the dealer's hangs on the upcard's suit and on the player's ranks in it, and a table by both is kept:
`[mask of the player's ranks in the upcard's suit, rank of the upcard]`, the hands of one suit that rank as wanted, less
those whose ranks would without their suit.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from dealer_assist.analysis.ranking import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
)

HANDS: Final = 2_598_960
COMPLETIONS: Final = 163_185
UPCARDS: Final = 47

FOLD, UNQUALIFIED, WIN, TIE, LOSE = range(5)
"""The outcomes of ante and raise; the last four are a raising player's."""


@njit(cache=True, nogil=True)
def _suits_of(hand: Any, held: Any) -> None:
    """The mask of ranks that the hand holds in each suit."""
    held[:] = 0
    for card in hand:
        held[card & 3] |= 1 << (card >> 2)


@njit(cache=True, nogil=True)
def _pass(mask: Any, suited: Any, flushes: Any) -> None:
    """One more kind of five different ranks is of those wanted."""
    others = 0x1FFF ^ mask
    step = 1 if suited else -1
    held = others
    while True:  # every set of ranks beside the kind's own
        for rank in range(13):
            if mask >> rank & 1:
                flushes[held, rank] += step
        if held == 0:
            return
        held = (held - 1) & others


@njit(cache=True, nogil=True)
def _products(slots: Any, first: int, last: int, ways: Any, left: Any, hands: Any) -> None:
    """Count the hands of the unsuited kinds `first` … `last - 1` that hold a card, suits aside: `hands` by the card's rank.

    `slots` `[kind, 5]`: 5 × rank + times. `ways` by slot: how many ways to take so many of what the player leaves of a rank.
    `left`: how many he leaves.
    """
    by_slot = np.zeros(65, np.int64)
    for kind in range(first, last):
        a, b, c, d, e = slots[kind, 0], slots[kind, 1], slots[kind, 2], slots[kind, 3], slots[kind, 4]
        count = ways[a] * ways[b] * ways[c] * ways[d] * ways[e]
        by_slot[a] += count
        by_slot[b] += count
        by_slot[c] += count
        by_slot[d] += count
        by_slot[e] += count
    for rank in range(13):
        held = 0
        for times in range(1, 5):
            held += times * by_slot[5 * rank + times]
        hands[rank] = held // left[rank] if left[rank] else 0  # each card of the rank lies in as many of them


@njit(cache=True, nogil=True)
def _fill(cards: Any, hands: Any, flushes: Any, held: Any, out: Any) -> None:
    """The dealer's hands of some kinds, upcard by upcard: the product's, and what suits add or take."""
    _suits_of(cards, held)
    column = 0
    for upcard in range(52):
        rank, suit = upcard >> 2, upcard & 3
        if not held[suit] >> rank & 1:
            out[column] = hands[rank] + flushes[held[suit], rank]
            column += 1


@njit(cache=True, nogil=True)
def _of_kind(ranks: Any, times: Any, suited: Any, ways: Any, hands: Any) -> None:
    """Count the hands of one kind that hold a card and leave such a hand of the player's alone: `hands` by its rank."""
    hands[:] = 0
    for at in range(5):
        if not times[at] or times[at] > 2:
            continue  # of a rank that occurs three times, too few are left
        hands[ranks[at]] = 1
        for other in range(5):
            if other != at and not suited:
                hands[ranks[at]] *= ways[5 * ranks[other] + times[other]]


@njit(cache=True, nogil=True)
def _fill_ties(cards: Any, flush: int, hands: Any, held: Any, out: Any) -> None:
    """The dealer's hands of the player's own kind, upcard by upcard; `flush` of them are one where he may hold it suited."""
    _suits_of(cards, held)
    column = 0
    for upcard in range(52):
        rank, suit = upcard >> 2, upcard & 3
        if not held[suit] >> rank & 1:
            out[column] = hands[rank] - (flush if hands[rank] and not held[suit] else 0)
            column += 1


@njit(cache=True, nogil=True)
def sweep(
    ranks: Any, times: Any, masks: Any, suited: Any, slots: Any, before: Any, starts: Any, cards: Any, choose: Any,
    lowest: int, part: int, parts: int, unqualified: Any, win: Any, tie: Any,
) -> None:  # fmt: skip
    """Fill `[class, upcard]` for the classes of every `parts`-th kind from `part` on.

    `unqualified`: hands below the ordinal `lowest`. `win`, `tie`: hands from there up that are worse than the player's, or
    of his kind. `before`: how many unsuited kinds, those of `slots`, come before each kind. `starts`: where each kind's
    classes begin. `choose` `[n, k]`: binomials.
    """
    below, worse = np.zeros((8192, 13), np.int16), np.zeros((8192, 13), np.int16)
    ways, left = np.zeros(65, np.int64), np.zeros(13, np.int64)
    hands, held = np.zeros(13, np.int64), np.zeros(4, np.int64)
    for kind in range(7462, lowest, -1):
        if times[kind, 4]:
            _pass(masks[kind], suited[kind], below)
    for kind in range(7462, 0, -1):
        if kind % parts == part:
            left[:] = 4
            for at in range(5):
                left[ranks[kind, at]] -= times[kind, at]
            for slot in range(65):
                ways[slot] = choose[left[slot // 5], slot % 5]
            _products(slots, before[lowest + 1], len(slots), ways, left, hands)
            for at in range(starts[kind], starts[kind + 1]):
                _fill(cards[at], hands, below, held, unqualified[at])
            if kind <= lowest:
                _products(slots, before[kind + 1], before[lowest + 1], ways, left, hands)
                for at in range(starts[kind], starts[kind + 1]):
                    _fill(cards[at], hands, worse, held, win[at])
                _of_kind(ranks[kind], times[kind], suited[kind], ways, hands)
                flush = 1 if times[kind, 4] and not suited[kind] else 0
                for at in range(starts[kind], starts[kind + 1]):
                    _fill_ties(cards[at], flush, hands, held, tie[at])
        if kind <= lowest and times[kind, 4]:
            _pass(masks[kind], suited[kind], worse)


@njit(cache=True, nogil=True)
def best_of_six(cards: Any, starts: Any, ranks: Any, times: Any, runs: Any, out: Any) -> None:
    """The category of the best five of each class's hand and each upcard.

    `runs` `[mask of ranks]`: 1 where five ranks follow one another, 2 where they are ten to ace.
    """
    counts, held, by_rank = np.zeros(13, np.int64), np.zeros(4, np.int64), np.zeros(13, np.int64)
    for kind in range(1, 7463):
        counts[:] = 0
        for at in range(5):
            counts[ranks[kind, at]] += times[kind, at]
        for rank in range(13):
            counts[rank] += 1
            by_rank[rank] = _by_ranks(counts, runs)
            counts[rank] -= 1
        for at in range(starts[kind], starts[kind + 1]):
            _suits_of(cards[at], held)
            flush = 0
            for suit in range(4):
                flush = max(flush, _by_suit(held[suit], runs))
            column = 0
            for upcard in range(52):
                rank, suit = upcard >> 2, upcard & 3
                if not held[suit] >> rank & 1:
                    out[at, column] = max(by_rank[rank], flush, _by_suit(held[suit] | 1 << rank, runs))
                    column += 1


@njit(cache=True, nogil=True)
def _by_ranks(counts: Any, runs: Any) -> int:
    """The number of the best category that so many cards of each rank make, suits aside."""
    most = second = mask = 0
    for rank in range(13):
        if counts[rank]:
            mask |= 1 << rank
        if counts[rank] > most:
            most, second = counts[rank], most
        elif counts[rank] > second:
            second = counts[rank]
    if most == 4:
        return QUADS
    if most == 3 and second >= 2:
        return FULL_HOUSE
    if runs[mask]:
        return STRAIGHT
    if most == 3:
        return TRIPS
    if most == 2:
        return TWO_PAIR if second == 2 else PAIR
    return HIGH_CARD


@njit(cache=True, nogil=True)
def _by_suit(mask: Any, runs: Any) -> Any:
    """The number of the best category of one suit's ranks: flush, straight flush, royal; 0 where they are too few."""
    if runs[mask]:
        return ROYAL_FLUSH if runs[mask] == 2 else STRAIGHT_FLUSH
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return FLUSH if count >= 5 else HIGH_CARD


@njit(cache=True, nogil=True)
def worth_raising(categories: Any, unqualified: Any, win: Any, tie: Any, units: Any, fold: int, raises: Any) -> None:
    """Where raising brings more than `fold` an ante: `raises` `[class, upcard]`, from `units` `[category, outcome]`."""
    for at in range(len(categories)):
        own = units[categories[at]]
        # What a deal brings beyond losing all; a raise is worth it where the sum is more than a fold's.
        first, second, third = own[UNQUALIFIED] - own[LOSE], own[WIN] - own[LOSE], own[TIE] - own[LOSE]
        least = (fold - own[LOSE]) * COMPLETIONS
        for up in range(UPCARDS):
            raises[at, up] = unqualified[at, up] * first + win[at, up] * second + tie[at, up] * third > least


@njit(cache=True, nogil=True)
def tally(
    sizes: Any, categories: Any, unqualified: Any, win: Any, tie: Any, six: Any, raises: Any, counts: Any, raised: Any
) -> None:
    """Add up the deals by category and outcome, and the raised hands and upcards by the category of the best of six."""
    for at in range(len(sizes)):
        size = sizes[at]
        own = counts[categories[at]]
        first = second = third = times = 0
        for up in range(UPCARDS):
            if raises[at, up]:
                first += unqualified[at, up]
                second += win[at, up]
                third += tie[at, up]
                times += 1
                raised[six[at, up]] += size
        own[FOLD] += size * (UPCARDS - times) * COMPLETIONS
        own[UNQUALIFIED] += size * first
        own[WIN] += size * second
        own[TIE] += size * third
        own[LOSE] += size * (times * COMPLETIONS - first - second - third)


@njit(cache=True, nogil=True)
def by_upcard(
    cards: Any, ordinals: Any, sizes: Any, unqualified: Any, win: Any, tie: Any, raises: Any, sums: Any
) -> None:
    """Add up hands and upcards by the hand's ordinal and the upcard's rank: `sums` `[ordinal, rank, which]`.

    Which: all, those raised, and the completions by `unqualified`, `win` and `tie`.
    """
    held = np.zeros(4, np.int64)
    for at in range(len(cards)):
        _suits_of(cards[at], held)
        own, size, up = sums[ordinals[at]], sizes[at], 0
        for upcard in range(52):
            if not held[upcard & 3] >> (upcard >> 2) & 1:
                cell = own[upcard >> 2]
                cell[0] += size
                cell[1] += size * raises[at, up]
                cell[2] += size * unqualified[at, up]
                cell[3] += size * win[at, up]
                cell[4] += size * tie[at, up]
                up += 1
