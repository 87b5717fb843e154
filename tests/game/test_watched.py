"""A camera beside the record: what it disputes, what it may name, what it never tells."""

from typing import Final

import msgspec
import pytest

from dealer_assist.application.camera_view import CameraLamp
from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import DealerView, ShownPhase, Step, dealer_view
from dealer_assist.game import camera_events as seen
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.errors import Refusal
from dealer_assist.game.evolve import fold
from dealer_assist.game.round import Draw, Ending, Phase, Picture, Source
from dealer_assist.game.setup import CameraRole, Signer, TableSetup
from dealer_assist.game.sight import Face
from dealer_assist.game.table import CameraLink
from tests.game.felt import Felt, dealt, place, table_setup

DEALERS: Final = "Ad Kc 4h 3d 2d"
HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: DEALERS}
PICTURE: Final = Picture("whole.jpg", "00" * 32)


def watched(sheet: str = "D", role: CameraRole = CameraRole.cross_check) -> TableSetup:
    return msgspec.structs.replace(table_setup(sheet), camera=role)


def supervised(setup: TableSetup) -> TableSetup:
    strict = msgspec.structs.replace(setup.procedure, card_correction_before_paying=Signer.supervisor)
    return msgspec.structs.replace(setup, procedure=strict)


def deciding(setup: TableSetup | None = None) -> Felt:
    return Felt(setup or watched()).to_dealing(1, 3, jackpot=True).deal(HANDS)


def revealed(setup: TableSetup | None = None) -> Felt:
    return deciding(setup).do(cmd.CloseDecisions())


def settling(setup: TableSetup | None = None) -> Felt:
    return deciding(setup).reveal()


def dealt_but_one(setup: TableSetup, unread: Place) -> Felt:
    """All is dealt, and nobody read the card at one place."""
    felt = Felt(setup).to_dealing(1, 3)
    for at, card in zip(felt.now.order, dealt(setup, HANDS), strict=True):
        felt.do(cmd.MarkUnread() if at == unread else cmd.DrawCard("shoe", card))
    return felt


def sight(felt: Felt, holder: int, codes: str, *unsure: str) -> cmd.ReportHand:
    """What the camera tells of a hand."""
    seen_there = tuple(map(Card, codes.split()))
    return cmd.ReportHand(felt.now.number, Seat(holder), seen_there, tuple(map(parse_cards, unsure)), (PICTURE,))


def screen(felt: Felt) -> DealerView:
    return dealer_view(Snapshot(len(felt.events), felt.table, felt.at))


def source_dealt() -> Felt:
    """A table without readers, all dealt and nothing known."""
    felt = Felt(watched(role=CameraRole.source)).to_dealing(1, 3)
    return felt.do(cmd.ConfirmCount(15))


# --- agreement -----------------------------------------------------------------------------------------------------


def test_a_hand_seen_whole_and_equal_is_told_once_in_whatever_order_it_lies() -> None:
    felt = revealed()
    assert felt.take(sight(felt, 0, "2d 3d 4h Kc Ad")) == (seen.HandCompared(DEALER, parse_cards(DEALERS)),)
    assert felt.take(sight(felt, 0, DEALERS)) == ()
    assert felt.take(cmd.ConfirmDealerHand())


def test_too_few_cards_hold_nothing_and_are_told_when_the_round_goes_on() -> None:
    felt = revealed()
    look = sight(felt, 0, "Ad Kc", "4h 4d", "9c 9s")
    assert felt.take(look) == ()
    felt.do(cmd.ConfirmDealerHand())
    agreed, unsure, unseen = parse_cards("Ad Kc"), parse_cards("4h"), parse_cards("3d 2d")
    assert felt.take(look) == (seen.HandCompared(DEALER, agreed, unsure, unseen),)
    assert felt.take(sight(felt, 0, DEALERS)) == ()


def test_a_dealer_who_goes_on_before_the_camera_has_looked_is_not_held() -> None:
    felt = settling().settle()
    assert (felt.phase, felt.now.compared) == ("closed", frozenset())
    assert felt.take(sight(felt, 1, "")) == (seen.HandCompared(Seat(1), (), (), parse_cards(HANDS[1])),)


def test_more_cards_than_lie_there_by_the_record_say_nothing_of_them() -> None:
    felt = revealed()
    assert felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h", "2d 2c")) == ()
    felt.do(cmd.ConfirmDealerHand())
    assert felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h", "2d 2c")) == (
        seen.HandCompared(DEALER, (), (), parse_cards(DEALERS)),
    )


# --- dispute -------------------------------------------------------------------------------------------------------


def test_another_card_in_an_open_hand_holds_the_round_until_a_person_decides() -> None:
    felt = revealed()
    [disputed] = felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h"))
    assert disputed == seen.HandDisputed(DEALER, parse_cards(DEALERS), parse_cards("Ad Kc 4h 3d 7h"), (PICTURE,))
    assert felt.refusal(cmd.ConfirmDealerHand()) is Refusal.dispute_open
    shown = screen(felt)
    assert (shown.next.step, shown.next.seat, shown.next.command) == (Step.compare, DEALER, None)
    assert shown.camera is not None
    [dispute] = shown.camera.disputes
    assert (shown.camera.lamp, dispute.pictures, dispute.needs_signature) == (CameraLamp.disagrees, (PICTURE,), False)
    assert [each.shown.card for each in dispute.recorded if each.differs] == [Card("2d")]
    assert [card for card, differs in dispute.seen if differs] == [Card("7h")]
    assert felt.take(dispute.uphold) == (seen.RecordUpheld(1),)
    assert felt.now.disputes[0].ending is Ending.upheld
    assert felt.take(cmd.ConfirmDealerHand())


def test_one_card_that_is_surely_another_is_enough() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "7h"))
    assert felt.now.open_disputes


def test_a_hand_with_two_equal_cards_is_disputed() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "Ad Ad Kc 4h 3d"))
    assert [card for card, differs in screen(felt).camera.disputes[0].seen if differs] == [Card("Ad")]  # type: ignore[union-attr]


def test_a_correction_to_what_the_camera_saw_ends_the_dispute() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "Ad Kc 4h 3d 7h"), cmd.CorrectCard(place(0, 4), Card("7h")))
    assert felt.now.disputes[0].ending is Ending.corrected
    assert felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h")) == (seen.HandCompared(DEALER, parse_cards("Ad Kc 4h 3d 7h")),)
    assert felt.take(cmd.ConfirmDealerHand())


def test_a_correction_to_a_third_card_leaves_the_dispute_to_be_decided() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "Ad Kc 4h 3d 7h"), cmd.CorrectCard(place(0, 4), Card("8h")))
    assert felt.refusal(cmd.ConfirmDealerHand()) is Refusal.dispute_open
    felt.do(cmd.UpholdRecord(1), cmd.ConfirmDealerHand())


def test_what_a_person_has_decided_is_not_raised_again_in_this_round() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "Ad Kc 4h 7h"), cmd.UpholdRecord(1))
    assert felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h")) == ()
    assert felt.take(sight(felt, 0, "Ad Kc 4h Jc 7h"))
    felt.do(cmd.UpholdRecord(2), cmd.ConfirmDealerHand())
    assert felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h")) == (
        seen.HandCompared(DEALER, parse_cards("Ad Kc 4h 3d"), (), (), parse_cards("2d")),
    )


def test_a_card_once_upheld_may_be_disputed_after_it_was_corrected() -> None:
    felt = revealed()
    felt.do(sight(felt, 0, "Ad Kc 4h 3d 7h"), cmd.UpholdRecord(1), cmd.CorrectCard(place(0, 0), Card("As")))
    [disputed] = felt.take(sight(felt, 0, "Ad Kc 4h 3d 7h"))
    assert isinstance(disputed, seen.HandDisputed)


def test_a_wrong_upcard_holds_the_decisions() -> None:
    felt = deciding()
    felt.do(sight(felt, 0, "7h"))
    assert felt.refusal(cmd.CloseDecisions()) is Refusal.dispute_open
    assert felt.refusal(cmd.Decide(Seat(1), Action.fold)) is Refusal.dispute_open
    assert screen(felt).phase is ShownPhase.paused
    felt.do(cmd.CorrectCard(place(0, 4), Card("7h")), cmd.CloseDecisions())


def test_two_disputes_at_once_are_decided_one_by_one() -> None:
    felt = deciding(watched("A"))
    felt.do(sight(felt, 1, "9s 9h 6d 5c Jc"), sight(felt, 3, "Kh Qh 9c 8s Jd"))
    assert [each.holder for each in felt.now.open_disputes] == [1, 3]
    felt.do(cmd.UpholdRecord(1))
    assert screen(felt).next.seat == 3
    assert felt.refusal(cmd.CloseDecisions()) is Refusal.dispute_open
    felt.do(cmd.CorrectCard(place(3, 4), Card("Jd")), cmd.CloseDecisions())


def test_two_hands_that_were_swapped_in_one_card_are_put_right_by_one_correction_and_one_entry() -> None:
    felt = deciding(watched("A"))
    felt.do(sight(felt, 1, "9s 9h 6d 5c 2c"), sight(felt, 3, "Kh Qh 9c 8s 2s"))
    felt.do(cmd.CorrectCard(place(1, 4), Card("2c")))
    assert [each.ending for each in felt.now.disputes] == [Ending.corrected, Ending.corrected]
    assert felt.take(sight(felt, 3, "Kh Qh 9c 8s 2s")) == (seen.CandidatesSeen(place(3, 4), (Card("2s"),)),)
    felt.do(cmd.EnterCard(place(3, 4), Card("2s")), cmd.CloseDecisions())


def test_a_card_that_lies_open_at_another_hand_is_disputed_even_where_one_is_unknown() -> None:
    felt = dealt_but_one(watched("A"), place(3, 4))
    felt.do(sight(felt, 3, "Kh Qh 9c 8s 2s"))
    assert [each.holder for each in felt.now.open_disputes] == [3]


def test_a_dispute_that_is_never_decided_ends_with_the_round() -> None:
    felt = settling()
    felt.do(sight(felt, 3, "Kh Qh 9c 8s Jd"))
    assert felt.refusal(cmd.SettleSeat(Seat(3))) is Refusal.dispute_open
    felt.signed(cmd.VoidRound("cards fell down"))
    assert felt.now.disputes[0].ending is Ending.dropped
    felt.open()
    assert felt.now.disputes == ()


def test_jackpot_chips_wait_for_a_decision_too() -> None:
    hands = {1: "As Ks Qs Js Ts", 3: "Kh Qh 9c 8s 2c", 0: DEALERS}
    felt = Felt(watched()).to_dealing(1, 3, jackpot=True).deal(hands).reveal().do(cmd.SettleSeat(Seat(3)))
    felt.do(sight(felt, 1, "As Ks Qs Js 9s"))
    assert felt.refusal(cmd.SettleSeat(Seat(1))) is Refusal.dispute_open
    felt.do(cmd.UpholdRecord(1), cmd.SettleSeat(Seat(1)))
    assert not any(isinstance(event, seen.HandDisputed) for event in felt.take(sight(felt, 0, "7h")))
    felt.do(cmd.SettleJackpot())


def test_a_hand_that_turns_out_to_be_folded_does_not_close_the_round_over_a_dispute() -> None:
    felt = Felt(watched()).to_dealing(1).deal({1: HANDS[1], 0: DEALERS}).reveal()
    felt.do(sight(felt, 1, "7h")).signed(cmd.CorrectDecision(Seat(1), Action.fold, "seen on the recording"))
    assert (felt.phase, screen(felt).next.step) == ("settlement", Step.compare)
    assert felt.refusal(cmd.SettleJackpot()) is Refusal.dispute_open
    assert felt.take(cmd.UpholdRecord(1)) == (seen.RecordUpheld(1), ev.RoundClosed())


def test_what_lies_at_a_hand_that_is_paid_is_no_longer_that_hand() -> None:
    felt = settling().do(cmd.SettleSeat(Seat(3)))
    assert felt.take(sight(felt, 3, "7h")) == (seen.HandCompared(Seat(3), (), (), (), parse_cards(HANDS[3])),)
    assert not felt.now.disputes


def test_undo_takes_back_a_correction_and_the_dispute_is_there_again() -> None:
    felt = deciding()
    felt.do(sight(felt, 0, "7h"))
    before = felt.table
    felt.do(cmd.CorrectCard(place(0, 4), Card("7h")), cmd.Undo())
    assert felt.table == before


def test_undo_keeps_what_was_disputed_and_decided_since() -> None:
    felt = deciding().do(cmd.Decide(Seat(1), Action.fold))
    felt.do(sight(felt, 0, "7h"), cmd.UpholdRecord(1), cmd.Undo())
    assert [each.ending for each in felt.now.disputes] == [Ending.upheld]
    assert felt.take(sight(felt, 0, "7h")) == ()


def test_undo_takes_no_decision_on_a_dispute_back() -> None:
    felt = deciding()
    felt.do(sight(felt, 0, "7h"), cmd.CorrectCard(place(0, 4), Card("8h")), cmd.UpholdRecord(1), cmd.Undo())
    assert [each.ending for each in felt.now.disputes] == [Ending.upheld]


def test_a_hand_that_was_compared_is_not_told_again_after_an_undo_that_left_it_as_it_was() -> None:
    felt = deciding(watched("A")).do(cmd.Decide(Seat(3), Action.fold))
    assert felt.take(sight(felt, 1, HANDS[1]))
    felt.do(cmd.Undo())
    assert felt.take(sight(felt, 1, HANDS[1])) == ()
    felt.do(cmd.Undo()).draw("7c")
    assert len(felt.now.compared) == 1


def test_a_dispute_over_a_card_that_is_taken_back_is_dropped() -> None:
    felt = deciding()
    felt.do(sight(felt, 0, "7h"), cmd.Undo())
    assert (felt.now.phase, felt.now.disputes[0].ending) == (Phase.dealing, Ending.dropped)
    felt.draw("2d")
    assert not felt.now.open_disputes


def test_where_a_supervisor_corrects_cards_he_decides_what_the_camera_disputes() -> None:
    felt = revealed(supervised(watched()))
    felt.do(sight(felt, 0, "7h"))
    assert screen(felt).camera.disputes[0].needs_signature  # type: ignore[union-attr]
    assert felt.refusal(cmd.UpholdRecord(1, "I looked")) is Refusal.needs_supervisor
    assert felt.refusal(cmd.UpholdRecord(1), signed="supervisor") is Refusal.reason_needed
    assert felt.signed(cmd.UpholdRecord(1, "I looked")).events[-1] == seen.RecordUpheld(1, "I looked")


def test_after_paying_a_supervisor_decides() -> None:
    felt = settling().do(cmd.SettleSeat(Seat(3)))
    felt.do(sight(felt, 0, "7h"))
    assert felt.refusal(cmd.UpholdRecord(1, "I looked")) is Refusal.needs_supervisor
    felt.signed(cmd.UpholdRecord(1, "I looked")).settle()


def test_nobody_decides_what_is_not_disputed() -> None:
    assert Felt(watched()).refusal(cmd.UpholdRecord(1)) is Refusal.no_round
    felt = revealed()
    assert felt.refusal(cmd.UpholdRecord(1)) is Refusal.no_such_dispute
    felt.do(sight(felt, 0, "7h"), cmd.UpholdRecord(1))
    assert felt.refusal(cmd.UpholdRecord(1)) is Refusal.no_such_dispute


# --- what is not told ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("holder", [1, 3])
def test_a_hand_that_lies_face_down_is_never_looked_at(holder: int) -> None:
    felt = deciding()
    assert felt.take(sight(felt, holder, "7h")) == ()
    felt.do(cmd.CloseDecisions())
    assert felt.take(sight(felt, holder, HANDS[holder])) == ()


def test_a_hole_card_that_shows_is_not_told_beside_the_upcard() -> None:
    felt = deciding()
    assert felt.take(sight(felt, 0, "2d 4h")) == ()
    assert felt.take(sight(felt, 0, "7h 4h")) == ()


def test_what_the_record_has_face_down_changes_nothing_that_the_camera_leads_to() -> None:
    """A card read at the wrong hand is the likeliest fault of all: the camera tells it as any other."""
    plain = settling()
    moved = settling()
    hidden = moved.now.positions[Seat(1)][0]
    draws = list(moved.now.draws)
    draws[hidden] = Draw(Card("7h"), Source.reader)
    moved.table = msgspec.structs.replace(moved.table, round=msgspec.structs.replace(moved.now, draws=tuple(draws)))
    for codes in ("7h", "Kh Qh 9c 8s 7h", HANDS[3]):
        assert plain.take(sight(plain, 3, codes)) == moved.take(sight(moved, 3, codes))


def test_a_sight_of_another_round_is_nothing() -> None:
    felt = revealed()
    late = sight(felt, 0, "7h")
    felt.do(cmd.ConfirmDealerHand()).settle().to_dealing(1, 3, jackpot=True).deal(HANDS).do(cmd.CloseDecisions())
    assert felt.take(late) == ()


@pytest.mark.parametrize("number", [1, 3, 4])
def test_without_an_open_hand_there_is_nothing_to_say(number: int) -> None:
    felt = Felt(watched()).to_dealing(1, 3)
    assert felt.take(sight(felt, number, "7h")) == ()
    assert deciding().take(sight(deciding(), 4, "7h")) == ()


def test_a_camera_that_plays_no_part_is_not_heard() -> None:
    felt = revealed(table_setup("D"))
    assert felt.take(sight(felt, 0, "7h")) == ()
    assert screen(felt).camera is None


def test_a_folded_hand_that_is_cleared_is_not_looked_at() -> None:
    felt = Felt(watched("A")).to_dealing(1, 3).deal(HANDS).fold(1)
    assert felt.take(sight(felt, 1, "7h")) == ()


# --- cards that nobody read ----------------------------------------------------------------------------------------


def unread_dealers_hand() -> Felt:
    return dealt_but_one(watched(), place(0, 2)).do(cmd.CloseDecisions())


def test_the_camera_names_a_card_that_nobody_read_and_a_person_enters_it() -> None:
    felt = unread_dealers_hand()
    assert felt.take(sight(felt, 0, "Ad Kc 3d 2d 4h")) == (seen.CandidatesSeen(place(0, 2), (Card("4h"),)),)
    assert felt.take(sight(felt, 0, "Ad Kc 3d 2d 4h")) == ()
    shown = screen(felt)
    assert shown.next.step is Step.enter_card
    assert (shown.dealer.slots[2].face, shown.dealer.slots[2].candidates) == (Face.doubtful, (Card("4h"),))
    assert felt.refusal(cmd.ConfirmDealerHand()) is Refusal.cards_unknown
    felt.do(cmd.EnterCard(place(0, 2), Card("4h")))
    assert felt.take(sight(felt, 0, DEALERS)) == (seen.HandCompared(DEALER, parse_cards(DEALERS)),)


def test_an_unsure_card_is_offered_with_its_candidates() -> None:
    felt = unread_dealers_hand()
    felt.do(sight(felt, 0, "Ad Kc 3d 2d", "4h 4d"))
    assert screen(felt).dealer.slots[2].candidates == parse_cards("4h 4d")


def test_an_unsure_card_that_may_be_a_known_one_is_not_offered() -> None:
    felt = unread_dealers_hand()
    assert felt.take(sight(felt, 0, "Ad 3d 2d", "Ks Kc")) == ()


def test_a_card_entered_otherwise_than_the_camera_saw_it_is_disputed() -> None:
    felt = unread_dealers_hand()
    felt.do(sight(felt, 0, "Ad Kc 3d 2d 4h"), cmd.EnterCard(place(0, 2), Card("4d")))
    assert isinstance(felt.take(sight(felt, 0, "Ad Kc 3d 2d 4h"))[0], seen.HandDisputed)


# --- the camera as the source --------------------------------------------------------------------------------------


def test_without_a_reader_the_dealer_says_that_all_is_dealt() -> None:
    felt = Felt(watched(role=CameraRole.source)).to_dealing(1, 3)
    shown = screen(felt)
    assert (shown.next.step, shown.next.command) == (Step.all_dealt, cmd.ConfirmCount(15))
    felt.do(cmd.ConfirmCount(15))
    assert felt.phase == "decisions"
    assert {draw.card for draw in felt.now.draws} == {None}


def test_cards_are_entered_as_they_are_turned() -> None:
    felt = source_dealt()
    assert felt.take(sight(felt, 0, "2d")) == (ev.CardEntered(place(0, 4), Card("2d"), Source.camera),)
    assert felt.take(sight(felt, 0, "2d")) == ()
    felt.do(cmd.CloseDecisions(), sight(felt, 0, "Kc 2d"), sight(felt, 0, "Kc 4h 2d Ad 3d"))
    assert [draw.card for draw in felt.now.hand(DEALER) if draw] == list(parse_cards("Kc 4h Ad 3d 2d"))
    assert felt.refusal(cmd.SettleSeat(Seat(3))) is Refusal.wrong_phase
    felt.do(cmd.ConfirmDealerHand(), sight(felt, 3, HANDS[3]), cmd.SettleSeat(Seat(3)))
    assert felt.take(sight(felt, 3, HANDS[3])) == (seen.HandCompared(Seat(3), parse_cards(HANDS[3])),)
    felt.do(sight(felt, 1, HANDS[1]), cmd.SettleSeat(Seat(1)))
    assert felt.phase == "closed"


def test_an_unsure_card_waits_for_a_tap_and_the_others_are_entered() -> None:
    felt = source_dealt().do(cmd.CloseDecisions())
    felt.do(sight(felt, 0, "Ad Kc 4h 3d", "2d 2h"))
    assert felt.now.known_hand(DEALER) is None
    assert screen(felt).dealer.slots[4].candidates == parse_cards("2d 2h")
    felt.do(sight(felt, 0, DEALERS))
    assert felt.now.known_hand(DEALER) == parse_cards(DEALERS)


def test_a_card_that_becomes_sure_is_entered_where_it_was_doubted() -> None:
    felt = source_dealt().do(cmd.CloseDecisions())
    felt.do(sight(felt, 0, "Ad", "Kc Ks", "2d 2h"), sight(felt, 0, "Ad 2d", "Kc Ks"))
    assert [draw.card for draw in felt.now.hand(DEALER) if draw] == [Card("Ad"), None, Card("2d"), None, None]


def test_what_a_person_entered_stands_beside_what_the_camera_sees() -> None:
    felt = source_dealt().do(cmd.CloseDecisions(), cmd.EnterCard(place(0, 0), Card("Kc")))
    felt.do(sight(felt, 0, DEALERS))
    assert felt.now.known_hand(DEALER) == parse_cards("Kc Ad 4h 3d 2d")
    felt.do(cmd.ConfirmDealerHand(), cmd.EnterCard(place(3, 0), Card("7h")))
    felt.do(sight(felt, 3, HANDS[3]))
    assert felt.now.open_disputes, "five others are seen where four are unknown"


def test_a_card_that_is_known_elsewhere_is_disputed_and_never_moved() -> None:
    felt = source_dealt().do(cmd.CloseDecisions())
    felt.do(sight(felt, 0, DEALERS), cmd.ConfirmDealerHand())
    felt.do(sight(felt, 3, "Ad Qh 9c 8s 2c"))
    assert felt.now.open_disputes[0].holder == 3
    assert felt.now.known_hand(DEALER) == parse_cards(DEALERS)
    assert felt.now.hand(Seat(3))[0] == Draw(None, Source.unread)


def test_two_equal_cards_are_disputed_and_neither_is_entered() -> None:
    felt = source_dealt().do(cmd.CloseDecisions())
    felt.do(sight(felt, 0, "Ad Ad"))
    assert felt.now.open_disputes
    assert {draw.card for draw in felt.now.draws} == {None}


def test_undo_reaches_behind_what_the_camera_entered() -> None:
    felt = source_dealt().do(cmd.Decide(Seat(1), Action.fold))
    felt.do(sight(felt, 0, "2d"), cmd.Undo())
    assert not felt.now.decisions


def test_a_card_corrected_against_the_camera_is_asked_for_once() -> None:
    felt = source_dealt().do(cmd.CloseDecisions())
    felt.do(sight(felt, 0, DEALERS), cmd.CorrectCard(place(0, 4), Card("2h")), sight(felt, 0, DEALERS))
    assert felt.now.open_disputes
    felt.do(cmd.UpholdRecord(1))
    assert felt.take(sight(felt, 0, DEALERS)) == ()
    felt.do(cmd.ConfirmDealerHand())
    assert felt.take(sight(felt, 0, DEALERS))[0] == seen.HandCompared(
        DEALER, parse_cards("Ad Kc 4h 3d"), (), (), parse_cards("2h")
    )


# --- the camera itself ---------------------------------------------------------------------------------------------


def test_a_lost_camera_holds_nothing_and_is_told_once_a_reason() -> None:
    felt = revealed()
    assert felt.take(cmd.ReportCameraLost("unplugged")) == (seen.CameraLost("unplugged"),)
    assert felt.take(cmd.ReportCameraLost("unplugged")) == ()
    assert felt.table.camera == CameraLink(is_live=False, reason="unplugged")
    assert (screen(felt).camera.lamp, screen(felt).camera.reason) == (CameraLamp.lost, "unplugged")  # type: ignore[union-attr]
    felt.do(cmd.ConfirmDealerHand())
    assert felt.take(cmd.ReportCameraBack()) == (seen.CameraBack(),)
    assert felt.take(cmd.ReportCameraBack()) == ()
    assert screen(felt).camera.lamp is CameraLamp.watching  # type: ignore[union-attr]


def test_pictures_that_are_dropped_are_named() -> None:
    felt = Felt(watched())
    assert felt.take(cmd.DropEvidence(("a.jpg",))) == (seen.EvidenceDropped(("a.jpg",)),)
    assert felt.take(cmd.DropEvidence(())) == ()


def test_the_log_leads_to_the_same_disputes() -> None:
    felt = settling()
    felt.do(sight(felt, 3, "Kh Qh 9c 8s Jd"), sight(felt, 0, DEALERS), cmd.CorrectCard(place(3, 4), Card("Jd")))
    felt.do(sight(felt, 3, "Kh Qh 9c 8s Jd")).settle()
    assert fold(felt.events) == felt.table
