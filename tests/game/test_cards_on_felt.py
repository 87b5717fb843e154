"""Cards over the reader: each goes to the next place; what it can't be is a notice that a person must look at."""

from typing import Final

import pytest

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.decide import can
from dealer_assist.game.errors import Refusal
from dealer_assist.game.round import Draw, NoticeKind, Phase, Source
from dealer_assist.game.sight import Face, sight
from tests.game.felt import NO_QUALIFIER, Felt, dealt, place, table_setup

HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: NO_QUALIFIER}


def dealing(sheet: str = "D", cards: int = 0) -> Felt:
    """Seats 1 and 3 play, and some cards are out."""
    setup = table_setup(sheet)
    return Felt(setup).to_dealing(1, 3).draw(dealt(setup, HANDS)[:cards])


def rest(felt: Felt) -> Felt:
    """The cards that are still to come."""
    return felt.draw(dealt(felt.setup, HANDS)[len(felt.now.placed) :])


def notices(felt: Felt) -> list[str]:
    return [notice.kind.value for notice in felt.now.open_notices]


def unread_places(felt: Felt) -> list[tuple[int, int]]:
    return [
        (at.holder, at.slot) for at, draw in zip(felt.now.order, felt.now.placed, strict=False) if draw.card is None
    ]


def test_the_last_card_ends_the_deal() -> None:
    felt = dealing(cards=14)
    assert (felt.phase, felt.now.next_place) == ("dealing", place(0, 4))
    rest(felt)
    assert (felt.phase, felt.now.next_place) == ("decisions", None)
    assert {holder: felt.now.known_hand(holder) for holder in felt.now.positions} == {
        holder: parse_cards(hand) for holder, hand in HANDS.items()
    }


def test_a_card_drawn_while_no_round_runs_is_on_its_way_back_to_the_shoe() -> None:
    felt = Felt(table_setup("D"))
    assert felt.take(cmd.DrawCard("shoe", Card("As"))) == ()
    felt.open().signed(cmd.VoidRound("nobody came"))
    assert felt.take(cmd.DrawCard("shoe", Card("As"))) == ()


# --- the same card again: procedure row 17 -----------------------------------------------------------------------------


def test_the_same_tag_again_is_nothing() -> None:
    felt = dealing().do(cmd.DrawCard("shoe", Card("As"), "04AA"), cmd.DrawCard("shoe", Card("Kd"), "04BB"))
    assert felt.take(cmd.DrawCard("shoe", Card("As"), "04AA")) == ()
    assert felt.take(cmd.DrawCard("second", Card("Kd"), "04BB")) == ()


def test_the_last_card_again_without_a_tag_is_one_presentation() -> None:
    assert dealing(cards=3).take(cmd.DrawCard("shoe", Card("Qd"))) == ()


@pytest.mark.parametrize("tag", [None, "04CC"])
def test_an_earlier_card_again_stops_the_deal_and_says_which_by_its_count_never_by_its_face(tag: str | None) -> None:
    felt = dealing(cards=4)
    felt.do(cmd.DrawCard("shoe", Card("9s"), tag))
    (notice,) = felt.now.open_notices
    assert (notice.kind, notice.reader, notice.detail) == (NoticeKind.read_twice, "shoe", "card 1")
    assert len(felt.now.draws) == 4
    assert felt.take(cmd.DrawCard("shoe", Card("9s"), tag)) == ()


# --- what is no card of this round -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "detail"), [(NoticeKind.unknown_tag, "04DEADBEEF"), (NoticeKind.other_deck, "blue")])
def test_an_unknown_tag_or_another_deck_is_a_notice_and_never_a_card(kind: NoticeKind, detail: str) -> None:
    felt = dealing(cards=2).do(cmd.ReportNotice(kind, "shoe", detail))
    assert notices(felt) == [kind.value]
    assert len(felt.now.draws) == 2
    assert felt.take(cmd.ReportNotice(kind, "shoe", detail)) == ()
    assert len(felt.take(cmd.ReportNotice(kind, "second", detail))) == 1


def test_nothing_goes_on_before_a_person_has_looked() -> None:
    felt = Felt(table_setup("D")).open().bet(1).do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE"))
    assert felt.refusal(cmd.LockBets(0)) is Refusal.notice_open
    felt = rest(dealing(cards=2).do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE")))
    assert felt.refusal(cmd.CloseDecisions()) is Refusal.notice_open
    felt.do(cmd.SettleNotice(1, card_lies_there=False), cmd.CloseDecisions())
    assert felt.phase == "reveal"


def test_a_notice_about_a_card_that_lies_there_puts_an_unread_card_where_it_came_up() -> None:
    felt = dealing(cards=2).do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE")).draw("Kc")
    felt.do(cmd.SettleNotice(1, card_lies_there=True))
    assert unread_places(felt) == [(0, 0)]
    assert felt.now.draw_at(place(1, 1)) == Draw(Card("Kc"), Source.reader)


def test_a_notice_is_settled_once_and_only_if_it_is_there() -> None:
    felt = dealing(cards=2).do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE"))
    assert felt.refusal(cmd.SettleNotice(2, card_lies_there=False)) is Refusal.no_such_notice
    felt.do(cmd.SettleNotice(1, card_lies_there=False))
    assert felt.refusal(cmd.SettleNotice(1, card_lies_there=False)) is Refusal.no_such_notice
    full = rest(dealing(cards=2).do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE")))
    assert full.refusal(cmd.SettleNotice(1, card_lies_there=True)) is Refusal.all_dealt
    assert Felt(table_setup("D")).refusal(cmd.SettleNotice(1, card_lies_there=False)) is Refusal.no_round


def test_a_card_seen_before_the_lock_or_after_the_deal_is_out_of_turn_and_told_once() -> None:
    early = Felt(table_setup("D")).open().bet(1).draw("As")
    assert notices(early) == ["out_of_turn"]
    assert early.now.open_notices[0].detail == ""
    assert early.take(cmd.DrawCard("shoe", Card("As"))) == ()
    late = rest(dealing()).draw("Ah")
    assert notices(late) == ["out_of_turn"]
    assert len(late.now.draws) == 15


# --- cards that no reader saw: procedure row 19 --------------------------------------------------------------------------


def test_a_card_drawn_unread_lies_face_down_and_unknown_in_its_place() -> None:
    felt = dealing(cards=4).do(cmd.MarkUnread())
    assert unread_places(felt) == [(3, 1)]
    assert sight(felt.setup.profile, felt.now, place(3, 1)).face is Face.unknown_down


def test_a_missed_card_moves_the_later_ones_one_place_on_and_taking_it_out_moves_them_back() -> None:
    felt = dealing(cards=6)
    before = felt.now.placed
    felt.do(cmd.InsertUnread(place(3, 0)))
    assert unread_places(felt) == [(3, 0)]
    assert felt.now.placed[2:] == before[1:]
    felt.do(cmd.TakeOut(place(3, 0)))
    assert felt.now.placed == before


def test_no_card_is_inserted_or_taken_where_none_lies() -> None:
    felt = dealing(cards=3)
    for command in (cmd.InsertUnread(place(1, 1)), cmd.TakeOut(place(1, 1)), cmd.TakeOut(place(2, 0))):
        assert felt.refusal(command) is Refusal.no_card_there


def test_taking_a_card_out_of_a_whole_deal_asks_for_one_more() -> None:
    felt = rest(dealing()).do(cmd.TakeOut(place(0, 4)))
    assert (felt.now.phase, felt.now.next_place) == (Phase.dealing, place(0, 4))
    felt.draw(NO_QUALIFIER.split()[4])
    assert felt.phase == "decisions"
    assert felt.refusal(cmd.InsertUnread(place(1, 0))) is Refusal.wrong_phase


def test_an_open_card_is_entered_by_hand_and_a_face_down_one_is_not() -> None:
    felt = dealing(cards=14)
    assert felt.refusal(cmd.EnterCard(place(1, 0), Card("As"))) is Refusal.card_not_due
    felt.do(cmd.EnterCard(place(0, 4), Card("3h")))
    assert felt.now.draw_at(place(0, 4)) == Draw(Card("3h"), Source.hand)
    assert felt.refusal(cmd.EnterCard(place(0, 4), Card("3h"))) is Refusal.card_known


def test_an_open_card_that_was_read_face_down_elsewhere_was_misread_there() -> None:
    felt = dealing(cards=14).do(cmd.EnterCard(place(0, 4), Card("9s")))
    assert felt.now.draw_at(place(0, 4)) == Draw(Card("9s"), Source.hand)
    assert unread_places(felt) == [(1, 0)]


def test_no_answer_tells_which_card_lies_face_down() -> None:
    """Whoever could try cards until one is refused would know the hands."""
    for command in (cmd.EnterCard(place(0, 4), Card("9s")), cmd.BurnCard(Card("9s"))):
        felt = dealing(cards=14)
        assert can(felt.table, command, cmd.Stamp(felt.at, "dealer"))


def test_an_open_card_is_entered_only_at_the_next_place() -> None:
    felt = dealing("A", cards=1)
    assert felt.refusal(cmd.EnterCard(place(1, 1), Card("As"))) is Refusal.not_next_place
    felt.do(cmd.EnterCard(place(3, 0), Card("As")))
    assert felt.now.next_place == place(0, 0)


def test_a_hand_with_an_unread_card_is_settled_only_when_it_is_entered() -> None:
    felt = rest(dealing(cards=12).do(cmd.MarkUnread()))
    assert unread_places(felt) == [(1, 4)]
    felt.reveal().do(cmd.SettleSeat(felt.now.seats[1]))
    assert felt.refusal(cmd.SettleSeat(felt.now.seats[0])) is Refusal.cards_unknown
    felt.do(cmd.EnterCard(place(1, 4), Card("2d"))).settle()
    assert felt.phase == "closed"


def test_the_dealers_hand_is_confirmed_only_when_it_is_known() -> None:
    felt = rest(dealing(cards=2).do(cmd.MarkUnread())).do(cmd.CloseDecisions())
    assert felt.refusal(cmd.ConfirmDealerHand()) is Refusal.cards_unknown
    felt.do(cmd.EnterCard(place(0, 0), Card("Qd")), cmd.ConfirmDealerHand())
    assert felt.phase == "settlement"


# --- burned cards: procedure rows 8 and 11 -----------------------------------------------------------------------------


def test_a_burned_card_goes_to_nobody_and_the_next_takes_its_place() -> None:
    felt = dealing(cards=2).do(cmd.BurnCard(Card("As"))).draw("Kc")
    assert felt.now.burned == (2,)
    assert felt.now.place_of(Card("As")) is None
    assert felt.now.place_of(Card("Kc")) == place(0, 0)
    assert felt.refusal(cmd.BurnCard(Card("As"))) is Refusal.card_elsewhere


def test_a_missed_card_before_a_burned_one_moves_that_along() -> None:
    felt = dealing(cards=2).do(cmd.BurnCard(Card("As")), cmd.InsertUnread(place(1, 0)))
    assert felt.now.burned == (3,)
    felt.do(cmd.TakeOut(place(1, 0)))
    assert felt.now.burned == (2,)


# --- a reader that was lost: procedure row 19 ----------------------------------------------------------------------------


def test_a_reader_lost_while_dealing_asks_for_a_count_and_leaves_the_round_unverified() -> None:
    felt = dealing(cards=4).do(cmd.ReportReaderLost("shoe", "unplugged"))
    assert notices(felt) == ["reader_lost"]
    assert felt.now.unverified
    assert felt.take(cmd.ReportReaderLost("shoe", "unplugged")) == ()
    assert felt.refusal(cmd.ConfirmCount(3)) is Refusal.count_too_small
    assert felt.refusal(cmd.ConfirmCount(16)) is Refusal.count_too_large
    felt.do(cmd.ReportReaderBack("shoe"), cmd.ConfirmCount(6))
    assert notices(felt) == []
    assert unread_places(felt) == [(3, 1), (0, 1)]
    rest(felt)
    assert felt.now.unverified


def test_the_count_may_say_that_every_card_is_out() -> None:
    felt = dealing(cards=4).do(cmd.ReportReaderLost("shoe", "unplugged"), cmd.ConfirmCount(15))
    assert felt.phase == "decisions"
    assert len(unread_places(felt)) == 11


def test_a_count_that_changes_nothing_is_asked_for_by_a_lost_reader_only() -> None:
    assert dealing(cards=4).refusal(cmd.ConfirmCount(4)) is Refusal.no_such_notice
    assert unread_places(dealing(cards=4).do(cmd.ConfirmCount(5))) == [(3, 1)]


def test_a_reader_that_comes_back_while_dealing_asks_for_a_count_again() -> None:
    felt = dealing(cards=2).do(cmd.ReportReaderLost("shoe", "x"), cmd.ConfirmCount(2)).draw("Kc")
    felt.do(cmd.ReportReaderBack("shoe"))
    assert notices(felt) == ["reader_back"]
    assert felt.take(cmd.ReportReaderBack("shoe")) == ()
    felt.do(cmd.ConfirmCount(3))
    assert notices(felt) == []


@pytest.mark.parametrize("reason", ["unplugged", ""])
def test_a_round_dealt_while_a_reader_is_lost_is_unverified(reason: str) -> None:
    felt = Felt(table_setup("D")).do(cmd.ReportReaderLost("shoe", reason)).to_dealing(1)
    assert felt.now.unverified
    assert notices(felt) == []


def test_a_reader_comes_online_once_at_the_start_and_once_after_each_loss() -> None:
    felt = Felt(table_setup("D"))
    assert len(felt.take(cmd.ReportReaderBack("shoe"))) == 1
    assert felt.take(cmd.ReportReaderBack("shoe")) == ()
    felt.do(cmd.ReportReaderLost("shoe", "x"), cmd.ReportReaderBack("shoe"))
    assert [type(event) for event in felt.events[-2:]] == [ev.ReaderLost, ev.ReaderBack]
