"""A bulk run: every part worked on, here, by several processes or by a cluster, and put together in the order of the logs."""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.bulk.partitions import Partition
from dealer_assist.bulk.store import Store
from dealer_assist.bulk.summary import Summary, SummaryMaker
from dealer_assist.bulk.work import Options, PartResult, digest, findings_of, work
from dealer_assist.storage.shoe_logs import Kind, written

Compute = Callable[[Sequence[Partition], Options], Iterator[tuple[Partition, PartResult]]]
"""Works on parts, in any order, and gives each with what it came to."""

IN_FLIGHT: Final = 2
"""Parts a worker may have before it: none ever waits, and no more results than that are held."""


class RunBroken(Exception):
    """A run that can't go on; what it has done is kept."""


class Watch:
    """Is told how far a run is, in rounds; `expected` ones are about so many. This one tells nobody."""

    def begin(self, expected: int) -> None:
        """The work begins."""

    def advance(self, expected: int, rounds: int) -> None:
        """A part is done that was expected to have so many rounds, and had `rounds`."""


def run(parts: Sequence[Partition], options: Options, store: Store, compute: Compute, watch: Watch) -> Summary:
    """Work on what the store does not hold yet, then write `differences.jsonl` and `summary.json`.

    Raises: UnreadableLog; RunBroken.
    """
    started, rounds = time.perf_counter(), 0
    waiting = [part for part in parts if store.recall(part) is None]
    watch.begin(sum(part.weight for part in waiting))
    for part, result in compute(waiting, options):
        _require_our_sheets(result)
        store.keep(part, result)
        rounds += result.tallies.total.rounds
        watch.advance(part.weight, result.tallies.total.rounds)
    maker = SummaryMaker(taken_over=len(parts) - len(waiting))
    with written(store.out / "differences.jsonl") as partial:
        _merge(parts, store, maker, partial)
    store.forget_others(parts)
    summary = maker.summary(time.perf_counter() - started, rounds)
    with written(store.out / "summary.json") as partial:
        partial.write_bytes(msgspec.json.format(msgspec.json.encode(summary), indent=1) + b"\n")
    return summary


def _require_our_sheets(result: PartResult) -> None:
    for sheet, seen in result.sheets.items():
        if digest(sheet) != seen:
            raise RunBroken(f"{sheet}: expected the rule sheet as it is here, found that a worker has another one")


def _merge(parts: Sequence[Partition], store: Store, maker: SummaryMaker, path: Path) -> None:
    """Write all findings in the order of the logs, with the number of each one's line in its file."""
    before, file = 0, ""
    with path.open("wb") as out:
        for part in parts:
            result = store.recall(part)
            if result is None:
                raise RunBroken(f"{store.out}: expected what was kept of {part.name}, found it gone")
            before = before if part.name == file else 0
            for finding in findings_of(result):
                line = before + (finding.line or 0)
                place = {"line": None, "row": line} if part.kind is Kind.parquet else {"line": line}
                out.write(msgspec.json.encode(msgspec.structs.replace(finding, file=part.name, **place)) + b"\n")
            before, file = before + result.lines, part.name
            maker.add(part, result)


# --- where the work is done --------------------------------------------------------------------------------------------


def here(parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
    """Work in this very process."""
    for part in parts:
        yield part, work(part, options)


def in_processes(workers: int) -> Compute:
    """Work by so many processes of this machine; one part, or one worker, needs none."""

    def compute(parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
        if min(workers, len(parts)) < 2:
            yield from here(parts, options)
            return
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(min(workers, len(parts)), context, initializer=_bound_to_parent)
        try:
            yield from _in_flight(pool, parts, options, IN_FLIGHT * workers)
        except BrokenProcessPool:
            raise RunBroken("expected every worker to work on, found one ended: is there memory enough?") from None
        finally:
            pool.shutdown(cancel_futures=True)

    return compute


def _in_flight(
    pool: ProcessPoolExecutor, parts: Sequence[Partition], options: Options, most: int
) -> Iterator[tuple[Partition, PartResult]]:
    waiting = iter(parts)
    running: dict[Future[PartResult], Partition] = {}
    while True:
        while len(running) < most and (part := next(waiting, None)) is not None:
            running[pool.submit(work, part, options)] = part
        if not running:
            return
        for done in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(done), done.result()


def _bound_to_parent() -> None:
    """A worker leaves interrupts to its parent, and ends with it, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
