"""A camera's calibration: what one look at the page with the marks told, kept in a TOML file.

It holds for one camera that has not moved since, at one size of picture.
"""

from typing import Final

import msgspec
import numpy as np
import tomli_w
from numpy.typing import NDArray

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.settings import Raw, require, shaped
from hardware.camera.zones import Place, Points, Zone, ZonePlan, along, area, place_name, place_of, through

FORMAT: Final = "camera/1"
RIM_STEP_MM: Final = 5.0
UNKNOWN: Final = "......"  # a rim's colour where something lay over it when it was looked at

READS_WELL_PX: Final = 72.0  # a card's width from which the figures of docs/model-card.md hold

_LARGEST: Final = 16_384

Row = tuple[float, float, float]


class RimColours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a zone's rim looks with nothing across it: every 5 mm, six hex digits of blue, green and red, or six points."""

    seat: int
    colours: str


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`felt_to_picture`: the rows of the map from the felt's mm to pixels. `size`: the pictures' width and height.

    `card_px`: a card's least and greatest width over the zones' middles. `off_px`: how far the marks' corners lie from
    where the map puts them, at most.
    """

    format: str
    made: str
    source: str
    size: tuple[int, int]
    felt_to_picture: tuple[Row, Row, Row]
    card_px: tuple[float, float]
    off_px: float
    card_mm: tuple[float, float]
    zones: tuple[Zone, ...]
    rims: tuple[RimColours, ...]

    @property
    def matrix(self) -> NDArray[np.float64]:
        return np.array(self.felt_to_picture, np.float64)

    @property
    def reads_well(self) -> bool:
        """Whether cards come out large enough everywhere to be read as often as they can be."""
        return self.card_px[0] >= READS_WELL_PX

    @property
    def card_size(self) -> tuple[float, float]:
        """A card's width and height in pixels, as it mostly lies."""
        wide = sum(self.card_px) / 2
        return wide, wide * self.card_mm[1] / self.card_mm[0]

    def pixels(self, felt: Points) -> NDArray[np.float64]:
        """Points of the felt, [n, 2] in mm, in the picture."""
        return through(self.matrix, felt)

    def felt(self, pixels: Points) -> NDArray[np.float64]:
        """Points of the picture, [n, 2], on the felt, in mm."""
        return through(np.linalg.inv(self.matrix), pixels)

    def place(self, corners: Points) -> tuple[Place, tuple[float, float]]:
        """Whose place a card lies at, by its corners in the picture, [4, 2]; and its middle on the felt, in mm."""
        on_felt = self.felt(corners)
        x, y = on_felt.mean(axis=0).tolist()
        return place_of(self.zones, on_felt), (round(x, 1), round(y, 1))

    def pixels_per_mm2(self, zone: Zone) -> float:
        """How many pixels a square millimetre of a zone has."""
        return area(self.pixels(zone.outline)) / area(zone.outline)


def calibration_text(calibration: Calibration) -> str:
    """The file's text."""
    fields: Raw = msgspec.to_builtins(calibration)
    return (
        "# Written by `dealer-assist camera calibrate`. It holds until camera, lens or table are moved.\n"
        + tomli_w.dumps(fields)
    )


def calibration_from(raw: Raw) -> Calibration:
    """A parsed file. Raises: BadSetting."""
    require(raw.get("format") == FORMAT, "format", f'"{FORMAT}"', raw.get("format", "none"))
    calibration = shaped(raw, Calibration)
    wide, high = calibration.size
    require(
        0 < wide <= _LARGEST and 0 < high <= _LARGEST, "size", "a picture's width and height", list(calibration.size)
    )
    matrix = calibration.matrix
    sound = bool(np.isfinite(matrix).all()) and abs(float(np.linalg.det(matrix))) > 1e-12
    require(sound, "felt_to_picture", "a map that can be turned round", calibration.felt_to_picture)
    ZonePlan(calibration.zones, calibration.card_mm).check()
    seats = sorted(zone.seat for zone in calibration.zones)
    require(sorted(rim.seat for rim in calibration.rims) == seats, "rims", "one of each zone", len(calibration.rims))
    for rim in calibration.rims:
        [zone] = [zone for zone in calibration.zones if zone.seat == rim.seat]
        wanted, found = len(along(zone.outline, RIM_STEP_MM)), len(rim_from(rim)[0])
        require(found == wanted, f"rims of {place_name(rim.seat)}", f"{wanted} colours", found)
    return calibration


def plan_from(raw: Raw) -> ZonePlan:
    """A parsed file of zones. Raises: BadSetting."""
    plan = shaped(raw, ZonePlan)
    plan.check()
    return plan


def plan_text(plan: ZonePlan) -> str:
    """A file of zones, to be changed by hand."""
    told = "# The felt in mm: x to the dealer's right, y away from him, from the middle of the calibration page.\n"
    return (
        told
        + "# seat 0 is the dealer's place. Corners of each zone in order; zones may not overlap.\n"
        + tomli_w.dumps(msgspec.to_builtins(plan))
    )


def rim_from(rim: RimColours) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A rim's colours, [n, 3] blue, green, red, and which of them are known. Raises: BadSetting."""
    cells = [rim.colours[n : n + 6] for n in range(0, len(rim.colours), 6)]
    try:
        rows = [(0, 0, 0) if cell == UNKNOWN else tuple(bytes.fromhex(cell)) for cell in cells]
        found = np.array(rows, np.float32).reshape(-1, 3)
    except ValueError:
        raise BadSetting(f"rims of {place_name(rim.seat)}", "expected six hex digits or six points a colour") from None
    return found, np.array([cell != UNKNOWN for cell in cells], np.bool_)


def rim_text(colours: NDArray[np.uint8], known: NDArray[np.bool_]) -> str:
    """Colours, [n, 3], as a file has them."""
    return "".join(bytes(c.tolist()).hex() if k else UNKNOWN for c, k in zip(colours, known, strict=True))
