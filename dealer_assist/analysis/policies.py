"""Ways to play: where each raises, and what comes of the ones that no paytable changes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import sweep as compiled
from dealer_assist.analysis.deals import THREADS, Deals
from dealer_assist.analysis.returns import Payoffs, Raises, Tally, tally
from dealer_assist.analysis.sweep import FOLD, UPCARDS
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_five

Policy = Callable[[Deals], Raises]
Ranks = NDArray[np.uint8]

ACE, KING, QUEEN, JACK = 12, 11, 10, 9
"""Ranks as numbers."""

LOWEST_PAIR: Final = rank_five(parse_cards("2s 2d 3c 4h 5s"))
AKJ83: Final = rank_five(parse_cards("As Kd Jc 8h 3s"))


def optimal(pay: Payoffs) -> Policy:
    """Raise where it is worth more than a fold."""

    def raises(deals: Deals) -> Raises:
        found = np.empty(deals.unqualified.shape, np.bool_)
        fold = int(pay.units[0, FOLD])
        compiled.worth_raising(deals.categories, deals.unqualified, deals.win, deals.tie, pay.units, fold, found)
        return found

    return raises


def at_least(ordinal: int) -> Policy:
    """Raise with this hand or better, whatever the upcard."""

    def raises(deals: Deals) -> Raises:
        return np.broadcast_to((deals.ordinals <= ordinal)[:, np.newaxis], deals.unqualified.shape)

    return raises


def always(deals: Deals) -> Raises:
    """Raise blind."""
    return np.ones(deals.unqualified.shape, np.bool_)


def never(deals: Deals) -> Raises:
    """Fold blind."""
    return np.zeros(deals.unqualified.shape, np.bool_)


def matching_rank(deals: Deals) -> Raises:
    """A pair or better; or ace and king with an upcard whose rank one holds."""
    return _ace_king_where(deals, lambda ranks, up: (ranks[:, :, np.newaxis] == up[:, np.newaxis, :]).any(axis=1))


def three_rules(deals: Deals) -> Raises:
    """A pair or better; or ace and king and one of three: an upcard from deuce to queen whose rank one holds; an ace or
    king upcard and a queen or jack in hand; an upcard whose rank one does not hold, a queen in hand, and the upcard
    below one's fourth-highest card.
    """
    return _ace_king_where(deals, _one_of_three)


def _one_of_three(ranks: Ranks, up: Ranks) -> Raises:
    matches = (ranks[:, :, np.newaxis] == up[:, np.newaxis, :]).any(axis=1)
    queen, jack = ((ranks == rank).any(axis=1)[:, np.newaxis] for rank in (QUEEN, JACK))
    fourth = ranks[:, 3][:, np.newaxis]
    first = (up <= QUEEN) & matches
    second = (up >= KING) & (queen | jack)
    third = ~matches & queen & (up < fourth)
    found: Raises = first | second | third
    return found


def _ace_king_where(deals: Deals, rule: Callable[[Ranks, Ranks], Raises]) -> Raises:
    """A pair or better, and the hands of ace and king where the rule says so of their ranks and the upcards'."""
    raises = np.repeat((deals.categories > 0)[:, np.newaxis], UPCARDS, axis=1)
    ranks: Ranks = (deals.cards >> 2).astype(np.uint8)
    both = (deals.categories == 0) & (ranks == ACE).any(axis=1) & (ranks == KING).any(axis=1)
    raises[both] = rule(ranks[both], (_upcards(deals.cards[both]) >> 2).astype(np.uint8))
    return raises


def _upcards(hands: Ranks) -> Ranks:
    """`[hand, upcard]`: the 47 cards that a hand leaves, ascending."""
    free = np.ones((len(hands), 52), np.bool_)
    np.put_along_axis(free, hands.astype(np.int64), values=False, axis=1)
    cards: Ranks = np.nonzero(free)[1].reshape(len(hands), UPCARDS).astype(np.uint8)
    return cards


FIXED: Final[dict[str, Policy]] = {
    "three rules": three_rules,
    "matching rank": matching_rank,
    "AKJ83 or better": at_least(AKJ83),
    "pair or better": at_least(LOWEST_PAIR),
    "ace and king or better": at_least(LOWEST_QUALIFYING),
    "always raise": always,
    "always fold": never,
}
"""The policies that hang on no paytable."""


@lru_cache(maxsize=1)
def fixed_tallies(deals: Deals) -> dict[str, Tally]:
    """What comes of each fixed policy: counted once for all profiles that share the deals."""
    with ThreadPoolExecutor(THREADS) as pool:
        tallies = pool.map(lambda policy: tally(deals, policy(deals)), FIXED.values())
        return dict(zip(FIXED, tallies, strict=True))
