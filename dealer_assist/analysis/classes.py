"""The 7,462 kinds of hands, and the 134,459 classes of hands that exchanging suits leaves alike.

A card's number is 4 × rank + suit, 0 (2c) … 51 (As). Nothing is ranked here: the order of kinds is that of `game.hands`.
"""

from itertools import combinations, permutations, product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.hands import WORST_ORDINAL, Category, kinds_best_first

CLASSES: Final = 134_459
NUMBERS: Final = {category: number for number, category in enumerate(Category)}
"""Of the categories, worst first: their places in arrays."""

_SUITED: Final = (Category.flush, Category.straight_flush, Category.royal_flush)


class Kinds(NamedTuple):
    """By ordinal, 1 … 7462; row 0 is empty.

    `ranks`, `times` `[kind, 5]`: the kind's ranks, highest first, and how often each occurs; zeros behind them. `masks`: a
    bit a rank. `suited`: whether its cards are of one suit. `categories`: numbered worst first.
    """

    ranks: NDArray[np.uint8]
    times: NDArray[np.uint8]
    masks: NDArray[np.uint16]
    suited: NDArray[np.bool_]
    categories: NDArray[np.int8]


class Classes(NamedTuple):
    """Best kind first. `cards` `[class, 5]`: one hand of each, highest ranks first; `sizes`: how many hands are alike."""

    cards: NDArray[np.uint8]
    sizes: NDArray[np.int64]
    ordinals: NDArray[np.uint16]


def all_kinds() -> Kinds:
    """Every kind of hand as numbers."""
    kinds = [(Category.high_card, ()), *kinds_best_first()]
    held = np.zeros((WORST_ORDINAL + 1, 13), np.uint8)
    of_kind = np.array([ranks for _, ranks in kinds[1:]])
    for card in range(5):
        held[np.arange(1, WORST_ORDINAL + 1), of_kind[:, card]] += 1
    ranks, times = (np.zeros((WORST_ORDINAL + 1, 5), np.uint8) for _ in range(2))
    kind, below_ace = np.nonzero(held[:, ::-1])
    group = (np.cumsum(held[:, ::-1] > 0, axis=1) - 1)[kind, below_ace]
    ranks[kind, group] = 12 - below_ace
    times[kind, group] = held[kind, 12 - below_ace]
    categories = np.array([NUMBERS[category] for category, _ in kinds], np.int8)
    suited = np.isin(categories, [NUMBERS[category] for category in _SUITED])
    masks = ((held > 0) << np.arange(13)).sum(axis=1, dtype=np.uint16)
    return Kinds(ranks, times, masks, suited, categories)


def all_classes(kinds: Kinds) -> Classes:
    """Every class: each kind of hand with each choice of suits that is the first of those alike."""
    shapes, shape_of = np.unique(np.column_stack((kinds.times[1:], kinds.suited[1:])), axis=0, return_inverse=True)
    cards, sizes, ordinals = [], [], []
    for number, shape in enumerate(shapes.tolist()):
        own = np.flatnonzero(shape_of == number) + 1
        suits, alike = _suits(tuple(shape[:5]), suited=bool(shape[5]))
        groups = np.repeat(np.arange(5), shape[:5])
        cards.append((4 * kinds.ranks[own][:, np.newaxis, groups] + suits).reshape(-1, 5))
        sizes.append(np.tile(alike, len(own)))
        ordinals.append(np.repeat(own, len(alike)))
    by_ordinal = np.argsort(np.concatenate(ordinals), kind="stable")
    found = Classes(
        np.concatenate(cards).astype(np.uint8)[by_ordinal],
        np.concatenate(sizes)[by_ordinal],
        np.concatenate(ordinals).astype(np.uint16)[by_ordinal],
    )
    assert len(found.cards) == CLASSES
    return found


def _suits(times: tuple[int, ...], *, suited: bool) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The choices of suits `[choice, card]` for ranks that occur so often, and how many hands each stands for.

    Of hands alike the first is the one whose first suit holds the highest cards, then the second, and so on.
    """
    chosen, alike = [], []
    for groups in product([tuple(range(times[0]))], *(combinations(range(4), count) for count in times[1:])):
        held = [sum(1 << (4 - at) for at, group in enumerate(groups) if suit in group) for suit in range(4)]
        if held == sorted(held, reverse=True) and (held[0] == 0b11111) is suited:
            chosen.append([suit for group in groups for suit in group])
            alike.append(len(set(permutations(held))))
    return np.array(chosen, np.uint8), np.array(alike, np.int64)
