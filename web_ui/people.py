"""Who is signed in: sessions kept by the server, so that signing out ends one everywhere and at once.

The browser's cookie holds a session's random name only. A restart of the server signs everybody out.
"""

import secrets
import threading
import time
from collections.abc import Callable

from flask import Flask
from flask_login import LoginManager, current_user

from dealer_assist.application.ports import Role


class Person:
    """Somebody signed in at one screen."""

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def __init__(self, session: str, role: Role, now: float) -> None:
        self.session = session
        self.role = role
        self.last_act = now

    def get_id(self) -> str:
        """The session's name, as the cookie holds it."""
        return self.session


class Sessions:
    """Running sessions. One without an act for `idle_s` seconds is over."""

    def __init__(self, idle_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._idle_s = idle_s
        self._clock = clock
        self._lock = threading.Lock()
        self._people: dict[str, Person] = {}

    def begin(self, role: Role) -> Person:
        """A new session, under a name that was never used."""
        person = Person(secrets.token_urlsafe(24), role, self._clock())
        with self._lock:
            self._people[person.session] = person
        return person

    def find(self, session: str) -> Person | None:
        """Whose session this is; None where it is over."""
        with self._lock:
            person = self._people.get(session)
            if person is not None and self._clock() - person.last_act > self._idle_s:
                del self._people[session]
                return None
            return person

    def act(self, person: Person) -> None:
        """The person did something: idle time begins anew."""
        person.last_act = self._clock()

    def end(self, session: str) -> None:
        """The session is over."""
        with self._lock:
            self._people.pop(session, None)


def signed_in() -> Person | None:
    """Who gave the request at hand; None where nobody is signed in."""
    person = current_user._get_current_object()  # the proxy tells nothing of its type
    return person if isinstance(person, Person) else None


def keep_sessions(app: Flask, sessions: Sessions) -> None:
    """Let an app know its people by their cookies."""
    manager = LoginManager()
    manager.session_protection = "strong"
    manager.user_loader(sessions.find)
    manager.init_app(app)
