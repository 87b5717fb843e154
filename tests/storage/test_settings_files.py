"""Settings files: the shipped ones by id, any other by path, and what is wrong in one told with its name."""

import shutil
from pathlib import Path

import pytest

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.setup import BetEntry
from dealer_assist.storage.profiles import (
    UnknownName,
    config_folder,
    find,
    load_procedure,
    load_profile,
    names,
    read_toml,
)
from dealer_assist.storage.tables import load_table


def test_everything_that_is_shipped_loads() -> None:
    assert names("rules") == ("casino-stud-da", "cyber-stud-nb", "four-seat-fi", "live-studio-da")
    for name in names("procedures"):
        assert load_procedure(name).id == name
    for name in names("tables"):
        assert load_table(name).setup.chips
    for name in names("rules"):
        assert load_table("demo", name).setup.profile.id == name


def test_a_table_under_another_sheet_plays_that_sheets_currency_and_jackpot() -> None:
    casino = load_table("demo", "casino-stud-da").setup
    assert (casino.currency, casino.seed) == ("DKK", None)
    cyber = load_table("demo", "cyber-stud-nb").setup
    assert (cyber.currency, cyber.bet_entry) == ("USD", BetEntry.amounts)


@pytest.fixture
def fifth(tmp_path: Path) -> Path:
    """A copied sheet under another name."""
    text = (config_folder() / "rules" / "four-seat-fi.toml").read_text("utf-8")
    target = tmp_path / "house.toml"
    target.write_text(
        text.replace('id = "four-seat-fi"', 'id = "house"').replace('flush = "6:1"', 'flush = "8:1"'), "utf-8"
    )
    return target


def test_a_fifth_sheet_is_played_from_its_path(fifth: Path) -> None:
    profile = load_profile(str(fifth))
    assert (profile.id, str(profile.raise_paytable.flush)) == ("house", "8:1")
    assert load_profile(str(fifth), "literal").reading == "literal"


def test_a_mistake_is_told_with_the_file_and_the_path_in_it(fifth: Path) -> None:
    fifth.write_text(fifth.read_text("utf-8").replace('flush = "8:1"', 'flush = "8;1"'), "utf-8")
    with pytest.raises(BadSetting) as refused:
        load_profile(str(fifth))
    assert str(refused.value) == f'{fifth}: raise_paytable.flush: expected odds like "7:1", found "8;1"'


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"id = ", "expected TOML, found: "),
        (b"id = 'x'\nid = 'y'", "expected TOML, found: "),
        (b"\xff\xfe", "expected TOML, found: "),
        (b"", "id: expected a value, found none"),
    ],
)
def test_a_file_that_is_no_toml_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(BadSetting) as refused:
        load_profile(str(path))
    assert str(refused.value).startswith(f"{path}: {told}")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="expected a readable file, found: Is a directory"):
        read_toml(tmp_path)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("rules", "no-such-sheet"), ("rules", "missing.toml"), ("procedures", "x"), ("tables", "../demo")],
)
def test_a_name_that_is_not_there_is_told_with_what_there_is(kind: str, name: str) -> None:
    with pytest.raises(UnknownName) as unknown:
        find(kind, name)
    known = ", ".join(names(kind))
    assert str(unknown.value) == f'{kind}: expected one of {known} or a path to a TOML file, found "{name}"'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A copied table file."""
    return Path(shutil.copy(config_folder() / "tables" / "demo.toml", tmp_path / "mine.toml"))


def changed(path: Path, old: str, new: str) -> str:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return str(path)


def test_a_table_names_sheets_decks_and_procedures_beside_it(table: Path, fifth: Path) -> None:
    shutil.copy(config_folder() / "decks" / "demo-red.toml", table.parent / "mine-red.toml")
    shutil.copy(config_folder() / "procedures" / "felt.toml", table.parent / "mine-felt.toml")
    changed(table, 'profile = "four-seat-fi"', 'profile = "house.toml"')
    changed(table, 'procedure = "practice"', 'procedure = "mine-felt.toml"')
    plan = load_table(changed(table, '"demo-red"', '"mine-red.toml"'))
    assert (plan.setup.profile.id, plan.setup.procedure.id) == ("house", "felt")
    assert [deck.name for deck in plan.decks] == ["mine-red.toml", "demo-blue.toml"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("seats = 4", "seats = 7", "seats: expected 1 to 4, found 7"),
        ("seats = 4", "seats = 4\ncolour = 'red'", "colour: unknown; is it a typo?"),
        ('"demo-red"', '"no-such-deck"', "decks[0]: decks: expected one of demo-blue, demo-red or a path"),
        (
            'lowest = "5.00"',
            'lowest = "5"',
            'limits[0].lowest: expected an amount with 2 decimals like "123.45", found "5"',
        ),
        ('currency = "EUR"', 'currency = "SEK"', "currency: expected EUR, which the profile fixes, found SEK"),
    ],
)
def test_a_mistake_in_a_table_is_told_with_its_file(table: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(BadSetting) as refused:
        load_table(changed(table, old, new))
    assert str(refused.value).startswith(f"{table}: {told}")


def test_a_sheet_or_procedure_that_a_table_names_and_nobody_knows_is_told(table: Path) -> None:
    with pytest.raises(UnknownName):
        load_table(changed(table, 'profile = "four-seat-fi"', 'profile = "five-seat-fi"'))
