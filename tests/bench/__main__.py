"""`python -m tests.bench`: measure, print, keep."""

from tests.bench.bulk import bulk_figures
from tests.bench.figures import keep, machine, table
from tests.bench.laboratory import laboratory_figures
from tests.bench.ranking import ranking_figures
from tests.bench.readers import reader_figures
from tests.bench.replaying import replay_figures
from tests.bench.screens import screen_figures


def main() -> None:
    """All of it, one after the other, so that no measurement disturbs another."""
    on = machine()
    figures = [
        *replay_figures(),
        *screen_figures(),
        *reader_figures(),
        *ranking_figures(),
        *laboratory_figures(),
        *bulk_figures(),
    ]
    print(table(figures))
    print(f"on {on}")
    print(f"kept in {keep('table', figures, on)}")


main()
