"""Every member of the game's vocabularies has its word, and every refusal its sentence with its figures."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from dealer_assist.application.ports import PinFault, Role
from dealer_assist.application.views import ShownPhase
from dealer_assist.game.bets import Action, Bet, Decision, Outcome, Result, Why
from dealer_assist.game.cards import DECK, parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.hands import Category, category_of, rank_five
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Labels
from dealer_assist.game.round import NoticeKind, Phase
from tests.web_ui.helpers import TableAtHand
from web_ui import words
from web_ui.format import Purse, antes, odds

TABLES: list[tuple[Mapping[Any, str], Any]] = [
    (words.PHASES, ShownPhase),
    (words.NOTICES, NoticeKind),
    (words.NOTICES_SHORT, NoticeKind),
    (words.REFUSALS, Refusal),
    (words.WHY, Why),
    (words.RESULTS, Result),
    (words.OUTCOMES, Outcome),
    (words.BETS, Bet),
    (words.HANDS, Category),
    (words.HANDS_SPOKEN, Category),
    (words.ROLES, Role),
    (words.PIN_FAULTS, PinFault),
]


@pytest.fixture(autouse=True)
def _in_a_request(table: TableAtHand) -> Iterator[None]:
    with table.app.test_request_context():
        yield


@pytest.mark.parametrize(("table_of_words", "vocabulary"), TABLES)
def test_every_member_has_its_word(table_of_words: Mapping[Any, str], vocabulary: Any) -> None:
    assert set(table_of_words) == set(vocabulary)
    assert all(table_of_words.values())


EUROS = Purse("EUR", 2)
ALL_DATA: dict[str, object] = {
    "seat": Seat(2),
    "place": Place(Seat(2), 0),
    "amount": Money(10000),
    "bounds": "ante",
    "bet": Bet.bonus,
    "phase": Phase.reveal,
    "wanted": (Phase.bets_open,),
    "registered": 2,
    "counted": 3,
    "drawn": 7,
    "holder": 2,
    "card": DECK[0],
    "id": 4,
}


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_is_a_whole_sentence_whatever_it_tells(refusal: Refusal) -> None:
    for data in ({}, ALL_DATA):
        sentence = words.refusal_sentence(RuleViolation(refusal, **data), EUROS)
        assert re.fullmatch(r"[A-Z].*[.]", sentence), sentence
        assert "%" not in sentence


def test_a_refusal_never_names_a_card() -> None:
    """A card that is refused may lie face down elsewhere."""
    sentence = words.refusal_sentence(
        RuleViolation(Refusal.card_elsewhere, card=DECK[0], place=Place(Seat(3), 2)), EUROS
    )
    assert "deuce" not in sentence
    assert "two of" not in sentence
    assert "seat" not in sentence.lower()


@pytest.mark.parametrize(
    ("cards", "spoken"),
    [
        ("As Ks Qs Js Ts", "royal flush"),
        ("9d 8d 7d 6d 5d", "straight flush, nine high"),
        ("As 2s 3s 4s 5s", "straight flush, five high"),
        ("9c 9d 9h 9s Kd", "four nines"),
        ("Kc Kd Kh 2s 2d", "full house, kings and twos"),
        ("Ah Jh 9h 4h 2h", "flush, ace high"),
        ("Jc Td 9h 8s 7d", "straight, jack high"),
        ("Ac 2d 3h 4s 5d", "straight, five high"),
        ("Qc Qd Qh 8s 7d", "three queens"),
        ("Ac Ad 6h 6s Kd", "two pair, aces and sixes"),
        ("Kc Kd 7h 4s 2d", "pair of kings"),
        ("Ac Kd 7h 4s 2d", "ace-king"),
        ("Qc Jd 7h 4s 2d", "queen high"),
    ],
)
def test_a_hand_is_said_as_at_the_table(cards: str, spoken: str) -> None:
    five = parse_cards(cards)
    assert words.hand_name(five, category_of(rank_five(five))) == spoken


def test_places_and_holders_are_said() -> None:
    assert words.place_name(Place(DEALER, 4)) == "dealer, card 5"
    assert words.holder_name(DEALER) == "Dealer"
    assert words.holder_name(Seat(3)) == "Seat 3"


def test_a_profiles_own_words_win() -> None:
    labels = Labels(raise_bet="Play bet", raised="Playing", folded="Out")
    assert words.bet_name(Bet.raise_bet, labels) == "Play bet"
    assert words.bet_name(Bet.ante, labels) == "Ante"
    assert words.decision_name(Decision(Action.raise_bet), labels) == "Playing"
    assert words.decision_name(Decision(Action.fold, timed_out=True), labels) == "AUTO FOLD"


def test_amounts_are_written_once_and_for_all() -> None:
    assert EUROS.text(123450) == "€1,234.50"
    assert EUROS.text(16000, whole=True) == "€160"
    assert EUROS.text(16050, whole=True) == "€160.50"
    assert Purse("DKK", 2).text(123450) == "DKK\N{NO-BREAK SPACE}1,234.50"
    assert Purse("JPY", 0).text(1234) == "JP¥1,234"
    assert [EUROS.chip(50), EUROS.chip(2500), EUROS.chip(100000)] == ["0.50", "25", "1,000"]
    assert EUROS.money(-50) == {"minor": "-50", "currency": "EUR", "text": "-€0.50"}


def test_antes_and_odds_are_said_in_words() -> None:
    assert [antes(Money(100)), antes(Money(1400)), antes(Money(150))] == ["1 ante", "14 antes", "1.5 antes"]
    assert [odds("7:1"), odds("3:2"), odds("10%")] == ["7 to 1", "3 to 2", "10%"]
