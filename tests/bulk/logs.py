"""Shoe logs made of the golden rounds, again and again under new numbers, and ways to spoil them."""

import json
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

GOLDEN: Final = Path(__file__).parents[1] / "golden"
SHOES: Final = Path(__file__).parents[1] / "shoes"
LOGS: Final = sorted([*GOLDEN.glob("rounds-*.jsonl"), *SHOES.glob("*.jsonl")])


def lines_of(path: Path) -> list[bytes]:
    """The lines of a log that are not blank."""
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.strip()]


def golden_rounds() -> list[dict[str, Any]]:
    """Every golden round, without what replay ignores."""
    logs = sorted(GOLDEN.glob("rounds-*.jsonl"))
    rounds = [json.loads(line) for log in logs for line in lines_of(log)]
    return [{name: value for name, value in each.items() if name != "expect"} for each in rounds]


def many_rounds(count: int, table: str = "T7", first: int = 0) -> Iterator[dict[str, Any]]:
    """So many rounds of one table, each of a later second, by dealers who take turns; the first is number `first`."""
    for number, each in zip(range(first, first + count), islice(cycle(golden_rounds()), first, None), strict=False):
        day, second = divmod(number, 40_000)
        clock = f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        at = {"id": f"2026-11-{day + 1:02d}/{table}/{clock}", "time": f"2026-11-{day + 1:02d}T{clock}Z"}
        yield {**each, **at, "table": table, "dealer": f"d{number // 500 % 3}"}


def written(rounds: Iterable[dict[str, Any]]) -> bytes:
    """The rounds as a log."""
    return b"".join(json.dumps(each).encode() + b"\n" for each in rounds)


def underpaid(each: dict[str, Any]) -> dict[str, Any]:
    """The round with the lowest seat's ante recorded a cent lower than is right."""
    seat = min(each["recorded"])
    ante = round(float(each["recorded"][seat]["ante"]) * 100) - 1
    sign, cents = ("-", -ante) if ante < 0 else ("", ante)
    wrong = f"{sign}{cents // 100}.{cents % 100:02d}"
    return {**each, "recorded": {**each["recorded"], seat: {**each["recorded"][seat], "ante": wrong}}}
