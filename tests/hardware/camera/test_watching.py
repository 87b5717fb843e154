"""When a place may be read, and a watcher on a real stream: pictures in, events out."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.calibration import Calibration
from hardware.camera.gating import STILL_FRAMES, Gate, Standing, longest_run
from hardware.camera.marks import calibrated
from hardware.camera.opencv import Image
from hardware.camera.pulse import Frozen, Limits, Live, Lost
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.settings import source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.voting import CardGone, CardSeen, CardUnsure, EqualCards
from hardware.camera.watching import CameraEvent, PlaceClear, PlaceCovered, Watcher
from hardware.camera.zones import Place, default_zones
from tests.hardware.camera.felts import SKIN, Lying, corners_mm, felt, in_view, noisy_page, with_arm, with_cards
from tests.hardware.camera.films import Stream, noisy, served
from tests.hardware.helpers import wait_until

pytestmark = pytest.mark.timeout(90)

AS, SEVEN, JH = Card("As"), Card("7h"), Card("Jh")
DEALERS: Lying = (AS, (-120.0, -232.0), 0.0)
SECOND: Lying = (SEVEN, (20.0, -231.0), 2.0)
AT_SEAT_4: Lying = (JH, (480.0, 140.0), 31.0)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrated(noisy_page(), default_zones(4), "test")


class Judged:
    """A gate before which scenes are played, each picture with a sensor's noise."""

    def __init__(self, calibration: Calibration) -> None:
        self.gate = Gate(calibration)
        self.number = 0

    def play(self, scene: Image, pictures: int = STILL_FRAMES + 1) -> dict[Place, Standing]:
        found: dict[Place, Standing] = {}
        for _ in range(pictures):
            self.number += 1
            found = dict(self.gate.judge(opencv.resize(noisy(scene, self.number), *self.gate.size)))
        return found


@pytest.fixture
def judged(calibration: Calibration) -> Judged:
    return Judged(calibration)


def test_a_felt_at_rest_is_still_after_three_pictures_without_a_change(judged: Judged) -> None:
    scene = with_cards(felt(), [DEALERS, AT_SEAT_4])
    for n in range(3):
        assert set(judged.play(scene, 1).values()) == {Standing.settling}, n
    assert judged.play(scene, 1) == dict.fromkeys([0, 1, 2, 3, 4, None], Standing.still)


def test_what_moves_at_one_place_leaves_the_others_readable(judged: Judged) -> None:
    judged.play(felt())
    found = judged.play(with_cards(felt(), [AT_SEAT_4]), 1)
    assert found == {0: "still", 1: "still", 2: "still", 3: "still", 4: "moving", None: "still"}
    assert judged.play(with_cards(felt(), [AT_SEAT_4]), 1)[4] == "settling"


def test_a_hand_that_rests_covers_the_place_it_reaches_into(judged: Judged) -> None:
    judged.play(felt())
    arm = with_arm(felt(), (480, 140))
    assert judged.play(arm, 1)[4] == "moving"
    found = judged.play(arm, 8)
    assert found[4] == "covered"
    assert [found[place] for place in (0, 1, 2, 3)] == ["still"] * 4
    assert judged.play(felt(), STILL_FRAMES + 1)[4] == "still"


@pytest.mark.parametrize("colour", [SKIN, (60, 75, 110), (20, 20, 22), (200, 60, 40)])
def test_a_hand_is_noticed_whatever_its_skin_or_sleeve(judged: Judged, colour: tuple[int, int, int]) -> None:
    judged.play(felt())
    assert judged.play(with_arm(felt(), (480, 140), colour), 8)[4] == "covered"


def test_a_card_across_the_rim_and_print_on_the_felt_cover_nothing(judged: Judged, calibration: Calibration) -> None:
    right = float(calibration.zones[0].outline[:, 0].max())
    found = judged.play(with_cards(felt(), [(Card("4d"), (right, -232), 0)]), 8)
    assert set(found.values()) == {Standing.still}


@pytest.mark.parametrize("lit", [0.6, 0.8, 1.25])
def test_other_light_than_at_the_calibration_covers_nothing(judged: Judged, lit: float) -> None:
    assert set(judged.play(felt(lit)).values()) == {Standing.still}


def test_a_change_of_the_light_is_no_motion(judged: Judged) -> None:
    judged.play(felt())
    assert set(judged.play(np.clip(felt().astype(int) + 25, 0, 255).astype(np.uint8), 1).values()) == {Standing.still}


def test_a_forgetful_gate_begins_anew(judged: Judged) -> None:
    judged.play(felt())
    judged.gate.forget()
    assert set(judged.play(felt(), 1).values()) == {Standing.settling}


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.integers(0, 29))
def test_a_run_on_a_ring_is_as_long_wherever_the_ring_begins(ring: list[bool], turn: int) -> None:
    turned = ring[turn % len(ring) :] + ring[: turn % len(ring)]
    assert longest_run(turned) == longest_run(ring)
    assert longest_run(ring) <= sum(ring)
    text = "".join("x" if held else "." for held in ring)
    if all(ring):
        assert longest_run(ring) == len(ring)
    else:
        assert longest_run(ring) == max(map(len, (text * 2).split(".")))


# --- a watcher on a stream ---


class Told:
    """Remembers what a watcher tells, and when."""

    def __init__(self) -> None:
        self.events: list[CameraEvent] = []
        self.at: list[float] = []

    def __call__(self, event: CameraEvent) -> None:
        self.at.append(time.monotonic())
        self.events.append(event)

    def of(self, kind: type[CameraEvent]) -> list[CameraEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    def wait_for(self, kind: type[CameraEvent], times: int = 1, within_s: float = 20) -> CameraEvent:
        wait_until(lambda: len(self.of(kind)) >= times, within_s)
        return self.of(kind)[times - 1]


class Felt:
    """A felt before a camera, and a reader that knows what lies there: what a recogniser does is tested elsewhere.

    `read` never sees what is not in the picture: a card is told only where the picture is as bright as paper.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.lying: list[Lying] = []
        self.doubtful = False
        self.failing = threading.Event()
        self.show()

    def show(self, *lying: Lying, arm: tuple[float, float] | None = None) -> None:
        scene = with_cards(felt(), lying)
        self.stream.scene = scene if arm is None else with_arm(scene, arm)
        self.lying = [*lying, *self.lying] if lying else self.lying

    def read(self, image: Image) -> Reading:
        if self.failing.is_set():
            raise RuntimeError("the net is broken")
        cards = []
        for card, middle, turn in dict.fromkeys(self.lying):
            corners = in_view(corners_mm((card, middle, turn)))
            x, y = corners.mean(axis=0).round().astype(int)
            if image[y - 20 : y + 20, x - 20 : x + 20].min(axis=2).max() > 170:
                cards.append(SeenCard(card, 0.99, corners))
        if self.doubtful:
            return Reading((), tuple(Unsure((c.card, Card("2c")), 0.8, c.corners) for c in cards), 1.0)
        return Reading(tuple(cards), (), 1.0)


@contextmanager
def watching(url: str, calibration: Calibration, read: Callable[[Image], Reading], told: Told) -> Iterator[Watcher]:
    camera = Camera(SourceSettings(source=source_of(url), size=calibration.size))
    watcher = Watcher(camera, calibration, read, told)
    watcher.start()
    try:
        yield watcher
    finally:
        began, count = time.monotonic(), len(told.events)
        watcher.stop()
        assert time.monotonic() - began < 4
        assert len(told.events) <= count + 1


@pytest.fixture
def stream() -> Stream:
    return Stream(rate=15)


@pytest.fixture
def url(stream: Stream) -> Iterator[str]:
    with served(stream) as url:
        yield url


def test_cards_are_told_at_their_places_and_go_when_they_are_taken(
    url: str, stream: Stream, calibration: Calibration
) -> None:
    told, table = Told(), Felt(stream)
    with watching(url, calibration, table.read, told) as watcher:
        told.wait_for(Live)
        table.show(DEALERS, AT_SEAT_4)
        told.wait_for(CardSeen, 2)
        seen = {(e.place, e.card) for e in told.of(CardSeen) if isinstance(e, CardSeen)}
        assert seen == {(0, AS), (4, JH)}
        assert {lying.spot for lying in watcher.lying} == {1, 2}
        assert all(abs(e.at - at) < 2 for e, at in zip(told.events, told.at, strict=True) if isinstance(e, CardSeen))
        table.show(AT_SEAT_4)
        gone = told.wait_for(CardGone)
        assert isinstance(gone, CardGone)
        assert (gone.place, gone.card) == (0, AS)
    assert {type(event) for event in told.events} <= {Lost, Live, CardSeen, CardGone}


def test_a_card_under_a_resting_arm_waits_until_the_arm_is_gone(
    url: str, stream: Stream, calibration: Calibration
) -> None:
    told, table = Told(), Felt(stream)
    with watching(url, calibration, table.read, told):
        told.wait_for(Live)
        table.show(DEALERS, AT_SEAT_4, arm=(430, 210))
        covered = told.wait_for(PlaceCovered)
        assert isinstance(covered, PlaceCovered)
        assert covered.place == 4
        assert [e.place for e in told.of(CardSeen) if isinstance(e, CardSeen)] == [0]
        table.show(DEALERS, AT_SEAT_4)
        told.wait_for(PlaceClear)
        told.wait_for(CardSeen, 2)


def test_two_equal_cards_are_an_alarm(url: str, stream: Stream, calibration: Calibration) -> None:
    told, table = Told(), Felt(stream)
    with watching(url, calibration, table.read, told):
        told.wait_for(Live)
        table.show(DEALERS, (AS, (60.0, -232.0), 3.0))
        alarm = told.wait_for(EqualCards)
        assert isinstance(alarm, EqualCards)
        assert (alarm.card, alarm.places) == (AS, (0, 0))
        told.wait_for(CardSeen, 2)


def test_what_can_not_be_read_is_told_with_its_candidates(url: str, stream: Stream, calibration: Calibration) -> None:
    told, table = Told(), Felt(stream)
    table.doubtful = True
    with watching(url, calibration, table.read, told):
        told.wait_for(Live)
        table.show(SECOND)
        unsure = told.wait_for(CardUnsure)
        assert isinstance(unsure, CardUnsure)
        assert (unsure.place, set(unsure.candidates)) == (0, {SEVEN, Card("2c")})
        assert not told.of(CardSeen)


@pytest.mark.parametrize(("harm", "kind"), [("freeze", Frozen), ("stall", Lost)])
def test_a_camera_that_fails_is_told_within_2_s_and_nothing_is_known_until_it_is_back(
    harm: str, kind: type[CameraEvent], url: str, stream: Stream, calibration: Calibration
) -> None:
    told, table = Told(), Felt(stream)
    table.show(DEALERS)
    with watching(url, calibration, table.read, told) as watcher:
        told.wait_for(CardSeen)
        before = len(told.of(kind))
        began = time.monotonic()
        getattr(stream, harm)()
        told.wait_for(kind, before + 1, 3)
        assert told.at[-1] - began < 2
        assert watcher.lying == ()
        time.sleep(1)
        assert isinstance(told.events[-1], kind)
        stream.mend()
        told.wait_for(CardSeen, 2)
        kinds = [type(event) for event in told.events]
        assert kinds[kinds.index(CardSeen) :] == [CardSeen, kind, Live, CardSeen]


def test_a_recogniser_that_fails_is_told_and_watching_goes_on(
    url: str, stream: Stream, calibration: Calibration
) -> None:
    told, table = Told(), Felt(stream)
    table.show(DEALERS)
    with watching(url, calibration, table.read, told) as watcher:
        told.wait_for(CardSeen)
        lost = len(told.of(Lost))
        table.failing.set()
        failed = told.wait_for(Lost, lost + 1)
        assert isinstance(failed, Lost)
        assert failed.reason.endswith("can't be read: the net is broken")
        assert watcher.lying == ()
        time.sleep(1.2)
        assert told.events[-1] is failed
        table.failing.clear()
        told.wait_for(CardSeen, 2)


def test_a_slow_recogniser_skips_pictures_and_never_lags(url: str, stream: Stream, calibration: Calibration) -> None:
    told, table = Told(), Felt(stream)
    table.show(DEALERS)
    ages: list[float] = []
    camera = Camera(SourceSettings(source=source_of(url), size=calibration.size, limits=Limits(open_within_s=20)))

    def slowly(image: Image) -> Reading:
        newest = camera.newest()
        ages.append(0.0 if newest is None else newest.age(time.monotonic()))
        time.sleep(0.6)
        return table.read(image)

    watcher = Watcher(camera, calibration, slowly, told)
    watcher.start()
    try:
        told.wait_for(CardSeen)
        [seen, *_] = told.of(CardSeen)
        assert isinstance(seen, CardSeen)
        assert told.at[told.events.index(seen)] - seen.at < 1.6
        assert max(ages) < 0.7
    finally:
        watcher.stop()
