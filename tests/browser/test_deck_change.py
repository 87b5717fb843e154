"""Two decks in turn: the dealer changes them on the screen, and a card of the resting one stops the round."""

from pathlib import Path

from playwright.sync_api import Page, expect

from dealer_assist.game.cards import Card
from tests.browser.at_the_table import DealerScreen
from tests.served import ServedTable


def test_the_other_deck_is_put_into_play_and_a_card_of_the_resting_one_stops_the_round(
    tmp_path: Path, page: Page
) -> None:
    with ServedTable(tmp_path / "table") as table:
        table.set_pins()
        screen = DealerScreen(page, table)
        screen.sign_in()
        screen.primary()
        screen.in_phase("bets_open")
        screen.hold_more("change-deck")
        page.click('[data-dialog="choice"] [data-choice="demo-blue"]')
        page.click('[data-chip="500"]')
        screen.bet(1, "ante")
        screen.primary()
        screen.in_phase("dealing")
        table.shoe.present(Card("As"), "demo-blue")
        screen.shows("1.0", "down")
        table.shoe.present(Card("Kd"), "demo-red")
        screen.in_phase("paused")
        expect(page.locator("[data-banner]")).to_contain_text("other deck")
        page.click('[data-banner] [data-key="none"]')
        screen.in_phase("dealing")
        page.close()
