"""Rounds that were never played: fair cards, players with their ways, and what is right to pay them, by the million.

A table is one course of rounds after another, for its meter and its players go on from round to round. All its chance comes
from streams of the seed and the table's number, and round by round: neither the size of a batch nor what other tables
do, where or when, changes anything.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import kernels
from dealer_assist.analysis.batch import BatchRules, Settled, rules_of, settle
from dealer_assist.analysis.kernels import JACKPOT
from dealer_assist.analysis.players import Bounds, Ints, Players, Sitting, house_of
from dealer_assist.analysis.ranking import rank_hands
from dealer_assist.analysis.shuffling import deal, stream
from dealer_assist.analysis.strategies import STRATEGIES, Minds, decide, goes_by_value, minds, worth_raising
from dealer_assist.application.columns import ABSENT, EMPTY, FOLD, MOST_CARDS, NO_CARD, RAISE, Rounds, Terms
from dealer_assist.game.dealing import HAND_SIZE
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.profile import RuleProfile

BATCH: Final = 100_000
SEED_UNITS: Final = 20_000
"""Where each table's meter starts, and starts again after a royal: units of the currency."""

_OF_CARDS, _OF_PLAYERS = range(2)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to simulate. `rounds` of all tables together; `start` in seconds of the Unix era; `named`: how rounds name the
    profile, by id or path.

    `seats`: how many are always taken; None: as players come and go. `antes`: lowest and highest, in minor units; None: as
    the profile's limits say.
    """

    profile: RuleProfile
    named: str
    rounds: int
    seed: int
    start: int
    tables: int = 1
    seats: int | None = None
    strategies: tuple[str, ...] = ("three rules",)
    antes: Bounds | None = None

    @property
    def terms(self) -> Terms:
        """By what every round is played."""
        return Terms(profile=self.named, reading=self.profile.reading, digits=self.profile.minor_digits)

    @property
    def asks_for_values(self) -> bool:
        """Whether somebody plays by exact values, which must be enumerated first."""
        return any(goes_by_value(STRATEGIES[name]) for name in self.strategies)

    def rounds_at(self, table: int) -> int:
        """How many rounds table 0, 1, … plays."""
        return self.rounds // self.tables + (table < self.rounds % self.tables)


class Batch(NamedTuple):
    """Some rounds of one table, in the order played; `times` [n] in seconds of the Unix era."""

    rounds: Rounds
    times: Ints


def minds_of(plan: Plan) -> Minds:
    """How the players of a plan decide. Optimal play is enumerated if, and only if, it is among them."""
    found = [STRATEGIES[name] for name in plan.strategies]
    return minds(found, worth_raising(plan.profile) if plan.asks_for_values else None)


def course(plan: Plan, table: int, minds: Minds, size: int = BATCH) -> Iterator[Batch]:
    """All rounds of table 0, 1, …, in batches. Raises: BadSetting, where a profile can't be settled from arrays."""
    playing = _Table(plan, table, minds)
    left = plan.rounds_at(table)
    while left:
        count = min(size, left)
        left -= count
        yield playing.play(count)


class _Table:
    """One table's cards, players and meter."""

    def __init__(self, plan: Plan, table: int, minds: Minds) -> None:
        self._minds, self._rules = minds, rules_of(plan.profile, plan.terms)
        house = house_of(plan.profile, table, plan.antes, plan.seats, len(plan.strategies))
        self._players = Players(house, stream(plan.seed, _OF_PLAYERS, table), plan.start)
        self._cards, self._deck = stream(plan.seed, _OF_CARDS, table), np.arange(52, dtype=np.uint8)
        self._meter = RunningMeter(plan.profile, self._rules) if plan.profile.jackpot else None

    def play(self, count: int) -> Batch:
        """The next rounds."""
        sitting = self._players.play(count)
        rounds = self._dealt(sitting)
        self._decide(rounds, sitting.strategies)
        rounds = self._meter.settled(rounds) if self._meter else _recorded(rounds, _settled(rounds, self._rules).nets)
        return Batch(rounds, sitting.times)

    def _dealt(self, sitting: Sitting) -> Rounds:
        count, taken = len(sitting.times), sitting.actions != EMPTY
        cards, drawn = np.full((count, MOST_CARDS), NO_CARD, np.uint8), HAND_SIZE * (taken.sum(axis=1) + 1)
        deal(self._cards, self._deck, drawn, cards)
        return Rounds(
            cards=cards,
            drawn=drawn.astype(np.uint8),
            actions=sitting.actions,
            stakes=sitting.stakes,
            meter=np.full(count, ABSENT),
            recorded=np.empty((0, 4, 4), np.int64),
            recorded_seats=(taken << np.arange(4)).sum(axis=1).astype(np.uint8),
        )

    def _decide(self, rounds: Rounds, strategies: NDArray[np.uint8]) -> None:
        """Turn the raises that nobody has decided yet into what their strategies say."""
        asked, count = rounds.actions == RAISE, len(rounds.cards)
        laid = np.zeros((count, 5, HAND_SIZE), np.uint8)
        kernels.deal(rounds.cards, rounds.drawn, rounds.actions, self._rules.packet, laid, np.ones(count, np.bool_))
        hands, upcards = laid[:, 1:][asked], np.repeat(laid[:, 0, self._rules.upcard], asked.sum(axis=1))
        raises = np.empty(len(hands), np.bool_)
        ordinals = rank_hands(hands, self._rules.ranking)
        decide(hands, upcards, ordinals, strategies[asked], self._minds, raises)
        rounds.actions[asked] = np.where(raises, RAISE, FOLD)


def _settled(rounds: Rounds, rules: BatchRules) -> Settled:
    found = settle(rounds, rules)
    if not found.regular.all():
        raise BadSetting("profile", "expected odds, stakes and a meter within 64 bits, found larger ones")
    return found


def _recorded(rounds: Rounds, nets: Ints) -> Rounds:
    """The rounds with what is right as what was recorded; of 5+1 and the jackpot only where a bet was made."""
    recorded, taken = nets.copy(), rounds.actions != EMPTY
    recorded[~taken] = ABSENT
    recorded[..., 2:][rounds.stakes[..., 1:] == ABSENT] = ABSENT
    return rounds._replace(recorded=recorded)


class RunningMeter:
    """The jackpot of one table as `game.jackpot.Meter` keeps it: whole minor units, and a carry of less than one."""

    def __init__(self, profile: RuleProfile, rules: BatchRules) -> None:
        assert profile.jackpot is not None
        self._rules, self._stake = rules, profile.jackpot_stake
        self._seed = self._shown = SEED_UNITS * 10**profile.minor_digits
        fed = self._stake * profile.jackpot.contribution
        self._parts, self._carry = fed.denominator, 0
        self._whole, self._rest = divmod(fed.numerator, fed.denominator)

    def settled(self, rounds: Rounds) -> Rounds:
        """The rounds with the meter at lock, and with what is right as what was recorded."""
        made = rounds.stakes[..., 2] == self._stake
        bets = np.cumsum(made.sum(axis=1))
        parts = self._carry + bets * self._rest
        meter = self._shown + bets * self._whole + parts // self._parts
        rounds = rounds._replace(meter=meter)
        settled, after = _settled(rounds, self._rules), 0
        categories = self._rules.ranking.category[settled.ordinals[:, 1:]]
        takes = made & (self._rules.prizes[categories, 1] > 0)
        for at in np.flatnonzero(takes.any(axis=1)):
            settled.nets[at] = _settled(rounds.some(slice(at, at + 1)), self._rules).nets[0]
            prizes = np.where(made[at], settled.nets[at, :, JACKPOT] + self._stake, 0)
            change = self._change(prizes, categories[at])
            meter[at + 1 :] += change
            after = change if at + 1 == len(meter) else 0
        self._shown, self._carry = int(meter[-1]) + after, int(parts[-1] % self._parts)
        return _recorded(rounds, settled.nets)

    def _change(self, paid: Ints, categories: NDArray[np.int8]) -> int:
        """What a round's prizes [4] do to the meter: all but fixed amounts leave it, and a prize of the whole seeds it anew."""
        fixed, part, whole = self._rules.prizes[categories].T
        left = int(np.maximum(paid - fixed, 0).sum())
        return self._seed - left if ((part > 0) & (part == whole) & (paid > 0)).any() else -left
