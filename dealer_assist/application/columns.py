"""Rounds as columns: the same facts as `round/1` records, one array a fact, for settling and re-checking by the million.

A card is its number, 4 × rank + suit: 0 (2c) … 51 (As). An amount is in minor units of the round's `Terms.digits`
decimals. Only regular rounds have columns: played to their end, every card known, nothing burned, no ruling, every
amount in one unit. The others keep their record's line, and are for the live engine.
"""

from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import DECK, RANKS, SUITS, Card
from dealer_assist.game.dealing import Pattern, Upcard
from dealer_assist.game.profile import AfterFold
from dealer_assist.game.setup import MaxPayout

MOST_CARDS: Final = 25
NO_CARD: Final = 255
"""Fills the places behind a round's last card."""

ABSENT: Final = np.iinfo(np.int64).min
"""An amount that the record does not state."""

# A seat's action; `EMPTY`: nobody plays there.
EMPTY, RAISE, FOLD, TIMEOUT = range(4)
ACTIONS: Final = ("", "raise", "fold", "timeout")

STAKES: Final = ("ante", "bonus", "jackpot")
"""The order of the stakes of one seat."""

NETS: Final = ("ante", "raise", "bonus", "jackpot")
"""The order of the nets of one seat."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What a round was played by: the part of its record that a whole log repeats. None where the record is silent.

    `digits`: the decimals of its amounts. `max_payout` as in the record.
    """

    profile: str
    digits: int
    reading: str | None = None
    deal: Pattern | None = None
    upcard: Upcard | None = None
    side_bets_after_fold: AfterFold | None = None
    unit: str | None = None
    max_payout: str | MaxPayout | None = None


class Rounds(NamedTuple):
    """n regular rounds of one `Terms`, first axis n. `recorded_seats`: bit s − 1 where seat s is recorded.

    `cards` [n, 25] in the order drawn, then `NO_CARD`; `drawn` [n]; `actions` [n, 4] by seat; `stakes` [n, 4, 3];
    `meter` [n]; `recorded` [n, 4, 4] nets.
    """

    cards: NDArray[np.uint8]
    drawn: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    stakes: NDArray[np.int64]
    meter: NDArray[np.int64]
    recorded: NDArray[np.int64]
    recorded_seats: NDArray[np.uint8]

    def some(self, rows: slice | NDArray[np.int64]) -> "Rounds":
        """The rounds of these rows."""
        return Rounds._make(column[rows] for column in self)


def number_of(card: Card) -> int:
    """A card's number, 0 … 51."""
    return 4 * card.rank + card.suit


CODES: Final = tuple(card.value for card in sorted(DECK, key=number_of))
"""The cards' codes by number."""

# By the byte of a letter: what a code's rank and its suit add to the number; `NO_CARD` for every other byte.
BY_RANK: Final = np.full(256, NO_CARD, np.uint8)
BY_RANK[list(RANKS.encode())] = range(0, 52, 4)
BY_SUIT: Final = np.full(256, NO_CARD, np.uint8)
BY_SUIT[list(SUITS.encode())] = range(4)
