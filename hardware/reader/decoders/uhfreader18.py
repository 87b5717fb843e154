"""UHF readers that speak the UHFReader18 protocol.

    11   00   EE   00      20 00 70 8C 2B 38 0B 2D 00 00 00 00   E0 56
    LEN  ADR  CMD  STATUS  data                                  CRC-16, low byte first, over all before it
    └ bytes that follow it

    EE  00                a tag that the reader reports by itself: the data is its EPC
    01  01, 02, 03, 04    an inventory: a count, then for each tag a length byte and an EPC
    01  FB                an inventory that found none
    21  00                what the reader tells of itself
    01, 21  F8 … FF       an error

    56 00 00 00 00 00     the heartbeat, whole: its first byte is no length
    04 FF 01 1B B4        a command, which has no status: told as an echo

The CRC is CRC-16/MCRF4XX: polynomial 8408 (reflected), begun with FFFF. Over a frame and its CRC it comes to 0.

Recovery:
- No byte marks a start. What stands for the mark is a LEN that can be, with a CMD that is known two bytes on; what
  lacks one is noise. One in 65 000 offsets passes the CRC by chance, so CMD and STATUS are looked at before it.
- A frame that fails is searched again behind its LEN; see `scanner`.

Source: protocols sheet, "UHFReader18".
"""

import re
from typing import Final

from fastcrc import crc16

from hardware.reader.decoders.scanner import Failed, Frame, FrameScanner
from hardware.reader.messages import Answer, Echo, Heartbeat, Message, NoTag, ReaderError, Tag

_HEARTBEAT: Final = b"\x56\x00\x00\x00\x00\x00"
_MARK: Final = re.compile(rb"\x56\x00{5}|[\x04-\xff].[\x01\x21\xee]", re.DOTALL)
_MARK_SIZE: Final = len(_HEARTBEAT)

_REPORT: Final = 0xEE
_INVENTORY: Final = 0x01
_INFORMATION: Final = 0x21
_DONE: Final = 0x00
_LISTED: Final = range(0x01, 0x05)
_NONE_SEEN: Final = 0xFB
_ERRORS: Final = range(0xF8, 0x100)
_STATUSES: Final = {
    _REPORT: frozenset({_DONE}),
    _INVENTORY: frozenset({*_LISTED, *_ERRORS}),
    _INFORMATION: frozenset({_DONE, *_ERRORS}),
}

_HEADER: Final = 4  # LEN, ADR, CMD, STATUS
_CRC: Final = 2
_BARE_COMMAND: Final = 5  # a command without data


class UhfReader18Decoder(FrameScanner):
    """A UHFReader18's frames into tags and answers; see the module for the format."""

    def __init__(self) -> None:
        super().__init__(_MARK, _MARK_SIZE, judge)


def judge(held: bytes, at: int) -> Frame | Failed | None:
    """What begins at `held[at]`, a heartbeat or a LEN."""
    if held.startswith(_HEARTBEAT, at):
        return Frame(len(_HEARTBEAT), (Heartbeat(),))
    if len(held) < at + _HEADER:
        return None
    size, command, status = held[at] + 1, held[at + 2], held[at + 3]
    if size > _BARE_COMMAND and status not in _STATUSES[command]:
        return Failed("no such status")
    frame = held[at : at + size]
    if len(frame) < size:
        return None
    if crc16.mcrf4xx(frame):
        return Failed("wrong CRC")
    if size == _BARE_COMMAND:
        return Frame(size, (Echo(frame[1:-_CRC]),))
    said = read_data(command, status, frame[_HEADER:-_CRC])
    return said if isinstance(said, Failed) else Frame(size, said)


def read_data(command: int, status: int, data: bytes) -> tuple[Message, ...] | Failed:
    """What an answer says; its status is one that the command can have."""
    if command == _REPORT:
        return (Tag(data.hex().upper()),) if data else Failed("a tag without its EPC")
    if command == _INVENTORY and status in _LISTED:
        return read_inventory(data)
    if command == _INVENTORY and status == _NONE_SEEN:
        return (NoTag(),)
    if status != _DONE:
        return (ReaderError(f"{status:02X}"),)
    return (Answer(f"{command:02X}", data),)


def read_inventory(data: bytes) -> tuple[Message, ...] | Failed:
    """Each tag of an inventory, in the order listed. The count and the lengths must come out even."""
    tags = []
    at = 1
    while at < len(data):
        start, at = at + 1, at + 1 + data[at]
        tags.append(Tag(data[start:at].hex().upper()))
    if at != len(data) or data[0] != len(tags) or not all(tag.uid for tag in tags):
        return Failed("the inventory's count and lengths don't come out even")
    return tuple(tags) or (NoTag(),)
