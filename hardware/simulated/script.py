"""The fault script of a virtual reader: what goes wrong, and when, as a TOML file.

    [[faults]]
    at = 7                     # the seventh card presented since the start …
    kind = "cut_frame"
    keep = 9                   # bytes that still go out; left out: half of the frame

    [[faults]]
    at = "before the reveal"   # … or the first one after the owner called out this point (`reach`)
    kind = "unplug"
    when = "within"
    replug_after_s = 2.0

Several faults may befall one card, in the order of the file. A named point may be reached again and again. What goes
wrong with the tag:

    missed_card                       it is never read
    double_read     after             it is read once more when `after` further cards have passed (0: at once)
    swapped_cards                     it is read only behind the next card
    unknown_tag     uid               a tag of this UID is read in its place
    ghost           uid               a tag of this UID, which is not there, is read before it

What goes wrong with its frame (with an answer, where the reader is asked); the marked ones last while the tag is there,
the others befall its first frame only:

    noise           data              these bytes (hex) come before it
    cut_frame       keep              it breaks off after so many bytes
    joined_frames                     it waits, and goes out in one piece with the next frame
    byte_at_a_time  gap_s           * each byte goes by itself, so many seconds apart
    wrong_speed     sent, read      * it is sent at one speed and read at another, in baud
    slow_answer     delay_s         * it comes so late
    unplug          when              "before": the plug is pulled and it never goes out; "within": after half of it;
                    replug_after_s    "after": behind it. Put back so many seconds later; left out: not by the script
    silent_death                      from it on nothing is said, although the port stands; a replug ends that

A key or kind that is not known is refused by its place: `faults[2].keeep: unknown; is it a typo?`
"""

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import msgspec

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.settings import shaped

Count = Annotated[int, msgspec.Meta(ge=1)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=60)]
Hex = Annotated[str, msgspec.Meta(pattern="^([0-9A-Fa-f]{2})+$")]
Name = Annotated[str, msgspec.Meta(min_length=1)]


class When(StrEnum):
    """Where the plug is pulled: before a frame, within it, after it."""

    before = "before"
    within = "within"
    after = "after"


class _Fault(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", forbid_unknown_fields=True):
    at: Count | Name


class MissedCard(_Fault, frozen=True, kw_only=True, tag="missed_card"):
    """It is never read."""


class DoubleRead(_Fault, frozen=True, kw_only=True, tag="double_read"):
    """It is read once more."""

    after: Annotated[int, msgspec.Meta(ge=0)] = 0


class SwappedCards(_Fault, frozen=True, kw_only=True, tag="swapped_cards"):
    """It is read behind the next card."""


class UnknownTag(_Fault, frozen=True, kw_only=True, tag="unknown_tag"):
    """Another tag is read in its place."""

    uid: Hex


class Ghost(_Fault, frozen=True, kw_only=True, tag="ghost"):
    """A tag that is not there is read before it."""

    uid: Hex


class NoiseBytes(_Fault, frozen=True, kw_only=True, tag="noise"):
    """Bytes that are no frame."""

    data: Hex


class CutFrame(_Fault, frozen=True, kw_only=True, tag="cut_frame"):
    """The frame breaks off."""

    keep: Count | None = None


class JoinedFrames(_Fault, frozen=True, kw_only=True, tag="joined_frames"):
    """Two frames come in one piece."""


class ByteAtATime(_Fault, frozen=True, kw_only=True, tag="byte_at_a_time"):
    """The frame trickles."""

    gap_s: Seconds = 0.001


class WrongSpeed(_Fault, frozen=True, kw_only=True, tag="wrong_speed"):
    """The frame is read at another speed than it is sent."""

    sent: Count = 9600
    read: Count = 19200


class SlowAnswer(_Fault, frozen=True, kw_only=True, tag="slow_answer"):
    """The frame comes late."""

    delay_s: Seconds


class UnplugAt(_Fault, frozen=True, kw_only=True, tag="unplug"):
    """The plug is pulled."""

    when: When
    replug_after_s: Seconds | None = None


class SilentDeath(_Fault, frozen=True, kw_only=True, tag="silent_death"):
    """Nothing more is said."""


FrameFault = (
    NoiseBytes | CutFrame | JoinedFrames | ByteAtATime | WrongSpeed | SlowAnswer | UnplugAt | SilentDeath
)  # what befalls the bytes of a frame
TagFault = MissedCard | DoubleRead | SwappedCards | UnknownTag | Ghost  # what befalls the tag before the antenna
Fault = TagFault | FrameFault


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that goes wrong with one reader."""

    faults: tuple[Fault, ...] = ()


HARMLESS: Final = Script()


def read_script(text: str) -> Script:
    """Raises: BadSetting, with the path of what does not fit."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSetting("the script", f"expected TOML, found: {error}") from None
    return shaped(raw, Script)


def load_script(path: Path) -> Script:
    """The script of a file. Raises: BadSetting, with the file and the path of what does not fit."""
    try:
        return read_script(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(str(path), f"expected a readable file, found: {error}") from None
    except BadSetting as error:
        raise BadSetting(f"{path}: {error.path}", error.finding) from None


class Course:
    """A script on its way: counts the cards, hears the points, and gives what befalls each card."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._presented = 0
        self._reached: list[str] = []

    def reach(self, point: str) -> None:
        """The owner calls out a point. Raises: ValueError, for one that the script does not name."""
        known = {fault.at for fault in self._script.faults if isinstance(fault.at, str)}
        if point not in known:
            raise ValueError(f"no point {point!r}; known: {', '.join(sorted(known)) or 'none'}")
        self._reached.append(point)

    def befalls_next(self) -> tuple[Fault, ...]:
        """What befalls the next card."""
        self._presented += 1
        due = (self._presented, *self._reached)
        self._reached.clear()
        return tuple(fault for fault in self._script.faults if fault.at in due)
