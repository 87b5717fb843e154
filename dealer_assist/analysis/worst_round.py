"""Which hands one deck can deal at once: seats with given categories, an upcard, and a dealer who plays or does not.

A search over cards, complete: what it returns was dealt, and where it returns nothing there is no such deal.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, product
from typing import Final, NamedTuple

from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.hands import BEST_FIRST, Category, best_five, category_of, kinds_best_first, rank_five

Hand = tuple[Card, ...]

_SUITED: Final = (Category.flush, Category.straight_flush, Category.royal_flush)
_RARE: Final = (Category.quads, Category.straight_flush, Category.royal_flush)
_RANKS: Final = tuple(tuple(card for card in DECK if card.rank == rank) for rank in range(13))
_SUITS: Final = tuple(tuple(card for card in DECK if card.suit == suit) for suit in range(4))


class Holding(NamedTuple):
    """A seat's hand by category, and the best five of it and the upcard. Both alike where the upcard adds nothing."""

    own: Category
    six: Category


_OF_ITS_RANK: Final = {
    Holding(Category.high_card, Category.pair): 1,
    Holding(Category.pair, Category.two_pair): 1,
    Holding(Category.pair, Category.trips): 2,
    Holding(Category.two_pair, Category.full_house): 2,
    Holding(Category.trips, Category.full_house): 1,
    Holding(Category.trips, Category.quads): 3,
    Holding(Category.full_house, Category.quads): 3,
}
"""How many cards of the upcard's rank a hand holds that the upcard lifts."""


class Dealt(NamedTuple):
    """A deal that was found: the seats' hands in the order asked for, the upcard, and the dealer's other four."""

    hands: tuple[Hand, ...]
    upcard: Card
    hole: Hand


@cache
def dealt(holdings: tuple[Holding, ...], lowest_qualifying: int, *, qualifies: bool) -> Dealt | None:
    """A deal in which the seats hold these, and the dealer qualifies and loses to each of them, or does not qualify.

    None where one deck can't deal it.
    """
    if _asks_too_much(holdings):
        return None
    if len(holdings) > 1:
        for at in range(len(holdings)):  # most of what can't be dealt fails by a part of it, which is found once
            if dealt((*holdings[:at], *holdings[at + 1 :]), lowest_qualifying, qualifies=qualifies) is None:
                return None
    for upcard in _SUITS[-1]:  # one suit stands for all four
        for hands in _seated(holdings, upcard):
            best = max(rank_five(hand) for hand in hands) + 1 if qualifies else lowest_qualifying + 1
            worst = lowest_qualifying if qualifies else 7462
            hole = _hole(upcard, {card for hand in hands for card in hand}, best, worst)
            if hole is not None:
                return Dealt(hands, upcard, hole)
    return None


def _asks_too_much(holdings: tuple[Holding, ...]) -> bool:
    """Whether the seats that the upcard lifts want more of its rank or of its suit than is left.

    Three more cards have its rank. Four sets of four have its suit, but twelve cards are left; a royal is one.
    """
    lifted = [holding for holding in holdings if holding.own is not holding.six]
    of_rank = sum(_OF_ITS_RANK.get(holding, 0) for holding in lifted)
    royals = sum(holding.six is Category.royal_flush for holding in lifted)
    return of_rank > 3 or royals > 1 or 4 * sum(holding.six in _SUITED for holding in lifted) > 12


def _seated(holdings: tuple[Holding, ...], upcard: Card) -> Iterator[tuple[Hand, ...]]:
    """Hands for all seats; those with the least choice are looked for first."""
    order = sorted(range(len(holdings)), key=lambda at: _choice(holdings[at], upcard))
    for hands in _hands(tuple(holdings[at] for at in order), upcard, frozenset((upcard,))):
        seat_by_seat = dict(zip(order, hands, strict=True))
        yield tuple(seat_by_seat[at] for at in range(len(holdings)))


def _choice(holding: Holding, upcard: Card) -> tuple[int, int]:
    """How much choice there is, in order: by number where that is small, then what the upcard lifts, better hands first."""
    if _is_rare(holding):
        return 0, len(_rare(holding, upcard))
    return (2 if holding.own is holding.six else 1), BEST_FIRST.index(holding.six)


def _is_rare(holding: Holding) -> bool:
    return holding.own is not holding.six and holding.six in _RARE


def _hands(holdings: tuple[Holding, ...], upcard: Card, used: frozenset[Card]) -> Iterator[tuple[Hand, ...]]:
    if not holdings:
        yield ()
        return
    for hand in _holding(holdings[0], upcard, used):
        for others in _hands(holdings[1:], upcard, used.union(hand)):
            yield (hand, *others)


def _holding(holding: Holding, upcard: Card, used: frozenset[Card]) -> Iterator[Hand]:
    """Every hand of the category, of cards not used, that with the upcard becomes just what is asked."""
    if _is_rare(holding):
        yield from filter(used.isdisjoint, _rare(holding, upcard))
        return
    for hand in _hands_of(holding.own, used) if holding.own is holding.six else _lifted(holding, upcard, used):
        if category_of(best_five((*hand, upcard))[0]) is holding.six:
            yield hand


@cache
def _rare(holding: Holding, upcard: Card) -> tuple[Hand, ...]:
    hands = _lifted(holding, upcard, frozenset((upcard,)))
    just_so = (hand for hand in hands if category_of(best_five((*hand, upcard))[0]) is holding.six)
    return tuple(sorted(just_so, key=lambda hand: (rank_five(hand), hand)))


def _lifted(holding: Holding, upcard: Card, used: frozenset[Card]) -> Iterator[Hand]:
    """The hands that the upcard makes better: four cards of a better hand that it belongs to, and one card more."""
    for better in _hands_of(holding.six, used - {upcard}):
        if upcard in better:
            four = tuple(card for card in better if card is not upcard)
            hands = ((*four, fifth) for fifth in DECK if fifth not in used and fifth not in better)
            yield from (hand for hand in hands if category_of(rank_five(hand)) is holding.own)


def _hands_of(category: Category, used: frozenset[Card]) -> Iterator[Hand]:
    """Every five cards of a category, none of them used, best first."""
    suited = category in _SUITED
    for ranks in _kinds(category):
        yield from _of_one_suit(ranks, used) if suited else _in_suits(ranks, used)


@cache
def _kinds(category: Category) -> tuple[tuple[int, ...], ...]:
    return tuple(ranks for kind, ranks in kinds_best_first() if kind is category)


def _of_one_suit(ranks: tuple[int, ...], used: frozenset[Card]) -> Iterator[Hand]:
    hands = (tuple(card for card in of_suit if card.rank in ranks) for of_suit in _SUITS)
    return filter(used.isdisjoint, hands)


def _in_suits(ranks: tuple[int, ...], used: frozenset[Card]) -> Iterator[Hand]:
    """The cards that have these ranks, not all of one suit."""
    left = ([card for card in _RANKS[rank] if card not in used] for rank in dict.fromkeys(ranks))
    groups = (combinations(cards, ranks.count(cards[0].rank) if cards else 1) for cards in left)
    for chosen in product(*groups):
        hand = tuple(chain.from_iterable(chosen))
        if len({card.suit for card in hand}) > 1:
            yield hand


def _hole(upcard: Card, used: set[Card], best: int, worst: int) -> Hand | None:
    """Four cards with which the dealer's hand is of an ordinal from `best` to `worst`."""
    left = [card for card in sorted(DECK, key=lambda card: card.rank) if card not in used and card is not upcard]
    return next((hole for hole in combinations(left, 4) if best <= rank_five((upcard, *hole)) <= worst), None)
