"""A camera wired to a running table: started with it or not at all, as its only source, and what becomes of its pictures."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.application.ports import CameraPulse, Snap
from dealer_assist.application.service import Request
from dealer_assist.bootstrap import RunningTable
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.camera_events import CameraBack, CameraLost, EvidenceDropped
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.round import Phase, Round, Source
from dealer_assist.game.setup import CameraRole
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.profiles import read_toml
from dealer_assist.storage.sqlite_log import event_of
from dealer_assist.storage.tables import load_table
from hardware.camera.calibration import calibration_from, calibration_text
from hardware.camera.eye import Eye
from hardware.camera.marks import calibrated
from hardware.camera.recogniser import Recogniser
from hardware.camera.settings import source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.votes import USUAL, Thresholds
from hardware.camera.zones import default_zones
from tests.cli.command import dealer_assist
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards
from tests.hardware.camera.films import Stream, served
from tests.hardware.helpers import wait_until
from tests.storage.logs import seal_of, stored

pytestmark = pytest.mark.timeout(120)

WITHIN_S: Final = 40.0
TABLE: Final = """
id = "T7"
profile = "four-seat-fi"
procedure = "felt"
currency = "EUR"
chips = ["5.00", "25.00"]

[jackpot]
seed = "20000.00"

{readers}
[camera]
source = "{source}"
calibration = "{calibration}"
role = "{role}"
keep_days = 30
{more}
"""
READER: Final = '[[readers]]\nname = "shoe"\nurl = "/dev/null"\nprotocol = "line"\n'
DEALERS: Final = "Ad Kc 4h 3d 2d"


def plan(folder: Path, role: str, **fields: str) -> Path:
    """A table's file."""
    usual = {"source": "http://127.0.0.1:9/table", "calibration": "camera.toml", "readers": "", "more": ""}
    path = folder / "table.toml"
    path.write_text(TABLE.format(role=role, **usual | fields))
    return path


@pytest.fixture
def calibration(tmp_path: Path) -> Path:
    path = tmp_path / "camera.toml"
    path.write_text(calibration_text(calibrated(noisy_page(), default_zones(4), "drawn")))
    return path


@contextmanager
def running(path: Path, folder: Path) -> Iterator[RunningTable]:
    table = RunningTable(load_table(str(path)), DataFolder(folder))
    table.start()
    try:
        yield table
    finally:
        table.stop()


def logged(table: RunningTable, kind: type) -> list[object]:
    rows = [row for row in stored(table.folder.log) if row.kind == kind.__name__]
    return [event_of(row, seal_of(table.folder)) for row in rows]


def press(table: RunningTable, *commands: cmd.Command) -> None:
    """Keys of the dealer."""
    for command in commands:
        table.service.do(Request(command, "dealer"))


def round_of(table: RunningTable) -> Round:
    now = table.service.snapshot.table.round
    assert now is not None
    return now


def dealers(codes: str) -> list[Lying]:
    """Cards in a row before the dealer."""
    return [(card, (-160.0 + 80 * n, -232.0), 0.0) for n, card in enumerate(parse_cards(codes))]


def is_watching() -> bool:
    return any(thread.name in ("watcher", "lookout") for thread in threading.enumerate())


def test_open_cards_come_from_the_camera_alone_and_by_hand_where_it_is_lost(tmp_path: Path, calibration: Path) -> None:
    stream = Stream(rate=8)
    stream.scene = with_cards(felt(), [])
    with served(stream) as url, running(plan(tmp_path, "source", source=url), tmp_path / "data") as table:
        wait_until(lambda: bool(logged(table, CameraBack)), WITHIN_S)
        assert table.camera is not None
        assert table.camera.state.pulse is CameraPulse.live
        press(table, cmd.OpenRound(), cmd.PlaceBet(Seat(1), Bet.ante), cmd.LockBets(0), cmd.ConfirmCount(10))
        stream.scene = with_cards(felt(), dealers(DEALERS)[-1:])
        wait_until(lambda: round_of(table).draws[-1].source is Source.camera, WITHIN_S)
        press(table, cmd.CloseDecisions())
        stream.scene = with_cards(felt(), dealers(DEALERS))
        wait_until(lambda: round_of(table).known_hand(DEALER) is not None, WITHIN_S)
        assert set(round_of(table).known_hand(DEALER) or ()) == set(parse_cards(DEALERS))
        stream.break_off()
        wait_until(lambda: len(logged(table, CameraLost)) > 1, WITHIN_S)
        press(table, cmd.ConfirmDealerHand())
        hand = [cmd.EnterCard(Place(Seat(1), n), card) for n, card in enumerate(parse_cards("9s 9h 6d 5c 2s"))]
        press(table, *hand, cmd.SettleSeat(Seat(1)))
        assert round_of(table).phase is Phase.closed
    assert not is_watching()


def test_a_camera_without_a_part_is_not_started_and_nothing_of_it_is_loaded(tmp_path: Path) -> None:
    path = plan(tmp_path, "off", calibration="not there.toml")
    with running(path, tmp_path / "data") as table:
        assert table.camera is None
        assert table.service.snapshot.table.setup.camera is CameraRole.off
        assert not is_watching()
        press(table, cmd.ReportCameraBack())
    with running(path, tmp_path / "data") as table:
        assert not table.service.snapshot.table.camera.is_live
    code = "import dealer_assist.cli.serve, sys; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_cards_are_read_as_those_of_the_deck_in_play(calibration: Path) -> None:
    recogniser, enrolled = Recogniser(), Thresholds(unsure=parse_cards("As"))
    camera = Camera(SourceSettings(source=source_of(0)))
    eye = Eye(camera, calibration_from(read_toml(calibration)), recogniser, {"red": enrolled})
    eye.put_into_play("red")
    assert recogniser.thresholds is enrolled
    for other in ("blue", None):
        eye.put_into_play(other)
        assert recogniser.thresholds is USUAL


@pytest.mark.parametrize("role", ["off", "cross-check"])
def test_pictures_that_were_kept_long_enough_are_named_in_the_log_and_removed(
    tmp_path: Path, calibration: Path, role: str
) -> None:
    store, now = EvidenceStore(DataFolder(tmp_path / "data").evidence), datetime.now(UTC)
    [old] = store.keep((Snap(b"old"),), now - timedelta(days=31))
    [new] = store.keep((Snap(b"new"),), now - timedelta(days=29))
    with running(plan(tmp_path, role), tmp_path / "data") as table:
        wait_until(lambda: store.read(old.name) is None)
        assert logged(table, EvidenceDropped) == [EvidenceDropped((old.name,))]
        assert table.camera_history.report().dropped == {old.name}
        assert table.camera_history.evidence(new.name) == b"new"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"role": "watch"}, 'table.toml: camera.role: expected "off", "cross-check", "source", found "watch"'),
        ({"role": "source", "readers": READER}, 'camera.role: expected "source" at a table without readers, found 1'),
        ({"role": "source", "calibration": "none.toml"}, "none.toml: expected a readable file"),
        ({"role": "source", "more": 'enrolment = { red = "none.toml" }'}, "none.toml: expected a readable file"),
        ({"role": "source", "source": "ftp://felt"}, "camera: source: expected a URL that begins with rtsp"),
    ],
)
def test_a_camera_that_can_not_be_used_is_told_in_one_line(
    tmp_path: Path, calibration: Path, fields: dict[str, str], told: str
) -> None:
    dealer_assist("serve", "--table", plan(tmp_path, **fields), "--data", tmp_path / "data").refused(told)
