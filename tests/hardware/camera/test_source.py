"""A camera's pictures: from real files, a real stream and real processes, which stall, freeze, break, hang and die."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.setup import CameraRole
from hardware.camera.pulse import CameraState, Frozen, Limits, Live, Lost, Pulse
from hardware.camera.settings import CameraSettings, source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.reader.errors import BadSettings
from tests.hardware.camera.films import Stream, film, noisy, plain, served
from tests.hardware.helpers import wait_until

pytestmark = pytest.mark.timeout(60)

TOLD_WITHIN_S = 2.0
USUAL = Limits()
START_WITHIN_S = 20.0  # a new process on a loaded machine


@contextmanager
def running(
    source: str | int,
    *,
    limits: Limits = USUAL,
    size: tuple[int, int] | None = None,
    rate: float = 10.0,
    loop: bool = False,
) -> Iterator[Camera]:
    camera = Camera(SourceSettings(source=source_of(source), limits=limits, size=size, rate=rate, loop=loop))
    camera.start()
    try:
        yield camera
    finally:
        began = time.monotonic()
        camera.stop()
        assert time.monotonic() - began < 2


@pytest.fixture
def stream() -> Stream:
    return Stream()


@pytest.fixture
def url(stream: Stream) -> Iterator[str]:
    with served(stream) as url:
        yield url


def comes_to(camera: Camera, kind: type[CameraState], within_s: float = START_WITHIN_S) -> CameraState:
    wait_until(lambda: isinstance(camera.state, kind), within_s)
    return camera.state


def children() -> set[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


def test_every_picture_of_a_stream_is_new_and_fresh(url: str) -> None:
    with running(url) as camera:
        comes_to(camera, Live)
        number = 0
        for _ in range(8):
            frame = camera.newest(number, 2)
            assert frame is not None
            assert frame.number > number
            assert frame.picture.shape == (240, 320, 3)
            assert 0 <= frame.age(time.monotonic()) < 0.7
            number = frame.number


def test_who_comes_late_gets_the_newest_picture_and_no_queue(url: str) -> None:
    with running(url) as camera:
        comes_to(camera, Live)
        first = camera.newest()
        time.sleep(1)
        later = camera.newest()
        assert first is not None
        assert later is not None
        assert later.number - first.number >= 4
        assert later.age(time.monotonic()) < 0.5
        assert camera.newest(later.number) is None


def test_a_stream_that_stalls_is_lost_within_2_s_and_comes_back(url: str, stream: Stream) -> None:
    with running(url) as camera:
        comes_to(camera, Live)
        stream.stall()
        lost = comes_to(camera, Lost, TOLD_WITHIN_S)
        assert lost == Lost(f"{camera.settings.source.name} sends no pictures: check its plug, power and network")
        assert camera.newest() is None
        stream.mend()
        comes_to(camera, Live)


def test_no_old_picture_is_given_even_before_the_loss_is_told(url: str, stream: Stream) -> None:
    with running(url, limits=Limits(lost_after_s=30, frozen_after_s=30)) as camera:
        comes_to(camera, Live)
        stream.stall()
        time.sleep(1)
        assert camera.state == Live()
        assert camera.newest() is None


def test_a_camera_that_repeats_its_last_picture_is_frozen_within_2_s_and_nothing_is_read_of_it(
    url: str, stream: Stream
) -> None:
    with running(url) as camera:
        comes_to(camera, Live)
        stream.freeze()
        time.sleep(0.3)
        newest = camera.newest()
        number = 0 if newest is None else newest.number
        comes_to(camera, Frozen, TOLD_WITHIN_S - 0.3)
        assert camera.newest() is None
        opened = stream.opened
        wait_until(lambda: stream.opened > opened, 10)  # it is begun anew
        time.sleep(1)
        assert isinstance(camera.state, Frozen)  # the same picture after that is no news either
        stream.mend()
        comes_to(camera, Live)
        newest = camera.newest(0, 2)
        assert newest is not None
        assert number < newest.number <= number + 6  # repeated pictures were never given a number


def test_a_stream_that_breaks_off_is_lost_at_once_tried_again_and_comes_back(url: str, stream: Stream) -> None:
    with running(url) as camera:
        comes_to(camera, Live)
        stream.break_off()
        comes_to(camera, Lost, TOLD_WITHIN_S)
        wait_until(lambda: "does not answer" in getattr(camera.state, "reason", ""), 10)
        stream.mend()
        comes_to(camera, Live)


def test_no_reason_tells_the_password_in_a_url(stream: Stream) -> None:
    with served(stream) as url, running(url) as camera:
        comes_to(camera, Live)
        stream.stall()
        lost = comes_to(camera, Lost, TOLD_WITHIN_S)
        assert isinstance(lost, Lost)
        assert "secret" not in lost.reason
        assert not any(
            b"secret" in Path(f"/proc/{pid}/cmdline").read_bytes()
            for pid in children()
            if Path(f"/proc/{pid}").exists()
        )


def test_a_read_that_hangs_for_ever_blocks_nobody(url: str) -> None:
    before = children()
    with running(url) as camera:
        comes_to(camera, Live)
        [hung] = children() - before
        os.kill(hung, signal.SIGSTOP)  # as a driver that never returns
        comes_to(camera, Lost, TOLD_WITHIN_S)
        wait_until(lambda: not Path(f"/proc/{hung}").exists())
        comes_to(camera, Live)
        [again] = children() - before
        os.kill(again, signal.SIGSTOP)
    wait_until(lambda: children() <= before)


def test_a_process_that_dies_is_told_and_replaced(url: str) -> None:
    before = children()
    with running(url) as camera:
        comes_to(camera, Live)
        [pid] = children() - before
        os.kill(pid, signal.SIGKILL)
        lost = comes_to(camera, Lost, TOLD_WITHIN_S)
        assert isinstance(lost, Lost)
        assert "ended (-9)" in lost.reason
        comes_to(camera, Live)


def test_the_process_ends_with_the_table_that_started_it(url: str) -> None:
    program = (
        "import sys, time\n"
        "from hardware.camera.settings import source_of\n"
        "from hardware.camera.source import Camera, SourceSettings\n"
        "from hardware.camera.pulse import Live\n"
        "camera = Camera(SourceSettings(source=source_of(sys.argv[1])))\n"
        "camera.start()\n"
        "while not isinstance(camera.state, Live): time.sleep(0.05)\n"
        "print('live', flush=True)\n"
        "time.sleep(60)\n"
    )
    table = subprocess.Popen([sys.executable, "-c", program, url], stdout=subprocess.PIPE)
    assert table.stdout is not None
    while table.stdout.readline() not in (b"live\n", b""):  # lines of its log come before
        pass
    taking = {
        int(pid) for task in Path(f"/proc/{table.pid}/task").glob("*/children") for pid in task.read_text().split()
    }
    assert taking
    table.kill()
    table.wait()
    table.stdout.close()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in taking))


def test_an_address_that_takes_calls_and_says_nothing_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/x.mjpg"
        with running(url, limits=Limits(open_within_s=1.5)) as camera:
            wait_until(lambda: "sends no pictures" in getattr(camera.state, "reason", ""), 10)
            assert camera.newest() is None


def test_a_file_is_played_at_its_own_rate_to_its_end(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi", (noisy(plain(), n) for n in range(40)), rate=20)
    with running(str(path), rate=100.0) as camera:
        stamps: list[float] = []
        number = 0
        while camera.ended is None:
            frame = camera.newest(number, 0.2)
            if frame is not None:
                number = frame.number
                stamps.append(frame.at)
        assert camera.played_to_its_end
        assert camera.state == Lost("the video has been played to its end")
        assert camera.newest() is None
        assert 1.5 < stamps[-1] - stamps[0] < 2.5  # 39 pictures, but the first tells nothing
        assert all(one < two for one, two in pairwise(stamps))


def test_a_file_may_begin_again_however_short_it_is(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi", (noisy(plain(), n) for n in range(4)), rate=20)
    with running(str(path), loop=True) as camera:
        comes_to(camera, Live)
        time.sleep(2.5)
        assert camera.state == Live()
        assert camera.ended is None


def test_a_still_picture_is_no_camera(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi", [plain()] * 60, rate=20)
    with running(str(path)) as camera:
        comes_to(camera, Frozen)
        assert camera.newest() is None


def test_pictures_of_another_size_than_calibrated_are_refused_by_name(tmp_path: Path) -> None:
    path = film(tmp_path / "film.avi", (noisy(plain(), n) for n in range(40)))
    with running(str(path), size=(640, 480)) as camera:
        wait_until(lambda: camera.ended is not None, START_WITHIN_S)
        assert camera.ended == f"{path} gives pictures of 320×240, expected 640×480, as it was calibrated for"
        assert not camera.played_to_its_end


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (97, "camera 97 is not there: plug it in"),
        ("nowhere.avi", "nowhere.avi is not there, or holds no video"),
        ("http://127.0.0.1:9/x", "http://127.0.0.1:9/x does not answer"),
    ],
)
def test_what_does_not_open_is_told_with_what_to_do(source: str | int, reason: str) -> None:
    with running(source) as camera:
        wait_until(lambda: getattr(camera.state, "reason", "").startswith(reason), START_WITHIN_S)


def test_a_table_without_a_camera_never_loads_opencv() -> None:
    program = (
        "import sys\n"
        "import dealer_assist.bootstrap, dealer_assist.cli, dealer_assist.storage.tables\n"
        "import hardware.camera.source, hardware.camera.settings\n"
        "import hardware.camera.zones, hardware.camera.calibration, hardware.camera.gating, hardware.camera.voting\n"
        "sys.exit('cv2' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# --- settings ---


def test_a_source_is_a_device_a_file_or_a_url() -> None:
    assert source_of(2).where == source_of("2").where == source_of("/dev/video2").where == 2
    assert source_of("table.avi").is_file
    assert not source_of("rtsp://10.0.0.7/1").is_file
    assert source_of("rtsp://user:pw@10.0.0.7:554/1?token=x").name == "rtsp://10.0.0.7:554/1"


@pytest.mark.parametrize("source", [-1, 1000, "ftp://x/y", "gopher://x"])
def test_a_source_that_no_camera_can_have_is_refused(source: str | int) -> None:
    with pytest.raises(BadSettings, match="source: expected"):
        CameraSettings(source=source, calibration="camera.toml")


def test_a_camera_plays_no_part_unless_it_is_told_to() -> None:
    assert CameraSettings(source=0, calibration="camera.toml").role is CameraRole.off


# --- the pulse, without a camera ---

SEEN = st.lists(st.tuples(st.floats(0, 0.5), st.integers(0, 12)), max_size=60)


@given(SEEN)
def test_a_picture_like_a_recent_one_or_without_one_before_it_is_never_news(seen: list[tuple[float, int]]) -> None:
    pulse, now = Pulse(Limits(), 0.0), 0.0
    shown: list[int] = []
    for gap, checksum in seen:
        now += gap
        news = pulse.is_news(checksum, now)
        if not shown or checksum == shown[-1]:
            assert not news
        if checksum not in shown and shown:
            assert news
        shown.append(checksum)


@given(st.integers(1, 8), st.floats(0.02, 0.5))
def test_a_driver_that_goes_round_its_few_pictures_is_frozen_in_time(pictures: int, gap: float) -> None:
    pulse, now, told_at = Pulse(Limits(), 0.0), 0.0, None
    last_news = 0.0
    for n in range(400):
        now += gap
        if pulse.is_news(n % pictures, now) or n == 0:
            last_news = now
        if pulse.frozen_for(now) > 0:
            told_at = now
            break
    assert told_at is not None
    assert 1.2 < told_at - last_news <= 1.2 + gap + 1e-6


def test_a_connection_has_longer_for_its_first_picture_than_for_the_next() -> None:
    pulse = Pulse(Limits(open_within_s=10, lost_after_s=1.2), 100.0)
    assert not pulse.is_silent(109.9)
    assert pulse.is_silent(110.0)
    pulse.is_news(1, 109.0)
    assert not pulse.is_silent(110.1)
    assert pulse.is_silent(110.2)
    assert not pulse.lived
    pulse.is_news(2, 110.1)
    assert pulse.lived
