"""What a link needs to know of how one talks with a reader, and the talk with those that need no asking."""

from typing import Protocol

from hardware.reader.messages import Message


class Dialogue(Protocol):
    """One reader's side of a talk, from one opening of its port to the next. No I/O, no clock, no thread inside.

    `now` is in seconds of any clock that only goes forward, the same one throughout.
    """

    @property
    def online(self) -> bool:
        """Whether the reader has shown, since the port was opened, that it is there."""

    @property
    def fault(self) -> str | None:
        """Why the talk has failed, in words that go on after "the reader at …"; None while it holds."""

    def opening(self, now: float) -> bytes:
        """What to send as soon as the port is open. All that was before is forgotten."""

    def due(self, now: float) -> bytes | None:
        """What to send now, or None. To be asked often: what is due is due only once."""

    def heard(self, message: Message, now: float) -> None:
        """Each message of the reader, in the order sent."""

    def closing(self) -> bytes:
        """What to send before the port is closed."""


class Listening:
    """The talk with a reader that speaks by itself: nothing is ever sent, and its open port is all that can be asked for."""

    online = True
    fault = None

    def opening(self, now: float) -> bytes:  # noqa: ARG002 - a dialogue's signature
        return b""

    def due(self, now: float) -> bytes | None:  # noqa: ARG002
        return None

    def heard(self, message: Message, now: float) -> None:
        pass

    def closing(self) -> bytes:
        return b""
