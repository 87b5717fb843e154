"""A whole table with a camera over it: the shoe, the server, a film of the felt, its recogniser, and two people's screens."""

import json
import math
import os
import re
import signal
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dealer_assist.game.cards import parse_cards
from hardware.camera.calibration import calibration_text
from hardware.camera.marks import calibrated
from hardware.camera.zones import default_zones
from tests.browser.at_the_table import DealerScreen
from tests.browser.screens import type_pin
from tests.hardware.camera.felts import Lying, felt, noisy_page, with_cards
from tests.hardware.camera.films import film, shots
from tests.served import COMMAND, SUPERVISOR_PIN, ServedTable

DEALERS, FIRST, SECOND = "Ah Kd 9d 6s 4c", "As Ad 7c 8d 2h", "Qs 3d 6h 8s Td"
LIES_THERE = "Qs 3d 6h 8s Tc"  # at seat 2: the shoe's reader took the ten of clubs for that of diamonds
DEALT = [card for three in zip(FIRST.split(), SECOND.split(), DEALERS.split(), strict=True) for card in three]
RATE = 4  # pictures a second: few to write, and none comes so late that the camera counts as lost
EMPTY_S, DEALT_S = 15, 100  # the film: long enough to lock the bets, and then to play the round, on a slow machine
SIGHT_MS = 40_000  # a few pictures must be read, on a machine that does everything else besides

pytestmark = pytest.mark.timeout(180)


def hand(holder: int, cards: str) -> list[Lying]:
    """Five cards side by side before the dealer, or in two rows at a seat of four, turned as the seat is."""
    codes = parse_cards(cards)
    if holder == 0:
        return [(card, (-136.0 + 68 * n, -232.0), 0.0) for n, card in enumerate(codes)]
    turn = math.radians(21) * (holder - 2.5)
    lying = []
    for n, card in enumerate(codes):
        along, away = (-68 + 68 * n, 966) if n < 3 else (-34 + 68 * (n - 3), 874)
        x, y = along * math.cos(turn) + away * math.sin(turn), away * math.cos(turn) - along * math.sin(turn) - 650
        lying.append((card, (x, y), -math.degrees(turn)))
    return lying


class Plug:
    """The table's camera, which is a film: it is played from the moment when it is plugged in, and it can be pulled."""

    def __init__(self, path: Path, shown: Path) -> None:
        self.path, self._film = path, shown
        self._since = 0.0

    def put_in(self) -> None:
        self.path.symlink_to(self._film)
        self._since = time.monotonic()

    def pull(self) -> None:
        """The film is nowhere any more, and the process that plays it ends."""
        self.path.unlink()
        [playing] = {int(opened.parts[2]) for opened in Path("/proc").glob("[0-9]*/fd/*") if self._is_film(opened)}
        os.kill(playing, signal.SIGKILL)

    def _is_film(self, opened: Path) -> bool:
        try:
            return opened.readlink() == self._film
        except OSError:  # another's, or closed by now
            return False

    def shows_an_empty_felt(self) -> None:
        """By the clock: a card that lies there at the lock of the bets is of the round before."""
        gone = time.monotonic() - self._since
        assert gone < EMPTY_S, f"the bets were locked {gone:.0f} s after the film was there, expected within {EMPTY_S}"


@pytest.fixture(scope="session")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The film: an empty felt, and then all three hands, open, to its end. At seat 2 one card is not the recorded one."""
    hands = with_cards(felt(), [*hand(0, DEALERS), *hand(1, FIRST), *hand(2, LIES_THERE)], "park")
    pictures = chain(shots(felt(), EMPTY_S * RATE), shots(hands, DEALT_S * RATE))
    return film(tmp_path_factory.mktemp("film") / "dealt.mp4", pictures, RATE)


@pytest.fixture
def plug(tmp_path: Path, dealt: Path) -> Plug:
    return Plug(tmp_path / "camera.mp4", dealt)


@pytest.fixture
def table(tmp_path: Path, plug: Plug) -> Iterator[ServedTable]:
    """Its camera is not there yet."""
    calibration = tmp_path / "camera.toml"
    calibration.write_text(calibration_text(calibrated(noisy_page(), default_zones(4), "the table's camera")))
    camera = f'\n[camera]\nsource = "{plug.path}"\ncalibration = "{calibration}"\nrole = "cross-check"\n'
    with ServedTable(tmp_path / "table", more=camera) as table:
        table.set_pins()
        yield table


@pytest.fixture
def screen(table: ServedTable, page: Page, plug: Plug) -> DealerScreen:
    """The dealer's, where the camera comes just before the bets are locked: so it watches an empty felt, however slow all is."""
    screen = DealerScreen(page, table)
    screen.sign_in()
    screen.primary()
    screen.in_phase("bets_open")
    screen.page.click('[data-chip="500"]')
    for seat in (1, 2):
        screen.bet(seat, "ante")
    lamp_says(screen, "▲ Camera LOST")
    plug.put_in()
    lamp_says(screen, "● Camera OK")
    screen.primary()
    screen.in_phase("dealing")
    plug.shows_an_empty_felt()
    return screen


@pytest.fixture
def supervisor(table: ServedTable, new_page: Callable[..., Page]) -> Page:
    """The camera's page."""
    page = new_page()
    page.goto(f"{table.address}/camera")
    type_pin(page, SUPERVISOR_PIN)
    page.tap('[data-key="sign-in"]')
    expect(page.locator("[data-standing]")).to_have_text("● The camera watches", timeout=SIGHT_MS)
    return page


def lamp_says(screen: DealerScreen, words: str) -> None:
    expect(screen.page.locator('[data-lamp="camera"]')).to_have_text(words, timeout=SIGHT_MS)


def test_a_hand_that_the_camera_gainsays_holds_the_round_until_a_person_decides(
    screen: DealerScreen, supervisor: Page, table: ServedTable, plug: Plug
) -> None:
    log = supervisor.locator("[data-log]")
    screen.deal(DEALT, after=0)
    screen.in_phase("decisions")
    screen.primary()
    screen.in_phase("reveal")
    expect(log).to_contain_text("1 open hand was compared.", timeout=EMPTY_S * 1000 + SIGHT_MS)
    expect(log).to_contain_text("None so far.")
    only_the_dealers_hand_is_named(supervisor)
    screen.primary()
    screen.in_phase("settlement")

    lamp_says(screen, "◆ Camera DISAGREES")
    screen.says("LOOK: THE CAMERA SEES ANOTHER HAND AT SEAT 2")
    it_is_held(screen, table)
    its_pictures_are_for_the_supervisor(screen, supervisor)

    screen.key("correct")
    screen.page.click('[data-candidates] [data-card="Tc"]')
    lamp_says(screen, "● Camera OK")
    screen.primary()
    expect(screen.page.locator('[data-seat="1"]')).to_have_attribute("data-turn", "yes")
    expect(log).to_contain_text("3 open hands were compared.", timeout=SIGHT_MS)
    expect(log.locator("[data-dispute]")).to_contain_text("The record was corrected")
    it_is_lost_and_holds_nothing(screen, plug)
    the_log_tells_it(table)


def only_the_dealers_hand_is_named(supervisor: Page) -> None:
    """Of all that lies there, only what is open by the round: no seat's hand is turned yet."""
    named = supervisor.locator(".box-name", has_text=re.compile(r"\S"))
    expect(named).to_have_count(5, timeout=SIGHT_MS)
    assert set(named.all_text_contents()) == {"A♥", "K♦", "9♦", "6♠", "4♣"}
    expect(supervisor.locator(".box-name")).to_have_count(15)


def it_is_held(screen: DealerScreen, table: ServedTable) -> None:
    """By the screen, and by the table whatever a screen sends."""
    expect(screen.page.locator("[data-primary]")).to_be_disabled()
    expect(screen.page.locator("[data-worksheet]")).to_be_hidden()
    client = table.client()
    for heard in client.messages():
        if "camera" in heard:
            break
    status, answer = client.press({"type": "SettleSeat", "seat": 2})
    assert (status, answer["refusal"]) == (422, "dispute_open")


def its_pictures_are_for_the_supervisor(screen: DealerScreen, supervisor: Page) -> None:
    """All that the camera saw, and the card that differs."""
    dispute = supervisor.locator("[data-dispute]")
    expect(dispute).to_contain_text("Not decided yet", timeout=SIGHT_MS)
    expect(dispute.locator('[data-differs="yes"]')).to_have_text([r"◆ 10♦D", "◆ 10♣C"])
    pictures = dispute.locator("img")
    expect(pictures).to_have_count(2)
    assert pictures.last.get_attribute("alt") == "Seat 2, cut out: ten of clubs"
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 50
        kept = f"{screen.table.address}{picture.get_attribute('src')}"
        assert supervisor.request.get(kept).headers["cache-control"] == "no-store"
        assert screen.page.request.get(kept).status == 403


def it_is_lost_and_holds_nothing(screen: DealerScreen, plug: Plug) -> None:
    plug.pull()
    lamp_says(screen, "▲ Camera LOST")
    expect(screen.page.locator("[data-camera-line]")).to_contain_text("The round goes on without it.")
    screen.primary()
    screen.in_phase("closed")
    plug.put_in()
    lamp_says(screen, "● Camera OK")


def the_log_tells_it(table: ServedTable) -> None:
    """What lay there is what was paid, the pictures are as they were kept, and nobody else can read them."""
    folder = table.data / "evidence"
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())] == [0o700, 0o600, 0o600]
    exported = subprocess.run(
        [COMMAND, "export", table.data, "--format", "round/1", "--reason", "test"],
        capture_output=True,
        text=True,
        check=True,
    )
    [told] = exported.stdout.splitlines()
    dealt = json.loads(told)["cards"]
    assert dealt == [card if card != "Td" else "Tc" for card in DEALT]
    verified = subprocess.run([COMMAND, "verify", table.data], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
