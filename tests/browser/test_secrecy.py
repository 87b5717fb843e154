"""Everything that is sent to a browser in a whole round, recorded: no card that lies face down is in it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route

from dealer_assist.game import events as ev
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import logged, open_to_read, rows
from tests.browser.at_the_table import DealerScreen
from tests.served import ServedTable

CODE = re.compile(r"""["'/ ]([2-9TJQKA][cdhs])["'./ ]""")
CARDS = ["9s", "Ks", "Ad", "9h", "Kh", "4c", "6d", "Kd", "3h", "5c", "6c", "2s", "2c", "Td", "Kc"]
FACE_DOWN = {"four-seat-fi", "cyber-stud-nb"}


def open_cards_by_sequence(table: ServedTable, profile: str) -> dict[int, set[str]]:
    """What lay open on the felt after each event, told from the log by the rules of the sheet alone."""
    opened: dict[int, set[str]] = {}
    now: set[str] = set()
    drawn = 0
    connection = open_to_read(table.data / "log.sqlite")
    try:
        for entry in logged(rows(connection), Seal((table.data / "seal.key").read_bytes())):
            match entry.event:
                case ev.CardDrawn():
                    drawn += 1
                    players_up = profile not in FACE_DOWN and (drawn - 1) % 3 != 2
                    if players_up or drawn == (15 if profile in FACE_DOWN else 3):
                        now = now | {entry.event.draw.card.value}  # type: ignore[union-attr]
                case ev.HoleCardsTurned():
                    now = now | set(CARDS[2::3])
                case ev.DealerHandConfirmed():
                    now = now | set(CARDS[1::3])  # seat 2 lies at the dealer's right: it is turned first
                case ev.SeatSettled():
                    now = now | set(CARDS[0::3])
                case _:
                    pass
            opened[entry.seq] = now
    finally:
        connection.close()
    return opened


@pytest.mark.parametrize("profile", ["four-seat-fi", "cyber-stud-nb", "live-studio-da", "casino-stud-da"])
def test_no_card_that_lies_face_down_is_sent_to_a_browser(
    tmp_path: Path, profile: str, page: Page, new_page: Callable[..., Page]
) -> None:
    with ServedTable(tmp_path / "table", profile) as table:
        table.set_pins()
        sign = new_page()
        dealers, signs = Recorder(page), Recorder(sign)
        sign.goto(f"{table.address}/sign")
        play_a_round(DealerScreen(page, table))
        answered, sign_answered = dealers.answers, signs.answers
        page.close()
        sign.close()
        opened = open_cards_by_sequence(table, profile)
    assert len(dealers.streamed) > 20
    for message in dealers.streamed:
        sequence = int(re.findall(r'"seq":\s*(\d+)', message)[0])
        shown = set(CODE.findall(message))
        assert shown <= opened[sequence], f"sequence {sequence} shows {shown - opened[sequence]}"
    assert set().union(*opened.values()) == set(CARDS)
    assert not any(CODE.findall(text) for text in signs.streamed + sign_answered)
    assert all(CODE.findall(text) in ([], CODE.findall(grid(answered))) for text in answered)


def grid(answered: list[str]) -> str:
    """The dealer page itself: it holds the grid of all fifty-two cards, which tells nothing."""
    return next(text for text in answered if 'data-dialog="card"' in text)


class Recorder:
    """Keeps every picture of a page's streams, and every other answer it gets."""

    def __init__(self, page: Page) -> None:
        self.streamed: list[str] = []
        self.answers: list[str] = []
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.eventSourceMessageReceived", self._heard)
        page.route("**/*", self._answer)

    def _heard(self, event: dict[str, str]) -> None:
        if '"seq"' in event["data"]:
            self.streamed.append(event["data"])

    def _answer(self, route: Route) -> None:
        if route.request.url.endswith("/stream"):
            route.continue_()
            return
        response = route.fetch(max_redirects=0)
        if response.headers.get("content-type", "").startswith(("text/html", "application/json")):
            self.answers.append(response.text())
        route.fulfill(response=response)


def play_a_round(screen: DealerScreen) -> None:
    """Two seats, nobody folds; the jackpot too where the sheet has one."""
    screen.sign_in()
    screen.page.goto(f"{screen.table.address}/dealer")  # what a redirect leads to can't be recorded
    screen.primary()
    screen.in_phase("bets_open")
    screen.page.click('[data-chip="500"]')
    for seat in (Seat(1), Seat(2)):
        screen.bet(seat, "ante")
    screen.primary()
    screen.in_phase("dealing")
    screen.deal(CARDS, after=DEALER)
    screen.in_phase("decisions")
    screen.primary()
    screen.in_phase("reveal")
    screen.primary()
    screen.in_phase("settlement")
    screen.primary()
    screen.shows("1.0", "up")
    screen.primary()
    screen.in_phase("closed")
