"""Readers that send a line of text per tag: most shoes, barcode scanners, microcontrollers.

    04 06 B9 02 0A 54 81 \\n            spaces dropped, an even number of hex digits: a UID
    STX 04A1B2C3D4E5F6 ETX \\r \\n       STX and ETX are optional and dropped
    \\r \\n \\r \\n                        empty lines are nothing
    SEAT 3 CARD As \\r                  with a pattern, its named groups decide; the line stands as sent

Recovery: the next CR, LF or STX starts afresh. STX inside a line ends it as a bad frame. A line that grows
beyond `LINE_LIMIT` is one bad frame, and what follows up to its end belongs to it.

Source: protocols sheet, "ASCII line".
"""

import re
from typing import Final

from dealer_assist.game.cards import parse_card
from dealer_assist.game.errors import UnknownCard
from hardware.reader.errors import BadSettings, Fault
from hardware.reader.messages import BadFrame, CardCode, Message, Notice, Tag

LINE_LIMIT: Final = 256  # bytes held of one line
GROUPS: Final = ("card", "uid", "seat", "event")

_STX: Final = b"\x02"
_ETX: Final = b"\x03"
# A stream is marks (which end what came before) and runs of text between them.
_PIECE: Final = re.compile(rb"[\r\n\x02]|[^\r\n\x02]+")
_MARKS: Final = (b"\r", b"\n", _STX)
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2})+")


class LineDecoder:
    """Lines of text into tags; see the module for the format.

    `pattern`: a regular expression that must match the whole line (without STX, ETX and terminator), with one or
    more of the named groups `card`, `uid`, `seat`, `event`.
    Raises: BadSettings, for a pattern that does not compile or has none of these groups.
    """

    def __init__(self, pattern: str | None = None) -> None:
        self._pattern = None if pattern is None else compile_pattern(pattern)
        self._held = bytearray()
        self._overlong = False

    def feed(self, chunk: bytes, /) -> list[Message]:
        messages: list[Message] = []
        for piece in _PIECE.findall(chunk):
            if piece not in _MARKS:
                messages += self._hold(piece)
                continue
            messages += self._interrupt("cut short by a new STX") if piece == _STX else self._finish()
        return messages

    def end(self) -> list[Message]:
        return self._interrupt("no line end")

    def _hold(self, text: bytes) -> list[Message]:
        if self._overlong:
            return []
        self._held += text[: LINE_LIMIT + 1 - len(self._held)]
        if len(self._held) <= LINE_LIMIT:
            return []
        data = self._take()
        # Told at once: rubbish that never pauses and never ends a line must not go unseen.
        self._overlong = True
        return [BadFrame(f"line longer than {LINE_LIMIT} bytes; the rest up to its end goes with it", data)]

    def _finish(self) -> list[Message]:
        line = self._take()
        if not _visible(line):
            return []
        return [read_hex(line) if self._pattern is None else read_pattern(self._pattern, line)]

    def _interrupt(self, reason: str) -> list[Message]:
        line = self._take()
        return [BadFrame(reason, line)] if _visible(line) else []

    def _take(self) -> bytes:
        line = bytes(self._held)
        self._held.clear()
        self._overlong = False
        return line


def read_hex(line: bytes) -> Tag | BadFrame:
    """The tag that a line of hex digits names; spaces and ETX anywhere in it are dropped."""
    uid = as_uid(_visible(line).decode("latin-1"))
    return Tag(uid) if uid is not None else BadFrame("not an even number of hex digits", line)


def read_pattern(pattern: re.Pattern[str], line: bytes) -> Message:
    """What the pattern's groups make of a line. Latin-1, so that each byte is one character of the pattern's text."""
    match = pattern.fullmatch(line.translate(None, _ETX).decode("latin-1"))
    if match is None:
        return BadFrame("line does not match the pattern", line)
    groups: dict[str, str | None] = match.groupdict()
    code, uid_text, seat, event = (groups.get(name) for name in GROUPS)
    uid = None if uid_text is None else as_uid(uid_text.replace(" ", ""))
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


def as_uid(text: str) -> str | None:
    """The UID of an even number of hex digits (2 or more) in upper case, or None."""
    return text.upper() if _HEX.fullmatch(text) else None


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


def _visible(line: bytes) -> bytes:
    return line.translate(None, b" " + _ETX)
