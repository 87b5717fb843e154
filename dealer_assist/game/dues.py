"""What of a round is still to be settled, or was settled otherwise than a correction now asks."""

from dealer_assist.game.bets import Line
from dealer_assist.game.dealing import Seat
from dealer_assist.game.paying import aside_lines, payees_in_paying_order, seat_lines
from dealer_assist.game.round import Round
from dealer_assist.game.table import Table


def unsettled_in_paying_order(table: Table, now: Round) -> tuple[Seat, ...]:
    """The seats still to be settled, or paid otherwise than a correction now asks; in paying order."""
    seats = payees_in_paying_order(table.setup, now)
    if not now.corrected:
        return tuple(seat for seat in seats if seat not in now.settled)
    return tuple(seat for seat in seats if now.settled.get(seat) != _lines_due(table, now, seat))


def _lines_due(table: Table, now: Round, seat: Seat) -> tuple[Line, ...]:
    return seat_lines(table.setup, now, seat) if seat in now.settled else ()


def jackpot_unsettled(table: Table, now: Round) -> bool:
    """Whether jackpot chips wait to be settled, or were settled otherwise than a correction now asks."""
    return (now.aside or ()) != aside_lines(table.setup, now)
