"""One measurement's figure, the machine it was taken on, and how both are told."""

import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

RESULTS = Path(__file__).parent / "results"


class Figure(msgspec.Struct, frozen=True):
    """A measured value. `target` as the project set it; `better`: "lower" or "higher"."""

    name: str
    value: float
    unit: str
    target: float | None = None
    better: str = "lower"
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target is met."""
        if self.target is None:
            return ""
        met = self.value <= self.target if self.better == "lower" else self.value >= self.target
        return "meets" if met else "MISSES"


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of all lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def best_of(times: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest of several runs: what the machine does when nothing else disturbs it."""
    seconds = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def calibration() -> float:
    """Millions of plain interpreter steps a second: tells one machine's figures from another's."""

    def count() -> int:
        total = 0
        for number in range(1_000_000):
            total += number
        return total

    return 1 / best_of(5, count)


def machine() -> dict[str, object]:
    """What the figures were taken on."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "calibration_mops": round(calibration(), 2),
        "load_before": round(os.getloadavg()[0], 2),
    }


def keep(name: str, figures: Sequence[Figure], on: dict[str, object]) -> Path:
    """Write figures as JSON, and give the file."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    taken = {"taken_at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": on}
    path.write_text(
        json.dumps({**taken, "figures": [msgspec.to_builtins(figure) for figure in figures]}, indent=1) + "\n"
    )
    return path


def table(figures: Sequence[Figure]) -> str:
    """The figures as a table for people."""
    rows = [
        f"{figure.name:<46}{figure.value:>12.3f} {figure.unit:<9}"
        f"{'' if figure.target is None else f'{figure.target:>10.1f}':<11}{figure.verdict:<7}{figure.note}"
        for figure in figures
    ]
    return "\n".join([f"{'what':<46}{'value':>12} {'unit':<9}{'target':>10} ", *rows])


def spread(name: str, seconds: Sequence[float], target_ms: float, note: str) -> list[Figure]:
    """Median and 99th percentile of many latencies, in milliseconds."""
    median, worst = statistics.median(seconds) * 1000, percentile(seconds, 0.99) * 1000
    return [
        Figure(f"{name} p50", round(median, 3), "ms", note=note),
        Figure(f"{name} p99", round(worst, 3), "ms", target_ms, note=note),
    ]
