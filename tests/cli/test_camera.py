"""`dealer-assist camera`: the page, a calibration, and what a camera sees, from pictures, films and a stream."""

import signal
import stat
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

from dealer_assist.game.cards import Card
from dealer_assist.game.settings import shaped
from dealer_assist.game.setup import CameraRole
from dealer_assist.storage.tables import load_table
from hardware.camera import opencv
from hardware.camera.calibration import calibration_from
from hardware.camera.settings import CameraSettings
from tests.cli.command import SCRIPT, dealer_assist
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards, with_page
from tests.hardware.camera.films import Stream, film, noisy, served

pytestmark = pytest.mark.timeout(90)

LYING: list[Lying] = [(Card("As"), (-160.0, -232.0), 0.0), (Card("7h"), (0.0, -231.0), 0.0)]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of the page on the felt."""
    path = tmp_path_factory.mktemp("page") / "page.png"
    path.write_bytes(opencv.encoded(noisy_page(), ".png"))
    return path


@pytest.fixture(scope="module")
def calibration(page: Path) -> Path:
    """A calibration's file."""
    out = page.with_name("camera.toml")
    assert dealer_assist("camera", "calibrate", "--source", page, "--out", out).status == 0
    return out


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film: cards are laid down on an empty felt."""
    empty, cards = felt(), with_cards(felt(), LYING)
    pictures = (noisy(empty if n < 10 else cards, n) for n in range(45))
    return film(tmp_path_factory.mktemp("film") / "dealt.avi", pictures, rate=10)


# --- calibrate ---


def test_the_page_is_written_as_a_pdf_of_two_pages(tmp_path: Path) -> None:
    ran = dealer_assist("camera", "calibrate", "--sheet", tmp_path / "page.pdf")
    assert (ran.status, ran.err) == (0, "")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    dealer_assist("camera", "calibrate", "--sheet", tmp_path / "page.pdf").refused("a new file", "--force")
    assert dealer_assist("camera", "calibrate", "--sheet", tmp_path / "page.pdf", "--force").status == 0


def test_a_picture_of_the_page_becomes_a_calibration_and_a_picture_to_look_at(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "camera.toml"
    ran = dealer_assist("camera", "calibrate", "--source", page, "--out", out, "--json")
    assert ran.status == 0
    [told] = ran.rows
    assert told["size"] == [1280, 720]
    assert told["seats"] == [0, 1, 2, 3, 4]
    assert told["off_px"] < 1.5
    assert told["reads_well"] is False
    assert calibration_from(tomllib.loads(out.read_text())).size == (1280, 720)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    shown = opencv.read_image(tmp_path / "camera.png")
    assert shown is not None
    assert shown.shape == (720, 1280, 3)
    dealer_assist("camera", "calibrate", "--source", page, "--out", out).refused(str(out), "a new file", "--force")


def test_a_stream_is_calibrated_once_the_page_lies_there(tmp_path: Path) -> None:
    stream = Stream(rate=5)
    stream.scene = with_page(felt(), without=(1,))
    with served(stream) as url:
        out = tmp_path / "camera.toml"
        arguments: list[str | Path] = [SCRIPT, "camera", "calibrate", "--source", url, "--out", out, "--seconds", "60"]
        running = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(4)
        assert not out.exists()
        stream.scene = with_page(felt())
        said, complained = running.communicate(timeout=60)
        assert running.returncode == 0, complained
        assert "pictures of 1280×720" in said
        assert "secret" not in out.read_text()


def test_a_page_that_is_not_whole_is_refused_with_what_is_missing(tmp_path: Path) -> None:
    picture = tmp_path / "page.png"
    picture.write_bytes(opencv.encoded(with_page(felt(), without=(3,)), ".png"))
    out = tmp_path / "camera.toml"
    ran = dealer_assist("camera", "calibrate", "--source", picture, "--out", out)
    ran.refused(f"{picture}: expected the four marks of the A4 page, found 3; missing: far left")
    assert list(tmp_path.iterdir()) == [picture]


def test_zones_are_changed_by_a_file(page: Path, tmp_path: Path) -> None:
    printed = dealer_assist("camera", "zones", "--seats", "2")
    assert printed.status == 0
    zones = tmp_path / "zones.toml"
    zones.write_text(printed.out.replace("seat = 2", "seat = 4"))
    out = tmp_path / "camera.toml"
    ran = dealer_assist("camera", "calibrate", "--source", page, "--out", out, "--zones", zones, "--json")
    assert ran.rows[0]["seats"] == [0, 1, 4]
    zones.write_text(printed.out.replace("seat = 2", "seat = 9"))
    ran = dealer_assist("camera", "calibrate", "--source", page, "--out", out, "--zones", zones, "--force")
    ran.refused(f"{zones}: zones[2].seat: expected 1 to 4, or 0 for the dealer's place, found 9")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--sheet, --source: expected one of them, found neither"),
        (["--sheet", "a.pdf", "--source", "0"], "found both"),
        (["--source", "0"], "--out: expected the calibration's file, found none"),
        (["--source", "nowhere.avi", "--out", "a.toml"], "nowhere.avi, which is not there"),
        (["--source", "97", "--out", "a.toml", "--seconds", "3"], "camera 97 is not there: plug it in"),
        (["--source", "0", "--out", "a.toml", "--size", "big"], "expected a width and a height like 1920x1080"),
        (["--source", "ftp://x", "--out", "a.toml"], "source: expected a URL that begins with rtsp"),
    ],
)
def test_what_can_not_be_calibrated_is_told_in_one_line(arguments: list[str], told: str) -> None:
    dealer_assist("camera", "calibrate", *arguments).refused(told)


# --- watch ---


def test_a_film_is_watched_to_its_end(dealt: Path, calibration: Path) -> None:
    ran = dealer_assist("camera", "watch", "--source", dealt, "--calibration", calibration, "--json")
    assert (ran.status, ran.err) == (0, "")
    seen = [(row["place"], row["card"]) for row in ran.rows if row["type"] == "CardSeen"]
    assert sorted(seen) == [(0, "7h"), (0, "As")]
    assert all(row["frames"] >= 3 for row in ran.rows if row["type"] == "CardSeen")
    assert [row["type"] for row in ran.rows if row["type"] in ("Live", "Lost")][-2:] == ["Live", "Lost"]
    assert ran.rows[-1]["reason"] == "the video has been played to its end"


def test_watching_ends_on_an_interrupt_and_says_what_it_saw_in_words(dealt: Path, calibration: Path) -> None:
    arguments: list[str | Path] = [SCRIPT, "camera", "watch", "--source", dealt, "--calibration", calibration, "--loop"]
    running = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout is not None
    lines: list[str] = []
    while not any("dealer   As" in line for line in lines):
        lines.append(running.stdout.readline())
        assert lines[-1], lines
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, complained = running.communicate(timeout=20)
    assert time.monotonic() - began < 6
    assert (running.returncode, complained) == (0, "")
    assert any("camera   live" in line for line in lines)


def test_pictures_of_another_size_are_refused_by_name(tmp_path: Path, calibration: Path) -> None:
    small = film(tmp_path / "small.avi", (noisy(opencv.resize(felt(), 640, 360), n) for n in range(40)))
    ran = dealer_assist("camera", "watch", "--source", small, "--calibration", calibration)
    assert ran.status == 2
    assert f"{small} gives pictures of 640×360, expected 1280×720, as it was calibrated for" in ran.err
    assert "Traceback" not in ran.err


def test_a_camera_that_never_comes_is_a_fault(calibration: Path) -> None:
    ran = dealer_assist("camera", "watch", "--source", 97, "--calibration", calibration, "--seconds", 4, "--json")
    assert ran.status == 1
    assert ran.rows[-1]["type"] == "Lost"
    assert "camera 97 is not there" in ran.rows[-1]["reason"]


def test_a_calibration_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "camera.toml"
    for text, told in (("format = 3", 'format: expected "camera/1", found 3'), ("x", "expected TOML")):
        file.write_text(text)
        dealer_assist("camera", "watch", "--source", 0, "--calibration", file).refused(str(file), told)
    dealer_assist("camera", "watch", "--source", 0).refused("--source, --calibration: expected both, or --table FILE")


# --- the table's file ---


def table(folder: Path, camera: str) -> Path:
    path = folder / "table.toml"
    path.write_text(Path("config/tables/felt.toml").read_text("utf-8") + camera, "utf-8")
    return path


def test_a_tables_camera_is_watched_with_paths_seen_from_its_file(
    dealt: Path, calibration: Path, tmp_path: Path
) -> None:
    (tmp_path / "camera.toml").write_bytes(calibration.read_bytes())
    (tmp_path / "dealt.avi").symlink_to(dealt)
    file = table(tmp_path, '[camera]\nsource = "dealt.avi"\ncalibration = "camera.toml"\nrole = "cross-check"\n')
    ran = dealer_assist("camera", "watch", "--table", file, "--json")
    assert ran.status == 0
    assert {row["card"] for row in ran.rows if row["type"] == "CardSeen"} == {"As", "7h"}


def test_a_table_has_no_camera_unless_its_file_names_one(tmp_path: Path) -> None:
    assert load_table(str(table(tmp_path, ""))).camera is None
    raw = load_table(str(table(tmp_path, '[camera]\nsource = 0\ncalibration = "c.toml"\n'))).camera
    assert raw is not None
    assert shaped(raw, CameraSettings) == CameraSettings(source=0, calibration="c.toml", role=CameraRole.off)


@pytest.mark.parametrize(
    ("camera", "told"),
    [
        ("", "expected a table with a [camera], found none"),
        ("[camera]\nsource = 0\n", "camera.calibration: expected a value, found none"),
        (
            '[camera]\nsource = 0\ncalibration = "c"\nrole = "on"\n',
            'camera.role: expected "off", "cross-check", "source"',
        ),
        ('[camera]\nsource = "ftp://x"\ncalibration = "c"\n', "source: expected a URL that begins with"),
        ('[camera]\nsource = 0\ncalibration = "c"\nrate = 9\n', "camera.rate: unknown; is it a typo?"),
    ],
)
def test_a_tables_camera_that_can_not_be_is_refused_with_the_place(tmp_path: Path, camera: str, told: str) -> None:
    dealer_assist("camera", "watch", "--table", table(tmp_path, camera)).refused("table.toml", told)
