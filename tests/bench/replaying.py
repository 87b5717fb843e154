"""How many logged rounds a second the plain engine deals again, on one core."""

from collections.abc import Sequence
from pathlib import Path

from dealer_assist.application.records import read_record
from dealer_assist.application.replay import Replayer, outcome_of
from dealer_assist.storage.profiles import load_profile
from tests.bench.figures import Figure, best_of

GOLDEN = Path(__file__).parents[1] / "golden"


def _lines() -> list[bytes]:
    logs = sorted(GOLDEN.glob("rounds-*.jsonl"))
    return [line for log in logs for line in log.read_bytes().splitlines() if line.strip()]


def replay_figures() -> Sequence[Figure]:
    """Rounds a second from bytes to compared outcome, best of ten passes over the golden rounds."""
    replayer, lines = Replayer(load_profile), _lines()

    def replay() -> None:
        for line in lines:
            record = read_record(line)
            outcome_of(record, replayer.play(record))

    replay()
    seconds = best_of(10, replay)
    return [
        Figure("plain replay", round(len(lines) / seconds), "rounds/s", 3000, "higher", f"{len(lines)} golden rounds")
    ]
