"""The colour of what is printed on a card, told against its paper, so that a lamp's tint matters little."""

from collections.abc import Iterable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Image

Colour = Literal["red", "black", "blue", "green", "unclear"]
Box = tuple[int, int, int, int]  # left, top, width, height


def paper_of(picture: Image) -> NDArray[np.float32]:
    """How bright the paper is in each channel, float32 [3]. The paper is what most of the picture is."""
    every = max(1, picture.shape[0] // 90)
    some = np.ascontiguousarray(picture[::every, ::every])
    return np.maximum([opencv.at_share(some, 0.8, channel) for channel in range(3)], 40).astype(np.float32)


def depth_of(part: Image, paper: NDArray[np.float32]) -> NDArray[np.float32]:
    """How much darker than the paper each channel is, 0…1: float32 [h, w, 3]."""
    return np.asarray(np.maximum(1 - part.astype(np.float32) / paper, 0), np.float32)


def of_marks(picture: Image, paper: NDArray[np.float32], boxes: Iterable[Box]) -> Colour:
    """The one colour of several marks; unclear where they differ, or none has any."""
    colours = {
        _of_mark(depth_of(picture[top : top + high, left : left + wide], paper)) for left, top, wide, high in boxes
    }
    colours -= {"unclear"}
    return colours.pop() if len(colours) == 1 else "unclear"


def of_ink(picture: Image) -> Colour:
    """The colour of whatever is printed in a picture, that is most of it paper."""
    return _of_mark(depth_of(picture, paper_of(picture)))


def may_be(suit: str, colour: Colour) -> bool:
    """Whether a suit may be printed in a colour: hearts red, spades black, diamonds also blue, clubs also green."""
    allowed = {"h": ("red",), "s": ("black",), "d": ("red", "blue"), "c": ("black", "green")}
    return colour == "unclear" or colour in allowed[suit]


def _of_mark(depth: NDArray[np.float32]) -> Colour:
    strength = np.maximum(np.maximum(depth[..., 0], depth[..., 1]), depth[..., 2])
    blue, green, red = (float(v) for v in depth[strength >= 0.75 * strength.max()].mean(axis=0))
    if max(blue, green, red) < 0.25:
        return "unclear"
    if red < 0.8 * min(blue, green):
        return "red"
    if min(blue, green, red) > 0.92 * max(blue, green, red):
        return "black"
    if blue < 0.6 * min(green, red):
        return "blue"
    return "green" if green < 0.6 * min(blue, red) else "unclear"
