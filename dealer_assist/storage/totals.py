"""How much a log holds, without reading its events."""

from pathlib import Path

import msgspec

from dealer_assist.game.events import RoundClosed, RoundVoided
from dealer_assist.storage.sqlite_log import open_to_read


class Totals(msgspec.Struct, frozen=True):
    """Counts of a log: all its events, and its rounds that were closed or voided."""

    events: int = 0
    closed: int = 0
    void: int = 0


def totals(path: Path) -> Totals:
    """The totals of the log at `path`; nothing where there is no log yet."""
    if not path.exists():
        return Totals()
    connection = open_to_read(path)
    try:
        counts = dict(connection.execute("select kind, count(*) from log group by kind").fetchall())
    finally:
        connection.close()
    return Totals(sum(counts.values()), counts.get(RoundClosed.__name__, 0), counts.get(RoundVoided.__name__, 0))
