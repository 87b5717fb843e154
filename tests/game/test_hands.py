"""What hands are worth: every five cards there are, against counts, an independent ranking and a fixed digest."""

import hashlib
import random
import sys
from array import array
from collections import Counter
from itertools import combinations, starmap
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phevaluator import Card as PhCard
from phevaluator import evaluate_cards

from dealer_assist.game.cards import DECK, RANKS, SUITS, Card, parse_card, parse_cards
from dealer_assist.game.errors import DuplicateCard, UnknownCard, WrongCardCount
from dealer_assist.game.hands import (
    BEST_FIRST,
    LOWEST_QUALIFYING,
    WORST_ORDINAL,
    Category,
    best_five,
    category_of,
    rank_five,
    rank_hand,
)

COUNTS: Final = """
    category          five cards   best of six
    high_card            1302540       6612900
    pair                 1098240       9730740
    two_pair              123552       2532816
    trips                  54912        732160
    straight               10200        361620
    flush                   5108        205792
    full_house              3744        165984
    quads                    624         14664
    straight_flush            36          1656
    royal_flush                4           188
"""
# Ordinals as two bytes, low byte first, of `combinations(DECK, 5)` in its order. Found equal to phevaluator's on every hand.
DIGEST: Final = "ea1861cc68c033cf2dea95154c47d2a9634f35c6f9b13fd63d322d4c824e9f67"

cards = st.sampled_from(DECK)
hands = st.lists(cards, min_size=5, max_size=5, unique=True).map(tuple)
six_cards = st.lists(cards, min_size=6, max_size=6, unique=True).map(tuple)


def counts(column: int) -> dict[str, int]:
    rows = [line.split() for line in COUNTS.strip().splitlines()[1:]]
    return {row[0]: int(row[column]) for row in rows}


@pytest.fixture(scope="module")
def ordinals() -> "array[int]":
    """The ordinal of every five cards, in the order of `combinations(DECK, 5)`."""
    return array("H", map(rank_five, combinations(DECK, 5)))


def test_every_hand_falls_into_its_category(ordinals: "array[int]") -> None:
    found = Counter[str]()
    for ordinal, hands_of_it in Counter(ordinals).items():
        found[category_of(ordinal).value] += hands_of_it
    assert dict(found) == counts(1)


def test_there_are_7462_kinds_of_hand_and_each_ordinal_is_one_of_them(ordinals: "array[int]") -> None:
    assert set(ordinals) == set(range(1, 7463))
    assert WORST_ORDINAL == 7462


def test_the_order_of_all_hands_is_what_it_was(ordinals: "array[int]") -> None:
    little = ordinals[:]
    if sys.byteorder == "big":
        little.byteswap()
    assert hashlib.sha256(little.tobytes()).hexdigest() == DIGEST


def test_an_independent_ranking_agrees_on_every_hand(ordinals: "array[int]") -> None:
    theirs = starmap(evaluate_cards, combinations(map(PhCard.to_id, DECK), 5))
    assert array("H", theirs) == ordinals


def test_an_independent_ranking_agrees_on_the_best_five_of_six() -> None:
    chance = random.Random(6)
    for _ in range(30_000):
        six = tuple(chance.sample(DECK, 6))
        assert best_five(six)[0] == evaluate_cards(*map(str, six)), six


@pytest.mark.torture
@pytest.mark.timeout(1200)
def test_every_six_cards_fall_into_the_category_of_their_best_five() -> None:
    found = Counter[str]()
    for six in combinations(DECK, 6):
        found[category_of(best_five(six)[0]).value] += 1
    assert dict(found) == counts(2)


# Sheet A "Vinderhænder": each hand beats the next.
BEST_TO_WORST: Final = """
    As Ks Qs Js Ts    royal_flush
    Kh Qh Jh Th 9h    straight_flush
    5d 4d 3d 2d Ad    straight_flush    the ace is low: the lowest
    Ac Ad Ah As 2c    quads
    2c 2d 2h 2s Ac    quads
    2c 2d 2h 2s Kc    quads             the kicker decides
    Ac Ad Ah 2c 2d    full_house
    Kc Kd Kh Ac Ad    full_house        the three come before the pair
    Kc Kd Kh Qc Qd    full_house
    As Ks Qs Js 9s    flush
    7d 5d 4d 3d 2d    flush
    As Kd Qh Jc Ts    straight
    6s 5d 4h 3c 2s    straight
    5s 4d 3h 2c As    straight          the ace is low: the lowest
    As Ad Ah Kc Qs    trips
    As Ad Ah Kc Js    trips             the second kicker decides
    2s 2d 2h 4c 3s    trips
    As Ad Kh Kc Qs    two_pair
    As Ad Qh Qc Ks    two_pair          the lower pair comes before the kicker
    3s 3d 2h 2c 4s    two_pair
    As Ad Kh Qc Js    pair
    As Ad Kh Qc Ts    pair              the third kicker decides
    2s 2d 5h 4c 3s    pair
    As Kd Qh Jc 9s    high_card
    As Kd 4h 3c 2s    high_card         the lowest with which a dealer plays
    As Qd Jh Tc 9s    high_card         the highest with which he does not
    7s 5d 4h 3c 2s    high_card
"""


def test_the_hands_of_the_sheets_stand_in_their_order() -> None:
    ranked = [line.split()[:6] for line in BEST_TO_WORST.strip().splitlines()]
    verdicts = [rank_hand(tuple(map(parse_card, row[:5]))) for row in ranked]
    assert [verdict.category.value for verdict in verdicts] == [row[5] for row in ranked]
    assert [verdict.ordinal for verdict in verdicts] == sorted({verdict.ordinal for verdict in verdicts})


def test_categories_stand_best_first_from_the_royal_flush() -> None:
    assert BEST_FIRST[0] is Category.royal_flush
    assert BEST_FIRST[-1] is Category.high_card
    assert [category_of(at) for at in (1, 2, 10, 11, 7462)] == [
        Category.royal_flush,
        Category.straight_flush,
        Category.straight_flush,
        Category.quads,
        Category.high_card,
    ]


def test_the_dealer_plays_with_ace_king_four_three_two_and_not_with_ace_queen_jack_ten_nine() -> None:
    lowest = rank_hand(parse_cards("As Kd 4h 3c 2s")).ordinal
    highest = rank_hand(parse_cards("As Qd Jh Tc 9s")).ordinal
    assert (LOWEST_QUALIFYING, lowest, highest) == (6349, 6349, 6350)


@given(hands, st.permutations(range(4)))
def test_suits_never_break_ties(hand: tuple[Card, ...], suits: list[int]) -> None:
    other = tuple(Card(RANKS[card.rank] + SUITS[suits[card.suit]]) for card in hand)
    assert rank_five(hand) == rank_five(other)


@given(hands, st.randoms())
def test_the_order_of_the_cards_is_of_no_matter(hand: tuple[Card, ...], chance: random.Random) -> None:
    shuffled = list(hand)
    chance.shuffle(shuffled)
    assert rank_hand(tuple(shuffled)).ordinal == rank_hand(hand).ordinal


@given(six_cards)
def test_six_cards_are_worth_their_best_five(six: tuple[Card, ...]) -> None:
    verdict = rank_hand(six)
    assert verdict.ordinal == min(rank_five(five) for five in combinations(six, 5))
    assert rank_five(verdict.best) == verdict.ordinal
    assert set(verdict.best) <= set(six)
    assert verdict.category is category_of(verdict.ordinal)


@pytest.mark.parametrize(
    ("codes", "shown"),
    [
        ("2c Ad 2s Ac 2h", "2s 2h 2c Ad Ac"),
        ("Ts 9d Th 4c 9s", "Ts Th 9s 9d 4c"),
        ("As 2d 3h 4c 5s", "5s 4c 3h 2d As"),
        ("Ts As Js Ks Qs", "As Ks Qs Js Ts"),
        ("9d 2c 9h 7s 5d Ah", "9h 9d Ah 7s 5d"),
    ],
)
def test_the_best_five_are_shown_groups_first_and_a_low_ace_last(codes: str, shown: str) -> None:
    assert " ".join(rank_hand(parse_cards(codes)).best) == shown


@pytest.mark.parametrize("count", [0, 1, 4, 7])
def test_a_hand_is_five_cards_or_six(count: int) -> None:
    with pytest.raises(WrongCardCount, match=f"expected five or six cards, found {count}"):
        rank_hand(DECK[:count])


@pytest.mark.parametrize("codes", ["As As Kd Qh Jc", "As Kd Qh Jc As", "2c Kd Qh Jc As 2c"])
def test_one_card_twice_is_refused_by_name(codes: str) -> None:
    twice = codes.split()
    with pytest.raises(DuplicateCard, match=f"the card {max(twice, key=twice.count)} occurs twice"):
        rank_hand(tuple(map(parse_card, twice)))
    with pytest.raises(DuplicateCard):
        parse_cards(codes)


@pytest.mark.parametrize("code", ["", "A", "1s", "10s", "as", "AS", "Ax", "Asd", " As", "A♠", "Ｋs"])
def test_a_code_that_names_no_card_is_refused(code: str) -> None:
    with pytest.raises(UnknownCard, match='a card code like "As"'):
        parse_card(code)


def test_the_deck_is_fifty_two_cards_that_read_back_from_their_codes() -> None:
    assert len(set(DECK)) == 52
    assert [parse_card(card.value) for card in DECK] == list(DECK)
    assert parse_cards("As, Kd,Qh  Jc\tTs") == tuple(map(Card, ("As", "Kd", "Qh", "Jc", "Ts")))
