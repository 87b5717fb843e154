"""Who may look, who may press, and how a PIN is tried, set and kept."""

import stat
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from dealer_assist.application.ports import BadPin, PinFault, Role
from dealer_assist.game import commands as cmd
from dealer_assist.game.errors import BadSetting
from dealer_assist.storage.pins import PinBook
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import DEALER_PIN, QUICK, SUPERVISOR_PIN, Robot, Screen, TableAtHand, said
from web_ui.people import Sessions


class Seconds:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_screen_is_shown_to_nobody_who_is_not_signed_in(table: TableAtHand) -> None:
    client = table.app.test_client()
    assert client.get("/dealer").headers["Location"] == "/sign-in"
    assert client.get("/dealer/stream").status_code == 401


def test_a_demonstration_is_shown_to_anyone_but_its_keys_ask_who_presses(new_table: NewTable) -> None:
    screen = Screen(new_table(open_to_watch=True, demo=Robot()))
    page = screen.client.get("/dealer").get_data(as_text=True)
    assert 'data-stream="/dealer/stream"' in page
    assert "data-test-mark" in page
    assert screen.order(cmd.OpenRound()).status_code == 401
    assert screen.post("/demo/take-over", {}).status_code == 401


def test_a_demonstration_takes_orders_only_after_a_person_took_over(new_table: NewTable) -> None:
    screen = Screen(new_table(open_to_watch=True, demo=Robot()))
    screen.sign_in()
    assert said(screen.order(cmd.OpenRound()))["error"] == "robot"
    assert screen.post("/demo/take-over", {}).json == {"manual": True}
    assert screen.order(cmd.OpenRound()).status_code == 200
    assert screen.post("/demo/resume", {}).json == {"manual": False}


def test_a_real_table_has_no_robot(screen: Screen) -> None:
    assert screen.post("/demo/take-over", {}).status_code == 404


def test_the_right_pin_opens_a_new_session(table: TableAtHand) -> None:
    screen = Screen(table)
    screen.client.get("/sign-in")
    before = screen.client.get_cookie("table")
    assert screen.sign_in().headers["Location"] == "/dealer"
    after = screen.client.get_cookie("table")
    assert before is not None
    assert after is not None
    assert before.value != after.value
    assert (after.http_only, after.same_site) == (True, "Strict")
    assert screen.client.get("/dealer").status_code == 200


def test_a_wrong_pin_opens_nothing_and_says_only_that(table: TableAtHand) -> None:
    screen = Screen(table)
    answer = screen.sign_in("000001")
    assert answer.status_code == 403
    assert "Wrong PIN." in answer.get_data(as_text=True)
    assert screen.client.get("/dealer").status_code == 302


def test_after_five_wrong_tries_even_the_right_pin_waits(table: TableAtHand) -> None:
    screen = Screen(table)
    answers = [screen.sign_in("000001") for _ in range(5)]
    assert "Locked. Try again in 30 s." in answers[-1].get_data(as_text=True)
    assert screen.sign_in().status_code == 403
    assert screen.sign_in(SUPERVISOR_PIN, "supervisor").status_code == 302


def test_signing_out_ends_the_session_on_the_server_too(screen: Screen) -> None:
    cookie = screen.client.get_cookie("table")
    assert cookie is not None
    screen.client.post("/sign-out", data={"csrf_token": screen.token("/dealer")})
    assert screen.client.get("/dealer").status_code == 302
    screen.client.set_cookie("table", cookie.value)
    assert screen.client.get("/dealer").status_code == 302


def test_signing_out_ends_the_streams_of_that_session(screen: Screen) -> None:
    opened = threading.Event()

    def listen() -> None:
        with screen.table.app.test_client() as client:
            client.set_cookie("table", screen.client.get_cookie("table").value)  # type: ignore[union-attr]
            for _ in client.get("/dealer/stream").iter_encoded():
                opened.set()

    viewer = threading.Thread(target=listen)
    viewer.start()
    assert opened.wait(5)
    screen.client.post("/sign-out", data={"csrf_token": screen.token("/dealer")})
    screen.table.do(cmd.OpenRound())
    viewer.join(5)
    assert not viewer.is_alive()


def test_a_person_who_does_nothing_is_signed_out() -> None:
    clock = Seconds()
    sessions = Sessions(600, clock)
    person = sessions.begin(Role.dealer)
    clock.now += 599
    assert sessions.find(person.session) is person
    sessions.act(person)
    clock.now += 600
    assert sessions.find(person.session) is person
    clock.now += 1
    assert sessions.find(person.session) is None


def test_a_form_without_its_token_is_refused(table: TableAtHand) -> None:
    answer = table.app.test_client().post("/sign-in", data={"role": "dealer", "pin": DEALER_PIN})
    assert answer.status_code == 400


def test_another_hosts_name_is_not_answered(table: TableAtHand) -> None:
    assert table.app.test_client().get("/sign", headers={"Host": "casino.example"}).status_code == 400


# --- the first run ---------------------------------------------------------------------------------------------------


def first_run(screen: Screen, token: str = "a-token-of-this-start", **changed: str) -> int:
    form = {
        name: pin
        for role, pin in (("dealer", DEALER_PIN), ("supervisor", SUPERVISOR_PIN))
        for name in (role, f"{role}_again")
    }
    page = f"/setup?token={quote(token)}"
    return screen.client.post(
        "/setup", data=form | {"csrf_token": screen.token(page), "token": token} | changed
    ).status_code


def test_the_first_run_sets_both_pins_once(new_table: NewTable) -> None:
    table = new_table(pins=False)
    screen = Screen(table)
    assert "No PINs are set yet" in screen.client.get("/sign-in").get_data(as_text=True)
    assert first_run(screen) == 302
    assert table.pins.verify(Role.supervisor, SUPERVISOR_PIN).right
    assert screen.client.get("/setup?token=a-token-of-this-start").status_code == 404
    assert screen.sign_in().status_code == 302


@pytest.mark.parametrize(
    "changed",
    [
        {"dealer": "123", "dealer_again": "123"},
        {"supervisor": DEALER_PIN, "supervisor_again": DEALER_PIN},
        {"dealer_again": "111111"},
    ],
)
def test_the_first_run_refuses_pins_that_do_not_do(new_table: NewTable, changed: dict[str, str]) -> None:
    table = new_table(pins=False)
    assert first_run(Screen(table), **changed) == 422
    assert not table.pins.are_set


def test_the_first_run_asks_for_the_token_of_this_start(new_table: NewTable) -> None:
    table = new_table(pins=False)
    assert table.app.test_client().get("/setup?token=another").status_code == 403
    assert new_table(pins=False, setup_token="").app.test_client().get("/setup?token=").status_code == 404


# --- the file of PINs ------------------------------------------------------------------------------------------------


def test_only_hashes_are_kept_and_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    PinBook(path).set_up(DEALER_PIN, SUPERVISOR_PIN)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert text.count("$argon2id$") == 2
    assert DEALER_PIN not in text
    assert list(tmp_path.iterdir()) == [path]
    assert PinBook(path).verify(Role.dealer, DEALER_PIN).right


@pytest.mark.parametrize("pin", ["12345", "1234567890123", "48a9210", "", "٤٨٢٩١٠"])
def test_a_pin_has_six_to_twelve_digits(tmp_path: Path, pin: str) -> None:
    with pytest.raises(BadPin) as refused:
        PinBook(tmp_path / "pins.json").set_up(pin, SUPERVISOR_PIN)
    assert refused.value.fault is PinFault.not_six_digits


@pytest.mark.parametrize("pin", ["777777", "123456", "654321", "890123"])
def test_a_pin_is_not_easy_to_guess(tmp_path: Path, pin: str) -> None:
    with pytest.raises(BadPin) as refused:
        PinBook(tmp_path / "pins.json").set_up(SUPERVISOR_PIN, pin)
    assert refused.value.fault is PinFault.too_easy


def test_first_pins_never_go_over_others_but_new_ones_do(tmp_path: Path) -> None:
    one, other = (PinBook(tmp_path / "pins.json", hasher=QUICK) for _ in range(2))
    one.set_up(DEALER_PIN, SUPERVISOR_PIN)
    with pytest.raises(BadPin) as refused:
        other.set_up("271828", "161803")
    assert refused.value.fault is PinFault.already_set
    other.set("271828", "161803")
    assert one.verify(Role.dealer, "271828").right
    assert not one.verify(Role.dealer, DEALER_PIN).right


def test_a_role_is_locked_after_five_wrong_tries_for_thirty_seconds(tmp_path: Path) -> None:
    clock = Seconds()
    book = PinBook(tmp_path / "pins.json", clock, QUICK)
    book.set_up(DEALER_PIN, SUPERVISOR_PIN)
    tries = [book.verify(Role.dealer, "000001") for _ in range(5)]
    assert [verdict.locked_for for verdict in tries] == [0, 0, 0, 0, 30]
    clock.now += 29.5
    assert book.verify(Role.dealer, DEALER_PIN).locked_for == pytest.approx(0.5)
    clock.now += 0.5
    assert book.verify(Role.dealer, DEALER_PIN).right


def test_a_right_pin_forgets_the_wrong_tries(tmp_path: Path) -> None:
    book = PinBook(tmp_path / "pins.json", hasher=QUICK)
    book.set_up(DEALER_PIN, SUPERVISOR_PIN)
    for _ in range(2):
        for _ in range(4):
            assert not book.verify(Role.dealer, "000001").locked_for
        assert book.verify(Role.dealer, DEALER_PIN).right


def test_without_pins_none_is_right(tmp_path: Path) -> None:
    assert not PinBook(tmp_path / "pins.json").verify(Role.dealer, "").right


def test_a_damaged_file_of_pins_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    path.write_text('{"dealer": 5}')
    with pytest.raises(BadSetting, match=r"pins\.json"):
        PinBook(path)
