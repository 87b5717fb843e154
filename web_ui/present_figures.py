"""The laboratory's figures: of rules as they stand, beside the same rules as edited."""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from dealer_assist.game.hands import Category
from web_ui import laboratory_words as named
from web_ui.format import Json, Purse, number, percent
from web_ui.language import gettext
from web_ui.present_chart import Chart, Slope, chart
from web_ui.present_exposure import exposure
from web_ui.present_strategy import strategy
from web_ui.present_tables import Cell, Row, Table, Told, beside, compared, minor
from web_ui.words import HANDS

Write = Callable[..., str]
"""How a figure is written; `signed` for a difference."""

METER_STEP: Final = 1000
"""For so many units of the currency on the meter a share of it is told."""


class Comparison:
    """Two audits of one profile: as it stands, and as edited. Amounts in the purse's currency."""

    def __init__(self, stated: msgspec.Raw, changed: msgspec.Raw, purse: Purse) -> None:
        self.stated: Told = msgspec.json.decode(stated)
        self.changed: Told = msgspec.json.decode(changed)
        self.purse: Final = purse
        self.is_edited: Final = bytes(stated) != bytes(changed)

    def shown(self, meter: int | None) -> Json:
        """All that the page shows. `meter`: the table's jackpot in minor units, where these rules could play for it."""
        return {
            "warnings": [warning.replace("_", " ") for warning in self.changed["warnings"]],
            "main": [self._figures(), self._policies(), *self._claims()],
            "outcomes": self._outcomes(),
            "side_bets": [*self._bonus(), *self._jackpot()],
            "chart": self._chart(meter),
            "exposure": exposure(self.changed["exposure"], self.stated["exposure"], self.purse),
            "strategy": strategy(self.changed["strategy"], self.stated["strategy"]),
            "money": self._units,
            "percent": percent,
        }

    # --- what every sheet has, before and after side by side ---------------------------------------------------------

    def _figures(self) -> Table:
        names = [name for name in named.FIGURES if self.stated[name] is not None or self.changed[name] is not None]
        return Table(gettext("Figures"), self._columns(gettext("Figure")), tuple(map(self._figure, names)))

    def _columns(self, first: str) -> tuple[str, ...]:
        after = (gettext("Edited"), gettext("Difference")) if self.is_edited else ()
        return first, gettext("The sheet"), *after

    def _figure(self, name: str) -> Row:
        write = self._way_of(name)
        cells = [_cell(audit, name, write) for audit in (self.stated, self.changed)]
        figures = self._pair(cells, self.stated[name], self.changed[name], write)
        return Row(gettext(named.FIGURES[name]), figures, main=name == "house_edge")

    def _pair(self, cells: list[Cell], before: float | None, now: float | None, write: Write) -> tuple[Cell, ...]:
        if not self.is_edited:
            return (cells[0],)
        if before is None or now is None or cells[0] == cells[1]:
            return (*cells, Cell("="))
        return (*cells, Cell(write(now - before, signed=True), verdict="moved"))

    def _way_of(self, name: str) -> Write:
        match name:
            case "variance" | "standard_deviation":
                return number
            case "jackpot_break_even":
                return self._units
            case "jackpot_per_meter_unit":
                return lambda value, signed=False: percent(value * METER_STEP, signed=signed)
            case _:
                return percent

    def _units(self, value: float, *, signed: bool = False) -> str:
        """An amount in units of the currency."""
        text = self.purse.text(round(value * 10**self.purse.digits), whole=True)
        return f"+{text}" if signed and value > 0 else text

    def _policies(self) -> Table:
        rows = []
        for name, now in self.changed["policies"].items():
            before = self.stated["policies"][name]
            figures = self._pair([Cell(percent(before)), Cell(percent(now))], before, now, percent)
            rows.append(Row(gettext(named.POLICIES.get(name, name)), figures))
        return Table(gettext("House edge by way to play"), self._columns(gettext("Way to play")), tuple(rows))

    def _claims(self) -> Iterable[Table]:
        if self.changed["claims"]:
            columns = gettext("What the sheet claims"), gettext("Claim"), gettext("True"), gettext("Verdict")
            yield Table(gettext("Claims"), columns, tuple(map(_claim, self.changed["claims"])))

    # --- tables by outcome and by hand -------------------------------------------------------------------------------

    def _outcomes(self) -> Table:
        stated = {(line["outcome"], line["category"]): line for line in self.stated["outcomes"]}
        apart = {line["outcome"] for line in self.changed["outcomes"] if line["category"]}

        def row(line: Told) -> Row:
            before = stated.get((line["outcome"], line["category"]))
            ways: dict[str, Write] = {"pays": _antes, "frequency": percent, "contribution": _signed}
            return Row(_outcome(line, apart), tuple(beside(line, before, key, way) for key, way in ways.items()))

        columns = gettext("Outcome"), gettext("Ante and raise bring"), gettext("How often"), gettext("Adds, in antes")
        about = gettext("Under optimal play. What all lines add up to is minus the house edge.")
        return Table(gettext("Outcomes"), columns, tuple(map(row, self.changed["outcomes"])), about)

    def _bonus(self) -> Iterable[Table]:
        about = gettext("The best five of the player's cards and the upcard.")
        yield from self._by_hand(gettext("5+1"), "bonus_outcomes", about, _odds, _contribution)

    def _jackpot(self) -> Iterable[Table]:
        about = gettext("A share of the meter adds so much for each 1,000 on it.")
        yield from self._by_hand(gettext("Jackpot"), "jackpot_outcomes", about, self._prize, _worth)

    def _by_hand(
        self, title: str, name: str, about: str, pays: Callable[[Told], str], worth: Callable[[Told], str]
    ) -> Iterable[Table]:
        """A side bet's table: what each hand pays, how often it comes, and what that is worth."""
        if self.changed[name] is None:
            return
        stated = {line["category"]: line for line in self.stated[name]}

        def row(line: Told) -> Row:
            before = stated.get(line["category"])
            paid, adds = (compared(line, before, way) for way in (pays, worth))
            often = beside(line, before, "frequency", percent)
            return Row(_hand(line), (paid, often, Cell(_one_in(line["frequency"])), adds))

        columns = (
            gettext("Hand"),
            gettext("Pays"),
            gettext("How often"),
            gettext("One in"),
            gettext("Adds to the return"),
        )
        yield Table(title, columns, tuple(map(row, self.changed[name])), about)

    def _prize(self, line: Told) -> str:
        prize: str = line["prize"]
        return prize if prize.endswith("%") else self.purse.text(minor(prize), whole=True)

    # --- the jackpot against its meter -------------------------------------------------------------------------------

    def _chart(self, meter: int | None) -> Chart | None:
        slope, stated = _slope(self.changed), _slope(self.stated)
        if slope is None:
            return None
        return chart(
            slope, stated if stated != slope else None, None if meter is None else meter / 10**self.purse.digits
        )


def _slope(audit: Told) -> Slope | None:
    fixed, per_unit = audit["jackpot_fixed_return"], audit["jackpot_per_meter_unit"]
    return None if fixed is None else Slope(fixed, per_unit)


def _cell(audit: Told, name: str, write: Write) -> Cell:
    value = audit[name]
    return Cell("–") if value is None else Cell(write(value), note=audit.get(f"{name}_fraction", ""))


def _claim(claim: Told) -> Row:
    verdict = Cell(gettext("✓ holds"), verdict="holds") if claim["holds"] else Cell(gettext("✗ is off"), verdict="off")
    true = gettext("no such figure") if claim["true"] is None else percent(claim["true"])
    return Row(gettext(named.FIGURES.get(claim["figure"], claim["figure"])), (Cell(claim["says"]), Cell(true), verdict))


def _outcome(line: Told, apart: set[str]) -> str:
    name = gettext(named.OUTCOMES[line["outcome"]])
    if line["category"]:
        return gettext("%(outcome)s: %(hand)s", outcome=name, hand=_hand(line))
    return gettext("%(outcome)s: any other hand", outcome=name) if line["outcome"] in apart else name


def _hand(line: Told) -> str:
    return gettext(HANDS[Category(line["category"])])


def _odds(line: Told) -> str:
    return str(line["odds"])


def _contribution(line: Told) -> str:
    return percent(line["contribution"])


def _worth(line: Told) -> str:
    """Of a fixed prize, or of a share of the meter."""
    if not line["per_meter_unit"]:
        return _contribution(line)
    return gettext("%(share)s per 1,000", share=percent(line["per_meter_unit"] * METER_STEP))


def _antes(value: float) -> str:
    return number(value, 0 if value == int(value) else 2, signed=True)


def _signed(value: float) -> str:
    return number(value, signed=True)


def _one_in(frequency: float) -> str:
    return number(1 / frequency, 1) if frequency else "–"
