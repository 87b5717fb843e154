"""The counts of all deals: for any qualifying hand, against deals counted one by one."""

from itertools import combinations

import numpy as np
import pytest

from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.analysis.exposure import LIFTS
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.hands import Category, rank_five

DECK = [Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
"""By the audit's numbers of cards, 4 × rank + suit."""

SAMPLE = [
    # hands whose suits are the first of those alike, and an upcard
    ("Ac Kd Qc 7c 4h", "4s"),
    ("8c 8d Jc Td 2h", "8h"),
    ("Kc Qc 9c 6c 3c", "Kd"),
    ("5c 4c 3d 2c Ac", "5d"),
]


def test_each_class_stands_for_its_hands(deals: Deals) -> None:
    assert len(deals.cards) == 134_459
    assert deals.sizes.sum() == 2_598_960
    assert set(deals.sizes.tolist()) == {4, 12, 24}
    assert len({tuple(sorted(hand)) for hand in deals.cards.tolist()}) == 134_459
    kinds = [rank_five(tuple(DECK[card] for card in hand)) for hand in deals.cards[::97].tolist()]
    assert kinds == deals.ordinals[::97].tolist()


@pytest.mark.parametrize(
    "lowest", ["As Kd 4c 3h 2s", "2s 2d 3c 4h 5s", "7s 5s 4s 3s 2s", "Ks Qs Js Ts 9s", "7s 5d 4h 3c 2s"]
)
def test_every_qualifying_hand_gives_the_counts_of_a_plain_count(lowest: str) -> None:
    """163,185 completions, one after the other, of a hand or two; the dealer plays with anything, a pair, a flush, …"""
    least = rank_five(parse_cards(lowest))
    deals = count_deals(least)
    classes = {tuple(sorted(hand)): at for at, hand in enumerate(deals.cards.tolist())}
    for codes, up in SAMPLE[::2] if least == 6349 else SAMPLE[-1:]:
        hand, upcard = parse_cards(codes), Card(up)
        numbers = sorted(map(DECK.index, hand))
        at, column = classes[tuple(numbers)], DECK.index(upcard) - sum(card < DECK.index(upcard) for card in numbers)
        own, left = rank_five(hand), [card for card in DECK if card not in hand and card is not upcard]
        dealers = np.array([rank_five((upcard, *hole)) for hole in combinations(left, 4)])
        plays = dealers <= least
        assert deals.unqualified[at, column] == (~plays).sum()
        assert deals.win[at, column] == (plays & (dealers > own)).sum()
        assert deals.tie[at, column] == (plays & (dealers == own)).sum()


def test_a_sixth_card_lifts_a_hand_to_just_these_categories(deals: Deals) -> None:
    order = list(Category)
    found = {
        (order[own], order[six])
        for own in range(10)
        for six in np.unique(deals.six[deals.categories == own])
        if six != own
    }
    assert found == {(own, six) for own, lifted in LIFTS.items() for six in lifted}
