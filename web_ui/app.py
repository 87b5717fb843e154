"""The web application: one table's screens, a blueprint each, behind strict headers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException

from dealer_assist.application.ports import Pins
from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import TableService
from web_ui.language import gettext, speak
from web_ui.people import Sessions, keep_sessions
from web_ui.present import dealer_message
from web_ui.present_sign import sign_message
from web_ui.stream import Rendering

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class DemoControl(Protocol):
    """The demonstration's robot, which deals until a person takes over."""

    @property
    def manual(self) -> bool:
        """Whether a person deals."""

    def take_over(self) -> None:
        """Let a person deal."""

    def resume(self) -> None:
        """Let the robot deal again."""


def _nothing() -> None:
    """Nothing is to be closed."""


@dataclass(frozen=True, kw_only=True)
class TableAccess:
    """The table that an app serves, and how.

    `open_to_watch`: screens are shown to anyone, keys still ask who presses. `setup_token` opens the first run's page
    while no PINs are set; empty: never. `idle_minutes` without an act sign a person out. `close` ends the table.
    """

    service: TableService
    publisher: Publisher
    pins: Pins
    secret_key: bytes
    open_to_watch: bool = False
    demo: DemoControl | None = None
    setup_token: str = ""
    idle_minutes: float = 60.0
    trusted_hosts: tuple[str, ...] = ("127.0.0.1", "localhost")
    close: Callable[[], None] = field(default=_nothing)


class Site:
    """What an app's views share: the table, its people, and the pictures made for its streams."""

    def __init__(self, access: TableAccess) -> None:
        self.access: Final = access
        self.sessions: Final = Sessions(access.idle_minutes * 60)
        epoch = access.publisher.epoch
        self.dealer: Final = Rendering(lambda snapshot: dealer_message(snapshot, epoch))
        self.sign: Final = Rendering(lambda snapshot: sign_message(snapshot, epoch))


def site() -> Site:
    """The site of the request at hand."""
    return site_of(current_app)


def site_of(app: Flask) -> Site:
    """The site an app serves."""
    return cast(Site, app.extensions["dealer_assist"])


def create_app(access: TableAccess) -> Flask:
    """The app of one table's screens."""
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=access.secret_key,
        SESSION_COOKIE_NAME="table",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        WTF_CSRF_TIME_LIMIT=None,
        MAX_CONTENT_LENGTH=16 * 1024,
        TRUSTED_HOSTS=list(access.trusted_hosts),
    )
    shared = Site(access)
    app.extensions["dealer_assist"] = shared
    speak(app)
    CSRFProtect(app)
    keep_sessions(app, shared.sessions)
    for screen in _screens():
        app.register_blueprint(screen)
    app.add_url_rule("/", "home", lambda: redirect("/dealer"))
    app.add_url_rule("/alive", "alive", lambda: ("", 204))
    app.after_request(_strict)
    app.register_error_handler(HTTPException, _told)
    return app


def _screens() -> tuple[Blueprint, ...]:
    from web_ui.auth import auth  # the screens use `site`, so they come after it
    from web_ui.dealer import dealer
    from web_ui.demo import demo
    from web_ui.sign import sign

    return dealer, sign, auth, demo


def _strict(response: Response) -> Response:
    response.headers.update(HEADERS)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _told(error: HTTPException) -> ResponseReturnValue:
    """An error in the form the asker reads: JSON for a script, a page for a person."""
    status = error.code or 500
    stale = isinstance(error, CSRFError)
    text = gettext("This page is out of date. It is loaded anew.") if stale else gettext("That did not work.")
    if request.is_json:
        return {"error": "stale_page" if stale else "bad_request", "text": text}, status
    return render_template("error.html", status=status, text=text), status
