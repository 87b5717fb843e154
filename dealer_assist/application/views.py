"""What the screens show, as data without words: built from a snapshot, never carrying a card that lies face down.

Every place goes through `sight`; the web layer turns codes and minor units into text.
"""

from enum import StrEnum

import msgspec

from dealer_assist.application.camera_view import CameraOnTable, camera_on
from dealer_assist.application.service import Snapshot
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet, Bets, Line, Outcome, Unit
from dealer_assist.game.chips import ChipPayment, chips_for
from dealer_assist.game.dealing import DEALER, HAND_SIZE, Place, Seat
from dealer_assist.game.decide import refusal_of
from dealer_assist.game.decide.betting import repeatable_bets
from dealer_assist.game.decide.playing import refunds
from dealer_assist.game.dues import jackpot_unsettled, unsettled_in_paying_order
from dealer_assist.game.errors import HandUnknown
from dealer_assist.game.events import Refund
from dealer_assist.game.hands import Category, category_of, rank_five
from dealer_assist.game.money import Money
from dealer_assist.game.paying import (
    aside_lines,
    house_decides,
    needs_amount,
    payees_in_paying_order,
    seat_lines,
    seat_outcome,
    upcard_place,
)
from dealer_assist.game.round import COUNT_FIRST, OVER, REMARKS, Notice, Phase, Round
from dealer_assist.game.settlement import qualifies
from dealer_assist.game.setup import CameraRole
from dealer_assist.game.sight import Face, Sight, sight
from dealer_assist.game.table import PendingHit, Table


class ShownPhase(StrEnum):
    """A round's phase as streams name it; `paused` while a person must look at something odd."""

    bets_open = "bets_open"
    dealing = "dealing"
    decisions = "decisions"
    reveal = "reveal"
    settlement = "settlement"
    closed = "closed"
    paused = "paused"
    void = "void"


class Step(StrEnum):
    """What the dealer does next."""

    open_round = "open_round"
    place_bets = "place_bets"
    deal = "deal"
    all_dealt = "all_dealt"
    look = "look"
    compare = "compare"
    confirm_count = "confirm_count"
    decide = "decide"
    turn_hole_cards = "turn_hole_cards"
    enter_card = "enter_card"
    state_amounts = "state_amounts"
    settle_seat = "settle_seat"
    settle_jackpot = "settle_jackpot"


class Next(msgspec.Struct, frozen=True):
    """The next step, the place or seat it is about, and the command of the primary key; None where the felt must act."""

    step: Step
    place: Place | None = None
    seat: Seat | None = None
    notice: Notice | None = None
    command: cmd.Command | None = None


class HandView(msgspec.Struct, frozen=True):
    """A hand's five slots, and its category once all five lie open and are known."""

    slots: tuple[Sight, ...]
    category: Category | None = None
    qualifies: bool | None = None


class SeatView(msgspec.Struct, frozen=True):
    """One seat. `playing`: it has an ante. `outcome` only once its hand and the dealer's lie open."""

    seat: Seat
    playing: bool
    hand: HandView
    bets: Bets | None = None
    decision: str | None = None
    timed_out: bool = False
    outcome: Outcome | None = None
    turned: bool = False
    settled: bool = False


class WorksheetLine(msgspec.Struct, frozen=True):
    """A settlement line with the chips to hand out; `due` is set where a correction changed what was paid before."""

    line: Line
    chips: ChipPayment | None = None
    due: Money | None = None


class WorksheetSeat(msgspec.Struct, frozen=True):
    """A seat's part of the worksheet; `lines` is empty until its hand is turned and known."""

    seat: Seat
    state: str
    lines: tuple[WorksheetLine, ...] = ()


class Worksheet(msgspec.Struct, frozen=True):
    """The settlement as the dealer works it off, right to left; `aside` the jackpot, last of all."""

    seats_in_paying_order: tuple[WorksheetSeat, ...] = ()
    aside: tuple[WorksheetLine, ...] = ()
    aside_state: str = "none"
    paid_out: Money = Money(0)


class DealerView(msgspec.Struct, frozen=True):
    """All that the dealer screen shows.

    `order`: the round's places in dealing order. `would_refund`: what a void would give back now; `refunds`: what one gave.
    """

    version: int
    at: str
    number: str | None
    opened_at: str | None
    phase: ShownPhase
    next: Next
    dealer: HandView
    seats: tuple[SeatView, ...]
    worksheet: Worksheet
    can_undo: bool
    can_repeat: bool
    can_double: bool
    jackpot_chips: int
    notices: tuple[Notice, ...]
    remark: Notice | None
    drawn: int
    to_draw: int
    upcard_place: Place
    readers: dict[str, str | None]
    deck: str | None
    decks: tuple[str, ...]
    supervisor_called: bool
    unverified: bool
    meter: Money | None
    pending_hits: tuple[PendingHit, ...]
    camera: CameraOnTable | None = None
    order: tuple[Place, ...] = ()
    would_refund: tuple[Refund, ...] = ()
    void_reason: str | None = None
    refunds: tuple[Refund, ...] = ()
    house_decides: tuple[Seat, ...] = ()


class SignView(msgspec.Struct, frozen=True):
    """What the jackpot sign shows: the meter, hits that wait to be paid, and the round's number and phase."""

    version: int
    at: str
    number: str | None
    phase: ShownPhase
    meter: Money | None
    pending_hits: tuple[PendingHit, ...]


_SCREEN = cmd.Stamp(at="2000-01-01T00:00:00Z", actor="screen", signed_by="screen")


def shown_phase(now: Round | None) -> ShownPhase:
    """The phase a stream names."""
    if now is None:
        return ShownPhase.closed
    looking = (now.open_notices or now.open_disputes) and now.phase in (Phase.bets_open, Phase.dealing, Phase.decisions)
    return ShownPhase.paused if looking else ShownPhase(now.phase.value)


def sign_view(snapshot: Snapshot) -> SignView:
    """The sign's picture."""
    table, now = snapshot.table, snapshot.table.round
    number = now.number if now else None
    return SignView(snapshot.version, snapshot.at, number, shown_phase(now), _shown_meter(table), table.pending_hits)


def _shown_meter(table: Table) -> Money | None:
    return table.meter.shown if table.meter else None


def dealer_view(snapshot: Snapshot) -> DealerView:
    """The dealer screen's picture."""
    table = snapshot.table
    now = table.round or Round(number="", opened_at="", phase=Phase.closed)
    void = now.void_reason is not None
    return DealerView(
        version=snapshot.version,
        at=snapshot.at,
        number=now.number or None,
        opened_at=now.opened_at or None,
        phase=shown_phase(table.round),
        next=next_step(table, now),
        dealer=_hand(table, now, DEALER),
        seats=tuple(_seat(table, now, seat) for seat in table.setup.seats),
        worksheet=worksheet(table, now),
        can_undo=_allowed(table, cmd.Undo()),
        can_repeat=bool(repeatable_bets(table)),
        can_double=_allowed(table, cmd.DoubleBets()),
        jackpot_chips=sum(1 for bets in now.bets.values() if bets.jackpot),
        notices=now.open_notices,
        remark=next((notice for notice in reversed(now.notices) if notice.kind in REMARKS), None),
        drawn=len(now.draws),
        to_draw=len(now.order) + len(now.burned),
        upcard_place=upcard_place(table.setup.profile),
        readers=dict(table.readers),
        deck=table.deck_in_play,
        decks=table.next_setup.decks,
        supervisor_called=table.supervisor_called,
        unverified=now.unverified,
        meter=_shown_meter(table),
        pending_hits=table.pending_hits,
        camera=camera_on(table, now),
        order=now.order,
        would_refund=refunds(table, now) if now.phase not in OVER else (),
        void_reason=now.void_reason,
        refunds=refunds(table, now) if void else (),
        house_decides=house_decides(table.setup, now) if void else (),
    )


def _allowed(table: Table, command: cmd.Command) -> bool:
    return refusal_of(table, command, _SCREEN) is None


# --- the next step -------------------------------------------------------------------------------------------------


def next_step(table: Table, now: Round) -> Next:
    """What the dealer does next, and the command that the primary key sends."""
    if now.phase in (Phase.bets_open, Phase.dealing, Phase.decisions) and now.open_notices:
        return _look(now)
    if now.open_disputes:
        return Next(Step.compare, seat=now.open_disputes[0].holder)
    match now.phase:
        case Phase.bets_open:
            chips = sum(1 for bets in now.bets.values() if bets.jackpot)
            return Next(Step.place_bets, command=cmd.LockBets(chips) if now.bets else None)
        case Phase.dealing:
            unread = table.setup.camera is CameraRole.source
            count = cmd.ConfirmCount(len(now.order) + len(now.burned))
            return Next(Step.all_dealt, command=count) if unread else Next(Step.deal, place=now.next_place)
        case Phase.decisions:
            return Next(Step.decide, command=cmd.CloseDecisions())
        case Phase.reveal:
            return _confirm_or_enter(now, DEALER, Next(Step.turn_hole_cards, command=cmd.ConfirmDealerHand()))
        case Phase.settlement:
            return _settling(table, now)
        case _:
            return Next(Step.open_round, command=cmd.OpenRound(repeat=bool(repeatable_bets(table))))


def _look(now: Round) -> Next:
    notice = now.open_notices[0]
    if notice.kind in COUNT_FIRST:
        return Next(Step.confirm_count, notice=notice, command=cmd.ConfirmCount(len(now.draws)))
    return Next(Step.look, notice=notice, command=cmd.SettleNotice(notice.id, card_lies_there=False))


def _confirm_or_enter(now: Round, holder: Seat, confirmed: Next) -> Next:
    for slot in range(HAND_SIZE):
        draw = now.draw_at(Place(holder, slot))
        if draw is not None and draw.card is None:
            return Next(Step.enter_card, place=Place(holder, slot), seat=holder)
    return confirmed


def _settling(table: Table, now: Round) -> Next:
    unknown = _confirm_or_enter(now, DEALER, Next(Step.settle_seat))
    if unknown.step is Step.enter_card:
        return unknown
    waiting = unsettled_in_paying_order(table, now)
    if not waiting:
        return Next(Step.settle_jackpot, command=cmd.SettleJackpot())
    seat = waiting[0]
    following = _confirm_or_enter(now, seat, Next(Step.settle_seat, seat=seat, command=cmd.SettleSeat(seat)))
    if following.step is Step.settle_seat and needs_amount(table.setup, now, seat):
        return Next(Step.state_amounts, seat=seat)
    return following


# --- hands and seats -----------------------------------------------------------------------------------------------


def _hand(table: Table, now: Round, holder: Seat) -> HandView:
    slots = tuple(sight(table.setup.profile, now, Place(holder, slot)) for slot in range(HAND_SIZE))
    if any(slot.face is not Face.up for slot in slots):
        return HandView(slots)
    ordinal = rank_five(tuple(slot.card for slot in slots if slot.card))
    return HandView(slots, category_of(ordinal), qualifies(table.setup.profile, ordinal) if holder == DEALER else None)


def _seat(table: Table, now: Round, seat: Seat) -> SeatView:
    bets, decision = now.bets.get(seat), now.decisions.get(seat)
    hand = _hand(table, now, seat)
    return SeatView(
        seat=seat,
        playing=bets is not None,
        hand=hand,
        bets=bets,
        decision=decision.action.value if decision else None,
        timed_out=decision.timed_out if decision else False,
        outcome=_outcome(table, now, seat) if bets is not None and hand.category and DEALER in now.turned else None,
        turned=seat in now.turned,
        settled=seat in now.settled,
    )


def _outcome(table: Table, now: Round, seat: Seat) -> Outcome | None:
    if now.void_reason is not None:
        return Outcome.void
    try:
        return seat_outcome(table.setup, now, seat)
    except HandUnknown:
        return None


# --- the worksheet -------------------------------------------------------------------------------------------------


def worksheet(table: Table, now: Round) -> Worksheet:
    """The settlement so far: lines only of seats that are turned."""
    if now.phase not in (Phase.settlement, Phase.closed) or DEALER not in now.turned:
        return Worksheet()
    waiting = unsettled_in_paying_order(table, now) if now.known_hand(DEALER) else ()
    seats = tuple(_worksheet_seat(table, now, seat, waiting) for seat in payees_in_paying_order(table.setup, now))
    done = now.phase is Phase.closed
    aside = tuple(_with_chips(table, line) for line in _aside(table, now)) if not waiting or done else ()
    settled = [line for lines in (*now.settled.values(), now.aside or ()) for line in lines]
    return Worksheet(
        seats_in_paying_order=seats,
        aside=aside,
        aside_state="none" if not aside else "done" if now.aside is not None else "current",
        paid_out=Money(
            sum(line.amount for line in settled if line.result.value == "pay" and line.unit is Unit.currency)
        ),
    )


def _aside(table: Table, now: Round) -> tuple[Line, ...]:
    if now.aside is not None and not (now.corrected and now.phase is Phase.settlement):
        return now.aside
    try:
        return aside_lines(table.setup, now) if now.phase is Phase.settlement and jackpot_unsettled(table, now) else ()
    except HandUnknown:
        return ()


def _worksheet_seat(table: Table, now: Round, seat: Seat, waiting: tuple[Seat, ...]) -> WorksheetSeat:
    state = (
        "done" if seat in now.settled and seat not in waiting else "current" if waiting[:1] == (seat,) else "waiting"
    )
    if seat not in now.turned:
        return WorksheetSeat(seat, state)
    try:
        lines = seat_lines(table.setup, now, seat)
    except HandUnknown:
        return WorksheetSeat(seat, state)
    paid = {line.bet: line for line in now.settled.get(seat, ())}
    return WorksheetSeat(seat, state, tuple(_with_due(table, line, paid) for line in lines))


def _with_due(table: Table, line: Line, paid: dict[Bet, Line]) -> WorksheetLine:
    before = paid.get(line.bet)
    shown = _with_chips(table, line)
    if before is None or before == line:
        return shown
    return msgspec.structs.replace(shown, due=Money(line.net - before.net))


def _with_chips(table: Table, line: Line) -> WorksheetLine:
    pays = line.result.value == "pay" and line.unit is Unit.currency
    return WorksheetLine(line, chips_for(line.amount, table.setup.chips) if pays else None)
