"""What the camera's two processes say to each other: an order to the one that takes pictures, and what comes back.

order (a line of JSON) → ; ← header and payload, any number of times. A picture's payload is its BGR bytes, a word's is
UTF-8. Times are of the system's monotonic clock, which all processes of a machine share.
"""

import struct
from enum import IntEnum
from typing import Final

import msgspec

HEADER: Final = struct.Struct("<BdIII")  # kind, when, width, height, bytes of payload
LARGEST: Final = 3 * 16_384 * 16_384  # bytes of a picture; more is no picture


class Kind(IntEnum):
    """What follows a header."""

    picture = 1
    ended = 2  # the file has been played
    refused = 3  # the source can't be opened, or broke off; the payload says why


class Order(msgspec.Struct, frozen=True):
    """`where`: as of a Source. `size`: width and height to ask a camera for. `rate`: pictures a second that are wanted."""

    where: int | str
    name: str
    size: tuple[int, int] | None
    rate: float
    loop: bool
