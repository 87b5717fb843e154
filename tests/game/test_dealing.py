"""Where each card goes. Source: sheet D "Käden jakaminen" 2, from the dealer's left to his right, himself last."""

from itertools import combinations

import pytest

from dealer_assist.game.dealing import (
    DEALER,
    SEATS,
    Pattern,
    Place,
    Seat,
    Upcard,
    dealing_order,
    hand_positions,
    upcard_slot,
)

SUBSETS = [seats for count in range(1, 5) for seats in combinations(SEATS, count)]


@pytest.mark.parametrize("seats", SUBSETS, ids=lambda seats: "".join(map(str, seats)))
def test_one_at_a_time_the_kth_card_goes_to_hand_k_modulo_the_hands(seats: tuple[Seat, ...]) -> None:
    holders = (*seats, DEALER)
    order = dealing_order(seats, Pattern.single)
    assert len(order) == 5 * len(holders)
    for k, at in enumerate(order):
        assert at == Place(holders[k % len(holders)], k // len(holders))
    assert order[-1] == Place(DEALER, 4)


@pytest.mark.parametrize("seats", SUBSETS, ids=lambda seats: "".join(map(str, seats)))
def test_in_packets_each_hand_gets_five_in_a_row(seats: tuple[Seat, ...]) -> None:
    holders = (*seats, DEALER)
    order = dealing_order(seats, Pattern.packet)
    for k, at in enumerate(order):
        assert at == Place(holders[k // 5], k % 5)
    assert order[-1] == Place(DEALER, 4)


@pytest.mark.parametrize("pattern", Pattern)
@pytest.mark.parametrize("seats", SUBSETS, ids=lambda seats: "".join(map(str, seats)))
def test_every_place_gets_one_card_and_the_stub_holds_the_rest(seats: tuple[Seat, ...], pattern: Pattern) -> None:
    order = dealing_order(seats, pattern)
    assert len(set(order)) == len(order) == 5 * (len(seats) + 1)
    assert 52 - len(order) >= 27


@pytest.mark.parametrize("pattern", Pattern)
@pytest.mark.parametrize("seats", SUBSETS, ids=lambda seats: "".join(map(str, seats)))
def test_a_hand_finds_its_five_cards_in_the_order_drawn(seats: tuple[Seat, ...], pattern: Pattern) -> None:
    order = dealing_order(seats, pattern)
    positions = hand_positions(seats, pattern)
    assert set(positions) == {*seats, DEALER}
    for holder, at in positions.items():
        assert [order[position] for position in at] == [Place(holder, slot) for slot in range(5)]


# Seats 1, 3 and 4 play. Row: the slot; column: the hand; number: which card of the shoe.
ONE_AT_A_TIME = """
        1   3   4   dealer
    1   0   1   2   3
    2   4   5   6   7
    3   8   9  10  11
    4  12  13  14  15
    5  16  17  18  19
"""


def test_a_round_of_three_seats_is_dealt_as_a_dealer_would_draw_it() -> None:
    rows = [list(map(int, line.split()[1:])) for line in ONE_AT_A_TIME.strip().splitlines()[1:]]
    order = dealing_order((Seat(1), Seat(3), Seat(4)), Pattern.single)
    for slot, row in enumerate(rows):
        assert [order[at] for at in row] == [Place(Seat(holder), slot) for holder in (1, 3, 4, 0)]


def test_the_upcard_is_the_dealers_first_or_his_last() -> None:
    assert (upcard_slot(Upcard.first), upcard_slot(Upcard.last)) == (0, 4)
