"""Pictures of a fixed camera, rid of noise: the mean of the last few, wherever nothing moved between them.

What a small index loses to a dim room is grain, and grain is never twice the same.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.camera import opencv
from hardware.camera.opencv import Image

_PICTURES: Final = 5  # that make up a mean
_SHRINK: Final = 4  # pixels to a side of what is compared
_MOVED: Final = 10  # levels, of so many pixels' mean, from which it is another thing that is seen


class Steadied:
    """The mean of a camera's last pictures, taken one after the other. For one thread."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as with the first picture."""
        self._mean: NDArray[np.float32] | None = None
        self._seen = np.empty((0, 0, 3), np.int16)  # the mean, shrunk
        self._taken = 0

    def picture(self, image: Image) -> Image:
        """The mean of the last pictures and this one, BGR uint8 [h, w, 3]; just this one where anything moved."""
        shrunk = _shrunk(image)
        if self._mean is None or self._seen.shape != shrunk.shape:
            self._mean, self._taken = image.astype(np.float32), 1
        else:
            moved = np.abs(shrunk - self._seen).max(axis=2) > _MOVED
            self._taken = min(self._taken + 1, _PICTURES)
            opencv.averaged(self._mean, image, 1 / self._taken, opencv.thickened(moved * np.uint8(255), 1))
        steady = np.asarray(self._mean + 0.5, np.uint8)
        self._seen = _shrunk(steady)
        return steady


def _shrunk(image: Image) -> NDArray[np.int16]:
    high, wide = image.shape[:2]
    return opencv.resize(image, max(1, wide // _SHRINK), max(1, high // _SHRINK)).astype(np.int16)
