"""The dealer's screen by touch: what a press does, what must not press, and what the screen says when it is old."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.money import Money
from dealer_assist.game.round import NoticeKind, Phase
from dealer_assist.game.setup import BetEntry, TableSetup
from tests.browser.conftest import Complaints
from tests.browser.screens import ServedApp, hold_more, phase, press, sign_in, type_pin
from tests.web_ui.helpers import DEALER_PIN, SUPERVISOR_PIN, TableAtHand, hands, setup_of

CARDS = {
    "seat1": "As Ad 7c 8d 2h",
    "seat2": "Kh Kc 4s 4d Th",
    "seat3": "2c 5c 9c Jc 3c",
    "seat4": "Qs 3d 6h 8s Td",
    "dealer": "Ah Kd 9d 6s 4c",
}
Serve = Callable[..., ServedApp]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    apps: list[ServedApp] = []

    def served(setup: TableSetup | None = None, **access: Any) -> ServedApp:
        table = TableAtHand(tmp_path, setup or setup_of(entry=BetEntry.amounts), **access)
        table.pins.set_up(DEALER_PIN, SUPERVISOR_PIN)
        apps.append(ServedApp(table))
        return apps[-1]

    yield served
    for app in apps:
        app.table.publisher.close()
        app.stop()
        app.table.close()


@pytest.fixture
def app(serve: Serve) -> ServedApp:
    return serve()


@pytest.fixture
def table(app: ServedApp) -> TableAtHand:
    return app.table


@pytest.fixture
def screen(page: Page, app: ServedApp) -> Page:
    sign_in(page, app)
    return page


def to_decisions(table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1, 2, 3, 4)
    table.lock()
    table.deal(hands(**CARDS))


def test_bets_are_taps_with_the_chosen_chip(screen: Page, table: TableAtHand) -> None:
    press(screen)
    phase(screen, "bets_open")
    screen.tap('[data-chip="2500"]')
    for stake in ("€25", "€50"):
        screen.tap('[data-spot="2.ante"]')
        expect(screen.locator('[data-spot="2.ante"]')).to_contain_text(stake)
    screen.tap('[data-spot="2.jackpot"]')
    expect(screen.locator("[data-primary]")).to_have_text("NO MORE BETS · 1 JACKPOT CHIP")
    expect(screen.locator("[data-total-bet]")).to_have_text("Total bet €50.50")
    screen.tap("[data-undo]")
    expect(screen.locator('[data-spot="2.jackpot"]')).to_have_attribute("aria-pressed", "false")
    screen.tap('[data-chip="remove"]')
    screen.tap('[data-spot="2.ante"]')
    expect(screen.locator('[data-seat="2"]')).to_have_attribute("data-playing", "no")
    assert not table.round.bets


def test_a_limit_is_told_in_words(screen: Page, complaints: Complaints) -> None:
    complaints.expect("422")
    press(screen)
    phase(screen, "bets_open")
    screen.tap('[data-chip="50000"]')
    screen.tap('[data-spot="1.ante"]')
    expect(screen.locator("[data-message]")).to_have_text("Maximum reached. Seat 1, ante: at most €100.00.")


def test_a_seat_is_one_tap_where_no_amounts_are_keyed(serve: Serve, page: Page) -> None:
    app = serve(setup_of(entry=BetEntry.seats))
    sign_in(page, app)
    press(page)
    phase(page, "bets_open")
    page.tap('[data-spot="3.ante"]')
    expect(page.locator('[data-seat="3"]')).to_have_attribute("data-playing", "yes")
    page.tap('[data-spot="3.ante"]')
    expect(page.locator('[data-seat="3"]')).to_have_attribute("data-playing", "no")


def test_a_fold_is_a_tap_and_another_takes_it_back(screen: Page, table: TableAtHand) -> None:
    to_decisions(table)
    phase(screen, "decisions")
    screen.tap('[data-decide="4"]')
    expect(screen.locator('[data-seat="4"]')).to_have_attribute("data-folded", "yes")
    screen.tap('[data-decide="4"]')
    expect(screen.locator('[data-seat="4"]')).to_have_attribute("data-folded", "no")


def test_a_round_is_settled_seat_by_seat_from_the_right(screen: Page, table: TableAtHand) -> None:
    to_decisions(table)
    phase(screen, "decisions")
    press(screen)
    phase(screen, "reveal")
    expect(screen.locator("[data-verdict]")).to_have_text("Dealer qualifies with ace-king")
    press(screen)
    for seat in "4321":
        expect(screen.locator(f'[data-seat="{seat}"]')).to_have_attribute("data-turn", "yes")
        press(screen)
    phase(screen, "closed")
    assert table.round.phase is Phase.closed


def test_the_worksheet_says_amount_and_chips_and_is_ticked_by_tap(screen: Page, table: TableAtHand) -> None:
    to_decisions(table)
    table.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(4)))
    ante, raised = screen.locator('[data-line="3.ante"]'), screen.locator('[data-line="3.raise"]')
    expect(raised).to_contain_text("€120.00")
    expect(raised).to_contain_text("pays 6 to 1")
    expect(raised.locator(".pile").first).to_have_text("1 × 100")
    expect(ante).to_have_attribute("data-bright", "yes")
    ante.tap()
    expect(ante).to_have_attribute("aria-pressed", "true")
    expect(raised).to_have_attribute("data-bright", "yes")


def test_a_card_that_differs_is_tapped_and_picked_from_the_grid(screen: Page, table: TableAtHand) -> None:
    to_decisions(table)
    table.do(cmd.CloseDecisions())
    phase(screen, "reveal")
    screen.tap('[data-key="different"]')
    expect(screen.locator("[data-primary]")).to_be_disabled()
    screen.tap('[data-slot="0.3"]')
    expect(screen.locator('[data-dialog="card"] [data-card]')).to_have_count(52)
    expect(screen.locator('[data-card="Ah"]')).to_be_disabled()
    screen.tap('[data-card="6c"]')
    expect(screen.locator('[data-slot="0.3"]')).to_have_attribute("aria-label", "Dealer, card 4: six of clubs")
    assert table.round.draw_at(Place(DEALER, 3)).card == Card("6c")  # type: ignore[union-attr]  # it lies there


def test_a_card_nobody_read_is_asked_for_when_it_is_turned(screen: Page, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    cards = hands(seat1="As Ad 7c 8d 2h", dealer="Ah Kd 9d 6s 4c")
    table.deal(cards, 8)
    next(cards)
    table.do(cmd.MarkUnread())
    table.deal(cards)
    expect(screen.locator('[data-slot="1.4"]')).to_have_attribute("data-face", "unknown_down")
    table.do(cmd.CloseDecisions())
    phase(screen, "reveal")
    press(screen)
    expect(screen.locator('[data-dialog="card"] [data-title]')).to_contain_text("Seat 1, card 5")
    screen.tap('[data-card="2h"]')
    expect(screen.locator('[data-slot="1.4"]')).to_have_attribute("data-suit", "h")
    expect(screen.locator("[data-primary]")).to_have_text("MATCHES & PAID")


def test_a_notice_is_answered_by_its_own_keys(screen: Page, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    table.deal(hands(**CARDS), 3)
    table.do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "E004015"))
    phase(screen, "paused")
    expect(screen.locator("[data-banner]")).to_contain_text("Unknown tag")
    expect(screen.locator("[data-primary]")).to_be_disabled()
    screen.tap('[data-key="there"]')
    phase(screen, "dealing")
    assert len(table.round.draws) == 4


def test_a_lost_reader_asks_for_the_count_place_by_place(screen: Page, table: TableAtHand) -> None:
    table.do(cmd.ReportReaderBack("shoe"), cmd.OpenRound())
    table.bets_for(1, 2)
    table.lock()
    table.deal(hands(**CARDS), 4)
    table.do(cmd.ReportReaderLost("shoe", "cable"))
    phase(screen, "paused")
    expect(screen.locator('[data-lamp="reader"]')).to_contain_text("LOST")
    press(screen)
    screen.tap('[data-dialog="count"] [data-step="1"]')
    expect(screen.locator('[data-count-of="2"] strong')).to_have_text("2")
    screen.tap('[data-dialog="count"] [data-ok]')
    phase(screen, "dealing")
    assert len(table.round.draws) == 5


# --- what must not press ---------------------------------------------------------------------------------------------


def test_a_scanner_that_types_presses_nothing(screen: Page, table: TableAtHand) -> None:
    press(screen)
    phase(screen, "bets_open")
    before = table.service.snapshot.version
    screen.focus('[data-spot="1.ante"]')
    screen.keyboard.type("A94 \n0417 \n")
    screen.keyboard.press("Enter")
    screen.keyboard.press("Space")
    screen.wait_for_timeout(200)
    assert table.service.snapshot.version == before


def test_a_key_that_is_sent_is_not_sent_again(screen: Page, table: TableAtHand) -> None:
    sent: list[str] = []
    screen.on("request", lambda request: sent.append(request.url) if request.url.endswith("/command") else None)

    def slowly(route: Route) -> None:
        screen.wait_for_timeout(300)
        route.continue_()

    screen.route("**/dealer/command", slowly)
    press(screen)
    expect(screen.locator("[data-primary]")).to_have_attribute("data-sent", "Sent …")
    screen.locator("[data-primary]").dispatch_event("click")
    phase(screen, "bets_open")
    assert len(sent) == 1
    expect(screen.locator("[data-primary]")).not_to_have_attribute("data-sent", "Sent …")


def test_the_second_tap_of_a_bounce_does_not_press_the_next_step(screen: Page, table: TableAtHand) -> None:
    to_decisions(table)
    table.do(cmd.CloseDecisions())
    phase(screen, "reveal")
    screen.evaluate(
        """() => new MutationObserver(() => {
            if (document.body.dataset.phase === "settlement") document.querySelector("[data-primary]").click();
        }).observe(document.body, { attributes: true })"""
    )
    press(screen)
    phase(screen, "settlement")
    expect(screen.locator("[data-primary]")).to_be_enabled()
    assert not table.round.settled


def test_the_exceptions_open_only_after_a_full_hold(screen: Page) -> None:
    menu = screen.locator('[data-dialog="more"]')
    hold_more(screen, 500)
    expect(menu).not_to_be_visible()
    hold_more(screen)
    expect(menu).to_be_visible()
    assert screen.evaluate("document.activeElement.tagName") == "H2"


def test_a_void_names_its_object_and_asks_for_the_supervisor(
    screen: Page, table: TableAtHand, complaints: Complaints
) -> None:
    complaints.expect("403")
    to_decisions(table)
    phase(screen, "decisions")
    hold_more(screen)
    screen.tap('[data-key="void"]')
    dialog = screen.locator('[data-dialog="sign"]')
    expect(dialog.locator("[data-object]")).to_have_text("Refund 4 bets = €40")
    expect(dialog.locator("[data-ok]")).to_be_disabled()
    dialog.locator("label", has_text="Misdeal").tap()
    type_pin(screen, "111112", '[data-dialog="sign"]')
    dialog.locator("[data-ok]").tap()
    expect(dialog.locator("[data-told]")).to_have_text("Wrong PIN.")
    type_pin(screen, SUPERVISOR_PIN, '[data-dialog="sign"]')
    dialog.locator("[data-ok]").tap()
    phase(screen, "void")
    assert table.round.void_reason == "Misdeal"
    expect(screen.locator("[data-void-slip]")).to_contain_text("Refund 4 bets = €40")


def test_the_touch_that_wakes_the_screen_is_swallowed(screen: Page, table: TableAtHand) -> None:
    screen.evaluate("import('/static/js/guard.js').then((guard) => guard.sleep())")
    expect(screen.locator("[data-veil]")).to_be_visible()
    before = table.service.snapshot.version
    box = screen.locator("[data-primary]").bounding_box()
    assert box is not None
    screen.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(screen.locator("[data-veil]")).not_to_be_visible()
    screen.wait_for_timeout(100)
    assert table.service.snapshot.version == before
    press(screen)
    phase(screen, "bets_open")


# --- live, or old ----------------------------------------------------------------------------------------------------


def test_a_press_for_a_state_that_is_gone_is_told_and_not_done(
    screen: Page, table: TableAtHand, complaints: Complaints
) -> None:
    complaints.expect("409")
    press(screen)
    phase(screen, "bets_open")

    def overtaken(route: Route) -> None:
        table.do(cmd.PlaceBet(Seat(4), Bet.ante, Money(500)))
        route.continue_()

    screen.route("**/dealer/command", overtaken)
    screen.tap('[data-spot="1.ante"]')
    expect(screen.locator("[data-message]")).to_have_text("The table has moved on. Look, and press again.")
    expect(screen.locator('[data-seat="4"]')).to_have_attribute("data-playing", "yes")
    assert list(table.round.bets) == [4]


def test_an_old_screen_says_its_age_and_comes_back_by_itself(
    screen: Page, app: ServedApp, complaints: Complaints
) -> None:
    complaints.expect("net::ERR")
    app.stop()
    app.table.publisher.close()
    expect(screen.locator("[data-veil-age]")).to_contain_text("Not live:", timeout=12_000)
    expect(screen.locator("[data-lamp=link]")).to_contain_text("LOST")
    app.table.publisher._closed = False  # the same table, served again
    app.start()
    expect(screen.locator("[data-veil]")).not_to_be_visible(timeout=8_000)
    press(screen)
    phase(screen, "bets_open")


def test_a_screen_that_is_signed_out_before_its_first_picture_leads_to_the_pin_pad(
    screen: Page, app: ServedApp, complaints: Complaints
) -> None:
    complaints.expect(f"401 (UNAUTHORIZED) at {app.address}/dealer/stream")

    def signed_out(route: Route) -> None:
        screen.context.clear_cookies()
        route.continue_(headers=route.request.headers | {"cookie": ""})

    screen.route("**/dealer/stream", signed_out)
    screen.goto(f"{app.address}/dealer")
    expect(screen).to_have_url(f"{app.address}/sign-in", timeout=8_000)
