"""`dealer-assist camera enrol`: a deck laid before a camera, and what watching makes of its file."""

import json
import signal
import stat
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.game.cards import DECK, Card
from hardware.camera import opencv
from hardware.camera.enrolment import ENOUGH, enrolled_from
from tests.cli.command import SCRIPT, dealer_assist
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards
from tests.hardware.camera.films import Stream, film, noisy, served

pytestmark = pytest.mark.timeout(180)

ROWS = (-255.0, -85.0, 85.0, 255.0)


def row(number: int) -> list[Lying]:
    """Seven cards of one suit, side by side."""
    cards = DECK[13 * number : 13 * number + 7]
    return [(card, (-285.0 + 95 * n, ROWS[number]), 0.0) for n, card in enumerate(cards)]


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("camera")
    page, out = folder / "page.png", folder / "camera.toml"
    page.write_bytes(opencv.encoded(noisy_page(), ".png"))
    assert dealer_assist("camera", "calibrate", "--source", page, "--out", out).status == 0
    return out


class Followed:
    """A running command, whose lines of JSON are read as they come. It is gone after its `with`."""

    def __init__(self, *arguments: object) -> None:
        command = [str(SCRIPT), *map(str, arguments), "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.rows: list[dict[str, Any]] = []

    def __enter__(self) -> "Followed":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def until(self, holds: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Reads on until it holds of the rows so far."""
        assert self.process.stdout is not None
        while not holds(self.rows):
            line = self.process.stdout.readline()
            assert line, self.rows
            self.rows.append(json.loads(line))

    def interrupted(self) -> int:
        """Ends it as Ctrl-C does; its exit status."""
        self.process.send_signal(signal.SIGINT)
        said, complained = self.process.communicate(timeout=30)
        assert complained == ""
        self.rows += map(json.loads, said.splitlines())
        return self.process.returncode


def measured(rows: list[dict[str, Any]]) -> list[Card]:
    return [Card(card) for row in rows if row["type"] == "Measured" for card in row["cards"]]


@pytest.fixture(scope="module")
def enrolled(calibration: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Followed]:
    """The file of a deck of which two rows were laid, one after the other, and the run that wrote it."""
    out, stream = tmp_path_factory.mktemp("deck") / "red.toml", Stream(rate=8)
    stream.scene = with_cards(felt(), row(0))
    with served(stream) as url:
        arguments = ("--source", url, "--calibration", calibration, "--deck", "demo-red", "--out", out)
        with Followed("camera", "enrol", *arguments) as run:
            run.until(lambda rows: len(measured(rows)) >= 5)
            stream.scene = with_cards(stream.scene, row(2))
            run.until(lambda rows: len(measured(rows)) >= 10)
            run.interrupted()
    return out, run


def test_a_deck_is_measured_card_by_card_and_told_as_it_goes(enrolled: tuple[Path, Followed]) -> None:
    told, steps = measured(enrolled[1].rows), [row for row in enrolled[1].rows if row["type"] == "Measured"]
    assert len(told) == len(set(told))
    assert set(told[:5]) <= set(DECK[:7])
    assert set(told) <= {*DECK[:7], *DECK[26:33]}
    assert {*told, *steps[-1]["missing"]} == set(DECK)


def test_the_decks_file_is_its_owners_alone_and_holds_what_was_measured(enrolled: tuple[Path, Followed]) -> None:
    path, ran = enrolled
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    deck = enrolled_from(tomllib.loads(path.read_text()))
    assert deck.deck == "demo-red"
    assert "secret" not in deck.source
    written = ran.rows[-1]
    assert written["type"] == "Written"
    measured = set(DECK) - set(written["missing"])
    assert measured <= {card for card, figures in deck.cards.items() if figures.read >= ENOUGH}


def test_cards_that_were_not_laid_are_left_unsure_and_nothing_is_lowered(enrolled: tuple[Path, Followed]) -> None:
    path, ran = enrolled
    assert ran.process.returncode == 1
    deck = enrolled_from(tomllib.loads(path.read_text()))
    assert set(deck.unsure) >= {*DECK[7:26], *DECK[33:]}
    assert (deck.ranks, deck.suits) == ({}, {})


def test_a_card_that_the_deck_leaves_unsure_is_watched_as_unsure(
    calibration: Path, enrolled: tuple[Path, Followed], tmp_path: Path
) -> None:
    never, *rest = (card for card in measured(enrolled[1].rows) if card in DECK[:7])
    file, stream = tmp_path / "red.toml", Stream(rate=8)
    file.write_text(enrolled[0].read_text().replace("unsure = [", f'unsure = [ "{never}",', 1))
    stream.scene = with_cards(felt(), row(0))
    with served(stream) as url:
        arguments = ("--source", url, "--calibration", calibration, "--enrolment", file)
        with Followed("camera", "watch", *arguments) as run:
            run.until(lambda rows: {r["card"] for r in rows if r["type"] == "CardSeen"} >= set(rest))
            run.until(lambda rows: any(never in r["candidates"] for r in rows if r["type"] == "CardUnsure"))
            assert run.interrupted() == 0
    seen = {row["card"] for row in run.rows if row["type"] == "CardSeen"}
    assert not seen & {never, *enrolled_from(tomllib.loads(enrolled[0].read_text())).unsure}


def test_a_tables_deck_in_play_brings_its_thresholds(calibration: Path, tmp_path: Path) -> None:
    (tmp_path / "camera.toml").write_bytes(calibration.read_bytes())
    (tmp_path / "red.toml").write_text('format = "camera-deck/1"\n')
    table = tmp_path / "table.toml"
    camera = '[camera]\nsource = 0\ncalibration = "camera.toml"\nenrolment = { demo-red = "red.toml" }\n'
    table.write_text(Path("config/tables/felt.toml").read_text("utf-8") + camera, "utf-8")
    dealer_assist("camera", "watch", "--table", table).refused(f"{tmp_path / 'red.toml'}: deck: expected a value")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Missing option '--deck'"),
        (["--deck", "red", "--out", "red.toml"], "--source, --calibration: expected both, or --table FILE"),
        (["--deck", "red", "--out", "README.md", "--source", "0"], "README.md: expected a new file"),
        (
            ["--deck", "red", "--out", "red.toml", "--source", "0", "--order", "As Kd"],
            "order: expected ace-down, ace-up",
        ),
    ],
)
def test_what_can_not_be_enrolled_is_told_in_one_line(arguments: list[str], told: str) -> None:
    dealer_assist("camera", "enrol", *arguments).refused(told)


def test_an_empty_felt_is_no_deck(calibration: Path, tmp_path: Path) -> None:
    empty = film(tmp_path / "empty.avi", (noisy(felt(), n) for n in range(12)))
    out = tmp_path / "red.toml"
    arguments = ("--source", empty, "--calibration", calibration, "--deck", "red", "--out", out)
    ran = dealer_assist("camera", "enrol", *arguments)
    assert ran.status == 2
    assert f"{empty}: expected the cards of a deck, found none" in ran.err
    assert not out.exists()
