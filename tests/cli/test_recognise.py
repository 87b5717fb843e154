"""`dealer-assist recognise`: pictures in, one answer a picture out."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dealer_assist.cli import main
from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.opencv import points
from hardware.camera.training.photographs import placed
from tests.hardware.camera.tables import dealt

Run = Callable[..., tuple[int, list[dict[str, Any]], str]]


@pytest.fixture
def recognise(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command; gives exit status, the answers, and standard error."""

    def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]], str]:
        monkeypatch.setattr(sys, "argv", ["dealer-assist", "recognise", *map(str, arguments), "--json"])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), [json.loads(line) for line in out.splitlines()], err

    return run


def picture(*cards: str) -> opencv.Image:
    image = np.full((720, 1280, 3), (60, 90, 30), np.uint8)
    for n, card in enumerate(cards):
        corners = placed(380, 1.4, 0.2 * n, np.zeros((4, 2))) + np.array([330 + 600 * n, 360])
        dealt(image, "park", Card(card), points(corners))
    return image


def test_a_picture_gives_its_cards_with_their_corners(recognise: Run, tmp_path: Path) -> None:
    file = tmp_path / "two.png"
    file.write_bytes(opencv.encoded(picture("7h", "As"), ".png"))
    status, (answer,), _ = recognise(file)
    assert status == 0
    assert set(answer) == {"file", "cards", "unsure", "ms"}
    assert answer["file"] == str(file)
    assert sorted(c["card"] for c in answer["cards"]) == ["7h", "As"]
    assert all(np.array(c["corners"]).shape == (4, 2) and 0 < c["confidence"] <= 1 for c in answer["cards"])


def test_a_folder_is_read_in_the_order_of_its_names(recognise: Run, tmp_path: Path) -> None:
    for name in ("b.jpg", "a.png", "c.PNG"):
        (tmp_path / name).write_bytes(opencv.encoded(picture(), Path(name.lower()).suffix))
    (tmp_path / "notes.txt").write_text("no picture")
    status, answers, _ = recognise(tmp_path)
    assert status == 0
    assert [Path(a["file"]).name for a in answers] == ["a.png", "b.jpg", "c.PNG"]


def test_a_video_gives_one_line_a_frame(recognise: Run, tmp_path: Path) -> None:
    file = tmp_path / "deal.mjpeg"
    file.write_bytes(b"".join(opencv.encoded(picture(*cards), ".jpg") for cards in ([], ["7h"], ["7h"])))
    status, answers, _ = recognise(file)
    assert status == 0
    assert [a["frame"] for a in answers] == [0, 1, 2]
    assert [[c["card"] for c in a["cards"]] for a in answers] == [[], ["7h"], ["7h"]]


def test_a_file_that_is_no_picture_is_told_and_the_rest_is_read(recognise: Run, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"not a picture")
    (tmp_path / "b.png").write_bytes(opencv.encoded(picture(), ".png"))
    status, answers, err = recognise(tmp_path)
    assert status == 1
    assert len(answers) == 1
    assert err.splitlines() == [f"dealer-assist: {tmp_path / 'a.jpg'}: expected a picture, found none in it"]


@pytest.mark.parametrize("name", ["missing.jpg", "missing.mp4", "empty.jpg", "text.txt", "folder"])
def test_where_nothing_can_be_read_one_line_says_so(recognise: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.jpg").write_bytes(b"")
    (tmp_path / "text.txt").write_text("no picture")
    (tmp_path / "folder").mkdir()
    status, answers, err = recognise(tmp_path / name)
    assert (status, answers) == (2, [])
    assert len(err.splitlines()) == 1
    assert name in err
