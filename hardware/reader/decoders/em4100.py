"""Readers of 125 kHz tags (EM4100): RDM6300, ID-12LA, ID-20LA and their kin.

    02  36 37 30 30 33 42 35 31 43 36  43 42         03      RDM6300, 14 bytes
    02  30 35 30 30 32 30 37 42 33 32  36 43  0D 0A  03      ID-12LA and ID-20LA, 16 bytes
    │   └── ten hex digits: UID ────┘  └─┬─┘         │
    STX                   its five bytes XORed       ETX     digits of either case

Every UID whose checksum holds is a tag, all zeros too: whether it is a card is the deck's to say.

Recovery:
- A frame that fails ends with its ETX, before the next STX, or at `FRAME_LIMIT` bytes. The next one is read.
- Bytes between frames are noise.

Source: protocols sheet, "EM4100 readers".
"""

import re
from typing import Final

from hardware.reader.decoders.scanner import Failed, Frame, FrameScanner
from hardware.reader.messages import BadFrame, Tag

FRAME_LIMIT: Final = 32  # bytes held of one frame: twice the longest that holds

_STX: Final = re.compile(rb"\x02")
_CLOSING: Final = re.compile(rb"[\x02\x03]")
_WHOLE: Final = re.compile(rb"\x02([0-9A-Fa-f]{12})(?:\r\n)?\x03")


class Em4100Decoder(FrameScanner):
    """EM4100 readers' frames into tags; see the module for the format."""

    def __init__(self) -> None:
        super().__init__(_STX, 1, judge)


def judge(held: bytes, at: int) -> Frame | Failed | None:
    """What begins at the STX `held[at]`. A frame that fails has an end too, hence is a `Frame` that says so."""
    whole = _WHOLE.match(held, at)
    if whole is not None:
        digits = whole[1].decode()
        a, b, c, d, e, checksum = bytes.fromhex(digits)
        if a ^ b ^ c ^ d ^ e != checksum:
            return _bad(whole[0], "wrong checksum")
        return Frame(whole.end() - at, (Tag(digits[:10].upper()),))
    closing = _CLOSING.search(held, at + 1, at + FRAME_LIMIT)
    if closing is not None and closing[0] == b"\x02":
        return _bad(held[at : closing.start()], "cut short by a new STX")
    if closing is not None:
        return _bad(held[at : closing.end()], "not twelve hex digits")
    if len(held) - at >= FRAME_LIMIT:
        return _bad(held[at : at + FRAME_LIMIT], f"no end within {FRAME_LIMIT} bytes")
    return None


def _bad(data: bytes, reason: str) -> Frame:
    return Frame(len(data), (BadFrame(reason, data),))
