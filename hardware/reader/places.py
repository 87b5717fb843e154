"""Where a reader stands, and where the antennas stand that its lines name."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

SEATS: Final = (0, 1, 2, 3, 4)  # 0: the dealer's place
DEFAULT_ANTENNAS: Final[Mapping[str, int]] = MappingProxyType({str(seat): seat for seat in SEATS if seat})


class Role(StrEnum):
    """What a card means that a reader sees."""

    shoe = "shoe"  # it is dealt
    seat = "seat"  # it lies at a place
    discard = "discard"  # it leaves the felt


class UnknownAntenna(Exception):
    """A line names an antenna that no setting knows, or one that this reader can't have. Its text says which."""


class Place:
    """The place of one reader.

    `seat`: of a reader with an antenna at one place. `antennas`: how lines name the places, and which they are.
    """

    def __init__(self, role: Role, seat: int | None = None, antennas: Mapping[str, int] = DEFAULT_ANTENNAS) -> None:
        self.role: Final = role
        self._seat = seat
        self._antennas = antennas

    def seat(self, named: str | None) -> int | None:
        """The seat of what a message tells, which may name an antenna; None where no place is told.

        Raises: UnknownAntenna. A seat is never made up.
        """
        if named is None:
            return self._seat
        seat = self._antennas.get(named.strip())
        if seat is None:
            known = ", ".join(self._antennas)
            raise UnknownAntenna(f'unknown antenna: expected one of {known}, found "{named}"')
        if self._seat is not None and seat != self._seat:
            raise UnknownAntenna(f'unknown antenna: this reader stands at seat {self._seat}, its line says "{named}"')
        return seat
