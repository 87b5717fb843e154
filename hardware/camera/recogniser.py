"""Reads the playing cards in a picture. What can't be read for certain is said to be unsure, with its candidates.

picture → outlines → quads, then the finder's corners in whatever else may be cards → index crops → net → votes → Reading.
A wrong card is far worse than none: two corners must agree, or several looks at one, the face must not gainsay
them, the ink must have the suit's colour.
"""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from dealer_assist.game.cards import Card
from hardware.camera import opencv, outlines
from hardware.camera.crops import LOW, Pyramid, sideways, turned
from hardware.camera.face import Face, FaceReader
from hardware.camera.finder import REACH, Box, Corner, Finder, parts_of
from hardware.camera.laid import (
    Laid,
    face_each_other,
    may_be_one,
    one_card,
    one_corner,
    same_outline,
    size_of,
    told_by_a_corner_of,
)
from hardware.camera.opencv import Image, Points, points
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.spots import ENDS_OFF_GUESSED, FOUND, Spot, has_strange_end, is_another_s_foot, led, without_feet
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
_SIZES: Final = ((1.03, 1.02), (1.09, 1.06))  # a corner is looked at again with these shares of a card's size
_FOLLOWED: Final = 2  # times that a window is moved to where the net says its card is
_CERTAIN: Final = 0.97  # how sure an index must be to be looked for nowhere else
_NAMED: Final = 0.4  # and to be looked at again
_OBJECTS: Final = 0.7  # and another, that shows another card, to object
_LEAST_HEAP: Final = 0.4  # of a card's area: what must show of a heap
_LEAST_WIDE: Final = 36.0  # pixels of a card's width, from where its index may be read
_LEAST_ALONE: Final = 64.0  # and from where one index alone may be believed: in smaller ones an 8 is like a 5
_AT_ONCE: Final = 0.9  # or so sure must the first look at it be; to be led on is to be led to what looks like a card
_ENDS_OFF: Final = 0.1  # of a card's diagonal: how far its ends may seem from where its size puts them
_ASPECT: Final = 1.42  # of a card's height to its width, where nothing tells it


@dataclass(frozen=True)
class _Nets:
    """What looks at index crops, at heaps, at faces."""

    index: opencv.Net
    finder: Finder
    faces: FaceReader


class Recogniser:
    """Reads pictures with one set of weights; holds nothing from one picture to the next.

    `thresholds`: those of the deck in play, where it was enrolled; may be changed from any thread.
    """

    def __init__(self, weights: Path = _WEIGHTS, thresholds: Thresholds = USUAL) -> None:
        self._nets = _Nets(opencv.Net(weights), Finder(), FaceReader())
        self.thresholds = thresholds

    def recognise(self, image: Image, card_size: tuple[float, float] | None = None) -> Reading:
        """The cards in a picture, BGR uint8 [h, w, 3]. Two equal cards may be there: two decks are in use.

        `card_size`: a card's width and height in pixels, where a calibrated camera knows them; else they are found out.
        """
        started = time.perf_counter()
        found = outlines.find(image)
        frame = _Frame(self._nets, image, card_size, self.thresholds)
        frame.read_quads([q.corners for q in found.quads])
        frame.read_heaps(found)
        return Reading(tuple(frame.cards), tuple(frame.doubts()), (time.perf_counter() - started) * 1000)

    def indices(self, image: Image, cards: list[Points]) -> list[Index]:
        """What the net says of the index at the first of each card's corners, [4, 2], lower down where it stands there."""
        frame = _Frame(self._nets, image, None, self.thresholds)
        high, low = (frame.indices([(c, top) for c in cards]) for top in (0.0, LOW))
        return [b if a.card is None and b.card is not None else a for a, b in zip(high, low, strict=True)]


def _named(verdict: Verdict) -> Card | None:
    """The card that was read or, left unsure, is the likeliest."""
    return verdict.card or next(iter(verdict.candidates), None)


class _Frame:
    """One picture under reading."""

    def __init__(self, nets: _Nets, image: Image, card_size: tuple[float, float] | None, wanted: Thresholds) -> None:
        self._nets, self._image, self._pyramid, self._card_size = nets, image, Pyramid(image), card_size
        self._wanted = wanted
        self._laid, self._guessed = Laid(), False
        self._unsure: list[Unsure] = []
        self._settled: list[Points] = []
        self._unread: list[Points] = []

    @property
    def cards(self) -> list[SeenCard]:
        """The cards read, in the order found."""
        return self._laid.cards

    def indices(self, windows: list[tuple[Points, float]]) -> list[Index]:
        """What the net says of the index corners of windows, [4, 2] each, from so many units below their edge."""
        crops = [self._pyramid.index(w, top) for w, top in windows]
        return of_indices(self._nets.index.scores(crops), crops) if crops else []

    def _surest(self, windows: list[tuple[Points, float]]) -> list[Index]:
        """The same, those that name a card but not surely looked at once more where the net says that it is."""
        looks = self.indices(windows)
        unsure = [n for n, look in enumerate(looks) if 0 < look.worth < _CERTAIN]
        again = self.indices([led(*windows[n], looks[n]) for n in unsure])
        for n, look in zip(unsure, again, strict=True):
            looks[n] = max(looks[n], look, key=lambda i: i.worth)
        return looks

    def _looks(self, groups: list[list[tuple[Points, float]]]) -> list[list[Index]]:
        """The same for windows in groups, all looked at at once."""
        seen = iter(self.indices([window for group in groups for window in group]))
        return [[next(seen) for _ in group] for group in groups]

    def read_quads(self, quads: list[Points]) -> None:
        """Read whole cards: each quad as it lies, and those that say nothing again, lower down and sideways."""
        left = [outlines.upright(q) for q in quads]
        for turn, top in ((0, 0.0), (0, LOW), (1, 0.0), (1, LOW)):
            pairs = [sideways(q) if turn else q for q in left]
            looks = self._surest([(w, top) for q in pairs for w in (q, turned(q))])
            read = [(self._verdict(q, *looks[2 * n : 2 * n + 2]), q) for n, q in enumerate(pairs)]
            self._take([(v, q) for v, q in read if v.card is not None])
            left = [
                q
                for (v, _), q in zip(read, left, strict=True)
                if v.card is None and not self._laid.is_known(q.mean(axis=0))
            ]
            self._settled += [q for v, q in read if v.settled]
            self._unsure += [Unsure(v.candidates, v.confidence, q) for v, q in read if v.card is None and v.candidates]
        self._unread = left

    def _verdict(self, quad: Points, one: Index, two: Index) -> Verdict:
        if one.card is None and two.card is None:
            return NOTHING
        face = self._face(quad)
        return self._if_whole(quad, of_card(one, two, face, self._wanted), face)

    def _if_whole(self, quad: Points, verdict: Verdict, face: Face) -> Verdict:
        """The verdict; only a doubt where the picture's edge cuts a card off whose pips aren't all to be seen."""
        high, wide = self._image.shape[:2]
        slack = 0.03 * float(np.hypot(*(quad[1] - quad[0])))
        cut = bool((quad < -slack).any() or (quad > np.array([wide, high]) + slack).any())
        if not cut or verdict.card is None or on_the_face(face) == verdict.card:
            return verdict
        return Verdict(None, verdict.confidence, (verdict.card,), settled=True)

    def _face(self, whole: Points) -> Face:
        return self._nets.faces.faces(self._pyramid, [whole])[0]

    def _take(self, read: list[tuple[Verdict, Points]]) -> None:
        """Keep what was read, the surest of several readings of one place."""
        for verdict, quad in sorted(read, key=lambda r: -r[0].confidence):
            if verdict.card is not None and not self._laid.is_known(quad.mean(axis=0)):
                self._laid.add(SeenCard(verdict.card, round(verdict.confidence, 4), quad))

    def read_heaps(self, outlined: outlines.Outlines) -> None:
        """Read the index corners of whatever else may be cards: at the size of the cards read or, without any, at several."""
        card = min(self._sizes(), default=(0.0, 0.0))
        heaps = [
            p for p in outlined.patches if opencv.area(p) > _LEAST_HEAP * card[0] * card[1] and not self._laid.holds(p)
        ]
        heaps += [q.corners for q in outlined.quads if not self._laid.is_known(q.corners.mean(axis=0))]
        read = [c.corners for c in self.cards]
        heaps = [piece for heap in heaps for piece in outlines.paper_beside(self._image, heap, read, card)]
        high, wide = self._image.shape[:2]
        parts = parts_of(heaps, (wide, high))
        if parts and not self._sizes():
            self._card_size, self._guessed = self._size_by_indices(parts), True
        if self._sizes():
            found: list[Corner] = []
            for part in parts:
                middle = points([(part[0] + part[2]) / 2, (part[1] + part[3]) / 2])
                found += self._nets.finder.corners(self._image, part, self._size_near(middle)[0])
            self._keep_corners(self._looked_at([(c, self._size_near(c.at)) for c in found]))

    def _sizes(self) -> list[tuple[float, float]]:
        """The sizes that cards in this picture are known to have; a card with two indices, if unread, gives one too."""
        if self._card_size and not self.cards:
            return [self._card_size]
        return [size_of(c) for c in [c.corners for c in self.cards] or self._settled]

    def _size_near(self, point: Points) -> tuple[float, float]:
        """A card's width and height in pixels about a point: those of the nearest card read, or else the known ones."""
        return self._laid.size_near(point) if self.cards else self._sizes()[0]

    def _looked_at(self, sized: list[tuple[Corner, tuple[float, float]]]) -> list[tuple[Verdict, Points]]:
        """Corners at card sizes in pixels: once each, and where an index was seen again, a little smaller and larger.

        Where nothing lies over the card its other index and its face bear witness too, as they do for a quad.
        """
        placed = [(c.card(*size), c.top(size[0]), c.odds) for c, size in sized]
        placed = [
            (w, top, odds)
            for w, top, odds in placed
            if not any(told_by_a_corner_of(c.corners, w) for c in self.cards)
            and not any(same_outline(w, q) for q in self._settled)
        ]
        found = self._spots(placed)
        seen = [s for s in found if s.index.worth > _NAMED]
        nameless = [replace(s, window=w) for (w, *_), s in zip(placed, found, strict=True) if s.index.worth == 0]
        spots = self._at_left(seen)
        ends = self._surest([(turned(s.window), s.top) for s in spots])
        others = [None if is_another_s_foot(s, end, spots) else end for s, end in zip(spots, ends, strict=True)]
        more = self._looks([[(s.resized(size), s.top) for size in _SIZES] for s in spots])
        strange = [has_strange_end(s, nameless, self._unread) for s in spots]
        return [(self._lone(*each), each[0].window) for each in zip(spots, more, others, strange, strict=True)]

    def _spots(self, placed: list[tuple[Points, float, float]]) -> list[Spot]:
        """Windows as the finder placed them or, where no index is surely seen so, where the net says that their cards are: as
        it is seen best."""
        first = self.indices([(w, top) for w, top, _ in placed])
        best = [Spot(w, top, look, (look,), odds) for (w, top, odds), look in zip(placed, first, strict=True)]
        last = list(best)
        for _ in range(_FOLLOWED):
            unsure = [n for n, spot in enumerate(best) if spot.index.worth < _CERTAIN]
            moved = [last[n].led() for n in unsure]
            for n, spot, look in zip(unsure, moved, self.indices([(s.window, s.top) for s in moved]), strict=True):
                last[n] = spot.seen_again(look)
                best[n] = max(best[n], last[n], key=lambda s: s.index.worth)
        return [replace(b, looks=after.looks).led() for b, after in zip(best, last, strict=True)]

    def _at_left(self, spots: list[Spot]) -> list[Spot]:
        """The spots; those that show the right one of two like indices at a card's top are moved to the left one, those that
        show the one at its foot are left out."""
        found, moved = [], []
        lefts = [s.lefts() for s in spots]
        for spot, windows, seen in zip(spots, lefts, self._looks(lefts), strict=True):
            (window, _), index = max(zip(windows, seen, strict=True), key=lambda look: look[1].sure)
            moved.append(index.card == spot.index.card and index.sure > _OBJECTS)
            found.append(replace(spot, window=window) if moved[-1] else spot)
        return without_feet(found, moved)

    def _lone(self, spot: Spot, more: list[Index], other: Index | None, strange: bool) -> Verdict:
        """One corner's verdict; the card's too, where its other corner shows the same, or surely something else."""
        index, whole = spot.index, spot.window
        assert index.card is not None
        objections = [i.card for i in spot.looks if i.card not in (None, index.card) and i.sure > _OBJECTS]
        if objections:
            return Verdict(None, index.sure, (index.card, objections[0]))
        face = self._face(whole)
        if other is not None and other.card is not None and (other.card == index.card or other.sure > _OBJECTS):
            verdict = self._if_whole(whole, of_card(index, other, face, self._wanted), face)
            return replace(verdict, both_ends=other.card == index.card)
        at_once = spot.looks[0].card == index.card and spot.looks[0].sure >= _AT_ONCE
        found = at_once or (spot.odds >= FOUND and not self._guessed)
        if strange or not found or size_of(whole)[0] < _LEAST_ALONE:
            return Verdict(None, index.sure, tuple(index.likeliest()))
        return self._if_whole(whole, of_corner([index, *more], face, self._wanted), face)

    def _size_by_indices(self, parts: list[Box]) -> tuple[float, float] | None:
        """A card's width and height by the look of its index: at the width, from large to small, at which most are read."""
        wide = max(max(right - left, low - top) for left, top, right, low in parts) / 1.5
        most, best = 0.0, None
        while wide > _LEAST_WIDE * REACH:
            worth, seen = self._worth_at(parts, wide)
            if worth > most:
                most, best = worth, seen
            wide /= REACH**2
        for _ in range(2):  # the nearer the width told to the true one, the better the finder tells it
            if best is not None:
                best = self._worth_at(parts, best)[1] or best
        return None if best is None else (best, _ASPECT * best)

    def _worth_at(self, parts: list[Box], wide: float) -> tuple[float, float | None]:
        """How surely indices are read where cards are told to be so wide, and how wide they are then seen to be."""
        found = [c for part in parts for c in self._nets.finder.corners(self._image, part, wide)]
        looks = self.indices([(c.card(c.wide, _ASPECT * c.wide), c.top(c.wide)) for c in found])
        read = [(i.sure, c.wide) for i, c in zip(looks, found, strict=True) if i.card is not None]
        return sum(sure for sure, _ in read), float(np.median([w for _, w in read])) if read else None

    def _keep_corners(self, read: list[tuple[Verdict, Points]]) -> None:
        read = [(replace(v, both_ends=v.both_ends or self._has_its_end(v, w, read)), w) for v, w in read]
        for verdict, whole in sorted(read, key=lambda r: -r[0].confidence):
            others = [
                n
                for v, w in read
                if (n := _named(v)) not in (None, verdict.card) and self._is_one(v, w, verdict, whole)
            ]
            if verdict.card is not None and others:
                self._unsure.append(Unsure((verdict.card, *filter(None, others))[:2], verdict.confidence, whole))
            elif verdict.card is None:
                if verdict.candidates:
                    self._unsure.append(Unsure(verdict.candidates, verdict.confidence, whole))
            elif not any(
                c.card == verdict.card
                and (one_card(c.corners, whole) or (self._guessed and face_each_other(c.corners, whole)))
                for c in self.cards
            ):
                self._laid.add(SeenCard(verdict.card, round(verdict.confidence, 4), whole))

    @property
    def _slack(self) -> float:
        return ENDS_OFF_GUESSED if self._guessed else _ENDS_OFF

    def _has_its_end(self, verdict: Verdict, whole: Points, read: list[tuple[Verdict, Points]]) -> bool:
        """Whether a card was told from its other end as well."""
        return any(v.card == verdict.card is not None and may_be_one(whole, w, self._slack) for v, w in read)

    def _is_one(self, one: Verdict, here: Points, two: Verdict, there: Points) -> bool:
        """Whether what is read at two corners can be but one card, at one of its corners or, unless both ends of either were
        seen, at its two ends."""
        if one_corner(here, there):
            return True
        known = one.both_ends or two.both_ends
        return not known and (may_be_one(here, there, self._slack) or may_be_one(there, here, self._slack))

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
