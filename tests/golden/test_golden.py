"""The golden tables: hands and rounds worked out by separate programs, played through the tracker of the live table."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from dealer_assist.application.records import read_record
from dealer_assist.application.replay import Replayer, outcome_of
from dealer_assist.game.cards import parse_card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_hand
from dealer_assist.storage.profiles import load_profile

HERE: Final = Path(__file__).parent
ROUNDS: Final = sorted(path.name for path in HERE.glob("rounds-*.jsonl"))
REPLAYER: Final = Replayer(load_profile)


def lines(name: str) -> list[bytes]:
    return (HERE / name).read_bytes().splitlines()


@cache
def hands() -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines("hands.jsonl")[1:]]


def cards(codes: list[str]) -> tuple[Any, ...]:
    return tuple(map(parse_card, codes))


def test_the_golden_tables_are_all_there() -> None:
    assert {name: len(lines(name)) for name in ROUNDS} == {
        "rounds-casino-stud-da.jsonl": 210,
        "rounds-cyber-stud-nb.jsonl": 210,
        "rounds-four-seat-fi.jsonl": 210,
        "rounds-live-studio-da.jsonl": 176,
        "rounds-special.jsonl": 24,
    }
    header = json.loads(lines("hands.jsonl")[0])["header"]
    assert header["pairs"] == sum(1 for hand in hands() if hand["kind"] == "pair")
    assert header["sixes"] == sum(1 for hand in hands() if hand["kind"] == "six")


@pytest.mark.parametrize("side", ["a", "b"])
def test_golden_hands_have_their_category_ordinal_and_qualification(side: str) -> None:
    for hand in hands():
        if hand["kind"] == "pair":
            verdict = rank_hand(cards(hand[side]))
            found = verdict.category.value, verdict.ordinal, verdict.ordinal <= LOWEST_QUALIFYING
            assert found == (hand[f"cat_{side}"], hand[f"rank_{side}"], hand[f"{side}_qualifies"]), hand


def test_golden_pairs_of_hands_compare_as_they_should() -> None:
    for hand in hands():
        if hand["kind"] == "pair":
            a, b = rank_hand(cards(hand["a"])).ordinal, rank_hand(cards(hand["b"])).ordinal
            assert (a < b) - (a > b) == hand["cmp"], hand


def test_golden_six_cards_are_worth_their_best_five() -> None:
    for hand in hands():
        if hand["kind"] == "six":
            verdict = rank_hand(cards(hand["six"]))
            assert (verdict.category.value, verdict.ordinal) == (hand["cat"], hand["rank"]), hand
            assert rank_hand(cards(hand["best"])).ordinal == verdict.ordinal, hand


def golden_rounds() -> list[Any]:
    return [
        pytest.param(line, id=json.loads(line)["id"]) for name in ROUNDS for line in lines(name) if b'"expect"' in line
    ]


@pytest.mark.parametrize("line", golden_rounds())
def test_a_golden_round_replays_to_its_categories_actions_outcomes_and_nets(line: bytes) -> None:
    golden, record = json.loads(line), read_record(line)
    played = REPLAYER.play(record)
    came = outcome_of(record, played)
    assert {"category": came.dealer.category, "qualifies": came.dealer.qualifies} == golden["expect"]["dealer"]
    assert sorted(came.seats) == sorted(golden["expect"]["seats"])
    for seat, expected in golden["expect"]["seats"].items():
        found, decision = came.seats[seat], played.round.decisions.get(Seat(int(seat)))
        assert (found.category, found.outcome) == (expected["category"], expected["outcome"])
        assert (decision.action.value if decision else None) == expected["action"]
        for bet, net in golden["recorded"].get(seat, {}).items():
            assert found.net[bet] == net, (seat, bet)
    assert came.differences == ()
