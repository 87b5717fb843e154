"""Closed rounds of a table's history as `round/1` records that replay without a difference."""

from collections.abc import Iterable, Iterator

import msgspec

from dealer_assist.application.records import FORMAT, UNREAD, RoundRecord, SeatRecord
from dealer_assist.application.service import Logged
from dealer_assist.game.bets import Bet, Bets, Unit
from dealer_assist.game.dealing import Seat
from dealer_assist.game.events import RoundOpened
from dealer_assist.game.evolve import evolve
from dealer_assist.game.money import Money, format_amount
from dealer_assist.game.paying import house_decides, paid_in_paying_order
from dealer_assist.game.round import OVER, Round
from dealer_assist.game.setup import BetEntry, Cap, MaxPayout, TableSetup
from dealer_assist.game.table import Table


def records(history: Iterable[Logged]) -> Iterator[RoundRecord]:
    """A record of each round that is over, in order; a round corrected after its close comes as corrected."""
    table: Table | None = None
    for logged in history:
        if isinstance(logged.event, RoundOpened) and table is not None and table.round is not None:
            yield record_of(table.setup, table.round)
        table = evolve(table, logged.event)
    if table is not None and table.round is not None and table.round.phase in OVER:
        yield record_of(table.setup, table.round)


def record_of(setup: TableSetup, now: Round) -> RoundRecord:
    """One round that is over, as a record."""
    void = now.void_reason is not None
    profile, digits = setup.profile, setup.minor_digits
    in_antes = setup.bet_entry is BetEntry.seats
    return RoundRecord(
        format=FORMAT,
        id=now.number,
        profile=profile.id,
        cards=tuple(UNREAD if draw.card is None else draw.card.value for draw in now.draws),
        seats={str(seat): _seat(setup, now, seat) for seat in now.seats},
        deal=profile.deal.pattern,
        reading=profile.reading,
        upcard=setup.overrides.upcard,
        side_bets_after_fold=setup.overrides.after_fold,
        unit="ante" if in_antes else None,
        burned=now.burned,
        meter=None if now.meter_at_lock is None else format_amount(now.meter_at_lock, digits),
        max_payout=_max_payout(setup.cap, digits),
        void=now.void_reason,
        recorded=_recorded(setup, now),
        table=setup.table,
        time=now.opened_at,
        house_decides=tuple(map(str, house_decides(setup, now))) if void else None,
        unverified=now.unverified,
    )


def _seat(setup: TableSetup, now: Round, seat: Seat) -> SeatRecord:
    bets, decision = now.bets[seat], now.decisions.get(seat)
    keyed_here = setup.bet_entry is BetEntry.seats and bets.unit is Unit.currency
    return SeatRecord(
        ante=_stake(setup, bets, bets.ante),
        action=decision.action.value if decision else None,
        bonus=_stake(setup, bets, bets.bonus) if bets.bonus else None,
        jackpot=format_amount(bets.jackpot, setup.minor_digits) if bets.jackpot else None,
        unit="currency" if keyed_here else None,
    )


def _stake(setup: TableSetup, bets: Bets, stake: Money) -> str:
    return format_amount(stake, 2 if bets.unit is Unit.ante else setup.minor_digits)


def _max_payout(cap: Cap | None, digits: int) -> MaxPayout | None:
    return None if cap is None else MaxPayout(format_amount(cap.amount, digits), cap.per, cap.bets)


def _recorded(setup: TableSetup, now: Round) -> dict[str, dict[str, str]]:
    """What each bet won or lost, as it was paid: by the lines of the settlement, and of hands taken at the fold."""
    nets = {seat: dict.fromkeys(Bet, Money(0)) for seat in now.seats}
    for line in paid_in_paying_order(setup, now):
        nets[line.seat][line.bet] = line.net
    return {
        str(seat): {bet.value: _net(setup, now, seat, bet, net) for bet, net in by_bet.items()}
        for seat, by_bet in nets.items()
    }


def _net(setup: TableSetup, now: Round, seat: Seat, bet: Bet, net: Money) -> str:
    in_antes = now.bets[seat].unit is Unit.ante and bet is not Bet.jackpot
    return format_amount(net, 2 if in_antes else setup.minor_digits)


def encode(record: RoundRecord) -> bytes:
    """A record as one line of JSON, without the line's end."""
    return msgspec.json.encode(record)
