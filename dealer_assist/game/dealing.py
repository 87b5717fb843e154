"""Where each card goes: seats from the dealer's left to his right, the dealer last.

Source: sheet D "Käden jakaminen" 2; one card at a time or whole packets as the profile or the table says.
"""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final, NewType

import msgspec

Seat = NewType("Seat", int)
"""1 (the dealer's far left) … 4 (his far right); 0 stands for the dealer himself."""

DEALER: Final = Seat(0)
SEATS: Final = (Seat(1), Seat(2), Seat(3), Seat(4))
HAND_SIZE: Final = 5


class Pattern(StrEnum):
    """How cards leave the shoe: five rounds of one card each, or five at a time."""

    single = "single"
    packet = "packet"


class Upcard(StrEnum):
    """Which of the dealer's five cards is turned up."""

    first = "first"
    last = "last"


class Facing(StrEnum):
    """How players' cards lie."""

    up = "up"
    down = "down"


class Place(msgspec.Struct, frozen=True):
    """One card's place on the felt: whose hand, and which of its five cards, 0 … 4."""

    holder: Seat
    slot: int


@cache
def dealing_order(seats: tuple[Seat, ...], pattern: Pattern) -> tuple[Place, ...]:
    """The place of each card in the order drawn; `seats` ascending, without the dealer."""
    holders = (*seats, DEALER)
    if pattern is Pattern.single:
        return tuple(Place(holder, slot) for slot in range(HAND_SIZE) for holder in holders)
    return tuple(Place(holder, slot) for holder in holders for slot in range(HAND_SIZE))


@cache
def hand_positions(seats: tuple[Seat, ...], pattern: Pattern) -> Mapping[Seat, tuple[int, ...]]:
    """For each hand, the positions in the dealing order of its five cards, in slot order."""
    order = dealing_order(seats, pattern)
    at = {holder: tuple(at for at, place in enumerate(order) if place.holder == holder) for holder in (*seats, DEALER)}
    return MappingProxyType(at)


def upcard_slot(upcard: Upcard) -> int:
    """The slot, 0 … 4, of the dealer's upcard."""
    return 0 if upcard is Upcard.first else HAND_SIZE - 1
