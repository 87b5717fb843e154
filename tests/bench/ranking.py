"""Hands ranked a second on one core, beside the field's other evaluators, each in the quickest way it offers."""

import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis.ranking import rank_hands, ranking
from dealer_assist.application.columns import number_of
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.hands import rank_five
from tests.bench.figures import Figure, best_of

SIZES: Final = (10_000, 100_000, 1_000_000, 10_000_000)
SAMPLE: Final = 20_000
"""Hands that a call at a time is measured on."""

CARDS: Final = {number_of(card): card for card in DECK}
Hands = NDArray[np.uint8]
Evaluate = Callable[[Hands], tuple[Callable[[], list[Any]], bool]]
"""From hands to a pass over them all, with the cards already in the evaluator's own form; whether more is better."""


def random_hands(count: int) -> Hands:
    """Hands of five different cards, the same each time."""
    chance, hands = np.random.default_rng(1), np.empty((count, 5), np.uint8)
    for start in range(0, count, 500_000):
        part = hands[start : start + 500_000]
        part[:] = np.argpartition(chance.random((len(part), 52), np.float32), 5, axis=1)[:, :5]
    return hands


def _ours_alone(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    held: list[tuple[Card, ...]] = [tuple(CARDS[int(card)] for card in hand) for hand in hands]
    return lambda: [rank_five(hand) for hand in held], False


def _phevaluator(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    from phevaluator.evaluator import evaluate_5cards

    held = [tuple(map(int, hand)) for hand in hands]
    return lambda: [evaluate_5cards(*hand) for hand in held], False


def _eval7(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    from eval7 import Card as Theirs
    from eval7 import evaluate

    held = [[Theirs(CARDS[int(card)].value) for card in hand] for hand in hands]
    return lambda: [evaluate(hand) for hand in held], True


def _treys(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    from treys import Card as Theirs
    from treys import Evaluator

    evaluate = Evaluator()._five
    held = [[Theirs.new(CARDS[int(card)].value) for card in hand] for hand in hands]
    return lambda: [evaluate(hand) for hand in held], False


def _pokerkit(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    from pokerkit import Card as Theirs
    from pokerkit import StandardLookup

    lookup = StandardLookup()
    held = [tuple(Theirs.parse("".join(CARDS[int(card)].value for card in hand))) for hand in hands]
    return lambda: [lookup.get_entry(hand).index for hand in held], True


def _pkrbot(hands: Hands) -> tuple[Callable[[], list[Any]], bool]:
    from pkrbot import evaluate_raw

    held = [(bytes(hand >> 2), bytes(hand & 3)) for hand in hands]
    return lambda: [evaluate_raw(ranks, suits, 5) for ranks, suits in held], True


PEERS: Final[dict[str, Evaluate]] = {
    "phevaluator": _phevaluator,
    "eval7": _eval7,
    "treys": _treys,
    "pokerkit": _pokerkit,
    "pkrbot": _pkrbot,
}


def ranking_figures() -> Iterator[Figure]:
    """Ours over arrays of growing size and a call at a time, then each peer; a peer that is not installed is said to be so."""
    tables, hands = ranking(), random_hands(SIZES[-1])
    rank_hands(hands[:10], tables)
    rates = {}
    for size in SIZES:
        part = hands[:size]
        rates[size] = size / best_of(5, partial(rank_hands, part, tables))
    for size, rate in rates.items():
        yield Figure(
            f"hands ranked, arrays of {size:.0e}", _millions(rate), "M/s", 100 if size >= 10**6 else None, "higher"
        )
    ours, sample = max(rates.values()), hands[:SAMPLE]
    right = rank_hands(sample, tables)
    yield _compared("hands ranked, the table's own, one a call", _ours_alone(sample), right, ours)
    for name, evaluate in PEERS.items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Figure(f"hands ranked, {name}", 0, "M/s", note="not installed: make bench installs it")
            continue
        yield _compared(f"hands ranked, {name} {version}", evaluate(sample), right, ours)


def _compared(name: str, made: tuple[Callable[[], list[Any]], bool], right: NDArray[np.uint16], ours: float) -> Figure:
    """An evaluator's rate, and how often ours is as fast; it must order the sample as ours does."""
    evaluate, more_is_better = made
    _require_same_order(name, evaluate(), more_is_better, right)
    rate = SAMPLE / best_of(5, evaluate)
    return Figure(name, _millions(rate), "M/s", better="higher", note=f"our arrays: {ours / rate:,.0f} times as many")


def _require_same_order(name: str, found: Sequence[Any], more_is_better: bool, right: NDArray[np.uint16]) -> None:
    values = np.array(found, np.int64) * (-1 if more_is_better else 1)
    order = np.argsort(right, kind="stable")
    steps, own_steps = np.diff(values[order]), np.diff(right[order].astype(np.int64))
    if not (np.sign(steps) == np.sign(own_steps)).all():
        raise AssertionError(f"{name}: expected the order of hands that ours has, found another")


def _millions(rate: float) -> float:
    return round(rate / 1e6, 3)
