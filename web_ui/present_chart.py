"""The jackpot's return against its meter, as a picture and in words: every length is made here, none in the browser."""

import math
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 640
HEIGHT: Final = 320
LEFT: Final = 62
RIGHT: Final = 20
TOP: Final = 34
BOTTOM: Final = 46
TICKS: Final = 5


@dataclass(frozen=True)
class Slope:
    """A return that grows with the meter: `fixed` at zero, `per_unit` for each unit of the currency."""

    fixed: float
    per_unit: float

    def at(self, meter: float) -> float:
        """The return at a meter."""
        return self.fixed + self.per_unit * meter


@dataclass(frozen=True)
class Tick:
    """A line across the picture with the value it stands for."""

    at: float
    value: float


@dataclass(frozen=True)
class Mark:
    """A meter that is pointed out, and the return there; `at_right`: its words stand at its left, where there is room."""

    x: float
    y: float
    meter: float
    back: float
    at_right: bool


@dataclass(frozen=True)
class Chart:
    """Lengths in the picture's own units, from its upper left corner."""

    line: str
    stated_line: str | None
    meters: tuple[Tick, ...]
    returns: tuple[Tick, ...]
    all_back: float
    break_even: Mark | None
    table_meter: Mark | None
    points: tuple[tuple[float, float], ...]


def chart(slope: Slope, stated: Slope | None, table_meter: float | None) -> Chart | None:
    """The picture of a return, with the one it was before; None where it does not hang on the meter."""
    if not slope.per_unit:
        return None
    even = (1 - slope.fixed) / slope.per_unit
    far = 1.15 * max(even, table_meter or 0, 0.25 / slope.per_unit)
    step = _round_step(far / TICKS)
    width, height = far, max(slope.at(far), stated.at(far) if stated else 0, 1.1)

    def across(meter: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * meter / width, 1)

    def up(back: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * back / height, 1)

    def line(of: Slope) -> str:
        return f"{across(0)},{up(of.at(0))} {across(far)},{up(of.at(far))}"

    def mark(meter: float) -> Mark:
        return Mark(across(meter), up(slope.at(meter)), meter, slope.at(meter), at_right=meter > width / 2)

    share = _round_step(height / TICKS)
    meters = [step * at for at in range(math.floor(far / step) + 1)]
    return Chart(
        line=line(slope),
        stated_line=line(stated) if stated else None,
        meters=tuple(Tick(across(meter), meter) for meter in meters),
        returns=tuple(Tick(up(share * at), share * at) for at in range(math.floor(height / share) + 1)),
        all_back=up(1),
        break_even=mark(even) if even > 0 else None,
        table_meter=None if table_meter is None else mark(table_meter),
        points=tuple((meter, slope.at(meter)) for meter in meters),
    )


def _round_step(least: float) -> float:
    """The least of 1, 2 or 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * times for times in (1, 2, 5, 10) if power * times >= least)
