"""`python -m tests.faults`: play every fault at every moment, and write what came of it to docs/faults.md."""

import tempfile
from pathlib import Path

from tests.faults.dealer import Moment
from tests.faults.felt import faulty_shoe
from tests.faults.matrix import FAULTS, page, played

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch, faulty_shoe(Path(scratch), "line") as shoe:
        outcomes = {
            (fault.name, moment): played(shoe, Path(scratch) / f"{fault.name} {moment}", fault, moment)
            for fault in FAULTS
            for moment in Moment
        }
    PAGE.write_text(page(outcomes), "utf-8")


main()
