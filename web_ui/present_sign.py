"""The jackpot sign's message, and the prize table beside it."""

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import SignView, sign_view
from dealer_assist.game.hands import Category
from dealer_assist.game.profile import Prize
from dealer_assist.game.setup import TableSetup
from web_ui import words
from web_ui.format import Json, Purse
from web_ui.language import gettext


def sign_message(snapshot: Snapshot, epoch: str) -> Json:
    """All that a sign shows of one snapshot."""
    view, setup = sign_view(snapshot), snapshot.table.setup
    purse = Purse(setup.currency, setup.minor_digits)
    return {
        "epoch": epoch,
        "seq": view.version,
        "at": view.at,
        "round": view.number,
        "phase": view.phase.value,
        "meter": None if view.meter is None else purse.money(view.meter),
        "pending": [{"number": hit.number, "amount": purse.money(hit.hit.amount)} for hit in view.pending_hits],
    }


def shown_of(view: SignView) -> tuple[object, object]:
    """What of a view makes a difference to a sign, with the part that must not wait in front."""
    return (view.number, view.phase, view.pending_hits), view.meter


def prize_table(setup: TableSetup) -> list[tuple[str, str]]:
    """The jackpot's prizes, best hand first; empty where the table has no jackpot."""
    table = setup.profile.jackpot_paytable
    if table is None:
        return []
    purse = Purse(setup.currency, setup.minor_digits)
    return [
        (gettext(words.HANDS[category]), _prize(prize, purse))
        for category in reversed(Category)
        if (prize := table.prize(category)) is not None
    ]


def _prize(prize: Prize, purse: Purse) -> str:
    if prize.fixed is not None:
        return purse.text(prize.fixed, whole=True)
    share = prize.share
    assert share is not None
    percent = f"{share.numerator * 100 // share.denominator}%"
    return gettext("%(percent)s of the jackpot", percent=percent)


def raise_table(setup: TableSetup) -> list[tuple[str, str]]:
    """What the raise pays, best hand first."""
    table = setup.profile.raise_paytable
    return [
        (gettext(words.HANDS[category]), str(odds))
        for category in reversed(Category)
        if (odds := table.odds(category)) is not None
    ]
