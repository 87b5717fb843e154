"""The cards read so far in one picture, and where they lie."""

import numpy as np
from numpy.typing import NDArray

from hardware.camera.opencv import Points
from hardware.camera.reading import SeenCard

_GROWN = 1.1  # of a card's size: within which a patch may lie that is a part of it
_SOME = 16  # points of an outline that are looked at


class Laid:
    """Cards that were read, in the order found."""

    def __init__(self) -> None:
        self.cards: list[SeenCard] = []
        self._corners = np.empty((0, 4, 2), np.float32)
        self._middles = np.empty((0, 2), np.float32)

    def add(self, card: SeenCard) -> None:
        self.cards.append(card)
        self._corners = np.concatenate([self._corners, card.corners[None]])
        self._middles = self._corners.mean(axis=1)

    def covers(self, places: Points) -> NDArray[np.bool_]:
        """Which of some points [n, 2] lie on a card that was read."""
        return np.asarray(_inside(self._corners, places).any(axis=0))

    def is_known(self, point: Points) -> bool:
        """Whether a point lies on a card that was read."""
        return bool(self.covers(point[None])[0])

    def holds(self, outline: Points) -> bool:
        """Whether a patch is a card that was read, or a part of it."""
        grown = self._middles[:, None] + _GROWN * (self._corners - self._middles[:, None])
        return bool(_inside(grown, outline[:: max(1, len(outline) // _SOME)]).all(axis=1).any())

    def size_near(self, point: Points) -> tuple[float, float]:
        """The width and height in pixels of the card read that lies nearest to a point. There must be one."""
        return size_of(self._corners[np.abs(self._middles - point).sum(axis=1).argmin()])


def size_of(corners: Points) -> tuple[float, float]:
    """The width and height of a card, in pixels, each the mean of two sides."""
    sides = np.linalg.norm(corners[[1, 2, 3, 0]] - corners, axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _inside(quads: NDArray[np.floating], places: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Whether points [n, 2] lie within quads [k, 4, 2], their corners clockwise as seen: bool [k, n]."""
    sides = (quads[:, [1, 2, 3, 0]] - quads)[:, :, None]
    away = places[None, None] - quads[:, :, None]
    return np.asarray((sides[..., 0] * away[..., 1] - sides[..., 1] * away[..., 0] >= 0).all(axis=1))


def one_card(one: Points, two: Points) -> bool:
    """Whether two readings of a card may be of the same: from its two index corners, or twice from one."""
    diagonal = float(np.hypot(*(one[2] - one[0])))
    ends = min(float(np.hypot(*(a - b))) for a in (one[0], one[2]) for b in (two[0], two[2]))
    middles = float(np.hypot(*(one.mean(axis=0) - two.mean(axis=0))))
    return ends < 0.3 * diagonal or middles < 0.35 * diagonal


def same_card(one: Points, two: Points) -> bool:
    """Whether two outlines are one card's, from either of its index corners."""
    slack = 0.2 * float(np.hypot(*(two[1] - two[0])))
    return any(float(np.abs(one - np.roll(two, turn, axis=0)).max()) < slack for turn in (0, 2))
