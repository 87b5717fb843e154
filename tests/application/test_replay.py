"""Logged rounds dealt again: voids, burned and unread cards, caps, antes, and every fault a record may have."""

import json
from typing import Any, Final

import pytest

from dealer_assist.application.records import Fault, Unreadable, id_of, read_record
from dealer_assist.application.replay import ReplayedRound, Replayer, outcome_of
from dealer_assist.game.errors import UnknownReading
from dealer_assist.game.setup import PayoutScope
from dealer_assist.storage.profiles import UnknownName, load_profile
from tests.game.felt import dealt, table_setup

HANDS: Final = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"}
SEATS: Final = {"1": {"ante": "10.00", "action": "raise"}, "3": {"ante": "10.00", "action": "raise"}}
WON: Final = {"ante": "10.00", "raise": "20.00"}
LOST: Final = {"ante": "-10.00", "raise": "-20.00"}


def line(profile: str = "four-seat-fi", hands: dict[int, str] = HANDS, **changes: Any) -> bytes:
    """A record in which seat 1 wins and seat 3 loses; a change to `...` leaves a field out."""
    record = {
        "format": "round/1",
        "id": "r1",
        "profile": profile,
        "deal": "single",
        "cards": dealt(table_setup("D"), hands),
        "seats": SEATS,
        **changes,
    }
    return json.dumps({key: value for key, value in record.items() if value is not ...}).encode()


def replayed(text: bytes) -> ReplayedRound:
    record = read_record(text)
    return outcome_of(record, Replayer(load_profile).play(record))


def fault(**changes: Any) -> str:
    with pytest.raises((Fault, Unreadable)) as refused:
        replayed(line(**changes))
    return str(refused.value)


def seat(**changes: Any) -> dict[str, Any]:
    bets = {"ante": "10.00", "action": "raise", **changes}
    return {"1": {key: value for key, value in bets.items() if value is not ...}, "3": SEATS["3"]}


# --- compared with what was paid -----------------------------------------------------------------------------------


def differences(recorded: dict[str, Any] | None, **changes: Any) -> list[tuple[str, str, str, str | None]]:
    found = replayed(line(recorded=recorded, **changes)).differences
    return [(each.seat, each.bet, each.recorded, each.expected) for each in found]


def test_what_was_paid_right_is_no_difference() -> None:
    assert differences({"1": WON, "3": LOST}) == []


def test_a_wrong_payment_is_named_by_seat_bet_and_both_amounts() -> None:
    assert differences({"1": {"ante": "10.00", "raise": "40.00"}, "3": {"ante": "-10.00", "raise": "0.00"}}) == [
        ("1", "raise", "40.00", "20.00"),
        ("3", "raise", "0.00", "-20.00"),
    ]


def test_a_bet_that_a_recorded_seat_leaves_out_is_nothing() -> None:
    assert differences({"1": {"ante": "10.00"}}) == [("1", "raise", "0.00", "20.00")]
    assert differences({"1": {}}) == [("1", "ante", "0.00", "10.00"), ("1", "raise", "0.00", "20.00")]


def test_a_seat_that_was_not_recorded_is_not_compared_nor_a_round_without_any() -> None:
    assert differences({"1": WON}) == []
    assert differences({}) == []
    assert replayed(line(recorded=...)).differences == ()


def test_a_recorded_seat_that_did_not_play_is_a_difference() -> None:
    assert differences({"1": WON, "2": {"ante": "5.00"}}) == [("2", "ante", "5.00", None)]
    assert differences({"2": {}}) == [("2", "ante", "0.00", None)]


def test_a_recorded_bet_of_a_kind_that_was_not_made_is_compared_with_nothing() -> None:
    assert differences({"1": {**WON, "jackpot": "24.50"}}) == [("1", "jackpot", "24.50", "0.00")]
    assert differences({"1": {**WON, "bonus": "0.00"}}) == []


# --- rounds of every kind ------------------------------------------------------------------------------------------


def test_a_void_round_is_nothing_to_everybody() -> None:
    came = replayed(line(void="shoe jam", recorded={"1": {"ante": "0.00"}, "3": LOST}))
    assert {key: (each.outcome, set(each.net.values())) for key, each in came.seats.items()} == {
        "1": ("void", {"0.00"}),
        "3": ("void", {"0.00"}),
    }
    assert came.seats["1"].category == "pair"
    assert [each.seat for each in came.differences] == ["3", "3"]


def test_a_void_round_may_lack_cards_and_decisions() -> None:
    cards = dealt(table_setup("D"), HANDS)[:7]
    came = replayed(line(void="shoe jam", cards=cards, seats={"1": {"ante": "10.00"}, "3": {"ante": "10.00"}}))
    assert (came.dealer.category, came.dealer.qualifies) == (None, None)
    assert {each.category for each in came.seats.values()} == {None}
    assert replayed(line(void="power", cards=[])).seats["1"].outcome == "void"


def test_a_void_packet_names_the_hands_that_were_whole() -> None:
    cards = ["As", "Ks", "Qs", "Js", "Ts", "7s", "5h"]
    bets = {key: {"ante": "10.00", "jackpot": "0.50"} for key in ("1", "3")}
    came = replayed(line(void="shoe jam", deal="packet", cards=cards, seats=bets))
    assert (came.seats["1"].category, came.seats["3"].category) == ("royal_flush", None)
    assert came.house_decides == ("1",)


def test_a_void_round_lists_the_jackpot_hands_for_the_house() -> None:
    hands = {1: "9s 9h 9d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"}
    came = replayed(line(hands=hands, void="shoe jam", seats={**seat(jackpot="0.50")}, meter="100.00"))
    assert came.house_decides == ("1",)
    assert replayed(line(hands=hands)).house_decides is None


def test_a_burned_card_goes_to_nobody() -> None:
    cards = [*dealt(table_setup("D"), HANDS)]
    cards[4:4] = ["As"]  # type: ignore[list-item]
    assert differences({"1": WON, "3": LOST}, cards=cards, burned=[4]) == []


def test_a_card_that_nobody_read_may_lie_where_it_decides_nothing() -> None:
    cards = [*dealt(table_setup("D"), HANDS)]
    folded = {**SEATS, "3": {"ante": "10.00", "action": "fold"}}
    cards[1] = "??"  # type: ignore[call-overload]
    came = replayed(line(cards=cards, seats=folded, recorded={"1": WON, "3": {"ante": "-10.00"}}))
    assert came.differences == ()
    assert came.seats["3"].category is None
    assert fault(cards=cards) == "cards unknown (holder 3)"


def test_two_cards_that_nobody_read_are_not_the_same_card() -> None:
    cards = [*dealt(table_setup("D"), HANDS)]
    cards[1] = cards[4] = "??"  # type: ignore[call-overload]
    replayed(line(cards=cards, seats={**SEATS, "3": {"ante": "10.00", "action": "fold"}}))


@pytest.mark.parametrize(
    ("cap", "paid"),
    [
        (None, "20.00"),
        ("25.00", "15.00"),
        ({"amount": "25.00", "per": "hand", "bets": ["raise"]}, "20.00"),
        ({"amount": "15.00", "per": PayoutScope.round, "bets": ["raise"]}, "15.00"),
    ],
    ids=str,
)
def test_the_tables_maximum_payout_is_replayed(cap: object, paid: str) -> None:
    assert replayed(line(max_payout=cap)).seats["1"].net["raise"] == paid


def test_a_round_in_antes_is_settled_in_antes() -> None:
    bets = {"1": {"ante": "1.00", "action": "raise", "jackpot": "0.50"}, "3": {"ante": "1.00", "action": "fold"}}
    recorded = {"1": {"ante": "1.00", "raise": "2.00", "jackpot": "-0.50"}, "3": {"ante": "-1.00"}}
    assert differences(recorded, unit="ante", seats=bets) == []


def test_a_seat_of_a_round_in_antes_may_state_its_amounts() -> None:
    bets = {"1": {**SEATS["1"], "unit": "currency"}, "3": {"ante": "1.00", "action": "raise"}}
    recorded = {"1": WON, "3": {"ante": "-1.00", "raise": "-2.00"}}
    assert differences(recorded, unit="ante", seats=bets) == []


def test_a_round_in_antes_does_not_decide_how_the_next_one_is_capped() -> None:
    """One replay plays many rounds of a table, some of which state amounts."""
    plain = {"1": {"ante": "1.00", "action": "raise"}, "3": {"ante": "1.00", "action": "raise"}}
    stated = {**plain, "1": {**SEATS["1"], "unit": "currency"}}
    replayer = Replayer(load_profile)
    for seats, won in ((plain, "2.00"), (stated, "5.00"), (plain, "2.00")):
        record = read_record(line(unit="ante", seats=seats, max_payout={"amount": "5.00", "bets": ["raise"]}))
        assert outcome_of(record, replayer.play(record)).seats["1"].net["raise"] == won


@pytest.mark.parametrize("action", ["timeout", "raise"])
def test_a_time_out_does_what_the_profile_says(action: str) -> None:
    assert replayed(line(seats=seat(action=action))).seats["1"].outcome == "win"
    assert replayed(line("live-studio-da", seats=seat(action="timeout"))).seats["1"].outcome == "fold"


def test_a_table_that_turns_another_upcard_or_lets_a_fold_lose_is_replayed_so() -> None:
    bets = seat(action="fold", bonus="1.00")
    hands = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh Tc 8s 2c", 0: "Ad Kc 4h 3d 9d"}
    plain: dict[str, Any] = {"profile": "live-studio-da", "hands": hands, "seats": bets}
    assert replayed(line(**plain)).seats["1"].net["bonus"] == "-1.00"
    assert replayed(line(**plain, upcard="last")).seats["1"].net["bonus"] == "7.00"
    assert replayed(line(**plain, upcard="last", side_bets_after_fold="lost")).seats["1"].net["bonus"] == "-1.00"


def test_a_reading_of_the_record_is_played() -> None:
    hands = {1: "9s 9h 6d 5c 2s", 3: "Kh Qh 9c 8s 2c", 0: "Ad Qc 4h 3d 2h"}
    assert replayed(line(hands=hands)).seats["1"].net["raise"] == "0.00"
    assert replayed(line(hands=hands, reading="literal")).seats["1"].net["raise"] == "20.00"


def test_a_missing_deal_is_the_profiles_own_and_a_packet_is_dealt_as_one() -> None:
    assert replayed(line(deal=...)).seats == replayed(line()).seats
    packet = " ".join((HANDS[1], HANDS[3], HANDS[0])).split()
    assert replayed(line(deal="packet", cards=packet)).seats == replayed(line()).seats


def test_fields_that_nobody_knows_are_kept_and_not_refused() -> None:
    assert replayed(line(camera={"left": 3}, expect=None)).seats == replayed(line()).seats


# --- faults: what changes | what is told -----------------------------------------------------------------------------

CARDS: Final = [card.value for card in dealt(table_setup("D"), HANDS)]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"cards": [*CARDS[:14], "As", "Ks"]}, "cards: expected 15 for 2 seats, found 16"),
        ({"cards": CARDS[:14]}, "cards: expected 15 for 2 seats, found 14"),
        ({"cards": [*CARDS[:14], CARDS[0]]}, "the card 9s occurs twice"),
        ({"cards": [*CARDS[:14], "1s"]}, 'expected a card code like "As" or "Td", found "1s"'),
        ({"cards": "As"}, "cards: expected `array`, got `str`"),
        ({"cards": [*CARDS[:14], 7]}, "cards[14]: expected `str`, got `int`"),
        ({"burned": [15]}, "cards: expected 16 for 2 seats, found 15"),
        ({"burned": [16], "cards": [*CARDS, "As"]}, "burned: expected indexes into the 16 cards, found [16]"),
        ({"burned": [-1], "cards": [*CARDS, "As"]}, "burned: expected indexes into the 16 cards, found [-1]"),
        ({"burned": [0, 0], "cards": [*CARDS, "As", "Ks"]}, "burned: expected indexes into the 17 cards, found [0, 0]"),
        ({"seats": {}}, "seats: expected one to four, found none"),
        ({"seats": {"5": SEATS["1"]}}, 'seats: expected "1" to "4", found "5"'),
        ({"seats": {"01": SEATS["1"]}}, 'seats: expected "1" to "4", found "01"'),
        ({"seats": seat(ante="10.0")}, 'seats.1.ante: expected an amount with 2 decimals like "123.45", found "10.0"'),
        ({"seats": seat(ante="0.00")}, 'seats.1.ante: expected more than nothing, found "0.00"'),
        ({"seats": seat(ante="-1.00")}, 'seats.1.ante: expected more than nothing, found "-1.00"'),
        ({"seats": seat(ante=10)}, "seats[...].ante: expected `str`, got `int`"),
        ({"seats": seat(ante=...)}, "seats[...]: object missing required field `ante`"),
        ({"seats": seat(action=...)}, 'seats.1.action: expected raise, fold or timeout, found "None"'),
        ({"seats": seat(action="call")}, 'seats.1.action: expected raise, fold or timeout, found "call"'),
        ({"seats": seat(bonus="1.00")}, "bet unknown (bet bonus)"),
        ({"seats": seat(jackpot="1.00")}, "stake is fixed (amount 50)"),
        (
            {"seats": seat(jackpot="0.5")},
            'seats.1.jackpot: expected an amount with 2 decimals like "123.45", found "0.5"',
        ),
        ({"profile": "casino-stud-da", "seats": seat(jackpot="1.00")}, "bet unknown (bet jackpot)"),
        ({"meter": "100"}, 'meter: expected an amount with 2 decimals like "123.45", found "100"'),
        ({"meter": 100}, "meter: expected `str | null`, got `int`"),
        ({"deal": "pairs"}, "deal: invalid enum value 'pairs'"),
        ({"unit": "dollar"}, 'unit: expected "ante" or "currency", found "dollar"'),
        ({"max_payout": "much"}, 'max_payout: expected an amount with 2 decimals like "123.45", found "much"'),
        (
            {"recorded": {"1": {"ante": "10"}}},
            'recorded.1.ante: expected an amount with 2 decimals like "123.45", found "10"',
        ),
        ({"recorded": {"1": {"rise": "1.00"}}}, 'recorded.1: expected ante, raise, bonus or jackpot, found "rise"'),
        ({"recorded": {"1": {"ante": 10}}}, "recorded[...][...]: expected `str`, got `int`"),
        ({"id": 7}, "id: expected `str`, got `int`"),
        ({"id": ...}, "record: object missing required field `id`"),
    ],
    ids=str,
)
def test_a_record_that_cannot_be_dealt_is_a_fault_that_names_field_finding_and_expectation(
    changes: dict[str, Any], told: str
) -> None:
    assert fault(**changes) == told


def test_a_share_of_a_meter_that_is_not_recorded_is_a_fault() -> None:
    hands = {1: "As Ks Qs Js Ts", 3: "Kh Qh 9c 8s 2c", 0: "Ad Kc 4h 3d 2h"}
    assert fault(hands=hands, seats=seat(jackpot="0.50")).startswith("meter: expected the jackpot at lock")
    replayed(line(hands=hands, seats=seat(jackpot="0.50"), meter="100.00"))


def test_an_amount_in_antes_that_is_none_is_a_fault() -> None:
    assert fault(unit="ante", seats=seat(ante="1")).startswith("seats.1.ante: expected an amount with 2 decimals")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"not json", "expected a JSON object of format \"round/1\", found b'not json'"),
        (b"\xff\xfe", 'expected a JSON object of format "round/1"'),
        (b"[1, 2]", "format: expected \"round/1\", found 'list'"),
        (b"7", "format: expected \"round/1\", found 'int'"),
        (b'{"id": "r1"}', 'format: expected "round/1", found None'),
        (line(format="round/2"), 'format: expected "round/1", found "round/2"'),
        (line()[:-1], 'expected a JSON object of format "round/1"'),
        (line() + b" trailing", 'expected a JSON object of format "round/1"'),
    ],
)
def test_a_line_that_is_no_record_is_unreadable(text: bytes, told: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read_record(text)
    assert str(refused.value).startswith(told)


def test_a_profile_or_reading_that_nobody_knows_is_told_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="rules: expected one of casino-stud-da, cyber-stud-nb"):
        replayed(line("no-such-sheet"))
    with pytest.raises(UnknownReading, match='found "strict"'):
        replayed(line(reading="strict"))


def test_a_damaged_record_is_still_named_by_its_id() -> None:
    assert id_of(line(cards=7)) == "r1"
    assert [id_of(text) for text in (b"nothing", b"[]", b'{"id": 7}')] == [None, None, None]
