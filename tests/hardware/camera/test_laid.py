"""When two readings are of one card."""

import numpy as np
import pytest

from hardware.camera.laid import at_its_foot, face_each_other, may_be_one, one_card, one_corner, told_by_a_corner_of
from hardware.camera.opencv import Points, points
from hardware.camera.training.photographs import placed

HIGH, WIDE = 140.0, 100.0


def card(x: float = 0.0, y: float = 0.0, turn: float = 0.3) -> Points:
    """A card, its left top moved by so many widths and heights along its own sides."""
    corners = placed(HIGH, HIGH / WIDE, turn, np.zeros((4, 2)))
    return points(corners + x * (corners[1] - corners[0]) + y * (corners[3] - corners[0]) + 500)


def other_end(corners: Points) -> Points:
    return np.roll(corners, -2, axis=0)


@pytest.mark.parametrize("turn", np.linspace(0, 2 * np.pi, 7).tolist())
def test_a_card_told_from_either_of_its_corners_is_one(turn: float) -> None:
    assert one_card(card(turn=turn), card(0.05, 0.03, turn))
    assert one_card(card(turn=turn), other_end(card(0.05, 0.03, turn)))


@pytest.mark.parametrize("turn", np.linspace(0, 2 * np.pi, 7).tolist())
def test_a_card_told_by_an_index_at_its_right_is_the_one_it_stands_on(turn: float) -> None:
    whole = card(turn=turn)
    for told in (card(0.76, 0, turn), other_end(card(-0.76, 0, turn))):
        assert one_card(whole, told)
        assert one_card(told, whole)
        assert one_card(other_end(whole), told)


@pytest.mark.parametrize("turn", np.linspace(0, 2 * np.pi, 7).tolist())
def test_a_card_told_by_the_index_at_its_lower_left_is_told_at_its_foot(turn: float) -> None:
    """Upside down, and three quarters of a width too far to the left."""
    whole, told = card(turn=turn), other_end(card(-0.76, 0, turn))
    assert at_its_foot(whole, told)
    assert at_its_foot(told, whole)
    assert not at_its_foot(whole, other_end(whole))
    assert not at_its_foot(whole, card(-0.76, 0, turn))


@pytest.mark.parametrize(("x", "y"), [(1.05, 0.0), (0.0, 1.02), (1.1, 0.5), (1.4, 0.0)])
def test_equal_cards_that_lie_apart_are_two(x: float, y: float) -> None:
    assert not one_card(card(), card(x, y))
    assert not one_card(card(), other_end(card(x, y)))


def test_two_corners_are_one_where_they_meet_and_their_cards_lie_the_same_way() -> None:
    assert one_corner(card(), card(0.1, 0.05))
    assert not one_corner(card(), card(0.4, 0))
    assert not one_corner(card(), points(card()[[0, 3, 2, 1]] * -1 + 2 * card()[0]))


@pytest.mark.parametrize("told", [card(0.1, 0.05), other_end(card(0.1, 0.05)), card(0.76), other_end(card(-0.76))])
def test_a_card_told_by_a_corner_of_a_known_one_is_that_one_however_large_it_was_taken_to_be(told: Points) -> None:
    larger = points(told[0] + 1.3 * (told - told[0]))
    assert told_by_a_corner_of(card(), larger)
    assert not told_by_a_corner_of(card(0, 0.4), larger)


@pytest.mark.parametrize("times", [0.65, 1.0, 1.5])
def test_the_two_ends_of_a_card_face_each_other_whatever_its_size_was_guessed_to_be(times: float) -> None:
    whole = card()
    one, two = (points(c[0] + times * (c - c[0])) for c in (whole, other_end(whole)))
    assert face_each_other(one, two)
    assert face_each_other(two, one)
    assert not face_each_other(one, one)
    assert may_be_one(one, two, 0.25) == (times == 1.0)
