"""The computing process: it answers one after the other, steps back, and whoever asks outlives its end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.deals import count_deals
from dealer_assist.analysis.laboratory import Computing
from dealer_assist.application.ports import Figures, NoFigures, TableTerms, WhyNoFigures
from dealer_assist.game.document import document, edited
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.hands import LOWEST_QUALIFYING
from dealer_assist.game.profile import profile_from
from dealer_assist.storage.profiles import load_profile
from tests.processes import children, is_running

TERMS = TableTerms((), None, 4)
FOUR_SEAT = document(load_profile("four-seat-fi"))
COMMAND = [sys.executable, "-m", "dealer_assist.analysis.laboratory"]


@pytest.fixture(scope="module")
def computing() -> Iterator[Computing]:
    shared = Computing()
    yield shared
    shared.close()


@pytest.fixture
def new_computing() -> Iterator[Callable[..., Computing]]:
    opened: list[Computing] = []

    def open_one(**options: float) -> Computing:
        opened.append(Computing(**options))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def told(figures: Figures) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(figures.audit)
    return found


def kill_next_child(times: int = 1) -> threading.Thread:
    """In the background: kill the next processes that this one starts, each while it is at work."""

    known = set(children(os.getpid()))

    def kill() -> None:
        nonlocal known
        for _ in range(times):
            while not (fresh := set(children(os.getpid())) - known):
                time.sleep(0.01)
            known |= fresh
            time.sleep(0.2)
            for pid in fresh:
                os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


def test_its_figures_are_those_of_the_audit_itself(computing: Computing) -> None:
    changed = edited(FOUR_SEAT, {"raise_paytable.flush": "7:1"})
    deals = count_deals(LOWEST_QUALIFYING)
    for raw in (FOUR_SEAT, changed):
        found = computing.figures(raw, TERMS)
        assert told(found)["house_edge_fraction"] == audit(profile_from(raw), deals).house_edge_fraction
        assert not found.begun_anew
    assert told(computing.figures(FOUR_SEAT, TERMS))["house_edge_fraction"] == "28355439569/711901089900"


def test_several_who_ask_at_once_are_answered_one_after_the_other(computing: Computing) -> None:
    sheets = [document(load_profile(name)) for name in ("cyber-stud-nb", "casino-stud-da", "four-seat-fi")]
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda raw: told(computing.figures(raw, TERMS)), sheets))
    assert [each["profile"] for each in found] == [raw["id"] for raw in sheets]
    assert len(children(os.getpid())) == 1


def test_it_yields_the_processor_and_goes_first_where_memory_runs_out(computing: Computing) -> None:
    computing.figures(FOUR_SEAT, TERMS)
    (pid,) = children(os.getpid())
    assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    assert Path(f"/proc/{pid}/oom_score_adj").read_text().strip() == "1000"
    assert os.getsid(pid) == pid


def test_odds_that_share_no_unit_are_refused_with_their_path(computing: Computing) -> None:
    coprime = {"high_card": "1:999983", "pair": "1:999979", "two_pair": "1:999961", "trips": "1:999959"}
    edits = {f"raise_paytable.{category}": odds for category, odds in coprime.items()}
    with pytest.raises(BadSetting, match="raise_paytable"):
        computing.figures(edited(FOUR_SEAT, edits), TERMS)
    assert told(computing.figures(FOUR_SEAT, TERMS))["profile"] == "four-seat-fi"


def test_one_that_dies_is_started_again_once_and_the_next_question_starts_another(
    new_computing: Callable[..., Computing],
) -> None:
    computing = new_computing()
    killer = kill_next_child(2)
    with pytest.raises(NoFigures) as none:
        computing.figures(FOUR_SEAT, TERMS)
    killer.join(10)
    assert none.value.why is WhyNoFigures.ended
    killer = kill_next_child(1)
    found = computing.figures(FOUR_SEAT, TERMS)
    killer.join(10)
    assert found.begun_anew
    assert told(found)["house_edge_fraction"] == "28355439569/711901089900"
    assert not computing.figures(FOUR_SEAT, TERMS).begun_anew


def test_a_question_waits_no_longer_than_it_may(new_computing: Callable[..., Computing]) -> None:
    began = time.monotonic()
    with pytest.raises(NoFigures) as none:
        new_computing(limit_s=0.3).figures(FOUR_SEAT, TERMS)
    assert none.value.why is WhyNoFigures.too_slow
    assert time.monotonic() - began < 3


def test_its_end_takes_a_process_that_is_at_work_with_it(new_computing: Callable[..., Computing]) -> None:
    computing = new_computing()
    with ThreadPoolExecutor() as pool:
        before = set(children(os.getpid()))
        asked = pool.submit(computing.figures, FOUR_SEAT, TERMS)
        while not (at_work := set(children(os.getpid())) - before):
            time.sleep(0.01)
        began = time.monotonic()
        computing.close()
        assert time.monotonic() - began < 2
        with pytest.raises(NoFigures):
            asked.result(5)
        with pytest.raises(NoFigures):
            computing.figures(FOUR_SEAT, TERMS)
    assert not any(map(is_running, at_work))


def test_it_ends_when_nothing_was_asked_for_a_while() -> None:
    process = subprocess.Popen([*COMMAND, "0.1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with process:
        assert process.wait(30) == 0


def test_it_ends_with_whoever_asks(tmp_path: Path) -> None:
    asker = "\n".join(
        (
            "from pathlib import Path",
            "from dealer_assist.analysis.laboratory import Computing",
            "from tests.analysis.test_laboratory import FOUR_SEAT, TERMS",
            "Computing().figures(FOUR_SEAT, TERMS)",
        )
    )
    process = subprocess.Popen([sys.executable, "-c", asker])
    while not (found := children(process.pid)):
        time.sleep(0.02)
    process.kill()
    process.wait()
    end = time.monotonic() + 60
    while is_running(found[0]) and time.monotonic() < end:
        time.sleep(0.1)
    assert not is_running(found[0])
