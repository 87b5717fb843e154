"""`rank`, `settle` and `rules` from the outside."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from dealer_assist.storage import audit_cache
from dealer_assist.storage.profiles import config_folder
from tests.cli.command import SHOES, Ran, dealer_assist

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


# --- rules audit ---------------------------------------------------------------------------------------------------


def audited(cache: Path, *arguments: object, compiled: Path | None = None) -> Ran:
    """An audit that keeps its results, and where asked its machine code too, in a folder of the test's own."""
    code = {} if compiled is None else {"NUMBA_CACHE_DIR": str(compiled)}
    return dealer_assist("rules", "audit", *arguments, stdin=b"", XDG_CACHE_HOME=str(cache), **code)


def figures(ran: Ran) -> dict[str, Any]:
    """The figures of an audit, without how long it took."""
    (found,) = ran.rows
    del found["seconds"]
    return dict(found)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds the audit of one sheet."""
    folder = tmp_path_factory.mktemp("once")
    assert audited(folder, "cyber-stud-nb").status == 0
    return folder


@pytest.fixture
def kept(once: Path, tmp_path: Path) -> Path:
    """The file of that audit, in the test's own cache."""
    shutil.copytree(once, tmp_path, dirs_exist_ok=True)
    (file,) = tmp_path.rglob("*.json")
    return file


AUDIT: Final = ("cyber-stud-nb", "--json")


def test_a_sheet_is_audited_with_every_figure(tmp_path: Path) -> None:
    ran = audited(tmp_path, "four-seat-fi", "--json")
    assert ran.status == 0
    found = figures(ran)
    assert found["house_edge_fraction"] == "28355439569/711901089900"
    assert found["exposure"]["table"]["total"] == "160400.00"
    assert found["exposure"]["with_max_payout"] is None
    assert found["bonus_outcomes"] is None
    assert "strategy" not in found
    text = audited(tmp_path, "four-seat-fi").out
    for line in (
        "house edge on the ante  3.98305888%  (28355439569/711901089900)",
        "standard deviation      2.334635 antes",
        "dealer not qualified, full house",
        "jackpot break even      196,959.00",
        "all 4 seats",
        "  optimal                                3.983059%",
    ):
        assert line in text
    assert max(map(len, text.splitlines())) <= 80


def test_an_audit_with_warnings_exits_with_one_and_names_them(tmp_path: Path) -> None:
    ran = audited(tmp_path, "four-seat-fi", "--reading", "literal")
    assert ran.status == 1
    assert "warning: ante and raise pay more than they take: of each ante 172.2153% comes back" in ran.out


def test_a_tables_limits_seats_and_maximum_payout_bound_the_exposure(tmp_path: Path) -> None:
    demo = figures(audited(tmp_path, "four-seat-fi", "--table", "demo", "--json"))["exposure"]
    assert demo["limits"] == {
        "unit": "currency",
        "seats": 4,
        "ante": "100.00",
        "bonus": None,
        "jackpot": "0.50",
        "total": None,
    }
    capped = demo["with_max_payout"]
    assert (capped["amount"], capped["per"], capped["bets"]) == ("20000.00", "hand", ["raise"])
    assert (capped["per_hand"]["total"], capped["table"]["total"]) == ("20100.00", "80400.00")
    text = (config_folder() / "tables" / "demo.toml").read_text("utf-8")
    small = tmp_path / "small.toml"
    small.write_text(text.replace("seats = 4", "seats = 2").replace('highest = "100.00"', 'highest = "20.00"'), "utf-8")
    smaller = figures(audited(tmp_path, "four-seat-fi", "--table", small, "--json"))["exposure"]
    assert (smaller["limits"]["seats"], smaller["table"]["total"]) == (2, "16040.00")


def test_a_table_is_audited_with_what_it_chose_for_itself(tmp_path: Path) -> None:
    """Its jackpot feeds a tenth of each bet, and a fold loses 5+1 and jackpot."""
    text = (config_folder() / "tables" / "demo.toml").read_text("utf-8")
    text = text.replace('seed = "20000.00"', 'seed = "20000.00"\ncontribution = "1/10"')
    own = tmp_path / "own.toml"
    own.write_text(text.replace("seats = 4", 'seats = 4\nside_bets_after_fold = "lost"'), "utf-8")
    found = figures(audited(tmp_path, "live-studio-da", "--table", own, "--json"))
    assert found["jackpot_return"] == pytest.approx(found["jackpot_fixed_return"] + 0.1)
    assert found["bonus_return"] < 0.9143


def test_a_table_that_does_not_fit_the_sheet_is_told(tmp_path: Path) -> None:
    audited(tmp_path, "four-seat-fi", "--table", "nobody").refused("--table", "nobody", "demo")
    text = (config_folder() / "tables" / "demo.toml").read_text("utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace('highest = "100.00"', 'highest = "1.00"'), "utf-8")
    audited(tmp_path, "four-seat-fi", "--table", bad).refused("bad.toml", "limits[0].highest")


def test_optimal_play_is_told_where_it_is_asked_for(tmp_path: Path) -> None:
    ran = audited(tmp_path, "cyber-stud-nb", "--strategy")
    lines = ran.out.splitlines()
    (pairs,) = (line for line in lines if line.startswith("pair of twos or better"))
    assert pairs.split()[-13:] == ["R"] * 13
    (rest,) = (line for line in lines if line.startswith("A-Q-J-T-9 or worse"))
    assert rest.split()[-13:] == ["·"] * 13
    grid = figures(audited(tmp_path, "cyber-stud-nb", "--strategy", "--json"))["strategy"]
    assert grid["upcards"] == list("23456789TJQKA")
    assert sum(cell["cases"] for row in grid["rows"] for cell in row["cells"]) == 2_598_960 * 47


@pytest.mark.parametrize("harm", ["cut", "changed", "of another sheet"])
def test_a_kept_audit_that_is_not_whole_is_computed_anew(tmp_path: Path, kept: Path, harm: str) -> None:
    first = figures(audited(tmp_path, *AUDIT))
    whole = kept.read_bytes()
    assert b'"house_edge":0.05224' in whole
    harmed = {
        "cut": whole[:-40],
        "changed": whole.replace(b'"house_edge":0.05224', b'"house_edge":0.01224'),
        "of another sheet": whole.replace(b'"key":"', b'"key":"0'),
    }
    kept.write_bytes(harmed[harm])
    assert figures(audited(tmp_path, *AUDIT)) == first
    assert kept.read_bytes() == whole


def test_a_kept_audit_is_what_a_later_call_tells(tmp_path: Path, kept: Path) -> None:
    """A figure changed in the file, its digest with it, comes out again: nothing was computed."""
    first = figures(audited(tmp_path, *AUDIT))
    content = msgspec.json.decode(kept.read_bytes(), type=audit_cache.Kept)
    forged = bytes(content.audit).replace(b'"house_edge":0.05224', b'"house_edge":0.01224')
    digest = hashlib.sha256(forged).hexdigest()
    kept.write_bytes(msgspec.json.encode(audit_cache.Kept(content.key, digest, msgspec.Raw(forged))))
    assert figures(audited(tmp_path, *AUDIT))["house_edge"] < 0.02 < first["house_edge"]
    assert figures(audited(tmp_path, *AUDIT, "--no-cache")) == first


def test_a_first_run_says_that_it_compiles_and_a_later_one_does_not(tmp_path: Path) -> None:
    first = audited(tmp_path, *AUDIT, "--no-cache", compiled=tmp_path / "compiled")
    assert first.err.startswith("compiling ")
    assert first.err.count("\n") == 1
    later = audited(tmp_path, *AUDIT, "--no-cache", compiled=tmp_path / "compiled")
    assert later.err == ""
    assert figures(later) == figures(first)
