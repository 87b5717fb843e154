"""The only importer of cv2: what the camera's modules need of OpenCV, with types.

A picture is BGR uint8 [h, w, 3], a grey one uint8 [h, w]; points are float32 [n, 2], x before y, in pixels.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
PICTURES: Final = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
"""The endings of files that are pictures."""

cv2.setNumThreads(1)  # a table's machine has other work, and a frame is small
cv2.utils.logging.setLogLevel(
    cv2.utils.logging.LOG_LEVEL_SILENT
)  # what can't be opened is told by whoever asked for it


def points(values: ArrayLike) -> Points:
    """Points or other lengths as float32."""
    return np.asarray(values, np.float32)


def read_image(path: Path) -> Image | None:
    """The picture in a file, BGR; None if it is no picture that can be read. Raises: OSError."""
    return decoded(path.read_bytes())


def video_frames(source: str | int) -> Iterator[Image] | None:
    """The frames of a video file or of a camera (its number), one by one; None if it can't be opened."""
    video = cv2.VideoCapture(source)
    if not video.isOpened():
        return None

    def frames() -> Iterator[Image]:
        try:
            while (got := video.read())[0]:
                yield np.asarray(got[1], dtype=np.uint8)
        finally:
            video.release()

    return frames()


def encoded(image: Image, suffix: str, quality: int = 95) -> bytes:
    """The picture as a file's bytes: `.jpg` of a quality, or `.png`."""
    _, data = cv2.imencode(suffix, image, [cv2.IMWRITE_JPEG_QUALITY, quality] if suffix == ".jpg" else [])
    return np.asarray(data, np.uint8).tobytes()


def decoded(data: bytes) -> Image | None:
    """The picture in a file's bytes, BGR; None if there is none that can be read."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if image is None else np.asarray(image, dtype=np.uint8)


def homography(source: Points, target: Points) -> NDArray[np.float64]:
    """The 3×3 map that takes four points onto four others."""
    return np.asarray(cv2.getPerspectiveTransform(points(source), points(target)))


def warp(image: Image, matrix: NDArray[np.float64], width: int, height: int, *, border: bool = True) -> Image:
    """The picture through a homography, at the size wanted; beyond its rim the rim goes on, or (`border` False) black."""
    mode = cv2.BORDER_REPLICATE if border else cv2.BORDER_CONSTANT
    return np.asarray(
        cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=mode), np.uint8
    )


def resize(image: Image, width: int, height: int) -> Image:
    """The picture at another size, averaged where it shrinks."""
    shrinks = width * height < image.shape[0] * image.shape[1]
    return np.asarray(
        cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR), np.uint8
    )


def averaged(mean: NDArray[np.float32], image: Image, share: float, anew: Image) -> None:
    """Bring a mean of pictures, float32 [h, w, 3], that share of the way to another picture, in place; all the way where a
    mask, of any size, says so."""
    high, wide = image.shape[:2]
    cv2.accumulateWeighted(image, mean, share)
    cv2.copyTo(image.astype(np.float32), cv2.resize(anew, (wide, high), interpolation=cv2.INTER_NEAREST), mean)


def shrunk_a_little(image: Image, width: int, height: int) -> Image:
    """The picture at a size not less than half its own; far quicker than an average, and as good after a blur."""
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def levels_of(image: Image, channel: int = 0) -> NDArray[np.int64]:
    """How many pixels have each of a channel's 256 levels."""
    return np.asarray(cv2.calcHist([image], [channel], None, [256], [0, 256]), np.int64).ravel()


def at_share(image: Image, share: float, channel: int = 0) -> int:
    """The level of a channel that such a share of the pixels lies below."""
    counted = levels_of(image, channel).cumsum()
    return int(np.searchsorted(counted, int(share * (counted[-1] - 1)), side="right"))


def filtered(image: Image, kernel: NDArray[np.float32]) -> Image:
    """The picture under a kernel."""
    return np.asarray(cv2.filter2D(image, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.uint8)


def blurred(image: Image, sigma: float) -> Image:
    """The picture out of focus, by a Gaussian of that many pixels."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def thickened(mask: Image, pixels: int) -> Image:
    """A mask grown (or, negative, shrunk) by so many pixels all round."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(pixels) + 1, 2 * abs(pixels) + 1))
    return np.asarray(cv2.dilate(mask, kernel) if pixels > 0 else cv2.erode(mask, kernel), np.uint8)


def fill_polygon(image: Image, points: NDArray[np.floating], colour: tuple[int, ...]) -> None:
    """Fill a polygon in place, its rim smoothed."""
    cv2.fillPoly(image, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


def draw_circle(
    image: Image, centre: tuple[float, float], radius: float, colour: tuple[int, ...], width: int = -1
) -> None:
    """Draw a circle in place, filled if no line width is said."""
    at = (round(centre[0] * 16), round(centre[1] * 16))
    cv2.circle(image, at, round(radius * 16), colour, width, cv2.LINE_AA, 4)


def draw_rectangle(image: Image, box: tuple[int, int, int, int], colour: tuple[int, ...], width: int = -1) -> None:
    """Draw a rectangle (left, top, right, bottom) in place."""
    cv2.rectangle(image, box[:2], box[2:], colour, width, cv2.LINE_AA)


def darkest_channel(image: Image) -> Image:
    """Each pixel's least channel: white stays bright, every colour goes dark."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


def ink(image: Image, paper: NDArray[np.floating], dimmest: float) -> Image:
    """How much darker than the paper (BGR, taken to be no dimmer than that) each pixel is where it is most: 0 … 255."""
    shares = (paper - np.arange(256)[:, None]) / np.maximum(paper, dimmest)
    tables = np.clip(shares * 255, 0, 255).astype(np.uint8)
    blue, green, red = cv2.split(cv2.LUT(image, tables[None]))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def blue_channel(image: Image) -> Image:
    """The blue channel alone."""
    return np.asarray(cv2.extractChannel(image, 0), np.uint8)


def smoothed(grey: Image) -> Image:
    """Rid of single grains: the mean of 3×3."""
    return np.asarray(cv2.blur(grey, (3, 3)), np.uint8)


def above(grey: Image, level: float) -> Image:
    """A mask of what is brighter."""
    return np.asarray(cv2.threshold(grey, level, 255, cv2.THRESH_BINARY)[1], np.uint8)


def above_neighbours(grey: Image, block: int, slack: int) -> Image:
    """A mask of what is not darker, by more than the slack, than the mean of its neighbourhood (odd, in pixels)."""
    mean = cv2.boxFilter(grey, -1, (block, block), borderType=cv2.BORDER_REPLICATE)
    darker = cv2.subtract(mean, grey)
    return np.asarray(cv2.threshold(darker, slack - 1, 255, cv2.THRESH_BINARY_INV)[1], np.uint8)


def outshining(grey: Image, block: int, by: int) -> Image:
    """A mask of what is brighter, by more than so much, than the mean of its neighbourhood (odd, in pixels)."""
    mean = cv2.boxFilter(grey, -1, (block, block), borderType=cv2.BORDER_REPLICATE)
    return above(np.asarray(cv2.subtract(grey, mean), np.uint8), by)


def outlines(mask: Image, least: int) -> list[Points]:
    """The outer outlines of a mask's patches, clockwise as seen, each of at least so many points."""
    found, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    outer = (c for c in found if len(c) >= least and cv2.contourArea(c, oriented=True) < 0)  # a hole runs the other way
    return [np.asarray(c[::-1], np.float32)[:, 0] for c in outer]


def area(points: Points) -> float:
    """A polygon's area, in square pixels; positive when its points run clockwise as seen."""
    return float(cv2.contourArea(points, oriented=True))


def perimeter(points: Points) -> float:
    """How long a polygon's sides are together, in pixels."""
    return float(cv2.arcLength(points, closed=True))


def bounds(points: Points) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of points on whole pixels."""
    left, top, width, height = cv2.boundingRect(points)
    return left, top, left + width, top + height


def hull(points: Points) -> Points:
    """The convex hull, clockwise as seen."""
    found = np.asarray(cv2.convexHull(points), np.float32)[:, 0]
    return found if area(found) > 0 else found[::-1].copy()


def simplified(points: Points, slack: float) -> Points:
    """A closed outline with fewer points, none of the old ones further than the slack from it."""
    return np.asarray(cv2.approxPolyDP(points, slack, closed=True), np.float32)[:, 0]


def patches(mask: Image) -> NDArray[np.float64]:
    """A mask's connected patches: left, top, width, height, area, centre x, centre y, one row each."""
    _, _, stats, centres = cv2.connectedComponentsWithStats(mask, connectivity=8)
    return np.concatenate([stats[1:], centres[1:]], axis=1).astype(np.float64)


def odds(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scores, [n, k], as probabilities."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


class Net:
    """A net in an ONNX file, run on one core."""

    def __init__(self, path: Path) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(path))

    def scores(self, crops: list[Image]) -> NDArray[np.float32]:
        """The net's outputs for crops of one size, BGR as 0…1: float32 [n, outputs]."""
        self._net.setInput(cv2.dnn.blobFromImages(crops, 1 / 255))
        return np.asarray(self._net.forward(), np.float32)

    def planes(self, image: Image) -> NDArray[np.float32]:
        """The net's outputs, cell by cell, for one picture, BGR as 0…1: float32 [outputs, rows, columns]."""
        return np.asarray(self.scores([image])[0])


# --- what a table's camera needs: its pictures one by one, its calibration marks, and drawings for people ---


class Video:
    """A camera (its number), a video file or a stream (its URL), as far as it opens. For one thread."""

    def __init__(self, source: str | int, size: tuple[int, int] | None = None) -> None:
        """`size`: width and height to ask a camera for; it may give another."""
        self._video = cv2.VideoCapture(source)
        if isinstance(source, int) and self._video.isOpened():
            self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # what waits in a queue is old
            if size is not None:  # uncompressed, a large picture comes a few times a second, if at all
                self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
                self._video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
                self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])

    @property
    def is_open(self) -> bool:
        return self._video.isOpened()

    @property
    def rate(self) -> float:
        """Pictures a second, as the file or driver says; 0 where it says nothing of use."""
        rate = float(self._video.get(cv2.CAP_PROP_FPS))
        return rate if 0 < rate <= 1000 else 0.0

    def grab(self) -> bool:
        """Take the next picture, undecoded where that can be put off; may wait for ever. False: there is none any more."""
        return self._video.grab()

    def retrieve(self) -> Image | None:
        """The picture taken last, BGR; None if it is damaged."""
        good, image = self._video.retrieve()
        return np.ascontiguousarray(image, dtype=np.uint8) if good else None

    def close(self) -> None:
        self._video.release()


def _mark_family() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def mark(number: int) -> NDArray[np.bool_]:
    """An ArUco mark's cells, 6 × 6 with its rim, as it is seen upright; True is black."""
    return np.asarray(np.asarray(cv2.aruco.generateImageMarker(_mark_family(), number, 6)) == 0, np.bool_)


def find_marks(image: Image) -> list[tuple[int, Points]]:
    """The ArUco marks in a picture: number, and corners clockwise from the mark's own left top. A number may come twice."""
    fine = cv2.aruco.DetectorParameters()
    fine.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, numbers, _ = cv2.aruco.ArucoDetector(_mark_family(), fine).detectMarkers(image)
    if not corners:  # then there are no numbers either
        return []
    found = zip(np.asarray(numbers).ravel().tolist(), corners, strict=True)
    return [(int(number), np.asarray(four, np.float32).reshape(4, 2)) for number, four in found]


def fitted_homography(source: Points, target: Points) -> NDArray[np.float64]:
    """The 3×3 map that takes four or more points, not in a line, as near as can be to others."""
    return np.asarray(cv2.findHomography(source, target)[0], np.float64)


def draw_outline(image: Image, points: NDArray[np.floating], colour: tuple[int, ...], width: int) -> None:
    """Draw a closed outline in place."""
    cv2.polylines(image, [np.round(points * 16).astype(np.int32)], True, colour, width, cv2.LINE_AA, 4)


def draw_words(image: Image, words: str, middle: tuple[float, float], high: float, colour: tuple[int, ...]) -> None:
    """Write a line of ASCII about a point, its capitals so many pixels high, edged in black, in place."""
    font, scale, width = cv2.FONT_HERSHEY_SIMPLEX, high / 22, max(1, round(high / 9))
    (wide, tall), _ = cv2.getTextSize(words, font, scale, width)
    at = (round(middle[0] - wide / 2), round(middle[1] + tall / 2))
    cv2.putText(image, words, at, font, scale, (0, 0, 0), width * 3, cv2.LINE_AA)
    cv2.putText(image, words, at, font, scale, colour, width, cv2.LINE_AA)
