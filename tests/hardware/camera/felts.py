"""A felt as a camera over the table sees it: somewhat from the side, with the calibration page, cards and hands on it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.marks import PAGES, Page
from hardware.camera.opencv import Image, Points
from hardware.camera.zones import default_zones, through
from tests.hardware.camera.films import noisy
from tests.hardware.camera.tables import dealt

SIZE = (1280, 720)
GREEN = (60, 105, 40)
SKIN = (120, 150, 205)
CARD_MM = (63.0, 88.0)

# Where the corners of 1,360 × 765 mm of felt lie in the picture: the camera hangs a little to the dealer's side.
_FELT = np.array([(-680, -340), (680, -340), (680, 425), (-680, 425)], np.float32)
_SEEN = np.array([(10, 712), (1272, 708), (1250, 12), (26, 8)], np.float32)

Lying = tuple[Card, tuple[float, float], float]  # a card, its middle in mm, and its turn in degrees


def view() -> NDArray[np.float64]:
    """From the felt's mm to the picture's pixels, as it is in truth."""
    return opencv.fitted_homography(_FELT, _SEEN)


def in_view(felt: NDArray[np.floating]) -> Points:
    return through(view(), felt).astype(np.float32)


def corners_mm(lying: Lying) -> NDArray[np.float64]:
    """A card's corners on the felt, from its left top as it is read."""
    _, middle, degrees = lying
    wide, high = CARD_MM[0] / 2, CARD_MM[1] / 2
    turn = np.deg2rad(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(
        np.array([(-wide, high), (wide, high), (wide, -high), (-wide, -high)]) @ spin.T + middle, np.float64
    )


def felt(lit: float = 1.0) -> Image:
    """The empty felt: cloth, with a betting circle printed across seat 3's rim, as real ones have."""
    image = np.empty((SIZE[1], SIZE[0], 3), np.float32)
    image[:] = GREEN
    image += np.random.default_rng(7).normal(0, 3, (SIZE[1], SIZE[0], 1))
    picture = image.clip(0, 255).astype(np.uint8)
    x, y = in_view(np.array([default_zones(4).zones[3].corners[0]]))[0]
    opencv.draw_circle(picture, (float(x), float(y)), 30, (210, 215, 220), 6)
    return (picture * lit).clip(0, 255).astype(np.uint8)


def with_page(image: Image, page: Page = PAGES[0], without: Sequence[int] = (), printed: float = 1.0) -> Image:
    """The page in the middle of the felt; `without` some of its marks, `printed` at a scale."""
    picture = image.copy()
    opencv.fill_polygon(picture, in_view(page.outline * printed), (235, 238, 240))
    for number, _, outline in page.marks():
        if number in without:
            continue
        left_top, step = outline[0], page.mark / 6
        opencv.fill_polygon(picture, in_view(outline * printed), (25, 25, 25))
        for row, column in np.argwhere(~opencv.mark(number)):
            cell = np.array([(column, -row), (column + 1, -row), (column + 1, -row - 1), (column, -row - 1)]) * step
            opencv.fill_polygon(picture, in_view((left_top + cell) * printed), (235, 238, 240))
    return opencv.blurred(picture, 0.7)


def with_cards(image: Image, lying: Sequence[Lying], design: str = "garamond") -> Image:
    picture = image.copy()
    for each in lying:
        dealt(picture, design, each[0], in_view(corners_mm(each)))
    return opencv.blurred(picture, 0.5)


def with_arm(image: Image, to: tuple[float, float], colour: tuple[int, int, int] = SKIN) -> Image:
    """An arm from beyond the far rim to a point of the felt, in mm."""
    x, y = to
    picture = image.copy()
    opencv.fill_polygon(
        picture, in_view(np.array([(x - 35, 420.0), (x + 35, 420.0), (x + 22, y), (x - 22, y)])), colour
    )
    return picture


def noisy_page(page: Page = PAGES[0]) -> Image:
    return noisy(with_page(felt(), page), 3)
