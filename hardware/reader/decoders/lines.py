"""Cuts a stream into lines and finds the way back after damage.

    text CR  text LF  text CR LF  STX text ETX CR  tex STX text CR
    └ read ┘ └ read ┘ └ read ┘        └ read ┘     └┬┘     └ read ┘
                                                    cut short: a BadFrame

Recovery: the next CR, LF or STX starts afresh. A line that grows beyond `LINE_LIMIT` is one bad frame, and what follows
up to its end belongs to it.
"""

import re
from collections.abc import Callable
from typing import Final

from hardware.reader.messages import BadFrame, Message

LINE_LIMIT: Final = 256  # bytes held of one line

_STX: Final = b"\x02"
# A stream is marks (which end what came before) and runs of text between them.
_PIECE: Final = re.compile(rb"[\r\n\x02]|[^\r\n\x02]+")
_MARKS: Final = (b"\r", b"\n", _STX)
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2})+")


class LineScanner:
    """The decoder of a format of lines.

    `read`: what a line without its terminator says. `blank`: bytes that mean nothing; a line of nothing else is none.
    """

    def __init__(self, read: Callable[[bytes], Message], blank: bytes = b"") -> None:
        self._read: Final = read
        self._blank: Final = blank
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
        return [self._read(line)] if line.translate(None, self._blank) else []

    def _interrupt(self, reason: str) -> list[Message]:
        line = self._take()
        return [BadFrame(reason, line)] if line.translate(None, self._blank) else []

    def _take(self) -> bytes:
        line = bytes(self._held)
        self._held.clear()
        self._overlong = False
        return line


def as_hex(text: str) -> str | None:
    """An even number of hex digits (2 or more) in upper case, or None for any other text."""
    return text.upper() if _HEX.fullmatch(text) else None
