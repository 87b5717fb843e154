"""What every simulated reader is: a device's side of a wire format, in bytes. It has no port, clock or thread.

A device that only talks says by itself what lies before it, again and again. One that is asked says nothing but
answers. Which tags lie there is the owner's to say; the device keeps only what a real one keeps: half a command,
whether it was woken, what it was told to do.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar, NamedTuple, Protocol

Lying = Sequence[bytes]
"""The UIDs of the tags that lie before the antenna, in the order laid down."""


class Said(NamedTuple):
    """Bytes that go to the reader's program in one piece.

    `of_tags`: whether this was a tag's turn, although it may have come to nothing.
    """

    data: bytes
    of_tags: bool = False


class Device(Protocol):
    """One reader since its power came.

    `hears`: whether it takes commands at all. `damaged`: a frame that fails, as a disturbance leaves one.
    """

    hears: ClassVar[bool]
    damaged: ClassVar[bytes]

    @property
    def talks(self) -> bool:
        """Whether it says by itself what lies there."""

    def check(self, uid: bytes, /) -> None:
        """Raises: ValueError, for a UID that no tag of its kind has."""

    def speak(self, lying: Lying, /) -> Said:
        """What it says by itself, once; no bytes where it has nothing to say."""

    def answer(self, chunk: bytes, lying: Lying, /) -> list[Said]:
        """What it answers to these bytes of a program's, in any chunking."""


SILENCE = Said(b"")


class TalkingDevice:
    """A device that hears nothing."""

    hears: ClassVar[bool] = False

    @property
    def talks(self) -> bool:
        return True

    def answer(self, _chunk: bytes, _lying: Lying, /) -> list[Said]:
        return []


class AskedDevice:
    """A device that says nothing unless it is asked."""

    hears: ClassVar[bool] = True

    @property
    def talks(self) -> bool:
        return False

    def speak(self, _lying: Lying, /) -> Said:
        return SILENCE


def require_size(uid: bytes, sizes: Collection[int], kind: str) -> None:
    """Raises: ValueError, where such a tag has no UID of this size."""
    if len(uid) not in sizes:
        expected = " or ".join(map(str, sizes))
        raise ValueError(f"expected a UID of {expected} bytes, as {kind} have, found {uid.hex().upper()}")
