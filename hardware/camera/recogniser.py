"""Reads the playing cards in a picture. What can't be read for certain is said to be unsure, with its candidates.

picture → outlines → index crops → net → votes → Reading. A wrong card is far worse than none: two corners must agree,
the pips or figure must not gainsay them, the ink must have the suit's colour.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from dealer_assist.game.cards import Card
from hardware.camera import corners as cards_corners
from hardware.camera import opencv, outlines, pips
from hardware.camera.corners import Corner
from hardware.camera.crops import CARD, LOW, Pyramid, turned
from hardware.camera.opencv import Image, Points, points
from hardware.camera.votes import NOTHING, Index, Verdict, of_card, of_corner, of_indices, on_the_face

_WEIGHTS: Final = Path(__file__).parent / "weights" / "index.onnx"
_LOOKS: Final = ((0.93, 0.95), (1.08, 1.05))  # a corner is looked at again with these shares of a card's size
_BACK: Final = (
    0.04,
    0.11,
)  # of a card's width: how far before its visible top edge a fanned card's corner is looked for
_LEAST_EDGE: Final = 0.12  # of a card's width: what must show of a corner's edges
_MOST_CORNERS: Final = 40  # of heaps in one frame, those with the longest edges first
_LADDER: Final = 1.22  # between the sizes tried where no card in the frame gives the scale


@dataclass(frozen=True)
class SeenCard:
    """A card read: how sure (0…1), and its corners [4, 2] in pixels, clockwise from an index corner."""

    card: Card
    confidence: float
    corners: Points


@dataclass(frozen=True)
class Unsure:
    """A card seen but not read: its two likeliest names, and its corners as of a SeenCard."""

    candidates: tuple[Card, ...]
    confidence: float
    corners: Points


@dataclass(frozen=True)
class Reading:
    """What one picture shows, and how many milliseconds it took to read."""

    cards: tuple[SeenCard, ...]
    unsure: tuple[Unsure, ...]
    ms: float


class Recogniser:
    """Reads pictures with one set of weights; holds nothing from one picture to the next."""

    def __init__(self, weights: Path = _WEIGHTS) -> None:
        self._net = opencv.Net(weights)

    def recognise(self, image: Image, card_size: tuple[float, float] | None = None) -> Reading:
        """The cards in a picture, BGR uint8 [h, w, 3]. Two equal cards may be there: two decks are in use.

        `card_size`: a card's width and height in pixels, where a calibrated camera knows them; else they are found out.
        """
        started = time.perf_counter()
        found = outlines.find(image)
        frame = _Frame(self._net, image, card_size)
        frame.read_quads([q.corners for q in found.quads])
        frame.read_heaps(found, max(1.0, max(image.shape) / 960))
        return Reading(tuple(frame.cards), tuple(frame.doubts()), (time.perf_counter() - started) * 1000)


class _Frame:
    """One picture under reading."""

    def __init__(self, net: opencv.Net, image: Image, card_size: tuple[float, float] | None) -> None:
        self._net, self._image, self._pyramid, self._card_size = net, image, Pyramid(image), card_size
        self.cards: list[SeenCard] = []
        self._unsure: list[Unsure] = []
        self._disputed: list[Points] = []

    def _indices(self, windows: list[Points], top: float = 0.0) -> list[Index]:
        crops = [self._pyramid.index(w, top) for w in windows]
        return of_indices(self._net.scores(crops), crops) if crops else []

    def read_quads(self, quads: list[Points]) -> None:
        """Read whole cards: each quad as it lies, and those that say nothing again, lower down and sideways."""
        left = [outlines.upright(q) for q in quads]
        for turn, top in ((0, 0.0), (0, LOW), (1, 0.0), (1, LOW)):
            pairs = [np.roll(q, -turn, axis=0) for q in left]
            looks = self._indices([w for q in pairs for w in (q, turned(q))], top)
            read = [(self._verdict(q, *looks[2 * n : 2 * n + 2]), q) for n, q in enumerate(pairs)]
            self._take([(v, q) for v, q in read if v.card is not None])
            left = [
                q for (v, _), q in zip(read, left, strict=True) if v.card is None and not self._known(q.mean(axis=0))
            ]
            self._disputed += [q for v, q in read if v.disputed]
            self._unsure += [Unsure(v.candidates, v.confidence, q) for v, q in read if v.card is None and v.candidates]

    def _verdict(self, quad: Points, one: Index, two: Index) -> Verdict:
        if one.card is None and two.card is None:
            return NOTHING
        face = self._face(quad)
        return self._if_whole(quad, of_card(one, two, face), face)

    def _if_whole(self, quad: Points, verdict: Verdict, face: pips.Face) -> Verdict:
        """The verdict; only a doubt where the picture's edge cuts a card off whose pips aren't all to be seen."""
        high, wide = self._image.shape[:2]
        slack = 0.03 * float(np.hypot(*(quad[1] - quad[0])))
        cut = bool((quad < -slack).any() or (quad > np.array([wide, high]) + slack).any())
        if not cut or verdict.card is None or on_the_face(face) == verdict.card:
            return verdict
        return Verdict(None, verdict.confidence, (verdict.card,))

    def _face(self, whole: Points) -> pips.Face:
        return pips.seen(self._pyramid.seen_flat(whole, pips.FLAT, CARD))

    def _take(self, read: list[tuple[Verdict, Points]]) -> None:
        """Keep what was read, the surest of several readings of one place."""
        for verdict, quad in sorted(read, key=lambda r: -r[0].confidence):
            if verdict.card is not None and not self._known(quad.mean(axis=0)):
                self.cards.append(SeenCard(verdict.card, round(verdict.confidence, 4), quad))

    def _known(self, point: Points) -> bool:
        """Whether a point lies on a card that was read."""
        return any(inside(c.corners, point) for c in self.cards)

    def _within_a_card(self, outline: Points) -> bool:
        """Whether a patch is a card that was read, or a part of it."""
        some = outline[:: max(1, len(outline) // 16)]
        return any(all(inside(_grown(c.corners, 1.1), p) for p in some) for c in self.cards)

    def read_heaps(self, outlined: outlines.Outlines, slack: float) -> None:
        """Read the index corners on the outlines of heaps, at the size of the cards read or, without any, at several."""
        heaps = [p for p in outlined.patches if not self._within_a_card(p)]
        found = [c for p in heaps for c in cards_corners.of_patch(p, 1.6 * slack)]
        found += [c for q in outlined.quads for c in cards_corners.of_quad(q.corners)]
        least = _LEAST_EDGE * min([_size(c.corners)[0] for c in self.cards], default=max(self._image.shape) / 45)
        found = [c for c in found if c.edge > least and self._has_paper(c, 5 * slack)]
        found = [c for c in found if not self._known(c.at + 0.1 * c.edge * (c.right + c.down))]
        corners = _apart(found, 5 * slack)
        if self.cards or self._card_size:
            sized = [(c, self._size_near(c.at)) for c in corners]
            self._keep_corners(
                self._looked_at([(c, size) for c, size in sized if c.edge > _LEAST_EDGE * size[0]][:_MOST_CORNERS])
            )
        elif corners:
            self._climb(corners[:_MOST_CORNERS])

    def _has_paper(self, corner: Corner, reach: float) -> bool:
        """Whether a corner is clearly brighter, in its darkest channel, inside than outside."""
        step = reach * (corner.right + corner.down)
        inner, outer = (self._darkest_at(p) for p in (corner.at + step, corner.at - step))
        return inner > outer + 8

    def _darkest_at(self, point: Points) -> int:
        high, wide = self._image.shape[:2]
        x, y = min(max(round(float(point[0])), 0), wide - 1), min(max(round(float(point[1])), 0), high - 1)
        return int(self._image[y, x].min())

    def _size_near(self, point: Points) -> tuple[float, float]:
        """A card's width and height in pixels about a point: the known ones, or those of the nearest card read."""
        if self._card_size:
            return self._card_size
        near = min(self.cards, key=lambda c: float(np.hypot(*(c.corners.mean(axis=0) - point))))
        return _size(near.corners)

    def _looked_at(self, sized: list[tuple[Corner, tuple[float, float]]]) -> list[tuple[Verdict, Points]]:
        """Corners at card sizes in pixels: once each, and where an index was seen again, a little smaller and larger.

        Where nothing lies over the card its other index and its face bear witness too, as they do for a quad.
        """
        sized = [(c, size) for c, size in sized if not any(_same_card(c.card(*size), q) for q in self._disputed)]
        placed = [(c.shifted(back * size[0]), size) for c, size in sized for back in (_BACK if c.loose else (0.0,))]
        first = self._indices([c.card(*size) for c, size in placed])
        seen = [(c, size, i) for (c, size), i in zip(placed, first, strict=True) if i.card is not None and i.sure > 0.4]
        wholes = [c.card(*size) for c, size, _ in seen]
        others = self._indices([turned(w) for w in wholes])
        more = self._indices([c.card(size[0] * a, size[1] * b) for c, size, _ in seen for a, b in _LOOKS])
        return [
            (self._lone(w, [index, *more[len(_LOOKS) * n : len(_LOOKS) * (n + 1)]], others[n]), w)
            for n, (w, (_, _, index)) in enumerate(zip(wholes, seen, strict=True))
        ]

    def _lone(self, whole: Points, looks: list[Index], other: Index) -> Verdict:
        """One corner's verdict, helped by the card's other corner where that shows the same."""
        face = self._face(whole)
        verdict = of_card(looks[0], other, face) if other.card == looks[0].card else NOTHING
        return self._if_whole(whole, verdict if verdict.card else of_corner(looks, face), face)

    def _climb(self, corners: list[Corner]) -> None:
        """Try card sizes from small to large; the one at which most corners are read is the frame's."""
        least = max(self._image.shape) / 45
        sizes = [(least * _LADDER**n, 1.42 * least * _LADDER**n) for n in range(12)]
        sizes += [_size(u.corners) for u in self._unsure]  # a card not read may still give the scale
        tried = [self._looked_at([(c, size) for c in corners if c.edge > _LEAST_EDGE * size[0]]) for size in sizes]
        self._keep_corners(max(tried, key=_worth))

    def _keep_corners(self, read: list[tuple[Verdict, Points]]) -> None:
        for verdict, whole in sorted(read, key=lambda r: -r[0].confidence):
            if verdict.card is None:
                if verdict.candidates:
                    self._unsure.append(Unsure(verdict.candidates, verdict.confidence, whole))
            elif not any(c.card == verdict.card and _one_card(c.corners, whole) for c in self.cards):
                self.cards.append(SeenCard(verdict.card, round(verdict.confidence, 4), whole))

    def doubts(self) -> list[Unsure]:
        """What was seen and not read, each place once, none where a card was read after all."""
        kept: list[Unsure] = []
        for doubt in sorted(self._unsure, key=lambda u: -u.confidence):
            reach = float(np.hypot(*(doubt.corners[1] - doubt.corners[0])))
            places = [c.corners for c in self.cards] + [u.corners for u in kept]
            ends = (doubt.corners[0], doubt.corners[2])
            if not any(np.hypot(*(p[n] - e)) < 0.4 * reach for p in places for n in (0, 2) for e in ends):
                kept.append(doubt)
        return kept


def inside(corners: Points, point: Points) -> bool:
    """Whether a point lies within a quad, its corners clockwise as seen."""
    sides, away = np.roll(corners, -1, axis=0) - corners, point - corners
    return bool((sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0] >= 0).all())


def _grown(corners: Points, share: float) -> Points:
    middle = corners.mean(axis=0)
    return points(middle + share * (corners - middle))


def _apart(found: list[Corner], slack: float) -> list[Corner]:
    """One of each several corners at one place that look the same way."""
    kept: list[Corner] = []
    places = np.empty((len(found), 4))
    for corner in sorted(found, key=lambda c: (c.loose, -c.edge)):
        place = np.concatenate([corner.at, corner.right])
        near = np.abs(places[: len(kept)] - place)
        if not ((near[:, :2].max(axis=1, initial=0) < slack) & (near[:, 2:].max(axis=1, initial=0) < 0.2)).any():
            places[len(kept)] = place
            kept.append(corner)
    return kept


def _size(corners: Points) -> tuple[float, float]:
    """The width and height of a card, in pixels, each the mean of two sides."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _same_card(one: Points, two: Points) -> bool:
    """Whether two outlines are one card's, from either of its index corners."""
    slack = 0.2 * float(np.hypot(*(two[1] - two[0])))
    return any(float(np.abs(one - np.roll(two, turn, axis=0)).max()) < slack for turn in (0, 2))


def _worth(read: list[tuple[Verdict, Points]]) -> float:
    return float(sum(v.confidence for v, _ in read if v.card is not None))


def _one_card(one: Points, two: Points) -> bool:
    """Whether two readings of a card may be of the same: from its two index corners, or twice from one."""
    diagonal = float(np.hypot(*(one[2] - one[0])))
    ends = min(float(np.hypot(*(a - b))) for a in (one[0], one[2]) for b in (two[0], two[2]))
    middles = float(np.hypot(*(one.mean(axis=0) - two.mean(axis=0))))
    return ends < 0.3 * diagonal or middles < 0.35 * diagonal
