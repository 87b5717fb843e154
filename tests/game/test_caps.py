"""The table's maximum payout: per hand or per round, on the bets it names, and a line that was cut says so."""

from typing import Final

from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet, Result
from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import Refusal
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Limit
from dealer_assist.game.setup import BetEntry, MaxPayout, PayoutScope, TableSetup
from tests.game.felt import EXAMPLES, LOWEST_QUALIFIER, NO_QUALIFIER, Felt, minor, played, table_setup

ROYAL: Final = {2: EXAMPLES["royal_flush"], 0: LOWEST_QUALIFIER}
TWO_FLUSHES: Final = {1: "Ks Js 9s 5s 2s", 4: "Kh Jh 9h 5h 3h", 0: "Ad Kc 4c 3d 2d"}


def capped(sheet: str, amount: str, *bets: str, per: PayoutScope = PayoutScope.hand) -> TableSetup:
    return table_setup(sheet, max_payout=MaxPayout(amount, per, bets))


def paid(felt: Felt) -> list[str]:
    """Each payment as `seat bet amount/uncapped`."""
    return [
        f"{line.seat} {line.bet.value} {line.amount // 100}{f'/{line.uncapped // 100}' if line.uncapped else ''}"
        for line in felt.lines
        if line.result is Result.pay
    ]


def test_a_royal_on_a_hundred_pays_no_more_on_its_raise_than_the_table_allows() -> None:
    felt = played(capped("D", "20000.00", "raise"), ROYAL, ante="100.00")
    assert paid(felt) == ["2 ante 100", "2 raise 20000/40000"]


def test_a_payment_up_to_the_maximum_is_paid_whole() -> None:
    felt = played(capped("D", "40000.00", "raise"), ROYAL, ante="100.00")
    assert paid(felt) == ["2 ante 100", "2 raise 40000"]


def test_the_bets_of_a_hand_share_one_maximum_in_the_order_they_are_paid() -> None:
    felt = played(capped("A", "10000.00", "ante", "raise", "bonus"), ROYAL, ante="100.00", bonus="5.00")
    assert paid(felt) == ["2 ante 100", "2 raise 9900/20000", "2 bonus 0/5000"]


def test_a_bet_that_the_maximum_does_not_name_is_paid_whole() -> None:
    felt = played(capped("A", "10000.00", "raise"), ROYAL, ante="100.00", bonus="5.00")
    assert paid(felt) == ["2 ante 100", "2 raise 10000/20000", "2 bonus 5000"]


def test_a_maximum_per_hand_is_each_hands_own() -> None:
    felt = played(capped("D", "1000.00", "raise"), TWO_FLUSHES, ante="100.00")
    assert paid(felt) == ["4 ante 100", "4 raise 1000/1200", "1 ante 100", "1 raise 1000/1200"]


def test_a_maximum_per_round_is_used_up_in_paying_order() -> None:
    felt = played(capped("D", "1500.00", "raise", per=PayoutScope.round), TWO_FLUSHES, ante="100.00")
    assert paid(felt) == ["4 ante 100", "4 raise 1200", "1 ante 100", "1 raise 300/1200"]


def test_a_maximum_per_round_that_is_used_up_leaves_nothing() -> None:
    felt = played(capped("D", "1000.00", "raise", per=PayoutScope.round), TWO_FLUSHES, ante="100.00")
    assert paid(felt) == ["4 ante 100", "4 raise 1000/1200", "1 ante 100", "1 raise 0/1200"]


def test_the_jackpot_does_not_count_unless_it_is_named() -> None:
    felt = played(capped("D", "1000.00", "ante", "raise"), ROYAL, ante="10.00", jackpot=True)
    assert paid(felt) == ["2 ante 10", "2 raise 990/4000", "2 jackpot 20000"]


def test_the_jackpot_counts_last_where_it_is_named() -> None:
    felt = played(capped("D", "5000.00", "raise", "jackpot"), ROYAL, ante="10.00", jackpot=True)
    assert paid(felt) == ["2 ante 10", "2 raise 4000", "2 jackpot 1000/20000"]


def test_the_jackpots_of_a_round_share_what_its_payments_left() -> None:
    setup = capped("D", "2420.00", "raise", "jackpot", per=PayoutScope.round)
    felt = played(setup, TWO_FLUSHES, ante="100.00", jackpot=True)
    assert paid(felt) == [
        *("4 ante 100", "4 raise 1200", "1 ante 100", "1 raise 1200"),
        *("4 jackpot 15", "1 jackpot 5/15"),
    ]


def test_losses_are_never_cut() -> None:
    setup = capped("D", "1.00", "ante", "raise", per=PayoutScope.round)
    felt = played(setup, {2: "Qs Jh 9d 6c 2s", 0: "Ad Kc 4h 3d 2h"}, ante="100.00")
    assert felt.nets(2) == "-100.00 -200.00 0.00 0.00"


# --- a table that keys no amounts ----------------------------------------------------------------------------------


def watched(amount: str, *bets: str) -> TableSetup:
    limit = Limit("ante", "10.00", "100.00")
    return table_setup("D", bet_entry=BetEntry.seats, limits=(limit,), max_payout=MaxPayout(amount, bets=bets))


def revealed(setup: TableSetup, hand: str, *, jackpot: bool = False, dealer: str = LOWEST_QUALIFIER) -> Felt:
    return Felt(setup).to_dealing(2, ante=None, jackpot=jackpot).deal({2: hand, 0: dealer}).reveal()


def test_amounts_are_asked_for_where_the_maximum_may_bite() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"])
    assert felt.refusal(cmd.SettleSeat(Seat(2))) is Refusal.amounts_needed
    felt.do(cmd.StateAmounts(Seat(2), minor("100.00"))).settle()
    assert paid(felt) == ["2 ante 100", "2 raise 20000/40000"]


def test_stated_amounts_under_the_maximum_are_paid_whole() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"])
    felt.do(cmd.StateAmounts(Seat(2), minor("50.00"))).settle()
    assert paid(felt) == ["2 ante 50", "2 raise 20000"]


def test_no_amounts_are_asked_for_where_the_maximum_cannot_bite() -> None:
    felt = revealed(watched("40000.00", "raise"), EXAMPLES["royal_flush"]).settle()
    assert felt.nets(2) == "1.00 400.00 0.00 0.00"
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["straight_flush"]).settle()
    assert felt.nets(2) == "1.00 100.00 0.00 0.00"


def test_the_second_column_is_watched_too() -> None:
    felt = revealed(watched("10000.00", "raise"), EXAMPLES["royal_flush"], dealer=NO_QUALIFIER)
    assert felt.refusal(cmd.SettleSeat(Seat(2))) is Refusal.amounts_needed


def test_amounts_are_asked_for_where_the_jackpot_counts_and_the_two_together_may_reach_the_maximum() -> None:
    """50 to one on a raise of 200 is 10,000; with the prize of 1,250 it is over 11,000."""
    felt = revealed(watched("11000.00", "raise", "jackpot"), EXAMPLES["straight_flush"], jackpot=True)
    assert felt.refusal(cmd.SettleSeat(Seat(2))) is Refusal.amounts_needed
    felt.do(cmd.StateAmounts(Seat(2), minor("100.00"))).settle()
    assert paid(felt) == ["2 ante 100", "2 raise 10000", "2 jackpot 1000/1250"]


def test_only_amounts_that_a_seat_can_have_staked_are_taken() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"])
    refusals = {
        cmd.StateAmounts(Seat(3), minor("10.00")): Refusal.no_such_seat,
        cmd.StateAmounts(Seat(2), Money(0)): Refusal.amount_expected,
        cmd.StateAmounts(Seat(2), minor("-10.00")): Refusal.amount_expected,
        cmd.StateAmounts(Seat(2), minor("10.00"), minor("5.00")): Refusal.amount_expected,
    }
    assert {command: felt.refusal(command) for command in refusals} == refusals


def test_a_negative_bonus_is_never_stated() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"])
    assert felt.refusal(cmd.StateAmounts(Seat(2), minor("10.00"), minor("-5.00"))) is Refusal.amount_expected


def test_amounts_once_stated_or_keyed_are_not_stated_again() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"])
    felt.do(cmd.StateAmounts(Seat(2), minor("50.00")))
    assert felt.refusal(cmd.StateAmounts(Seat(2), minor("60.00"))) is Refusal.no_amount_here
    keyed = Felt(table_setup("D")).to_dealing(2).deal(ROYAL).reveal()
    assert keyed.refusal(cmd.StateAmounts(Seat(2), minor("60.00"))) is Refusal.no_amount_here


def test_amounts_of_a_seat_that_is_settled_and_paid_right_are_not_stated() -> None:
    """What was settled in antes stays in antes, unless a correction asks for more."""
    setup = watched("20000.00", "raise")
    hands = {1: "Kh Qh 9c 8s 2c", 3: "9s 9h 6d 5c 2s", 0: "Ad Kc 4h 3d 2h"}
    felt = Felt(setup).to_dealing(1, 3, ante=None).deal(hands).reveal().do(cmd.SettleSeat(Seat(3)))
    assert felt.refusal(cmd.StateAmounts(Seat(3), minor("25.00"))) is Refusal.no_amount_here


def test_a_jackpot_stake_keeps_its_currency_when_amounts_are_stated() -> None:
    felt = revealed(watched("20000.00", "raise"), EXAMPLES["royal_flush"], jackpot=True)
    felt.do(cmd.StateAmounts(Seat(2), minor("50.00")))
    assert felt.now.bets[Seat(2)].of(Bet.jackpot) == minor("0.50")
