"""The web application: one table's screens, a blueprint each, behind strict headers."""

from typing import Final

from flask import Flask, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.exceptions import HTTPException, SecurityError

from web_ui.auth import auth
from web_ui.camera import camera
from web_ui.dealer import dealer
from web_ui.demo import demo
from web_ui.laboratory import laboratory
from web_ui.language import gettext, reader_locale, speak
from web_ui.people import keep_sessions
from web_ui.sign import sign
from web_ui.site import DemoControl, Site, TableAccess

__all__ = ["DemoControl", "TableAccess", "create_app"]

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
    for screen in (dealer, sign, auth, laboratory, camera, demo):
        app.register_blueprint(screen)
    app.add_url_rule("/", "home", lambda: redirect("/dealer"))
    app.add_url_rule("/alive", "alive", lambda: ("", 204))
    app.context_processor(lambda: {"demo": access.demo, "language": reader_locale().language})
    app.after_request(_strict)
    app.register_error_handler(HTTPException, _told)
    return app


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
    if isinstance(error, SecurityError):
        return text, status  # for another host's name no address of a page can be made
    if request.is_json:
        return {"error": "stale_page" if stale else "bad_request", "text": text}, status
    return render_template("error.html", status=status, text=text), status
