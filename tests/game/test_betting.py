"""Up to the lock: rounds and their numbers, bets and their limits, doubling, repeating, the count of jackpot chips."""

from datetime import datetime
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet, Bets, Unit
from dealer_assist.game.dealing import Seat
from dealer_assist.game.decide.betting import game_number
from dealer_assist.game.errors import Refusal
from dealer_assist.game.evolve import evolve
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import Phase
from dealer_assist.game.setup import BetEntry
from tests.game.felt import EXAMPLES, NO_QUALIFIER, Felt, minor, played, table_setup


def ante(seat: int, amount: str | None = None) -> cmd.PlaceBet:
    return cmd.PlaceBet(Seat(seat), Bet.ante, minor(amount) if amount else None)


def bonus(seat: int, amount: str | None = None) -> cmd.PlaceBet:
    return cmd.PlaceBet(Seat(seat), Bet.bonus, minor(amount) if amount else None)


def jackpot(seat: int, amount: str | None = None) -> cmd.PlaceBet:
    return cmd.PlaceBet(Seat(seat), Bet.jackpot, minor(amount) if amount else None)


# --- game numbers: A "Spilnummer" ------------------------------------------------------------------------------------


def test_a_game_number_is_the_date_the_table_and_the_time_in_gmt() -> None:
    assert game_number("T7", "2026-11-30T20:14:03.123456Z", None) == "2026-11-30/T7/20:14:03"


NUMBERS: Final = """
    after                      | at                   | number
    2026-11-30/T7/20:14:03     | 2026-11-30T20:14:04Z | 2026-11-30/T7/20:14:04
    2026-11-30/T7/20:14:03     | 2026-11-30T20:14:03Z | 2026-11-30/T7/20:14:03/2
    2026-11-30/T7/20:14:03/2   | 2026-11-30T20:14:03Z | 2026-11-30/T7/20:14:03/3
    2026-11-30/T7/20:14:03/9   | 2026-11-30T20:14:03Z | 2026-11-30/T7/20:14:03/10
    2026-11-30/T7/20:14:03/10  | 2026-11-30T20:14:04Z | 2026-11-30/T7/20:14:04
    2026-11-30/T7/20:14:03     | 2026-11-30T20:13:59Z | 2026-11-30/T7/20:14:03/2
    2026-11-30/T7/00:00:01     | 2026-11-29T23:59:59Z | 2026-11-30/T7/00:00:01/2
    2026-11-30/T7/23:59:59     | 2026-12-01T00:00:00Z | 2026-12-01/T7/00:00:00
"""


@pytest.mark.parametrize("row", NUMBERS.strip().splitlines()[1:])
def test_no_number_comes_twice_in_one_second_or_when_the_clock_goes_back(row: str) -> None:
    last, at, number = (cell.strip() for cell in row.split("|"))
    assert game_number("T7", at, last) == number


YEAR: Final = (datetime(2026, 1, 1), datetime(2026, 12, 31, 23, 59, 59))  # noqa: DTZ001  they are written out as UTC


@given(st.lists(st.datetimes(*YEAR).map(lambda at: at.isoformat(timespec="seconds") + "Z"), max_size=40))
def test_numbers_are_unique_whatever_the_clock_does(times: list[str]) -> None:
    last: str | None = None
    numbers = []
    for at in times:
        last = game_number("T7", at, last)
        numbers.append(last)
    assert len(set(numbers)) == len(numbers)


# --- bets ----------------------------------------------------------------------------------------------------------


def test_a_round_is_not_opened_while_another_runs() -> None:
    felt = Felt(table_setup("D")).open()
    assert felt.refusal(cmd.OpenRound()) is Refusal.round_not_over
    felt.bet(1).lock()
    assert felt.refusal(cmd.OpenRound()) is Refusal.round_not_over


def test_chips_on_a_spot_add_up() -> None:
    felt = Felt(table_setup("A")).open().do(ante(1, "5.00"), ante(1, "2.50"), bonus(1, "1.00"), bonus(1, "1.00"))
    assert felt.now.bets == {1: Bets(minor("7.50"), minor("2.00"))}


# Before any ante | beside an ante of 10.00 at seat 1, by sheet.
def test_side_bets_stand_only_beside_an_ante() -> None:
    felt = Felt(table_setup("A")).open()
    assert [felt.refusal(bet) for bet in (bonus(1, "1.00"), jackpot(1))] == [Refusal.ante_first] * 2


@pytest.mark.parametrize(
    ("sheet", "bet", "refusal"),
    [
        ("D", bonus(1, "1.00"), Refusal.bet_unknown),
        ("C", bonus(1, "1.00"), Refusal.bet_unknown),
        ("B", jackpot(1), Refusal.bet_unknown),
        ("D", jackpot(1, "1.00"), Refusal.stake_is_fixed),
        ("D", cmd.PlaceBet(Seat(1), Bet.raise_bet, minor("20.00")), Refusal.bet_unknown),
        ("D", ante(1), Refusal.amount_expected),
        ("D", cmd.PlaceBet(Seat(1), Bet.ante, Money(0)), Refusal.amount_expected),
        ("D", ante(1, "-1.00"), Refusal.amount_expected),
        ("A", bonus(1), Refusal.amount_expected),
        ("D", ante(5, "1.00"), Refusal.no_such_seat),
        ("D", ante(0, "1.00"), Refusal.no_such_seat),
    ],
)
def test_a_bet_that_the_sheet_does_not_know_is_refused(sheet: str, bet: cmd.PlaceBet, refusal: Refusal) -> None:
    assert Felt(table_setup(sheet)).open().bet(1).refusal(bet) is refusal


@pytest.mark.parametrize(("sheet", "stake"), [("A", "1.00"), ("C", "1.00"), ("D", "0.50")])
def test_the_jackpot_takes_one_chip_of_the_sheets_stake(sheet: str, stake: str) -> None:
    felt = Felt(table_setup(sheet)).open().bet(1).do(jackpot(1, stake))
    assert felt.now.bets[Seat(1)].jackpot == minor(stake)
    assert felt.refusal(jackpot(1)) is Refusal.already_decided


def test_an_ante_taken_away_takes_its_side_bets_along() -> None:
    felt = Felt(table_setup("A")).open().bet(1, "10.00", "5.00", jackpot=True)
    felt.do(cmd.RemoveBet(Seat(1), Bet.bonus))
    assert felt.now.bets == {1: Bets(minor("10.00"), jackpot=minor("1.00"))}
    felt.do(cmd.RemoveBet(Seat(1), Bet.ante))
    assert felt.now.bets == {}
    for bet in Bet:
        assert felt.refusal(cmd.RemoveBet(Seat(1), bet)) is Refusal.no_such_bet


def test_nothing_is_bet_after_the_lock() -> None:
    felt = Felt(table_setup("A")).to_dealing(1)
    for command in (ante(2, "1.00"), bonus(1, "1.00"), jackpot(1), cmd.RemoveBet(Seat(1), Bet.ante), cmd.DoubleBets()):
        assert felt.refusal(command) is Refusal.wrong_phase


# --- limits: A "maksimumgrænsen" of the total, D "Panostaminen" 1 of the ante ----------------------------------------


def limited(bounds: str, lowest: str = "10.00", highest: str = "100.00") -> Felt:
    return Felt(table_setup("A", limits=(Limit(bounds, lowest, highest),))).open()


def test_an_ante_over_its_limit_is_not_taken_and_one_under_it_not_locked() -> None:
    felt = limited("ante").do(ante(1, "100.00"), ante(2, "9.99"))
    assert felt.refusal(ante(1, "0.01")) is Refusal.over_limit
    assert felt.refusal(cmd.LockBets(0)) is Refusal.under_limit
    felt.do(ante(2, "0.01")).lock()
    assert felt.now.phase is Phase.dealing


def test_a_limit_of_the_total_counts_every_bet_of_a_seat() -> None:
    felt = limited("total").bet(1, "90.00", "9.00", jackpot=True)
    assert felt.refusal(bonus(1, "0.01")) is Refusal.over_limit
    felt = limited("total").bet(1, "8.00", "1.00")
    assert felt.refusal(cmd.LockBets(0)) is Refusal.under_limit
    felt.do(jackpot(1)).lock()


def test_a_limit_of_the_bonus_lets_a_seat_go_without_one() -> None:
    felt = limited("bonus").bet(1, "500.00").bet(2, "1.00", "100.00")
    assert felt.refusal(bonus(2, "0.01")) is Refusal.over_limit
    felt.lock()
    low = limited("bonus").bet(1, "500.00", "9.99")
    assert low.refusal(cmd.LockBets(0)) is Refusal.under_limit


# --- doubling: A "FORDOBLING (2x)" -----------------------------------------------------------------------------------


def test_bets_are_doubled_once_a_round_and_the_jackpot_never() -> None:
    felt = Felt(table_setup("A")).open().bet(1, "10.00", "5.00", jackpot=True).bet(2, "7.00").do(cmd.DoubleBets())
    assert felt.now.bets == {1: Bets(minor("20.00"), minor("10.00"), minor("1.00")), 2: Bets(minor("14.00"))}
    assert felt.refusal(cmd.DoubleBets()) is Refusal.doubled_already
    felt.do(cmd.Undo()).do(cmd.DoubleBets())


def test_bets_are_not_doubled_over_a_limit_nor_where_there_are_none() -> None:
    assert limited("ante").refusal(cmd.DoubleBets()) is Refusal.no_bets
    assert limited("ante").bet(1, "10.00").bet(2, "50.01").refusal(cmd.DoubleBets()) is Refusal.over_limit


# --- a table that keys no amounts ----------------------------------------------------------------------------------


def seats_only(sheet: str = "A") -> Felt:
    return Felt(table_setup(sheet, bet_entry=BetEntry.seats, limits=(Limit("ante", "10.00", "100.00"),))).open()


def test_one_tap_is_one_ante_and_amounts_are_refused() -> None:
    felt = seats_only().bet(1, None, "chip", jackpot=True)
    assert felt.now.bets == {1: Bets(Money(100), Money(100), minor("1.00"), Unit.ante)}
    for command in (ante(1), bonus(1), jackpot(1)):
        assert felt.refusal(command) is Refusal.already_decided
    for keyed in (ante(2, "10.00"), bonus(1, "10.00"), cmd.DoubleBets()):
        assert felt.refusal(keyed) is Refusal.no_amount_here
    felt.lock()


def test_a_table_that_keys_no_amounts_settles_in_antes() -> None:
    felt = seats_only().bet(2, None, "chip", jackpot=True).lock()
    felt.deal({2: EXAMPLES["flush"], 0: NO_QUALIFIER}).reveal().settle()
    assert felt.nets(2) == "1.00 0.00 15.00 24.00"
    assert {line.bet.value: line.unit.value for line in felt.lines} == {
        "ante": "ante",
        "raise": "ante",
        "bonus": "ante",
        "jackpot": "currency",
    }


# --- lock ----------------------------------------------------------------------------------------------------------


def test_bets_lock_only_when_the_jackpot_chips_are_counted_right() -> None:
    """D "Panostaminen kehittyvään Jackpottiin" 2-3; the chips on the felt are the bets."""
    felt = Felt(table_setup("D")).open().bet(1, jackpot=True).bet(2)
    for counted in (0, 2):
        assert felt.refusal(cmd.LockBets(counted)) is Refusal.jackpot_count_differs
    felt.do(cmd.LockBets(1))
    assert felt.now.seats == (1, 2)


def test_a_table_without_bets_does_not_lock() -> None:
    assert Felt(table_setup("D")).open().refusal(cmd.LockBets(0)) is Refusal.no_bets


# --- the same again: A "GENTAG" --------------------------------------------------------------------------------------

HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: NO_QUALIFIER}


def test_the_bets_of_the_last_round_stand_again_with_one_key() -> None:
    felt = played(table_setup("A"), HANDS, ante="10.00", bonus="5.00", jackpot=True)
    bets = felt.now.bets
    felt.open(repeat=True)
    assert felt.now.bets == bets
    felt.do(cmd.Undo())
    assert felt.now.bets == {}
    felt.signed(cmd.VoidRound("nobody played")).open(repeat=True)
    assert felt.now.bets == bets


def test_there_is_nothing_to_repeat_before_the_first_round() -> None:
    assert Felt(table_setup("A")).refusal(cmd.OpenRound(repeat=True)) is Refusal.no_bets


def reopened(before: Any, after: Any, **bets: Any) -> Felt:
    """A round under one setup, then the table opened with another."""
    felt = played(before, HANDS, **bets)
    felt.table = evolve(felt.table, ev.TableOpened(after))
    return felt


def test_bets_are_not_repeated_at_seats_that_the_table_no_longer_has() -> None:
    felt = reopened(table_setup("D"), table_setup("D", seats=2)).open(repeat=True)
    assert felt.now.seats == (1,)


def test_bets_that_the_tables_new_sheet_does_not_know_are_not_repeated() -> None:
    felt = reopened(table_setup("A"), table_setup("D"), bonus="5.00", jackpot=True).open(repeat=True)
    assert felt.now.bets == {seat: Bets(minor("10.00"), jackpot=felt.now.bets[Seat(seat)].jackpot) for seat in (1, 3)}
    assert {bets.jackpot for bets in felt.now.bets.values()} <= {0, minor("0.50")}


def test_bets_over_the_tables_new_limit_are_not_repeated() -> None:
    felt = Felt(table_setup("D")).open().bet(1, "4.00").bet(3, "10.00").signed(cmd.VoidRound("power"))
    felt.table = evolve(felt.table, ev.TableOpened(table_setup("D", limits=(Limit("ante", "1.00", "5.00"),))))
    assert felt.refusal(cmd.OpenRound(repeat=True)) is Refusal.over_limit
    felt.open()


# --- the deck in play ------------------------------------------------------------------------------------------------


def test_two_decks_are_changed_in_turn_before_the_lock_and_not_in_a_round() -> None:
    setup = msgspec.structs.replace(table_setup("D"), decks=("red", "blue"))
    felt = Felt(setup)
    assert felt.table.deck_in_play == "red"
    felt.do(cmd.ChangeDeck("blue")).open()
    felt.do(cmd.ChangeDeck("red"), cmd.ChangeDeck("blue"))
    assert felt.refusal(cmd.ChangeDeck("blue")) is Refusal.no_such_deck
    assert felt.refusal(cmd.ChangeDeck("green")) is Refusal.no_such_deck
    felt.bet(1).lock()
    assert felt.refusal(cmd.ChangeDeck("red")) is Refusal.wrong_phase
    assert felt.table.deck_in_play == "blue"
