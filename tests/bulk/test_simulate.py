"""Simulated logs: a replay finds nothing in a sound one, and in a spoilt one exactly what was planted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from dealer_assist.analysis.planting import Misreading, Slip
from dealer_assist.analysis.simulate import Plan
from dealer_assist.application.records import UNREAD, Fault, RoundRecord, read_record
from dealer_assist.application.replay import ReplayedRound, Replayer, outcome_of
from dealer_assist.bulk.simulate import MisreadCard, Order, Planted, PlantedMisread, PlantedPayment, simulate
from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.parquet import RowGroups
from dealer_assist.storage.profiles import load_profile, names
from dealer_assist.storage.shoe_logs import Kind, lines

SHEETS: Final = tuple(load_profile(name) for name in names("rules"))
READ: Final = tuple((sheet.id, reading) for sheet in SHEETS for reading in (None, *sheet.readings))
OTHER_MONEY: Final = tuple(
    msgspec.structs.replace(load_profile("casino-stud-da"), minor_digits=digits) for digits in (0, 3)
)
START: Final = 1_767_225_600 - 3600  # an hour before the year 2026


def plan_of(profile: RuleProfile, rounds: int, **changes: object) -> Plan:
    plan = Plan(
        profile=profile,
        named=profile.id,
        rounds=rounds,
        seed=5,
        start=START,
        strategies=("three rules", "pair or better", "always fold"),
    )
    return msgspec.structs.replace(plan, **changes)


def written(folder: Path, order: Order, kind: Kind = Kind.plain) -> tuple[list[bytes], list[Planted]]:
    """The lines of a simulated log, and what was planted in it."""
    list_, decode = folder / f"{kind}.planted", msgspec.json.Decoder(PlantedPayment | PlantedMisread).decode
    found = simulate(order, folder / f"log.{kind}", kind, folder=False, planted=list_)
    planted = [decode(line) for _, line in lines(list_)]
    if kind is Kind.parquet:
        return list(RowGroups(found.files[0]).lines()), planted
    return [line.removesuffix(b"\n") for _, line in lines(found.files[0])], planted


def replayed(found: list[bytes]) -> Iterator[tuple[RoundRecord, ReplayedRound]]:
    replayer = Replayer(load_profile)
    for line in found:
        record = read_record(line)
        yield record, outcome_of(record, replayer.play(record))


@pytest.mark.parametrize(("name", "reading"), READ)
def test_a_replay_of_simulated_rounds_finds_no_difference(name: str, reading: str | None, tmp_path: Path) -> None:
    found, _ = written(tmp_path, Order(plan=plan_of(load_profile(name, reading), 400)))
    actions = set()
    for record, outcome in replayed(found):
        assert record.recorded is not None
        assert record.recorded.keys() == record.seats.keys()
        assert not outcome.differences, record
        actions |= {seat.action for seat in record.seats.values()}
    assert len(found) == 400
    assert actions == {"raise", "fold", "timeout"}


def test_a_round_is_named_by_its_day_its_table_and_its_second(tmp_path: Path) -> None:
    plan = plan_of(load_profile("four-seat-fi"), 300, tables=3, seats=2)
    found = [read_record(line) for line in written(tmp_path, Order(plan=plan))[0]]
    assert (found[0].id, found[0].table, found[0].time) == ("2025-12-31/T1/23:00:00", "T1", "2025-12-31T23:00:00Z")
    assert found[-1].table == "T3"
    assert found[-1].id.startswith("2026-01-01/T3/00:")
    assert len({record.id for record in found}) == 300
    for record in found:
        assert record.time == f"{record.id[:10]}T{record.id[-8:]}Z"


def test_dealers_go_round_the_tables_and_nobody_is_at_two_at_once(tmp_path: Path) -> None:
    found = [read_record(line) for line in written(tmp_path, Order(plan=plan_of(SHEETS[0], 6000, tables=3)))[0]]
    turns: dict[tuple[str, int], set[str]] = {}
    for record in found:
        assert record.time is not None
        half_hour = int(record.time[11:13]) * 2 + int(record.time[14:16]) // 30
        turns.setdefault((record.time[:10], half_hour), set()).add(f"{record.table} {record.dealer}")
    for tables in turns.values():
        dealers = {place.split()[1] for place in tables}
        assert len(dealers) == len(tables) <= 3
    assert len({record.dealer for record in found}) == 12


@pytest.mark.parametrize("kind", [Kind.gzip, Kind.zstd, Kind.parquet])
@pytest.mark.parametrize(
    "sheet", [*SHEETS, *OTHER_MONEY], ids=lambda sheet: f"{sheet.id}, {sheet.minor_digits} decimals"
)
def test_every_kind_of_log_holds_the_same_lines(sheet: RuleProfile, kind: Kind, tmp_path: Path) -> None:
    order = Order(plan=plan_of(sheet, 500, tables=2), misread=0.1, wrong=20)
    (plain, planted), (other, told) = written(tmp_path, order), written(tmp_path, order, kind)
    assert other == plain
    assert told == planted


# --- what is planted -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.id)
def test_a_replay_finds_all_wrong_payments_that_were_planted_and_no_others(sheet: RuleProfile, tmp_path: Path) -> None:
    found, planted = written(tmp_path, Order(plan=plan_of(sheet, 900, tables=2), wrong=300))
    differences = [
        (record.id, difference.seat, difference.bet, difference.recorded, difference.expected)
        for record, outcome in replayed(found)
        for difference in outcome.differences
    ]
    assert len(planted) == 300
    assert differences == [(told.id, told.seat, told.bet, told.recorded, told.right) for told in payments(planted)]


def payments(planted: list[Planted]) -> list[PlantedPayment]:
    return [told for told in planted if isinstance(told, PlantedPayment)]


def test_payments_go_wrong_in_every_way(tmp_path: Path) -> None:
    _, planted = written(tmp_path, Order(plan=plan_of(load_profile("four-seat-fi"), 8000), wrong=8000))
    assert {told.how for told in payments(planted)} == {slip.value for slip in Slip}
    assert {told.bet for told in payments(planted)} == {"ante", "raise", "jackpot"}


def test_misread_rounds_are_the_sound_ones_but_for_the_cards_told(tmp_path: Path) -> None:
    plan = plan_of(load_profile("live-studio-da"), 3000)
    sound = [read_record(line) for line in written(tmp_path, Order(plan=plan))[0]]
    found, planted = written(tmp_path, Order(plan=plan, misread=0.1), Kind.zstd)
    told = {each.id: each for each in planted if isinstance(each, PlantedMisread)}
    assert 200 < len(told) == len(planted) < 400
    assert {each.how for each in told.values()} == {how.value for how in Misreading}
    for was, record in zip(sound, map(read_record, found), strict=True):
        changed = [
            MisreadCard(place, logged, lay)
            for place, (logged, lay) in enumerate(zip(record.cards, was.cards, strict=True))
            if logged != lay
        ]
        assert msgspec.structs.replace(record, cards=was.cards) == was
        assert tuple(changed) == (told[was.id].cards if was.id in told else ())
        assert bool(changed) == (was.id in told)


@pytest.mark.parametrize("name", ["live-studio-da", "four-seat-fi"])
def test_a_replay_refuses_duplicates_and_finds_nothing_in_rounds_that_were_read_well(name: str, tmp_path: Path) -> None:
    found, planted = written(tmp_path, Order(plan=plan_of(load_profile(name), 2000), misread=0.1, wrong=100))
    how = {told.id: told.how for told in planted}
    replayer, refused = Replayer(load_profile), set()
    for line in found:
        record = read_record(line)
        try:
            outcome = outcome_of(record, replayer.play(record))
        except Fault:
            refused.add(record.id)
            continue
        assert record.id in how or not outcome.differences
        assert how.get(record.id) != Misreading.duplicate
        assert (UNREAD in record.cards) == (how.get(record.id) == Misreading.unread)
    assert refused >= {id_ for id_, each in how.items() if each == Misreading.duplicate}
    assert refused <= {id_ for id_, each in how.items() if each in (Misreading.duplicate, Misreading.unread)}


def test_no_round_is_both_misread_and_paid_wrongly(tmp_path: Path) -> None:
    _, planted = written(tmp_path, Order(plan=plan_of(SHEETS[0], 300), misread=1.0, wrong=100))
    assert len(planted) == len({told.id for told in planted}) == 300
    assert len(payments(planted)) == 100
