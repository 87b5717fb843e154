"""A served table with a camera over it: what is logged of what it sees, what is kept, and what a killed process finds again."""

import hashlib
import json
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.storage.codec import encode_event
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import event_of, open_to_read, rows
from hardware.camera import opencv
from hardware.camera.calibration import calibration_text
from hardware.camera.marks import calibrated
from hardware.camera.zones import default_zones
from tests.cli.command import dealer_assist
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards
from tests.hardware.camera.films import Stream, served
from tests.served import Client, ServedTable

pytestmark = pytest.mark.timeout(180)

DEALERS: Final = "Ad Kc 4h 3d 2d"
FIRST: Final = "9s 9h 6d 5c 2s"
DEALT: Final = [card for two in zip(FIRST.split(), DEALERS.split(), strict=True) for card in two]
SHOWN_EARLY: Final = "9h"  # a card of seat 1 that shows before its hand is turned
WITHIN_S: Final = 60.0


class Felt:
    """What lies on the felt before a camera that a drawn film is."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.lies("")

    def lies(self, dealers: str, at_seat_1: str = "") -> None:
        """Cards lie open in a row before the dealer, and one at seat 1."""
        row: list[Lying] = [(card, (-160.0 + 80 * n, -232.0), 0.0) for n, card in enumerate(parse_cards(dealers))]
        single: list[Lying] = [(Card(code), (-480.0, 140.0), -31.0) for code in at_seat_1.split()]
        self.stream.scene = with_cards(felt(), [*row, *single])


class WatchedTable:
    """A served table, a dealer's client, and what is in its log."""

    def __init__(self, served_table: ServedTable) -> None:
        self.served = served_table
        self.folder = DataFolder(served_table.data)
        self.sign_in()

    def sign_in(self) -> None:
        """Sign in at the process that runs now, and follow its stream."""
        self.client: Client = self.served.client()
        self.client.listen()
        self.until(lambda: "next" in self.client.heard)

    def until(self, holds: Callable[[], bool]) -> None:
        """Wait until it holds."""
        end = time.monotonic() + WITHIN_S
        while not holds():
            assert time.monotonic() < end, self.client.heard
            time.sleep(0.03)

    def until_at(self, version: int) -> None:
        """Wait until the stream has told of a sequence."""
        self.until(lambda: self.client.heard["seq"] >= version)

    def press(self, kind: str, **fields: object) -> tuple[int, dict[str, Any]]:
        """A key, for the state last heard; again where the table had moved on."""
        while True:
            status, answer = self.client.press({"type": kind, **fields})
            if "seq" in answer:
                self.until_at(answer["seq"])
            if status != 409:
                return status, answer

    @property
    def shown(self) -> str:
        """All that the dealer screen was told last."""
        return json.dumps(self.client.heard)

    def until_drawn(self, count: int) -> None:
        """Wait until so many cards are out."""
        self.until(lambda: self.client.heard["count"]["drawn"] == count)

    def to_the_reveal(self) -> None:
        """A round dealt over the reader, up to the dealer's open hand; a card of seat 1 shows all the while."""
        self.press("OpenRound")
        self.press("PlaceBet", seat=1, bet="ante", amount=1000)
        self.press("LockBets", jackpot_chips=0)
        for n, code in enumerate(DEALT, 1):
            self.served.shoe.present(Card(code), "demo-red")
            self.until_drawn(n)
        self.press("CloseDecisions")

    def logged(self, kind: str) -> list[dict[str, Any]]:
        """The events of a kind, as JSON, with who gave them."""
        connection = open_to_read(self.folder.log)
        try:
            seal = Seal(self.folder.key("seal"))
            found = [(row.actor, event_of(row, seal)) for row in rows(connection) if row.kind == kind]
        finally:
            connection.close()
        return [{"actor": actor, **json.loads(encode_event(event))} for actor, event in found]


@pytest.fixture
def on_the_felt() -> Felt:
    return Felt(Stream(rate=6))


@pytest.fixture
def table(tmp_path: Path, on_the_felt: Felt) -> Iterator[WatchedTable]:
    calibration = tmp_path / "camera.toml"
    calibration.write_text(calibration_text(calibrated(noisy_page(), default_zones(4), "drawn")))
    with served(on_the_felt.stream) as url:
        camera = f'\n[camera]\nsource = "{url}"\ncalibration = "{calibration}"\nrole = "cross-check"\n'
        with ServedTable(tmp_path / "table", more=camera) as served_table:
            served_table.set_pins()
            yield WatchedTable(served_table)


def test_a_table_killed_in_a_dispute_comes_back_held_and_goes_on_when_it_is_decided(
    table: WatchedTable, on_the_felt: Felt, tmp_path: Path
) -> None:
    table.until(lambda: bool(table.logged("CameraBack")))
    on_the_felt.lies("", SHOWN_EARLY)
    table.to_the_reveal()
    on_the_felt.lies("Ad Kc 4h 3d 7h", SHOWN_EARLY)
    table.until(lambda: bool(table.logged("HandDisputed")))
    [disputed] = table.logged("HandDisputed")
    assert (disputed["actor"], disputed["holder"]) == ("camera", 0)
    assert sorted(disputed["recorded"]) == sorted(DEALERS.split())
    assert "7h" in disputed["seen"]
    its_pictures_are_what_the_log_says(table, disputed["pictures"])
    assert table.press("ConfirmDealerHand")[1]["refusal"] == "dispute_open"
    assert "7h" in table.shown
    assert SHOWN_EARLY not in table.shown

    table.served.kill()
    table.served.restart()
    table.sign_in()
    assert table.press("ConfirmDealerHand")[1]["refusal"] == "dispute_open"
    assert table.client.heard["next"]["step"] == "compare"
    assert SHOWN_EARLY not in table.shown
    assert table.press("CorrectCard", place={"holder": 0, "slot": 4}, card="7h", reason="")[0] == 200
    table.until(lambda: bool(table.logged("HandCompared")))
    assert len(table.logged("HandDisputed")) == 1
    assert table.press("ConfirmDealerHand")[0] == 200
    no_card_that_lay_face_down_came_from_the_camera(table)
    assert table.press("SettleSeat", seat=1)[0] == 200
    assert table.client.heard["phase"] == "closed"
    what_is_reported(table.folder, disputed["pictures"][0]["name"])


def its_pictures_are_what_the_log_says(table: WatchedTable, pictures: list[dict[str, Any]]) -> None:
    assert [picture.get("card") for picture in pictures] == [None, "7h"]
    for picture in pictures:
        path = table.folder.evidence / picture["name"]
        assert hashlib.sha256(path.read_bytes()).hexdigest() == picture["sha256"]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    whole, cut = (opencv.read_image(table.folder.evidence / picture["name"]) for picture in pictures)
    assert whole is not None
    assert cut is not None
    assert whole.shape == (720, 1280, 3)
    assert max(cut.shape) < 250, "cut out around the card"


def no_card_that_lay_face_down_came_from_the_camera(table: WatchedTable) -> None:
    """The card of seat 1 that showed all the while is nowhere but where the reader put it."""
    told = [each for kind in ("HandDisputed", "HandCompared", "CandidatesSeen") for each in table.logged(kind)]
    assert told
    assert not any(SHOWN_EARLY in json.dumps(each) for each in told)


def what_is_reported(folder: DataFolder, picture: str) -> None:
    verdict = dealer_assist("verify", folder.path)
    assert (verdict.status, verdict.out[:6]) == (0, "holds:")
    reported = dealer_assist("report", "camera", folder.path, "--json")
    report = json.loads(reported.out)
    assert reported.status == 1
    [dispute] = report["disputes"]
    assert (dispute["ending"], dispute["decided_by"], dispute["holder"]) == ("corrected", "dealer", 0)
    tallies = {each["card"]: each for each in report["cards"]}
    assert (tallies["7h"]["deck"], tallies["7h"]["agreed"], tallies["9h"]["unseen"]) == ("demo-red", 1, 1)
    plain = dealer_assist("report", "camera", folder.path)
    assert "hands compared: 2, disputes: 1" in plain.out
    assert "the record was corrected by dealer" in plain.out
    (folder.evidence / picture).unlink()
    broken = dealer_assist("verify", folder.path)
    assert broken.status == 1
    assert f"its picture {picture} is missing" in broken.out
