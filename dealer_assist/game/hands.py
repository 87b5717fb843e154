"""What a hand is worth: its category, and its place among the 7,462 kinds of five cards that differ.

Ordinal 1 is the royal flush, 7462 is 7-5-4-3-2. Equal ordinals tie: suits never break ties.

Source: sheet A "Vinderhænder", sheet B "Bedømmelse af hånd", sheet C "Rangering av kort i poker".
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations
from typing import Final

import msgspec

from dealer_assist.game.cards import Card, require_distinct
from dealer_assist.game.errors import WrongCardCount


class Category(StrEnum):
    """The ten kinds of hand, worst first."""

    high_card = "high_card"
    pair = "pair"
    two_pair = "two_pair"
    trips = "trips"
    straight = "straight"
    flush = "flush"
    full_house = "full_house"
    quads = "quads"
    straight_flush = "straight_flush"
    royal_flush = "royal_flush"

    __hash__ = str.__hash__


BEST_FIRST: Final = tuple(reversed(Category))

_PRIMES: Final = tuple(Card(rank + "c").rank_prime for rank in "23456789TJQKA")
_ACE: Final = 12
_KING: Final = 11
# Straights by their highest rank, best first; the ace is low only in 5-4-3-2-A.
_STRAIGHTS: Final = (*(tuple(range(top, top - 5, -1)) for top in range(_ACE, 3, -1)), (3, 2, 1, 0, _ACE))


def kinds_best_first() -> Iterator[tuple[Category, tuple[int, ...]]]:
    """Every kind of five cards as its category and its ranks, best first."""
    straights = set(map(frozenset, _STRAIGHTS))
    high = [ranks for ranks in combinations(range(_ACE, -1, -1), 5) if frozenset(ranks) not in straights]
    others = {rank: [r for r in range(_ACE, -1, -1) if r != rank] for rank in range(13)}
    downward = range(_ACE, -1, -1)
    for straight in _STRAIGHTS:
        yield (Category.royal_flush if straight[1] == _KING else Category.straight_flush), straight
    yield from ((Category.quads, (q, q, q, q, k)) for q in downward for k in others[q])
    yield from ((Category.full_house, (t, t, t, p, p)) for t in downward for p in others[t])
    yield from ((Category.flush, ranks) for ranks in high)
    yield from ((Category.straight, ranks) for ranks in _STRAIGHTS)
    yield from ((Category.trips, (t, t, t, *k)) for t in downward for k in combinations(others[t], 2))
    for big, small in combinations(downward, 2):
        yield from ((Category.two_pair, (big, big, small, small, k)) for k in downward if k not in (big, small))
    yield from ((Category.pair, (p, p, *k)) for p in downward for k in combinations(others[p], 3))
    yield from ((Category.high_card, ranks) for ranks in high)


def _product(ranks: tuple[int, ...]) -> int:
    result = 1
    for rank in ranks:
        result *= _PRIMES[rank]
    return result


def _tabulate() -> tuple[tuple[Category, ...], dict[int, int], dict[int, int]]:
    categories = [Category.high_card]  # ordinals count from 1
    suited: dict[int, int] = {}
    offsuit: dict[int, int] = {}
    for ordinal, (category, ranks) in enumerate(kinds_best_first(), 1):
        categories.append(category)
        flush = category in (Category.flush, Category.straight_flush, Category.royal_flush)
        (suited if flush else offsuit)[_product(ranks)] = ordinal
    return tuple(categories), suited, offsuit


_CATEGORIES, _SUITED, _OFFSUIT = _tabulate()

WORST_ORDINAL: Final = len(_CATEGORIES) - 1


class RankedHand(msgspec.Struct, frozen=True):
    """A hand's verdict. `best`: the five cards that make it, highest rank first within each group of equals."""

    ordinal: int
    category: Category
    best: tuple[Card, ...]


def rank_five(cards: tuple[Card, ...]) -> int:
    """The ordinal, 1 … 7462, of five cards already known to be distinct; no check is made here."""
    a, b, c, d, e = cards
    product = a.rank_prime * b.rank_prime * c.rank_prime * d.rank_prime * e.rank_prime
    if a.suit == b.suit == c.suit == d.suit == e.suit:
        return _SUITED[product]
    return _OFFSUIT[product]


def category_of(ordinal: int) -> Category:
    """The category of an ordinal."""
    return _CATEGORIES[ordinal]


def best_five(cards: tuple[Card, ...]) -> tuple[int, tuple[Card, ...]]:
    """Ordinal and cards of the best five among five or six distinct cards."""
    return min((rank_five(five), five) for five in combinations(cards, 5))


def rank_hand(cards: tuple[Card, ...]) -> RankedHand:
    """The verdict on five cards, or on the best five of six.

    Raises: WrongCardCount, DuplicateCard.
    """
    if len(cards) not in (5, 6):
        raise WrongCardCount("five or six cards", len(cards))
    require_distinct(cards)
    ordinal, five = best_five(cards)
    return RankedHand(ordinal, category_of(ordinal), _in_showing_order(ordinal, five))


def _in_showing_order(ordinal: int, five: tuple[Card, ...]) -> tuple[Card, ...]:
    ranks = [card.rank for card in five]
    wheel = category_of(ordinal) in (Category.straight, Category.straight_flush) and {_ACE, 0} <= set(ranks)

    def weight(card: Card) -> tuple[int, int, int]:
        return ranks.count(card.rank), -1 if wheel and card.rank == _ACE else card.rank, card.suit

    return tuple(sorted(five, key=weight, reverse=True))


LOWEST_QUALIFYING: Final = rank_five(tuple(map(Card, ("As", "Kd", "4c", "3h", "2s"))))
"""Ordinal 6349: ace and king with 4-3-2. Source: sheet A "Spilresultater"; the same in B, C and D."""
