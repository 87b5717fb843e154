"""A table's camera, read: pictures → (gate) → places that may be read → (steadied, recogniser) → sights → (votes) → events.

A thread of its own takes the newest picture each time, so that a slow recogniser skips pictures and never lags behind.
Events come one at a time and in order. `Live` comes when there is something to read; with `Frozen` and `Lost` everything
told before is no longer known, and cards are told anew after the next `Live`.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec
import structlog

from hardware.camera import opencv
from hardware.camera.calibration import Calibration
from hardware.camera.gating import Gate, Standing
from hardware.camera.opencv import Image
from hardware.camera.pulse import CameraState, Live, Lost
from hardware.camera.reading import Reading
from hardware.camera.source import Camera, Frame
from hardware.camera.steadying import Steadied
from hardware.camera.voting import CardEvent, CardSeen, CardUnsure, Sight, Votes
from hardware.camera.zones import Place

_WAIT_S: Final = 0.1  # for a picture, hence how soon a stop or a loss is noticed
_STOP_WITHIN_S: Final = 1.8
_LOOK_EVERY_S: Final = 0.18  # about five looks a second
_COVERED_AFTER_S: Final = 2.0
_PAUSE_S: Final = 0.5  # after a picture that could not be read


class PlaceCovered(msgspec.Struct, frozen=True, tag=True):
    """Something has lain across a place's rim for a while: it is not read."""

    place: Place
    at: float


class PlaceClear(msgspec.Struct, frozen=True, tag=True):
    """A covered place is clear again."""

    place: Place
    at: float


CameraEvent = CameraState | CardEvent | PlaceCovered | PlaceClear


@dataclass(frozen=True)
class Look:
    """A picture that was read, and what was read in it."""

    frame: Frame
    reading: Reading


class Watcher:
    """Tells `sink` what one camera sees, from a thread of its own, between `start` and `stop`.

    `read` gives a picture's cards. The camera is started and stopped by it.
    """

    def __init__(
        self,
        camera: Camera,
        calibration: Calibration,
        read: Callable[[Image], Reading],
        sink: Callable[[CameraEvent], None],
    ) -> None:
        self._camera = camera
        self._calibration = calibration
        self._read = read
        self._sink = sink
        self._gate = Gate(calibration)
        self._steadied = Steadied()
        self._votes = Votes()
        self._covered = _Covered()
        self._state: CameraState | None = None
        self._fault: str | None = None
        self._number = 0
        self._looked_at = float("-inf")
        self._lying: tuple[CardSeen | CardUnsure, ...] = ()
        self._newest: Look | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self._log = structlog.get_logger(__name__).bind(camera=camera.settings.source.name)

    def start(self) -> None:
        self._camera.start()
        self._thread.start()

    def stop(self) -> None:
        """Ends the watching and the camera; returns within 4 s, and nothing is told after it."""
        self._stopping.set()
        self._camera.stop()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(_STOP_WITHIN_S)
            if self._thread.is_alive():
                self._log.warning("watcher still busy after stop")

    def wait(self, seconds: float) -> bool:
        """Waits for the end, which comes by `stop` or with the end of a video; whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def lying(self) -> tuple[CardSeen | CardUnsure, ...]:
        """What was told to lie on the felt, as far as it still holds; from any thread."""
        return self._lying

    @property
    def state(self) -> CameraState:
        """How the camera stands, as it was told; lost until there is something to tell. From any thread."""
        return self._state or self._camera.state

    @property
    def newest(self) -> Look | None:
        """The newest picture that was read, however old; None before there is one, and unless it lives. From any thread."""
        return self._newest

    def _run(self) -> None:
        while not self._stopping.is_set():
            ended = self._camera.ended is not None
            try:
                self._turn()
                if ended:
                    return
            except Exception as error:  # noqa: BLE001 - the edge of the watcher's loop: the fault is made visible, watching goes on
                self._log.exception("a picture could not be read")
                self._fault = f"the pictures of {self._camera.settings.source.name} can't be read: {error}"
                self._tell_state()
                self._stopping.wait(_PAUSE_S)

    def _turn(self) -> None:
        frame = self._camera.newest(self._number, _WAIT_S)
        if self._fault is None:
            self._tell_state()
        if frame is None or not isinstance(self._camera.state, Live):
            return
        self._number = frame.number
        standings = self._gate.judge(opencv.resize(frame.picture, *self._gate.size))
        self._votes.disturb([p for p, s in standings.items() if s in (Standing.moving, Standing.covered)])
        for event in self._covered.news(standings, frame.at):
            self._tell(event)
        still = [place for place, standing in standings.items() if standing is Standing.still]
        if still and frame.at - self._looked_at >= _LOOK_EVERY_S:
            self._look(frame, still)

    def _look(self, frame: Frame, still: list[Place]) -> None:
        self._looked_at = frame.at
        reading = self._read(self._steadied.picture(frame.picture))
        if not isinstance(self._camera.state, Live):  # lost meanwhile: it says nothing of what lies there now
            return
        self._newest = Look(frame, reading)
        self._fault = None
        self._tell_state()
        events = self._votes.look(frame.at, still, sights(reading, self._calibration))
        self._lying = self._votes.told
        for event in events:
            self._tell(event)

    def _tell_state(self) -> None:
        state = self._camera.state if self._fault is None else Lost(self._fault)
        if state == self._state:
            return
        self._state = state
        if not isinstance(state, Live):
            self._gate.forget()
            self._steadied.forget()
            self._votes.forget()
            self._covered.forget()
            self._lying = ()
            self._newest = None
        self._tell(state)

    def _tell(self, event: CameraEvent) -> None:
        if self._stopping.is_set():
            return
        try:
            self._sink(event)
        except Exception:  # noqa: BLE001 - made visible; what else there is must still be told
            self._log.exception("the sink refused an event", told=repr(event))


def sights(reading: Reading, calibration: Calibration) -> list[Sight]:
    """What a picture shows, each with its place on the felt."""
    found = []
    for seen in reading.cards:
        place, middle = calibration.place(seen.corners)
        found.append(Sight(place, middle, seen.card, confidence=seen.confidence))
    for doubt in reading.unsure:
        place, middle = calibration.place(doubt.corners)
        found.append(Sight(place, middle, None, doubt.candidates, doubt.confidence))
    return found


class _Covered:
    """Which places have been covered for a while."""

    def __init__(self) -> None:
        self._since: dict[Place, float] = {}
        self._told: set[Place] = set()

    def forget(self) -> None:
        self._since.clear()
        self._told.clear()

    def news(self, standings: Mapping[Place, Standing], at: float) -> list[PlaceCovered | PlaceClear]:
        found: list[PlaceCovered | PlaceClear] = []
        for place, standing in standings.items():
            if standing in (Standing.still, Standing.settling):
                self._since.pop(place, None)
                if place in self._told:
                    self._told.discard(place)
                    found.append(PlaceClear(place, at))
                continue
            since = self._since.setdefault(place, at)
            if standing is Standing.covered and at - since >= _COVERED_AFTER_S and place not in self._told:
                self._told.add(place)
                found.append(PlaceCovered(place, at))
        return found
