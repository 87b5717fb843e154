"""`replay` from the outside: plain and packed logs, differences, faults, and what it can't use."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from tests.cli.command import SHOES, Ran, dealer_assist

EVENING = SHOES / "evening.jsonl"


def summary(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = ran.rows[-1]["summary"]
    assert found.pop("seconds") >= 0
    return found


@pytest.mark.parametrize("name", ["evening.jsonl", "evening.jsonl.gz", "evening.jsonl.zst"])
def test_a_log_of_right_payments_replays_without_a_difference_packed_or_not(name: str) -> None:
    ran = dealer_assist("replay", SHOES / name, "--json")
    assert (ran.status, ran.err) == (0, "")
    assert summary(ran) == {"rounds": 9, "differences": 0, "faults": 0}
    written = [json.loads(line) for line in EVENING.read_bytes().splitlines()]
    assert [row["id"] for row in ran.rows[:-1]] == [record["id"] for record in written]
    for row, record in zip(ran.rows[:-1], written, strict=True):
        assert row.keys() >= {"id", "dealer", "seats", "differences"}
        assert row["seats"].keys() == record["seats"].keys()
        for seat, bets in record["recorded"].items():
            assert {bet: row["seats"][seat]["net"][bet] for bet in bets} == bets


def test_a_log_is_told_in_words_too() -> None:
    ran = dealer_assist("replay", EVENING)
    assert ran.status == 0
    assert ran.out.startswith("9 rounds, 0 differences, 0 faults in ")


def test_wrong_payments_are_told_by_seat_and_bet() -> None:
    ran = dealer_assist("replay", SHOES / "wrong-payments.jsonl", "--json")
    assert ran.status == 1
    assert summary(ran) == {"rounds": 5, "differences": 4, "faults": 0}
    found = [(row["id"][-8:], *each.values()) for row in ran.rows[:-1] for each in row["differences"]]
    assert found == [
        ("20:01:00", "1", "raise", "999.00", "-1.00"),
        ("20:02:00", "1", "ante", "10.00", None),
        ("20:03:00", "3", "ante", "-0.01", "15.00"),
        ("20:03:00", "3", "jackpot", "5.00", "0.00"),
    ]
    plain = dealer_assist("replay", SHOES / "wrong-payments.jsonl")
    assert "seat 1, raise: recorded 999.00, expected -1.00" in plain.out
    assert "expected nothing: the seat did not play" in plain.out


def test_rounds_that_cannot_be_dealt_are_faults_and_the_rest_goes_on() -> None:
    ran = dealer_assist("replay", SHOES / "broken-rounds.jsonl", "--json")
    assert ran.status == 1
    assert summary(ran) == {"rounds": 7, "differences": 0, "faults": 5}
    faults = {row["line"]: (row["id"] and row["id"][-8:], row["fault"]) for row in ran.rows if "fault" in row}
    assert faults == {
        1: ("20:01:00", "the card 2s occurs twice"),
        2: ("20:02:00", "cards: expected 15 for 2 seats, found 14"),
        5: ("20:03:00", 'expected a card code like "As" or "Td", found "1s"'),
        6: ("20:04:00", "record: object missing required field `seats`"),
        7: (None, "expected a JSON object of format \"round/1\", found b'not a record at all\\n'"),
    }
    assert (
        "line 1 (2026-11-30/T7/20:01:00): the card 2s occurs twice"
        in dealer_assist("replay", SHOES / "broken-rounds.jsonl").out
    )


def test_many_files_are_one_replay() -> None:
    ran = dealer_assist("replay", EVENING, SHOES / "wrong-payments.jsonl", SHOES / "evening.jsonl.gz", "--json")
    assert ran.status == 1
    assert summary(ran) == {"rounds": 23, "differences": 4, "faults": 0}


def test_a_reading_or_profile_of_the_command_line_goes_before_the_records(tmp_path: Path) -> None:
    record = {
        "format": "round/1",
        "id": "r",
        "profile": "cyber-stud-nb",
        "cards": ["9s", "Qd", "9h", "Jc", "6d", "8d", "5c", "7c", "2s", "3h"],
        "seats": {"1": {"ante": "10.00", "action": "raise"}},
        "recorded": {"1": {"ante": "10.00", "raise": "0.00"}},
    }
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(record), "utf-8")
    assert dealer_assist("replay", path).status == 0
    assert dealer_assist("replay", path, "--reading", "ante-pushes").status == 1
    ran = dealer_assist("replay", path, "--profile", "four-seat-fi", "--reading", "literal", "--json")
    assert ran.rows[0]["differences"] == [{"seat": "1", "bet": "raise", "recorded": "0.00", "expected": "20.00"}]


# --- what it can't use ---------------------------------------------------------------------------------------------


def test_options_that_name_nothing_are_told() -> None:
    dealer_assist("replay", EVENING, "--profile", "nobody").refused("--profile", "nobody", "four-seat-fi")
    dealer_assist("replay", EVENING, "--reading", "strict").refused("evening.jsonl, line 1", "strict")
    dealer_assist("replay", EVENING, "--profile", "four-seat-fi", "--reading", "strict").refused("strict", "literal")


def test_files_without_a_single_round_are_told(tmp_path: Path) -> None:
    dealer_assist("replay", tmp_path / "missing").refused("missing", "No such file")
    dealer_assist("replay", tmp_path).refused("Is a directory")
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n\n")
    dealer_assist("replay", empty).refused("empty.jsonl", "expected round/1 records, found an empty file")
    other = tmp_path / "other.jsonl"
    other.write_bytes(b'\n{"format": "round/2"}\nsomething\n')
    dealer_assist("replay", other).refused("other.jsonl, line 2", 'expected "round/1", found', "round/2")
    dealer_assist("replay", EVENING, other).refused("other.jsonl, line 2")


def test_a_log_whose_rounds_name_an_unusable_sheet_is_told(tmp_path: Path) -> None:
    sheet = tmp_path / "bad.toml"
    sheet.write_text("id = 7", "utf-8")
    log = tmp_path / "log.jsonl"
    record = json.loads(EVENING.read_bytes().splitlines()[0])
    log.write_text(json.dumps({**record, "profile": str(sheet)}), "utf-8")
    dealer_assist("replay", log).refused("log.jsonl, line 1", "bad.toml")
    log.write_bytes(EVENING.read_bytes() + log.read_bytes())
    ran = dealer_assist("replay", log, "--json")
    assert (ran.status, summary(ran)) == (1, {"rounds": 10, "differences": 0, "faults": 1})


@pytest.mark.parametrize("name", ["log.jsonl.gz", "log.jsonl.zst"])
def test_a_packed_file_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(EVENING.read_bytes())
    dealer_assist("replay", path).refused(name)


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_a_packed_log_that_is_cut_off_never_passes_for_a_whole_one(tmp_path: Path, packing: str) -> None:
    """Either it can't be used at all, with nothing printed, or what is missing is a fault."""
    rounds = [{**json.loads(line), "id": f"{at}"} for at in range(60) for line in EVENING.read_bytes().splitlines()]
    text = "".join(json.dumps(record) + "\n" for record in rounds).encode()
    path = tmp_path / f"log.jsonl.{packing}"
    packed = gzip.compress(text) if packing == "gz" else zstandard.ZstdCompressor().compress(text)
    for kept in (0.5, 0.9, 0.999):
        path.write_bytes(packed[: int(len(packed) * kept)])
        ran = dealer_assist("replay", path, "--json")
        assert ran.status != 0
        if ran.status == 2:
            ran.refused(path.name)
        else:
            assert summary(ran)["faults"] >= 1
