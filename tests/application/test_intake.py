"""From what a device saw to what it means: one command a presentation, and bytes that say nothing only counted."""

from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from dealer_assist.application.intake import Intake
from dealer_assist.application.ports import (
    BadRead,
    CardDiscarded,
    CardLifted,
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
from dealer_assist.application.service import Request
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.money import Money
from tests.application.desk import Desk, desk_at

ANTE = cmd.PlaceBet(Seat(1), Bet.ante, Money(1000))


class Readers:
    """The readers of a running table. `seen`: the commands that their sightings led to."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.seen: list[Request] = []
        self.intake = Intake(lambda: desk.service.snapshot, self._submit)

    def _submit(self, request: Request) -> Future[int]:
        self.seen.append(request)
        taken = self.desk.service.submit(request)
        taken.result(timeout=5)
        return taken

    def see(self, *sightings: Sighting) -> None:
        for sighting in sightings:
            self.intake(sighting)

    @property
    def cards(self) -> list[Card | None]:
        return [draw.card for draw in self.desk.now.draws]

    @property
    def notices(self) -> list[tuple[str, str]]:
        return [(notice.kind.value, notice.detail) for notice in self.desk.now.notices]


@pytest.fixture
def readers(tmp_path: Path) -> Iterator[Readers]:
    with desk_at(tmp_path) as desk:
        desk.lock(ANTE)
        yield Readers(desk)


def card(code: str, tag: str | None = None, reader: str = "shoe", seat: int | None = None) -> CardSighted:
    return CardSighted(reader, Card(code), tag, seat)


def test_a_card_that_lies_on_the_reader_is_one_presentation(readers: Readers) -> None:
    readers.see(*[card("As", "04AA")] * 50, *[card("Kd", "04BB")] * 50)
    assert readers.cards == ["As", "Kd"]
    assert len(readers.seen) == 2
    assert readers.notices == []


def test_a_card_given_by_its_code_alone_is_one_presentation_too(readers: Readers) -> None:
    readers.see(card("As"), card("As"), card("Kd"), card("Kd"))
    assert readers.cards == ["As", "Kd"]


def test_the_same_card_counts_at_once_in_the_next_round(readers: Readers) -> None:
    readers.see(card("As", "04AA"))
    readers.desk.do(cmd.VoidRound("shoe jam"), signed="supervisor")
    readers.desk.lock(ANTE)
    readers.see(card("As", "04AA"))
    assert readers.cards == ["As"]


def test_a_card_presented_too_early_counts_when_cards_are_due(readers: Readers) -> None:
    readers.desk.do(cmd.Undo())
    readers.see(card("As", "04AA"), card("As", "04AA"))
    assert readers.notices == [("out_of_turn", "")]
    readers.desk.do(cmd.SettleNotice(1, card_lies_there=False), cmd.LockBets(0))
    readers.see(card("As", "04AA"))
    assert readers.cards == ["As"]


def test_two_readers_are_told_apart(readers: Readers) -> None:
    readers.see(
        card("As", "04AA"), card("Kd", "04BB", reader="second"), card("As", "04AA"), card("Kd", "04BB", "second")
    )
    assert readers.cards == ["As", "Kd"]
    assert len(readers.seen) == 2
    assert [request.actor for request in readers.seen] == ["reader:shoe", "reader:second"]


def test_a_card_that_comes_back_after_another_is_looked_at_by_its_tag(readers: Readers) -> None:
    readers.see(card("As", "04AA"), card("Kd", "04BB"), card("As", "04AA"))
    assert (readers.cards, readers.notices) == (["As", "Kd"], [])
    readers.see(card("Qc", "04CC"), card("As", "04DD"))
    assert readers.notices == [("read_twice", "card 1")]


def test_a_tag_of_no_deck_and_a_card_of_another_are_notices_once_a_presentation(readers: Readers) -> None:
    readers.see(*[UnknownTagSighted("shoe", "04DEADBEEF")] * 3, *[OtherDeckSighted("shoe", "04BB", "blue")] * 3)
    assert readers.notices == [("unknown_tag", "04DEADBEEF"), ("other_deck", "blue")]
    assert readers.cards == []
    assert len(readers.seen) == 2


def test_a_lost_reader_and_its_return_are_told(readers: Readers) -> None:
    readers.see(ReaderOnline("shoe"), ReaderLost("shoe", "unplugged"), ReaderOnline("shoe"))
    assert readers.desk.kinds[-3:] == ["ReaderBack", "ReaderLost", "ReaderBack"]
    assert readers.desk.now.unverified


def test_bytes_that_are_no_message_are_counted_and_never_told(
    readers: Readers, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged frame may still tell which card lies face down, so its bytes stay out of every log."""
    before = readers.desk.service.snapshot
    readers.see(*[BadRead("shoe", "checksum", "02041A2B3C03")] * 3, BadRead("second", "noise", "FF"))
    assert readers.intake.bad_reads == {"shoe": 3, "second": 1}
    assert readers.seen == []
    assert readers.desk.service.snapshot is before
    told = capsys.readouterr()
    assert "checksum" in told.out + told.err
    assert "041A2B3C" not in told.out + told.err


def test_an_antenna_that_sees_a_card_where_none_is_due_asks_and_a_person_fills_the_gap(readers: Readers) -> None:
    readers.see(card("As", "04AA", "mat", seat=0))
    assert readers.notices == [("wrong_place", "0")]
    assert readers.cards == []
    readers.desk.do(cmd.SettleNotice(1, card_lies_there=True))
    assert readers.cards == [None, "As"]


def test_a_card_at_its_own_seat_is_dealt_and_one_that_moves_is_told(readers: Readers) -> None:
    readers.see(card("As", "04AA", "mat", seat=1), card("As", "04AA", "mat 2", seat=3))
    assert readers.cards == ["As"]
    assert readers.notices == [("card_moved", "3")]


def test_a_discarded_card_that_was_never_dealt_is_told(readers: Readers) -> None:
    readers.see(
        card("As", "04AA"), CardDiscarded("rack", Card("As"), "04AA"), CardDiscarded("rack", Card("Kd"), "04BB")
    )
    assert readers.cards == ["As"]
    assert readers.notices == [("out_of_turn", "")]


def test_what_a_device_says_of_itself_is_a_notice(readers: Readers) -> None:
    readers.see(
        CollisionSighted("mat", 2),
        ReaderFault("mat", "antenna"),
        CardLifted("mat", Card("As"), 2),
        SignalSighted("shoe", "shoe_empty"),
        SignalSighted("shoe", "jam"),
    )
    assert readers.notices == [
        ("collision", "2"),
        ("reader_fault", "antenna"),
        ("card_lifted", "2"),
        ("shoe_empty", ""),
        ("jam", ""),
    ]


def test_a_jackpot_lamp_registers_a_bet_before_the_lock_and_only_tells_after_it(readers: Readers) -> None:
    readers.see(SignalSighted("lamp", "jackpot", 1))
    assert readers.notices == [("jackpot_signal", "1")]
    assert readers.desk.now.bets[Seat(1)].jackpot == 0
    readers.desk.do(cmd.Undo())
    readers.see(SignalSighted("lamp", "jackpot", 1), SignalSighted("lamp", "jackpot", 1))
    assert readers.desk.now.bets[Seat(1)].jackpot == 50


def test_a_word_that_nobody_knows_is_counted(readers: Readers) -> None:
    readers.see(SignalSighted("shoe", "hello"), SignalSighted("lamp", "jackpot", None))
    assert readers.seen == []
    assert readers.intake.bad_reads == {"shoe": 1, "lamp": 1}
