"""`rank`, `settle` and `rules` from the outside."""

import json
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.storage.profiles import config_folder
from tests.cli.command import SHOES, dealer_assist

# --- rank ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("As Kd 4h 3c 2s",), ("As", "Kd", "4h", "3c", "2s"), ("As,Kd,4h,3c,2s",)])
def test_five_cards_are_ranked_in_one_argument_or_several(arguments: tuple[str, ...]) -> None:
    ran = dealer_assist("rank", *arguments)
    assert (ran.status, ran.out, ran.err) == (0, "high_card 6349 As Kd 4h 3c 2s qualifies\n", "")


def test_six_cards_are_ranked_by_their_best_five() -> None:
    ran = dealer_assist("rank", "--json", "9d 9s 9h 6d 5c 2s")
    assert ran.rows == [
        {"category": "trips", "ordinal": 1996, "best": ["9s", "9h", "9d", "6d", "5c"], "qualifies": True}
    ]


def test_one_set_a_line_of_standard_input_is_one_answer_a_line() -> None:
    ran = dealer_assist("rank", "-", "--json", stdin=b"As Ks Qs Js Ts\n\n7s 5h 4d 3c 2s\r\nAs Qd Jh Tc 9s 2d\n")
    assert [(row["ordinal"], row["qualifies"]) for row in ran.rows] == [(1, True), (7462, False), (6350, False)]


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("As Kd 4h 3c", "expected five or six cards, found 4"),
        ("As Kd 4h 3c 2s 9d 8d", "expected five or six cards, found 7"),
        ("As Kd 4h 3c As", "the card As occurs twice"),
        ("As Kd 4h 3c 2x", 'expected a card code like "As" or "Td", found "2x"'),
        ("", "expected five or six cards, found 0"),
    ],
)
def test_a_bad_set_of_cards_is_told_and_nothing_is_printed(cards: str, told: str) -> None:
    dealer_assist("rank", cards).refused("cards: ", told)
    if cards:
        stdin = f"As Ks Qs Js Ts\n{cards}\n".encode()
        dealer_assist("rank", "-", stdin=stdin).refused("standard input, line 2: ", told)


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape"])
def test_standard_input_that_is_no_text_is_told(encoding: str) -> None:
    dealer_assist("rank", "-", stdin=b"As Ks Qs Js Ts\n\xff\xfe\n", PYTHONIOENCODING=encoding).refused("standard input")


# --- settle --------------------------------------------------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """One round of sheet D, in a file."""
    path = tmp_path / "round.json"
    path.write_bytes((SHOES / "evening.jsonl").read_bytes().splitlines()[0])
    return path


def test_a_round_is_settled_in_paying_order_and_each_line_explained(record: Path) -> None:
    (answer,) = dealer_assist("settle", record, "--json").rows
    written = json.loads(record.read_text("utf-8"))
    seats = [line["seat"] for line in answer["lines"] if line["bet"] != "jackpot"]
    assert seats == sorted(seats, reverse=True)
    assert set(seats) == set(written["seats"])
    for line in answer["lines"]:
        assert line.keys() >= {"seat", "bet", "result", "amount", "odds", "why", "chips"}
        assert line["result"] in ("take", "push", "pay")
        assert "sheet D" in line["why"]


def test_a_payment_names_its_chips_and_its_clause() -> None:
    written = {
        "format": "round/1",
        "id": "r",
        "profile": "four-seat-fi",
        "cards": ["9s", "Ad", "9h", "Kc", "6d", "4h", "5c", "3d", "2s", "2h"],
        "seats": {"1": {"ante": "40.00", "action": "raise"}},
    }
    ran = dealer_assist("settle", "-", "--json", stdin=json.dumps(written).encode())
    ante, raised = ran.rows[0]["lines"]
    assert (ante["amount"], ante["odds"], ante["chips"]) == ("40.00", "1:1", {"25.00": 1, "5.00": 3})
    assert (raised["amount"], raised["odds"], raised["chips"]) == ("80.00", "1:1", {"25.00": 3, "5.00": 1})
    assert "Voitonmaksutaulukko" in raised["why"]
    plain = dealer_assist("settle", "-", stdin=json.dumps(written).encode())
    assert "3 × 25.00 + 1 × 5.00" in plain.out


def test_a_round_is_settled_by_another_sheet_or_reading_where_that_is_asked_for(record: Path) -> None:
    assert dealer_assist("settle", record, "--reading", "literal").status == 0
    dealer_assist("settle", record, "--reading", "strict").refused("round.json", "literal", "strict")
    dealer_assist("settle", record, "--profile", "nobody").refused("nobody")
    dealer_assist("settle", record, "--table", "nobody").refused("--table", "nobody")


def changed(record: Path, **fields: Any) -> bytes:
    return json.dumps({**json.loads(record.read_text("utf-8")), **fields}).encode()


def test_a_round_that_cannot_be_settled_is_told(record: Path, tmp_path: Path) -> None:
    dealer_assist("settle", tmp_path / "missing").refused("missing", "No such file")
    dealer_assist("settle", "-", stdin=b"no record").refused("standard input", "round/1")
    dealer_assist("settle", "-", stdin=changed(record, cards=["As"])).refused(
        "standard input: cards: expected", "found 1"
    )
    two = record.read_bytes() + b"\n" + record.read_bytes()
    dealer_assist("settle", "-", stdin=two).refused("standard input")


# --- rules ---------------------------------------------------------------------------------------------------------


def test_the_sheets_are_listed_with_their_readings() -> None:
    (listed,) = dealer_assist("rules", "list", "--json").rows
    assert {row["id"]: row["sheet"] for row in listed} == {
        "live-studio-da": "A",
        "casino-stud-da": "B",
        "cyber-stud-nb": "C",
        "four-seat-fi": "D",
    }
    assert next(row["readings"] for row in listed if row["sheet"] == "C") == ["ante-pushes", "win-ante-returned"]
    assert "four-seat-fi" in dealer_assist("rules", "list").out


def test_a_sheet_is_shown_with_its_values_and_clauses() -> None:
    shown = dealer_assist("rules", "show", "four-seat-fi").out
    for text in (
        "Kuningasvärisuora",
        "200:1",
        "100 %",
        "1250.00",
        "Voitonmaksutaulukko, first column",
        "reading literal",
    ):
        assert text in shown
    (as_json,) = dealer_assist("rules", "show", "four-seat-fi", "--json").rows
    assert as_json["raise_paytable"]["flush"] == "6:1"


def test_prizes_are_shown_as_the_sheet_prints_them() -> None:
    lines = dealer_assist("rules", "show", "four-seat-fi").out.splitlines()
    row = next(line for line in lines if line.startswith("Värisuora"))
    assert row.split()[-1] == "1250.00"
    row = next(line for line in lines if line.startswith("Kuningasvärisuora"))
    assert row.endswith(" 100 %")


def test_a_sheet_that_nobody_knows_is_told() -> None:
    dealer_assist("rules", "show", "nobody").refused("nobody", "four-seat-fi")
    dealer_assist("rules", "show", "four-seat-fi", "--reading", "strict").refused("strict", "literal")


def test_a_file_is_checked_with_each_of_its_readings(tmp_path: Path) -> None:
    text = (config_folder() / "rules" / "four-seat-fi.toml").read_text("utf-8")
    good = tmp_path / "house.toml"
    good.write_text(text.replace('id = "four-seat-fi"', 'id = "house"'), "utf-8")
    (answer,) = dealer_assist("rules", "check", good, "--json").rows
    assert answer == {"id": "house", "readings": ["literal", "first-column-only", "pari-as-one-pair"]}
    assert dealer_assist("rules", "show", good).status == 0
    bad = tmp_path / "typo.toml"
    bad.write_text(text.replace('flush = "6:1"', 'flush = "6;1"'), "utf-8")
    dealer_assist("rules", "check", bad).refused(
        'typo.toml: raise_paytable.flush: expected odds like "7:1", found "6;1"'
    )
    bad.write_text(text.replace("not_qualified = { raise", "not_qualified = { rise"), "utf-8")
    dealer_assist("rules", "check", bad).refused("typo.toml", "not_qualified.rise: unknown; is it a typo?")
    bad.write_text("id = ", "utf-8")
    dealer_assist("rules", "check", bad).refused("typo.toml", "expected TOML")
    dealer_assist("rules", "check", tmp_path / "missing.toml").refused("missing.toml")
