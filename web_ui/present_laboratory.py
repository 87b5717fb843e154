"""The laboratory's editor: the values of a rule sheet that can be changed, as lines of fields."""

from dataclasses import dataclass

from dealer_assist.game.bets import Bet
from dealer_assist.game.document import PAYMENTS, document, editable, value_at
from dealer_assist.game.hands import BEST_FIRST
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.settings import Raw
from web_ui import laboratory_words as named
from web_ui.language import gettext
from web_ui.words import HANDS, N_, bet_name

COLUMNS = {
    "raise_paytable": N_("Raise"),
    "not_qualified_paytable": N_("Dealer not qualified"),
    "bonus_paytable": N_("5+1"),
    "jackpot_paytable": N_("Jackpot"),
}
OUTCOMES = {"win": "win", "not_qualified": "dealer_not_qualified", "tie": "push"}
"""The outcomes with payments of their own, by the profile's name and the game's."""


@dataclass(frozen=True)
class Field:
    """One value: its path in the sheet, its name for a person, and what the sheet says; empty where it says nothing."""

    path: str
    name: str
    value: str


@dataclass(frozen=True)
class Line:
    """A line of fields under the columns' names; None where a column has nothing to change."""

    name: str
    fields: tuple[Field | None, ...]


@dataclass(frozen=True)
class Block:
    """Lines that share their columns."""

    corner: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Editor:
    """All that can be changed. `note`: what the reading means, empty where the sheet itself is shown."""

    blocks: tuple[Block, ...]
    lowest_qualifying: str
    note: str


def editor(rules: RuleProfile) -> Editor:
    """The fields of these rules."""
    raw, raise_name = document(rules), bet_name(Bet.raise_bet, rules.labels)
    reading = rules.readings.get(rules.reading or "")
    return Editor(
        (_hands(rules, raw, raise_name), _outcomes(raw, raise_name)),
        rules.dealer_qualifies.lowest,
        reading.note if reading else "",
    )


def _hands(rules: RuleProfile, raw: Raw, raise_name: str) -> Block:
    names = {table: gettext(name) for table, name in COLUMNS.items()} | {"raise_paytable": raise_name}
    names = {table: name for table, name in names.items() if f"{table}.flush" in editable(rules)}

    def line(hand: str, category: str) -> Line:
        fields = (_field(raw, f"{table}.{category}", f"{column}, {hand}") for table, column in names.items())
        return Line(hand, tuple(fields))

    return Block(gettext("Hand"), tuple(names.values()), tuple(line(gettext(HANDS[each]), each) for each in BEST_FIRST))


def _outcomes(raw: Raw, raise_name: str) -> Block:
    columns = {"ante": gettext("Ante"), "raise": raise_name}

    def field(outcome: str, bet: str) -> Field | None:
        path = f"{outcome}.{bet}"
        return (
            _field(raw, path, f"{gettext(named.OUTCOMES[OUTCOMES[outcome]])}, {columns[bet]}")
            if path in PAYMENTS
            else None
        )

    lines = (
        Line(gettext(named.OUTCOMES[name]), tuple(field(outcome, bet) for bet in columns))
        for outcome, name in OUTCOMES.items()
    )
    return Block(gettext("Outcome"), tuple(columns.values()), tuple(lines))


def _field(raw: Raw, path: str, name: str) -> Field:
    return Field(path, name, value_at(raw, path))
