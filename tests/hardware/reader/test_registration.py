"""A deck on its way: 52 tags in a stated order, and what is never taken for one."""

from typing import Final

import pytest

from dealer_assist.application.ports import (
    BadRead,
    CardSighted,
    CollisionSighted,
    OtherDeckSighted,
    ReaderFault,
    ReaderLost,
    ReaderOnline,
    Sighting,
    SignalSighted,
    UnknownTagSighted,
)
from dealer_assist.game.cards import DECK, Card
from hardware.reader.errors import BadDeck
from hardware.reader.messages import Tag
from hardware.reader.registration import ORDERS, Again, NotTaken, Registration, Taken, order_of, unregistered
from tests.hardware.helpers import demo_deck

ORDER: Final = ORDERS["ace-down"]


def tag(number: int) -> UnknownTagSighted:
    return UnknownTagSighted("r", f"{number:08X}")


@pytest.mark.parametrize(("name", "first", "last"), [("ace-down", "As Ks", "3c 2c"), ("ace-up", "As 2s", "Qc Kc")])
def test_an_order_has_each_card_once(name: str, first: str, last: str) -> None:
    order = order_of(name)
    assert sorted(order) == sorted(DECK)
    assert " ".join(order[:2]) == first
    assert " ".join(order[-2:]) == last


def test_an_order_may_be_written_out_and_must_be_a_whole_deck() -> None:
    assert order_of(" ".join(reversed(DECK))) == tuple(reversed(DECK))
    for text in ("sorted", "As Kd", " ".join(DECK[:51]) + " " + DECK[0]):
        with pytest.raises(BadDeck, match="order: expected ace-down, ace-up, or 52 card codes"):
            order_of(text)


def test_each_new_tag_is_the_next_card_and_one_that_lies_there_still_is_nothing() -> None:
    registration = Registration(ORDER)
    for number, card in enumerate(ORDER):
        assert registration.due == card
        assert registration.take(tag(number)) == Taken(card, f"{number:08X}")
        assert registration.take(tag(number)) == Again()
    assert registration.due is None
    assert (registration.done, registration.wanted, len(registration.tags)) == (52, 52, 52)
    assert registration.take(tag(99)) == NotTaken("tag 00000063 is one more than the deck has cards", final=True)


def test_a_tag_that_came_before_is_refused_with_its_card() -> None:
    registration = Registration(ORDER)
    registration.take(tag(1))
    registration.take(tag(2))
    assert registration.take(tag(1)) == NotTaken("tag 00000001 is As already", final=True)
    assert registration.due == Card("Qs")


def test_a_card_may_carry_two_tags_that_are_read_in_turn() -> None:
    registration = Registration(ORDER, tags_per_card=2)
    for number in (1, 1, 2, 1, 2, 3, 4):
        registration.take(tag(number))
    assert registration.tags == {"As": ("00000001", "00000002"), "Ks": ("00000003", "00000004")}
    assert isinstance(registration.take(tag(2)), NotTaken)
    assert registration.wanted == 104


@pytest.mark.parametrize(
    ("sighting", "said", "final"),
    [
        (OtherDeckSighted("r", "04", "blue"), "belongs to deck blue", True),
        (CardSighted("r", Card("As"), None), "names the card itself", True),
        (CollisionSighted("r"), "take all but one away", True),
        (ReaderLost("r", "unplugged"), "unplugged", True),
        (ReaderFault("r", "error 7F"), "error 7F", False),
        (BadRead("r", "no line end", "30"), "a damaged read (no line end): show the card again", False),
    ],
)
def test_what_is_no_new_tag_registers_nothing(sighting: Sighting, said: str, final: bool) -> None:
    registration = Registration(ORDER)
    outcome = registration.take(sighting)
    assert isinstance(outcome, NotTaken)
    assert said in outcome.reason
    assert outcome.final is final
    assert registration.done == 0


@pytest.mark.parametrize("sighting", [ReaderOnline("r"), SignalSighted("r", "DOOR")])
def test_what_is_about_no_tag_is_nothing(sighting: Sighting) -> None:
    assert Registration(ORDER).take(sighting) == Again()


def test_before_a_deck_is_registered_its_tags_are_unknown_and_another_decks_are_known() -> None:
    red = demo_deck("red")
    book = unregistered([red])
    assert book.sighting("r", Tag("0102")) == UnknownTagSighted("r", "0102")
    ace = red.tags[Card("As")][0]
    assert book.sighting("r", Tag(ace)) == OtherDeckSighted("r", ace, "demo-red")
