"""The laboratory's ranking agrees with the table's, which was written apart from it, and with counting."""

from itertools import combinations
from typing import Final

import numpy as np
import pytest

from dealer_assist.analysis.ranking import CATEGORIES, ORDINALS, rank_hands, ranking
from dealer_assist.application.columns import number_of
from dealer_assist.game.cards import DECK
from dealer_assist.game.hands import Category, category_of, rank_five

# Source: rules.md "Exact figures", hands from high card to royal.
OF_EACH: Final = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)
CARDS: Final = {number_of(card): card for card in DECK}


@pytest.fixture(scope="module")
def all_hands() -> np.ndarray:
    return np.fromiter((card for hand in combinations(range(52), 5) for card in hand), np.uint8).reshape(-1, 5)


def by_the_table(hand: np.ndarray) -> int:
    return rank_five(tuple(CARDS[int(card)] for card in hand))


def test_the_hands_of_each_category_are_as_many_as_there_are(all_hands: np.ndarray) -> None:
    categories = ranking().category[rank_hands(all_hands, ranking())]
    assert tuple(np.bincount(categories, minlength=10)) == OF_EACH


def test_a_hand_of_every_ordinal_is_ranked_as_at_the_table(all_hands: np.ndarray) -> None:
    ordinals, places = np.unique(rank_hands(all_hands, ranking()), return_index=True)
    assert list(ordinals) == list(range(1, ORDINALS + 1))
    assert [by_the_table(all_hands[place]) for place in places] == list(ordinals)


@pytest.mark.torture
def test_every_hand_is_ranked_as_at_the_table(all_hands: np.ndarray) -> None:
    ordinals = rank_hands(all_hands, ranking())
    assert all(by_the_table(hand) == ordinal for hand, ordinal in zip(all_hands, ordinals, strict=True))


def test_hands_in_any_order_of_their_cards_are_ranked_as_at_the_table(all_hands: np.ndarray) -> None:
    chance = np.random.default_rng(5)
    some = chance.permuted(all_hands[chance.integers(0, len(all_hands), 20_000)], axis=1)
    assert [by_the_table(hand) for hand in some] == list(rank_hands(some, ranking()))


def test_categories_have_the_same_names_in_the_same_order() -> None:
    assert tuple(category.value for category in Category) == CATEGORIES
    assert [ranking().category[ordinal] for ordinal in range(1, ORDINALS + 1)] == [
        CATEGORIES.index(category_of(ordinal).value) for ordinal in range(1, ORDINALS + 1)
    ]
