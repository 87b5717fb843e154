"""The camera at the screens: a disputed hand under a dealer's fingers, and the supervisor's live view."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from dealer_assist.application.camera_report import CameraReport
from dealer_assist.game import commands as cmd
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.round import Phase
from dealer_assist.game.setup import CameraRole, Signer, TableSetup
from hardware.camera.marks import calibrated
from hardware.camera.opencv import Image
from hardware.camera.reading import Reading, SeenCard, Unsure
from hardware.camera.settings import source_of
from hardware.camera.source import Camera, SourceSettings
from hardware.camera.view import View
from hardware.camera.watching import Watcher
from hardware.camera.zones import default_zones
from tests.browser.conftest import Complaints
from tests.browser.screens import ServedApp, phase, press, sign_in, type_pin
from tests.hardware.camera.felts import Lying, corners_mm, felt, in_view, noisy_page, with_cards
from tests.hardware.camera.films import Stream, served
from tests.web_ui.helpers import DEALER_PIN, SUPERVISOR_PIN, History, TableAtHand, hands, setup_of
from web_ui.site import site_of

CARDS = {"seat1": "As Ad 7c 8d 2h", "seat2": "Qs 3d 6h 8s Td", "dealer": "Ah Kd 9d 6s 4c"}
SEEN_AT_SEAT_2 = parse_cards("3d Qs Tc 8s 6h")
SIZES = ((1280, 800), (1024, 768))
Serve = Callable[..., ServedApp]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    apps: list[ServedApp] = []

    def opened(setup: TableSetup, **access: Any) -> ServedApp:
        table = TableAtHand(tmp_path, setup, **access)
        table.pins.set_up(DEALER_PIN, SUPERVISOR_PIN)
        apps.append(ServedApp(table))
        table.do(cmd.ReportCameraBack())
        return apps[-1]

    yield opened
    for app in apps:
        app.table.publisher.close()
        app.stop()
        app.table.close()


def settling(app: ServedApp, page: Page) -> TableAtHand:
    """Seat 2 is to be settled, and its dealer looks at the screen."""
    sign_in(page, app)
    table = app.table
    table.do(cmd.OpenRound())
    table.bets_for(1, 2)
    table.lock()
    table.deal(hands(**CARDS))
    table.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand())
    phase(page, "settlement")
    return table


def sees_a_ten_of_clubs(table: TableAtHand) -> None:
    table.do(cmd.ReportHand(table.round.number, Seat(2), SEEN_AT_SEAT_2))


def marked(page: Page, reading: str) -> list[str]:
    """The names of the cards that are marked in one of the two readings."""
    cards = page.locator(f'[data-reading="{reading}"] [data-differs="yes"] .slot')
    return [card.get_attribute("aria-label") or "" for card in cards.all()]


def is_whole(page: Page, key: str) -> bool:
    """Whether a key lies within the panel, and nothing of it is cut off."""
    panel, box = page.locator("[data-panel]").bounding_box(), page.locator(f'[data-key="{key}"]').bounding_box()
    assert panel is not None
    assert box is not None
    return box["y"] + box["height"] <= panel["y"] + panel["height"] and box["height"] >= 48


# --- the dealer screen -----------------------------------------------------------------------------------------------


def test_a_disputed_hand_is_shown_twice_and_the_card_is_corrected(serve: Serve, page: Page) -> None:
    table = settling(serve(setup_of(camera=CameraRole.cross_check)), page)
    lamp = page.locator('[data-lamp="camera"]')
    expect(lamp).to_have_text("● Camera OK")
    expect(page.locator("[data-worksheet]")).to_be_visible()

    sees_a_ten_of_clubs(table)
    expect(page.locator("[data-state-words]")).to_have_text("LOOK: THE CAMERA SEES ANOTHER HAND AT SEAT 2")
    expect(lamp).to_have_text("◆ Camera DISAGREES")
    expect(page.locator("[data-primary]")).to_be_disabled()
    expect(page.locator("[data-worksheet]")).to_be_hidden()
    assert (marked(page, "recorded"), marked(page, "seen")) == (["ten of diamonds"], ["ten of clubs"])
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert is_whole(page, "uphold")
        assert is_whole(page, "correct")
    page.set_viewport_size({"width": 1280, "height": 800})

    page.tap('[data-key="correct"]')
    expect(page.locator('[data-dialog="card"] [data-title]')).to_contain_text("Seat 2, card 5")
    expect(page.locator("[data-candidates] [data-card]")).to_have_count(1)
    page.tap('[data-candidates] [data-card="Tc"]')
    expect(page.locator("[data-dispute]")).to_be_hidden()
    expect(lamp).to_have_text("● Camera OK")
    expect(page.locator('[data-slot="2.4"]')).to_have_attribute("data-suit", "c")
    press(page)
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-turn", "yes")
    assert list(table.round.settled) == [2]


def test_the_record_stands_by_the_dealers_word(serve: Serve, page: Page) -> None:
    table = settling(serve(setup_of(camera=CameraRole.cross_check)), page)
    sees_a_ten_of_clubs(table)
    page.tap('[data-key="uphold"]')
    expect(page.locator("[data-dispute]")).to_be_hidden()
    press(page)
    expect(page.locator('[data-seat="1"]')).to_have_attribute("data-turn", "yes")
    assert table.round.draw_at(Place(Seat(2), 4)).card == Card("Td")  # type: ignore[union-attr]  # it lies there


@pytest.mark.parametrize("way_out", ["uphold", "correct"])
def test_where_the_house_wants_it_a_supervisor_signs_either_way_out(serve: Serve, page: Page, way_out: str) -> None:
    setup = setup_of(camera=CameraRole.cross_check)
    strict = msgspec.structs.replace(setup.procedure, card_correction_before_paying=Signer.supervisor)
    table = settling(serve(msgspec.structs.replace(setup, procedure=strict)), page)
    sees_a_ten_of_clubs(table)
    expect(page.locator("[data-dispute]")).to_contain_text("A supervisor must sign this.")
    assert is_whole(page, "correct")
    page.tap(f'[data-key="{way_out}"]')
    if way_out == "correct":
        page.tap('[data-candidates] [data-card="Tc"]')
    dialog = page.locator('[data-dialog="sign"]')
    dialog.locator("label", has_text="Wrong entry").tap()
    type_pin(page, SUPERVISOR_PIN, '[data-dialog="sign"]')
    dialog.locator("[data-ok]").tap()
    expect(page.locator("[data-dispute]")).to_be_hidden()
    assert table.round.disputes[0].ending == {"uphold": "upheld", "correct": "corrected"}[way_out]


def test_of_several_differing_cards_the_dealer_taps_one(serve: Serve, page: Page) -> None:
    table = settling(serve(setup_of(camera=CameraRole.cross_check)), page)
    table.do(cmd.ReportHand(table.round.number, Seat(2), parse_cards("Qs 3d 6d 8s Tc")))
    page.tap('[data-key="correct"]')
    expect(page.locator('[data-slot="2.0"]')).to_be_disabled()
    page.tap('[data-slot="2.4"]')
    expect(page.locator("[data-candidates] [data-card]")).to_have_count(2)
    page.tap('[data-candidates] [data-card="Tc"]')
    expect(page.locator('[data-slot="2.4"]')).to_have_attribute("data-suit", "c")


def test_cards_come_from_the_camera_and_a_doubtful_one_is_tapped(serve: Serve, page: Page) -> None:
    app = serve(setup_of(camera=CameraRole.source))
    table = app.table
    sign_in(page, app)
    expect(page.locator("[data-camera-line]")).to_contain_text("hidden ones are not known")
    table.do(cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    expect(page.locator("[data-primary]")).to_have_text("ALL DEALT")
    press(page)
    phase(page, "decisions")
    expect(page.locator('[data-slot="1.0"]')).to_have_attribute("data-face", "unknown_down")
    press(page)
    phase(page, "reveal")
    expect(page.locator("[data-state-words]")).to_have_text("THE CAMERA READS THE DEALER'S HAND")
    expect(page.locator('[data-dialog="card"]')).to_be_hidden()  # it will be read: nobody need enter it

    page.tap('[data-slot="0.0"]')
    expect(page.locator('[data-dialog="card"]')).to_be_visible()
    table.do(cmd.ReportHand(table.round.number, DEALER, parse_cards("Ah Kd 9d 6s"), (parse_cards("4c 4s"),)))
    expect(page.locator('[data-dialog="card"]')).to_be_hidden()  # the camera was quicker
    expect(page.locator('[data-slot="0.0"]')).to_have_attribute("data-suit", "h")
    expect(page.locator('[data-slot="0.4"] .candidate')).to_have_count(2)
    page.tap('[data-slot="0.4"]')
    page.tap('[data-candidates] [data-card="4c"]')
    expect(page.locator('[data-slot="0.4"]')).to_have_attribute("data-face", "up")
    expect(page.locator("[data-primary]")).to_have_text("MATCHES")
    assert table.round.phase is Phase.reveal


# --- the camera's page -----------------------------------------------------------------------------------------------

ACE: Lying = (Card("As"), (-120.0, -232.0), 0.0)
JACK: Lying = (Card("Jh"), (480.0, 140.0), 31.0)


def read(_: Image) -> Reading:
    """The ace for certain, the jack not; what a recogniser does is tested elsewhere."""
    sure = SeenCard(ACE[0], 0.97, in_view(corners_mm(ACE)))
    unsure = Unsure((Card("Jh"), Card("Jd")), 0.6, in_view(corners_mm(JACK)))
    return Reading((sure,), (unsure,), 1.0)


@pytest.fixture
def stream() -> Stream:
    stream = Stream(rate=10)
    stream.scene = with_cards(felt(), [ACE, JACK])
    return stream


@pytest.fixture
def watched(serve: Serve, stream: Stream) -> Iterator[ServedApp]:
    """A table whose camera is a stream."""
    calibration = calibrated(noisy_page(), default_zones(4), "test")
    with served(stream) as url:
        camera = Camera(SourceSettings(source=source_of(url), size=calibration.size))
        watcher = Watcher(camera, calibration, read, lambda event: None)
        watcher.start()
        setup, log = setup_of(camera=CameraRole.cross_check), History(CameraReport(0, (), ()))
        try:
            yield serve(setup, camera=View(watcher, calibration), camera_history=log)
        finally:
            watcher.stop()


@pytest.fixture
def view(watched: ServedApp, page: Page) -> Page:
    """The camera's page, as a supervisor comes to it."""
    page.goto(f"{watched.address}/camera")
    type_pin(page, SUPERVISOR_PIN)
    page.tap('[data-key="sign-in"]')
    expect(page.locator(".box")).to_have_count(2, timeout=20_000)
    return page


def test_the_live_view_draws_zones_and_cards_over_the_picture_and_goes_on(view: Page) -> None:
    expect(view.locator(".zone-name")).to_have_text(["Dealer", "Seat 1", "Seat 2", "Seat 3", "Seat 4"])
    expect(view.locator(".box-name")).to_have_text(["A♠", "J♥/J♦?"])
    expect(view.locator(".box-share")).to_have_text(["97%", "60%"])
    expect(view.locator("[data-standing]")).to_have_text("● The camera watches")
    expect(view.locator("[data-log]")).to_contain_text("None so far.")
    expect(view.locator("[data-log-told]")).to_be_hidden()
    wide = view.locator("[data-picture]").evaluate("image => image.naturalWidth")
    assert (wide, view.locator("[data-over]").get_attribute("viewBox")) == (1280, "0 0 1280 720")
    before = view.locator("[data-picture]").get_attribute("src")
    expect(view.locator("[data-picture]")).not_to_have_attribute("src", before or "")
    for width, height in SIZES:
        view.set_viewport_size({"width": width, "height": height})
        assert view.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_lost_camera_is_told_and_its_last_picture_dimmed(view: Page, stream: Stream) -> None:
    stream.stall()
    expect(view.locator("[data-standing]")).to_contain_text("▲ LOST:", timeout=10_000)
    expect(view.locator("[data-view]")).to_have_attribute("data-stale", "yes")
    expect(view.locator("[data-age]")).to_contain_text("NOT LIVE: picture of")
    stream.mend()
    expect(view.locator("[data-standing]")).to_have_text("● The camera watches", timeout=20_000)
    expect(view.locator("[data-view]")).to_have_attribute("data-stale", "no", timeout=10_000)


def test_whoever_is_signed_out_is_shown_no_further_picture(
    view: Page, watched: ServedApp, complaints: Complaints
) -> None:
    complaints.expect(f"403 (FORBIDDEN) at {watched.address}/camera/")
    sessions = site_of(watched.table.app).sessions
    for session in list(sessions._people):
        sessions.end(session)
    expect(view).to_have_url(f"{watched.address}/sign-in?to=camera", timeout=10_000)
