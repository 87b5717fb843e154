"""The talk with a reader that has to be asked: wake and configure it, then poll it for as long as the port is open.

    opening → setup ─ answered ─→ … → poll ─ answered, or every `every_s` ─→ poll …
                │                      │
                └ no answer in time: sent once more; again none ─→ a miss
                  a miss in the setup, or `MISSES` polls in a row: the talk has failed

An acknowledgement is a sign of life, though not yet an answer: a reader that acknowledges a poll and stays silent has
found nothing yet, and is simply polled again.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from hardware.reader.messages import Answer, Collision, Message, NoTag, ReaderError, Tag

MISSES: Final = 3  # polls in a row without an answer, each sent twice, after which the reader counts as dead

ACKNOWLEDGED: Final = Answer("ack")


def sees(message: Message) -> bool:
    """Whether a message answers a poll: what lies on the reader, or why it can't say."""
    return isinstance(message, Tag | NoTag | Collision | ReaderError)


class Request(msgspec.Struct, frozen=True):
    """One thing to ask.

    `answers`: whether a message is the answer. `within_s`: seconds in which it must come.
    `acknowledged_within_s`: where the protocol acknowledges, seconds in which that must come; `within_s` begins anew then.
    `optional`: no answer is no miss.
    """

    data: bytes
    within_s: float
    answers: Callable[[Message], bool] = sees
    acknowledged_within_s: float | None = None
    optional: bool = False


class Script(msgspec.Struct, frozen=True):
    """What one protocol asks: the setup once, in its order, then the poll again and again."""

    poll: Request
    setup: tuple[Request, ...] = ()
    closing: bytes = b""


class _Asked(msgspec.Struct):
    """A request on its way. `sent_at`: when it was sent last; `deadline`: when patience ends."""

    request: Request
    sent_at: float
    deadline: float
    resent: bool = False
    acknowledged: bool = False


class Asking:
    """Follows a script; see the module. `every_s`: seconds from one poll to the next, answers permitting."""

    def __init__(self, script: Script, every_s: float) -> None:
        self._script: Final = script
        self._every_s: Final = every_s
        self._ahead: list[Request] = []  # what is left of the setup
        self._asked: _Asked | None = None
        self._next_at = 0.0
        self._misses = 0
        self._online = False
        self._fault: str | None = None

    @property
    def online(self) -> bool:
        return self._online

    @property
    def fault(self) -> str | None:
        return self._fault

    def opening(self, now: float) -> bytes:
        self._ahead = list(self._script.setup)
        self._misses = 0
        self._online, self._fault = False, None
        return self._ask(now)

    def due(self, now: float) -> bytes | None:
        if self._fault is not None:
            return None
        if self._asked is None:
            return self._ask(now) if now >= self._next_at else None
        return self._overdue(self._asked, now) if now >= self._asked.deadline else None

    def heard(self, message: Message, now: float) -> None:
        asked = self._asked
        if asked is None:
            return
        if message == ACKNOWLEDGED and asked.request.acknowledged_within_s is not None:
            asked.acknowledged = True
            asked.deadline = now + asked.request.within_s
        elif asked.request.answers(message) or isinstance(message, ReaderError):
            self._online = True
            self._misses = 0
            self._finish(asked, now)

    def closing(self) -> bytes:
        return self._script.closing

    def _ask(self, now: float) -> bytes:
        request = self._ahead.pop(0) if self._ahead else self._script.poll
        self._asked = _Asked(request, now, now + _patience(request))
        return request.data

    def _overdue(self, asked: _Asked, now: float) -> bytes | None:
        polled = asked.request is self._script.poll
        if polled and asked.acknowledged:
            self._misses = 0
            self._finish(asked, now)
            return None
        if not asked.resent:
            self._asked = _Asked(asked.request, now, now + _patience(asked.request), resent=True)
            return asked.request.data
        self._finish(asked, now)
        if not asked.request.optional:
            self._miss(polled)
        return None

    def _miss(self, polled: bool) -> None:
        self._misses += 1
        if not self._online:
            self._fault = "does not answer: check its power, its cable, and that protocol and baud rate are its own"
        elif not polled or self._misses >= MISSES:
            self._fault = "has fallen silent, though its port is open: unplug it and plug it in again"

    def _finish(self, asked: _Asked, now: float) -> None:
        self._asked = None
        polled = asked.request is self._script.poll
        self._next_at = max(now, asked.sent_at + self._every_s) if polled else now


def _patience(request: Request) -> float:
    return request.within_s if request.acknowledged_within_s is None else request.acknowledged_within_s
