"""What a supervisor is shown of a watcher on a real stream: the picture that was read, and what was read in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from dealer_assist.application.ports import CameraPicture, CameraPulse, CameraState
from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.calibration import Calibration
from hardware.camera.marks import calibrated
from hardware.camera.opencv import Image
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.settings import source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.view import View
from hardware.camera.watching import Watcher
from hardware.camera.zones import default_zones
from tests.hardware.camera.felts import SIZE, Lying, corners_mm, felt, in_view, noisy_page, with_cards
from tests.hardware.camera.films import Stream, served
from tests.hardware.helpers import wait_until

pytestmark = pytest.mark.timeout(90)

DEALERS: Lying = (Card("As"), (-120.0, -232.0), 0.0)
AT_SEAT_4: Lying = (Card("Jh"), (480.0, 140.0), 31.0)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrated(noisy_page(), default_zones(4), "test")


@pytest.fixture
def stream() -> Stream:
    stream = Stream(rate=15)
    stream.scene = with_cards(felt(), [DEALERS, AT_SEAT_4])
    return stream


def read(_: Image) -> Reading:
    """The dealer's card for certain, the seat's not; what a recogniser does is tested elsewhere."""
    sure = SeenCard(DEALERS[0], 0.97, in_view(corners_mm(DEALERS)))
    unsure = Unsure((Card("Jh"), Card("Jd")), 0.6, in_view(corners_mm(AT_SEAT_4)))
    return Reading((sure,), (unsure,), 1.0)


@contextmanager
def watched(stream: Stream, calibration: Calibration, read: Callable[[Image], Reading]) -> Iterator[Watcher]:
    with served(stream) as url:
        camera = Camera(SourceSettings(source=source_of(url), size=calibration.size))
        watcher = Watcher(camera, calibration, read, lambda event: None)
        watcher.start()
        try:
            yield watcher
        finally:
            watcher.stop()


@pytest.fixture
def watcher(stream: Stream, calibration: Calibration) -> Iterator[Watcher]:
    with watched(stream, calibration, read) as watcher:
        yield watcher


@pytest.fixture
def view(watcher: Watcher, calibration: Calibration) -> View:
    return View(watcher, calibration)


def first_picture(view: View) -> CameraPicture:
    wait_until(lambda: view.picture() is not None, 20)
    picture = view.picture()
    assert picture is not None
    return picture


def test_the_picture_is_a_jpeg_of_the_felt_with_its_boxes_in_its_own_pixels(view: View, stream: Stream) -> None:
    assert view.picture() is None
    assert view.state.reason.endswith("is being opened")
    picture = first_picture(view)
    assert view.state == CameraState(CameraPulse.live)
    assert (picture.size, 0 <= picture.age_s < 3) == (SIZE, True)
    image = opencv.decoded(picture.jpeg)
    assert image is not None
    assert float(np.abs(image.astype(int) - stream.scene.astype(int)).mean()) < 8
    sure, unsure = picture.boxes
    assert (sure.card, sure.confidence, sure.place, sure.candidates) == (Card("As"), 0.97, 0, ())
    assert (unsure.card, unsure.place, unsure.candidates) == (None, 4, (Card("Jh"), Card("Jd")))
    assert np.allclose(sure.corners, in_view(corners_mm(DEALERS)), atol=0.1)


def test_zones_are_told_in_the_pictures_pixels(view: View, calibration: Calibration) -> None:
    assert [zone.place for zone in view.zones] == [0, 1, 2, 3, 4]
    dealers = default_zones(4).zones[0].outline
    assert np.allclose(view.zones[0].outline, in_view(dealers), atol=calibration.off_px + 2)


def test_a_picture_is_encoded_once_however_many_ask(view: View) -> None:
    first_picture(view)
    made: dict[int, bytes] = {}
    for picture in filter(None, (view.picture() for _ in range(300))):
        assert made.setdefault(picture.number, picture.jpeg) is picture.jpeg


def test_a_lost_camera_shows_no_picture_and_says_why(view: View, stream: Stream) -> None:
    first_picture(view)
    stream.stall()
    wait_until(lambda: view.state.pulse is CameraPulse.lost, 5)
    assert "sends no pictures" in view.state.reason
    assert view.picture() is None
    stream.mend()
    first_picture(view)


def test_a_frozen_camera_is_told_as_such(view: View, stream: Stream) -> None:
    first_picture(view)
    stream.freeze()
    wait_until(lambda: view.state.pulse is CameraPulse.frozen, 5)
    assert "the same picture again and again" in view.state.reason
    assert view.picture() is None


def test_a_large_picture_is_sent_smaller_and_its_boxes_stay_in_its_own_pixels(stream: Stream) -> None:
    size = (1920, 1080)
    stream.scene = opencv.resize(stream.scene, *size)
    large = calibrated(opencv.resize(noisy_page(), *size), default_zones(4), "test")
    seen = SeenCard(DEALERS[0], 0.9, opencv.points(large.pixels(corners_mm(DEALERS))))
    with watched(stream, large, lambda _: Reading((seen,), (), 1.0)) as watcher:
        picture = first_picture(View(watcher, large))
    image = opencv.decoded(picture.jpeg)
    assert image is not None
    assert (picture.size, image.shape) == (size, (720, 1280, 3))
    [box] = picture.boxes
    assert np.allclose(box.corners, in_view(corners_mm(DEALERS)) * 1.5, atol=3)
