"""The cards read so far in one picture, and where they lie."""

import numpy as np
from numpy.typing import NDArray

from hardware.camera.crops import grown, turned
from hardware.camera.opencv import Points
from hardware.camera.reading import SeenCard

GROWN = 1.1  # of a card's size: within which a patch, or a blurred rim, is a part of it
_TO_THE_RIGHT = 0.76  # of a card's width: between the two indices at its top, where a deck has four
_ONE_PLACE = 0.16  # of a card's width: within which two corners are one; those of a row stand further apart
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
        return bool(_inside(grown(self._corners, GROWN), outline[:: max(1, len(outline) // _SOME)]).all(axis=1).any())

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
    """Whether two readings of a card may be of the same: from its two index corners, or twice from one, or beside it from
    one of the two more that a four-cornered deck has."""
    diagonal = float(np.hypot(*(one[2] - one[0])))
    ends = min(float(np.hypot(*(a - b))) for a in (one[0], one[2]) for b in (two[0], two[2]))
    middles = float(np.hypot(*(one.mean(axis=0) - two.mean(axis=0))))
    return ends < 0.3 * diagonal or middles < 0.35 * diagonal or _beside(one, two) or _beside(two, one)


def _beside(one: Points, two: Points) -> bool:
    """Whether two lies as a card would that was told by an index at the right of the first, either way up.

    Such an index stands three quarters of a width to the right of the one by which a card is told.
    """
    across = float(np.hypot(*(one[1] - one[0])))
    for card in (one, turned(one)):
        way = card[1] - card[0]
        away = float(np.hypot(*(two[0] - card[0] - _TO_THE_RIGHT * way)))
        if (two[1] - two[0]) @ way > 0.8 * across**2 and away < 0.25 * across:
            return True
    return False


def at_its_foot(card: Points, told: Points) -> bool:
    """Whether what is told lies as a card would, upside down beside the first, that was told by the index at the first one's
    lower left, where a deck has four."""
    way = card[1] - card[0]
    across = float(np.hypot(*way))
    away = told[0] - card[3] - (1 - _TO_THE_RIGHT) * way
    return float((told[1] - told[0]) @ way) < -0.8 * across**2 and float(np.hypot(*away)) < 0.25 * across


def one_corner(one: Points, two: Points) -> bool:
    """Whether the first corners of two cards are one place, and the cards lie the same way from it."""
    slack = _ONE_PLACE * float(np.hypot(*(two[1] - two[0])))
    return float(np.hypot(*(one[0] - two[0]))) < slack and float((one[1] - one[0]) @ (two[1] - two[0])) > 0


def face_each_other(one: Points, two: Points) -> bool:
    """Whether two corners may be a card's two ends, whatever its size is: the other way up, and one right of and below the
    other by about as much as a card is wide and high. The cards' own sizes are but guesses."""
    right, down = one[1] - one[0], one[3] - one[0]
    across = float(np.hypot(*right))
    x, y = (float((two[0] - one[0]) @ way) / float(way @ way) * float(np.hypot(*way)) for way in (right, down))
    turned_round = float(right @ (two[1] - two[0])) < -0.8 * across**2
    return turned_round and 0.5 * across < x < 2 * across and 0.9 * x < y < 2.2 * x


def may_be_one(one: Points, two: Points, slack: float) -> bool:
    """Whether two cards may be one: told from opposite corners, and as far apart, but for that share of its diagonal."""
    off = float(np.hypot(*(two[0] - one[2])))
    return face_each_other(one, two) and off < slack * float(np.hypot(*(one[2] - one[0])))


def told_by_a_corner_of(card: Points, told: Points) -> bool:
    """Whether a card that was told by one index is another one, told by an index of that one's."""
    return one_corner(told, card) or one_corner(told, turned(card)) or _beside(card, told)


def same_outline(one: Points, two: Points) -> bool:
    """Whether two outlines are one card's, from either of its index corners."""
    slack = 0.25 * float(np.hypot(*(two[1] - two[0])))
    return any(float(np.abs(one - same).max()) < slack for same in (two, turned(two)))
