"""Which hand is turned next, how a closed round opens again, and how far undo reaches."""

import msgspec

from dealer_assist.game.dealing import DEALER
from dealer_assist.game.dues import is_settled
from dealer_assist.game.paying import payees_in_paying_order
from dealer_assist.game.round import OVER, Phase, Round
from dealer_assist.game.table import Table

replace = msgspec.structs.replace


def with_next_turned(table: Table, now: Round) -> Round:
    """The round with the next seat in paying order turned: its settlement comes now."""
    for seat in payees_in_paying_order(table.setup, now):
        if seat not in now.settled:
            return replace(now, turned=now.turned | {seat})
    return now


def reopened(table: Table, now: Round) -> Round:
    """A corrected round, with the hand turned that comes next; a closed one whose payments changed is open again."""
    now = replace(now, corrected=True)
    if now.phase is Phase.closed and not is_settled(table, now):
        # Where all had folded the dealer's cards are still down, and the round goes on from the decisions.
        now = replace(now, phase=Phase.settlement if DEALER in now.turned else Phase.decisions)
    return with_next_turned(table, now) if now.phase is Phase.settlement else now


def way_back(now: Round) -> Round | None:
    """What undo goes back to: nothing, once the dealer's cards are open."""
    return None if DEALER in now.turned or now.phase in OVER else now
