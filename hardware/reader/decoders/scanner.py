"""Finds frames that begin with a mark and tell their own length, and finds the way back after damage.

    noise │ mark … frame that holds │ mark … fails ┄┄ damage ┄┄ │ mark … frame that holds │ mark … unfin
    ──────┼─────────────────────────┼───────────────────────────┼─────────────────────────┼─────────────→
    Noise │ its messages            │ one BadFrame              │ its messages            │ held

A format gives its mark and a `Judge`, which says of the bytes from a mark on: a frame, failed, or not yet known.

Recovery:
- A frame that fails costs its mark alone: the bytes behind the mark are searched again, so a length that lies can't
  swallow the frames behind it.
- From a mark whose frame fails, all up to the next frame that holds is one stretch of damage, hence one BadFrame.
- At the end an unfinished frame fails, and so what lies behind its mark is searched again too.
- Rubbish without end is told in pieces of `STRETCH_LIMIT` bytes, so that memory is bounded and nothing goes unseen.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from hardware.reader.messages import BadFrame, Message, Noise

STRETCH_LIMIT: Final = 1024  # bytes of noise or damage told at once


class Frame(NamedTuple):
    """A frame's end is known: its `size` in bytes from the mark on, and what it says."""

    size: int
    messages: tuple[Message, ...]


class Failed(NamedTuple):
    """No frame begins at this mark."""

    reason: str


Judge = Callable[[bytes, int], Frame | Failed | None]
"""`judge(held, at)`: what begins at the mark `held[at:]`; None while more bytes are needed to say.

What it has said it must not take back when more bytes are there.
"""


class FrameScanner:
    """The decoder of such a format.

    `mark`: what a frame begins with, at most `mark_size` bytes. `idle`: bytes that mean nothing around noise.
    """

    def __init__(self, mark: re.Pattern[bytes], mark_size: int, judge: Judge, idle: bytes = b"") -> None:
        self._mark: Final = mark
        self._mark_size: Final = mark_size
        self._judge: Final = judge
        self._idle: Final = idle
        self._held = b""  # a stretch of noise or damage, then what is not judged yet
        self._judged = 0  # where that stretch ends in `_held`
        self._damage: str | None = None  # why the stretch is damage; None where it is noise

    def feed(self, chunk: bytes, /) -> list[Message]:
        return self._scan(chunk, ended=False)

    def end(self) -> list[Message]:
        messages = self._scan(b"", ended=True)
        self._damage = None
        return messages

    def _scan(self, chunk: bytes, *, ended: bool) -> list[Message]:
        held, start, at = self._held + chunk, 0, self._judged  # held[start:at] is the stretch
        messages: list[Message] = []
        while found := self._mark.search(held, at):
            at = found.start()
            verdict = self._judge(held, at)
            if verdict is None:
                if not ended:
                    break
                verdict = Failed("unfinished")
            if isinstance(verdict, Frame):
                messages += self._told(held[start:at])
                messages += verdict.messages
                self._damage = None
                start = at = at + verdict.size
            elif self._damage is None:
                messages += self._told(held[start:at])
                self._damage = verdict.reason
                start, at = at, at + 1
            else:
                at += 1
        else:
            at = len(held) if ended else max(at, len(held) - self._mark_size + 1)
        whole = at if ended else at - (at - start) % STRETCH_LIMIT
        messages += self._told(held[start:whole])
        self._held, self._judged = held[whole:], at - whole
        return messages

    def _told(self, stretch: bytes) -> list[Message]:
        if self._damage is None and not stretch.strip(self._idle):
            return []  # as between any two frames of a clean stream
        pieces = [stretch[at : at + STRETCH_LIMIT] for at in range(0, len(stretch), STRETCH_LIMIT)]
        if self._damage is not None:
            return [BadFrame(self._damage, piece) for piece in pieces]
        return [Noise(visible) for piece in pieces if (visible := piece.strip(self._idle))]
