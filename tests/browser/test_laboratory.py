"""The rules laboratory at a supervisor's screen: figures, a paytable edited live, and what is wrong with a value."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dealer_assist.analysis.audit import audit
from dealer_assist.bootstrap import RulesLaboratory
from dealer_assist.game.document import document, edited
from dealer_assist.game.profile import profile_from
from dealer_assist.storage.profiles import load_profile
from tests.browser.conftest import Complaints
from tests.browser.screens import ServedApp, type_pin
from tests.cli.command import dealer_assist
from tests.web_ui.helpers import DEALER_PIN, SUPERVISOR_PIN, TableAtHand, setup_of

PATIENCE_MS = 60_000  # the first figures wait for the enumeration


@pytest.fixture(scope="module")
def laboratory() -> Iterator[RulesLaboratory]:
    shared = RulesLaboratory()
    yield shared
    shared.close()


@pytest.fixture
def app(tmp_path: Path, laboratory: RulesLaboratory) -> Iterator[ServedApp]:
    table = TableAtHand(tmp_path, setup_of(), laboratory=laboratory)
    table.pins.set_up(DEALER_PIN, SUPERVISOR_PIN)
    app = ServedApp(table)
    yield app
    table.publisher.close()
    app.stop()
    table.close()


@pytest.fixture
def screen(page: Page, app: ServedApp) -> Page:
    """The laboratory, as a supervisor comes to it: by the pad, with the role chosen."""
    page.goto(f"{app.address}/laboratory")
    type_pin(page, SUPERVISOR_PIN)
    page.tap('[data-key="sign-in"]')
    expect(page.locator("h1")).to_have_text("Rules laboratory")
    expect(edge(page)).to_contain_text("3.983059%", timeout=PATIENCE_MS)
    return page


def edge(page: Page) -> Locator:
    return page.locator("tr[data-main]").first


def fits(page: Page) -> bool:
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width == 0


def test_a_supervisor_edits_a_paytable_and_sees_what_it_is_worth(
    screen: Page, app: ServedApp, complaints: Complaints, tmp_path: Path
) -> None:
    expect(screen.locator("[data-chart] svg")).to_be_visible()
    expect(screen.locator("[data-chart]")).to_contain_text("Table T7 now €21,140")
    flush, quads = (screen.locator(f'[data-edit="raise_paytable.{hand}"]') for hand in ("flush", "quads"))
    expect(flush).to_have_value("6:1")

    flush.fill("7:1")
    true = audit(profile_from(edited(document(load_profile("four-seat-fi")), {"raise_paytable.flush": "7:1"})))
    above, below = true.house_edge_fraction.split("/")
    expect(edge(screen)).to_contain_text(f"{true.house_edge:.6%}", timeout=PATIENCE_MS)
    expect(edge(screen)).to_contain_text(f"{above}/{below}")
    expect(edge(screen)).to_contain_text("3.983059%")
    expect(screen.locator("[data-edits]")).to_have_text("Changed values: 1")

    complaints.expect("400")
    quads.fill("rubbish")
    fault = screen.locator('[data-fault="raise_paytable.quads"]')
    expect(fault).to_have_text('Raise, Four of a kind: expected odds like "7:1", found "rubbish"')
    expect(quads).to_have_attribute("aria-invalid", "true")
    expect(flush).to_have_value("7:1")
    expect(edge(screen)).to_contain_text(f"{true.house_edge:.6%}")
    expect(screen.locator("[data-told]")).to_contain_text("What is shown are still the figures of the values before.")

    quads.fill("20:1")
    expect(fault).to_be_hidden()
    expect(screen.locator("[data-told]")).to_be_hidden()
    with screen.expect_download() as downloading:
        screen.tap('[data-key="download"]')
    file = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(file)
    (checked,) = dealer_assist("rules", "check", file, "--json").rows
    assert checked == {"id": "four-seat-fi-T7-edited", "readings": []}
    assert 'flush = "7:1"' in file.read_text("utf-8")

    screen.tap('[data-key="reset"]')
    expect(flush).to_have_value("6:1")
    expect(edge(screen)).not_to_contain_text(f"{true.house_edge:.6%}")


def test_a_losing_reading_warns_and_the_strategy_is_told_by_key_and_by_pointer(screen: Page) -> None:
    for width, height in ((1280, 800), (1024, 768)):
        screen.set_viewport_size({"width": width, "height": height})
        assert fits(screen)
    first = screen.locator('[data-grid] tbody tr:has([data-play="fold"])').first
    folded = first.locator('[data-play="fold"]').first
    folded.click()
    hand = first.locator("th").inner_text()
    said = screen.locator("[data-said]")
    expect(said).to_have_text(
        re.compile(rf"^{hand} against \w+: fold\. A raise is worth -\d\.\d{{6}} antes beside it\.$")
    )
    folded.press("ArrowUp")
    expect(said).not_to_have_text(re.compile(f"^{hand} "))
    screen.locator('[data-play="mixed"]').first.hover()
    expect(said).to_have_text(re.compile(r"raise in \d+\.\d\d% of the cases"))

    screen.select_option("#rules", "four-seat-fi/literal")
    screen.tap('[data-key="show"]')
    warning = screen.locator("[data-warning]")
    expect(warning).to_contain_text("WARNING: ante and raise pay more than they take", timeout=PATIENCE_MS)
    expect(edge(screen)).to_contain_text("-72.215291%")
    assert fits(screen)
