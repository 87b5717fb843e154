"""From what a camera sees to commands: each open hand of the round, as it lies there now.

A thread of its own looks ten times a second, and tells the table what would be news to it. Not every card that lies at a
place is one of this round's hand there. One counts when

- a picture that was taken after the hand was opened shows it, and
- it did not lie on the felt when the bets were locked: those are cards of the round before, wherever they are pushed to.
"""

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import Final, Protocol

import msgspec
import structlog

from dealer_assist.application.ports import CameraEye, CameraPulse, CameraState, LyingCard, Snap
from dealer_assist.application.service import Conflict, LogUnavailable, Request, Snapshot
from dealer_assist.game import commands as cmd
from dealer_assist.game.camera_events import HandDisputed
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.decide import decide
from dealer_assist.game.decide.watching import is_due
from dealer_assist.game.errors import GameError
from dealer_assist.game.looking import beyond, open_places
from dealer_assist.game.round import Picture, Round

_say = structlog.get_logger(__name__)

_EVERY_S: Final = 0.1
_AFTER_A_FAULT_S: Final = 1.0
_CAMERA: Final = "camera"

Evidence = tuple[tuple[Picture, ...], str]
"""The pictures kept, or why there are none."""


class Keep(Protocol):
    """Puts pictures where they last."""

    def __call__(self, snaps: tuple[Snap, ...], at: datetime, /) -> tuple[Picture, ...]:
        """Raises: OSError."""


class _Opened(msgspec.Struct, frozen=True):
    """The open places of a hand, and since when they are just these, by the monotonic clock."""

    places: tuple[Place, ...]
    at: float


class Lookout:
    """Looks at the felt with `eye`. `latest` gives the table's snapshot, `submit` queues a request, `keep` keeps evidence."""

    def __init__(
        self,
        eye: CameraEye,
        latest: Callable[[], Snapshot],
        submit: Callable[[Request], "Future[int]"],
        keep: Keep,
    ) -> None:
        self._eye = eye
        self._latest = latest
        self._submit = submit
        self._keep = keep
        self._round = _RoundSeen(eye)
        self._told = CameraState(CameraPulse.lost)
        self._reasons: set[str] = set()
        self._answered: dict[Seat, tuple[int, cmd.ReportHand]] = {}
        self._evidence: dict[tuple[object, ...], Evidence] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lookout", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End within a look."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def published(self, snapshot: Snapshot) -> None:
        """What was committed, from the table's own thread, before anything else is: hands are open from now on."""
        self._round.published(snapshot)

    def _run(self) -> None:
        pause = 0.0
        while not self._stopped.wait(pause):
            pause = _EVERY_S
            try:
                self.look()
            except Conflict:
                pass  # the table has moved on: what it makes of the felt is asked for anew
            except (GameError, LogUnavailable, TimeoutError) as refused:
                _say.warning("a look was refused", reason=str(refused))
                pause = _AFTER_A_FAULT_S
            except Exception:  # noqa: BLE001  the loop's edge: made visible, and looking goes on
                _say.exception("a look failed")
                pause = _AFTER_A_FAULT_S

    def look(self) -> None:
        """One look: the camera's state, then each open hand. Raises: as the table refuses."""
        state = self._eye.state
        self._tell(state)
        if state.pulse is not CameraPulse.live:
            self._round.blind()
            return
        snapshot = self._latest()
        now = snapshot.table.round
        if now is None:
            return
        for holder in (DEALER, *now.seats):
            seen = self._round.seen(snapshot, now, holder)
            if seen is not None:
                self._report(snapshot, now, seen)

    def _tell(self, state: CameraState) -> None:
        """Each reason once an outage: a camera that is tried again and again fills no log."""
        if state == self._told:
            return
        if state.pulse is CameraPulse.live:
            self._do(cmd.ReportCameraBack())
            self._reasons.clear()
        elif state.reason not in self._reasons:
            self._do(cmd.ReportCameraLost(state.reason))
            self._reasons.add(state.reason)
        self._told = state

    def _report(self, snapshot: Snapshot, now: Round, seen: cmd.ReportHand) -> None:
        """Tell the table of a hand, if it is news; what gainsays the record with its pictures, which are kept by then."""
        if self._answered.get(seen.holder) == (snapshot.version, seen):
            return
        self._answered[seen.holder] = snapshot.version, seen
        stamp = cmd.Stamp(snapshot.at, _CAMERA)
        news = decide(snapshot.table, seen, stamp)
        for event in news:
            if isinstance(event, HandDisputed):
                pictures, fault = self._kept(now, seen.holder, beyond(event.recorded, event.seen))
                seen = msgspec.structs.replace(seen, pictures=pictures, fault=fault)
        if news:
            self._do(seen, expected=snapshot.version)

    def _kept(self, now: Round, holder: Seat, cards: tuple[Card, ...]) -> Evidence:
        """The pictures of a dispute, kept once: also where the table has to be asked twice."""
        about = now.number, len(now.disputes), holder, frozenset(cards)
        if about not in self._evidence:
            self._evidence = {about: self._snapped(holder, cards)}
        return self._evidence[about]

    def _snapped(self, holder: Seat, cards: tuple[Card, ...]) -> Evidence:
        snaps = self._eye.snaps(holder, cards)
        if not snaps:
            return (), "the camera gave no picture"
        try:
            return self._keep(snaps, datetime.now(UTC)), ""
        except OSError as error:
            _say.warning("pictures of a dispute could not be kept", reason=str(error))
            return (), f"the pictures could not be kept: {error.strerror or error}"

    def _do(self, command: cmd.Command, expected: int | None = None) -> None:
        self._submit(Request(command, actor=_CAMERA, expected=expected)).result(timeout=5)


class _RoundSeen:
    """What is seen of the hands of one round. `published` from the table's thread, all else from the lookout's."""

    def __init__(self, eye: CameraEye) -> None:
        self._eye = eye
        self._lock = threading.Lock()
        self._locked: str | None = None
        self._left: frozenset[Card] = frozenset()
        self._was_blind = False
        self._opened: Mapping[Seat, _Opened] = {}
        self._best: dict[Seat, tuple[_Opened, cmd.ReportHand]] = {}

    def published(self, snapshot: Snapshot) -> None:
        now, at = snapshot.table.round, time.monotonic()
        locked = now.number if now is not None and now.order else None
        with self._lock:
            if locked is not None and locked != self._locked:
                self._left, self._was_blind = named(self._eye.lying), False
            self._locked = locked
            self._opened = {} if now is None else self._opened_in(snapshot, now, at)

    def _opened_in(self, snapshot: Snapshot, now: Round, at: float) -> dict[Seat, _Opened]:
        opened = {}
        for holder in (DEALER, *now.seats):
            places, before = open_places(snapshot.table.setup.profile, now, holder), self._opened.get(holder)
            opened[holder] = before if before is not None and before.places == places else _Opened(places, at)
        return opened

    def blind(self) -> None:
        """The camera was lost: that a card is no longer told means nothing until the next round."""
        with self._lock:
            self._was_blind = True

    def seen(self, snapshot: Snapshot, now: Round, holder: Seat) -> cmd.ReportHand | None:
        """A hand as it is seen now; as it was seen best, once nothing hangs on it any more. None while it is not open."""
        lying = self._eye.lying
        with self._lock:
            if not self._was_blind:
                self._left &= named(lying)
            opened, left = self._opened.get(holder), self._left
        if opened is None or not opened.places:
            self._best.pop(holder, None)
            return None
        there = [
            card for card in lying if card.place == holder and card.at > opened.at and left.isdisjoint(names(card))
        ]
        report = _report_of(now, holder, there)
        best = self._best.get(holder)
        if is_due(snapshot.table, now, holder):
            if best is None or best[0] != opened or _weight(report) >= _weight(best[1]):
                self._best[holder] = opened, report
            return report
        return best[1] if best is not None and best[0] == opened else report


def _weight(report: cmd.ReportHand) -> tuple[int, int]:
    return len(report.seen), len(report.unsure)


def _report_of(now: Round, holder: Seat, there: list[LyingCard]) -> cmd.ReportHand:
    ordered = sorted(there, key=lambda card: card.across)
    seen = tuple(card.card for card in ordered if card.card is not None)
    return cmd.ReportHand(now.number, holder, seen, tuple(card.candidates for card in ordered if card.card is None))


def names(card: LyingCard) -> frozenset[Card]:
    """What a card on the felt may be."""
    return frozenset(card.candidates if card.card is None else (card.card,))


def named(lying: tuple[LyingCard, ...]) -> frozenset[Card]:
    """Every card that may lie on the felt."""
    return frozenset().union(*map(names, lying))
