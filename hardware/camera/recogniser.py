"""Reads the playing cards in a picture. What can't be read for certain is said to be unsure, with its candidates.

picture → outlines → index crops → net → votes → Reading. A wrong card is far worse than none: two corners must agree,
the pips or figure must not gainsay them, the ink must have the suit's colour.
"""

import time
from pathlib import Path
from typing import Final

import numpy as np

from hardware.camera import corners as cards_corners
from hardware.camera import opencv, outlines, pips
from hardware.camera.corners import Corner, Edge
from hardware.camera.crops import CARD, LOW, Pyramid, turned
from hardware.camera.laid import Laid, one_card, same_card, size_of
from hardware.camera.opencv import Image, Points, points
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.strips import corners_along
from hardware.camera.votes import (
    NOTHING,
    USUAL,
    Index,
    Thresholds,
    Verdict,
    of_card,
    of_corner,
    of_indices,
    on_the_face,
)

_WEIGHTS: Final = Path(__file__).parent / "weights" / "index.onnx"
_LOOKS: Final = ((0.93, 0.95), (1.08, 1.05))  # a corner is looked at again with these shares of a card's size
_LEAST_EDGE: Final = 0.12  # of a card's width: what must show of a corner's edges
_MOST_CORNERS: Final = 40  # of heaps in one frame, those with the longest edges first
_MOST_ALONG: Final = 60  # the same, of those along the edges of heaps
_LEAST_PAPER: Final = 0.6  # of the brightness of the cards read: what a heap's paper has
_LEAST_ALONG: Final = 0.15  # of a card's width: what must show of a fanned card's top
_LEAST_HEAP: Final = 0.4  # of a card's area: what must show of a heap
_LADDER: Final = 1.22  # between the sizes tried where no card in the frame gives the scale


class Recogniser:
    """Reads pictures with one set of weights; holds nothing from one picture to the next.

    `thresholds`: those of the deck in play, where it was enrolled; may be changed from any thread.
    """

    def __init__(self, weights: Path = _WEIGHTS, thresholds: Thresholds = USUAL) -> None:
        self._net = opencv.Net(weights)
        self.thresholds = thresholds

    def recognise(self, image: Image, card_size: tuple[float, float] | None = None) -> Reading:
        """The cards in a picture, BGR uint8 [h, w, 3]. Two equal cards may be there: two decks are in use.

        `card_size`: a card's width and height in pixels, where a calibrated camera knows them; else they are found out.
        """
        started = time.perf_counter()
        found = outlines.find(image)
        frame = _Frame(self._net, image, card_size, self.thresholds)
        frame.read_quads([q.corners for q in found.quads])
        frame.read_heaps(found, max(1.0, max(image.shape) / 960))
        return Reading(tuple(frame.cards), tuple(frame.doubts()), (time.perf_counter() - started) * 1000)

    def indices(self, image: Image, cards: list[Points]) -> list[Index]:
        """What the net says of the index at the first of each card's corners, [4, 2], lower down where it stands there."""
        frame = _Frame(self._net, image, None, self.thresholds)
        pairs = zip(frame.indices(cards), frame.indices(cards, LOW), strict=True)
        return [low if high.card is None and low.card is not None else high for high, low in pairs]


class _Frame:
    """One picture under reading."""

    def __init__(
        self, net: opencv.Net, image: Image, card_size: tuple[float, float] | None, wanted: Thresholds
    ) -> None:
        self._net, self._image, self._pyramid, self._card_size = net, image, Pyramid(image), card_size
        self._wanted = wanted
        self._laid = Laid()
        self._unsure: list[Unsure] = []
        self._disputed: list[Points] = []

    @property
    def cards(self) -> list[SeenCard]:
        """The cards read, in the order found."""
        return self._laid.cards

    def indices(self, windows: list[Points], top: float = 0.0) -> list[Index]:
        """What the net says of the index corners of windows, [4, 2] each, from `top` units below their edge."""
        crops = [self._pyramid.index(w, top) for w in windows]
        return of_indices(self._net.scores(crops), crops) if crops else []

    def read_quads(self, quads: list[Points]) -> None:
        """Read whole cards: each quad as it lies, and those that say nothing again, lower down and sideways."""
        left = [outlines.upright(q) for q in quads]
        for turn, top in ((0, 0.0), (0, LOW), (1, 0.0), (1, LOW)):
            pairs = [np.roll(q, -turn, axis=0) for q in left]
            looks = self.indices([w for q in pairs for w in (q, turned(q))], top)
            read = [(self._verdict(q, *looks[2 * n : 2 * n + 2]), q) for n, q in enumerate(pairs)]
            self._take([(v, q) for v, q in read if v.card is not None])
            left = [
                q
                for (v, _), q in zip(read, left, strict=True)
                if v.card is None and not self._laid.is_known(q.mean(axis=0))
            ]
            self._disputed += [q for v, q in read if v.disputed]
            self._unsure += [Unsure(v.candidates, v.confidence, q) for v, q in read if v.card is None and v.candidates]

    def _verdict(self, quad: Points, one: Index, two: Index) -> Verdict:
        if one.card is None and two.card is None:
            return NOTHING
        face = self._face(quad)
        return self._if_whole(quad, of_card(one, two, face, self._wanted), face)

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
            if verdict.card is not None and not self._laid.is_known(quad.mean(axis=0)):
                self._laid.add(SeenCard(verdict.card, round(verdict.confidence, 4), quad))

    def read_heaps(self, outlined: outlines.Outlines, slack: float) -> None:
        """Read the index corners on the outlines of heaps, at the size of the cards read or, without any, at several; then
        what stands along the heaps' edges."""
        least_area = _LEAST_HEAP * min((a * b for a, b in self._sizes()), default=0.0)
        heaps = [p for p in outlined.patches if opencv.area(p) > least_area and not self._laid.holds(p)]
        parts = [cards_corners.of_patch(p, 1.6 * slack) for p in heaps]
        parts += [
            cards_corners.of_quad(q.corners) for q in outlined.quads if not self._laid.is_known(q.corners.mean(axis=0))
        ]
        least = _LEAST_EDGE * min((wide for wide, _ in self._sizes()), default=max(self._image.shape) / 45)
        found = [c for _, met in parts for c in met if c.edge > least and self._has_paper(c, 5 * slack)]
        corners = _apart([c for c in found if not self._laid.is_known(c.inward(0.1 * c.edge))], 5 * slack)[
            :_MOST_CORNERS
        ]
        if self.cards or self._card_size:
            sized = [(c, self._size_near(c.at)) for c in corners]
            self._keep_corners(self._looked_at([(c, size) for c, size in sized if c.edge > _LEAST_EDGE * size[0]]))
        elif corners:
            self._climb(corners)
        if self.cards or self._card_size:
            self._read_along([e for edges, _ in parts for e in edges], 5 * slack)

    def _read_along(self, edges: list[Edge], slack: float) -> None:
        """Read what stands below the edges of heaps."""
        paper = _LEAST_PAPER * self._paper()
        found: list[tuple[Corner, tuple[float, float]]] = []
        for edge in cards_corners.distinct(edges, slack):
            size = self._size_near(edge.start)
            inner, outer = self._brightness(edge.middle, edge.down, slack)
            if edge.length > _LEAST_ALONG * size[0] and inner > max(outer + 8, paper):
                found += [(c, size) for c in corners_along(self._pyramid, edge, size)]
        found = [(c, size) for c, size in found if not self._laid.is_known(c.inward(0.1 * size[0]))]
        near = max((0.04 * size[0] for _, size in found), default=slack)
        kept = _apart([c for c, _ in found], near)[:_MOST_ALONG]
        self._keep_corners(self._looked_at([(c, self._size_near(c.at)) for c in kept]))

    def _paper(self) -> float:
        """How bright the paper of the cards read is, in its darkest channel, at the dimmest of them; 0 without any."""
        return min((max(self._darkest_at(points(c.corners[n] + 0.1 * (c.corners[n - 2] - c.corners[n]))) for n in range(4))
                    for c in self.cards), default=0)  # fmt: skip

    def _brightness(self, at: Points, inward: Points, reach: float) -> tuple[int, int]:
        """How bright it is, in the darkest channel, inside and outside of an edge; ink may stand inside."""
        steps = [share * reach * inward for share in (0.5, 1.0, 1.5)]
        return max(self._darkest_at(points(at + step)) for step in steps), min(
            self._darkest_at(points(at - step)) for step in steps
        )

    def _has_paper(self, corner: Corner, reach: float) -> bool:
        """Whether it is clearly brighter inside a corner than outside."""
        inner, outer = self._brightness(corner.at, corner.right + corner.down, reach)
        return inner > outer + 8

    def _darkest_at(self, point: Points) -> int:
        high, wide = self._image.shape[:2]
        x, y = min(max(round(float(point[0])), 0), wide - 1), min(max(round(float(point[1])), 0), high - 1)
        blue, green, red = self._image[y, x]
        return int(min(blue, green, red))

    def _sizes(self) -> list[tuple[float, float]]:
        """The sizes that cards in this picture are known to have."""
        return [size_of(c.corners) for c in self.cards] or ([self._card_size] if self._card_size else [])

    def _size_near(self, point: Points) -> tuple[float, float]:
        """A card's width and height in pixels about a point: the known ones, or those of the nearest card read."""
        return self._laid.size_near(point) if self.cards or self._card_size is None else self._card_size

    def _looked_at(self, sized: list[tuple[Corner, tuple[float, float]]]) -> list[tuple[Verdict, Points]]:
        """Corners at card sizes in pixels: once each, and where an index was seen again, a little smaller and larger.

        Where nothing lies over the card its other index and its face bear witness too, as they do for a quad.
        """
        sized = [(c, size) for c, size in sized if not any(same_card(c.card(*size), q) for q in self._disputed)]
        first = self.indices([c.card(*size) for c, size in sized])
        seen = [(c, size, i) for (c, size), i in zip(sized, first, strict=True) if i.card is not None and i.sure > 0.4]
        wholes = [c.card(*size) for c, size, _ in seen]
        others = self.indices([turned(w) for w in wholes])
        more = self.indices([c.card(size[0] * a, size[1] * b) for c, size, _ in seen for a, b in _LOOKS])
        return [
            (self._lone(w, [index, *more[len(_LOOKS) * n : len(_LOOKS) * (n + 1)]], others[n]), w)
            for n, (w, (_, _, index)) in enumerate(zip(wholes, seen, strict=True))
        ]

    def _lone(self, whole: Points, looks: list[Index], other: Index) -> Verdict:
        """One corner's verdict, helped by the card's other corner where that shows the same."""
        face = self._face(whole)
        verdict = of_card(looks[0], other, face, self._wanted) if other.card == looks[0].card else NOTHING
        return self._if_whole(whole, verdict if verdict.card else of_corner(looks, face, self._wanted), face)

    def _climb(self, corners: list[Corner]) -> None:
        """Try card sizes from small to large; the one at which most corners are read is the frame's."""
        least = max(self._image.shape) / 45
        sizes = [(least * _LADDER**n, 1.42 * least * _LADDER**n) for n in range(12)]
        sizes += [size_of(u.corners) for u in self._unsure]  # a card not read may still give the scale
        tried = [self._looked_at([(c, size) for c in corners if c.edge > _LEAST_EDGE * size[0]]) for size in sizes]
        self._keep_corners(max(tried, key=_worth))

    def _keep_corners(self, read: list[tuple[Verdict, Points]]) -> None:
        for verdict, whole in sorted(read, key=lambda r: -r[0].confidence):
            if verdict.card is None:
                if verdict.candidates:
                    self._unsure.append(Unsure(verdict.candidates, verdict.confidence, whole))
            elif not any(c.card == verdict.card and one_card(c.corners, whole) for c in self.cards):
                self._laid.add(SeenCard(verdict.card, round(verdict.confidence, 4), whole))

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


def _worth(read: list[tuple[Verdict, Points]]) -> float:
    return float(sum(v.confidence for v, _ in read if v.card is not None))
