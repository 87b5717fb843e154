"""Events of the table itself: its setup, meter and readers, and the round's beginning."""

from fractions import Fraction

import msgspec

from dealer_assist.game import events as ev
from dealer_assist.game.dealing import dealing_order, hand_positions
from dealer_assist.game.evolve.notices import with_notice
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import NOTHING
from dealer_assist.game.round import COUNT_FIRST, NoticeKind, Phase, Round
from dealer_assist.game.table import PendingHit, Table

replace = msgspec.structs.replace


def opened(table: Table | None, event: ev.TableOpened) -> Table:
    """A round on the table keeps the rules it is played by, also for what is corrected after its close."""
    if table is None:
        return Table(event.setup)
    if table.round is None:
        return replace(table, setup=event.setup)
    return replace(table, coming=event.setup)


def meter_seeded(table: Table, event: ev.MeterSeeded) -> Table:
    meter = table.meter or Meter(NOTHING)
    return replace(table, meter=meter.plus(Fraction(event.seed)))


def reader_lost(table: Table, event: ev.ReaderLost) -> Table:
    table = replace(table, readers={**table.readers, event.reader: event.reason})
    now = table.round
    if now is None or now.phase is not Phase.dealing:
        return table
    noticed = with_notice(now, NoticeKind.reader_lost, event.reader, event.reason)
    return replace(table, round=replace(noticed, unverified=True))


def reader_back(table: Table, event: ev.ReaderBack) -> Table:
    was_lost = table.readers.get(event.reader) is not None
    table = replace(table, readers={**table.readers, event.reader: None})
    now = table.round
    if now is None or now.phase is not Phase.dealing or not was_lost or _must_be_counted(now):
        return table
    return replace(table, round=with_notice(now, NoticeKind.reader_back, event.reader, ""))


def _must_be_counted(now: Round) -> bool:
    return any(notice.kind in COUNT_FIRST for notice in now.open_notices)


def deck_changed(table: Table, event: ev.DeckChanged) -> Table:
    return replace(table, deck=event.deck)


def supervisor_called(table: Table, event: ev.SupervisorCalled) -> Table:
    return replace(table, supervisor_called=True)


def supervisor_came(table: Table, event: ev.SupervisorCame) -> Table:
    return replace(table, supervisor_called=False)


def hit_paid(table: Table, event: ev.HitPaid) -> Table:
    return replace(table, pending_hits=tuple(hit for hit in table.pending_hits if hit.number != event.number))


def history_exported(table: Table, event: ev.HistoryExported) -> Table:
    return table


def round_opened(table: Table, event: ev.RoundOpened) -> Table:
    previous = table.round
    last_bets = previous.bets if previous is not None and previous.bets else table.last_bets
    opened = Round(event.number, event.opened_at)
    return replace(table, setup=table.next_setup, coming=None, round=opened, last_bets=last_bets)


def bets_locked(table: Table, event: ev.BetsLocked) -> Table:
    now = table.round
    assert now is not None
    seats, pattern = now.seats, table.setup.profile.deal.pattern
    locked = replace(
        now,
        phase=Phase.dealing,
        order=dealing_order(seats, pattern),
        positions=hand_positions(seats, pattern),
        meter_at_lock=table.meter.shown if table.meter else None,
        unverified=any(reason is not None for reason in table.readers.values()),
        before=now,
    )
    return replace(table, round=locked)


def jackpot_fed(table: Table, event: ev.JackpotFed) -> Table:
    meter, now = table.meter, table.round
    assert meter is not None
    assert now is not None
    meter = meter.plus(event.increment)
    return replace(table, meter=meter, round=replace(now, meter_at_lock=meter.shown))


def jackpot_feed_reversed(table: Table, event: ev.JackpotFeedReversed) -> Table:
    assert table.meter is not None
    return replace(table, meter=table.meter.plus(-event.increment))


def hit_frozen(table: Table, event: ev.HitFrozen) -> Table:
    now = table.round
    assert table.meter is not None
    assert now is not None
    meter = replace(table.meter, shown=table.meter.shown - event.amount)
    pending = (*table.pending_hits, PendingHit(now.number, event))
    return replace(table, meter=meter, pending_hits=pending, round=replace(now, hit_frozen=True))
