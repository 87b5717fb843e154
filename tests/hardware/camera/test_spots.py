"""What the index corners of a four-cornered deck are to each other."""

import numpy as np

from hardware.camera.crops import nudged, points_on, turned
from hardware.camera.opencv import Points, points
from hardware.camera.spots import Spot, has_strange_end, is_another_s_foot, without_feet
from hardware.camera.training.photographs import placed
from tests.hardware.camera.indices import index, lettered

WIDE = 100.0


def row(count: int, turn: float = 0.0, at: tuple[float, float] = (300.0, 300.0)) -> list[Points]:
    """Cards side by side, each over the one before: their left sides can be seen."""
    cards = [
        points(placed(1.4 * WIDE, 1.4, 0.0, np.zeros((4, 2))) + np.array([0.4 * WIDE * n, 0])) for n in range(count)
    ]
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return [points(card @ spin.T + np.array(at)) for card in cards]


def spot(window: Points, card: str, odds: float) -> Spot:
    seen = index(card)
    return Spot(window, 0.0, seen, (seen,), odds)


def beside(window: Points) -> Points:
    """Where a card seems to lie that is told by the index at its lower left: upside down, beside itself."""
    return points_on(window, np.array([(46.0, 350.0), (-204.0, 350.0), (-204.0, 0.0), (46.0, 0.0)]))


def foot(window: Points, card: str, odds: float) -> Spot:
    """What is told of a card by the index at its lower left."""
    return spot(beside(window), card, odds)


def kept(spots: list[Spot], confirmed: frozenset[int] = frozenset()) -> set[int]:
    left = without_feet(spots, [n in confirmed for n in range(len(spots))])
    return {n for n, s in enumerate(spots) if any(s is other for other in left)}


def test_a_deck_with_two_indices_a_card_has_no_feet() -> None:
    one, two = row(2)
    assert kept([spot(one, "7h", 0.9), spot(turned(one), "7h", 0.9), spot(two, "Qs", 0.3)]) == {0, 1, 2}


def test_of_a_corner_and_its_foot_the_one_stays_whose_corner_the_finder_is_surer_of() -> None:
    [card] = row(1)
    assert kept([spot(card, "7h", 0.9), foot(card, "7h", 0.5)]) == {0}
    assert kept([foot(card, "7h", 0.5), spot(card, "7h", 0.9)]) == {1}


def test_the_like_index_of_another_suit_is_no_foot() -> None:
    [card] = row(1)
    assert kept([spot(card, "7h", 0.9), foot(card, "7d", 0.5)]) == {0, 1}


def test_cards_side_by_side_are_judged_together() -> None:
    one, two, three = row(3, turn=0.7)
    spots = [spot(one, "7h", 0.95), spot(two, "Qs", 0.6), spot(three, "2c", 0.9)]
    feet = [foot(one, "7h", 0.4), foot(two, "Qs", 0.7), foot(three, "2c", 0.5)]
    assert kept(spots + feet) == {0, 1, 2}


def test_a_neighbour_that_lies_upside_down_is_covered_on_the_same_side() -> None:
    one, two = row(2)
    upside_down = [spot(beside(two), "Qs", 0.6), spot(two, "Qs", 0.7)]  # the finder is a little surer of the wrong one
    assert kept([spot(one, "7h", 0.97), foot(one, "7h", 0.2), *upside_down]) == {0, 3}


def test_cards_far_away_have_no_say() -> None:
    [card], [far] = row(1), row(1, at=(900.0, 300.0))
    spots = [spot(card, "7h", 0.6), foot(card, "7h", 0.5), spot(far, "Qs", 0.2), foot(far, "Qs", 0.97)]
    assert kept(spots) == {0, 3}


def test_a_corner_seen_by_its_right_index_too_is_one_whatever_the_finder_says() -> None:
    [card] = row(1)
    moved = spot(nudged(card, shift=(3.0, 2.0)), "7h", 0.3)
    assert kept([spot(card, "7h", 0.5), foot(card, "7h", 0.9), moved], frozenset({2})) == {0, 2}


def test_an_index_at_a_card_s_other_end_may_be_another_card_s_foot() -> None:
    one, two = row(2)[0], row(1, at=(300.0 + 0.816 * WIDE, 300.0))[0]  # its foot lies where the first one's end would
    seen = [spot(one, "7h", 0.9), spot(two, "Qs", 0.9)]
    assert is_another_s_foot(seen[0], index("Qs"), seen)
    assert not is_another_s_foot(seen[0], index("Qh"), seen)
    assert not is_another_s_foot(seen[0], index("7h"), seen)
    assert not is_another_s_foot(seen[1], index("7h"), seen)


def nameless(window: Points, suit: str, odds: float = 0.9) -> Spot:
    look = lettered(suit)
    return Spot(window, 0.0, look, (look,), odds)


def test_a_court_whose_other_end_bears_its_suit_under_another_letter_is_strange() -> None:
    [card] = row(1)
    assert has_strange_end(spot(card, "Qs", 0.9), [nameless(turned(card), "s")], [])
    assert not has_strange_end(spot(card, "Qs", 0.9), [nameless(turned(card), "s", odds=0.5)], [])
    assert not has_strange_end(spot(card, "Qs", 0.9), [nameless(turned(card), "h")], [])
    assert not has_strange_end(
        spot(card, "7s", 0.9), [nameless(turned(card), "s")], []
    )  # a number is one in every language


def test_what_stands_elsewhere_is_not_its_other_end() -> None:
    card, other = row(2)
    assert not has_strange_end(spot(card, "Qs", 0.9), [nameless(other, "s")], [])


def test_a_court_of_which_nothing_is_covered_must_be_read_from_both_its_ends() -> None:
    card, other = row(2)
    assert has_strange_end(spot(card, "Qs", 0.9), [], [turned(card)])
    assert not has_strange_end(spot(card, "Qs", 0.9), [], [other])
