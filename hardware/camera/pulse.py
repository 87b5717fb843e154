"""Whether a camera lives: pictures must come, and none may be like one before it.

A sensor's noise makes every picture a little different. Some drivers repeat their last pictures after an unplug, and some
cameras theirs when they hang, so a picture that came before is never taken for news.
"""

from collections import deque
from typing import Final

import msgspec

REMEMBERED: Final = 8  # pictures; a driver repeats its last one, or goes round the few that its queue holds


class Live(msgspec.Struct, frozen=True, tag=True):
    """Pictures come, each a new one."""


class Frozen(msgspec.Struct, frozen=True, tag=True):
    """Pictures come, but always the same."""

    reason: str


class Lost(msgspec.Struct, frozen=True, tag=True):
    """No pictures come; `reason` in words for a person."""

    reason: str


CameraState = Live | Frozen | Lost


class Limits(msgspec.Struct, frozen=True):
    """Seconds until the first picture must come, and, after it, the next one, and a new one."""

    open_within_s: float = 10.0
    lost_after_s: float = 1.2
    frozen_after_s: float = 1.2


class Pulse:
    """The pictures of one connection, by their checksums. Times in seconds of one clock that never runs backwards.

    `remembered`: with how many pictures before it one is compared.
    """

    def __init__(self, limits: Limits, now: float, remembered: int = REMEMBERED) -> None:
        self._limits = limits
        self._recent: deque[int] = deque(maxlen=remembered)
        self._heard_at = now
        self._news_at: float | None = None
        self.lived = False

    def is_news(self, checksum: int, now: float) -> bool:
        """Whether a picture is unlike those before it. The first one can't be told from a repeated one: it is not."""
        known, first = checksum in self._recent, not self._recent
        self._heard_at = now
        if known:
            return False
        self._recent.append(checksum)
        self._news_at = now
        self.lived = self.lived or not first
        return not first

    def is_silent(self, now: float) -> bool:
        """Whether no picture has come for too long."""
        return now - self._heard_at >= (
            self._limits.open_within_s if self._news_at is None else self._limits.lost_after_s
        )

    def frozen_for(self, now: float) -> float:
        """For how many seconds it has been plain that pictures come without news; 0 where it is not."""
        return 0.0 if self._news_at is None else max(0.0, now - self._news_at - self._limits.frozen_after_s)
