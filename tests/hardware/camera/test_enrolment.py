"""What a deck that was laid before a camera allows the recogniser on it, and what it forbids."""

import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.cards import DECK, RANKS, SUITS, Card
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.settings import Raw
from hardware.camera.calibration import Calibration
from hardware.camera.enrolment import (
    ENOUGH,
    LOWEST,
    EnrollingReader,
    Enrolment,
    Look,
    enrolled,
    enrolled_from,
    enrolled_text,
)
from hardware.camera.face import Face
from hardware.camera.marks import calibrated
from hardware.camera.recogniser import Recogniser
from hardware.camera.votes import USUAL, Thresholds, of_card, of_corner
from hardware.camera.voting import CardSeen, CardUnsure, Votes
from hardware.camera.watching import sights
from hardware.camera.zones import default_zones
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards
from tests.hardware.camera.films import noisy
from tests.hardware.camera.indices import index
from tests.hardware.camera.judging import judged
from tests.hardware.camera.scenes import scene
from tests.hardware.camera.tables import DESIGNS

AS, JH, JD, QH = Card("As"), Card("Jh"), Card("Jd"), Card("Qh")


def look(card: Card, said: Card | None, sure: float = 0.9, leaning: Mapping[str, float] | None = None) -> Look:
    """A look at a card whose index the net gave so much; `leaning`: what it gave other ranks and suits."""
    ranks, suits = np.full(14, 0.01, np.float32), np.full(5, 0.01, np.float32)
    ranks[card.rank], suits[card.suit] = sure, sure
    for name, share in (leaning or {}).items():
        (ranks if name in RANKS else suits)[(RANKS if name in RANKS else SUITS).index(name)] = share
    return Look(said, sure, ranks, suits)


def seen(card: Card, spot: int) -> CardSeen:
    return CardSeen(None, card, 0.9, 3, 1.0, spot, (0.0, 0.0))


def unsure(spot: int, *candidates: Card) -> CardUnsure:
    return CardUnsure(None, candidates, 3, 1.0, spot, (0.0, 0.0))


def measured(*without: Card, leaning: Mapping[Card, Mapping[str, float]] | None = None, sure: float = 0.9) -> Enrolment:
    """A deck of which each card but some was read by enough pictures."""
    enrolment = Enrolment()
    for spot, card in enumerate(DECK):
        for _ in range(0 if card in without else ENOUGH):
            enrolment.take(seen(card, spot), look(card, card, sure, (leaning or {}).get(card)))
    return enrolment


def test_a_card_is_measured_when_enough_pictures_have_read_it() -> None:
    enrolment = Enrolment()
    for n in range(ENOUGH):
        assert AS in enrolment.missing, n
        enrolment.take(seen(AS, 1), look(AS, AS, 0.8 + n / 100))
    assert len(enrolment.missing) == 51
    [figures] = enrolment.figures().values()
    assert (figures.read, figures.unsure, figures.lowest) == (ENOUGH, 0, 0.8)


def test_pictures_that_were_unsure_count_for_the_card_that_it_turned_out_to_be() -> None:
    enrolment = Enrolment()
    enrolment.take(unsure(1, JH, JD), look(JH, None, 0.6))
    enrolment.take(seen(JH, 1), look(JH, JH))
    enrolment.take(seen(JH, 1), look(JH, None, 0.5))
    [(name, figures)] = enrolment.figures().items()
    assert (name, figures.read, figures.unsure) == ("Jh", 1, 2)


def test_what_was_not_measured_is_left_unsure_and_then_nothing_is_lowered() -> None:
    found = measured(JH, AS).thresholds()
    assert found == Thresholds(unsure=tuple(card for card in DECK if card in (JH, AS)))


def test_ranks_and_suits_that_stand_well_apart_need_no_more_than_their_own_cards_do() -> None:
    found = measured(sure=0.9).thresholds()
    assert found.unsure == ()
    assert found.ranks == dict.fromkeys(RANKS, 0.9)
    assert found.suits == dict.fromkeys(SUITS, 0.9)
    assert measured(sure=0.5).thresholds().ranks == dict.fromkeys(RANKS, LOWEST)


def test_a_rank_to_which_another_ones_index_leaned_is_not_lowered() -> None:
    found = measured(leaning={QH: {"J": 0.3}}).thresholds()
    assert set(found.ranks) == set(RANKS) - {"J"}
    assert set(found.suits) == set(SUITS)
    assert found.unsure == ()


def test_a_name_that_another_card_came_near_is_left_unsure_always() -> None:
    found = measured(leaning={QH: {"J": 0.95}}).thresholds()
    assert found.unsure == (JH,)
    assert "J" not in found.ranks
    assert "h" not in found.suits


def test_a_spot_about_which_pictures_disagreed_makes_both_names_unsure() -> None:
    enrolment = measured()
    enrolment.take(unsure(DECK.index(JH), JH, JD), look(JH, JD))
    enrolment.take(seen(JD, DECK.index(JH)), look(JH, JD))
    assert set(enrolment.thresholds().unsure) >= {JH, JD}


def test_a_card_laid_in_the_place_of_another_is_no_confusion() -> None:
    enrolment = measured()
    enrolment.take(seen(AS, DECK.index(JH)), look(AS, AS))
    enrolment.take(unsure(DECK.index(JH), JD, QH), look(JD, None))
    enrolment.take(seen(JD, DECK.index(JH)), look(JD, JD))
    assert enrolment.thresholds().unsure == ()
    assert enrolment.figures()["Jd"].unsure == 1


def test_a_card_of_one_deck_that_is_seen_twice_is_left_unsure() -> None:
    enrolment = measured()
    enrolment.twice(QH)
    assert enrolment.thresholds().unsure == (QH,)


# --- in a known order ---

FOUR = (JH, QH, AS, JD)


def laid(enrolment: Enrolment, spot: int, card: Card, said: Card | None, *doubt: Card) -> None:
    """A card laid at a spot, told as `said`, or as unsure between its name and another."""
    for _ in range(ENOUGH):
        told = seen(said, spot) if said is not None else unsure(spot, *(doubt or (card, Card("2c"))))
        enrolment.take(told, look(card, said))


def test_in_a_known_order_a_card_that_is_never_read_is_measured_too() -> None:
    enrolment = Enrolment(FOUR)
    for spot, card in enumerate(FOUR):
        assert enrolment.next == card
        laid(enrolment, spot, card, None if card == QH else card)
    assert enrolment.next is None
    assert not {*FOUR} & {*enrolment.missing}
    figures = enrolment.figures()["Qh"]
    assert (figures.read, figures.unsure) == (0, ENOUGH)
    assert not enrolment.confused


def test_a_card_that_was_passed_over_stays_missing_and_names_no_other() -> None:
    enrolment = Enrolment(FOUR)
    laid(enrolment, 1, JH, JH)
    laid(enrolment, 2, QH, None, Card("Kh"), Card("9h"))  # its own name is not among them
    laid(enrolment, 3, AS, AS)
    laid(enrolment, 4, JD, None, JD, QH)
    assert QH in enrolment.missing
    assert set(enrolment.figures()) == {"Jh", "As", "Jd"}


def test_a_card_that_is_later_told_as_another_makes_both_unsure() -> None:
    enrolment = Enrolment(FOUR)
    laid(enrolment, 1, JH, JH)
    laid(enrolment, 2, QH, None)
    laid(enrolment, 2, QH, JH)
    assert enrolment.confused == {QH, JH}


def test_a_card_may_be_laid_on_the_one_before_it() -> None:
    enrolment = Enrolment(FOUR)
    laid(enrolment, 1, JH, JH)
    laid(enrolment, 1, QH, None)
    laid(enrolment, 1, AS, AS)
    assert not enrolment.confused
    assert not {JH, QH, AS} & {*enrolment.missing}


def test_a_card_that_is_pushed_or_seen_anew_is_not_taken_for_the_next() -> None:
    enrolment = Enrolment(FOUR)
    laid(enrolment, 1, JH, JH)
    laid(enrolment, 2, JH, JH)
    assert enrolment.next == QH
    assert not enrolment.confused


# --- what the recogniser makes of it ---

FIGURE, NO_PIPS = Face("figure"), Face("unclear")
LESS = Thresholds(ranks={"J": 0.85}, suits={"h": 0.85})


def test_an_enrolled_court_is_read_where_an_unknown_decks_is_not() -> None:
    two = index("Jh", 0.75), index("Jh", 0.75)
    assert of_card(*two, FIGURE).card is None
    assert of_card(*two, FIGURE, LESS).card == JH
    assert of_corner([index("Jh", 0.88)] * 3, NO_PIPS).card is None
    assert of_corner([index("Jh", 0.88)] * 3, NO_PIPS, LESS).card == JH


def test_what_is_lowered_for_one_rank_and_suit_is_for_no_other() -> None:
    for other in ("Qh", "Jd", "Qd"):
        assert of_card(index(other, 0.75), index(other, 0.75), FIGURE, LESS).card is None
        assert of_corner([index(other, 0.88)] * 3, NO_PIPS, LESS).card is None


def test_a_contradiction_stays_one_whatever_was_enrolled() -> None:
    assert of_card(index("Jh", 0.99), index("Jd", 0.99), FIGURE, LESS).card is None
    assert of_card(index("Jh", 0.99), index("Jh", 0.99), Face("7", "h", "red"), LESS).card is None
    assert of_corner([index("Jh", 0.99), index("Jh", 0.99), index("Qh", 0.99)], NO_PIPS, LESS).card is None


def test_a_card_that_is_to_be_left_unsure_is_never_read() -> None:
    never = Thresholds(unsure=(JH, Card("7h")))
    for verdict in (
        of_card(index("Jh"), index("Jh"), FIGURE, never),
        of_card(index("7h"), index("7h"), Face("7", "h", "red"), never),
        of_corner([index("Jh")] * 3, NO_PIPS, never),
    ):
        assert verdict.card is None
        assert verdict.candidates[0] in never.unsure


SHARES = st.floats(0, 1, width=32)


@given(st.dictionaries(st.sampled_from(RANKS), SHARES), st.dictionaries(st.sampled_from(SUITS), SHARES))
def test_no_deck_raises_a_threshold_or_lowers_it_beyond_the_bound(
    ranks: dict[str, float], suits: dict[str, float]
) -> None:
    leaning: dict[Card, Mapping[str, float]] = {QH: ranks, AS: suits}
    found = measured(leaning=leaning, sure=0.3).thresholds()
    for card in DECK:
        for face in (FIGURE, NO_PIPS):
            assert LOWEST <= found.rank(card, face) <= USUAL.rank(card, face)
            assert LOWEST <= found.suit(card, face) <= USUAL.suit(card, face)
        assert LOWEST <= found.lone(card) <= USUAL.lone(card)


# --- a drawn deck ---


@cache
def calibration() -> Calibration:
    return calibrated(noisy_page(), default_zones(4), "test")


def laid_out(design: str, across: int = 13, *, in_order: bool = False) -> Enrolment:
    """A deck laid out in four rows under a camera, each of so many cards of a suit, or card by card."""
    votes, at = Votes(), 0
    reader = EnrollingReader(Recogniser(), calibration(), lambda: votes.told, DECK if in_order else ())
    for number, y in enumerate((-255.0, -85.0, 85.0, 255.0)):
        row: list[Lying] = [(card, (-570.0 + 95 * n, y), 0.0) for n, card in enumerate(DECK[13 * number :][:across])]
        for count in range(1, across + 1) if in_order else (across,):
            scene = with_cards(felt(), row[:count], design)
            for at in range(at + 1, at + ENOUGH + 4):  # noqa: B020  it goes on where the last row ended
                seen_now = sights(reader.read(noisy(scene, at)), calibration())
                votes.look(0.2 * at, [*range(5), None], seen_now)
    reader.read(felt())
    return reader.enrolment


def test_a_drawn_deck_is_measured_from_pictures_that_had_a_vote() -> None:
    enrolment = laid_out("garamond", across=5)
    laid = {card for card in DECK if card[0] in RANKS[:5]}
    measured = laid - {*enrolment.missing}
    assert {*DECK} - {*enrolment.missing} == measured
    assert len(measured) >= 18
    assert all(figures.read >= ENOUGH - 1 for card, figures in enrolment.figures().items() if card in measured)
    assert set(enrolment.thresholds().unsure) >= {*DECK} - laid


@pytest.mark.torture
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_deck_that_was_enrolled_is_read_no_more_wrong_than_before(design: str) -> None:
    thresholds = laid_out(design, in_order=True).thresholds()
    figures: dict[str, Counter[str]] = {"usual": Counter(), "enrolled": Counter()}
    for name, recogniser in (("usual", Recogniser()), ("enrolled", Recogniser(thresholds=thresholds))):
        rng = np.random.default_rng(DESIGNS.index(design))
        while figures[name]["cards"] < 1000:
            made = scene(design, rng)
            [picture] = made.pictures(1, rng)
            found = judged(recogniser.recognise(picture), made)
            figures[name].update(cards=len(made.laid), read=len(found.read), wrong=len(found.wrong))
    told = {
        "design": design,
        **figures,
        "ranks": thresholds.ranks,
        "suits": thresholds.suits,
        "unsure": thresholds.unsure,
    }
    print(json.dumps(told))  # noqa: T201  the figures are what this run is for
    assert figures["enrolled"]["wrong"] <= figures["usual"]["wrong"]


# --- the file ---


def test_a_decks_file_gives_the_thresholds_back() -> None:
    enrolment = measured(leaning={QH: {"J": 0.95}})
    written = enrolled_text(enrolled(enrolment, "demo-red", "camera 0"))
    found = enrolled_from(tomllib.loads(written))
    assert found.thresholds == enrolment.thresholds()
    assert found.cards == enrolment.figures()
    assert (found.deck, found.source) == ("demo-red", "camera 0")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "x"}, 'format: expected "camera-deck/1", found x'),
        ({"ranks": {"J": 0.5}}, "ranks.J: expected 0.85 to 1, found 0.5"),
        ({"suits": {"h": 1.5}}, "suits.h: expected 0.85 to 1, found 1.5"),
        ({"ranks": {"B": 0.9}}, "ranks.B: expected one of the 13 ranks, found B"),
        (
            {"cards": {"Zz": {"read": 1, "unsure": 0, "lowest": 0.5}}},
            "cards.Zz: expected one of the 52 cards, found Zz",
        ),
        ({"unsure": ["Zz"]}, "unsure"),
        ({"limit": 3}, "limit: unknown; is it a typo?"),
    ],
)
def test_a_decks_file_that_can_not_be_is_refused_with_the_place(change: Raw, told: str) -> None:
    raw = msgspec.to_builtins(enrolled(measured(), "demo-red", "camera 0")) | change
    with pytest.raises(BadSetting) as refused:
        enrolled_from(raw)
    assert told in str(refused.value)
