"""What a rule sheet is worth, computed beside a running table: in a process of its own, so that the table never waits.

The server has many threads, so the process is a program started anew, never a fork of it. A question is a line of JSON on
its standard input, the answer a line on its standard output. It yields the processor to everything else, is the first to go
where memory runs out, and ends after some idle minutes, or when whoever asks has ended.
"""

import contextlib
import os
import select
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.application.ports import Figures, NoFigures, TableTerms, WhyNoFigures
from dealer_assist.game.dealing import SEATS
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.profile import RuleProfile, profile_from
from dealer_assist.game.settings import Raw
from dealer_assist.game.setup import BetEntry, JackpotEvidence, Procedure, TableSetup

IDLE_S: Final = 600.0
LIMIT_S: Final = 180.0
"""How long a question may wait for its turn, and again for its answer: the very first one waits for the compiler too."""
TRIES: Final = 2
KEPT: Final = 32
"""How many answers are kept, so that a page that is opened again costs nothing."""


class Question(msgspec.Struct, frozen=True):
    """A profile's document, and what bounds the table that its exposure is told for; None: what the sheet itself bounds."""

    document: Raw
    terms: TableTerms | None


class Audited(msgspec.Struct, frozen=True, tag=True):
    """The audit's JSON."""

    audit: msgspec.Raw


class Refused(msgspec.Struct, frozen=True, tag=True):
    """A value with which nothing can be computed, as `BadSetting` tells it."""

    path: str
    finding: str


Answer = Audited | Refused
_ANSWERS: Final = msgspec.json.Decoder(Answer)


class Computing:
    """The asking end. Questions from several threads are answered one after the other."""

    def __init__(self, *, idle_s: float = IDLE_S, limit_s: float = LIMIT_S) -> None:
        self._idle_s = idle_s
        self._limit_s = limit_s
        self._turn = threading.Lock()
        self._starting = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._kept: OrderedDict[bytes, Answer] = OrderedDict()

    def figures(self, document: Raw, terms: TableTerms | None) -> Figures:
        """As `Laboratory.figures`. A process that ends in the middle is started again, once."""
        question = msgspec.json.encode(Question(document, terms)) + b"\n"
        if not self._turn.acquire(timeout=self._limit_s):
            raise NoFigures(WhyNoFigures.too_slow)
        begun_anew = False
        try:
            if question not in self._kept:
                self._kept[question], begun_anew = self._answered(question)
            self._kept.move_to_end(question)
            answer = self._kept[question]
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        finally:
            self._turn.release()
        if isinstance(answer, Refused):
            raise BadSetting(answer.path, answer.finding)
        return Figures(answer.audit, begun_anew)

    def close(self) -> None:
        """End the process, whatever it is doing; nothing is computed from now on. Whoever waits for an answer gets none."""
        with self._starting:
            self._closed = True
            process = self._process
        if process is None:
            return
        process.kill()
        if self._turn.acquire(blocking=False):  # else whoever waits for an answer buries it
            _bury(process)
            self._turn.release()

    def _answered(self, question: bytes) -> tuple[Answer, bool]:
        """The answer, and whether a process died over it."""
        give_up = time.monotonic() + self._limit_s
        died = False
        for _ in range(TRIES):
            process = self._running()
            answer = _exchanged(process, question, give_up - time.monotonic())
            if answer is not None:
                return _ANSWERS.decode(answer), died
            _bury(process)
            died = process.returncode != 0  # 0: it had just ended for want of questions
            if time.monotonic() >= give_up:
                raise NoFigures(WhyNoFigures.too_slow)
        raise NoFigures(WhyNoFigures.ended)

    def _running(self) -> "subprocess.Popen[bytes]":
        with self._starting:
            if self._closed:
                raise NoFigures(WhyNoFigures.ended)
            if self._process is not None and self._process.poll() is not None:
                _bury(self._process)  # it had nothing to do for a while
                self._process = None
            if self._process is None:
                self._process = _started(self._idle_s)
            return self._process


def _started(idle_s: float) -> "subprocess.Popen[bytes]":
    """A session of its own keeps a terminal's signals from it: it ends when its input does."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, str(idle_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def _exchanged(process: "subprocess.Popen[bytes]", question: bytes, seconds: float) -> bytes | None:
    """The answer; None where the process ended before it was whole, or was ended because the time was over."""
    assert process.stdin is not None
    assert process.stdout is not None
    too_late = threading.Timer(seconds, process.kill)
    too_late.start()
    try:
        process.stdin.write(question)
        process.stdin.flush()
        answer = process.stdout.readline()
    except BrokenPipeError:
        return None
    finally:
        too_late.cancel()
    return answer if answer.endswith(b"\n") else None


def _bury(process: "subprocess.Popen[bytes]") -> None:
    """Let go of a process that has ended, or is ended now."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        with contextlib.suppress(BrokenPipeError):  # a question that it never took
            pipe.close()


# --- the process itself ----------------------------------------------------------------------------------------------


def main() -> None:
    """Answer questions until none comes for `idle_s` seconds, the program's one argument, or its input ends."""
    idle_s = float(sys.argv[1])
    _step_back()
    answers = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library may print is no answer
    threading.Thread(target=_end_with_whoever_asks, daemon=True).start()
    compute = _computer()
    while select.select([sys.stdin], [], [], idle_s)[0] and (line := sys.stdin.buffer.readline()):
        answer = msgspec.json.encode(compute(line)) + b"\n"
        with contextlib.suppress(BrokenPipeError):  # whoever asked has ended, and so does this
            _write_all(answers, answer)


def _end_with_whoever_asks() -> None:
    """Even in the middle: nobody is left to hear the answer."""
    hang_up = select.poll()
    hang_up.register(sys.stdin, 0)
    hang_up.poll()
    os._exit(0)


def _step_back() -> None:
    os.nice(19)
    with contextlib.suppress(OSError):  # only where the system has it
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")


def _write_all(file: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def _computer() -> Callable[[bytes], Answer]:
    """From a question to its answer. The deals of the last qualifying hand are kept: all sheets have the same so far."""
    from dealer_assist.analysis.audit import audit  # noqa: PLC0415  the compiler is loaded in this process only
    from dealer_assist.analysis.deals import Deals, count_deals  # noqa: PLC0415
    from dealer_assist.analysis.strategy import strategy_grid  # noqa: PLC0415

    counted: dict[int, Deals] = {}

    def compute(line: bytes) -> Answer:
        question = msgspec.json.decode(line, type=Question)
        profile = profile_from(question.document)
        lowest = profile.lowest_qualifying
        if lowest not in counted:
            counted.clear()
            counted[lowest] = count_deals(lowest)
        deals = counted[lowest]
        try:
            figures = audit(profile, deals, _table(profile, question.terms))
            with_play = msgspec.structs.replace(figures, strategy=strategy_grid(profile, deals))
            return Audited(msgspec.Raw(msgspec.json.encode(with_play)))
        except BadSetting as refused:
            return Refused(refused.path, refused.finding)

    return compute


def _table(profile: RuleProfile, terms: TableTerms | None) -> TableSetup | None:
    """As much of a table as an exposure hangs on."""
    if terms is None:
        return None
    return TableSetup(
        table="",
        profile=profile,
        procedure=Procedure("", ""),
        currency=profile.currency,
        bet_entry=BetEntry.amounts,
        jackpot_evidence=JackpotEvidence.chip_visible,
        seats=SEATS[: terms.seats],
        chips=(),
        limits=terms.limits,
        cap=terms.cap,
    )


if __name__ == "__main__":
    main()
