"""Closed rounds as records: whatever happened at the table, each replays to what was paid."""

import itertools
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.application.export import encode, records
from dealer_assist.application.records import RoundRecord, read_record
from dealer_assist.application.replay import Replayer, outcome_of
from dealer_assist.application.service import Request, TableService
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import GameError
from dealer_assist.game.money import Money
from dealer_assist.game.paying import needs_amount
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import Phase
from dealer_assist.game.setup import BetEntry, MaxPayout, TableSetup
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from tests.application.desk import Desk, desk_at
from tests.game.driver import CORRECTED, CORRECTIONS, FAULTS, LOOKS, Driver
from tests.game.felt import EXAMPLES, dealt, place, table_setup
from tests.game.strategies import Recipe, recipes

ANTES: Final = tuple(cmd.PlaceBet(Seat(seat), Bet.ante, Money(1000)) for seat in (1, 3))
REPLAYER: Final = Replayer(load_profile)


def exported(desk: Desk) -> list[RoundRecord]:
    return list(records(desk.history))


def assert_replays(record: RoundRecord) -> None:
    """It reads back from its line, and the replay agrees with every bet of every seat that played."""
    again = read_record(encode(record))
    assert again == record
    came = outcome_of(again, REPLAYER.play(again))
    assert came.differences == ()
    assert set(again.recorded or {}) == set(came.seats)
    assert came.house_decides == record.house_decides


def settle(desk: Desk) -> None:
    desk.do(cmd.CloseDecisions())
    desk.do(cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))


def test_a_round_is_exported_when_it_is_over(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.play(*ANTES)
        assert exported(desk) == []
        settle(desk)
        (record,) = exported(desk)
        assert (record.id, record.profile, record.table) == (desk.now.number, "four-seat-fi", "T1")
        assert (record.recorded or {})["1"] == {"ante": "10.00", "raise": "20.00", "bonus": "0.00", "jackpot": "0.00"}
        assert_replays(record)
        desk.do(cmd.OpenRound())
        assert exported(desk) == [record]


def test_a_round_corrected_after_its_close_is_exported_as_corrected(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.play(*ANTES)
        settle(desk)
        desk.do(cmd.CorrectCard(place(3, 2), Card("Kd"), "misread"), signed="supervisor")
        assert exported(desk) == []
        desk.do(cmd.SettleSeat(Seat(3)))
        (record,) = exported(desk)
        assert record.cards[7] == "Kd"
        assert (record.recorded or {})["3"]["raise"] == "20.00"
        assert_replays(record)


def test_a_round_is_exported_with_the_rules_it_was_played_by(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.play(*ANTES)
        settle(desk)
    with desk_at(tmp_path, table_setup("C")) as desk:
        assert [record.profile for record in exported(desk)] == ["four-seat-fi"]
        desk.do(cmd.OpenRound())
        assert [record.profile for record in exported(desk)] == ["four-seat-fi"]


def test_a_round_voided_before_anybody_bet_is_no_fault_on_replay(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.do(cmd.OpenRound())
        desk.do(cmd.VoidRound("nobody came"), signed="supervisor")
        for record in exported(desk):
            assert_replays(record)


def test_a_void_round_keeps_its_reason_and_the_cards_that_were_out(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.lock(*ANTES)
        desk.draw("9s Kh Ad")
        desk.do(cmd.VoidRound("shoe jam"), signed="supervisor")
        (record,) = exported(desk)
        assert (record.void, record.cards) == ("shoe jam", ("9s", "Kh", "Ad"))
        assert_replays(record)


def test_a_table_that_keys_no_amounts_exports_antes_and_what_was_stated(tmp_path: Path) -> None:
    setup = table_setup(
        "D", bet_entry=BetEntry.seats, limits=(Limit("ante", "10.00", "100.00"),), max_payout=MaxPayout("20000.00")
    )
    with desk_at(tmp_path, setup) as desk:
        desk.lock(*(cmd.PlaceBet(Seat(seat), Bet.ante) for seat in (1, 3)))
        desk.draw(dealt(setup, {1: EXAMPLES["royal_flush"], 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"}))
        desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)))
        desk.do(cmd.StateAmounts(Seat(1), Money(10_000)), cmd.SettleSeat(Seat(1)))
        (record,) = exported(desk)
        assert record.unit == "ante"
        assert (record.seats["1"].unit, record.seats["1"].ante) == ("currency", "100.00")
        assert (record.recorded or {})["1"]["raise"] == "19900.00"
        assert (record.recorded or {})["3"]["ante"] == "-1.00"
        assert_replays(record)


def test_an_unread_card_of_a_folded_hand_is_exported_as_unread(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        desk.lock(*ANTES)
        cards = dealt(table_setup("D"), {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"})
        desk.draw(cards[:1])
        desk.do(cmd.MarkUnread())
        desk.draw(cards[2:])
        desk.do(
            cmd.Decide(Seat(3), Action.fold), cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(1))
        )
        (record,) = exported(desk)
        assert record.cards[1] == "??"
        assert_replays(record)


SEATS_ONLY: Final[dict[str, Any]] = {"bet_entry": BetEntry.seats, "limits": (Limit("ante", "10.00", "100.00"),)}


def test_a_jackpot_that_counts_towards_the_maximum_replays_where_no_amounts_are_keyed(tmp_path: Path) -> None:
    setup = table_setup("D", max_payout=MaxPayout("300.00", bets=("raise", "jackpot")), **SEATS_ONLY)
    with desk_at(tmp_path, setup) as desk:
        desk.lock(cmd.PlaceBet(Seat(1), Bet.ante), cmd.PlaceBet(Seat(1), Bet.jackpot))
        desk.draw(dealt(setup, {1: EXAMPLES["royal_flush"], 0: "Ad Kc 4h 3d 2h"}))
        desk.do(cmd.Decide(Seat(1), Action.raise_bet), cmd.CloseDecisions(), cmd.ConfirmDealerHand())
        if needs_amount(setup, desk.now, Seat(1)):
            desk.do(cmd.StateAmounts(Seat(1), Money(1000)))
        desk.do(cmd.SettleSeat(Seat(1)), cmd.SettleJackpot())
        (record,) = exported(desk)
        assert_replays(record)


def test_a_jackpot_cut_to_the_maximum_replays_beside_a_raise_that_pushed(tmp_path: Path) -> None:
    setup = table_setup("C", max_payout=MaxPayout("300.00", bets=("raise", "jackpot")), **SEATS_ONLY)
    with desk_at(tmp_path, setup) as desk:
        desk.lock(cmd.PlaceBet(Seat(1), Bet.ante), cmd.PlaceBet(Seat(1), Bet.jackpot))
        desk.draw(dealt(setup, {1: EXAMPLES["quads"], 0: "Qd Jc 8d 7c 3h"}))
        desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(1)), cmd.SettleJackpot())
        (record,) = exported(desk)
        assert (record.recorded or {})["1"]["jackpot"] == "299.00"
        assert_replays(record)


def test_amounts_stated_by_a_seat_that_had_folded_after_all_are_replayed(tmp_path: Path) -> None:
    setup = table_setup("D", max_payout=MaxPayout("300.00", bets=("raise",)), **SEATS_ONLY)
    with desk_at(tmp_path, setup) as desk:
        desk.lock(*(cmd.PlaceBet(Seat(seat), Bet.ante) for seat in (1, 3)))
        desk.draw(dealt(setup, {1: "9s 9h 6d 5c 2s", 3: "9d 9c 6h 6c 2c", 0: "Ad Kc 4h 3d 2h"}))
        desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.StateAmounts(Seat(3), Money(10_000)))
        desk.do(cmd.CorrectDecision(Seat(3), Action.fold, "seen"), signed="supervisor")
        desk.do(cmd.SettleSeat(Seat(1)))
        (record,) = exported(desk)
        assert (record.recorded or {})["3"]["ante"] == "-100.00"
        assert_replays(record)


# --- whatever happens at a table -------------------------------------------------------------------------------------


class RandomTable:
    """A table over a log, driven by chance; the clock goes on by a second now and then."""

    def __init__(self, setup: TableSetup, seed: int) -> None:
        self.log = SqliteLog(Path(":memory:"), Seal(bytes(32)))
        seconds = itertools.count()
        self.service = TableService(
            self.log, setup, lambda: f"2026-11-30T20:{next(seconds) // 200:02d}:00.000000Z", lambda _: None
        )
        self.driver = Driver(seed, lambda: self.service.snapshot.table, self.give)
        self.service.start()

    def give(self, command: cmd.Command) -> bool:
        try:
            self.service.do(Request(command, "dealer", "supervisor"))
        except GameError:
            return False
        return True

    def drive(self, steps: int) -> None:
        driver = self.driver
        for _ in range(steps):
            driver.stage()
            now, odd = driver.now, driver.chance.random()
            if now is None or odd > 0.35:
                continue
            at, twin = driver.chance.randrange(25), driver.chance.randrange(30)
            if odd < 0.02:
                self.give(cmd.VoidRound("shoe jam"))
            elif odd < 0.05:
                self.give(cmd.Undo())
            elif now.phase is Phase.dealing:
                driver.fault(driver.chance.choice(FAULTS), at)
            elif now.phase in CORRECTED:
                driver.correct(driver.chance.choice(CORRECTIONS), at, twin)
            elif now.draws:
                driver.look(driver.chance.choice(LOOKS), at, lies_there=odd < 0.2)

    def end(self) -> None:
        self.service.stop()
        self.log.close()


@given(recipes, st.integers(0, 10**6))
@settings(max_examples=60)
def test_every_live_round_replays_without_a_difference(recipe: Recipe, seed: int) -> None:
    table = RandomTable(recipe.setup(), seed)
    try:
        table.drive(60)
        rounds = list(records(table.log.read()))
        assert len({record.id for record in rounds}) == len(rounds)
        for record in rounds:
            if record.seats:
                assert_replays(record)
    finally:
        table.end()


@pytest.mark.parametrize("sheet", "ABCD")
def test_many_rounds_of_each_sheet_replay_without_a_difference(sheet: str) -> None:
    table = RandomTable(table_setup(sheet), seed=ord(sheet))
    try:
        table.drive(400)
        rounds = list(records(table.log.read()))
        assert len(rounds) > 20
        for record in rounds:
            if record.seats:
                assert_replays(record)
    finally:
        table.end()
