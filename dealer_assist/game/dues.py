"""What of a round is still to be settled, or was settled otherwise than a correction now asks."""

from dealer_assist.game.bets import Line
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.errors import HandUnknown
from dealer_assist.game.paying import aside_lines, payees_in_paying_order, seat_lines
from dealer_assist.game.round import Round
from dealer_assist.game.table import Table


def unsettled_in_paying_order(table: Table, now: Round) -> tuple[Seat, ...]:
    """The seats still to be settled, or paid otherwise than a correction now asks; in paying order."""
    payees = payees_in_paying_order(table.setup, now)
    if not now.corrected:
        return tuple(seat for seat in payees if seat not in now.settled)
    seats = (seat for seat in reversed(now.seats) if seat in payees or seat in now.settled)
    return tuple(seat for seat in seats if _is_due(table, now, seat))


def _is_due(table: Table, now: Round, seat: Seat) -> bool:
    paid: tuple[Line, ...] | None = now.settled.get(seat)
    try:
        return paid is None or paid != seat_lines(table.setup, now, seat)
    except HandUnknown:
        return True  # a card of it, or of a hand it hangs on, is asked for first


def jackpot_unsettled(table: Table, now: Round) -> bool:
    """Whether jackpot chips wait to be settled, or were settled otherwise than a correction now asks."""
    return (now.aside or ()) != aside_lines(table.setup, now)


def has_unknown_open_card(table: Table, now: Round) -> bool:
    """Whether a card of a turned hand is not known on which a payment hangs: it lies there to be named.

    Only a doubt can leave one so: no hand is confirmed or settled before its cards are known.
    """
    if not now.corrected:
        return False
    hands = now.turned & {DEALER, *payees_in_paying_order(table.setup, now)}
    return any(draw is not None and draw.card is None for holder in hands for draw in now.hand(holder))


def is_settled(table: Table, now: Round) -> bool:
    """Whether nothing is left to name, pay or take."""
    return not (
        has_unknown_open_card(table, now) or unsettled_in_paying_order(table, now) or jackpot_unsettled(table, now)
    )
