"""What every page and answer carries: strict headers, no script or style inline, nothing from elsewhere."""

import re
from pathlib import Path

import pytest

import web_ui.app
from dealer_assist.game.setup import BetEntry
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import PROFILES, Robot, Screen, TableAtHand, setup_of
from web_ui.camera_words import spoken_words as camera_words
from web_ui.dealer_words import spoken_words
from web_ui.sign import sign_words

ADDRESSES = ("/dealer", "/sign", "/sign-in", "/alive", "/nowhere", "/static/js/dealer.js")


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_answer_is_under_strict_headers(screen: Screen, address: str) -> None:
    with screen.client.get(address) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == ("no-cache" if address.startswith("/static") else "no-store")


@pytest.mark.parametrize("address", ["/dealer", "/sign", "/sign-in", "/setup?token=a-token-of-this-start", "/nowhere"])
def test_no_page_has_script_or_style_inline_or_asks_elsewhere(new_table: NewTable, address: str) -> None:
    table = new_table(pins=False, open_to_watch=True, demo=Robot())
    page = table.app.test_client().get(address).get_data(as_text=True)
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"""(?:src|href|action)=["'](?!/)""", page)
    assert 'rel="icon"' in page
    assert '<html lang="en">' in page


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("entry", BetEntry)
def test_every_table_has_its_screens(new_table: NewTable, profile: str, entry: BetEntry) -> None:
    table = new_table(setup_of(profile, entry), open_to_watch=True)
    client = table.app.test_client()
    page = client.get("/dealer").get_data(as_text=True)
    rules = table.setup.profile
    assert page.count("data-slot=") == 25
    assert page.count(".jackpot" + '"') == (4 if rules.jackpot else 0)
    assert page.count(".bonus" + '"') == (4 if rules.bonus else 0)
    sign = client.get("/sign").get_data(as_text=True)
    assert ("data-no-jackpot" in sign) == (rules.jackpot is None)
    assert 'data-stream="/sign/stream"' in sign


def test_a_demonstration_says_so_on_every_screen(new_table: NewTable) -> None:
    client = new_table(open_to_watch=True, demo=Robot()).app.test_client()
    for address in ("/dealer", "/sign", "/sign-in", "/nowhere"):
        assert "TEST MODE" in client.get(address).get_data(as_text=True)


def test_a_real_table_says_nothing_of_a_test(screen: Screen, table: TableAtHand) -> None:
    for address in ("/dealer", "/sign", "/sign-in"):
        assert "data-test-mark" not in screen.client.get(address).get_data(as_text=True)


def test_the_sign_lists_the_sheets_prizes(table: TableAtHand) -> None:
    sign = table.app.test_client().get("/sign").get_data(as_text=True)
    prizes = re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", sign)
    assert prizes[:3] == [
        ("Royal flush", "100% of the jackpot"),
        ("Straight flush", "€1,250"),
        ("Four of a kind", "€250"),
    ]
    assert len(prizes) == 7


SCRIPTS = Path(web_ui.app.__file__).parent / "static" / "js"
WITH_THE_LIGHT = {"bets_open", "bets_closing", "bets_closed"}


def test_the_dealers_scripts_say_only_what_the_page_gives_them_and_all_of_it(table: TableAtHand) -> None:
    with table.app.test_request_context():
        given = set(spoken_words(table.setup))
    others = ("sign.js", "laboratory.js", "camera.js")
    scripts = "".join(path.read_text() for path in SCRIPTS.glob("*.js") if path.name not in others)
    assert set(re.findall(r"""say\("(\w+)\"""", scripts)) <= given
    assert {name for name in given if f'"{name}"' not in scripts} <= WITH_THE_LIGHT


def test_the_signs_script_says_only_what_the_page_gives_it(table: TableAtHand) -> None:
    with table.app.test_request_context():
        given = set(sign_words())
    assert set(re.findall(r"""say\("(\w+)\"""", (SCRIPTS / "sign.js").read_text())) <= given


def test_the_camera_pages_script_says_only_what_the_page_gives_it_and_all_of_it(table: TableAtHand) -> None:
    with table.app.test_request_context():
        given = set(camera_words())
    script = (SCRIPTS / "camera.js").read_text()
    assert set(re.findall(r"""say\("(\w+)\"""", script)) <= given
    assert all(f'"{name}"' in script for name in given)


def test_no_script_is_longer_than_400_lines() -> None:
    assert max(len(path.read_text().splitlines()) for path in SCRIPTS.glob("*.js")) <= 400
