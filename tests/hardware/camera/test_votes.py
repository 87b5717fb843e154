"""Witnesses of one card: what they must agree on, and what comes of a contradiction."""

import numpy as np
import pytest

from dealer_assist.game.cards import Card
from hardware.camera import inks
from hardware.camera.face import Face
from hardware.camera.votes import SUITS, of_card, of_corner, on_the_face
from tests.hardware.camera.indices import blank, index, lettered

NO_PIPS = Face("unclear")


def test_two_sure_corners_that_agree_are_read() -> None:
    assert of_card(index("Kd"), index("Kd"), Face("figure")).card == Card("Kd")


@pytest.mark.parametrize(("one", "two"), [("3c", "5c"), ("Kh", "Kd"), ("9s", "6s")])
def test_corners_that_differ_are_a_dispute_with_both_as_candidates(one: str, two: str) -> None:
    verdict = of_card(index(one), index(two), NO_PIPS)
    assert verdict.card is None
    assert verdict.settled
    assert set(verdict.candidates) == {Card(one), Card(two)}


def test_corners_that_err_together_are_stopped_by_the_pips() -> None:
    three_clubs = Face("3", "c", "black")
    assert of_card(index("5c"), index("5c"), three_clubs).card is None
    assert of_card(index("3c"), index("3c"), three_clubs).card == Card("3c")


def test_a_figure_under_a_pip_cards_index_is_not_believed() -> None:
    assert of_card(index("8c"), index("8c"), Face("figure")).card is None


def test_pips_do_not_name_a_card_that_no_index_bears_out() -> None:
    assert of_card(index(None), index(None), Face("7", "h", "red")).card is None
    assert of_card(index("7h", 0.6), index(None, 0.6), Face("7", "h", "red")).card == Card("7h")


def test_the_corners_of_a_court_must_be_surer_than_those_of_a_counted_card() -> None:
    assert of_card(index("Qs", 0.7), index("Qs", 0.7), Face("figure")).card is None
    assert of_card(index("7s", 0.7), index("7s", 0.7), Face("7", "s", "black")).card == Card("7s")


def test_of_a_suit_that_no_pip_bears_out_each_corner_must_be_sure() -> None:
    assert of_card(index("Ac", 0.93), index("Ac", 0.85), Face("A")).card is None
    assert of_card(index("Ac", 0.93), index("Ac", 0.93), Face("A")).card == Card("Ac")


def test_a_court_one_of_whose_corners_bears_another_letter_is_settled_as_unsure() -> None:
    verdict = of_card(index("Qs", 0.97), lettered("s"), Face("figure"))
    assert verdict.card is None
    assert verdict.settled
    assert not of_card(index("7s", 0.97), lettered("s"), Face()).settled  # a finger may lie on its number


def test_a_lone_corner_must_look_the_same_every_time() -> None:
    assert of_corner([index("Ah"), index("Ah"), index("Ah")], NO_PIPS).card == Card("Ah")
    assert of_corner([index("Ah"), index("Ah"), index("4h")], NO_PIPS).card is None
    assert of_corner([index("Ah", 0.8), index("Ah", 0.8), index("Ah")], NO_PIPS).card is None


@pytest.mark.parametrize(
    ("face", "card"),
    [
        (Face("7", "h", "red"), "7h"),
        (Face("7", "d", "red"), "7d"),
        (Face("7", "s", "black"), "7s"),
        (Face("7", "c", "black"), "7c"),
        (Face("7", "c", "green"), "7c"),
        (Face("7", "d", "blue"), "7d"),
        (Face("A", "h", "red"), "Ah"),
        (Face("7", "d", "unclear"), None),
        (Face("7"), None),
        (Face("figure", "h"), None),
    ],
)
def test_number_suit_and_colour_make_a_card(face: Face, card: str | None) -> None:
    assert on_the_face(face) == (None if card is None else Card(card))


@pytest.mark.parametrize("suit", SUITS)
def test_no_suit_is_printed_in_another_ones_colour(suit: str) -> None:
    colours: list[inks.Colour] = ["red", "black", "blue", "green"]
    allowed = {"h": {"red"}, "d": {"red", "blue"}, "s": {"black"}, "c": {"black", "green"}}
    assert {c for c in colours if inks.may_be(suit, c)} == allowed[suit]
    assert inks.may_be(suit, "unclear")


@pytest.mark.parametrize("lamp", [(1.0, 1.0, 1.0), (0.7, 0.85, 1.0), (1.0, 0.9, 0.75)])
@pytest.mark.parametrize(
    ("ink", "name"),
    [((30, 25, 205), "red"), ((20, 20, 20), "black"), ((200, 70, 10), "blue"), ((20, 130, 10), "green")],
)
def test_an_inks_colour_is_told_under_any_lamp(lamp: tuple[float, ...], ink: tuple[int, ...], name: str) -> None:
    picture = blank()
    picture[20:40, 10:30] = ink
    lit = (picture * np.array(lamp)).astype(np.uint8)
    assert inks.of_marks(lit, inks.paper_of(lit), [(10, 20, 20, 20)]) == name
