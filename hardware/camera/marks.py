"""The calibration page, and what a picture of it tells: where the felt lies in the picture.

Each page has four marks, whose numbers name their corner: 0 to 3 on A4, 4 to 7 on A3, from the near left one anticlockwise
as the dealer sees it. The page lies in the middle of the felt, its lower edge to the dealer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.calibration import FORMAT, RIM_STEP_MM, Calibration, RimColours, Row, rim_text
from hardware.camera.opencv import Image
from hardware.camera.zones import Zone, ZonePlan, along, is_convex, place_name, through, within

CORNERS: Final = ("near left", "near right", "far right", "far left")
RULER_MM: Final = 100.0

LEAST_CARD_PX: Final = 50.0  # a card's width below which the recogniser's index crops are guesswork
_MOST_OFF_PX: Final = 3.0
_SIDES: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Page:
    """A page's size, its marks' size and their distance from its rim, in mm, and the number of its first mark."""

    name: str
    width: float
    height: float
    mark: float
    margin: float
    first: int

    def marks(self) -> Iterator[tuple[int, str, NDArray[np.float64]]]:
        """Each mark: number, corner of the page, and its corners in mm from the page's middle, clockwise from its left top."""
        half = self.mark / 2
        x, y = self.width / 2 - self.margin - half, self.height / 2 - self.margin - half
        square = np.array([(-half, half), (half, half), (half, -half), (-half, -half)])
        for at, (name, (right, far)) in enumerate(zip(CORNERS, _SIDES, strict=True)):
            yield self.first + at, name, square + np.array([right * x, far * y])

    @property
    def outline(self) -> NDArray[np.float64]:
        return np.array([(right * self.width / 2, far * self.height / 2) for right, far in _SIDES])


PAGES: Final = (Page("A4", 297, 210, 60, 14, 0), Page("A3", 420, 297, 85, 18, 4))


class NotCalibrated(Exception):
    """A picture from which no calibration can be made; its text says what is missing."""


def calibrated(image: Image, plan: ZonePlan, source: str, ruler_mm: float = RULER_MM) -> Calibration:
    """The calibration that a picture of the page gives. `ruler_mm`: how long the page's ruler of 100 mm came out in print.

    Raises: NotCalibrated.
    """
    page, found = _page_in(image)
    felt = np.concatenate([corners for _, _, corners in page.marks()]) * (ruler_mm / RULER_MM)
    seen = np.concatenate([found[number] for number, _, _ in page.marks()]).astype(np.float64)
    if not is_convex(np.array([found[number].mean(axis=0) for number, _, _ in page.marks()])):
        raise NotCalibrated(f"expected the four marks of the {page.name} page at its corners, found them out of place")
    matrix = opencv.fitted_homography(felt.astype(np.float32), seen.astype(np.float32))
    off = float(np.hypot(*(through(matrix, felt) - seen).T).max())
    if off > _MOST_OFF_PX:
        raise NotCalibrated(
            f"expected the {page.name} page to lie flat and whole, found a mark {off:.1f} pixels out of place"
        )
    matrix /= matrix[2, 2]
    high, wide = image.shape[:2]
    widths = _card_widths(matrix, plan, (wide, high))
    rows = [(float(a), float(b), float(c)) for a, b, c in matrix]
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    under = page.outline * (ruler_mm / RULER_MM)
    return Calibration(
        format=FORMAT,
        made=made,
        source=source,
        size=(wide, high),
        felt_to_picture=_three(rows),
        card_px=(round(min(widths), 1), round(max(widths), 1)),
        off_px=round(off, 2),
        card_mm=plan.card_mm,
        zones=plan.zones,
        rims=tuple(_rim(image, matrix, zone, under) for zone in plan.zones),
    )


def _three(rows: list[Row]) -> tuple[Row, Row, Row]:
    one, two, three = rows
    return one, two, three


def _page_in(image: Image) -> tuple[Page, dict[int, NDArray[np.float32]]]:
    """The page whose marks are seen, and where. Raises: NotCalibrated."""
    seen = opencv.find_marks(image)
    numbers = [number for number, _ in seen]
    pages = [page for page in PAGES if any(number in numbers for number, _, _ in page.marks())]
    if not pages:
        what = "expected the calibration page with its four marks, found none of them"
        raise NotCalibrated(f"{what}: is it in the picture, in focus and lit?")
    if len(pages) > 1:
        raise NotCalibrated("expected one calibration page, found marks of both A4 and A3: leave one on the felt")
    [page] = pages
    for number, corner, _ in page.marks():
        if numbers.count(number) > 1:
            raise NotCalibrated(f"expected one calibration page, found the {corner} mark twice")
    missing = [corner for number, corner, _ in page.marks() if number not in numbers]
    if missing:
        raise NotCalibrated(
            f"expected the four marks of the {page.name} page, found {4 - len(missing)}; missing: {', '.join(missing)}"
        )
    return page, dict(seen)


def _card_widths(matrix: NDArray[np.float64], plan: ZonePlan, size: tuple[int, int]) -> list[float]:
    """A card's width in pixels in each zone's middle. Raises: NotCalibrated, where it is too small, or a zone out of sight."""
    widths = []
    for zone in plan.zones:
        corners = through(matrix, zone.outline)
        name = place_name(zone.seat)
        if (corners < 0).any() or (corners > np.array(size) - 1).any():
            what = f"expected the whole zone of {name} in the picture, found a part outside"
            raise NotCalibrated(f"{what}: move the camera or change the zones")
        width = _least_width(matrix, zone.outline.mean(axis=0), plan.card_mm[0])
        if width < LEAST_CARD_PX:
            what = f"expected a card at {name} to be {LEAST_CARD_PX:.0f} pixels wide or more, found {width:.0f}"
            raise NotCalibrated(f"{what}: bring the camera nearer, or set it to larger pictures")
        widths.append(width)
    return widths


def _least_width(matrix: NDArray[np.float64], middle: NDArray[np.float64], card_mm: float) -> float:
    """The width of a card in the picture, turned as the view makes it smallest."""
    turns = np.linspace(0, np.pi, 12, endpoint=False)
    half = np.stack([np.cos(turns), np.sin(turns)], axis=1) * (card_mm / 2)
    return float(np.hypot(*(through(matrix, middle + half) - through(matrix, middle - half)).T).min())


def _rim(image: Image, matrix: NDArray[np.float64], zone: Zone, page: NDArray[np.float64]) -> RimColours:
    """What a zone's rim looks like now, but where the page lies over it."""
    felt = along(zone.outline, RIM_STEP_MM)
    x, y = np.round(through(matrix, felt)).astype(int).T
    high, wide = image.shape[:2]
    soft = opencv.blurred(image, 1.5)
    colours = soft[np.clip(y, 0, high - 1), np.clip(x, 0, wide - 1)]
    return RimColours(zone.seat, rim_text(colours, ~within(page * 1.05, felt)))


def drawn(image: Image, calibration: Calibration) -> Image:
    """The picture with the zones, their names, and a card's size over it, for a person to look at."""
    picture = image.copy()
    width = max(2, round(max(image.shape) / 640))
    wide, high = calibration.card_mm
    card = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
    for zone in calibration.zones:
        opencv.draw_outline(picture, calibration.pixels(zone.outline), (80, 220, 255), width)
        middle = zone.outline.mean(axis=0)
        opencv.draw_outline(picture, calibration.pixels(card + middle), (255, 255, 255), max(1, width // 2))
        x, y = calibration.pixels(middle[None])[0].tolist()
        opencv.draw_words(picture, place_name(zone.seat), (x, y), max(10, calibration.card_px[0] / 5), (80, 220, 255))
    return picture
