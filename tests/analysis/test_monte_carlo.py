"""The live table and the exact audit agree: simulated rounds, dealt through the tracker, come out at the computed edge.

The two share no settlement: what is added up here is what `replay` says of each round, never what was recorded.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.deals import Deals
from dealer_assist.analysis.figures import Audit, BonusFigures, JackpotFigures
from dealer_assist.analysis.simulate import Plan
from dealer_assist.application.records import RoundRecord, read_record
from dealer_assist.application.replay import ReplayedRound, Replayer, outcome_of
from dealer_assist.bulk.simulate import Order, simulate
from dealer_assist.game.hands import Category
from dealer_assist.game.money import parse_amount
from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.profiles import load_profile, names
from dealer_assist.storage.shoe_logs import Kind, lines

SHEETS: Final = tuple(load_profile(name) for name in names("rules"))
READ: Final = tuple((sheet.id, reading) for sheet in SHEETS for reading in (None, *sheet.readings))
MOST: Final = 3.5
"""Standard errors that a mean may lie from what is true."""


@dataclass
class Mean:
    """Of a ratio whose parts come in clusters: the seats of one round share the dealer's hand."""

    sums: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, results: list[float]) -> None:
        self.sums.append(sum(results))
        self.counts.append(len(results))

    def told(self, variance: float = 0.0) -> tuple[float, float]:
        """The mean, and its standard error: at least what single results of this variance would give it, for a rare prize
        that did not come leaves no trace in what came.
        """
        sums, counts = np.array(self.sums), np.array(self.counts)
        mean = sums.sum() / counts.sum()
        error = np.sqrt(((sums - mean * counts) ** 2).sum()) / counts.sum()
        return float(mean), float(max(error, np.sqrt(variance / counts.sum())))


@dataclass
class Measured:
    """What came back per unit staked: `main` of ante and raise per ante."""

    main: Mean = field(default_factory=Mean)
    bonus: Mean = field(default_factory=Mean)
    jackpot: Mean = field(default_factory=Mean)

    def add(self, record: RoundRecord, outcome: ReplayedRound, profile: RuleProfile) -> None:
        """One round. A hand that nobody decided in time was not played by any strategy, and is left out."""
        main, bonus, jackpot = [], [], []
        for seat, bets in record.seats.items():
            if bets.action == "timeout":
                continue
            net = {bet: units(text) for bet, text in outcome.seats[seat].net.items()}
            main.append((net["ante"] + net["raise"]) / units(bets.ante))
            if bets.bonus:
                bonus.append(1 + net["bonus"] / units(bets.bonus))
            if bets.jackpot:
                jackpot.append(1 + net["jackpot"] / units(bets.jackpot))
        self.main.add(main)
        self.bonus.add(bonus)
        if not shares_the_meter(outcome, profile):
            self.jackpot.add(jackpot)


def units(text: str) -> int:
    return parse_amount(text, 2)


def shares_the_meter(outcome: ReplayedRound, profile: RuleProfile) -> bool:
    """Whether somebody holds a hand that is paid from the meter; the fixed return leaves those out."""
    if profile.jackpot_paytable is None:
        return False
    held = (Category(seat.category) for seat in outcome.seats.values() if seat.category)
    prizes = map(profile.jackpot_paytable.prize, held)
    return any(prize is not None and prize.share is not None for prize in prizes)


def measured(profile: RuleProfile, rounds: int, seed: int, folder: Path) -> Measured:
    """Rounds of four seats in optimal play, dealt again by the live engine."""
    plan = Plan(profile=profile, named=profile.id, rounds=rounds, seed=seed, start=0, seats=4, strategies=("optimal",))
    log = folder / "log.jsonl"
    simulate(Order(plan=plan), log, Kind.plain, folder=False)
    replayer, found = Replayer(load_profile), Measured()
    for _, line in lines(log):
        record = read_record(line)
        outcome = outcome_of(record, replayer.play(record))
        assert not outcome.differences
        found.add(record, outcome, profile)
    return found


def variance(outcomes: Iterable[BonusFigures | JackpotFigures], mean: float) -> float:
    return sum(each.contribution**2 / each.frequency for each in outcomes) - mean**2


def compare(found: Measured, exact: Audit) -> Iterable[tuple[str, float, float, float]]:
    """Each figure's name, mean, standard error, and exact value."""
    yield "ante and raise", *found.main.told(), -exact.house_edge
    if exact.bonus_outcomes is not None and exact.bonus_return is not None:
        mean = exact.bonus_return
        yield "5+1", *found.bonus.told(variance(exact.bonus_outcomes, mean)), mean
    if exact.jackpot_outcomes is not None and exact.jackpot_fixed_return is not None:
        mean = exact.jackpot_fixed_return
        yield "jackpot, fixed", *found.jackpot.told(variance(exact.jackpot_outcomes, mean)), mean


def check(profile: RuleProfile, deals: Deals, rounds: int, folder: Path) -> None:
    found = measured(profile, rounds, READ.index((profile.id, profile.reading)), folder)
    told = [f"{profile.id}, {profile.reading or 'as it stands'}, {rounds} rounds"]
    wrong = []
    for name, mean, error, exact in compare(found, audit(profile, deals)):
        off = (mean - exact) / error
        told.append(f"  {name:<16}{mean:+.6f} ± {error:.6f}, exact {exact:+.8f}: {off:+.2f} standard errors")
        wrong += [name] * (abs(off) > MOST)
    print(*told, sep="\n")  # noqa: T201  what a search found
    assert not wrong, told


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.id)
def test_simulated_rounds_come_out_at_the_exact_edge(sheet: RuleProfile, deals: Deals, tmp_path: Path) -> None:
    check(sheet, deals, 2_500, tmp_path)


@pytest.mark.torture
@pytest.mark.parametrize(("name", "reading"), READ)
def test_many_simulated_rounds_come_out_at_the_exact_edge(
    name: str, reading: str | None, deals: Deals, tmp_path: Path
) -> None:
    check(load_profile(name, reading), deals, 200_000, tmp_path)
