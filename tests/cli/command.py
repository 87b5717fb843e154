"""The installed command, run as a person runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

SCRIPT: Final = Path(sys.executable).with_name("dealer-assist")
TESTS: Final = Path(__file__).parents[1]
SHOES: Final = TESTS / "shoes"


class Ran:
    """What came of a run: exit status, standard output, standard error."""

    def __init__(self, done: "subprocess.CompletedProcess[bytes]") -> None:
        self.status: Final = done.returncode
        self.out: Final = done.stdout.decode()
        self.err: Final = done.stderr.decode()

    @property
    def rows(self) -> list[Any]:
        """Each line of the output as JSON."""
        return [json.loads(line) for line in self.out.splitlines()]

    def refused(self, *parts: str) -> None:
        """Exit 2: one line on standard error that holds every part, no traceback, nothing on standard output."""
        assert (self.status, self.out) == (2, ""), f"{self.status}, {self.out[:200]!r}, {self.err[-300:]!r}"
        assert self.err.startswith("dealer-assist: ")
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        for part in parts:
            assert part in self.err, self.err


def dealer_assist(*arguments: object, stdin: bytes = b"", **environment: str) -> Ran:
    """Run the command."""
    done = subprocess.run(
        [SCRIPT, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=60,
        check=False,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(Path.home()), **environment},
    )
    return Ran(done)
