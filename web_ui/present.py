"""A dealer's view as one JSON-able message: codes stay codes, everything else is text in the reader's language.

Nothing here looks at a card but through `dealer_view`, so a card lying face down can't come this way.
"""

import zlib
from datetime import datetime, timedelta

import msgspec

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import DealerView, HandView, SeatView, ShownPhase, Step, dealer_view
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet, Unit
from dealer_assist.game.dealing import DEALER, Facing, Place, Seat
from dealer_assist.game.events import Refund
from dealer_assist.game.money import Money
from dealer_assist.game.round import COUNT_FIRST, Notice
from dealer_assist.game.setup import TableSetup
from dealer_assist.game.sight import Face
from web_ui import words
from web_ui.format import Json, Purse, antes, clock
from web_ui.language import gettext, ngettext
from web_ui.present_camera import camera_message
from web_ui.present_cards import place_code, shown_slot
from web_ui.present_step import key_words, state_words
from web_ui.present_worksheet import worksheet


def dealer_message(snapshot: Snapshot, epoch: str) -> Json:
    """All that a dealer screen shows of one snapshot."""
    view, setup = dealer_view(snapshot), snapshot.table.setup
    purse = Purse(setup.currency, setup.minor_digits)
    return {
        "epoch": epoch,
        "seq": view.version,
        "at": view.at,
        "round": view.number,
        "phase": view.phase.value,
        "state": state_words(view, setup),
        "opened": clock(view.opened_at) if view.opened_at else None,
        "closes_at": _closes_at(view, setup),
        "next": _next(view, setup),
        "hands": {str(DEALER): _hand(view.dealer), **{str(seat.seat): _hand(seat.hand) for seat in view.seats}},
        "verdict": _verdict(view),
        "seats": {str(seat.seat): _seat(seat, setup, purse) for seat in view.seats},
        "total_bet": _total_bet(view, purse),
        "worksheet": worksheet(view.worksheet, setup, purse),
        "can": {"undo": view.can_undo, "repeat": view.can_repeat, "double": view.can_double},
        "notices": [_notice(notice, view) for notice in view.notices],
        "remark": gettext(words.NOTICES[view.remark.kind], detail=view.remark.detail) if view.remark else "",
        "plays": setup_mark(setup),
        "count": {"drawn": view.drawn, "to_draw": view.to_draw, "order": [place_code(place) for place in view.order]},
        "readers": [_reader(name, reason) for name, reason in sorted(view.readers.items())],
        "camera": camera_message(view.camera),
        "decks": [
            {"id": deck, "in_play": deck == view.deck, "command": _encoded(cmd.ChangeDeck(deck))} for deck in view.decks
        ],
        "called": view.supervisor_called,
        "unverified": view.unverified,
        "void": _void(view, setup, purse),
        "meter": None if view.meter is None else purse.money(view.meter),
        "pending": [
            {"number": hit.number, "amount": purse.money(hit.hit.amount), "command": _encoded(cmd.PayHit(hit.number))}
            for hit in view.pending_hits
        ],
    }


def setup_mark(setup: TableSetup) -> str:
    """What the page was made for: a table that plays otherwise from the next round on needs the page anew."""
    profile = setup.profile
    made_for = (profile.id, profile.reading, setup.currency, setup.bet_entry.value, setup.chips, setup.seats)
    return f"{zlib.crc32(repr(made_for).encode()):08x}"


def _encoded(command: cmd.Command | None) -> object:
    return None if command is None else msgspec.to_builtins(command)


# --- the next step ---------------------------------------------------------------------------------------------------


def _next(view: DealerView, setup: TableSetup) -> Json:
    following = view.next
    return {
        "step": following.step.value,
        "place": place_code(following.place) if following.place else None,
        "open": following.place is not None and _lies_open(following.place, view, setup),
        "seat": following.seat,
        "command": _encoded(following.command)
        if following.step not in (Step.look, Step.confirm_count, Step.compare)
        else None,
        "key": key_words(view, setup),
    }


def _lies_open(place: Place, view: DealerView, setup: TableSetup) -> bool:
    """Whether a card at the next place lies face up, so that a person may name it."""
    shown = view.dealer if place.holder == DEALER else next(s.hand for s in view.seats if s.seat == place.holder)
    up = setup.profile.deal.players is Facing.up and place.holder != DEALER
    return up or place == view.upcard_place or shown.slots[place.slot].face is Face.unknown_up


def _closes_at(view: DealerView, setup: TableSetup) -> str | None:
    """When the betting clock runs out; None where the table has none, or bets are closed."""
    seconds = setup.procedure.betting_seconds
    if not seconds or view.phase is not ShownPhase.bets_open or view.opened_at is None:
        return None
    return (datetime.fromisoformat(view.opened_at) + timedelta(seconds=seconds)).isoformat()


# --- hands and seats -------------------------------------------------------------------------------------------------


def _hand(hand: HandView) -> Json:
    cards = tuple(slot.card for slot in hand.slots if slot.card)
    named = words.hand_name(cards, hand.category) if hand.category is not None and len(cards) == len(hand.slots) else ""
    return {"slots": [shown_slot(slot) for slot in hand.slots], "words": named}


def _verdict(view: DealerView) -> str:
    """Whether the dealer qualifies, once his hand lies open."""
    qualifies, cards = view.dealer.qualifies, tuple(slot.card for slot in view.dealer.slots if slot.card)
    if qualifies is None or view.dealer.category is None:
        return ""
    if not qualifies:
        return gettext("Dealer does not qualify")
    return gettext("Dealer qualifies with %(hand)s", hand=words.hand_name(cards, view.dealer.category))


def _seat(view: SeatView, setup: TableSetup, purse: Purse) -> Json:
    labels = setup.profile.labels
    decision = "" if view.decision is None else gettext(labels.raised if view.decision == "raise" else labels.folded)
    if view.timed_out:
        decision = gettext("AUTO RAISE") if view.decision == "raise" else gettext("AUTO FOLD")
    return {
        "playing": view.playing,
        "bets": _bets(view, purse),
        "folded": view.decision == Action.fold.value,
        "decision": decision,
        "outcome": gettext(words.OUTCOMES[view.outcome]) if view.outcome else "",
        "turned": view.turned,
        "settled": view.settled,
    }


def _bets(view: SeatView, purse: Purse) -> Json:
    bets = view.bets
    if bets is None:
        return {}
    made: Json = {}
    for bet in (Bet.ante, Bet.bonus, Bet.jackpot):
        stake = bets.of(bet)
        if stake:
            made[bet.value] = purse.of(stake, Unit.currency if bet is Bet.jackpot else bets.unit, whole=True)
    return made


def _total_bet(view: DealerView, purse: Purse) -> Json | None:
    """All bets on the table together; None where amounts are not keyed."""
    made = [seat.bets for seat in view.seats if seat.bets]
    if not made or any(bets.unit is Unit.ante for bets in made):
        return None
    return purse.money(sum(bets.ante + bets.bonus + bets.jackpot for bets in made))


# --- what is odd -----------------------------------------------------------------------------------------------------


def _notice(notice: Notice, view: DealerView) -> Json:
    lost = notice.kind in COUNT_FIRST
    cards_due = view.drawn < view.to_draw
    return {
        "id": notice.id,
        "kind": notice.kind.value,
        "text": gettext(words.NOTICES[notice.kind], detail=notice.detail),
        "detail": gettext("Reader: %(reader)s. %(detail)s", reader=notice.reader, detail=notice.detail).strip(),
        "after": ngettext("%(num)s card lay on the table.", "%(num)s cards lay on the table.", notice.drawn),
        "there": _encoded(cmd.SettleNotice(notice.id, card_lies_there=True)) if cards_due and not lost else None,
        "none": None if lost else _encoded(cmd.SettleNotice(notice.id, card_lies_there=False)),
    }


def _reader(name: str, reason: str | None) -> Json:
    return {"name": name, "online": reason is None, "reason": reason or ""}


def _void(view: DealerView, setup: TableSetup, purse: Purse) -> Json | None:
    """The dialog's sentence for the running round, or what a void round gave back."""
    if view.number is None or view.phase is ShownPhase.closed:
        return None
    time = clock(view.opened_at or "")
    if view.phase is not ShownPhase.void:
        return {
            "ask": gettext("Void round %(time)s, table %(table)s?", time=time, table=setup.table),
            "bets": _refund_words(view, purse),
            "key": gettext("VOID ROUND %(time)s", time=time),
        }
    seats = ", ".join(words.holder_name(Seat(seat)) for seat in view.house_decides)
    return {
        "done": _refund_words(view, purse),
        "reason": gettext("Reason: %(reason)s", reason=view.void_reason),
        "lines": [_refund_line(refund, view, setup, purse) for refund in view.refunds],
        "house": gettext("A jackpot hand was dealt; the house decides: %(seats)s", seats=seats) if seats else "",
    }


def _refund_line(refund: Refund, view: DealerView, setup: TableSetup, purse: Purse) -> Json:
    bet, amount = words.bet_name(refund.bet, setup.profile.labels), abs(refund.amount)
    back = refund.amount < 0
    return {
        "seat": refund.seat,
        "bet": gettext("%(bet)s, take back", bet=bet) if back else bet,
        "amount": purse.of(amount, _unit_of(refund, view)),
    }


def _unit_of(refund: Refund, view: DealerView) -> Unit:
    """What a refund's amount is in: a seat's antes may have been stated in money at a table that keys none."""
    bets = next(seat.bets for seat in view.seats if seat.seat == refund.seat)
    return Unit.currency if refund.bet is Bet.jackpot or bets is None else bets.unit


def _refund_words(view: DealerView, purse: Purse) -> str:
    """What goes back in all: how many bets, and what they come to."""
    refunds = view.refunds or view.would_refund
    total = ", ".join(_totals(refunds, view, purse))
    return ngettext("Refund %(num)s bet = %(total)s", "Refund %(num)s bets = %(total)s", len(refunds), total=total)


def _totals(refunds: tuple[Refund, ...], view: DealerView, purse: Purse) -> list[str]:
    """Antes and money apart; after payments the players may be the ones who give back."""
    shown = []
    for unit in (Unit.ante, Unit.currency):
        total = sum(refund.amount for refund in refunds if _unit_of(refund, view) is unit)
        amount = antes(Money(abs(total))) if unit is Unit.ante else purse.text(abs(total), whole=True)
        if total:
            shown.append(gettext("take back %(amount)s", amount=amount) if total < 0 else amount)
    return shown or [purse.text(0, whole=True)]
