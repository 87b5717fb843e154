"""From the last card to the close: decisions, time-outs, the reveal, paying seat by seat, void."""

from typing import Final

import pytest

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action, Decision
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Pattern, Seat
from dealer_assist.game.errors import Refusal
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import Money
from dealer_assist.game.round import Phase
from dealer_assist.game.setup import DealOverride, TimeOut
from tests.game.felt import EXAMPLES, LOWEST_QUALIFIER, NO_QUALIFIER, Felt, dealt, place, played, table_setup

HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: NO_QUALIFIER}


def deciding(sheet: str = "D", time_out: TimeOut = TimeOut.profile, **bets: object) -> Felt:
    return Felt(table_setup(sheet, time_out=time_out)).to_dealing(1, 3, **bets).deal(HANDS)


# --- decisions -----------------------------------------------------------------------------------------------------


def test_whoever_has_not_folded_raises_when_the_decisions_are_closed() -> None:
    felt = deciding().fold(3).do(cmd.CloseDecisions())
    assert felt.now.decisions == {1: Decision(Action.raise_bet), 3: Decision(Action.fold)}
    assert felt.now.phase is Phase.reveal


def test_a_decision_may_be_changed_until_they_are_closed() -> None:
    felt = deciding().fold(3)
    assert felt.refusal(cmd.Decide(Seat(3), Action.fold)) is Refusal.already_decided
    felt.do(cmd.Decide(Seat(3), Action.raise_bet))
    assert felt.now.decisions[Seat(3)].action is Action.raise_bet
    assert felt.refusal(cmd.Decide(Seat(2), Action.fold)) is Refusal.no_such_seat
    felt.do(cmd.CloseDecisions())
    assert felt.refusal(cmd.Decide(Seat(3), Action.fold)) is Refusal.wrong_phase


def test_no_decision_is_taken_before_every_card_is_out() -> None:
    felt = Felt(table_setup("D")).to_dealing(1)
    assert felt.refusal(cmd.Decide(Seat(1), Action.fold)) is Refusal.wrong_phase
    assert felt.refusal(cmd.CloseDecisions()) is Refusal.wrong_phase


def test_a_round_in_which_everybody_folded_closes_without_a_reveal() -> None:
    felt = deciding().fold(1, 3).do(cmd.CloseDecisions())
    assert felt.now.phase is Phase.closed
    assert DEALER not in felt.now.turned
    assert (felt.nets(1), felt.nets(3)) == ("-10.00 0.00 0.00 0.00", "-10.00 0.00 0.00 0.00")


def test_a_fold_whose_side_bet_stands_keeps_the_round_going() -> None:
    felt = deciding("C", jackpot=True).fold(1, 3).reveal()
    assert felt.now.phase is Phase.settlement
    felt.settle()
    assert felt.nets(1) == "-10.00 0.00 0.00 -1.00"


# --- time-outs -----------------------------------------------------------------------------------------------------

# Sheet | hand | what it does in time: A "AUTO FOLDET", D "Käden jakaminen" 4 (reading 6); B and C assumed as A.
TIME_OUTS: Final = """
    A | 9s 9h 6d 5c 2s | fold
    B | As Ks Qs Js Ts | fold
    C | As Ks Qs Js Ts | fold
    D | 9s 9h 6d 5c 2s | raise
    D | 2s 2h 5d 4c 3s | raise
    D | 5s 4h 3d 2c As | raise
    D | Ks Js 9s 5s 2s | raise
    D | As Kh Qd Jc 9s | fold
    D | As Kh 4d 3c 2s | fold
    D | 7s 5h 4d 3c 2s | fold
"""


@pytest.mark.parametrize("row", TIME_OUTS.strip().splitlines())
def test_a_hand_without_a_decision_in_time_does_what_its_sheet_says(row: str) -> None:
    sheet, hand, action = (cell.strip() for cell in row.split("|"))
    felt = Felt(table_setup(sheet)).to_dealing(2).deal({2: hand, 0: "Qc Jd 8h 7c 3h"}).do(cmd.TimeOutSeat(Seat(2)))
    assert felt.now.decisions[Seat(2)] == Decision(Action(action), timed_out=True)


def test_on_felt_the_supervisor_directs_and_a_fold_is_the_default() -> None:
    """Procedure row 15: an auto-raise would tell that a hidden hand holds a pair."""
    felt = deciding(time_out=TimeOut.ask_supervisor)
    assert felt.refusal(cmd.TimeOutSeat(Seat(1))) is Refusal.needs_supervisor
    felt.signed(cmd.TimeOutSeat(Seat(1)), cmd.TimeOutSeat(Seat(3), Action.raise_bet))
    assert felt.now.decisions == {
        1: Decision(Action.fold, timed_out=True),
        3: Decision(Action.raise_bet, timed_out=True),
    }


def test_a_time_out_by_the_sheet_needs_the_whole_hand() -> None:
    cards = dealt(table_setup("D"), HANDS)
    felt = Felt(table_setup("D")).to_dealing(1, 3).do(cmd.MarkUnread()).draw(cards[1:])
    assert felt.refusal(cmd.TimeOutSeat(Seat(1))) is Refusal.cards_unknown
    felt.do(cmd.TimeOutSeat(Seat(3)))


# --- reveal and paying ---------------------------------------------------------------------------------------------


def test_the_dealers_cards_are_told_when_he_turns_them() -> None:
    felt = deciding().do(cmd.CloseDecisions(), cmd.ConfirmDealerHand())
    confirmed = next(event for event in felt.events if isinstance(event, ev.DealerHandConfirmed))
    assert (" ".join(confirmed.cards), confirmed.category, confirmed.qualifies) == (NO_QUALIFIER, "high_card", False)


def test_one_seat_is_turned_at_a_time_from_the_dealers_right() -> None:
    felt = deciding().reveal()
    assert felt.now.turned == {DEALER, 3}
    assert felt.refusal(cmd.SettleSeat(Seat(1))) is Refusal.not_next_in_paying_order
    felt.do(cmd.SettleSeat(Seat(3)))
    assert felt.now.turned == {DEALER, 3, 1}
    assert felt.refusal(cmd.SettleSeat(Seat(3))) is Refusal.not_next_in_paying_order
    felt.do(cmd.SettleSeat(Seat(1)))
    assert felt.now.phase is Phase.closed


def test_a_folded_hand_is_never_turned_unless_a_side_bet_of_it_stands() -> None:
    felt = played(table_setup("D"), HANDS, folds=(3,), jackpot=True)
    assert felt.now.turned == {DEALER, 1}
    felt = played(table_setup("C"), HANDS, folds=(3,), jackpot=True)
    assert felt.now.turned == {DEALER, 1, 3}


def test_nothing_waits_for_the_jackpot_where_no_chip_qualifies() -> None:
    felt = deciding(jackpot=True).reveal().do(cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
    assert felt.now.phase is Phase.closed
    assert felt.refusal(cmd.SettleJackpot()) is Refusal.wrong_phase


# --- void: A "Procedure ved fejl", procedure rows 3 to 7, 16 to 19 -------------------------------------------------


def refunds(felt: Felt) -> dict[tuple[int, str], int]:
    voided = next(event for event in felt.events if isinstance(event, ev.RoundVoided))
    return {(refund.seat, refund.bet.value): refund.amount for refund in voided.refunds}


def test_a_void_is_signed_and_has_a_reason() -> None:
    felt = deciding()
    assert felt.refusal(cmd.VoidRound("shoe jam")) is Refusal.needs_supervisor
    assert felt.refusal(cmd.VoidRound(" "), signed="supervisor") is Refusal.reason_needed
    felt.signed(cmd.VoidRound("shoe jam"))
    assert (felt.now.phase, felt.now.void_reason) == (Phase.void, "shoe jam")


def test_a_void_gives_every_bet_back_and_what_the_jackpot_bets_fed() -> None:
    felt = deciding("A", bonus="5.00", jackpot=True).fold(3)
    assert felt.table.meter == Meter(Money(2_000_100))
    felt.signed(cmd.VoidRound("shoe jam"))
    assert refunds(felt) == {
        (3, "ante"): 1000,
        (3, "bonus"): 500,
        (3, "jackpot"): 100,
        (1, "ante"): 1000,
        (1, "bonus"): 500,
        (1, "jackpot"): 100,
    }
    assert felt.table.meter == Meter(Money(2_000_000))
    assert (felt.nets(1), felt.nets(3)) == ("0.00 0.00 0.00 0.00",) * 2


def test_a_void_after_the_decisions_gives_the_raise_back_too() -> None:
    felt = deciding().do(cmd.CloseDecisions()).signed(cmd.VoidRound("a hole card was wrong"))
    assert refunds(felt) == {(3, "ante"): 1000, (3, "raise"): 2000, (1, "ante"): 1000, (1, "raise"): 2000}


def test_a_void_during_paying_takes_back_what_was_paid() -> None:
    felt = deciding().reveal().do(cmd.SettleSeat(Seat(3))).signed(cmd.VoidRound("two equal cards"))
    assert felt.now.settled[Seat(3)][0].net == 1000
    assert refunds(felt) == {(3, "ante"): -1000, (3, "raise"): 0, (1, "ante"): 1000, (1, "raise"): 2000}


def test_a_void_of_open_bets_gives_them_back_and_feeds_nothing() -> None:
    felt = Felt(table_setup("A")).open().bet(2, jackpot=True)
    felt.signed(cmd.VoidRound("power"))
    assert refunds(felt) == {(2, "ante"): 1000, (2, "jackpot"): 100}
    assert felt.table.meter == Meter(Money(2_000_000))


def test_a_void_round_stays_void() -> None:
    felt = deciding().signed(cmd.VoidRound("shoe jam"))
    for command in (cmd.VoidRound("again"), cmd.CloseDecisions(), cmd.SettleSeat(Seat(1)), cmd.Undo(), cmd.LockBets(0)):
        assert felt.refusal(command, signed="supervisor") in (Refusal.wrong_phase, Refusal.nothing_to_undo)
    felt.open()


@pytest.mark.parametrize("pattern", Pattern)
def test_a_jackpot_hand_in_a_void_round_is_flagged_for_the_house(pattern: Pattern) -> None:
    """Procedure row 21; A "Jackpot-indsats"."""
    setup = table_setup("D", deal=DealOverride(pattern))
    hands = {1: EXAMPLES["royal_flush"], 2: "7s 5h 4d 3c 2s", 3: "9h 9d 9c 6c 2h", 0: "Ad Kc 4h 3d 2d"}
    felt = Felt(setup).open().bet(1, jackpot=True).bet(2, jackpot=True).bet(3).lock().deal(hands)
    felt.signed(cmd.VoidRound("shoe jam"))
    assert next(event for event in felt.events if isinstance(event, ev.RoundVoided)).house_decides == (1,)


def test_a_jackpot_hand_that_was_whole_when_the_deal_broke_off_is_flagged_too() -> None:
    setup = table_setup("D", deal=DealOverride(Pattern.packet))
    felt = Felt(setup).to_dealing(1, 2, jackpot=True).draw("As Ks Qs Js Ts 7s 5h")
    felt.signed(cmd.VoidRound("shoe jam"))
    assert next(event for event in felt.events if isinstance(event, ev.RoundVoided)).house_decides == (1,)


# --- the supervisor's lamp -----------------------------------------------------------------------------------------


def test_the_supervisor_is_called_once_and_comes_by_his_own_word() -> None:
    felt = Felt(table_setup("D")).do(cmd.CallSupervisor())
    assert felt.take(cmd.CallSupervisor()) == ()
    assert felt.refusal(cmd.AnswerCall()) is Refusal.needs_supervisor
    felt.signed(cmd.AnswerCall())
    assert not felt.table.supervisor_called
    assert felt.refusal(cmd.AnswerCall(), signed="supervisor") is Refusal.not_called


def test_an_export_is_recorded_with_its_reason() -> None:
    felt = Felt(table_setup("D"))
    assert felt.refusal(cmd.RecordExport("  ", "round/1", 3)) is Refusal.reason_needed
    felt.do(cmd.RecordExport("dispute 12", "round/1", 3))
    assert felt.events[-1] == ev.HistoryExported("dispute 12", "round/1", 3)


@pytest.mark.parametrize(
    "command",
    [cmd.LockBets(0), cmd.Undo(), cmd.MarkUnread(), cmd.CloseDecisions(), cmd.SettleSeat(Seat(1)), cmd.VoidRound("x")],
)
def test_a_table_without_a_round_has_nothing_to_play(command: cmd.Command) -> None:
    refusal = Felt(table_setup("D")).refusal(command, signed="supervisor")
    assert refusal in (Refusal.no_round, Refusal.nothing_to_undo)


def test_a_dealer_of_a_qualifying_hand_still_settles_right_to_left() -> None:
    felt = played(table_setup("D"), {1: "As Kh Qh 9c 2s", 4: "7s 5h 4d 3c 2c", 0: LOWEST_QUALIFIER})
    assert [line.seat for line in felt.lines] == [4, 4, 1, 1]


def test_a_reopened_round_whose_payments_stay_the_same_closes_with_the_card_that_was_asked_for() -> None:
    """Two of the dealer's cards were read the wrong way round, which changes nothing that was paid."""
    felt = Felt(table_setup("D")).to_dealing(1, 3).deal(HANDS).reveal().settle()
    felt.signed(cmd.CorrectCard(place(0, 0), Card("Jc"), "seen"))
    felt.signed(cmd.EnterCard(place(0, 1), Card("Qd")))
    assert felt.phase == "closed"


def test_a_closed_round_is_not_opened_by_a_card_of_a_hand_on_which_nothing_hangs() -> None:
    """Its seat was paid, then corrected to a fold and settled anew: what the hand holds is of no matter."""
    felt = Felt(table_setup("D")).to_dealing(1, 3).deal(HANDS).reveal().settle()
    felt.signed(cmd.CorrectDecision(Seat(3), Action.fold, "seen")).settle()
    assert felt.phase == "closed"
    felt.signed(cmd.CorrectCard(place(3, 2), Card("Qh"), "seen"))
    assert felt.phase == "closed"
