"""What faults do to a frame on its way, as acts of the sending end. Pure: the antenna carries the acts out.

frame ──cut_frame──▶ fra
frame ──unplug, within──▶ fr, until it is taken, then the plug is pulled
frame ──joined_frames──▶ held back for the next one
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

from hardware.simulated.script import (
    ByteAtATime,
    CutFrame,
    FrameFault,
    JoinedFrames,
    NoiseBytes,
    SilentDeath,
    SlowAnswer,
    UnplugAt,
    When,
    WrongSpeed,
)

LASTING: Final = (ByteAtATime, WrongSpeed, SlowAnswer)
"""Faults that befall every frame of a card; the others only its first."""


class Pause(NamedTuple):
    """Nothing for so many seconds."""

    seconds: float


class Taken(NamedTuple):
    """Nothing until the program has taken what was sent: a pulled plug would lose it."""


class Hold(NamedTuple):
    """These bytes go out in one piece with what comes next."""

    data: bytes


class Pull(NamedTuple):
    """The plug is pulled, and put back so many seconds later; None: it stays out."""

    replug_after_s: float | None


class Die(NamedTuple):
    """Nothing is said any more."""


Act = bytes | Pause | Taken | Hold | Pull | Die
"""Bytes are sent in one piece."""


def acts_of(frame: bytes, faults: Sequence[FrameFault]) -> list[Act]:
    """What becomes of a frame that these faults befall, one after the other."""
    acts: list[Act] = [frame]
    for fault in faults:
        acts = [after for act in acts for after in (_befallen(act, fault) if isinstance(act, bytes) else (act,))]
    return acts


def _befallen(frame: bytes, fault: FrameFault) -> Iterator[Act]:
    match fault:
        case NoiseBytes(data=data):
            yield from (bytes.fromhex(data), frame)
        case CutFrame(keep=keep):
            yield frame[: keep or len(frame) // 2]
        case JoinedFrames():
            yield Hold(frame)
        case ByteAtATime(gap_s=gap_s):
            for byte in frame:
                yield from (bytes([byte]), Pause(gap_s))
        case WrongSpeed(sent=sent, read=read):
            yield misread(frame, sent, read)
        case SlowAnswer(delay_s=delay_s):
            yield from (Pause(delay_s), frame)
        case UnplugAt(when=when, replug_after_s=replug_after_s):
            gone_out = {When.before: b"", When.within: frame[: len(frame) // 2], When.after: frame}[when]
            yield from (gone_out, Taken(), Pull(replug_after_s))
        case SilentDeath():
            yield Die()
        case _:
            assert_never(fault)


def misread(data: bytes, sent: int, read: int) -> bytes:
    """What a receiver at `read` baud makes of bytes sent at `sent` baud, 8N1.

    A byte on the line is a low start bit, eight bits with the lowest first, a high stop bit:

        ‾‾\\_/‾0‾‾1‾ … ‾7‾/‾‾‾     the receiver starts at the fall and looks at the middle of each of its own bits
    """
    line = [bit for byte in data for bit in (0, *(byte >> at & 1 for at in range(8)), 1)] + [1, 1]
    own_bit = sent / read  # in bits as sent
    heard = bytearray()
    at = 0.0
    while (fall := _next_fall(line, at)) is not None:
        middles = (int(fall + (1.5 + bit) * own_bit) for bit in range(8))
        heard.append(sum((line[middle] if middle < len(line) else 1) << bit for bit, middle in enumerate(middles)))
        at = fall + 9.5 * own_bit
    return bytes(heard)


def _next_fall(line: Sequence[int], at: float) -> int | None:
    """Where the line falls from high to low next; it is high before it begins."""
    start = -int(-at // 1)  # rounded up
    return next((here for here in range(start, len(line)) if not line[here] and (here == 0 or line[here - 1])), None)
