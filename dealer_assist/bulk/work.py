"""The work of one part: every round settled by the batch engine, and whatever is odd or differs dealt again by the live one.

The batch engine reports nothing itself. What it can't settle, and what it finds otherwise than recorded, goes through the
live engine, and so does a thin sample of the rest; where the two disagree, that is told.
"""

import hashlib
import io
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from dealer_assist.analysis import batch
from dealer_assist.analysis.batch import BatchRules, Settled
from dealer_assist.application.columns import ABSENT, EMPTY, NETS, Rounds, Terms
from dealer_assist.application.records import RoundRecord
from dealer_assist.bulk.judging import (
    Disagreement,
    Finding,
    Header,
    Judge,
    Nets,
    dealers_hand,
    explained_differences,
    header_of,
)
from dealer_assist.bulk.partitions import Partition
from dealer_assist.bulk.tally import Sums, Tallies, Tally, tally_of
from dealer_assist.game.dealing import SEATS
from dealer_assist.game.errors import GameError
from dealer_assist.game.money import Money, format_amount
from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.pages import Days, Ints, Label, Page, chosen
from dealer_assist.storage.parquet import RowGroups
from dealer_assist.storage.parquet import page_of as page_of_rows
from dealer_assist.storage.profiles import UnknownName, find, load_profile
from dealer_assist.storage.reading import page_of
from dealer_assist.storage.shoe_logs import DamagedLog, Kind, blocks

_BLOCK: Final = 4 << 20
_ROWS: Final = 16_384
_LARGEST_SUMMED: Final = 1 << 40
"""Up to here, the amounts of a page add up within 64 bits."""


class Options(msgspec.Struct, frozen=True):
    """What a run is asked: by which profile and reading, whatever the records name; and to deal one round in `sample` again
    by the live engine (0: none).
    """

    profile: str | None = None
    reading: str | None = None
    sample: int = 10_000


class PartResult(msgspec.Struct):
    """What one part came to. `lines`: all of them, blank ones too. `findings`: packed lines of JSON, each a `Finding`
    whose line counts from the part's own first. `sheets`: digests of the rule sheets it was played by, by name.
    """

    lines: int = 0
    differing_rounds: int = 0
    irregular: int = 0
    sampled: int = 0
    engines_disagree: int = 0
    tallies: Tallies = msgspec.field(default_factory=Tallies)
    sheets: dict[str, str] = {}
    findings: bytes = b""


def work(part: Partition, options: Options) -> PartResult:
    """Re-check one part. The same part and options give the same result, wherever it is done.

    Raises: UnreadableLog, where the file can't be read or is not what it was.
    """
    part.require_unchanged()
    recheck = _Recheck(part, options)
    try:
        for page, count in _pages(part):
            recheck.page(page, count)
    except DamagedLog as damaged:
        recheck.damaged(str(damaged))
    part.require_unchanged()
    return recheck.result()


def findings_of(result: PartResult) -> Iterator[Finding]:
    """What a part found, in the order of its lines."""
    read = msgspec.json.Decoder(Finding).decode
    with zstandard.ZstdDecompressor().stream_reader(result.findings) as unpacked:
        yield from map(read, io.BufferedReader(unpacked))


def _pages(part: Partition) -> Iterator[tuple[Page, int]]:
    """The pages of a part, and of each how many lines it has. Raises: UnreadableLog, DamagedLog."""
    path = Path(part.path)
    if part.kind is Kind.parquet:
        groups = RowGroups(path)
        try:
            for rows in groups.tables(part.start, part.end, _ROWS):
                yield page_of_rows(rows), len(rows)
        finally:
            groups.close()
        return
    end = part.end if part.kind is Kind.plain else None
    for block in blocks(path, part.start, end, _BLOCK):
        yield page_of(block), block.count(b"\n") + (not block.endswith(b"\n"))


class _Rules(NamedTuple):
    """`unit` of all amounts but the jackpot's."""

    profile: RuleProfile
    unit: str
    numbers: BatchRules


@lru_cache(maxsize=256)
def _rules(terms: Terms, sheet: str) -> _Rules | None:  # noqa: ARG001  a worker may outlive what a sheet says
    """What rounds of some terms are settled by, as the `sheet` of this digest says; None where there is none."""
    try:
        profile = load_profile(terms.profile, terms.reading)
    except (UnknownName, GameError):
        return None
    unit = "ante" if terms.unit == "ante" else profile.currency
    return _Rules(profile, unit, batch.rules_of(profile, terms))


class _Looked(NamedTuple):
    """A line for the live engine. `batch`: what the batch engine settled, None where it did not; whether it `differs` then
    from what is recorded.
    """

    place: int
    batch: Nets | None = None
    differs: bool = False
    is_sample: bool = False


class _Recheck:
    """The re-check of one part."""

    def __init__(self, part: Partition, options: Options) -> None:
        self._options = options
        self._name = part.path
        self._seed = zlib.crc32(f"{part.name} {part.start}".encode())
        self._judge = Judge(options.profile, options.reading)
        self._days = Days()
        self._result = PartResult()
        self._packing = zstandard.ZstdCompressor().compressobj()
        self._packed: list[bytes] = []
        self._last = 0

    def page(self, page: Page, count: int) -> None:
        """Re-check one page of `count` lines."""
        looked = [_Looked(place) for place in page.others]
        for number, terms in enumerate(page.terms):
            looked += self._settled(page, np.flatnonzero(page.terms_of == number), terms)
        for each in sorted(looked):
            self._look(page.line_at(each.place), each)
        self._last = self._result.lines + 1 + max(int(page.places.max(initial=-1)), *page.others[-1:], -1)
        self._result.lines += count

    def damaged(self, finding: str) -> None:
        """The log ends before its end: one line that can't be read."""
        self._report(self._last + 1, Finding(fault=finding.removeprefix(f"{self._name}: ")), Label(None, None, None))
        self._result.tallies.add(Label(None, None, None), Tally(rounds=1, faults=1))

    def result(self) -> PartResult:
        """All of it."""
        self._result.findings = b"".join([*self._packed, self._packing.flush()])
        return self._result

    # --- by the batch engine

    def _settled(self, page: Page, rows: Ints, terms: Terms | None) -> Iterator[_Looked]:
        """Settle rounds of the same terms, and count those that agree; the others are for the live engine."""
        rules = self._rules_of(terms)
        places = page.places[rows]
        if rules is None:
            yield from map(_Looked, places.tolist())
            return
        rounds = chosen(page.rounds, rows)
        settled = batch.settle(rounds, rules.numbers)
        suspect = batch.suspects(rounds, settled)
        sampled = ~suspect & self._in_sample(places)
        self._count(rules, rounds, settled, np.flatnonzero(~(suspect | sampled)), page.labels, page.labels_of[rows])
        digits = rules.profile.minor_digits
        for row in np.flatnonzero(suspect | sampled).tolist():
            nets = _nets(rounds, settled, row, digits) if settled.regular[row] else None
            yield _Looked(int(places[row]), nets, bool(suspect[row]), bool(sampled[row]))

    def _rules_of(self, terms: Terms | None) -> _Rules | None:
        if terms is None:
            return None
        profile, reading = self._options.profile or terms.profile, self._options.reading or terms.reading
        terms = msgspec.structs.replace(terms, profile=profile, reading=reading)
        return _rules(terms, self._see(profile))

    def _see(self, sheet: str) -> str:
        if sheet not in self._result.sheets:
            self._result.sheets[sheet] = digest(sheet)
        return self._result.sheets[sheet]

    def _in_sample(self, places: Ints) -> NDArray[np.bool_]:
        """One in so many, spread by a hash of the line's number: the same ones in every run."""
        if not self._options.sample:
            return np.zeros(len(places), np.bool_)
        mixed = (places + (self._result.lines + self._seed)).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        chosen_ones: NDArray[np.bool_] = (mixed >> np.uint64(32)) % np.uint64(self._options.sample) == 0
        return chosen_ones

    def _count(
        self, rules: _Rules, rounds: Rounds, settled: Settled, agreed: Ints, labels: Sequence[Label], labels_of: Ints
    ) -> None:
        """Count rounds in which both engines would say what is recorded."""
        if not len(agreed):
            return
        order = agreed[np.argsort(labels_of[agreed], kind="stable")]
        found, starts = np.unique(labels_of[order], return_index=True)
        columns = _money(rules.numbers, rounds, settled)[order]
        sums, ends = np.add.reduceat(columns, starts, axis=0), [*starts[1:], len(order)]
        for label, start, end, (staked, net, jackpot, prize) in zip(found, starts, ends, sums.tolist(), strict=True):
            tally, digits = Tally(rounds=int(end - start)), rules.profile.minor_digits
            # Where amounts are in antes, the jackpot is not.
            tally.money[rules.unit] = Sums(digits, staked, net, net)
            tally.money.setdefault(rules.profile.currency, Sums()).add(digits, jackpot, prize, prize)
            self._result.tallies.add(labels[label], tally)

    # --- by the live engine

    def _look(self, line: bytes, looked: _Looked) -> None:
        found, result = self._judge.judge(line), self._result
        result.irregular += looked.batch is None
        result.sampled += looked.is_sample
        if isinstance(found, str):
            header = header_of(line)
            self._see(self._options.profile or header.profile or "")
            finding, label, live = Finding(id=header.id, fault=found), self._label(header), None
            tally = Tally(rounds=1, faults=1)
        else:
            finding = Finding(
                id=found.record.id, differences=explained_differences(found), dealer_hand=dealers_hand(found)
            )
            label, tally = self._label(found.record), tally_of(found)
            live = {seat: came.net for seat, came in found.outcome.seats.items()}
            self._see(found.record.profile)
        result.tallies.add(label, tally)
        result.differing_rounds += bool(finding.differences)
        if looked.batch is not None and (looked.batch != live or looked.differs != bool(finding.differences)):
            result.engines_disagree += 1
            finding = msgspec.structs.replace(finding, engines_disagree=Disagreement(looked.batch, live))
        if finding.fault is not None or finding.differences or finding.engines_disagree is not None:
            self._report(result.lines + looked.place + 1, finding, label)

    def _label(self, record: RoundRecord | Header) -> Label:
        return Label(record.table, record.dealer, self._days.of(record.time, record.id or ""))

    def _report(self, line: int, finding: Finding, label: Label) -> None:
        finding = msgspec.structs.replace(finding, line=line, table=label.table, dealer=label.dealer, day=label.day)
        self._packed.append(self._packing.compress(msgspec.json.encode(finding) + b"\n"))


def _nets(rounds: Rounds, settled: Settled, row: int, digits: int) -> Nets:
    """What the batch engine settled, written as the live one writes it."""
    return {
        str(seat): {
            bet: format_amount(Money(int(settled.nets[row, seat - 1, at])), digits) for at, bet in enumerate(NETS)
        }
        for seat in SEATS
        if rounds.actions[row, seat - 1] != EMPTY
    }


def _money(rules: BatchRules, rounds: Rounds, settled: Settled) -> NDArray[Any]:
    """`[n, 4]`: staked and won on ante, raise and 5+1, and on the jackpot."""
    plays, nets = rounds.actions != EMPTY, settled.nets
    stakes = np.where(plays[..., None] & (rounds.stakes != ABSENT), rounds.stakes, 0)
    if max(stakes.max(initial=0) * (1 + rules.multiple), abs(nets).max(initial=0)) > _LARGEST_SUMMED:
        stakes, nets = stakes.astype(object), nets.astype(object)
    antes = stakes[..., 0] * np.where(settled.folds, 1, 1 + rules.multiple)
    bets, prizes = nets[..., :3].sum(axis=(1, 2)), nets[..., 3].sum(axis=1)
    return np.stack([(antes + stakes[..., 1]).sum(axis=1), bets, stakes[..., 2].sum(axis=1), prizes], axis=1)


def digest(sheet: str) -> str:
    """What a rule sheet's file holds, in one word; empty where there is none."""
    try:
        return hashlib.sha256(find("rules", sheet).read_bytes()).hexdigest()
    except (UnknownName, OSError):
        return ""
