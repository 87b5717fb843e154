"""A table in a process of its own, which deals as fast as it can until it is killed.

Run as `python -m tests.storage.killed_table FOLDER SEED SHEET`. It prints `ready`, then after each command that was
taken the sequence it led to and the step that comes next. Bets, folds and cards hang on the seed and the game number
alone, so whoever knows the seed knows what every round must look like.
"""

import os
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dealer_assist.application.service import Request, TableService
from dealer_assist.application.views import next_step
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.dealing import SEATS, Seat
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import Money
from dealer_assist.game.round import OVER, Phase, Round
from dealer_assist.game.table import Table
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from tests.game.felt import EXAMPLES, table_setup

READY: Final = "ready"


def bets(seed: int, number: str) -> dict[Seat, tuple[Bet, ...]]:
    """Which seats bet what in a round."""
    chance = random.Random(f"{seed} bets {number}")
    seats = sorted(chance.sample(SEATS, chance.randint(1, 4)))
    return {seat: (Bet.ante, Bet.jackpot) if chance.random() < 0.7 else (Bet.ante,) for seat in seats}


def deck(seed: int, number: str, now: Round) -> list[Card]:
    """The order in which a round's cards leave the shoe; in every third round a seat gets a good hand."""
    chance = random.Random(f"{seed} deck {number}")
    order = chance.sample(DECK, 52)
    if chance.random() < 0.34:
        hand = parse_cards(EXAMPLES[chance.choice(("royal_flush", "straight_flush", "quads", "flush"))])
        for at, card in zip(now.positions[chance.choice(now.seats)], hand, strict=True):
            other = order.index(card)
            order[at], order[other] = order[other], order[at]
    return order


def folds(seed: int, number: str, now: Round) -> tuple[Seat, ...]:
    """Which seats fold in a round."""
    chance = random.Random(f"{seed} folds {number}")
    return tuple(seat for seat in now.seats if chance.random() < 0.3)


def next_command(seed: int, table: Table) -> cmd.Command:
    """What is done next, from any state."""
    now = table.round
    if now is None or now.phase in OVER:
        return cmd.PayHit(table.pending_hits[0].number) if table.pending_hits else cmd.OpenRound()
    if now.phase is Phase.bets_open:
        return _next_bet(seed, now)
    if now.phase is Phase.dealing:
        return cmd.DrawCard("shoe", deck(seed, now.number, now)[len(now.draws)])
    if now.phase is Phase.decisions:
        undecided = [seat for seat in folds(seed, now.number, now) if seat not in now.decisions]
        return cmd.Decide(undecided[0], Action.fold) if undecided else cmd.CloseDecisions()
    command = next_step(table, now).command
    assert command is not None
    return command


def _next_bet(seed: int, now: Round) -> cmd.Command:
    wanted = bets(seed, now.number)
    for seat, kinds in wanted.items():
        if seat not in now.bets:
            return cmd.PlaceBet(seat, Bet.ante, Money(1000))
        if Bet.jackpot in kinds and not now.bets[seat].jackpot:
            return cmd.PlaceBet(seat, Bet.jackpot)
    return cmd.LockBets(sum(Bet.jackpot in kinds for kinds in wanted.values()))


def step_of(table: Table) -> str:
    """The step that comes next, and the meter, in one word."""
    now = table.round or Round("", "", Phase.closed)
    meter = table.meter or Meter(Money(0))
    return f"{next_step(table, now).step.value}/{len(now.draws)}/{meter.exact}"


def clock() -> str:
    """The time."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def deal_until_killed(path: Path, seed: int, sheet: str) -> None:
    """For ever."""
    folder = DataFolder(path)
    folder.lock()
    log = SqliteLog(folder.log, Seal(folder.key("seal")))
    service = TableService(log, table_setup(sheet), clock, lambda _: None)
    service.start()
    os.write(1, f"{READY}\n".encode())
    while True:
        before = service.snapshot
        command = next_command(seed, before.table)
        version = service.do(Request(command, "dealer", "supervisor", expected=before.version))
        os.write(1, f"{version} {step_of(service.snapshot.table)}\n".encode())


if __name__ == "__main__":
    deal_until_killed(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
