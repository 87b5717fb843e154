"""What the table is told of each thing a reader may say, by its place."""

import pytest

from dealer_assist.application.ports import (
    BadRead,
    CardDiscarded,
    CardLifted,
    CardSighted,
    CollisionSighted,
    OtherDeckSighted,
    ReaderFault,
    Sighting,
    SignalSighted,
    UnknownTagSighted,
)
from dealer_assist.game.cards import Card
from hardware.reader.deck import DeckBook
from hardware.reader.messages import (
    Answer,
    BadFrame,
    CardCode,
    Collision,
    Echo,
    Heartbeat,
    Message,
    Noise,
    NoTag,
    Notice,
    ReaderError,
    Tag,
)
from hardware.reader.places import Place, Role
from hardware.reader.sightings import Interpreter
from tests.hardware.helpers import demo_deck

RED, BLUE = demo_deck("red"), demo_deck("blue")
ACE, KING, BLUE_ACE = RED.tags[Card("As")][0], RED.tags[Card("Kd")][0], BLUE.tags[Card("As")][0]
BOOK = DeckBook(RED, [BLUE])
SHOE = Place(Role.shoe)
ACE_AT_2, KING_AT_2 = CardSighted("r", Card("As"), ACE, 2), CardSighted("r", Card("Kd"), KING, 2)


def told(place: Place, *messages: Message) -> list[Sighting]:
    interpreter = Interpreter("r", BOOK, place)
    return [sighting for message in messages for sighting in interpreter.sightings(message)]


def at_seat(seat: int) -> Place:
    return Place(Role.seat, seat)


@pytest.mark.parametrize("message", [Answer("ack"), Answer("03", b"\x32"), Echo(b"\x22"), Heartbeat(), NoTag()])
@pytest.mark.parametrize("place", [SHOE, at_seat(1), Place(Role.discard)])
def test_what_is_about_no_card_is_no_sighting(place: Place, message: Message) -> None:
    assert told(place, message, message, message) == []


def test_a_tag_is_a_card_of_the_deck_in_play_or_of_another_or_unknown() -> None:
    assert told(SHOE, Tag(ACE), Tag(BLUE_ACE), Tag("00" + ACE), Tag(ACE)) == [
        CardSighted("r", Card("As"), ACE),
        OtherDeckSighted("r", BLUE_ACE, "demo-blue"),
        UnknownTagSighted("r", "00" + ACE),
        CardSighted("r", Card("As"), ACE),
    ]


def test_damage_and_noise_are_bad_reads() -> None:
    assert told(at_seat(1), BadFrame("no line end", b"\x04"), Noise(b"\x00\xff")) == [
        BadRead("r", "no line end", "04"),
        BadRead("r", "noise outside any frame", "00FF"),
    ]


def test_a_card_at_a_seats_antenna_carries_its_seat() -> None:
    assert told(at_seat(2), Tag(ACE), CardCode(Card("Td"))) == [ACE_AT_2, CardSighted("r", Card("Td"), None, 2)]
    assert told(at_seat(0), Tag(ACE)) == [CardSighted("r", Card("As"), ACE, 0)]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_line_that_names_a_seat_gives_it_to_the_card(seat: int) -> None:
    assert told(SHOE, Tag(ACE, seat=f" {seat} "), CardCode(Card("Td"), seat=str(seat))) == [
        CardSighted("r", Card("As"), ACE, seat),
        CardSighted("r", Card("Td"), None, seat),
    ]


@pytest.mark.parametrize("name", ["0", "5", "7", "-1", "x", "", "1.0", "١"])
@pytest.mark.parametrize(
    "message", [Tag(ACE, seat="?"), CardCode(Card("As"), seat="?"), Notice("jackpot", "?"), Notice("lifted", "?")]
)
def test_an_unknown_antenna_never_makes_up_a_seat_nor_a_card(message: Tag | CardCode | Notice, name: str) -> None:
    unknown = type(message)(**{**{f: getattr(message, f) for f in message.__struct_fields__}, "seat": name})
    [sighting] = told(SHOE, unknown)
    assert isinstance(sighting, BadRead)
    assert sighting.reason == f'unknown antenna: expected one of 1, 2, 3, 4, found "{name}"'


def test_antennas_may_have_names_of_their_own() -> None:
    place = Place(Role.shoe, antennas={"A0": 1, "A1": 2, "house": 0})
    assert told(place, Tag(ACE, seat="A1"), Tag(ACE, seat="house")) == [
        CardSighted("r", Card("As"), ACE, 2),
        CardSighted("r", Card("As"), ACE, 0),
    ]
    [sighting] = told(place, Tag(ACE, seat="1"))
    assert isinstance(sighting, BadRead)


def test_a_line_that_contradicts_its_readers_seat_is_no_card() -> None:
    [sighting] = told(at_seat(2), Tag(ACE, seat="3"))
    assert sighting == BadRead("r", 'unknown antenna: this reader stands at seat 2, its line says "3"', "")
    assert told(at_seat(2), Tag(ACE, seat="2")) == [ACE_AT_2]


def test_a_card_is_lifted_once_when_two_polls_see_nothing() -> None:
    assert told(at_seat(2), Tag(ACE), Tag(ACE), NoTag(), NoTag(), NoTag(), NoTag()) == [
        ACE_AT_2,
        ACE_AT_2,
        CardLifted("r", Card("As"), 2),
    ]


def test_a_single_poll_in_vain_is_a_read_that_failed() -> None:
    polls: list[Message] = [Tag(ACE), NoTag()] * 5
    assert told(at_seat(2), *polls) == [ACE_AT_2] * 5


@pytest.mark.parametrize(
    "between",
    [Noise(b"\x00"), BadFrame("wrong sum", b"\x01"), Answer("ack"), Collision(), ReaderError("27"), Tag(KING)],
)
def test_noise_is_not_removal(between: Message) -> None:
    seen = told(at_seat(2), Tag(ACE), *[between] * 10)
    assert not [sighting for sighting in seen if isinstance(sighting, CardLifted)]


def test_each_card_that_lay_there_is_lifted_and_a_card_laid_again_is_sighted_again() -> None:
    assert told(at_seat(2), Tag(ACE), Tag(KING), NoTag(), NoTag(), Tag(ACE), NoTag(), NoTag()) == [
        ACE_AT_2,
        KING_AT_2,
        CardLifted("r", Card("As"), 2),
        CardLifted("r", Card("Kd"), 2),
        ACE_AT_2,
        CardLifted("r", Card("As"), 2),
    ]


def test_a_line_may_say_that_a_card_was_lifted() -> None:
    place = Place(Role.seat)
    assert told(place, Tag(ACE, seat="2"), Tag(ACE, seat="2", event="LIFTED"), NoTag(), NoTag()) == [
        ACE_AT_2,
        CardLifted("r", Card("As"), 2),
    ]
    assert told(place, Tag(ACE, seat="2"), Notice("lifted", "3"), Notice("lifted", "2"), Notice("lifted", "2")) == [
        ACE_AT_2,
        CardLifted("r", None, 3),
        CardLifted("r", Card("As"), 2),
        CardLifted("r", None, 2),
    ]


@pytest.mark.parametrize("place", [SHOE, Place(Role.discard)])
def test_nothing_is_lifted_from_a_shoe_or_a_discard_rack(place: Place) -> None:
    seen = told(place, Tag(ACE), NoTag(), NoTag(), Tag(ACE, event="lifted"), Notice("lifted"))
    assert len(seen) == 1


def test_a_card_at_the_discard_rack_is_never_dealt() -> None:
    assert told(Place(Role.discard), Tag(ACE), CardCode(Card("Td")), Tag(BLUE_ACE)) == [
        CardDiscarded("r", Card("As"), ACE),
        CardDiscarded("r", Card("Td")),
        OtherDeckSighted("r", BLUE_ACE, "demo-blue"),
    ]


def test_a_collision_is_told_once_and_again_only_after_something_else_was_read() -> None:
    assert told(at_seat(3), *[Collision()] * 5, Tag(ACE), Collision(), NoTag(), Collision()) == [
        CollisionSighted("r", 3),
        CardSighted("r", Card("As"), ACE, 3),
        CollisionSighted("r", 3),
        CollisionSighted("r", 3),
    ]
    assert told(SHOE, Collision()) == [CollisionSighted("r")]


def test_an_error_is_told_once_and_again_only_after_the_reader_answered_well() -> None:
    assert told(SHOE, *[ReaderError("7F")] * 5, ReaderError("27"), NoTag(), ReaderError("27")) == [
        ReaderFault("r", "the reader reports error 7F"),
        ReaderFault("r", "the reader reports error 27"),
        ReaderFault("r", "the reader reports error 27"),
    ]


@pytest.mark.parametrize(("word", "event"), [("jackpot", "jackpot"), ("SHOE_EMPTY", "shoe_empty"), ("jam", "jam")])
def test_a_signal_is_no_card_whatever_else_its_line_says(word: str, event: str) -> None:
    for message in (Notice(word, "3"), Tag(ACE, "3", word), CardCode(Card("As"), None, "3", word)):
        assert told(SHOE, message) == [SignalSighted("r", event, 3)]
    assert told(at_seat(2), Notice(word)) == [SignalSighted("r", event, 2)]


def test_a_word_of_the_devices_own_is_passed_on() -> None:
    assert told(SHOE, Notice("DOOR")) == [SignalSighted("r", "DOOR")]
    assert told(SHOE, Tag(ACE, event="IN")) == [CardSighted("r", Card("As"), ACE)]


def test_readers_keep_separate_state() -> None:
    first, second = Interpreter("1", BOOK, at_seat(1)), Interpreter("2", BOOK, at_seat(2))
    first.sightings(Tag(ACE))
    assert [*second.sightings(NoTag()), *second.sightings(NoTag())] == []
    assert second.sightings(Tag(KING)) == [CardSighted("2", Card("Kd"), KING, 2)]
    first.sightings(NoTag())
    assert first.sightings(NoTag()) == [CardLifted("1", Card("As"), 1)]
