"""The exact return of the main bets: what a profile pays on every deal, under a policy.

All is counted in whole antes over 163,185 completions and weighted over all deals, so that every figure is a fraction
of integers; nothing is sampled and nothing rounded.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis.deals import DEALS, Deals
from dealer_assist.analysis.sweep import COMPLETIONS, HANDS, UPCARDS
from dealer_assist.game.hands import Category
from dealer_assist.game.money import Odds
from dealer_assist.game.profile import RuleProfile

Raises = NDArray[np.bool_]
"""`[class, upcard]`: where a policy raises."""

Policy = Callable[[Deals, NDArray[np.int64]], Raises]
"""From the deals and the value of raising in each, to where it raises."""


class Payoffs(NamedTuple):
    """What ante and raise together bring a raising player, in units of `1 / scale` of an ante, by class of hand."""

    unqualified: NDArray[np.int64]
    win: NDArray[np.int64]
    tie: NDArray[np.int64]
    lose: int
    scale: int


class Return(NamedTuple):
    """A policy's result over all deals. `edge`: the house's share of an ante."""

    edge: Fraction
    raise_frequency: Fraction

    def on_ante(self) -> Fraction:
        """What comes back for each ante."""
        return 1 - self.edge

    def on_total_stake(self, raise_multiple: int) -> Fraction:
        """What comes back for each unit staked, raises counted."""
        return 1 - self.edge / (1 + raise_multiple * self.raise_frequency)


def payoffs(profile: RuleProfile, categories: NDArray[np.int8]) -> Payoffs:
    """The profile's payments as whole numbers by class of hand."""
    multiple = profile.decision.raise_multiple
    odds = [_odds_of(profile, category) for category in Category]
    scale = int(np.lcm.reduce([each.per for row in odds for each in row] + [each.per for each in _fixed(profile)]))

    def units(each: Odds, stake: int) -> int:
        return stake * each.to * scale // each.per

    unqualified = [units(profile.not_qualified.ante, 1) + units(second, multiple) for _, second in odds]
    win = [units(profile.win.ante, 1) + units(first, multiple) for first, _ in odds]
    tie = units(profile.tie.ante, 1) + units(profile.tie.raise_bet, multiple)
    return Payoffs(
        np.array(unqualified, np.int64)[categories],
        np.array(win, np.int64)[categories],
        np.full(len(categories), tie, np.int64),
        -(1 + multiple) * scale,
        scale,
    )


def _odds_of(profile: RuleProfile, category: Category) -> tuple[Odds, Odds]:
    """What a raise is paid when the player wins, and when the dealer does not qualify."""
    first = profile.raise_paytable.odds(category)
    assert first is not None
    return first, profile.not_qualified_paytable.odds(category) or profile.not_qualified.raise_bet


def _fixed(profile: RuleProfile) -> tuple[Odds, ...]:
    return profile.win.ante, profile.not_qualified.ante, profile.tie.ante, profile.tie.raise_bet


def raise_values(deals: Deals, pay: Payoffs) -> NDArray[np.int64]:
    """`[class, upcard]`: the value of raising, in units of `1 / (scale × 163,185)` of an ante; a fold's is `-scale × 163,185`."""
    column = np.newaxis
    values: NDArray[np.int64] = (
        deals.unqualified * pay.unqualified[:, column]
        + deals.win * pay.win[:, column]
        + deals.tie * pay.tie[:, column]
        + deals.lose.astype(np.int64) * pay.lose
    )
    return values


def policy_return(deals: Deals, values: NDArray[np.int64], raises: Raises, scale: int) -> Return:
    """The exact result of raising just there."""
    kept = np.where(raises, values, -COMPLETIONS * scale)
    by_class = kept.sum(axis=1)
    total = int((by_class * deals.sizes.astype(np.int64)).sum())
    raised = int((raises.sum(axis=1) * deals.sizes.astype(np.int64)).sum())
    return Return(Fraction(-total, DEALS * scale), Fraction(raised, HANDS * UPCARDS))


# --- policies --------------------------------------------------------------------------------------------------------

_ACE: Final = 12
_KING: Final = 11


def optimal(scale: int) -> Policy:
    """Raise where it is worth more than a fold."""
    return lambda _, values: values > -COMPLETIONS * scale


def at_least(ordinal: int) -> Policy:
    """Raise with this hand or better, whatever the upcard."""

    def raises(deals: Deals, values: NDArray[np.int64]) -> Raises:
        return np.broadcast_to((deals.ordinals <= ordinal)[:, np.newaxis], values.shape)

    return raises


def always(_: Deals, values: NDArray[np.int64]) -> Raises:
    """Raise blind."""
    return np.ones(values.shape, np.bool_)


def never(_: Deals, values: NDArray[np.int64]) -> Raises:
    """Fold blind."""
    return np.zeros(values.shape, np.bool_)


def matching_rank(deals: Deals, _: NDArray[np.int64]) -> Raises:
    """A pair or better; or ace and king with an upcard whose rank one holds."""
    ranks = deals.cards >> 2
    matches = (ranks[:, :, np.newaxis] == upcard_ranks(deals)[:, np.newaxis, :]).any(axis=1)
    result: Raises = _paired(deals) | (_ace_king(ranks) & matches)
    return result


def three_rules(deals: Deals, _: NDArray[np.int64]) -> Raises:
    """A pair or better; or ace and king and one of three: an upcard from deuce to queen whose rank one holds; an ace or
    king upcard and a queen or jack in hand; an upcard whose rank one does not hold, a queen in hand, and the upcard
    below one's fourth-highest card.
    """
    ranks, up = deals.cards >> 2, upcard_ranks(deals)
    matches = (ranks[:, :, np.newaxis] == up[:, np.newaxis, :]).any(axis=1)
    queen, jack = ((ranks == rank).any(axis=1)[:, np.newaxis] for rank in (10, 9))
    fourth = ranks[:, 1][:, np.newaxis]
    first = (up <= 10) & matches
    second = (up >= _KING) & (queen | jack)
    third = ~matches & queen & (up < fourth)
    result: Raises = _paired(deals) | (_ace_king(ranks) & (first | second | third))
    return result


def upcard_ranks(deals: Deals) -> NDArray[np.uint8]:
    """`[class, upcard]`: the rank of each upcard."""
    free = np.ones((len(deals.cards), 52), np.bool_)
    np.put_along_axis(free, deals.cards.astype(np.int64), values=False, axis=1)
    ranks: NDArray[np.uint8] = (np.nonzero(free)[1].reshape(len(deals.cards), UPCARDS) >> 2).astype(np.uint8)
    return ranks


def _paired(deals: Deals) -> Raises:
    paired: Raises = (deals.categories > 0)[:, np.newaxis]
    return paired


def _ace_king(ranks: NDArray[np.integer]) -> Raises:
    both: Raises = ((ranks == _ACE).any(axis=1) & (ranks == _KING).any(axis=1))[:, np.newaxis]
    return both
