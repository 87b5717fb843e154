"""The dealer's screen: its page, its stream, and the one address that its keys speak to."""

from datetime import UTC, datetime

import msgspec
from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dealer_assist.application.views import shown_phase
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import RANKS
from dealer_assist.game.dealing import DEALER
from dealer_assist.game.setup import BetEntry, TableSetup
from web_ui import words
from web_ui.dealer_words import spoken_words
from web_ui.format import Json, Purse
from web_ui.language import gettext
from web_ui.orders import carry_out, not_signed_in, read_order, unreadable
from web_ui.people import signed_in
from web_ui.present import setup_mark
from web_ui.site import site
from web_ui.stream import Feed, event_stream

dealer = Blueprint("dealer", __name__)

SUITS_AS_SHOWN = "shdc"


@dealer.get("/dealer")
def page() -> ResponseReturnValue:
    """The screen; it is filled by its stream."""
    person, access = signed_in(), site().access
    if person is None and not access.open_to_watch:
        return redirect(url_for("auth.sign_in"))
    setup = access.service.snapshot.table.setup
    return render_template(
        "dealer.html",
        setup=setup,
        table=table_facts(setup),
        words=spoken_words(setup),
        deck=_deck(),
        person=person,
        laboratory=access.laboratory is not None,
        camera=access.camera is not None or access.camera_history is not None,
        holders=[DEALER, *setup.seats],
        holder_name=words.holder_name,
        bets=_spots(setup),
    )


def table_facts(setup: TableSetup) -> Json:
    """What of the table's setup the page's script needs."""
    purse = Purse(setup.currency, setup.minor_digits)
    return {
        "amounts": setup.bet_entry is BetEntry.amounts,
        "chips": [{"minor": str(chip), "face": purse.chip(chip)} for chip in setup.chips],
        "digits": setup.minor_digits,
        "currency": setup.currency,
        "seats": list(setup.seats),
        "bonus": setup.profile.bonus is not None,
        "asks_supervisor": setup.procedure.time_out.value == "ask-supervisor",
        "betting_seconds": setup.procedure.betting_seconds,
        "plays": setup_mark(setup),
    }


def _spots(setup: TableSetup) -> list[tuple[str, str]]:
    """The bets a seat can make before the cards, with their names."""
    made = [Bet.ante]
    if setup.profile.bonus is not None:
        made.append(Bet.bonus)
    if setup.profile.jackpot is not None:
        made.append(Bet.jackpot)
    return [(bet.value, words.bet_name(bet, setup.profile.labels)) for bet in made]


def _deck() -> list[list[tuple[str, str]]]:
    """The card grid: a row a suit, aces first; each card's code and spoken name."""
    return [[(rank + suit, _named(rank, suit)) for rank in reversed(RANKS)] for suit in SUITS_AS_SHOWN]


def _named(rank: str, suit: str) -> str:
    return gettext(
        "%(rank)s of %(suit)s", rank=gettext(words.RANK_NAMES[rank][0]), suit=gettext(words.SUIT_NAMES[suit])
    )


@dealer.get("/dealer/stream")
def stream() -> ResponseReturnValue:
    """Whole pictures of the table, as they come."""
    shared, person = site(), signed_in()
    if person is None and not shared.access.open_to_watch:
        return not_signed_in()

    def allowed() -> bool:
        return shared.access.open_to_watch or (person is not None and shared.sessions.find(person.session) is not None)

    feed = Feed(shared.access.publisher, shared.dealer, heartbeat, allowed)
    return event_stream(feed.every_picture(request.headers.get("Last-Event-ID")))


def heartbeat() -> Json:
    """The server's time, where the round stands, and who deals in a demonstration."""
    access = site().access
    now = access.service.snapshot.table.round
    return {
        "round": now.number if now else None,
        "phase": shown_phase(now).value,
        "now": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "manual": access.demo is None or access.demo.manual,
    }


@dealer.get("/dealer/amount")
def amount() -> ResponseReturnValue:
    """An amount that a person is keying, as text: formats are made here only."""
    minor = request.args.get("minor", "")
    if not (minor.isascii() and minor.isdigit() and len(minor) <= 15):
        abort(400)
    setup = site().access.service.snapshot.table.setup
    return Purse(setup.currency, setup.minor_digits).money(int(minor), whole=True)


@dealer.post("/dealer/command")
def command() -> ResponseReturnValue:
    """One key press."""
    shared, person = site(), signed_in()
    if person is None:
        return not_signed_in()
    shared.sessions.act(person)
    demo = shared.access.demo
    if demo is not None and not demo.manual:
        return {"error": "robot", "text": gettext("The demonstration deals by itself. Take over first.")}, 403
    try:
        order = read_order(request.get_data())
    except msgspec.MsgspecError as error:
        return unreadable(error)
    return carry_out(order, person, shared.access)
