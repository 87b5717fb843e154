"""The rules laboratory: the exact audit beside a plain compiled loop, and the batch settlement as its input grows."""

import resource
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import numpy as np
from numba import njit

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.batch import BatchRules, rules_of, settle
from dealer_assist.analysis.classes import CLASSES
from dealer_assist.analysis.deals import count_deals
from dealer_assist.analysis.ranking import mask_of, of_one_suit, ranking
from dealer_assist.application.columns import ABSENT, Rounds, Terms
from dealer_assist.game.hands import LOWEST_QUALIFYING
from dealer_assist.storage.profiles import load_profile, names
from tests.bench.figures import Figure, best_of
from tests.served import COMMAND

SIZES: Final = (10_000, 100_000, 1_000_000, 10_000_000)
UPCARDS, COMPLETIONS = 47, 163_185
CHUNK: Final = 1_000_000
CORES: Final = 2


def laboratory_figures() -> Iterator[Figure]:
    """The audit, then the batch settlement."""
    yield from _audit_figures()
    yield from _settling_figures()


# --- the audit -------------------------------------------------------------------------------------------------------


def _audit_figures() -> Iterator[Figure]:
    """From process start, in process, and the same enumeration by a plain loop."""
    command = [str(COMMAND), "rules", "audit", "four-seat-fi", "--no-cache", "--json"]
    subprocess.run(command, check=False, capture_output=True)  # what a first run compiles is kept
    started = time.perf_counter()
    subprocess.run(command, check=False, capture_output=True)
    from_start = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    yield Figure(
        "audit, from process start, nothing kept", round(from_start, 2), "s", 3, note="19,933,230,517,200 deals"
    )
    yield Figure("audit, most memory of a command so far", round(peak), "MiB", 1024)
    deals, profiles = count_deals(LOWEST_QUALIFYING), [load_profile(name) for name in names("rules")]
    counting = best_of(2, lambda: count_deals(LOWEST_QUALIFYING))
    further = max(best_of(2, partial(audit, profile, deals)) for profile in profiles)
    yield Figure("audit, a further profile in the same process", round(further, 3), "s", 0.3)
    plain = _plain_loop_seconds()
    note = f"the audit's counting: {counting:.2f} s, 1/{plain / counting:,.0f} of it"
    yield Figure("every deal of every class by a plain compiled loop", round(plain / 3600, 2), "h", note=note)


@njit(nogil=True)
def _plain_loop(hand: Any, upcard: int, own: int, keys: Any, by_sum: Any, suited: Any) -> int:
    """Count the completions that the hand beats, one after the other, as a plain C program does."""
    wins = 0
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    if _holds(hand, upcard, a, b, c, d):
                        continue
                    dealer = by_sum[keys[upcard] + keys[a] + keys[b] + keys[c] + keys[d]]
                    if of_one_suit(upcard, a, b, c, d):
                        dealer = suited[mask_of(upcard, a, b, c, d)]
                    wins += own < dealer
    return wins


@njit(inline="always")
def _holds(hand: Any, upcard: int, a: int, b: int, c: int, d: int) -> bool:
    seen = np.uint64(0)
    for card in hand:
        seen |= np.uint64(1) << np.uint64(card)
    seen |= np.uint64(1) << np.uint64(upcard)
    drawn = np.uint64(1) << np.uint64(a) | np.uint64(1) << np.uint64(b)
    drawn |= np.uint64(1) << np.uint64(c) | np.uint64(1) << np.uint64(d)
    return bool(seen & drawn)


def _plain_loop_seconds() -> float:
    """How long the plain loop takes for all deals on two cores, from a few hands and upcards of it."""
    tables, hand = ranking(), np.array([3, 14, 25, 36, 47], np.uint8)

    def some(first: int) -> None:
        for upcard in range(first, first + 6):
            if upcard not in hand:
                _plain_loop(hand, upcard, 5000, tables.keys, tables.by_sum, tables.suited)

    def both() -> None:
        with ThreadPoolExecutor(CORES) as pool:
            list(pool.map(some, (4, 15)))

    both()
    return best_of(3, both) / 12 * CLASSES * UPCARDS


# --- the batch settlement --------------------------------------------------------------------------------------------


def _settling_figures() -> Iterator[Figure]:
    """Four seats with every bet that the sheet has, on one core as the input grows, and on two."""
    for name in ("live-studio-da", "four-seat-fi"):
        profile = load_profile(name)
        rules = rules_of(profile, Terms(profile=name, digits=2))
        rounds = _rounds(CHUNK, has_bonus=profile.bonus is not None, jackpot=profile.jackpot_stake)
        for size in SIZES:
            rate = size / best_of(3, partial(_settle_all, rounds, rules, size))
            yield Figure(f"rounds settled, {name}, {size:.0e}, one core", _millions(rate), "M/s", better="higher")
        rate = CORES * CHUNK / best_of(3, partial(_settle_on_all_cores, rounds, rules))
        yield Figure(f"rounds settled, {name}, two cores", _millions(rate), "M/s", 1, "higher", "from arrays")


def _settle_all(rounds: Rounds, rules: BatchRules, count: int) -> None:
    part = rounds.some(slice(count))
    for _ in range(max(1, count // CHUNK)):
        settle(part, rules)


def _settle_on_all_cores(rounds: Rounds, rules: BatchRules) -> None:
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(lambda _: settle(rounds, rules), range(CORES)))


def _rounds(count: int, *, has_bonus: bool, jackpot: int) -> Rounds:
    chance = np.random.default_rng(1)
    cards = np.empty((count, 25), np.uint8)
    for start in range(0, count, 250_000):
        part = cards[start : start + 250_000]
        part[:] = np.argsort(chance.random((len(part), 52), np.float32), axis=1)[:, :25]
    stakes = np.full((count, 4, 3), 1000, np.int64)
    stakes[:, :, 1], stakes[:, :, 2] = 500 if has_bonus else 0, jackpot
    actions = chance.integers(1, 4, (count, 4)).astype(np.uint8)
    nothing = np.full((count, 4, 4), ABSENT)
    meter, recorded = np.full(count, 10_000_000), np.zeros(count, np.uint8)
    return Rounds(cards, np.full(count, 25, np.uint8), actions, stakes, meter, nothing, recorded)


def _millions(rate: float) -> float:
    return round(rate / 1e6, 3)
