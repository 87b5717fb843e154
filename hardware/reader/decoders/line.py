"""Readers that send a line of text per tag: most shoes, barcode scanners, microcontrollers.

    04 06 B9 02 0A 54 81 \\n            spaces dropped, an even number of hex digits: a UID
    STX 04A1B2C3D4E5F6 ETX \\r \\n       STX and ETX are optional and dropped
    \\r \\n \\r \\n                        empty lines are nothing
    SEAT 3 CARD As \\r                  with a pattern, its named groups decide; the line stands as sent

Recovery: as for all lines, see `lines`. STX inside a line ends it as a bad frame and starts a new one.

Source: protocols sheet, "ASCII line".
"""

import re
from functools import partial
from typing import Final

from dealer_assist.game.cards import parse_card
from dealer_assist.game.errors import UnknownCard
from hardware.reader.decoders.lines import LineScanner, as_hex
from hardware.reader.errors import BadSettings, Fault
from hardware.reader.messages import BadFrame, CardCode, Message, Notice, Tag

GROUPS: Final = ("card", "uid", "seat", "event")

_ETX: Final = b"\x03"
_BLANK: Final = b" " + _ETX


class LineDecoder(LineScanner):
    """Lines of text into tags; see the module for the format.

    `pattern`: a regular expression that must match the whole line (without STX, ETX and terminator), with one or
    more of the named groups `card`, `uid`, `seat`, `event`.
    Raises: BadSettings, for a pattern that does not compile or has none of these groups.
    """

    def __init__(self, pattern: str | None = None) -> None:
        super().__init__(read_hex if pattern is None else partial(read_pattern, compile_pattern(pattern)), _BLANK)


def read_hex(line: bytes) -> Tag | BadFrame:
    """The tag that a line of hex digits names; spaces and ETX anywhere in it are dropped."""
    uid = as_hex(line.translate(None, _BLANK).decode("latin-1"))
    return Tag(uid) if uid is not None else BadFrame("not an even number of hex digits", line)


def read_pattern(pattern: re.Pattern[str], line: bytes) -> Message:
    """What the pattern's groups make of a line. Latin-1, so that each byte is one character of the pattern's text."""
    match = pattern.fullmatch(line.translate(None, _ETX).decode("latin-1"))
    if match is None:
        return BadFrame("line does not match the pattern", line)
    groups: dict[str, str | None] = match.groupdict()
    code, uid_text, seat, event = (groups.get(name) for name in GROUPS)
    uid = None if uid_text is None else as_hex(uid_text.replace(" ", ""))
    if uid_text is not None and uid is None:
        return BadFrame("the UID is not an even number of hex digits", line)
    if code is not None:
        try:
            return CardCode(parse_card(code), uid, seat, event)
        except UnknownCard:
            return BadFrame("no such card", line)
    if uid is not None:
        return Tag(uid, seat, event)
    if event is not None:
        return Notice(event, seat)
    return BadFrame("the line names no card, UID or event", line)


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Raises: BadSettings, for a pattern that does not compile or has no group this decoder knows."""
    try:
        # ASCII: \\d and \\w must not accept the letters and digits that stray bytes stand for in Latin-1.
        compiled = re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadSettings(Fault("pattern", "a regular expression", f'"{pattern}" ({error})')) from None
    if not set(GROUPS) & set(compiled.groupindex):
        expected = "a named group such as (?P<uid>...) out of " + ", ".join(GROUPS)
        raise BadSettings(Fault("pattern", expected, f'"{pattern}"'))
    return compiled
