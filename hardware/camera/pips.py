"""What a card's face says without its index: so many pips at the places where pips stand and of such a shape, or a figure.

The two indices of a card share a typeface, so a glyph that misleads once misleads twice. The pips do not.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hardware.camera import inks, opencv
from hardware.camera.inks import Colour
from hardware.camera.opencv import Image

FLAT: Final = (200, 280)  # the face's size in pixels that `seen` takes
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "A", "figure", "unclear"]
Shape = Literal["heart", "club", "diamond or spade", "unclear"]  # the last two differ by colour, for which see votes


@dataclass(frozen=True)
class Face:
    """What a face shows: the rank its pips make, or a figure; and their shape and colour."""

    rank: Rank
    shape: Shape = "unclear"
    colour: Colour = "unclear"


_THIRDS: Final = (0.2, 0.5, 0.8)
_FOURTHS: Final = (0.2, 0.4, 0.6, 0.8)
_OUTER: Final = {
    "4": (0.2, 0.8),
    "5": (0.2, 0.8),
    "6": _THIRDS,
    "7": _THIRDS,
    "8": _THIRDS,
    "9": _FOURTHS,
    "T": _FOURTHS,
}
_MIDDLE: Final = {
    "2": (0.2, 0.8),
    "3": _THIRDS,
    "5": (0.5,),
    "7": (0.35,),
    "8": (0.35, 0.65),
    "9": (0.5,),
    "T": (0.3, 0.7),
}
_OF_COUNT: Final[dict[int, Rank]] = {2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", 10: "T"}
_INDEX_COLUMN: Final = 0.235  # what lies nearer to a side than this share of the width belongs to an index


def seen(face: Image) -> Face:
    """What stands on a face seen flat (BGR [280, 200, 3]), either way up.

    A pip card's marks must be as many as its rank, alike in size, and stand where that rank's pips stand.
    """
    ink = inked(face)
    inner = ink[int(0.12 * FLAT[1]) : int(0.88 * FLAT[1]), int(0.25 * FLAT[0]) : int(0.75 * FLAT[0])]
    share = float((inner > 0).mean())
    marks = _marks(ink)
    if len(marks) == 1 and share < 0.32 and np.abs(marks[0, :2] - 0.5).max() < 0.08 and marks[0, 3] < 0.45:
        return Face("A")
    rank = _OF_COUNT.get(len(marks), "unclear")
    if rank != "unclear" and _alike(marks[:, 2]) and _in_place(marks[:, :2], rank):
        boxes = [(left, top, wide, high) for left, top, wide, high in marks[:, 4:].astype(int)]
        colour = inks.of_marks(face, inks.paper_of(face), boxes)
        return Face(rank, _shape(ink, marks, red=colour in ("red", "unclear")), colour)
    return Face("figure" if share > 0.32 else "unclear")


def _shape(ink: Image, marks: NDArray[np.float64], *, red: bool) -> Shape:
    """The shape that the pips have on the average: how wide they are near the top, and how fast they widen."""
    top, third = np.mean([_widths(ink, mark) for mark in marks], axis=0)
    if top > 0.6:
        return "heart" if red else "club"
    widens = third / max(top, 0.05)
    if widens < 1.75:
        return "club"
    return "diamond or spade" if widens > 2.0 else "unclear"


def _widths(ink: Image, mark: NDArray[np.float64]) -> tuple[float, float]:
    """How wide a pip, the right way up, is a twelfth and a third of its height from its top, as shares of its greatest width."""
    left, top, wide, high = mark[4:].astype(int)
    pip = ink[top : top + high, left : left + wide] > 0
    if mark[1] > 0.5:  # pips of the lower half stand on their heads
        pip = pip[::-1]
    extents = pip.shape[1] - pip.argmax(axis=1) - pip[:, ::-1].argmax(axis=1)
    at = [slice(int(share * high), int(share * high) + max(1, round(0.08 * high))) for share in (0.08, 0.3)]
    greatest = float(extents.max())
    return float(extents[at[0]].mean()) / greatest, float(extents[at[1]].mean()) / greatest


def inked(face: Image) -> Image:
    """A mask of what is printed: clearly darker, in some channel, than the paper."""
    rim = face[8:-8:4, 8:-8:4].reshape(-1, 3)
    grey = opencv.ink(face, inks.at_share(rim, 0.75), 30)
    strong = float(inks.at_share(grey[::3, ::3].ravel(), 0.97))
    return opencv.above(grey, max(30.0, 0.5 * strong))


def _marks(ink: Image) -> NDArray[np.float64]:
    """The marks between the indices, crumbs left out: x, y (shares of width and height), area, height; their boxes in pixels."""
    rows = opencv.patches(ink)
    wide, high = FLAT
    x, y, area = rows[:, 5] / wide, rows[:, 6] / high, rows[:, 4]
    rim = (
        (rows[:, 0] <= 1)
        | (rows[:, 1] <= 1)
        | (rows[:, 0] + rows[:, 2] >= wide - 1)
        | (rows[:, 1] + rows[:, 3] >= high - 1)
    )
    inside = ~rim & (np.minimum(x, 1 - x) >= _INDEX_COLUMN) & (np.minimum(y, 1 - y) >= 0.05)
    marks = np.concatenate([np.stack([x, y, area, rows[:, 3] / high], axis=1), rows[:, :4]], axis=1)[inside]
    if not len(marks):
        return marks
    return marks[marks[:, 2] > max(60.0, 0.2 * float(marks[:, 2].max()))]


def _alike(areas: NDArray[np.float64]) -> bool:
    return bool(areas.max() < 2.2 * areas.min())


def _in_place(marks: NDArray[np.float64], rank: str) -> bool:
    """Whether marks stand where a rank's pips do, the outer columns where this deck has them, either way up."""
    column = float(np.minimum(marks[:, 0], 1 - marks[:, 0]).min()) if rank in _OUTER else 0.3
    spread = float(np.minimum(marks[:, 1], 1 - marks[:, 1]).min()) / 0.2
    if column > 0.42 or not 0.5 < spread < 1.5:
        return False
    places = np.array(
        [(x, y) for y in _OUTER.get(rank, ()) for x in (column, 1 - column)] + [(0.5, y) for y in _MIDDLE.get(rank, ())]
    )
    places[:, 1] = 0.5 + (places[:, 1] - 0.5) * (0.5 - 0.2 * spread) / 0.3
    return any(_matched(marks, p) for p in (places, 1 - places))


def _matched(marks: NDArray[np.float64], places: NDArray[np.float64]) -> bool:
    gaps = np.abs(marks[:, None] - places[None])
    near = (gaps[:, :, 0] < 0.09) & (gaps[:, :, 1] < 0.08)
    return bool((near.sum(axis=0) == 1).all() and (near.sum(axis=1) == 1).all())
