"""UHF modules of the R200 family: YRM100, M100 and their kin.

    BB  02    22   00 11    C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76   EF   7E
    │   type  cmd  length   └ payload ───────────────────────────────────────┘   sum  │
    mark      sum: low byte of type + … + payload                                     closing

    C9    34 00  30 75 1F EB 70 5C 59 04 E3 D5 0D 70  3A 76    a tag's notice (type 02, command 22)
    RSSI  PC     EPC, (PC >> 11) × 2 bytes            CRC

    BB 01 FF 00 01 15 16 7E                                    command FF: an error; 15 says that no tag was seen

Type 01 is an answer, 02 a notice, 00 a command, which is told as an echo. 7E occurs inside EPCs: the length decides
where a frame ends.

Recovery:
- A frame that fails a check, or whose payload makes no sense, is searched again behind its mark; see `scanner`.
- A type that is not known, or a length beyond what these modules send, fails at once, and waits for nothing.

Source: protocols sheet, "R200 / YRM100 UHF".
"""

import re
from typing import Final

from hardware.reader.decoders.scanner import Failed, Frame, FrameScanner
from hardware.reader.messages import Answer, Echo, Message, NoTag, ReaderError, Tag

LONGEST_PAYLOAD: Final = 255

_MARK: Final = re.compile(rb"\xbb")
_CLOSING: Final = 0x7E
_HEADER: Final = 5  # mark, type, command, length
_FRAMING: Final = _HEADER + 2  # and sum, closing
_COMMAND, _ANSWER, _NOTICE = range(3)
_SEEN: Final = 0x22
_FAILED: Final = 0xFF
_NO_TAG: Final = 0x15
_AROUND_EPC: Final = 5  # RSSI, PC, CRC


class R200Decoder(FrameScanner):
    """An R200's frames into tags and answers; see the module for the format."""

    def __init__(self) -> None:
        super().__init__(_MARK, 1, judge)


def judge(held: bytes, at: int) -> Frame | Failed | None:
    """What begins at the mark `held[at]`."""
    if len(held) < at + _HEADER:
        return None
    kind, command = held[at + 1], held[at + 2]
    length = int.from_bytes(held[at + 3 : at + _HEADER])
    if kind > _NOTICE:
        return Failed("no such type")
    if length > LONGEST_PAYLOAD:
        return Failed("no such length")
    total = at + _HEADER + length  # where the sum stands
    if len(held) < total + 2:
        return None
    if sum(held[at + 1 : total]) & 0xFF != held[total]:
        return Failed("wrong sum")
    if held[total + 1] != _CLOSING:
        return Failed("no closing 7E")
    said = read_payload(kind, command, held[at + _HEADER : total])
    return said if isinstance(said, Failed) else Frame(length + _FRAMING, (said,))


def read_payload(kind: int, command: int, payload: bytes) -> Message | Failed:
    """What a frame of this type (0 to 2) and command says."""
    if kind == _COMMAND:
        return Echo(bytes([command]) + payload)
    if (kind, command) == (_NOTICE, _SEEN):
        return read_tag(payload)
    if (kind, command) == (_ANSWER, _FAILED):
        return read_failure(payload)
    return Answer(f"{command:02X}", payload)


def read_tag(payload: bytes) -> Tag | Failed:
    """The tag of a notice; its PC word says how long the EPC is."""
    size = (payload[1] >> 3) * 2 if len(payload) > _AROUND_EPC else 0
    if size == 0 or len(payload) != size + _AROUND_EPC:
        return Failed("the EPC's length is not as its PC says")
    rssi = int.from_bytes(payload[:1], signed=True)
    return Tag(payload[3 : 3 + size].hex().upper(), rssi=rssi)


def read_failure(payload: bytes) -> NoTag | ReaderError | Failed:
    """What went wrong, by the payload's first byte; a tag that was not seen is no error."""
    if not payload:
        return Failed("an error without its code")
    return NoTag() if payload[0] == _NO_TAG else ReaderError(payload[:1].hex().upper())
