"""A rule sheet is a file: what it must hold, and that whatever does not fit is refused by its path."""

import copy
from typing import Any, Final

import pytest

from dealer_assist.game.errors import BadSetting, UnknownReading
from dealer_assist.game.hands import Category
from dealer_assist.game.money import Odds
from dealer_assist.game.profile import profile_from
from dealer_assist.storage.profiles import config_folder, load_profile, names, read_toml

SHIPPED: Final = ("casino-stud-da", "cyber-stud-nb", "four-seat-fi", "live-studio-da")


def raw(profile: str) -> dict[str, Any]:
    return copy.deepcopy(read_toml(config_folder() / "rules" / f"{profile}.toml"))


def with_value(profile: str, path: str, value: object) -> dict[str, Any]:
    """A shipped profile with one value set; `...` takes it away."""
    whole = table = raw(profile)
    *folders, last = path.split("/")
    for name in folders:
        table = table.setdefault(name, {})
    if value is ...:
        del table[last]
    else:
        table[last] = value
    return whole


def refusal(profile: str, path: str, value: object, reading: str | None = None) -> str:
    with pytest.raises(BadSetting) as refused:
        profile_from(with_value(profile, path, value), reading)
    return str(refused.value)


def test_the_four_sheets_and_each_of_their_readings_load() -> None:
    assert names("rules") == SHIPPED
    readings = {name: tuple(load_profile(name).readings) for name in SHIPPED}
    assert readings == {
        "casino-stud-da": (),
        "cyber-stud-nb": ("ante-pushes", "win-ante-returned"),
        "four-seat-fi": ("literal", "first-column-only", "pari-as-one-pair"),
        "live-studio-da": ("fold-loses-all",),
    }
    for name, known in readings.items():
        for reading in known:
            assert load_profile(name, reading).reading == reading


def test_a_fifth_sheet_is_a_copied_file_with_other_values() -> None:
    fifth = raw("four-seat-fi")
    fifth |= {"id": "house-rules", "currency": "SEK", "title": "House rules"}
    fifth["raise_paytable"]["flush"] = "13:2"
    fifth["bonus"], fifth["bonus_paytable"] = {"after_fold": "lost"}, {"royal_flush": "500:1"}
    fifth["sources"] |= {"bonus": "house rules 7", "bonus_paytable": "house rules 7"}
    profile = profile_from(fifth)
    assert profile.id == "house-rules"
    assert profile.raise_paytable.odds(Category.flush) == Odds(13, 2)
    assert profile.bonus_paytable is not None
    assert profile.bonus_paytable.odds(Category.straight_flush) is None


# Path | value set there | what the refusal says. The profile is sheet D's.
REFUSED: Final = """
raise_paytable/flush        | 7;1        | raise_paytable.flush: expected odds like "7:1", found "7;1"
raise_paytable/flush        | 7          | raise_paytable.flush: expected odds like "7:1", found "7"
raise_paytable/pair         | 3:1        | raise_paytable.two_pair: expected at least 3:1, which a lesser hand pays, found 2:1
raise_paytable/flsh         | 7:1        | raise_paytable.flsh: unknown; is it a typo?
not_qualified_paytable/quads | 2:1 | not_qualified_paytable.quads: expected at least 3:1, which a lesser hand pays, found 2:1
not_qualified/rise          | push       | not_qualified.rise: unknown; is it a typo?
not_qualified/ante          | one to one | not_qualified.ante: expected odds like "7:1", found "one to one"
tilte                       | Stud       | tilte: unknown; is it a typo?
deal/pattern                | singel     | deal.pattern: expected "single", "packet", found "singel"
deal/players                | sideways   | deal.players: expected "up", "down", found "sideways"
deal/upcard                 | fifth      | deal.upcard: expected "first", "last", found "fifth"
decision/timeout            | raise      | decision.timeout: expected "fold", "pair-or-better-raises", found "raise"
dealer_qualifies/lowest     | As Kd      | dealer_qualifies.lowest: expected five cards, found 2
dealer_qualifies/lowest     | As Kd 4c 3h 2x | dealer_qualifies.lowest: expected a card code like "As" or "Td", found "2x"
dealer_qualifies/lowest     | As As 4c 3h 2s | dealer_qualifies.lowest: the card As occurs twice
dealer_qualifies/lowest | As Ks Qs Js Ts | dealer_qualifies.lowest: expected a hand below the royal flush, found As Ks Qs Js Ts
jackpot/stake               | 0.5        | jackpot.stake: expected an amount with 2 decimals like "123.45", found "0.5"
jackpot/stake               | 0.00       | jackpot.stake: expected more than nothing, found 0
jackpot/contribution        | 3/2        | jackpot.contribution: expected a share of at most one, found "3/2"
jackpot/contribution        | half       | jackpot.contribution: expected a share like "1/2" or "10%", found "half"
jackpot/royal_share         | everybody  | jackpot.royal_share: expected "winner", "round-bettors", found "everybody"
jackpot/after_fold          | maybe      | jackpot.after_fold: expected "stand", "lost", found "maybe"
jackpot_paytable/quads      | 250        | jackpot_paytable.quads: expected a prize like "100%" or "2500.00", found "250"
jackpot_paytable/royal_flush| 120%       | jackpot_paytable.royal_flush: expected a share of at most one, found "120%"
"""


@pytest.mark.parametrize("row", [row for row in REFUSED.strip().splitlines() if row.split("|")[2].strip()])
def test_a_value_that_does_not_fit_is_refused_by_its_path(row: str) -> None:
    path, value, finding = (cell.strip() for cell in row.split("|"))
    if path.startswith("hand_names"):
        assert refusal("four-seat-fi", path, value).startswith("hand_names")
    else:
        assert refusal("four-seat-fi", path, value) == finding


@pytest.mark.parametrize(
    ("path", "value", "finding"),
    [
        ("seats", 5, "seats: expected 1 to 4, found 5"),
        ("seats", 0, "seats: expected 1 to 4, found 0"),
        ("seats", "4", "seats: expected `int`, got `str`"),
        ("seats", 2.5, "seats: expected `int`, got `float`"),
        ("seats", True, "seats: expected `int`, got `bool`"),
        ("minor_digits", 4, "minor_digits: expected 0 to 3, found 4"),
        ("decision/raise_multiple", 0, "decision.raise_multiple: expected a whole number of antes, found 0"),
        ("currency_fixed", "yes", "currency_fixed: expected `bool`, got `str`"),
        ("raise_paytable/flush", 7, 'raise_paytable.flush: expected odds like "7:1", found 7'),
        ("raise_paytable/flush", 7.5, 'raise_paytable.flush: expected odds like "7:1", found 7.5'),
        ("jackpot/stake", 0.5, "jackpot.stake: expected `str`, got `float`"),
        ("raise_paytable/flush", ..., "raise_paytable.flush: expected odds, found none"),
        ("dealer_qualifies", ..., "dealer_qualifies: expected a value, found none"),
        ("deal/upcard", ..., "deal.upcard: expected a value, found none"),
        ("id", ..., "id: expected a value, found none"),
        ("jackpot", ..., "jackpot_paytable: expected [jackpot] and [jackpot_paytable] together, found one of the two"),
        (
            "jackpot_paytable",
            ...,
            "jackpot_paytable: expected [jackpot] and [jackpot_paytable] together, found one of the two",
        ),
        ("sources/tie", ..., "sources.tie.ante: expected the clause this value comes from, found none"),
        ("sources/jackpot.stake", ..., "sources.jackpot.stake: expected the clause this value comes from, found none"),
        ("sources/limits", ..., "sources.limits: expected the clause this value comes from, found none"),
    ],
    ids=str,
)
def test_a_value_of_another_kind_or_a_missing_one_is_refused_by_its_path(
    path: str, value: object, finding: str
) -> None:
    assert refusal("four-seat-fi", path, value) == finding


@pytest.mark.parametrize(
    ("name", "value", "finding"),
    [
        ("bounds", "raise", "limits[0].bounds: expected ante, bonus or total, found raise"),
        ("lowest", "5", 'limits[0].lowest: expected an amount with 2 decimals like "123.45", found "5"'),
        ("highest", "5,00", 'limits[0].highest: expected an amount with 2 decimals like "123.45", found "5,00"'),
        ("highest", "0.10", "limits[0].highest: expected at least the lowest, 0.50, found 0.10"),
        ("lowest", "-1.00", "limits[0].highest: expected at least the lowest, -1.00, found 10.00"),
    ],
)
def test_a_limit_that_cannot_be_met_is_refused_by_its_path(name: str, value: str, finding: str) -> None:
    changed = raw("four-seat-fi")
    changed["limits"][0][name] = value
    with pytest.raises(BadSetting) as refused:
        profile_from(changed)
    assert str(refused.value) == finding


def test_a_new_value_without_a_clause_is_refused() -> None:
    assert refusal("cyber-stud-nb", "not_qualified_paytable/quads", "5:1") == (
        "sources.not_qualified_paytable.quads: expected the clause this value comes from, found none"
    )


def test_an_unknown_reading_is_told_with_the_known_ones() -> None:
    with pytest.raises(UnknownReading, match='expected a reading of ante-pushes, win-ante-returned, found "literal"'):
        load_profile("cyber-stud-nb", "literal")
    with pytest.raises(UnknownReading, match=r'expected a reading of \(none\), found "literal"'):
        load_profile("casino-stud-da", "literal")


def test_a_typo_in_what_a_reading_sets_is_refused_when_it_is_read() -> None:
    finding = refusal("four-seat-fi", "readings/literal/set", {"not_qualified": {"rise": "1:1"}}, "literal")
    assert finding == "not_qualified.rise: unknown; is it a typo?"


def test_a_typo_in_what_a_reading_leaves_out_is_refused_when_it_is_read() -> None:
    finding = refusal(
        "four-seat-fi", "readings/first-column-only/unset", ["not_qualifed_paytable"], "first-column-only"
    )
    assert "not_qualifed_paytable" in finding


def test_the_dealer_qualifies_with_a_hand_of_five_cards_not_six() -> None:
    assert refusal("four-seat-fi", "dealer_qualifies/lowest", "As Kd 4c 3h 2s 2d").startswith("dealer_qualifies.lowest")


def test_readings_change_only_what_they_name() -> None:
    plain, literal = load_profile("four-seat-fi"), load_profile("four-seat-fi", "literal")
    assert literal.not_qualified.raise_bet == Odds(1)
    assert literal.not_qualified.ante == plain.not_qualified.ante
    assert literal.raise_paytable == plain.raise_paytable
    assert literal.not_qualified_paytable == plain.not_qualified_paytable
    first = load_profile("four-seat-fi", "first-column-only")
    assert first.not_qualified_paytable.odds(Category.royal_flush) is None


@pytest.mark.parametrize("name", SHIPPED)
def test_every_value_of_a_shipped_sheet_carries_its_clause(name: str) -> None:
    profile = load_profile(name)
    assert all(clause.strip() for clause in profile.sources.values())
    assert profile.hand_names.keys() == set(Category)
