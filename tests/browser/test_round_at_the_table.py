"""A dealer works at a real table: the server, the log, the pty shoe and Chromium, with nothing in between left out."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.at_the_table import DealerScreen
from tests.browser.conftest import Complaints
from tests.served import COMMAND, ServedTable

# Four seats and the dealer, one card at a time: seat 1 a pair of nines, 2 trips, 3 nothing, 4 two pair, the dealer A-K.
DEAL = (
    "9s Ks 7h Jd Ad",
    "9h Kh 8c Jc 4c",
    "6d Kd 2d 5h 3h",
    "5c 6c Qd 5s 2s",
    "2c Td Tc 8d Kc",
)
CARDS = " ".join(DEAL).split()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    with ServedTable(tmp_path / "table") as served:
        served.set_pins()
        yield served


def exported(table: ServedTable) -> list[dict[str, object]]:
    done = subprocess.run(
        [COMMAND, "export", table.data, "--format", "round/1", "--reason", "test"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_round_of_four_seats_survives_a_pulled_cable_and_a_card_nobody_read(
    table: ServedTable, page: Page, new_page: Callable[..., Page]
) -> None:
    sign = new_page(viewport={"width": 1920, "height": 1080})
    sign.goto(f"{table.address}/sign")
    meter = sign.locator("[data-meter-text]")
    expect(meter).to_have_text("€20,000.00")
    screen = DealerScreen(page, table)
    screen.sign_in()

    four_seats_bet_and_two_for_the_jackpot(screen)
    expect(meter).to_have_text("€20,000.50")
    drawn = screen.deal(CARDS[:7], after=0)
    the_cable_is_pulled_and_plugged_in_again(screen)
    screen.deal(CARDS[7:11], after=drawn)
    the_rest_is_dealt_but_one_card_nobody_read(screen)
    seat_three_folds_and_the_others_are_settled(screen)
    expect(meter).to_have_text("€20,000.50")

    (logged,) = exported(table)
    assert logged["cards"] == CARDS
    assert logged["unverified"] is True
    assert logged["recorded"] == {
        "1": {"ante": "25.00", "raise": "50.00", "bonus": "0.00", "jackpot": "0.00"},
        "2": {"ante": "25.00", "raise": "150.00", "bonus": "0.00", "jackpot": "1.50"},
        "3": {"ante": "-25.00", "raise": "0.00", "bonus": "0.00", "jackpot": "0.00"},
        "4": {"ante": "25.00", "raise": "100.00", "bonus": "0.00", "jackpot": "-0.50"},
    }


def four_seats_bet_and_two_for_the_jackpot(screen: DealerScreen) -> None:
    screen.primary()
    screen.in_phase("bets_open")
    screen.page.click('[data-chip="2500"]')
    for seat in (1, 2, 3, 4):
        screen.bet(seat, "ante")
    screen.bet(2, "jackpot")
    screen.bet(4, "jackpot")
    expect(screen.page.locator("[data-primary]")).to_contain_text("2 JACKPOT CHIPS")
    screen.primary()
    screen.says("DEAL SEAT 1, CARD 1")


def the_cable_is_pulled_and_plugged_in_again(screen: DealerScreen) -> None:
    """A reader that was lost never resumes silently: the dealer counts first."""
    lamp = screen.page.locator('[data-lamp="reader"]')
    screen.table.shoe.unplug()
    screen.in_phase("paused")
    expect(lamp).to_have_attribute("data-lit", "bad")
    screen.table.shoe.replug()
    expect(lamp).to_have_attribute("data-lit", "good", timeout=10_000)
    screen.in_phase("paused")
    screen.primary()
    screen.page.click('[data-dialog="count"] [data-ok]')
    screen.says("DEAL SEAT 3, CARD 2")


def the_rest_is_dealt_but_one_card_nobody_read(screen: DealerScreen) -> None:
    """The king of diamonds goes out face down and unread; the upcard lies open, so a person may name it."""
    screen.says("DEAL SEAT 2, CARD 3")
    screen.hold_more("not-read")
    screen.shows("2.2", "unknown_down")
    screen.deal(CARDS[12:24], after=12)
    screen.says("DEAL DEALER, CARD 5")
    screen.key("enter-next")
    screen.pick("Kc")
    screen.in_phase("decisions")
    screen.shows("0.4", "up")
    screen.shows("1.0", "down")


def seat_three_folds_and_the_others_are_settled(screen: DealerScreen) -> None:
    worksheet = screen.page.locator("[data-worksheet]")
    screen.fold(3)
    screen.primary()
    screen.in_phase("reveal")
    screen.primary()
    screen.in_phase("settlement")
    screen.shows("4.0", "up")
    screen.shows("2.0", "down")
    expect(worksheet).to_contain_text("€100")
    screen.primary()
    screen.shows("2.2", "unknown_up")  # turned, and asked for
    screen.pick("Kd")
    screen.shows("2.2", "up")
    expect(worksheet).to_contain_text("pays 3 to 1")
    screen.primary()
    screen.shows("1.0", "up")
    screen.primary()
    expect(worksheet).to_contain_text("€2")
    screen.primary()  # the jackpot chip that was set aside: three of a kind
    screen.in_phase("closed")


def test_a_faultless_round_of_four_seats_takes_the_dealer_eight_presses(table: ServedTable, page: Page) -> None:
    screen = DealerScreen(page, table)
    screen.sign_in()
    screen.primary()
    screen.in_phase("bets_open")
    page.click('[data-chip="500"]')
    for seat in (1, 2, 3, 4):
        screen.bet(seat, "ante")
    play(screen)

    screen.presses = 0
    assert screen.primary() == "SAME BETS"
    screen.in_phase("bets_open")
    play(screen)
    assert screen.presses == 8


def play(screen: DealerScreen) -> None:
    """From the lock to the close, nobody folding."""
    screen.primary()
    screen.in_phase("dealing")
    screen.deal(CARDS, after=0)
    screen.in_phase("decisions")
    screen.primary()
    screen.in_phase("reveal")
    for _ in range(5):  # the dealer's hand, then a seat at a time
        screen.primary()
    screen.in_phase("closed")


def test_a_table_killed_in_mid_deal_comes_back_at_the_same_step_and_the_page_finds_it(
    table: ServedTable, page: Page, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_")  # while the server is away
    complaints.expect(f"401 (UNAUTHORIZED) at {table.address}/dealer/stream")  # it comes back knowing nobody
    screen = DealerScreen(page, table)
    screen.sign_in()
    screen.primary()
    screen.in_phase("bets_open")
    page.click('[data-chip="500"]')
    screen.bet(1, "ante")
    screen.primary()
    screen.deal(CARDS[:3], after=0)
    table.kill()
    table.restart(port=table.port)
    screen.is_led_to_the_pin_pad()
    screen.type_pin()
    screen.says("DEALER, CARD 2|COUNT")
    screen.shows("1.1", "down")
    screen.shows("1.2", "empty")


def test_a_void_names_the_round_and_its_refunds_and_asks_for_the_supervisor(table: ServedTable, page: Page) -> None:
    screen = DealerScreen(page, table)
    screen.sign_in()
    screen.primary()
    screen.in_phase("bets_open")
    page.click('[data-chip="2500"]')
    screen.bet(1, "ante")
    screen.bet(1, "jackpot")
    screen.primary()
    screen.in_phase("dealing")
    screen.hold_more("void")
    dialog = page.locator('[data-dialog="sign"]')
    expect(dialog.locator("[data-object]")).to_contain_text("€25.50")
    dialog.locator("label", has_text="Misdeal").click()
    for digit in "314159":
        dialog.locator(f'[data-digit="{digit}"]').click()
    dialog.locator("[data-ok]").click()
    screen.in_phase("void")
    (record,) = exported(table)
    assert record["void"] == "Misdeal"
