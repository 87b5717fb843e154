"""Which hand is turned next, and how a closed round opens again."""

import msgspec

from dealer_assist.game.dues import jackpot_unsettled, unsettled_in_paying_order
from dealer_assist.game.paying import payees_in_paying_order
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.table import Table

replace = msgspec.structs.replace


def with_next_turned(table: Table, now: Round) -> Round:
    """The round with the next seat in paying order turned: its settlement comes now."""
    for seat in payees_in_paying_order(table.setup, now):
        if seat not in now.settled:
            return replace(now, turned=now.turned | {seat})
    return now


def reopened(table: Table, now: Round) -> Round:
    """A closed round whose payments a correction changed stands in settlement again."""
    now = replace(now, corrected=True)
    if now.phase is not Phase.closed or (
        not unsettled_in_paying_order(table, now) and not jackpot_unsettled(table, now)
    ):
        return now
    return with_next_turned(table, replace(now, phase=Phase.settlement))
