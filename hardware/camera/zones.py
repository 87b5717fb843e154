"""Where cards lie on the felt, in millimetres: a zone for the dealer's hand and one for each seat's.

The felt's frame has its origin at the middle of the calibration page, x to the dealer's right, y away from him. A place is
a seat (1 to 4 from the dealer's left), 0 for the dealer's own, or None: in no zone, or across two.
"""

import math
from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.settings import require

Points = NDArray[np.floating]
Place = int | None

DEALER: Final = 0

_SEATS_ON: Final = (0.0, -650.0, 920.0)  # a circle on which the seats' middles lie: its middle and its radius
_SEAT_EVERY: Final = math.radians(21)
_SEAT_SIZE: Final = (280.0, 180.0)
_DEALERS: Final = (-210.0, -300.0, 210.0, -165.0)  # left, near, right, far


class Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`seat`: whose cards lie here, 0 for the dealer's. `corners`: of a convex outline on the felt, in mm, in order."""

    seat: int
    corners: tuple[tuple[float, float], ...]

    @property
    def outline(self) -> NDArray[np.float64]:
        """The corners, [n, 2]."""
        return np.array(self.corners, np.float64)


class ZonePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A felt's zones, and a card's width and height in mm."""

    zones: tuple[Zone, ...]
    card_mm: tuple[float, float] = (63.0, 88.0)

    def check(self) -> None:
        """Raises: BadSetting, for what can't be a felt's plan."""
        wide, high = self.card_mm
        require(40 <= wide < high <= 130, "card_mm", "a card's width and height in mm", list(self.card_mm))
        require(len(self.zones) > 0, "zones", "a zone at least", "none")
        for at, zone in enumerate(self.zones):
            require(0 <= zone.seat <= 4, f"zones[{at}].seat", "1 to 4, or 0 for the dealer's place", zone.seat)
            fit = len(zone.corners) >= 3 and is_convex(zone.outline)
            require(fit, f"zones[{at}].corners", "the corners of a convex outline, in order", zone.corners)
            for other in self.zones[:at]:
                require(other.seat != zone.seat, f"zones[{at}].seat", "one zone a seat", f"seat {zone.seat} twice")
                apart = not overlap(zone.outline, other.outline)
                require(apart, f"zones[{at}].corners", f"no overlap with the zone of {place_name(other.seat)}", "one")


def place_name(place: Place) -> str:
    """A place in words."""
    if place is None:
        return "no place"
    return "dealer" if place == DEALER else f"seat {place}"


def default_zones(seats: int) -> ZonePlan:
    """Zones for the dealer and so many seats, on an arc about him."""
    left, near, right, far = _DEALERS
    dealer = Zone(DEALER, ((left, near), (right, near), (right, far), (left, far)))
    return ZonePlan((dealer, *(_seat_zone(seat, seats) for seat in range(1, seats + 1))))


def _seat_zone(seat: int, seats: int) -> Zone:
    turn = (seat - (seats + 1) / 2) * _SEAT_EVERY
    x, y, radius = _SEATS_ON
    half_wide, half_deep = _SEAT_SIZE[0] / 2, _SEAT_SIZE[1] / 2
    corners = []
    for across, out in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        along, away = across * half_wide, radius + out * half_deep
        at_x = x + along * math.cos(turn) + away * math.sin(turn)
        at_y = y - along * math.sin(turn) + away * math.cos(turn)
        corners.append((round(at_x, 1), round(at_y, 1)))
    return Zone(seat, tuple(corners))


def place_of(zones: Sequence[Zone], card: Points) -> Place:
    """Whose place a card lies at, by its corners on the felt, [4, 2] in mm.

    It is the zone of the card's middle, unless any part of the card's rim reaches into another zone.
    """
    rim = np.concatenate([card, (card + np.roll(card, -1, axis=0)) / 2])
    middle = card.mean(axis=0)
    homes = [zone.seat for zone in zones if within(zone.outline, middle[None])[0]]
    touched = {zone.seat for zone in zones if within(zone.outline, rim).any()}
    return homes[0] if len(homes) == 1 and touched <= set(homes) else None


def within(outline: Points, points: Points) -> NDArray[np.bool_]:
    """Which points, [n, 2], lie in a convex outline, its rim included, whichever way round it runs."""
    sides = np.roll(outline, -1, axis=0) - outline
    away = points[:, None] - outline[None]
    turns = sides[:, 0] * away[:, :, 1] - sides[:, 1] * away[:, :, 0]
    return np.asarray((turns >= 0).all(axis=1) | (turns <= 0).all(axis=1), np.bool_)


def is_convex(outline: Points) -> bool:
    """Whether an outline turns one way all round, once."""
    sides = np.roll(outline, -1, axis=0) - outline
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if not ((turns > 0).all() or (turns < 0).all()):
        return False
    angles = np.arctan2(np.abs(turns), (sides * after).sum(axis=1))
    return bool(abs(angles.sum() - 2 * np.pi) < 1e-6)


def overlap(one: Points, two: Points) -> bool:
    """Whether two convex outlines share more than their rims."""
    for outline in (one, two):
        for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
            across = np.array([start[1] - end[1], end[0] - start[0]])
            a, b = one @ across, two @ across
            if a.max() <= b.min() or b.max() <= a.min():
                return False
    return True


def through(matrix: NDArray[np.floating], points: Points) -> NDArray[np.float64]:
    """Points, [n, 2], through a 3×3 map."""
    placed = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
    return np.asarray(placed[:, :2] / placed[:, 2:], np.float64)


def along(outline: Points, step: float) -> NDArray[np.float64]:
    """Points along a closed outline, about `step` apart, each side beginning at its corner."""
    parts = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        count = max(1, round(float(np.hypot(*(end - start))) / step))
        parts.append(start + np.linspace(0, 1, count, endpoint=False)[:, None] * (end - start))
    return np.concatenate(parts)


def area(outline: Points) -> float:
    """An outline's area."""
    after = np.roll(outline, -1, axis=0)
    return abs(float((outline[:, 0] * after[:, 1] - after[:, 0] * outline[:, 1]).sum())) / 2
