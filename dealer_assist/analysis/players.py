"""Who sits where, and what they stake: simulated players who come, stay for a while and leave."""

from itertools import takewhile
from typing import Any, Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from dealer_assist.analysis.kernels import LARGEST_STAKE
from dealer_assist.analysis.shuffling import below, chosen
from dealer_assist.application.columns import ABSENT, EMPTY, RAISE, TIMEOUT
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.money import Money, parse_amount
from dealer_assist.game.profile import RuleProfile

USUAL_ANTES: Final = (5, 100)
"""The antes of a profile without limits, in units of its currency."""

LEAST_SECONDS: Final = 50
MOST_SECONDS: Final = 70
"""Between the beginnings of two rounds."""

LEAST_ROUNDS: Final = 10
MOST_ROUNDS: Final = 120
MOST_EMPTY: Final = 60
"""For how many rounds a player stays, and for how many at most a seat stays empty."""

# How often, in a thousand rounds of a seat, its bets are chosen anew, and how often no decision comes in time.
FRESH_BETS: Final = 100
TIME_OUTS: Final = 5

TURNS, SEATED, ANTE, BONUS, JACKPOT, STRATEGY, FACTS = range(7)
"""What is known of a seat; `TURNS`: for how many rounds more it stays as it is."""

_MULTIPLES: Final = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200)
Ints = NDArray[np.int64]
Bounds = tuple[Money, Money]


class House(NamedTuple):
    """What may be staked at a table, in minor units: `antes` and `bonuses` to choose from, the most of a player's `total`,
    and the `jackpot`'s stake, 0 where there is none. `seats`: how many are ever taken; `steady`: and never empty.
    """

    antes: Ints
    bonuses: Ints
    total: int
    jackpot: int
    seats: int
    steady: bool
    strategies: int


class Sitting(NamedTuple):
    """What the players of n rounds do before the cards: `times` [n] in seconds of the Unix era; `actions` [n, 4], raises
    where a strategy is yet to decide; `stakes` [n, 4, 3]; `strategies` [n, 4].
    """

    times: Ints
    actions: NDArray[np.uint8]
    stakes: Ints
    strategies: NDArray[np.uint8]


def house_of(profile: RuleProfile, table: int, antes: Bounds | None, seats: int | None, strategies: int) -> House:
    """The house of table 0, 1, …; where a profile has several limits of the ante, the tables take turns with them.

    `antes` go before the profile's limits. `seats`: how many are always taken; None: as players come and go.
    Raises: BadSetting, where no ante is within all limits.
    """
    unit = 10**profile.minor_digits
    usual = (Money(USUAL_ANTES[0] * unit), Money(USUAL_ANTES[1] * unit))
    totals = _limits(profile, "total")
    choices = [antes] if antes else _limits(profile, "ante") or totals or [usual]
    lowest, highest = choices[table % len(choices)]
    total = Money(np.iinfo(np.int64).max)
    if totals and not antes:
        total = totals[0][1]
        lowest, highest = max(lowest, totals[0][0]), min(highest, total)
    if not 0 < lowest <= highest <= LARGEST_STAKE:
        raise BadSetting("limits", f"expected an ante within them, of at most {LARGEST_STAKE} minor units, found none")
    bonus = (_limits(profile, "bonus") or [(lowest, highest)])[0]
    return House(
        antes=_steps(lowest, highest),
        bonuses=_steps(*bonus) if profile.bonus else np.zeros(0, np.int64),
        total=total,
        jackpot=profile.jackpot_stake if profile.jackpot else 0,
        seats=profile.seats if seats is None else seats,
        steady=seats is not None,
        strategies=strategies,
    )


def _limits(profile: RuleProfile, bounds: str) -> list[Bounds]:
    digits = profile.minor_digits
    return [
        (parse_amount(limit.lowest, digits), parse_amount(limit.highest, digits))
        for limit in profile.limits
        if limit.bounds == bounds
    ]


def _steps(lowest: int, highest: int) -> Ints:
    """Amounts in chips of the lowest."""
    return np.array(list(takewhile(lambda amount: amount <= highest, (lowest * times for times in _MULTIPLES))))


class Players:
    """The seats of one table, from its opening on."""

    def __init__(self, house: House, chance: np.random.Generator, start: int) -> None:
        self._house, self._chance = house, chance
        self._seats, self._clock = np.zeros((4, FACTS), np.int64), np.array([start])
        if not house.steady:
            self._seats[:, TURNS] = [chosen(chance, MOST_EMPTY) for _ in range(4)]

    def play(self, count: int) -> Sitting:
        """The next `count` rounds in which somebody plays."""
        found = Sitting(
            np.empty(count, np.int64),
            np.full((count, 4), EMPTY, np.uint8),
            np.full((count, 4, 3), ABSENT),
            np.zeros((count, 4), np.uint8),
        )
        _play(self._chance, self._house, self._seats, self._clock, found)
        return found


@njit(cache=True, nogil=True)
def _play(chance: Any, house: Any, seats: Any, clock: Any, out: Any) -> None:
    for at in range(len(out.times)):
        while not _come_and_go(chance, house, seats):
            clock[0] += LEAST_SECONDS
        out.times[at] = clock[0]
        clock[0] += LEAST_SECONDS + below(chance, MOST_SECONDS - LEAST_SECONDS + 1)
        for seat in range(house.seats):
            player = seats[seat]
            if player[SEATED]:
                mood = below(chance, 1000)
                if mood < FRESH_BETS:
                    _choose_bets(chance, house, player)
                out.actions[at, seat] = TIMEOUT if mood >= 1000 - TIME_OUTS else RAISE
                out.strategies[at, seat] = player[STRATEGY]
                for bet in range(3):
                    if player[ANTE + bet]:
                        out.stakes[at, seat, bet] = player[ANTE + bet]


@njit(cache=True, nogil=True)
def _come_and_go(chance: Any, house: Any, seats: Any) -> Any:
    """A round passes; whether anybody is there for the next one."""
    taken = False
    for seat in range(house.seats):
        player = seats[seat]
        if player[TURNS] > 0:
            player[TURNS] -= 1
        elif player[SEATED] and not house.steady:
            player[SEATED] = 0
            player[TURNS] = below(chance, MOST_EMPTY)
        else:
            player[SEATED] = 1
            player[TURNS] = LEAST_ROUNDS + below(chance, MOST_ROUNDS - LEAST_ROUNDS + 1)
            player[STRATEGY] = below(chance, house.strategies)
            _choose_bets(chance, house, player)
        taken |= player[SEATED] == 1
    return taken


@njit(cache=True, nogil=True)
def _choose_bets(chance: Any, house: Any, player: Any) -> None:
    """Small antes are the more usual; half of the players bet 5+1 and six in ten the jackpot, where there is room for it."""
    player[ANTE] = _small(chance, house.antes)
    left = house.total - player[ANTE]
    player[JACKPOT] = house.jackpot if below(chance, 10) < 6 and house.jackpot <= left else 0
    left -= player[JACKPOT]
    player[BONUS] = 0
    if len(house.bonuses) and below(chance, 2):
        bonus = _small(chance, house.bonuses)
        player[BONUS] = bonus if bonus <= left else 0


@njit(cache=True, nogil=True)
def _small(chance: Any, steps: Any) -> Any:
    return steps[min(below(chance, len(steps)), below(chance, len(steps)))]
