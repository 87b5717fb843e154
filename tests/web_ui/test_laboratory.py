"""The rules laboratory: who may see it, what its figures say, what becomes of edits, and that no table waits for it."""

import contextlib
import html
import os
import re
import signal
import threading
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

import web_ui.app
from dealer_assist.analysis.policies import FIXED
from dealer_assist.application.ports import WhyNoFigures
from dealer_assist.bootstrap import RulesLaboratory
from dealer_assist.game import commands as cmd
from dealer_assist.game.profile import AfterFold, profile_from
from dealer_assist.game.round import Phase
from dealer_assist.game.setup import Overrides, overridden
from tests.cli.command import dealer_assist
from tests.processes import children, is_running
from tests.served import SUPERVISOR_PIN as SERVED_SUPERVISOR_PIN
from tests.served import Client, ServedTable
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import PROFILES, SUPERVISOR_PIN, Screen, TableAtHand, said, setup_of, shuffled
from web_ui import laboratory_words as named

FLUSH_AT_7 = {"raise_paytable.flush": "7:1"}


@pytest.fixture(scope="module")
def laboratory() -> Iterator[RulesLaboratory]:
    shared = RulesLaboratory()
    yield shared
    shared.close()


class Supervisor(Screen):
    """A supervisor's browser."""

    def __init__(self, table: TableAtHand) -> None:
        super().__init__(table)
        assert self.sign_in(SUPERVISOR_PIN, "supervisor").status_code == 302

    def ask(self, rules: str = "", edits: dict[str, str] | None = None, what: str = "figures") -> TestResponse:
        return self.post(f"/laboratory/{what}", {"rules": rules, "edits": edits or {}})

    def page(self, rules: str = "") -> str:
        answer = self.client.get("/laboratory", query_string={"rules": rules})
        assert answer.status_code == 200
        return html.unescape(answer.get_data(as_text=True))


@pytest.fixture
def supervisor(new_table: NewTable, laboratory: RulesLaboratory) -> Supervisor:
    return Supervisor(new_table(laboratory=laboratory))


def shown(answer: TestResponse) -> str:
    """What the figures say, without the marks of the page."""
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html.unescape(said(answer)["shown"])))


def kill_computing(times: int) -> threading.Thread:
    """In the background: kill the next processes that compute, each while it is at work."""
    known = set(children(os.getpid()))

    def kill() -> None:
        for _ in range(times):
            while not (fresh := set(children(os.getpid())) - known):
                time.sleep(0.01)
            known.update(fresh)
            time.sleep(0.2)
            for pid in fresh:
                os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    return thread


# --- who may see it --------------------------------------------------------------------------------------------------


def test_it_opens_with_the_supervisors_pin(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    screen = Screen(new_table(laboratory=laboratory))
    answer = screen.client.get("/laboratory")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in?to=laboratory")
    pad = screen.client.get("/sign-in?to=laboratory").get_data(as_text=True)
    assert 'value="supervisor" checked' in pad
    form = {"csrf_token": screen.token(), "role": "supervisor", "pin": SUPERVISOR_PIN, "to": "laboratory"}
    assert screen.client.post("/sign-in", data=form).headers["Location"] == "/laboratory"
    assert screen.client.get("/laboratory").status_code == 200


def test_the_dealers_pin_is_not_enough(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    screen = Screen(new_table(laboratory=laboratory, open_to_watch=True))
    for signed_in in (False, True):
        if signed_in:
            screen.sign_in()
            answer = screen.client.get("/laboratory")
            text = html.unescape(answer.get_data(as_text=True))
            assert answer.status_code == 403
            assert "The rules laboratory opens with the supervisor's PIN. You are signed in as the dealer." in text
            assert 'href="/sign-in?to=laboratory"' in text
        for what in ("figures", "document"):
            answer = screen.post(f"/laboratory/{what}", {"rules": ""}, token=screen.token("/sign-in"))
            assert (answer.status_code, said(answer)["error"]) == (403, "supervisor_only")
    assert screen.client.post("/laboratory/figures", json={"rules": ""}).status_code == 400  # without a token


def test_the_pads_way_onward_leads_nowhere_else(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    screen = Screen(new_table(laboratory=laboratory))
    form = {"csrf_token": screen.token(), "role": "supervisor", "pin": SUPERVISOR_PIN, "to": "https://casino.example"}
    assert screen.client.post("/sign-in", data=form).headers["Location"] == "/dealer"


def test_a_supervisor_finds_it_among_the_exceptions(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    table = new_table(laboratory=laboratory)
    dealer = Screen(table)
    dealer.sign_in()
    pages = [screen.client.get("/dealer").get_data(as_text=True) for screen in (dealer, Supervisor(table))]
    assert ['href="/laboratory"' in page for page in pages] == [False, True]


def test_a_table_without_one_has_no_such_page(table: TableAtHand) -> None:
    supervisor = Supervisor(table)
    assert supervisor.client.get("/laboratory").status_code == 404
    assert 'href="/laboratory"' not in supervisor.client.get("/dealer").get_data(as_text=True)


# --- the page --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile", "columns"), list(zip(PROFILES, (3, 4, 3, 3), strict=True)))
def test_every_payment_of_a_sheet_has_its_field(supervisor: Supervisor, profile: str, columns: int) -> None:
    page = supervisor.page(f"{profile}/")
    assert len(set(re.findall(r'data-edit="([^"]+)"', page))) == 10 * columns + 5
    assert "Nothing on this page touches the running table or any file" in page
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)


def test_every_sheet_and_reading_can_be_chosen(supervisor: Supervisor) -> None:
    choices = re.findall(r'<option value="([^"]*)"', supervisor.page())
    assert choices[0] == ""
    assert {"four-seat-fi/", "four-seat-fi/literal", "cyber-stud-nb/ante-pushes", "casino-stud-da/"} <= set(choices)
    assert "It pays more than it takes." in supervisor.page("four-seat-fi/literal")
    for nobody in ("nobody/", "four-seat-fi/nobody", "../tables/felt/", "config/rules/four-seat-fi.toml/"):
        assert supervisor.client.get("/laboratory", query_string={"rules": nobody}).status_code == 404


def test_a_sheet_that_can_not_be_read_says_so_and_keeps_no_other_from_being_shown(
    new_table: NewTable, tmp_path: Path
) -> None:
    class House(RulesLaboratory):
        """A house with one sheet more, which has a typo."""

        def names(self) -> tuple[str, ...]:
            return (*super().names(), "house")

        def sheet(self, name: str) -> Any:
            return {**super().sheet("four-seat-fi"), "seats": 9} if name == "house" else super().sheet(name)

    supervisor = Supervisor(new_table(laboratory=House()))
    page = supervisor.page("house/")
    assert "house, can't be read" in page
    assert "seats: expected 1 to 4, found 9" in page
    assert supervisor.ask("house/").status_code == 400
    assert "data-edit" in supervisor.page()


def test_the_script_says_only_what_the_page_gives_it_and_all_of_it() -> None:
    script = (Path(web_ui.app.__file__).parent / "static" / "js" / "laboratory.js").read_text()
    assert set(re.findall(r"""say\("(\w+)\"""", script)) <= set(named.SPOKEN)
    assert not {name for name in named.SPOKEN if f'"{name}"' not in script}


# --- figures ---------------------------------------------------------------------------------------------------------


def test_the_tables_own_rules_have_their_exact_figures(supervisor: Supervisor) -> None:
    text = shown(supervisor.ask())
    assert "House edge on the ante 3.983059% 28355439569/ 711901089900" in text
    assert "Dealer qualifies 56.318681%" in text
    assert "Always raise 15.365998%" in text
    assert "This table's meter stands at €21,140" in text
    assert "The bet brings back all it takes at a meter of €196,959." in text
    assert "This table has no maximum payout." in text
    assert "WARNING" not in text
    assert "Edited" not in text


def test_an_edit_shows_what_was_and_what_would_be(supervisor: Supervisor) -> None:
    answer = supervisor.ask("", FLUSH_AT_7)
    text = shown(answer)
    assert "3.983059% 28355439569/ 711901089900 3.763757%" in text
    assert "-0.219302%" in text
    assert "Player wins: Flush +15 was +13" in text
    assert said(answer)["begun_anew"] is False


def test_a_reading_that_pays_more_than_it_takes_warns_in_words(supervisor: Supervisor) -> None:
    text = shown(supervisor.ask("four-seat-fi/literal"))
    assert "⚠ WARNING: ante and raise pay more than they take" in text
    assert "-72.215291%" in text


def test_claims_stand_beside_what_is_true(supervisor: Supervisor) -> None:
    text = shown(supervisor.ask("live-studio-da/"))
    assert "Return on the ante 96.30% 96.296322% ✓ holds" in text
    assert "Return on the ante 98.19% 96.296322% ✗ is off" in text
    assert "5+1 The best five" in text


def test_a_maximum_payout_stands_beside_the_round_without_it(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    table = new_table(setup_of(max_payout="20000.00"), laboratory=laboratory)
    text = shown(Supervisor(table).ask())
    assert "Its maximum payout is €20,000 for a hand, on: Ante, Raise, 5+1." in text
    assert re.search(r"All bets €40,100 €20,000 €160,400 €80,000", text)


def test_a_sheet_in_other_money_is_told_by_its_own_limits(supervisor: Supervisor) -> None:
    text = shown(supervisor.ask("cyber-stud-nb/"))
    assert "The sheet's own limits, for its money is not this table's" in text
    assert "$" in text
    assert "This table's meter" not in text


def test_a_tables_own_choices_belong_to_its_rules(new_table: NewTable, laboratory: RulesLaboratory) -> None:
    setup = setup_of()
    own = Overrides(after_fold=AfterFold.stand)
    table = new_table(
        msgspec.structs.replace(
            setup, profile=overridden(setup.profile, own), overrides=own, contribution=Fraction(1, 10)
        ),
        laboratory=laboratory,
    )
    supervisor = Supervisor(table)
    raw = tomllib.loads(said(supervisor.ask("", what="document"))["text"])
    assert raw["jackpot"] == {"stake": "0.50", "contribution": "1/10", "after_fold": "stand", "royal_share": "winner"}
    assert raw["sources"]["jackpot.after_fold"] == raw["sources"]["jackpot.contribution"] == "table T7"
    assert shown(supervisor.ask()) != shown(supervisor.ask("four-seat-fi/"))


def test_every_way_to_play_has_its_name() -> None:
    assert set(named.POLICIES) == {"optimal", *FIXED}
    assert set(named.NO_FIGURES) == set(WhyNoFigures)


# --- bad values ------------------------------------------------------------------------------------------------------


def test_bad_values_are_named_each_with_its_place_and_nothing_is_computed(supervisor: Supervisor) -> None:
    edits = {"raise_paytable.flush": "7;1", "jackpot_paytable.trips": "2", "tie.ante": "push", "win.ante": "1:0"}
    answer = supervisor.ask("", edits)
    assert (answer.status_code, said(answer)["error"]) == (400, "bad_values")
    assert {fault["path"]: fault["finding"] for fault in said(answer)["faults"]} == {
        "raise_paytable.flush": 'expected odds like "7:1", found "7;1"',
        "jackpot_paytable.trips": 'expected a prize like "100%" or "2500.00", found "2"',
        "win.ante": 'expected odds like "7:1", found "1:0"',
    }
    assert supervisor.ask("", edits, "document").status_code == 400


def test_odds_too_fine_to_count_in_are_named_too(supervisor: Supervisor) -> None:
    coprime = {"high_card": "1:999983", "pair": "1:999979", "two_pair": "1:999961", "trips": "1:999959"}
    answer = supervisor.ask("", {f"raise_paytable.{category}": odds for category, odds in coprime.items()})
    assert (answer.status_code, said(answer)["error"]) == (400, "bad_values")


@pytest.mark.parametrize(
    "body", [{}, {"rules": "", "edits": {"tie.ante": 7}}, {"rules": "", "edits": {"tie.ante": "x" * 41}}, {"sheet": ""}]
)
def test_what_is_no_question_is_refused(supervisor: Supervisor, body: dict[str, Any]) -> None:
    answer = supervisor.post("/laboratory/figures", body)
    assert (answer.status_code, said(answer)["error"]) == (400, "bad_request")


# --- the file --------------------------------------------------------------------------------------------------------


def test_an_edited_sheet_is_a_file_that_the_check_takes(supervisor: Supervisor, tmp_path: Path) -> None:
    edits = FLUSH_AT_7 | {"not_qualified_paytable.flush": "2:1", "jackpot_paytable.trips": ""}
    answer = said(supervisor.ask("four-seat-fi/literal", edits, "document"))
    assert answer["name"] == "four-seat-fi-literal-edited.toml"
    file = tmp_path / answer["name"]
    file.write_text(answer["text"], "utf-8")
    (checked,) = dealer_assist("rules", "check", file, "--json").rows
    assert checked == {"id": "four-seat-fi-literal-edited", "readings": []}
    rules = profile_from(tomllib.loads(answer["text"]))
    assert [str(rules.raise_paytable.flush), str(rules.not_qualified_paytable.flush)] == ["7:1", "2:1"]
    assert str(rules.not_qualified.raise_bet) == "1:1"
    assert rules.jackpot_paytable is not None
    assert rules.jackpot_paytable.trips is None


def test_no_edit_touches_the_table_or_a_sheet(supervisor: Supervisor, laboratory: RulesLaboratory) -> None:
    before = supervisor.table.service.snapshot, [laboratory.sheet(name) for name in laboratory.names()]
    shown(supervisor.ask("", FLUSH_AT_7))
    supervisor.ask("four-seat-fi/", FLUSH_AT_7, "document")
    assert (supervisor.table.service.snapshot, [laboratory.sheet(name) for name in laboratory.names()]) == before


# --- beside the table ------------------------------------------------------------------------------------------------


def test_a_computation_that_is_killed_is_begun_anew_and_one_killed_twice_says_so(new_table: NewTable) -> None:
    own = RulesLaboratory()
    supervisor = Supervisor(new_table(laboratory=own))
    killer = kill_computing(2)
    answer = supervisor.ask()
    killer.join(10)
    assert (answer.status_code, said(answer)["error"]) == (503, "no_figures")
    assert said(answer)["text"].startswith("The computation ended twice before it was done. The table is not touched.")
    killer = kill_computing(1)
    answer = supervisor.ask()
    killer.join(10)
    assert "3.983059%" in shown(answer)
    assert said(answer)["begun_anew"] is True
    own.close()


def test_a_table_deals_on_while_the_laboratory_computes(new_table: NewTable) -> None:
    own = RulesLaboratory()
    supervisor = Supervisor(new_table(laboratory=own))
    table = supervisor.table
    dealt = 0
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(supervisor.ask)
        while not asked.done():
            table.do(cmd.OpenRound())
            table.bets_for(1, 2, 3, 4)
            table.lock()
            table.deal(shuffled(dealt))
            while table.round.phase is not Phase.closed:
                table.press_primary()
            dealt += not asked.done()
    assert "3.983059%" in shown(asked.result())
    assert dealt >= 3
    own.close()


def test_a_served_table_ends_in_time_and_takes_its_computation_with_it(tmp_path: Path) -> None:
    with ServedTable(tmp_path) as served:
        served.set_pins()
        client = Client(served.address)
        client.sign_in(SERVED_SUPERVISOR_PIN, "supervisor")
        asking = threading.Thread(target=_asked_in_vain, args=(client,), daemon=True)
        asking.start()
        (worker,) = children(served.process.pid, "dealer-assist")
        while not (computing := children(worker)):
            time.sleep(0.02)
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(5) == 0
        assert not is_running(computing[0])
        asking.join(5)
        assert "Traceback" not in served.said


def _asked_in_vain(client: Client) -> None:
    with contextlib.suppress(OSError, ValueError):  # the server ends before it answers
        client.post_json("/laboratory/figures", {"rules": ""})
