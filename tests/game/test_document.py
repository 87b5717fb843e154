"""A profile's document, there and back, and its single values changed with every fault named."""

import tomllib

import msgspec
import pytest
import tomli_w

from dealer_assist.game.document import document, editable, edited, faults, value_at
from dealer_assist.game.profile import RuleProfile, profile_from
from dealer_assist.storage.profiles import load_profile, names

EVERY_READING = [(name, reading) for name in names("rules") for reading in (None, *load_profile(name).readings)]


def alike(one: RuleProfile, other: RuleProfile) -> bool:
    """Whether two profiles play alike, whatever else they name."""
    plain = [msgspec.structs.replace(each, readings={}, sources={}) for each in (one, other)]
    return plain[0] == plain[1]


@pytest.mark.parametrize(("name", "reading"), EVERY_READING)
def test_a_profile_comes_back_from_its_document(name: str, reading: str | None) -> None:
    profile = load_profile(name, reading)
    text = tomli_w.dumps(document(profile))
    assert alike(profile_from(tomllib.loads(text)), profile)


def test_a_readings_value_carries_the_readings_clause() -> None:
    sources = profile_from(document(load_profile("four-seat-fi", "literal"))).sources
    assert sources["not_qualified.raise"] == "Voittavan käden päättäminen 1 b, to the letter"
    assert sources["not_qualified"].endswith("reading 5")


def test_a_changed_value_says_what_it_replaces() -> None:
    raw = document(load_profile("four-seat-fi"))
    changed = profile_from(edited(raw, {"raise_paytable.flush": "7:1", "jackpot_paytable.trips": ""}))
    assert str(changed.raise_paytable.flush) == "7:1"
    assert changed.jackpot_paytable is not None
    assert changed.jackpot_paytable.trips is None
    assert changed.sources["raise_paytable.flush"] == "changed by hand: 7:1 in place of 6:1"
    assert changed.sources["jackpot_paytable.trips"] == "changed by hand: nothing in place of 2.00"
    assert value_at(raw, "raise_paytable.flush") == "6:1"
    assert value_at(raw, "jackpot_paytable.trips") == "2.00"


def test_every_payment_of_the_profile_can_be_changed_and_nothing_else() -> None:
    paths = editable(load_profile("casino-stud-da"))
    assert len(paths) == 5 + 3 * 10
    assert "not_qualified_paytable.straight" in paths
    assert not [path for path in paths if path.startswith("jackpot")]
    raw = document(load_profile("casino-stud-da"))
    refused = faults(raw, {"dealer_qualifies.lowest": "2s 3s 4s 5s 7d", "jackpot_paytable.flush": "5.00"})
    assert [fault.path for fault in refused] == ["dealer_qualifies.lowest", "jackpot_paytable.flush"]


def test_every_fault_is_named_with_its_path_and_good_values_are_not() -> None:
    raw = document(load_profile("live-studio-da"))
    edits = {
        "raise_paytable.flush": "7;1",
        "raise_paytable.straight": "",
        "bonus_paytable.flush": "16:1",
        "jackpot_paytable.quads": "250",
        "tie.ante": "half",
    }
    told = {fault.path: fault.finding for fault in faults(raw, edits)}
    assert told == {
        "raise_paytable.flush": 'expected odds like "7:1", found "7;1"',
        "raise_paytable.straight": "expected odds, found none",
        "jackpot_paytable.quads": 'expected a prize like "100%" or "2500.00", found "250"',
        "tie.ante": 'expected odds like "7:1", found "half"',
    }
    assert not faults(raw, {"bonus_paytable.flush": "16:1"})


def test_a_line_that_pays_less_than_a_lesser_hand_is_named_at_its_own_place() -> None:
    raw = document(load_profile("four-seat-fi"))
    (fault,) = faults(raw, {"raise_paytable.straight": "9:1"})
    assert (fault.path, fault.finding) == (
        "raise_paytable.flush",
        "expected at least 9:1, which a lesser hand pays, found 6:1",
    )
