"""`python -m tests.bench`: measure, print, keep. `python -m tests.bench camera`: one part alone, kept in a file of its own."""

import sys
from collections.abc import Callable, Iterable
from typing import Final

from tests.bench.bulk import bulk_figures
from tests.bench.camera import camera_figures
from tests.bench.figures import Figure, keep, machine, table
from tests.bench.laboratory import laboratory_figures
from tests.bench.ranking import ranking_figures
from tests.bench.readers import reader_figures
from tests.bench.replaying import replay_figures
from tests.bench.screens import screen_figures

PARTS: Final[dict[str, Callable[[], Iterable[Figure]]]] = {
    "replaying": replay_figures,
    "screens": screen_figures,
    "readers": reader_figures,
    "ranking": ranking_figures,
    "laboratory": laboratory_figures,
    "bulk": bulk_figures,
    "camera": camera_figures,
}


def main(wanted: list[str]) -> None:
    """All of it, or the parts that are named, one after the other, so that no measurement disturbs another."""
    on = machine()
    figures = [figure for name in wanted or PARTS for figure in PARTS[name]()]
    print(table(figures))
    print(f"on {on}")
    print(f"kept in {keep('-'.join(wanted) or 'table', figures, on)}")


main(sys.argv[1:])
