"""Undo, and corrections: the felt speaks, and what it says is signed where it must be."""

from typing import Final

import pytest

from dealer_assist.application.views import next_step
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.errors import Refusal
from dealer_assist.game.evolve import evolve
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import NoticeKind, Phase, Source
from dealer_assist.game.setup import BetEntry, MaxPayout, PayoutScope
from tests.game.felt import EXAMPLES, LOWEST_QUALIFIER, NO_QUALIFIER, Felt, dealt, minor, place, played, table_setup

HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: LOWEST_QUALIFIER.replace("2h", "2d")}


def deciding(sheet: str = "D", **bets: object) -> Felt:
    return Felt(table_setup(sheet)).to_dealing(1, 3, **bets).deal(HANDS)


def card(at: Place, code: str, reason: str = "") -> cmd.CorrectCard:
    return cmd.CorrectCard(at, Card(code), reason)


def decision(seat: int, action: Action) -> cmd.CorrectDecision:
    return cmd.CorrectDecision(Seat(seat), action, "seen on the recording")


def bet(seat: int, kind: Bet, amount: str) -> cmd.CorrectBet:
    return cmd.CorrectBet(Seat(seat), kind, minor(amount), "seen on the recording")


# --- undo ----------------------------------------------------------------------------------------------------------


def test_each_step_up_to_the_decisions_is_undone_to_the_very_state_before_it() -> None:
    felt = Felt(table_setup("A")).open()
    steps: list[cmd.Command] = [
        cmd.PlaceBet(Seat(1), Bet.ante, minor("10.00")),
        cmd.PlaceBet(Seat(3), Bet.ante, minor("10.00")),
        cmd.PlaceBet(Seat(1), Bet.bonus, minor("5.00")),
        cmd.PlaceBet(Seat(1), Bet.jackpot),
        cmd.DoubleBets(),
        cmd.RemoveBet(Seat(1), Bet.bonus),
        cmd.LockBets(1),
        cmd.BurnCard(Card("8c")),
        *(cmd.DrawCard("shoe", each) for each in dealt(table_setup("A"), HANDS)),
        cmd.TakeOut(place(0, 4)),
        cmd.InsertUnread(place(0, 0)),
        cmd.EnterCard(place(0, 0), Card("7c")),
        cmd.CorrectCard(place(1, 1), Card("7d")),
        cmd.Decide(Seat(1), Action.fold),
        cmd.TimeOutSeat(Seat(3)),
    ]
    tables = []
    for step in steps:
        tables.append(felt.table)
        felt.do(step)
    for step, before in zip(reversed(steps), reversed(tables), strict=True):
        felt.do(cmd.Undo())
        assert felt.table == before, step
    assert felt.refusal(cmd.Undo()) is Refusal.nothing_to_undo


def test_undoing_the_lock_gives_the_meters_feeds_back() -> None:
    felt = Felt(table_setup("D")).open().bet(1, jackpot=True).lock()
    assert felt.table.meter == Meter(Money(2_000_025))
    felt.do(cmd.Undo())
    assert (felt.table.meter, felt.now.phase) == (Meter(Money(2_000_000)), Phase.bets_open)
    felt.lock()
    assert felt.now.meter_at_lock == 2_000_025


def test_undo_ends_when_the_dealer_turns_his_cards() -> None:
    felt = deciding().do(cmd.CloseDecisions())
    for _ in range(3):
        assert felt.refusal(cmd.Undo(), signed="supervisor") is Refusal.nothing_to_undo
        if felt.now.phase is Phase.reveal:
            felt.do(cmd.ConfirmDealerHand())
        elif felt.now.phase is Phase.settlement:
            felt.settle()


def test_looking_at_something_odd_does_not_open_the_way_back_behind_the_reveal() -> None:
    """A payment is never undone: the step that undo would take back is only the look."""
    felt = deciding().reveal().draw("Ah")
    felt.do(cmd.SettleNotice(1, card_lies_there=False), cmd.SettleSeat(Seat(3)))
    assert felt.refusal(cmd.Undo()) is Refusal.nothing_to_undo
    assert list(felt.now.settled) == [3]


def test_what_the_readers_reported_since_stays_when_a_step_is_undone() -> None:
    felt = Felt(table_setup("D")).to_dealing(1).draw("As")
    felt.do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE"), cmd.ReportReaderLost("shoe", "x"), cmd.Undo())
    assert [notice.kind.value for notice in felt.now.open_notices] == ["unknown_tag", "reader_lost"]
    assert felt.now.unverified
    assert felt.now.draws == ()


def test_a_card_that_an_antenna_saw_elsewhere_is_undone_as_one_step() -> None:
    felt = Felt(table_setup("D")).to_dealing(1, 3).do(cmd.DrawCard("mat", Card("As"), None, DEALER))
    before = felt.table
    felt.do(cmd.SettleNotice(1, card_lies_there=True))
    assert [draw.card for draw in felt.now.draws] == [None, None, Card("As")]
    felt.do(cmd.Undo())
    assert felt.table == before


# --- a card that is another: procedure row 23 --------------------------------------------------------------------------


def test_before_paying_the_dealer_corrects_an_open_card_and_the_settlement_follows_the_felt() -> None:
    felt = deciding().reveal().do(card(place(3, 2), "Kd"))
    assert felt.now.draw_at(place(3, 2)) is not None
    assert felt.now.draws[7].source is Source.hand
    felt.settle()
    assert felt.nets(3) == "10.00 20.00 0.00 0.00"


def test_a_face_down_card_is_not_corrected_nor_one_that_is_not_there() -> None:
    felt = deciding()
    assert felt.refusal(card(place(3, 2), "Kd"), signed="supervisor") is Refusal.card_not_due
    assert felt.refusal(card(place(2, 2), "Kd"), signed="supervisor") is Refusal.no_card_there
    felt.reveal()
    assert felt.refusal(card(place(1, 0), "Kd")) is Refusal.card_not_due
    assert felt.refusal(card(place(3, 0), "Kh")) is Refusal.same_card


def test_the_twin_read_face_down_elsewhere_is_doubted_and_entered_when_it_is_turned() -> None:
    felt = deciding().reveal().do(card(place(3, 2), "9h"))
    assert felt.now.known_hand(Seat(1)) is None
    felt.do(cmd.SettleSeat(Seat(3)))
    assert felt.refusal(cmd.SettleSeat(Seat(1))) is Refusal.cards_unknown
    felt.do(cmd.EnterCard(place(1, 1), Card("9c"))).settle()
    assert felt.nets(1) == "10.00 20.00 0.00 0.00"


def test_an_open_card_read_at_another_open_place_is_asked_for_there_and_two_equal_ones_are_for_a_void() -> None:
    felt = deciding().reveal().do(cmd.SettleSeat(Seat(3)))
    assert felt.refusal(card(place(1, 0), "Kh")) is Refusal.needs_supervisor  # a hand that is paid hangs on it
    felt.signed(card(place(1, 0), "Kh", "seen"))
    assert felt.refusal(cmd.SettleSeat(Seat(3))) is Refusal.cards_unknown
    felt.signed(cmd.VoidRound("the felt shows the king of hearts twice"))


def test_a_card_of_the_burn_pile_is_not_on_the_felt() -> None:
    felt = Felt(table_setup("D")).to_dealing(1, 3).do(cmd.BurnCard(Card("Kd"))).deal(HANDS).reveal()
    assert felt.refusal(card(place(3, 2), "Kd"), signed="supervisor") is Refusal.card_elsewhere


def test_after_paying_a_correction_is_signed_with_a_reason_and_paid_anew() -> None:
    felt = deciding().reveal().do(cmd.SettleSeat(Seat(3)))
    assert felt.refusal(card(place(3, 2), "Kd", "misread")) is Refusal.needs_supervisor
    assert felt.refusal(card(place(3, 2), "Kd"), signed="supervisor") is Refusal.reason_needed
    felt.signed(card(place(3, 2), "Kd", "misread"))
    felt.settle()
    assert felt.nets(3) == "10.00 20.00 0.00 0.00"
    assert [event.seat for event in felt.events if isinstance(event, ev.SeatSettled)] == [3, 3, 1]


def test_a_correction_of_a_closed_round_opens_it_again_for_those_it_concerns() -> None:
    felt = deciding().reveal().settle()
    assert felt.nets(3) == "-10.00 -20.00 0.00 0.00"
    felt.signed(card(place(3, 2), "Kd", "misread"))
    assert felt.phase == "settlement"
    assert felt.refusal(cmd.SettleSeat(Seat(1))) is Refusal.not_next_in_paying_order
    felt.settle()
    assert felt.phase == "closed"
    assert (felt.nets(3), felt.nets(1)) == ("10.00 20.00 0.00 0.00",) * 2


def test_a_correction_of_a_closed_round_that_changes_no_payment_leaves_it_closed() -> None:
    felt = deciding().reveal().settle().signed(card(place(3, 4), "3c", "misread"))
    assert felt.phase == "closed"


def test_a_correction_of_the_dealers_hand_concerns_every_seat() -> None:
    felt = deciding().reveal().settle().signed(card(place(0, 1), "Jc", "misread"))
    felt.settle()
    assert (felt.nets(3), felt.nets(1)) == ("10.00 0.00 0.00 0.00",) * 2


def test_after_a_frozen_hit_the_cards_and_decisions_of_the_round_stand() -> None:
    felt = played(table_setup("D"), {2: EXAMPLES["royal_flush"], 0: LOWEST_QUALIFIER}, jackpot=True)
    assert felt.refusal(card(place(2, 4), "9s", "x"), signed="supervisor") is Refusal.hit_frozen
    assert felt.refusal(decision(2, Action.fold), signed="supervisor") is Refusal.hit_frozen


def test_a_hit_is_frozen_once_whatever_is_corrected_afterwards() -> None:
    cap = MaxPayout("1000.00", PayoutScope.hand, ("ante", "raise", "jackpot"))
    hands = {2: EXAMPLES["royal_flush"], 0: NO_QUALIFIER}
    felt = played(table_setup("C", max_payout=cap), hands, jackpot=True)
    meter = felt.table.meter
    felt.signed(bet(2, Bet.ante, "20.00")).settle()
    assert len([event for event in felt.events if isinstance(event, ev.HitFrozen)]) == 1
    assert felt.table.meter == meter


# --- bets and decisions that were others: procedure rows 14, 22, 24 to 26 ----------------------------------------------


def test_a_bet_is_corrected_by_a_signature_and_settled_as_it_lay() -> None:
    felt = deciding("A", bonus="5.00").reveal()
    assert felt.refusal(bet(3, Bet.ante, "20.00")) is Refusal.needs_supervisor
    felt.signed(bet(3, Bet.ante, "20.00"), bet(3, Bet.bonus, "0.00")).settle()
    assert felt.nets(3) == "-20.00 -40.00 0.00 0.00"


@pytest.mark.parametrize(
    ("kind", "amount", "refusal"),
    [
        (Bet.jackpot, "1.00", Refusal.jackpot_fixed_at_lock),
        (Bet.raise_bet, "20.00", Refusal.bet_unknown),
        (Bet.ante, "0.00", Refusal.amount_expected),
        (Bet.ante, "-1.00", Refusal.amount_expected),
        (Bet.bonus, "-1.00", Refusal.amount_expected),
    ],
)
def test_a_bet_is_not_corrected_to_what_it_cannot_have_been(kind: Bet, amount: str, refusal: Refusal) -> None:
    assert deciding("A").refusal(bet(3, kind, amount), signed="supervisor") is refusal


def test_a_bonus_is_not_corrected_into_a_sheet_without_one() -> None:
    assert deciding("D").refusal(bet(3, Bet.bonus, "1.00"), signed="supervisor") is Refusal.bet_unknown
    assert deciding("D").refusal(bet(2, Bet.ante, "1.00"), signed="supervisor") is Refusal.no_such_seat


def test_undo_does_not_reach_behind_a_signed_correction() -> None:
    felt = deciding().signed(bet(3, Bet.ante, "20.00"))
    assert felt.refusal(cmd.Undo()) is Refusal.nothing_to_undo


def test_a_fold_that_was_a_raise_is_settled_in_its_turn() -> None:
    felt = deciding().fold(3).reveal()
    assert felt.refusal(decision(3, Action.raise_bet)) is Refusal.needs_supervisor
    felt.signed(decision(3, Action.raise_bet))
    felt.settle()
    assert felt.nets(3) == "-10.00 -20.00 0.00 0.00"


def test_a_raise_that_was_a_fold_is_not_settled() -> None:
    felt = deciding().reveal().signed(decision(1, Action.fold)).settle()
    assert felt.phase == "closed"
    assert felt.nets(1) == "-10.00 0.00 0.00 0.00"


@pytest.mark.parametrize("when", ["reveal", "settlement"])
def test_a_round_whose_only_raise_was_a_fold_can_still_be_closed(when: str) -> None:
    felt = Felt(table_setup("D")).to_dealing(1).deal({1: HANDS[1], 0: HANDS[0]}).do(cmd.CloseDecisions())
    if when == "settlement":
        felt.do(cmd.ConfirmDealerHand())
    felt.signed(decision(1, Action.fold))
    if felt.now.phase is Phase.reveal:
        felt.do(cmd.ConfirmDealerHand())
    felt.settle()
    assert felt.phase == "closed"
    assert felt.nets(1) == "-10.00 0.00 0.00 0.00"


def test_the_last_seat_to_be_settled_may_turn_out_to_have_folded() -> None:
    felt = deciding().reveal().do(cmd.SettleSeat(Seat(3))).signed(decision(1, Action.fold)).settle()
    assert felt.phase == "closed"
    assert felt.nets(1) == "-10.00 0.00 0.00 0.00"


@pytest.mark.parametrize("closed", [False, True])
def test_a_paid_raise_that_was_a_fold_is_settled_anew(closed: bool) -> None:
    """Procedure row 26: a loser was paid."""
    felt = Felt(table_setup("D")).to_dealing(1, 3).deal({1: HANDS[3], 3: HANDS[1], 0: HANDS[0]}).reveal()
    felt.do(cmd.SettleSeat(Seat(3)))
    assert [line.net for line in felt.now.settled[Seat(3)]] == [1000, 2000]
    if closed:
        felt.settle()
    felt.signed(decision(3, Action.fold)).settle()
    assert felt.nets(3) == "-10.00 0.00 0.00 0.00"


def test_a_closed_round_in_which_all_folded_is_played_out_where_one_had_raised() -> None:
    """The dealer's cards are turned before anything is paid."""
    felt = deciding().fold(1, 3).do(cmd.CloseDecisions()).signed(decision(1, Action.raise_bet))
    while felt.now.phase is not Phase.closed:
        if felt.now.phase is Phase.settlement:
            assert DEALER in felt.now.turned
            felt.settle()
        else:
            felt.do(cmd.CloseDecisions() if felt.now.phase is Phase.decisions else cmd.ConfirmDealerHand())
    assert felt.nets(1) == "10.00 20.00 0.00 0.00"


def test_a_hand_with_an_unread_card_that_had_raised_is_entered_before_it_is_settled() -> None:
    """Under a maximum payout of the round too, where each seat's lines hang on those before it."""
    setup = table_setup("D", max_payout=MaxPayout("100.00", PayoutScope.round))
    cards = dealt(setup, HANDS)
    felt = Felt(setup).to_dealing(1, 3).draw(cards[:1]).do(cmd.MarkUnread()).draw(cards[2:]).fold(3).reveal().settle()
    felt.signed(decision(3, Action.raise_bet))
    assert felt.refusal(cmd.SettleSeat(Seat(3))) is Refusal.cards_unknown
    felt.do(cmd.EnterCard(place(3, 0), Card("Kh"))).settle()
    assert felt.nets(3) == "-10.00 -20.00 0.00 0.00"


def test_a_void_of_a_reopened_round_takes_back_every_payment_the_jackpot_too() -> None:
    hands = {1: "9s 9h 9d 9c 2s", 3: "Kh Qh 6c 8s 2c", 0: HANDS[0]}
    felt = played(table_setup("D"), hands, jackpot=True)
    paid = {(line.seat, line.bet): line.net for line in felt.lines}
    assert paid[Seat(1), Bet.jackpot] == minor("249.50")
    felt.signed(card(place(3, 2), "Kd", "misread"), cmd.VoidRound("the deck was not whole"))
    voided = next(event for event in felt.events if isinstance(event, ev.RoundVoided))
    assert {(refund.seat, refund.bet): refund.amount for refund in voided.refunds} == {
        made: -net for made, net in paid.items()
    }


def test_a_void_takes_back_a_raise_that_was_paid_and_then_corrected_to_a_fold() -> None:
    felt = deciding().reveal().do(cmd.SettleSeat(Seat(3))).signed(decision(3, Action.fold), cmd.VoidRound("x"))
    voided = next(event for event in felt.events if isinstance(event, ev.RoundVoided))
    refunds = {(refund.seat, refund.bet.value): refund.amount for refund in voided.refunds}
    assert refunds == {(3, "ante"): 1000, (3, "raise"): 2000, (1, "ante"): 1000, (1, "raise"): 2000}


def test_a_settled_hand_is_a_turned_one_also_where_a_forgotten_bonus_is_entered() -> None:
    felt = deciding("A").fold(3).reveal().signed(bet(3, Bet.bonus, "5.00"))
    felt.do(cmd.SettleSeat(Seat(3)))
    assert Seat(3) in felt.now.turned


def test_a_correction_of_a_closed_round_goes_by_the_rules_it_was_played_by() -> None:
    felt = deciding().reveal().settle()
    felt.table = evolve(felt.table, ev.TableOpened(table_setup("D", "pari-as-one-pair")))
    felt.signed(card(place(3, 4), "3c", "misread"))
    assert felt.phase == "closed"


def test_amounts_can_be_stated_where_a_correction_of_a_settled_seat_makes_the_maximum_payout_bite() -> None:
    """50 antes on a raise of two is nothing to ask about; a flush at six to one is, where 1,000 is the most."""
    setup = table_setup(
        "D", bet_entry=BetEntry.seats, limits=(Limit("ante", "10.00", "100.00"),), max_payout=MaxPayout("1000.00")
    )
    felt = Felt(setup).to_dealing(1, ante=None).deal({1: "Ks Js 9s 5s 2h", 0: "Ad Kc 4h 3d 2d"}).reveal().settle()
    felt.signed(card(place(1, 4), "2s", "misread"))
    assert felt.refusal(cmd.SettleSeat(Seat(1))) is Refusal.amounts_needed
    felt.do(cmd.StateAmounts(Seat(1), minor("100.00"))).settle()
    assert felt.nets(1) == "100.00 900.00 0.00 0.00"


def test_a_lock_undone_while_a_count_was_asked_for_leaves_nothing_to_count() -> None:
    felt = Felt(table_setup("D")).to_dealing(1).do(cmd.ReportReaderLost("shoe", "unplugged"), cmd.Undo())
    assert felt.now.open_notices == ()
    assert next_step(felt.table, felt.now).command == cmd.LockBets(0)
    felt.lock()
