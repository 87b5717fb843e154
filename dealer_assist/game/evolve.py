"""`evolve(table, event)` → the table after it. No rule is checked here: what happened, happened.

One function an event, found by the event's type.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

import msgspec

from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet, Bets, Decision, Line
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Place, Seat, dealing_order, hand_positions
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import NOTHING
from dealer_assist.game.paying import aside_lines, payees_in_paying_order, seat_lines
from dealer_assist.game.round import COUNT_FIRST, REMARKS, Draw, Notice, NoticeKind, Phase, Round, Source
from dealer_assist.game.table import PendingHit, Table

replace = msgspec.structs.replace

_NO_HANDS: Final[dict[Seat, tuple[Card, ...]]] = {}


def evolve(table: Table | None, event: ev.Event) -> Table:
    """The table after an event; the first event of a log opens it."""
    if type(event) is ev.TableOpened:
        return _opened(table, event)
    if table is None:
        raise AssertionError("a log begins with the table's opening")
    step = _ROUND_STEPS.get(type(event))
    if step is not None:
        now = table.round
        assert now is not None
        return replace(table, round=step(table, now, event))
    return _TABLE_STEPS[type(event)](table, event)


def fold(events: "list[ev.Event]", table: Table | None = None) -> Table | None:
    """The table after many events."""
    for event in events:
        table = evolve(table, event)
    return table


# --- the table -----------------------------------------------------------------------------------------------------


def _opened(table: Table | None, event: ev.TableOpened) -> Table:
    return Table(event.setup) if table is None else replace(table, setup=event.setup)


def _meter_seeded(table: Table, event: ev.MeterSeeded) -> Table:
    meter = table.meter or Meter(NOTHING)
    return replace(table, meter=meter.plus(Fraction(event.seed)))


def _reader_lost(table: Table, event: ev.ReaderLost) -> Table:
    table = replace(table, readers={**table.readers, event.reader: event.reason})
    now = table.round
    if now is None or now.phase is not Phase.dealing:
        return table
    noticed = _with_notice(now, NoticeKind.reader_lost, event.reader, event.reason)
    return replace(table, round=replace(noticed, unverified=True))


def _reader_back(table: Table, event: ev.ReaderBack) -> Table:
    was_lost = table.readers.get(event.reader) is not None
    table = replace(table, readers={**table.readers, event.reader: None})
    now = table.round
    if now is None or now.phase is not Phase.dealing or not was_lost or _must_be_counted(now):
        return table
    return replace(table, round=_with_notice(now, NoticeKind.reader_back, event.reader, ""))


def _must_be_counted(now: Round) -> bool:
    return any(notice.kind in COUNT_FIRST for notice in now.open_notices)


def _supervisor_called(table: Table, event: ev.SupervisorCalled) -> Table:
    return replace(table, supervisor_called=True)


def _supervisor_came(table: Table, event: ev.SupervisorCame) -> Table:
    return replace(table, supervisor_called=False)


def _hit_paid(table: Table, event: ev.HitPaid) -> Table:
    return replace(table, pending_hits=tuple(hit for hit in table.pending_hits if hit.number != event.number))


def _history_exported(table: Table, event: ev.HistoryExported) -> Table:
    return table


def _round_opened(table: Table, event: ev.RoundOpened) -> Table:
    previous = table.round
    last_bets = previous.bets if previous is not None and previous.bets else table.last_bets
    return replace(table, round=Round(event.number, event.opened_at), last_bets=last_bets)


def _bets_locked(table: Table, event: ev.BetsLocked) -> Table:
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


def _jackpot_fed(table: Table, event: ev.JackpotFed) -> Table:
    meter, now = table.meter, table.round
    assert meter is not None
    assert now is not None
    meter = meter.plus(event.increment)
    return replace(table, meter=meter, round=replace(now, meter_at_lock=meter.shown))


def _jackpot_feed_reversed(table: Table, event: ev.JackpotFeedReversed) -> Table:
    assert table.meter is not None
    return replace(table, meter=table.meter.plus(-event.increment))


def _hit_frozen(table: Table, event: ev.HitFrozen) -> Table:
    now = table.round
    assert table.meter is not None
    assert now is not None
    meter = replace(table.meter, shown=table.meter.shown - event.amount)
    pending = (*table.pending_hits, PendingHit(now.number, event))
    return replace(table, meter=meter, pending_hits=pending, round=replace(now, hit_frozen=True))


# --- bets ----------------------------------------------------------------------------------------------------------


def _bets_repeated(table: Table, now: Round, event: ev.BetsRepeated) -> Round:
    return replace(now, bets=event.bets, before=now)


def _bet_placed(table: Table, now: Round, event: ev.BetPlaced) -> Round:
    return replace(now, bets={**now.bets, event.seat: event.bets}, before=now)


def _bet_removed(table: Table, now: Round, event: ev.BetRemoved) -> Round:
    bets: dict[Seat, Bets] = dict(now.bets)
    match event.bet:
        case Bet.bonus:
            bets[event.seat] = replace(bets[event.seat], bonus=NOTHING)
        case Bet.jackpot:
            bets[event.seat] = replace(bets[event.seat], jackpot=NOTHING)
        case _:
            del bets[event.seat]
    return replace(now, bets=bets, before=now)


def _bets_doubled(table: Table, now: Round, event: ev.BetsDoubled) -> Round:
    return replace(now, bets=event.bets, doubled=True, before=now)


# --- cards ---------------------------------------------------------------------------------------------------------


def _card_drawn(table: Table, now: Round, event: ev.CardDrawn) -> Round:
    return _with_draws(now, (*now.draws, event.draw))


def _card_burned(table: Table, now: Round, event: ev.CardBurned) -> Round:
    return replace(now, draws=(*now.draws, event.draw), burned=(*now.burned, len(now.draws)), before=now)


def _with_draws(now: Round, draws: tuple[Draw, ...]) -> Round:
    if len(draws) - len(now.burned) < len(now.order):
        return replace(now, draws=draws, hands=_NO_HANDS, phase=Phase.dealing, before=now)
    dealt = replace(now, draws=draws, phase=Phase.decisions, before=now)
    return replace(dealt, hands=_known_hands(dealt))


def _known_hands(now: Round) -> dict[Seat, tuple[Card, ...]]:
    placed = now.placed
    hands = {holder: tuple(placed[at].card for at in positions) for holder, positions in now.positions.items()}
    return {holder: hand for holder, hand in hands.items() if None not in hand}  # type: ignore[misc]


def _card_entered(table: Table, now: Round, event: ev.CardEntered) -> Round:
    return replace(
        _with_face(now, event.place, Draw(event.card, Source.hand)), before=now if DEALER not in now.turned else None
    )


def _card_corrected(table: Table, now: Round, event: ev.CardCorrected) -> Round:
    corrected = _with_face(now, event.place, Draw(event.card, Source.hand))
    return _reopened(table, replace(corrected, before=now if DEALER not in now.turned else None))


def _place_doubted(table: Table, now: Round, event: ev.PlaceDoubted) -> Round:
    return _with_face(now, event.place, Draw(None, Source.unread))


def _with_face(now: Round, place: Place, draw: Draw) -> Round:
    index = now.index_of(place)
    assert index is not None
    at = now.draw_index(index)
    faced = replace(now, draws=(*now.draws[:at], draw, *now.draws[at + 1 :]))
    return faced if faced.next_place is not None else replace(faced, hands=_known_hands(faced))


def _card_inserted(table: Table, now: Round, event: ev.CardInserted) -> Round:
    return _with_unread(now, event.at)


def _with_unread(now: Round, at: int) -> Round:
    draws = (*now.draws[:at], Draw(None, Source.unread), *now.draws[at:])
    shifted = _with_draws(replace(now, burned=tuple(b + (b >= at) for b in now.burned)), draws)
    return replace(shifted, before=now)


def _card_taken_out(table: Table, now: Round, event: ev.CardTakenOut) -> Round:
    draws = (*now.draws[: event.at], *now.draws[event.at + 1 :])
    return replace(_with_draws(replace(now, burned=tuple(b - (b > event.at) for b in now.burned)), draws), before=now)


def _seen_out_of_turn(table: Table, now: Round, event: ev.CardSeenOutOfTurn) -> Round:
    seen = now.seen_out_of_turn | {event.tag or event.card.value}
    return replace(_with_notice(now, NoticeKind.out_of_turn, event.reader, ""), seen_out_of_turn=seen)


def _seen_elsewhere(table: Table, now: Round, event: ev.CardSeenElsewhere) -> Round:
    noticed = _with_notice(now, NoticeKind.wrong_place, event.reader, str(event.seat))
    return replace(noticed, misplaced={**now.misplaced, noticed.notices[-1].id: event.draw})


def _notice_raised(table: Table, now: Round, event: ev.NoticeRaised) -> Round:
    return _with_notice(now, event.kind, event.reader, event.detail)


def _with_notice(now: Round, kind: NoticeKind, reader: str, detail: str) -> Round:
    notice = Notice(len(now.notices) + 1, kind, reader, len(now.draws), detail, is_open=kind not in REMARKS)
    return replace(now, notices=(*now.notices, notice))


def _notice_settled(table: Table, now: Round, event: ev.NoticeSettled) -> Round:
    notices = tuple(replace(n, is_open=False) if n.id == event.id else n for n in now.notices)
    misplaced = {notice: draw for notice, draw in now.misplaced.items() if notice != event.id}
    looked = replace(now, notices=notices, misplaced=misplaced)
    return replace(looked if event.card_at is None else _with_unread(looked, event.card_at), before=now)


def _count_confirmed(table: Table, now: Round, event: ev.CountConfirmed) -> Round:
    unread = (Draw(None, Source.unread),) * (event.drawn - len(now.draws))
    notices = tuple(replace(n, is_open=n.is_open and n.kind not in COUNT_FIRST) for n in now.notices)
    confirmed = _with_draws(now, (*now.draws, *unread)) if unread else now
    return replace(confirmed, notices=notices, before=now)


# --- decisions and reveal ------------------------------------------------------------------------------------------


def _seat_decided(table: Table, now: Round, event: ev.SeatDecided) -> Round:
    return replace(now, decisions={**now.decisions, event.seat: event.decision}, before=now)


def _hole_cards_turned(table: Table, now: Round, event: ev.HoleCardsTurned) -> Round:
    return replace(now, phase=Phase.reveal, turned=now.turned | {DEALER}, before=None)


def _dealer_hand_confirmed(table: Table, now: Round, event: ev.DealerHandConfirmed) -> Round:
    return _with_next_turned(table, replace(now, phase=Phase.settlement, before=None))


# --- settlement ----------------------------------------------------------------------------------------------------


def _amounts_stated(table: Table, now: Round, event: ev.AmountsStated) -> Round:
    return replace(now, bets={**now.bets, event.seat: event.bets})


def _seat_settled(table: Table, now: Round, event: ev.SeatSettled) -> Round:
    return _with_next_turned(table, replace(now, settled={**now.settled, event.seat: event.lines}))


def _with_next_turned(table: Table, now: Round) -> Round:
    """The round with the next seat in paying order turned: its settlement comes now."""
    for seat in payees_in_paying_order(table.setup, now):
        if seat not in now.settled:
            return replace(now, turned=now.turned | {seat})
    return now


def _jackpot_settled(table: Table, now: Round, event: ev.JackpotSettled) -> Round:
    return replace(now, aside=event.lines)


def _round_closed(table: Table, now: Round, event: ev.RoundClosed) -> Round:
    return replace(now, phase=Phase.closed, before=None)


def _round_voided(table: Table, now: Round, event: ev.RoundVoided) -> Round:
    return replace(now, phase=Phase.void, void_reason=event.reason, before=None)


# --- undo and corrections ------------------------------------------------------------------------------------------


def _step_undone(table: Table, now: Round, event: ev.StepUndone) -> Round:
    """The round before the step; what the readers reported since stays."""
    before = now.before
    assert before is not None
    notices = before.notices + now.notices[len(before.notices) :]
    return replace(
        before,
        notices=notices,
        misplaced={**before.misplaced, **now.misplaced},
        seen_out_of_turn=now.seen_out_of_turn,
        unverified=_still_unverified(before, now),
    )


def _still_unverified(before: Round, now: Round) -> bool:
    """A reader lost while dealing leaves its mark; undoing the lock takes it away, for no card was dealt."""
    return before.unverified or (now.unverified and before.phase is not Phase.bets_open)


def _bet_corrected(table: Table, now: Round, event: ev.BetCorrected) -> Round:
    """A signed correction is no step: undo does not reach behind it."""
    return _reopened(table, replace(now, bets={**now.bets, event.seat: event.bets}, before=None))


def _decision_corrected(table: Table, now: Round, event: ev.DecisionCorrected) -> Round:
    corrected = replace(now, decisions={**now.decisions, event.seat: Decision(event.action)})
    return _reopened(table, _with_next_turned(table, corrected) if now.phase is Phase.settlement else corrected)


def _reopened(table: Table, now: Round) -> Round:
    """A closed round whose payments a correction changed stands in settlement again."""
    now = replace(now, corrected=True)
    if now.phase is not Phase.closed or (
        not unsettled_in_paying_order(table, now) and not jackpot_unsettled(table, now)
    ):
        return now
    return _with_next_turned(table, replace(now, phase=Phase.settlement))


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


_RoundStep = Callable[..., Round]
_TableStep = Callable[..., Table]

_ROUND_STEPS: Final[dict[type, _RoundStep]] = {
    ev.BetsRepeated: _bets_repeated,
    ev.BetPlaced: _bet_placed,
    ev.BetRemoved: _bet_removed,
    ev.BetsDoubled: _bets_doubled,
    ev.CardDrawn: _card_drawn,
    ev.CardBurned: _card_burned,
    ev.CardEntered: _card_entered,
    ev.CardCorrected: _card_corrected,
    ev.PlaceDoubted: _place_doubted,
    ev.CardInserted: _card_inserted,
    ev.CardTakenOut: _card_taken_out,
    ev.CardSeenOutOfTurn: _seen_out_of_turn,
    ev.CardSeenElsewhere: _seen_elsewhere,
    ev.NoticeRaised: _notice_raised,
    ev.NoticeSettled: _notice_settled,
    ev.CountConfirmed: _count_confirmed,
    ev.SeatDecided: _seat_decided,
    ev.HoleCardsTurned: _hole_cards_turned,
    ev.DealerHandConfirmed: _dealer_hand_confirmed,
    ev.AmountsStated: _amounts_stated,
    ev.SeatSettled: _seat_settled,
    ev.JackpotSettled: _jackpot_settled,
    ev.RoundClosed: _round_closed,
    ev.RoundVoided: _round_voided,
    ev.StepUndone: _step_undone,
    ev.BetCorrected: _bet_corrected,
    ev.DecisionCorrected: _decision_corrected,
}

_TABLE_STEPS: Final[dict[type, _TableStep]] = {
    ev.MeterSeeded: _meter_seeded,
    ev.ReaderLost: _reader_lost,
    ev.ReaderBack: _reader_back,
    ev.SupervisorCalled: _supervisor_called,
    ev.SupervisorCame: _supervisor_came,
    ev.HitPaid: _hit_paid,
    ev.HistoryExported: _history_exported,
    ev.RoundOpened: _round_opened,
    ev.BetsLocked: _bets_locked,
    ev.JackpotFed: _jackpot_fed,
    ev.JackpotFeedReversed: _jackpot_feed_reversed,
    ev.HitFrozen: _hit_frozen,
}
