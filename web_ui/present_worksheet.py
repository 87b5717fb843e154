"""The settlement worksheet as the dealer works it off: each line with its sentence, its amount and its chips."""

from dealer_assist.application.views import Worksheet, WorksheetLine, WorksheetSeat
from dealer_assist.game.bets import Line, Result, Unit
from dealer_assist.game.chips import ChipPayment
from dealer_assist.game.setup import TableSetup
from web_ui import words
from web_ui.format import Json, Purse, antes, odds
from web_ui.language import gettext


def worksheet(sheet: Worksheet, setup: TableSetup, purse: Purse) -> Json:
    """The whole worksheet; `current` is the seat whose turn it is, 0 where the jackpot's is, None where nobody's."""
    current: int | None = next((seat.seat for seat in sheet.seats_in_paying_order if seat.state == "current"), None)
    if current is None and sheet.aside_state == "current":
        current = 0
    return {
        "current": current,
        "seats": {str(seat.seat): _seat(seat, setup, purse) for seat in sheet.seats_in_paying_order},
        "order": [seat.seat for seat in sheet.seats_in_paying_order],
        "aside": [_line(line, setup, purse) for line in sheet.aside],
        "aside_state": sheet.aside_state,
        "aside_total": _pays(sheet.aside, purse),
        "paid_out": purse.money(sheet.paid_out),
    }


def _seat(seat: WorksheetSeat, setup: TableSetup, purse: Purse) -> Json:
    return {
        "state": seat.state,
        "lines": [_line(line, setup, purse) for line in seat.lines],
        "total": _pays(seat.lines, purse),
    }


def _pays(lines: tuple[WorksheetLine, ...], purse: Purse) -> Json | None:
    """What is handed out in all; None where nothing is, or amounts are not keyed."""
    paid = [shown.line for shown in lines if shown.line.result is Result.pay]
    if not paid or any(line.unit is not Unit.currency for line in paid):
        return None
    return purse.money(sum(line.amount for line in paid))


def _line(shown: WorksheetLine, setup: TableSetup, purse: Purse) -> Json:
    line = shown.line
    return {
        "seat": line.seat,
        "bet": line.bet.value,
        "label": words.bet_name(line.bet, setup.profile.labels),
        "result": line.result.value,
        "word": gettext(words.RESULTS[line.result]),
        "amount": None if line.result is Result.push else purse.of(line.amount, line.unit),
        "pays": gettext("pays %(odds)s", odds=odds(line.odds)) if line.odds and line.result is Result.pay else "",
        "why": _why(line),
        "capped": _capped(line, purse),
        "chips": _chips(shown.chips, purse),
        "short": _short(shown.chips, purse),
        "due": _due(shown, purse),
    }


def _why(line: Line) -> str:
    return gettext(words.WHY[line.why])


def _capped(line: Line, purse: Purse) -> str:
    if line.uncapped is None:
        return ""
    full = purse.text(line.uncapped) if line.unit is Unit.currency else antes(line.uncapped)
    return gettext("Maximum payout applied: without it %(amount)s", amount=full)


def _chips(payment: ChipPayment | None, purse: Purse) -> list[Json]:
    if payment is None:
        return []
    return [{"value": purse.chip(chip.value), "minor": str(chip.value), "count": chip.count} for chip in payment.chips]


def _short(payment: ChipPayment | None, purse: Purse) -> str:
    """What the table's chips can't make."""
    if payment is None or not payment.short:
        return ""
    return gettext("No chips for %(amount)s", amount=purse.text(payment.short))


def _due(shown: WorksheetLine, purse: Purse) -> str:
    """What a correction leaves to hand out or take back."""
    if shown.due is None or not shown.due:
        return ""
    in_money = shown.line.unit is Unit.currency
    amount = purse.text(abs(shown.due)) if in_money else antes(shown.due)
    if shown.due > 0:
        return gettext("Paid before: hand out %(amount)s more", amount=amount)
    return gettext("Paid before: take back %(amount)s", amount=amount)
