"""The latest snapshot, for whoever waits for a newer one.

Every message of a stream is a whole picture, so a slow reader skips to the newest and nothing is queued for it:
no reader can hold memory or the table up.
"""

import secrets
import threading
from typing import Final

from dealer_assist.application.service import Snapshot


class Publisher:
    """Keeps the latest snapshot and wakes those who wait. `epoch` names this run of the server."""

    def __init__(self) -> None:
        self.epoch: Final = secrets.token_hex(4)
        self._changed = threading.Condition()
        self._latest: Snapshot | None = None
        self._closed = False

    def publish(self, snapshot: Snapshot) -> None:
        """Make a snapshot the latest."""
        with self._changed:
            self._latest = snapshot
            self._changed.notify_all()

    def close(self) -> None:
        """Let everybody who waits go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether the server is about to end."""
        return self._closed

    @property
    def latest(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._latest

    def newer_than(self, version: int, timeout: float) -> Snapshot | None:
        """The latest snapshot as soon as it is newer than `version`; None after `timeout` seconds, or at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_newer(version), timeout)
            return self._latest if self._is_newer(version) and not self._closed else None

    def _is_newer(self, version: int) -> bool:
        return self._latest is not None and self._latest.version > version
