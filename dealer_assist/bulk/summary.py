"""What a whole bulk run came to."""

from typing import Final

import msgspec

from dealer_assist.bulk.partitions import Partition
from dealer_assist.bulk.tally import Tally, Told, told
from dealer_assist.bulk.work import PartResult
from dealer_assist.storage.shoe_logs import Kind


class Group(msgspec.Struct, frozen=True):
    """Rounds that have one thing in common; `name` None where records are silent. Money by unit."""

    name: str | None
    rounds: int
    differences: int
    faults: int
    money: dict[str, Told]


class Format(msgspec.Struct):
    """How much the logs of one kind hold."""

    files: int = 0
    rounds: int = 0
    bytes: int = 0
    bytes_per_round: float | None = None


class Summary(msgspec.Struct, frozen=True):
    """`summary.json`. `differences` counts bets, as `replay` does. `seconds` and `rounds_per_second` are of this run alone,
    which took over `parts_taken_over` of an earlier one; all else is the same however the work was done.
    """

    rounds: int
    differences: int
    differing_rounds: int
    faults: int
    irregular_rounds: int
    sampled: int
    engines_disagree: int
    files: int
    parts: int
    parts_taken_over: int
    seconds: float
    rounds_per_second: int
    formats: dict[str, Format]
    money: dict[str, Told]
    by_table: list[Group]
    by_day: list[Group]
    by_dealer: list[Group]


class SummaryMaker:
    """Adds up parts."""

    def __init__(self, taken_over: int) -> None:
        self._taken_over: Final = taken_over
        self._all: Final = PartResult()
        self._formats: dict[Kind, Format] = {}
        self._parts = 0

    def add(self, part: Partition, result: PartResult) -> None:
        """Add one part."""
        self._parts += 1
        self._all.differing_rounds += result.differing_rounds
        self._all.irregular += result.irregular
        self._all.sampled += result.sampled
        self._all.engines_disagree += result.engines_disagree
        self._all.tallies.merge(result.tallies)
        found = self._formats.setdefault(part.kind, Format())
        found.rounds += result.tallies.total.rounds
        if part.is_last:
            found.files += 1
            found.bytes += part.size

    def summary(self, seconds: float, rounds: int) -> Summary:
        """All of it; in this run `rounds` were re-checked."""
        for found in self._formats.values():
            found.bytes_per_round = round(found.bytes / found.rounds, 1) if found.rounds else None
        tallies = self._all.tallies
        return Summary(
            rounds=tallies.total.rounds,
            differences=tallies.total.differences,
            differing_rounds=self._all.differing_rounds,
            faults=tallies.total.faults,
            irregular_rounds=self._all.irregular,
            sampled=self._all.sampled,
            engines_disagree=self._all.engines_disagree,
            files=sum(found.files for found in self._formats.values()),
            parts=self._parts,
            parts_taken_over=self._taken_over,
            seconds=round(seconds, 3),
            rounds_per_second=round(rounds / seconds) if seconds else 0,
            formats={kind.value: self._formats[kind] for kind in sorted(self._formats)},
            money=told(tallies.total),
            by_table=_groups(tallies.by_table),
            by_day=_groups(tallies.by_day),
            by_dealer=_groups(tallies.by_dealer),
        )


def _groups(parted: dict[str | None, Tally]) -> list[Group]:
    """By name, the nameless last."""
    ordered = sorted(parted.items(), key=lambda item: (item[0] is None, item[0] or ""))
    return [Group(name, tally.rounds, tally.differences, tally.faults, told(tally)) for name, tally in ordered]
