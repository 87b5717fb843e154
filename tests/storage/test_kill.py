"""A table killed at any moment takes up the round where it stood: no card, bet or meter tick lost or doubled."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.application.export import records
from dealer_assist.application.replay import Replayer, outcome_of
from dealer_assist.application.service import Logged, Request
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet
from dealer_assist.game.dealing import SEATS
from dealer_assist.game.evolve import evolve
from dealer_assist.game.money import Money
from dealer_assist.game.round import OVER, Round
from dealer_assist.game.table import Table
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.verify import verify
from tests.application.desk import desk_at
from tests.game.felt import table_setup
from tests.storage.killed_table import READY, bets, deck, next_command, step_of

ROOT: Final = Path(__file__).parents[2]
LONGEST_LIFE_S: Final = 0.25
KILLS_A_FOLDER: Final = 10


def killed(folder: Path, seed: int, sheet: str, life: float) -> list[tuple[int, str]]:
    """What a table that lived for `life` seconds had told: each sequence and the step behind it."""
    command = [sys.executable, "-m", "tests.storage.killed_table", str(folder), str(seed), sheet]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        ready = table.stdout.readline().strip()
        assert ready == READY, table.stderr.read()
        time.sleep(life)
        table.send_signal(signal.SIGKILL)
        told, complaints = table.communicate()
    assert table.returncode == -signal.SIGKILL, complaints
    whole = told[: told.rfind("\n") + 1].splitlines()
    return [(int(version), step) for version, step in (line.split() for line in whole)]


def tables(history: list[Logged]) -> Iterator[Table]:
    """The table after each event."""
    table: Table | None = None
    for logged in history:
        table = evolve(table, logged.event)
        yield table


def check_what_was_told(history: list[Logged], told: list[tuple[int, str]]) -> None:
    """Each sequence that was told is in the log, at the same step; behind the last is one command at most."""
    after = list(tables(history))
    for version, step in told:
        assert version <= len(history), "what was acknowledged is lost"
        assert step_of(after[version - 1]) == step
    if told:
        untold = history[told[-1][0] :]
        assert len({logged.stamp.at for logged in untold}) <= 1, "more than one command was not acknowledged"


def check_cards_and_bets(history: list[Logged], seed: int) -> None:
    """Every round holds the very bets and cards of its number, each once and in order."""
    after = list(tables(history))
    ends = [at for at, logged in enumerate(history) if isinstance(logged.event, ev.RoundOpened)][1:]
    for table in (*(after[at - 1] for at in ends), after[-1]):
        now = table.round
        if now is None or not now.order:
            continue
        check_bets(now, seed)
        assert [draw.card for draw in now.draws] == deck(seed, now.number, now)[: len(now.draws)]


def check_bets(now: Round, seed: int) -> None:
    wanted = bets(seed, now.number)
    assert {seat: (made.ante, bool(made.jackpot)) for seat, made in now.bets.items()} == {
        seat: (Money(1000), Bet.jackpot in kinds) for seat, kinds in wanted.items()
    }


def check_meter(history: list[Logged], sheet: str) -> None:
    """The meter holds each seed and each jackpot bet once, and has lost each hit once."""
    *_, table = tables(history)
    stake = table.setup.profile.jackpot_stake
    fed = sum(isinstance(logged.event, ev.JackpotFed) for logged in history)
    seeds = sum(logged.event.seed for logged in history if isinstance(logged.event, ev.MeterSeeded))
    hits = sum(logged.event.amount for logged in history if isinstance(logged.event, ev.HitFrozen))
    assert table.meter is not None
    assert table.meter.exact == seeds + fed * stake * Fraction(table.setup.contribution or 0) - hits
    locked = [logged for logged in history if isinstance(logged.event, ev.BetsLocked)]
    chips = sum(logged.event.jackpot_chips for logged in locked if isinstance(logged.event, ev.BetsLocked))
    assert fed == chips


def check_after_kill(folder: Path, seed: int, sheet: str, told: list[tuple[int, str]]) -> int:
    """Everything that must hold when the table is opened again, and that the round goes on; how many are closed."""
    with desk_at(folder, table_setup(sheet)) as desk:
        history = desk.history
        *_, last = tables(history)
        assert desk.service.snapshot.table == last
        assert desk.service.snapshot.version == len(history)
        check_what_was_told(history, told)
        check_cards_and_bets(history, seed)
        check_meter(history, sheet)
        assert verify(desk.folder.log, Seal(desk.folder.key("seal"))).broken is None
        desk.at = "2026-11-30T20:14:03.000000Z"
        for _ in range(3):
            now = desk.service.snapshot
            desk.service.do(Request(next_command(seed, now.table), "dealer", "supervisor", expected=now.version))
        check_cards_and_bets(desk.history, seed)
        return check_export(desk.history)


def check_export(history: list[Logged]) -> int:
    replayer = Replayer(load_profile)
    closed = list(records(history))
    for record in closed:
        assert outcome_of(record, replayer.play(record)).differences == ()
    opened = sum(isinstance(logged.event, ev.RoundOpened) for logged in history)
    *_, last = tables(history)
    running = last.round is not None and last.round.phase not in OVER
    assert len(closed) == opened - running
    assert len({record.id for record in closed}) == len(closed)
    return len(closed)


def kill_many_times(folders: Path, kills: int, seed: int) -> tuple[int, int]:
    """How many kills hit a table in the middle of a round, and how many rounds were closed in all."""
    chance = random.Random(seed)
    within, closed, ended = 0, 0, 0
    for kill in range(kills):
        folder = folders / f"table-{kill // KILLS_A_FOLDER}"
        sheet = "ACD"[kill // KILLS_A_FOLDER % 3]
        told = killed(folder, seed + kill // KILLS_A_FOLDER, sheet, chance.uniform(0, LONGEST_LIFE_S))
        within += bool(told) and not told[-1][1].startswith(("open_round", "place_bets"))
        ended = check_after_kill(folder, seed + kill // KILLS_A_FOLDER, sheet, told)
        closed += ended if (kill + 1) % KILLS_A_FOLDER == 0 else 0
    return within, closed


@pytest.mark.timeout(180)
def test_thirty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    within, closed = kill_many_times(tmp_path, 30, seed=7)
    assert within >= 10
    assert closed >= 5


@pytest.mark.torture
@pytest.mark.timeout(3600)
def test_a_thousand_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    within, closed = kill_many_times(tmp_path, 1000, seed=random.randrange(10**9))
    assert within >= 300
    assert closed >= 200


def test_the_seats_of_a_killed_table_are_all_in_play() -> None:
    assert {seat for number in range(50) for seat in bets(7, str(number))} == set(SEATS)
