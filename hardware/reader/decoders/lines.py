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

_OVERLONG: Final = f"line longer than {LINE_LIMIT} bytes; the rest up to its end goes with it"
_STX: Final = b"\x02"
_MARK: Final = re.compile(rb"([\r\n\x02])")  # ends what came before it
_HEX: Final = re.compile(r"(?:[0-9A-Fa-f]{2})+")


class LineScanner:
    """The decoder of a format of lines.

    `read`: what a line without its terminator says. `blank`: bytes that mean nothing; a line of nothing else is none.
    """

    def __init__(self, read: Callable[[bytes], Message], blank: bytes = b"") -> None:
        self._read: Final = read
        self._blank: Final = blank
        self._held = b""
        self._overlong = False  # what comes up to the next mark belongs to a line that was told already

    def feed(self, chunk: bytes, /) -> list[Message]:
        *pieces, self._held = _MARK.split(self._held + chunk)
        messages: list[Message] = []
        for text, mark in zip(pieces[::2], pieces[1::2], strict=True):
            messages += self._close(text, "cut short by a new STX" if mark == _STX else None)
        if len(self._held) > LINE_LIMIT:
            # Told at once: rubbish that never pauses and never ends a line must not go unseen.
            messages += self._close(self._held, None)
            self._held, self._overlong = b"", True
        return messages

    def end(self) -> list[Message]:
        messages = self._close(self._held, "no line end")
        self._held = b""
        return messages

    def _close(self, line: bytes, fault: str | None) -> list[Message]:
        if self._overlong:
            self._overlong = False
            return []
        if len(line) > LINE_LIMIT:
            return [BadFrame(_OVERLONG, line[: LINE_LIMIT + 1])]
        if not line.translate(None, self._blank):
            return []
        return [self._read(line) if fault is None else BadFrame(fault, line)]


def as_hex(text: str) -> str | None:
    """An even number of hex digits (2 or more) in upper case, or None for any other text."""
    return text.upper() if _HEX.fullmatch(text) else None
