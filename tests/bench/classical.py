"""Cards read the classical way: contours of four corners on a thresholded picture, the index corner cut out, and templates.

The approach is the one that most published readers of playing cards take; the code is our own. It has to be taught each
deck: it is given the templates of the very deck that it then reads.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.opencv import Image, Points
from hardware.camera.reading import Reading, SeenCard
from hardware.camera.training.faces import RANKS, SUITS
from tests.hardware.camera.tables import face, index_of

_FLAT: Final = (250, 350)
_RANK: Final = (56, 100)  # the size at which ranks are compared, and suits
_SUIT: Final = (70, 80)
_BRIGHTER: Final = 60  # than the table, by so many levels, is a card
_LEAST_SHARE: Final = 0.002  # of the picture that a card covers
_WORST: Final = (0.14, 0.1)  # how much a rank, a suit may differ from its template: mean absolute difference

Mask = NDArray[np.uint8]


class Classical:
    """A reader of one deck."""

    def __init__(self, design: str) -> None:
        box = index_of(design)
        self._corner = (round(2.2 * box.middle), round(box.low + 8))
        self._parted = round((box.rank_low + box.low) / 2 - 0.5 * (box.low - box.rank_low) + 2)
        flat = {
            c: opencv.resize(face(design, Card(c)), *_FLAT)
            for c in [*(r + "s" for r in RANKS), *("A" + s for s in SUITS)]
        }
        self._ranks = {r: self._glyphs(flat[r + "s"])[0] for r in RANKS}
        self._suits = {s: self._glyphs(flat["A" + s])[1] for s in SUITS}

    def recognise(self, image: Image) -> Reading:
        """The cards that lie apart in a picture."""
        grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
        level = float(np.median(grey)) + _BRIGHTER
        _, bright = cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)
        contours, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        found = []
        for contour in contours:
            rough = cv2.approxPolyDP(contour, 0.02 * cv2.arcLength(contour, True), True)
            if len(rough) == 4 and cv2.contourArea(contour) > _LEAST_SHARE * grey.size:
                corners = _upright(rough[:, 0].astype(np.float32))
                card = self._best(image, corners)
                found += [] if card is None else [SeenCard(card, 1.0, corners)]
        return Reading(tuple(found), (), 0.0)

    def _best(self, image: Image, corners: Points) -> Card | None:
        onto = np.array([(0, 0), (_FLAT[0], 0), _FLAT, (0, _FLAT[1])], np.float32)
        flat = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, onto), _FLAT)
        rank, suit = self._glyphs(np.asarray(flat, np.uint8))
        one, two = _nearest(rank, self._ranks, _WORST[0]), _nearest(suit, self._suits, _WORST[1])
        return None if one is None or two is None else Card(one + two)

    def _glyphs(self, flat: Image) -> tuple[Mask, Mask]:
        """The rank and the suit in the left top corner of a card seen flat, each cut to its ink."""
        wide, high = self._corner
        corner = cv2.resize(cv2.cvtColor(flat[:high, :wide], cv2.COLOR_BGR2GRAY), None, fx=4, fy=4)
        white = float(corner[:8].mean())
        _, ink = cv2.threshold(corner, max(1.0, white - 50), 255, cv2.THRESH_BINARY_INV)
        return _cut(ink[: 4 * self._parted], _RANK, 2), _cut(ink[4 * self._parted :], _SUIT, 1)


def _cut(ink: cv2.typing.MatLike, size: tuple[int, int], most: int) -> Mask:
    """The largest patches of ink, so many (a 10 has two), but those that run on to the right, as a court's frame does; cut to
    their rim, at one size for all."""
    contours, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole = [c for c in contours if cv2.contourArea(c) > 150 and c[:, 0, 0].max() < ink.shape[1] - 2]
    large = sorted(whole, key=cv2.contourArea)[-most:]
    if not large:
        return np.zeros(size[::-1], np.uint8)
    left, top, wide, high = cv2.boundingRect(np.concatenate(large))
    return np.asarray(cv2.resize(ink[top : top + high, left : left + wide], size), np.uint8)


def _nearest(glyph: Mask, templates: dict[str, Mask], worst: float) -> str | None:
    off = {name: float(cv2.absdiff(glyph, template).mean()) / 255 for name, template in templates.items()}
    best = min(off, key=lambda name: off[name])
    return best if off[best] < worst else None


def _upright(corners: Points) -> Points:
    """The corners clockwise as seen, the long sides left and right."""
    middle = corners.mean(axis=0)
    ordered = corners[np.argsort(np.arctan2(*(corners - middle).T[::-1]))]
    sides = np.linalg.norm(np.roll(ordered, -1, axis=0) - ordered, axis=1)
    return ordered if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(ordered, -1, axis=0)
