"""The jackpot sign: it rolls up, cuts down with a reason, and says when its figure is not live."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dealer_assist.game import commands as cmd
from dealer_assist.game.round import Phase
from tests.browser.conftest import Complaints
from tests.browser.screens import ServedApp
from tests.web_ui.helpers import TableAtHand, hands, setup_of

ROYAL = {"seat1": "As Ks Qs Js Ts", "seat2": "2c 2d 2h 5s 7d", "dealer": "Ad Kc 9d 6s 4d"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[ServedApp]:
    app = ServedApp(TableAtHand(tmp_path, setup_of()))
    yield app
    app.table.publisher.close()
    app.stop()
    app.table.close()


@pytest.fixture
def sign(page: Page, app: ServedApp) -> Page:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{app.address}/sign")
    expect(page.locator("[data-sign-state]")).to_have_text("LIVE")
    return page


def lock(table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1, 2, jackpot=True)
    table.lock()


def test_the_meter_rolls_up(sign: Page, app: ServedApp) -> None:
    expect(sign.locator("[data-meter-text]")).to_have_text("€21,140.00")
    lock(app.table)
    expect(sign.locator("[data-meter-text]")).to_have_text("€21,140.50")
    expect(sign.locator(".digit.rolls")).to_have_count(1)
    expect(sign.locator("[data-reason]")).to_have_text("")


def test_a_jump_down_is_a_cut_with_its_reason(sign: Page, app: ServedApp) -> None:
    lock(app.table)
    expect(sign.locator("[data-meter-text]")).to_have_text("€21,140.50")
    app.table.do(cmd.VoidRound("Misdeal"), signed_by="supervisor")
    expect(sign.locator("[data-meter-text]")).to_have_text("€21,140.00")
    expect(sign.locator(".digit.rolls")).to_have_count(0)
    expect(sign.locator("[data-reason]")).to_have_text("CORRECTED: round void")


def test_a_win_is_pending_until_it_is_paid(sign: Page, app: ServedApp) -> None:
    lock(app.table)
    app.table.deal(hands(**ROYAL))
    while app.table.round.phase is not Phase.closed:
        app.table.press_primary()
    expect(sign.locator("[data-sign-state]")).to_have_text("PENDING WIN")
    expect(sign.locator("[data-reason]")).to_have_text("JACKPOT WON: €21,140.50")
    app.table.do(cmd.PayHit(app.table.round.number), signed_by="supervisor")
    expect(sign.locator("[data-sign-state]")).to_have_text("LIVE")


def test_what_is_not_live_is_marked_in_five_seconds_and_the_sign_comes_back(
    sign: Page, app: ServedApp, complaints: Complaints
) -> None:
    complaints.expect("net::ERR")
    app.table.publisher.close()
    app.stop()
    expect(sign.locator("[data-sign-state]")).to_contain_text("AS OF", timeout=5_000)
    app.table.publisher._closed = False  # the same table, served again
    app.start()
    expect(sign.locator("[data-sign-state]")).to_have_text("LIVE", timeout=8_000)
