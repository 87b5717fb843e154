"""The jackpot sign: a page without input, and its stream. Anyone may look at it: it shows what the players see."""

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import sign_view
from web_ui.dealer import heartbeat
from web_ui.language import gettext
from web_ui.present_sign import prize_table, raise_table, shown_of
from web_ui.site import site
from web_ui.stream import Feed, Shown, event_stream

sign = Blueprint("sign", __name__)


@sign.get("/sign")
def page() -> ResponseReturnValue:
    """The sign; it is filled by its stream."""
    access = site().access
    setup = access.service.snapshot.table.setup
    return render_template(
        "sign.html",
        setup=setup,
        prizes=prize_table(setup),
        raises=raise_table(setup),
        words=sign_words(),
    )


def sign_words() -> dict[str, str]:
    """The sentences that the sign's script says."""
    return {
        "live": gettext("LIVE"),
        "as_of": gettext("AS OF {time} GMT"),
        "offline": gettext("OFFLINE"),
        "pending": gettext("PENDING WIN"),
        "waiting": gettext("WAITING FOR SERVER"),
        "won": gettext("JACKPOT WON: {amount}"),
        "corrected": gettext("CORRECTED"),
        "voided": gettext("CORRECTED: round void"),
    }


@sign.get("/sign/stream")
def stream() -> ResponseReturnValue:
    """The meter, at most four times a second, and each change of the round's phase."""
    shared = site()
    feed = Feed(shared.access.publisher, shared.sign, heartbeat, lambda: True)
    return event_stream(feed.coalesced(request.headers.get("Last-Event-ID"), _shown))


def _shown(snapshot: Snapshot) -> Shown:
    return shown_of(sign_view(snapshot))
