"""How simulated players decide: the audit's policies once more, hand by hand instead of class by class."""

from collections.abc import Sequence
from itertools import permutations
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.analysis.policies import AKJ83, JACK, KING, LOWEST_PAIR, QUEEN, optimal
from dealer_assist.analysis.ranking import ORDINALS
from dealer_assist.analysis.returns import Raises, payoffs
from dealer_assist.analysis.sweep import HANDS
from dealer_assist.game.hands import LOWEST_QUALIFYING
from dealer_assist.game.profile import RuleProfile

BY_VALUE, MATCHING_RANK, THREE_RULES = range(3)


class Strategy(NamedTuple):
    """Raises with `surely` or a better ordinal, never with one worse than `possibly`, and between them by a rule: by exact
    value, or by one for ace and king.
    """

    surely: int
    possibly: int
    rule: int = BY_VALUE


STRATEGIES: Final = {
    "optimal": Strategy(0, ORDINALS),
    "three rules": Strategy(LOWEST_PAIR, LOWEST_QUALIFYING, THREE_RULES),
    "matching rank": Strategy(LOWEST_PAIR, LOWEST_QUALIFYING, MATCHING_RANK),
    "AKJ83 or better": Strategy(AKJ83, AKJ83),
    "pair or better": Strategy(LOWEST_PAIR, LOWEST_PAIR),
    "ace and king or better": Strategy(LOWEST_QUALIFYING, LOWEST_QUALIFYING),
    "always raise": Strategy(ORDINALS, ORDINALS),
    "always fold": Strategy(0, 0),
}
"""By the names that the audit gives its policies."""


class Values(NamedTuple):
    """A policy hand by hand: `bounds` on what it surely and possibly raises, and of the hands between them `by_hand` `[hand]`, in
    colexicographic order: bit c set where it raises against upcard c.
    """

    bounds: Strategy
    by_hand: NDArray[np.uint64]


class Minds(NamedTuple):
    """Some strategies as numbers, each field by strategy. `by_hand` as in `Values`, empty where nobody goes by value;
    `choose` `[n, k]`: binomials.
    """

    surely: NDArray[np.int64]
    possibly: NDArray[np.int64]
    rules: NDArray[np.int64]
    by_hand: NDArray[np.uint64]
    choose: NDArray[np.int64]


def goes_by_value(strategy: Strategy) -> bool:
    """Whether a strategy can't be played without the exact values of hands."""
    return strategy.rule == BY_VALUE and strategy.surely < strategy.possibly


def minds(strategies: Sequence[Strategy], values: Values | None = None) -> Minds:
    """The numbers of these strategies; those that go by value need `values`."""
    found = [values.bounds if values and goes_by_value(each) else each for each in strategies]
    surely, possibly, rules = np.array(found, np.int64).T.copy()
    return Minds(surely, possibly, rules, values.by_hand if values else np.zeros(0, np.uint64), _binomials())


def _binomials() -> NDArray[np.int64]:
    return np.array([[comb(n, k) for k in range(6)] for n in range(53)], np.int64)


@njit(cache=True, nogil=True)
def decide(hands: Any, upcards: Any, ordinals: Any, playing: Any, minds: Any, raises: Any) -> None:
    """Fill `raises` [m]: what each of m hands [m, 5] of `ordinals` does when it sees `upcards`, as `playing` says which of the
    strategies in `minds` it plays by.
    """
    for at in range(len(hands)):
        mind = playing[at]
        if ordinals[at] <= minds.surely[mind] or ordinals[at] > minds.possibly[mind]:
            raises[at] = ordinals[at] <= minds.surely[mind]
        elif minds.rules[mind] == BY_VALUE:
            against = minds.by_hand[_place(hands[at], minds.choose)]
            raises[at] = against >> np.uint64(upcards[at]) & np.uint64(1) == np.uint64(1)
        else:
            ranks = 0
            for card in hands[at]:
                ranks |= 1 << (card >> 2)
            raises[at] = _ace_king(ranks, upcards[at] >> 2, minds.rules[mind])


@njit(cache=True, nogil=True)
def _ace_king(ranks: Any, up: Any, rule: Any) -> Any:
    """Whether to raise with ace, king and three lesser ranks, no two alike."""
    matches = ranks >> up & 1 == 1
    if rule == MATCHING_RANK:
        return matches
    queen, jack = ranks >> QUEEN & 1 == 1, ranks >> JACK & 1 == 1
    but_the_lowest = ranks & (ranks - 1)
    fourth = but_the_lowest & -but_the_lowest
    if up >= KING:
        return queen or jack
    return matches or (queen and 1 << up < fourth)


@njit(cache=True, nogil=True)
def _place(hand: Any, choose: Any) -> Any:
    """A hand's number among all, in colexicographic order."""
    number = 0
    for card in hand:
        lesser = 0
        for other in hand:
            lesser += other < card
        number += choose[card, lesser + 1]
    return number


def worth_raising(profile: RuleProfile) -> Values:
    """Optimal play, by exact enumeration of all deals."""
    deals = count_deals(profile.lowest_qualifying)
    return values(deals, optimal(payoffs(profile))(deals))


def values(deals: Deals, raises: Raises) -> Values:
    """A policy's grid `[class, upcard]` unfolded to single hands."""
    surely = deals.ordinals[~raises.all(axis=1)].min(initial=ORDINALS + 1) - 1
    possibly = deals.ordinals[raises.any(axis=1)].max(initial=0)
    between = (deals.ordinals > surely) & (deals.ordinals <= possibly)
    out, renamings = np.zeros(HANDS, np.uint64), np.array(list(permutations(range(4))), np.uint8)
    _unfold(deals.cards[between], raises[between], renamings, _binomials(), out)
    return Values(Strategy(int(surely), int(possibly)), out)


@njit(cache=True, nogil=True)
def _unfold(cards: Any, raises: Any, renamings: Any, choose: Any, out: Any) -> None:
    """Each class's hands are its one hand with the suits renamed in every way."""
    one_suit = np.uint64(0x1111111111111)
    for at in range(len(cards)):
        upcards, column = np.uint64(0), 0
        for upcard in range(52):
            if upcard in cards[at]:
                continue
            upcards |= np.uint64(raises[at, column]) << np.uint64(upcard)
            column += 1
        for names in renamings:
            renamed = np.uint64(0)
            for suit in range(4):
                renamed |= (upcards >> np.uint64(suit) & one_suit) << np.uint64(names[suit])
            hand = cards[at] >> 2 << 2 | names[cards[at] & 3]
            out[_place(hand, choose)] = renamed
