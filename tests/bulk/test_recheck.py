"""A part re-checked by both engines says what plain replay says, line by line, and where they disagree, that is told."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.analysis import batch
from dealer_assist.analysis.batch import BatchRules, Settled
from dealer_assist.application.columns import Rounds
from dealer_assist.bulk.judging import Finding, Judge, Judgement
from dealer_assist.bulk.partitions import partitions
from dealer_assist.bulk.tally import Tally, tally_of
from dealer_assist.bulk.work import Options, PartResult, findings_of, work
from dealer_assist.storage import parquet
from tests.bulk.damage import lines
from tests.bulk.logs import LOGS, golden_rounds, lines_of, many_rounds, underpaid, written

NONE: Final = Options(sample=0)


def rechecked(path: Path, options: Options = NONE) -> tuple[PartResult, list[Finding]]:
    """What the one part of a log came to."""
    [part] = partitions(path)
    result = work(part, options)
    return result, list(findings_of(result))


def logged(folder: Path, found: Iterable[bytes]) -> Path:
    path = folder / "log.jsonl"
    path.write_bytes(b"".join(found))
    return path


def plainly(path: Path, options: Options = NONE) -> list[tuple[Any, ...]]:
    """What plain replay reports: line, id, fault, differences."""
    judge, told = Judge(options.profile, options.reading), list[tuple[Any, ...]]()
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        found = judge.judge(line + b"\n")
        if isinstance(found, str):
            told.append((number, found, ()))
        elif found.outcome.differences:
            told.append((number, None, tuple(map(msgspec.structs.astuple, found.outcome.differences))))
    return told


def in_bulk(findings: list[Finding]) -> list[tuple[Any, ...]]:
    return [
        (each.line, each.fault, tuple((diff.seat, diff.bet, diff.recorded, diff.expected) for diff in each.differences))
        for each in findings
    ]


def check(path: Path, options: Options = NONE) -> PartResult:
    """A log re-checked in bulk says of every line what plain replay says."""
    result, findings = rechecked(path, options)
    assert in_bulk(findings) == plainly(path, options)
    assert result.tallies.total.rounds == sum(bool(line.strip()) for line in path.read_bytes().split(b"\n"))
    assert result.engines_disagree == 0
    return result


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "options", [NONE, Options(sample=1), Options(profile="four-seat-fi", reading="literal")], ids=str
)
def test_a_log_comes_to_what_plain_replay_says(path: Path, options: Options) -> None:
    check(path, options)


@given(st.lists(lines(), min_size=1, max_size=12))
def test_spoilt_lines_come_to_what_plain_replay_says(
    tmp_path_factory: pytest.TempPathFactory, found: list[bytes]
) -> None:
    check(logged(tmp_path_factory.mktemp("log"), found))


@given(st.lists(lines(), min_size=1, max_size=12))
def test_spoilt_lines_in_parquet_come_to_the_same(tmp_path_factory: pytest.TempPathFactory, found: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("log") / "log.parquet"
    said = [line for line in found if line.strip()]
    parquet.write(path, said)
    _, findings = rechecked(path)
    assert in_bulk(findings) == plainly(logged(path.parent, said))


def test_only_what_is_odd_or_differs_is_left_to_the_live_engine(tmp_path: Path) -> None:
    rounds = list(many_rounds(2000))
    wrong = [7, 500, 1999]
    for at in wrong:
        rounds[at] = underpaid(rounds[at])
    void = sum("void" in each for each in rounds)
    result = check(logged(tmp_path, [written(rounds)]))
    assert (result.irregular, result.differing_rounds) == (void, len(wrong))


def test_money_comes_to_the_same_by_either_engine(tmp_path: Path) -> None:
    rounds = list(many_rounds(830))
    rounds[3] = underpaid(rounds[3])
    path, judge, by_hand = logged(tmp_path, [written(rounds)]), Judge(), Tally()
    for line in lines_of(path):
        found = judge.judge(line)
        assert isinstance(found, Judgement)
        by_hand.add(tally_of(found))
    for sample in (0, 1):
        result, _ = rechecked(path, Options(sample=sample))
        assert result.tallies.total == by_hand


def test_rounds_are_counted_by_table_day_and_dealer(tmp_path: Path) -> None:
    nameless = {name: value for name, value in next(many_rounds(1)).items() if name not in ("table", "dealer", "time")}
    rounds = [
        *many_rounds(3, "T1"),
        *many_rounds(2, "T2", first=600),
        {**nameless, "id": "r1", "time": "2026-12-01T01:00:00+02:00"},
        {**nameless, "id": "2026-12-02/T1/20:00:00"},
        {**nameless, "id": "r2", "time": "yesterday"},
    ]
    tallies = rechecked(logged(tmp_path, [written(rounds), b"nothing\n"]))[0].tallies
    counted = [
        {key: tally.rounds for key, tally in parted.items()}
        for parted in (tallies.by_table, tallies.by_day, tallies.by_dealer)
    ]
    assert counted == [
        {"T1": 3, "T2": 2, None: 4},
        {"2026-11-01": 5, "2026-11-30": 1, "2026-12-02": 1, None: 2},
        {"d0": 3, "d1": 2, None: 4},
    ]


def test_the_largest_amounts_add_up_exactly(tmp_path: Path) -> None:
    each = next(each for each in golden_rounds() if each["profile"] == "casino-stud-da" and len(each["seats"]) == 1)
    [(seat, bets)] = each["seats"].items()
    most = "9999999999.99"
    rounds = [{**each, "id": str(at), "seats": {seat: {**bets, "ante": most, "action": "fold"}}} for at in range(100)]
    rounds = [{name: value for name, value in each.items() if name != "recorded"} for each in rounds]
    result, _ = rechecked(logged(tmp_path, [written(rounds)]))
    assert result.irregular == 0
    assert result.tallies.total.money["DKK"].expected == -100 * int(most.replace(".", "")) - sum(
        100 * int(bets.get("bonus", "0.00").replace(".", "")) for _ in (0,)
    )


def test_a_difference_is_told_with_its_reason_and_the_hands(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(next(line for line in lines_of(LOGS[-1])))
    _, [found] = rechecked(path)
    [difference] = found.differences
    assert (difference.because, difference.why, difference.result, difference.stake, difference.category) == (
        "the dealer's hand wins (sheet D, Voittavan käden päättäminen 2 a)",
        "dealer_wins",
        "take",
        "1.00",
        "pair",
    )
    assert difference.hand is not None
    assert set(difference.hand) < set(json.loads(path.read_bytes())["cards"])
    assert found.dealer_hand is not None
    assert (found.dealer_hand.category, found.dealer_hand.qualifies) == ("straight_flush", True)


# --- the engines against each other ----------------------------------------------------------------------------------------


def test_a_sample_of_what_agrees_is_dealt_again_by_hand(tmp_path: Path) -> None:
    rounds = [each for each in many_rounds(3000) if "void" not in each]
    path = logged(tmp_path, [written(rounds)])
    assert rechecked(path)[0].sampled == 0
    assert rechecked(path, Options(sample=1))[0].sampled == len(rounds)
    some = rechecked(path, Options(sample=100))[0].sampled
    assert 10 <= some <= 60
    assert rechecked(path, Options(sample=100))[0].sampled == some


def test_a_batch_engine_that_errs_is_told_loudly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The live engine's word is what is reported; but that the other one said otherwise is reported too."""
    rounds = list(many_rounds(400))
    path = logged(tmp_path, [written(rounds)])
    right = batch.settle

    def erring(found: Rounds, rules: BatchRules) -> Settled:
        settled = right(found, rules)
        settled.nets[::50, :, 0] += 1
        return settled

    monkeypatch.setattr(batch, "settle", erring)
    result, findings = rechecked(path)
    assert result.engines_disagree == len(findings) > 0
    assert result.tallies.total.differences == 0
    for each in findings:
        assert each.engines_disagree is not None
        assert each.engines_disagree.batch != each.engines_disagree.live


def test_a_batch_engine_that_overlooks_is_found_by_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = [underpaid(each) for each in many_rounds(200) if "void" not in each]
    path = logged(tmp_path, [written(rounds)])
    monkeypatch.setattr(batch, "suspects", lambda _, settled: ~settled.regular)
    result, _ = rechecked(path, Options(sample=1))
    assert result.engines_disagree == result.differing_rounds == len(rounds)
