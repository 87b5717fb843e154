"""A table's own settings: laid over its sheet, and refused by their path where they do not fit it."""

from fractions import Fraction
from typing import Any, Final

import pytest

from dealer_assist.game.dealing import Pattern, Upcard
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.profile import AfterFold
from dealer_assist.game.setup import (
    BetEntry,
    PayoutScope,
    TableSetup,
    TimeOut,
    procedure_from,
    set_up,
    table_from,
)
from dealer_assist.storage.profiles import load_procedure, load_profile

TABLE: Final[dict[str, Any]] = {
    "id": "T7",
    "profile": "four-seat-fi",
    "procedure": "felt",
    "currency": "EUR",
    "chips": ["25.00", "0.50", "5.00", "1.00"],
    "limits": [{"bounds": "ante", "lowest": "10.00", "highest": "100.00"}],
    "jackpot": {"seed": "20000.00"},
}


def setup(**changes: object) -> TableSetup:
    raw = {name: value for name, value in {**TABLE, **changes}.items() if value is not ...}
    table = table_from(raw)
    return set_up(table, load_profile(table.profile, table.reading), load_procedure(table.procedure))


def test_a_table_plays_its_sheet_where_it_says_nothing() -> None:
    table = setup()
    assert table.profile == load_profile("four-seat-fi")
    assert (table.bet_entry, table.seats, table.cap, table.minor_digits) == (BetEntry.seats, (1, 2, 3, 4), None, 2)
    assert (table.seed, table.contribution, table.highest_ante) == (2_000_000, Fraction(1, 2), 10_000)


def test_chips_stand_largest_first() -> None:
    assert setup().chips == (2500, 500, 100, 50)


def test_a_table_without_limits_of_its_own_takes_the_sheets_first() -> None:
    limit = setup(limits=[]).limits
    assert [(each.bounds, each.lowest, each.highest) for each in limit] == [("ante", "0.50", "10.00")]


def test_a_table_may_deal_otherwise_than_its_sheet() -> None:
    table = setup(deal={"pattern": "packet", "upcard": "first"}, seats=2)
    assert (table.profile.deal.pattern, table.profile.deal.upcard) == (Pattern.packet, Upcard.first)
    assert table.profile.deal.players == load_profile("four-seat-fi").deal.players
    assert table.seats == (1, 2)


def test_a_table_may_let_a_fold_lose_its_side_bets() -> None:
    studio = setup(profile="live-studio-da", currency="DKK", side_bets_after_fold="lost")
    assert studio.profile.bonus is not None
    assert studio.profile.jackpot is not None
    assert (studio.profile.bonus.after_fold, studio.profile.jackpot.after_fold) == (AfterFold.lost, AfterFold.lost)


def test_a_table_sets_its_own_contribution() -> None:
    assert setup(jackpot={"seed": "1.00", "contribution": "30%"}).contribution == Fraction(3, 10)
    assert setup(jackpot={"seed": "1.00", "contribution": "0/1"}).contribution == 0


def test_a_maximum_payout_names_its_bets_and_its_scope() -> None:
    cap = setup(bet_entry="amounts", max_payout={"amount": "20000.00", "per": "round", "bets": ["raise"]}).cap
    assert cap is not None
    assert (cap.amount, cap.per, cap.bets) == (2_000_000, PayoutScope.round, ("raise",))
    by_default = setup(max_payout={"amount": "20000.00"}).cap
    assert by_default is not None
    assert (by_default.per, by_default.bets) == (PayoutScope.hand, ("ante", "raise", "bonus"))


@pytest.mark.parametrize(
    ("changes", "finding"),
    [
        ({"seats": 5}, "seats: expected 1 to 4, found 5"),
        ({"seats": 0}, "seats: expected 1 to 4, found 0"),
        ({"currency": "SEK"}, "currency: expected EUR, which the profile fixes, found SEK"),
        ({"chips": []}, "chips: expected the table's chips, found none"),
        ({"chips": ["5.00", "5.00"]}, "chips[1]: expected each chip once, found 5.00"),
        ({"chips": ["0.00"]}, "chips[0]: expected more than nothing, found 0.00"),
        ({"chips": ["5"]}, 'chips[0]: expected an amount with 2 decimals like "123.45", found "5"'),
        ({"chips": ["-5.00"]}, "chips[0]: expected no negative amount, found -5.00"),
        ({"chips": "5.00"}, "chips: expected `array`, got `str`"),
        ({"chips": ...}, "chips: expected a value, found none"),
        ({"bet_entry": "amount"}, 'bet_entry: expected "seats", "amounts", found "amount"'),
        ({"jackpot_evidence": "lamb"}, 'jackpot_evidence: expected "chip-visible", "lamp", found "lamb"'),
        ({"deal": {"patern": "packet"}}, "deal.patern: unknown; is it a typo?"),
        ({"deal": {"pattern": "packets"}}, 'deal.pattern: expected "single", "packet", found "packets"'),
        ({"side_bets_after_fold": "stands"}, 'side_bets_after_fold: expected "stand", "lost", found "stands"'),
        (
            {"jackpot": {"seed": "a lot"}},
            'jackpot.seed: expected an amount with 2 decimals like "123.45", found "a lot"',
        ),
        ({"jackpot": {"seed": "-1.00"}}, "jackpot.seed: expected no negative amount, found -1.00"),
        ({"jackpot": ...}, "jackpot.seed: expected the amount the meter starts from, found none"),
        (
            {"jackpot": {"seed": "1.00", "contribution": "2/1"}},
            'jackpot.contribution: expected a share of at most one, found "2/1"',
        ),
        (
            {"max_payout": {"amount": "1"}},
            'max_payout.amount: expected an amount with 2 decimals like "123.45", found "1"',
        ),
        (
            {"max_payout": {"amount": "1.00", "bets": ["rise"]}},
            "max_payout.bets[0]: expected ante, raise, bonus or jackpot, found rise",
        ),
        ({"max_payout": {"amount": "1.00", "per": "seat"}}, 'max_payout.per: expected "hand", "round", found "seat"'),
        (
            {"max_payout": {"amount": "1.00", "per": "round"}},
            'max_payout.per: expected "hand" where amounts are not keyed, found round',
        ),
        (
            {"max_payout": {"amount": "1.00"}, "limits": [{"bounds": "total", "lowest": "1.00", "highest": "2.00"}]},
            "limits: expected a limit of the ante, by which the maximum payout is watched, found none",
        ),
        (
            {"limits": [{"bounds": "ante", "lowest": "9.00", "highest": "8.00"}]},
            "limits[0].highest: expected at least the lowest, 9.00, found 8.00",
        ),
        (
            {"limits": [{"bounds": "anti", "lowest": "1.00", "highest": "8.00"}]},
            "limits[0].bounds: expected ante, bonus or total, found anti",
        ),
        ({"table": "T7"}, "table: unknown; is it a typo?"),
        (
            {"profile": "casino-stud-da", "currency": "DKK"},
            "jackpot: expected no jackpot: the profile has none, found a table",
        ),
    ],
    ids=str,
)
def test_a_setting_that_does_not_fit_is_refused_by_its_path(changes: dict[str, Any], finding: str) -> None:
    with pytest.raises(BadSetting) as refused:
        setup(**changes)
    assert str(refused.value) == finding


def test_a_table_of_a_sheet_without_a_jackpot_keeps_no_meter() -> None:
    casino = setup(profile="casino-stud-da", currency="SEK", jackpot=...)
    assert (casino.seed, casino.contribution, casino.currency) == (None, None, "SEK")


@pytest.mark.parametrize("name", ["T/7", "T 7/8"])
def test_a_table_whose_name_would_break_its_game_numbers_is_refused(name: str) -> None:
    with pytest.raises(BadSetting, match=r"^id: "):
        setup(id=name)


@pytest.mark.parametrize(
    ("raw", "finding"),
    [
        ({"time_out": "supervisor"}, 'time_out: expected "profile", "ask-supervisor", found "supervisor"'),
        ({"betting_seconds": -1}, "betting_seconds: expected 0 to 600, found -1"),
        ({"betting_seconds": 601}, "betting_seconds: expected 0 to 600, found 601"),
        ({"betting_secs": 30}, "betting_secs: unknown; is it a typo?"),
        (
            {"card_correction_before_paying": "player"},
            'card_correction_before_paying: expected "dealer", "supervisor", found "player"',
        ),
        ({"title": ...}, "title: expected a value, found none"),
    ],
    ids=str,
)
def test_a_procedure_that_does_not_fit_is_refused_by_its_path(raw: dict[str, Any], finding: str) -> None:
    whole = {name: value for name, value in {"id": "x", "title": "X", **raw}.items() if value is not ...}
    with pytest.raises(BadSetting) as refused:
        procedure_from(whole)
    assert str(refused.value) == finding


def test_the_shipped_procedures_ask_on_felt_and_follow_the_sheet_in_practice() -> None:
    felt, practice = load_procedure("felt"), load_procedure("practice")
    assert (felt.time_out, felt.betting_seconds) == (TimeOut.ask_supervisor, 0)
    assert practice.time_out is TimeOut.profile
