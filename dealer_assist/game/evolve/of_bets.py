"""Events of the bets before the cards."""

import msgspec

from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet, Bets
from dealer_assist.game.dealing import Seat
from dealer_assist.game.money import NOTHING
from dealer_assist.game.round import Round
from dealer_assist.game.table import Table

replace = msgspec.structs.replace


def bets_repeated(table: Table, now: Round, event: ev.BetsRepeated) -> Round:
    return replace(now, bets=event.bets, before=now)


def bet_placed(table: Table, now: Round, event: ev.BetPlaced) -> Round:
    return replace(now, bets={**now.bets, event.seat: event.bets}, before=now)


def bet_removed(table: Table, now: Round, event: ev.BetRemoved) -> Round:
    bets: dict[Seat, Bets] = dict(now.bets)
    match event.bet:
        case Bet.bonus:
            bets[event.seat] = replace(bets[event.seat], bonus=NOTHING)
        case Bet.jackpot:
            bets[event.seat] = replace(bets[event.seat], jackpot=NOTHING)
        case _:
            del bets[event.seat]
    return replace(now, bets=bets, before=now)


def bets_doubled(table: Table, now: Round, event: ev.BetsDoubled) -> Round:
    return replace(now, bets=event.bets, doubled=True, before=now)
