"""What a card's face says without its index: how many pips it has, or that it is a court, and of which suit.

The two indices of a card share a typeface, so a glyph that misleads once misleads twice. The face is another witness: a small
net sees it with all four corners blotted out, so that no index can lead it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import inks, opencv
from hardware.camera.crops import CARD, Pyramid
from hardware.camera.inks import Colour
from hardware.camera.opencv import Image, Points, odds

SIZE: Final = (80, 112)  # of a face seen flat, in pixels
RANKS: Final = (*"23456789TA", "figure", "unclear")
SUITS: Final = (*"cdhs", "unclear")
UNCLEAR: Final = "unclear"
SURE: Final = 0.94  # how sure the net must be; of 1,175 faces it never saw no rank was mistaken so, two suits were

_WEIGHTS: Final = Path(__file__).parent / "weights" / "face.onnx"
_BLOT: Final = (round(0.2 * SIZE[0]), round(0.36 * SIZE[1]))  # what of each corner an index may stand in, in pixels
_GREY: Final = 128
_INNER: Final = (slice(round(0.06 * SIZE[1]), round(0.94 * SIZE[1])), slice(round(0.2 * SIZE[0]), round(0.8 * SIZE[0])))


@dataclass(frozen=True)
class Face:
    """What a face shows: a pip card's rank, an ace's, or a figure; its suit; and the colour of a pip card's ink."""

    rank: str = UNCLEAR
    suit: str = UNCLEAR
    colour: Colour = "unclear"


def seen_flat(pyramid: Pyramid, card: Points) -> Image:
    """A card's face, BGR [112, 80, 3], its corners blotted out."""
    face = pyramid.seen_flat(card, SIZE, CARD)
    wide, high = _BLOT
    for rows in (slice(0, high), slice(SIZE[1] - high, None)):
        for columns in (slice(0, wide), slice(SIZE[0] - wide, None)):
            face[rows, columns] = _GREY
    return face


class FaceReader:
    """Looks with one set of weights; holds nothing from one card to the next."""

    def __init__(self, weights: Path = _WEIGHTS) -> None:
        self._net = opencv.Net(weights)

    def faces(self, pyramid: Pyramid, cards: list[Points]) -> list[Face]:
        """What the faces of cards show, their corners [4, 2] each; from which index corner on they go is nothing to it."""
        if not cards:
            return []
        seen = [seen_flat(pyramid, card) for card in cards]
        scores = self._net.scores(seen)
        ranks, suits = odds(scores[:, : len(RANKS)]), odds(scores[:, len(RANKS) :])
        return [_face(r, s, picture) for r, s, picture in zip(ranks, suits, seen, strict=True)]


def _face(ranks: NDArray[np.float32], suits: NDArray[np.float32], picture: Image) -> Face:
    rank, suit = (
        names[int(found.argmax())] if found.max() >= SURE else UNCLEAR
        for names, found in ((RANKS, ranks), (SUITS, suits))
    )
    if rank in ("figure", UNCLEAR):
        return Face(rank, suit)
    colour = inks.of_ink(picture[_INNER])
    return Face(rank, suit, colour) if suit == UNCLEAR or inks.may_be(suit, colour) else Face(rank, UNCLEAR, colour)
