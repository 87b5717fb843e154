"""Signing in and out by PIN, and the first run's page that sets both PINs."""

import secrets
from typing import Final

from flask import Blueprint, abort, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import login_user, logout_user

from dealer_assist.application.ports import BadPin, Role
from web_ui.language import gettext
from web_ui.orders import pin_words
from web_ui.people import signed_in
from web_ui.site import site
from web_ui.words import PIN_FAULTS, ROLES

auth = Blueprint("auth", __name__)

ONWARD: Final = {"dealer": "dealer.page", "laboratory": "laboratory.page", "camera": "camera.page"}
"""Where a person goes from the PIN pad, by the name in the pad's address."""


@auth.get("/sign-in")
def sign_in() -> ResponseReturnValue:
    """The PIN pad; on the way to what only a supervisor may see, with that role chosen."""
    to = request.args.get("to", "dealer")
    return _pad("", Role.dealer if to == "dealer" else Role.supervisor, to)


@auth.post("/sign-in")
def try_pin() -> ResponseReturnValue:
    """A PIN: a new session where it is right."""
    try:
        role = Role(request.form.get("role", Role.dealer.value))
    except ValueError:
        abort(400)
    to = request.form.get("to", "dealer")
    verdict = site().access.pins.verify(role, request.form.get("pin", "")[:12])
    if not verdict.right:
        return _pad(pin_words(verdict), role, to), 403
    _end_session()
    session.clear()
    login_user(site().sessions.begin(role))
    return redirect(url_for(ONWARD.get(to, "dealer.page")))


def _pad(told: str, chosen: Role, to: str) -> str:
    roles = [(role.value, gettext(name)) for role, name in ROLES.items()]
    are_set = site().access.pins.are_set
    return render_template("sign_in.html", told=told, roles=roles, chosen=chosen.value, to=to, are_set=are_set)


@auth.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End the session, here and on the server."""
    _end_session()
    return redirect(url_for("auth.sign_in"))


def _end_session() -> None:
    person = signed_in()
    if person is not None:
        site().sessions.end(person.session)
        logout_user()
        session.clear()


@auth.get("/setup")
def setup() -> ResponseReturnValue:
    """The first run: both PINs, once."""
    _require_token(request.args.get("token", ""))
    return _setup_page("")


@auth.post("/setup")
def set_pins() -> ResponseReturnValue:
    """Keep both PINs, each typed twice."""
    _require_token(request.form.get("token", ""))
    pins = {name: request.form.get(name, "") for name in ("dealer", "supervisor")}
    if any(request.form.get(f"{name}_again", "") != pin for name, pin in pins.items()):
        return _setup_page(gettext("A PIN and its repetition differ.")), 422
    try:
        site().access.pins.set_up(pins["dealer"], pins["supervisor"])
    except BadPin as bad:
        return _setup_page(gettext(PIN_FAULTS[bad.fault])), 422
    return redirect(url_for("auth.sign_in"))


def _setup_page(told: str) -> str:
    return render_template("setup.html", told=told, token=site().access.setup_token)


def _require_token(token: str) -> None:
    """The page is there for whoever started the table, and only while no PINs are set."""
    access = site().access
    if access.pins.are_set or not access.setup_token:
        abort(404)
    if not secrets.compare_digest(token.encode(), access.setup_token.encode()):
        abort(403)
