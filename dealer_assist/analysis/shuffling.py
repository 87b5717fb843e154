"""Fair chance, the same on every machine: streams by seed, draws without bias, cards from a well-shuffled deck.

All comes from the bits of PCG64, seeded by `SeedSequence`; both are fixed by NumPy for good. What NumPy makes of those bits
may change from version to version, so only `random`, 53 bits as they are, is taken from it.
"""

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

_STEPS: Final = np.uint64(1 << 53)
_BELOW_ONE: Final = np.uint64((1 << 53) - 1)
_WIDTH: Final = np.uint64(53)


def stream(seed: int, *path: int) -> np.random.Generator:
    """The stream of this seed and path; no two paths share one."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=path)))


@njit(cache=True, nogil=True)
def below(chance: Any, count: Any) -> Any:
    """A whole number, 0 … count − 1 (count < 2048), each as likely as any other: what would favour some is drawn again."""
    while True:
        scaled = np.uint64(chance.random() * 9007199254740992.0) * np.uint64(count)
        rest = scaled & _BELOW_ONE
        # Nearly always the first test is enough, and spares the division.
        if rest >= np.uint64(count) or rest >= _STEPS % np.uint64(count):
            return np.int64(scaled >> _WIDTH)


@njit(cache=True, nogil=True)
def deal(chance: Any, deck: Any, drawn: Any, cards: Any) -> None:
    """Fill the first `drawn` [n] places of each row of `cards` [n, 25] from the whole deck, shuffled anew for each round.

    Only as far as cards are drawn: each is taken from all that are left. `deck` [52] holds every card once, in any order,
    and keeps the last one it came to.
    """
    for at in range(len(cards)):
        for place in range(drawn[at]):
            other = place + below(chance, 52 - place)
            card = deck[other]
            deck[other] = deck[place]
            deck[place] = card
            cards[at, place] = card


def sample(chance: np.random.Generator, count: int, wanted: int) -> NDArray[np.int64]:
    """`wanted` different numbers below `count`, ascending, every such set as likely as any other."""
    taken: set[int] = set()
    for last in range(count - wanted, count):
        found = chosen(chance, last + 1)
        taken.add(last if found in taken else found)
    return np.array(sorted(taken), np.int64)


def chosen(chance: np.random.Generator, count: int) -> int:
    """As `below`, for a count of up to 53 bits, one at a time."""
    steps = 1 << (count - 1).bit_length()
    while True:
        found = int(chance.random() * steps)
        if found < count:
            return found
