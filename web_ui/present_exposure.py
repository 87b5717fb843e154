"""The most that one round may cost the house, with the table's maximum payout and without, and the cards that do it."""

from collections.abc import Callable
from dataclasses import dataclass

from dealer_assist.game.bets import Unit
from web_ui import laboratory_words as named
from web_ui.format import Purse
from web_ui.language import gettext
from web_ui.present_tables import Row, Table, Told, beside, minor

BETS = ("ante", "raise", "bonus", "jackpot", "total")


@dataclass(frozen=True)
class Exposure:
    """What the page shows of it. `deals`: by the columns' names, the cards by seat and the dealer's."""

    table: Table
    limits: str
    cap: str
    deals: tuple[tuple[str, Told], ...]


def exposure(now: Told, before: Told, purse: Purse) -> Exposure:
    """An audit's exposure beside the one before."""
    unit, rounds = Unit(now["limits"]["unit"]), _rounds(now)
    pairs = [(figures, was) for (_, figures), (_, was) in zip(rounds, _rounds(before), strict=True)]

    def amount(text: str) -> str:
        return str(purse.of(minor(text), unit, whole=True)["text"])

    rows = (
        Row(
            gettext(named.BETS[bet]), tuple(beside(figures, was, bet, amount) for figures, was in pairs), bet == "total"
        )
        for bet in BETS
        if now["table"][bet] is not None
    )
    columns = (gettext("Paid on"), *(name for name, _ in rounds))
    limits = ((bet, now["limits"].get(bet)) for bet in BETS)
    return Exposure(
        table=Table(gettext("The most that one round may cost the house"), columns, tuple(rows)),
        limits=", ".join(f"{gettext(named.BETS[bet])} {amount(most)}" for bet, most in limits if most is not None),
        cap=_cap(now["with_max_payout"], amount),
        deals=tuple((name, figures["deal"]) for name, figures in rounds),
    )


def _rounds(told: Told) -> list[tuple[str, Told]]:
    one, all_seats = gettext("One hand"), gettext("All %(count)s seats", count=told["limits"]["seats"])
    plain = [(one, told["per_hand"]), (all_seats, told["table"])]
    capped = told["with_max_payout"]
    if capped is None:
        return plain
    cut = gettext("with maximum payout")
    return [
        plain[0],
        (f"{one}, {cut}", capped["per_hand"]),
        plain[1],
        (f"{all_seats}, {cut}", capped["table"]),
    ]


def _cap(capped: Told | None, amount: Callable[[str], str]) -> str:
    if capped is None:
        return gettext("This table has no maximum payout.")
    return gettext(
        "Its maximum payout is %(amount)s for %(scope)s, on: %(bets)s.",
        amount=amount(capped["amount"]),
        scope=gettext(named.SCOPES[capped["per"]]),
        bets=", ".join(gettext(named.BETS[bet]) for bet in capped["bets"]),
    )
