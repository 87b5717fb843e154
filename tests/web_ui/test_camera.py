"""The camera's page and its part of the dealer screen: who sees a picture, what is named in it, and what is disputed."""

import html
import json
import re
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from dealer_assist.application.camera_report import CameraReport, CardTally, DisputeTold, HandTally
from dealer_assist.application.ports import CameraPulse, CameraState
from dealer_assist.game import commands as cmd
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.round import Ending, Phase, Picture
from dealer_assist.game.setup import CameraRole
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import (
    SUPERVISOR_PIN,
    Eye,
    History,
    Screen,
    TableAtHand,
    box,
    hands,
    said,
    setup_of,
)
from web_ui.present import dealer_message
from web_ui.site import site_of

CARDS = {"seat1": "As Ad 7c 8d 2h", "seat2": "Kh Kc 4s 4d Th", "dealer": "Ah Kd 9d 6s 4c"}
NOTHING = CameraReport(0, (), ())
WATCHED = setup_of(camera=CameraRole.cross_check)
ADDRESSES = ("/camera", "/camera/live", "/camera/picture/1", "/camera/log", "/camera/evidence/a.jpg")


@pytest.fixture
def eye() -> Eye:
    eye = Eye()
    eye.sees(1, box(0, "Ah"))
    return eye


@pytest.fixture
def history() -> History:
    return History(NOTHING, {"a.jpg": b"evidence"})


@pytest.fixture
def table(new_table: NewTable, eye: Eye, history: History) -> TableAtHand:
    return new_table(WATCHED, camera=eye, camera_history=history, open_to_watch=True)


class Supervisor(Screen):
    """A supervisor's browser."""

    def __init__(self, table: TableAtHand) -> None:
        super().__init__(table)
        assert self.sign_in(SUPERVISOR_PIN, "supervisor").status_code == 302

    def page(self) -> str:
        answer = self.client.get("/camera")
        assert answer.status_code == 200
        return html.unescape(answer.get_data(as_text=True))

    def log(self) -> str:
        answer = self.client.get("/camera/log")
        return html.unescape(str(said(answer)["shown"]))

    def live(self) -> dict[str, Any]:
        return said(self.client.get("/camera/live"))


@pytest.fixture
def supervisor(table: TableAtHand) -> Supervisor:
    return Supervisor(table)


def to_decisions(table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1, 2)
    table.lock()
    table.deal(hands(**CARDS))


def shows_a_picture(answer: TestResponse) -> bool:
    return "image/" in answer.headers["Content-Type"] or b"jpeg" in answer.data or b"evidence" in answer.data


# --- who may see it --------------------------------------------------------------------------------------------------


def test_it_opens_with_the_supervisors_pin(table: TableAtHand) -> None:
    screen = Screen(table)
    assert screen.client.get("/camera").headers["Location"] == "/sign-in?to=camera"
    form = {"csrf_token": screen.token(), "role": "supervisor", "pin": SUPERVISOR_PIN, "to": "camera"}
    assert screen.client.post("/sign-in", data=form).headers["Location"] == "/camera"
    assert screen.client.get("/camera").status_code == 200


@pytest.mark.parametrize("signed_in", [False, True])
def test_nobody_else_is_given_a_picture(table: TableAtHand, history: History, signed_in: bool) -> None:
    Supervisor(table).live()  # a picture is there to be had
    screen = Screen(table)
    if signed_in:
        screen.sign_in()
    for address in ADDRESSES:
        answer = screen.client.get(address)
        assert answer.status_code == (302 if address == "/camera" and not signed_in else 403)
        assert not shows_a_picture(answer)
    assert history.asked == []


def test_the_dealers_page_says_whose_pin_it_takes(table: TableAtHand) -> None:
    screen = Screen(table)
    screen.sign_in()
    text = html.unescape(screen.client.get("/camera").get_data(as_text=True))
    assert "The camera is shown with the supervisor's PIN. You are signed in as the dealer." in text
    assert 'href="/sign-in?to=camera"' in text


def test_what_the_page_asks_by_itself_keeps_nobody_signed_in(supervisor: Supervisor) -> None:
    [person] = site_of(supervisor.table.app).sessions._people.values()
    supervisor.page()
    before = person.last_act
    for address in ADDRESSES[1:]:
        supervisor.client.get(address)
    assert person.last_act == before
    supervisor.page()
    assert person.last_act > before


def test_a_supervisor_finds_it_among_the_exceptions(table: TableAtHand, supervisor: Supervisor) -> None:
    dealer = Screen(table)
    dealer.sign_in()
    pages = [screen.client.get("/dealer").get_data(as_text=True) for screen in (dealer, supervisor)]
    assert ['href="/camera"' in page for page in pages] == [False, True]


def test_pictures_are_stored_nowhere_on_their_way(supervisor: Supervisor) -> None:
    supervisor.live()
    for address in ADDRESSES:
        answer = supervisor.client.get(address)
        assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
        assert "img-src 'self';" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "name",
    ["b.jpg", "..", "../log.sqlite", "..%2fseal.key", "%2e%2e%2fseal.key", "/etc/passwd", "a.jpg%00", "a.jpg/.."],
)
def test_what_is_no_kept_picture_is_not_found(supervisor: Supervisor, history: History, name: str) -> None:
    answer = supervisor.client.get(f"/camera/evidence/{name}")
    assert answer.status_code == 404
    assert not shows_a_picture(answer)
    assert all("/" not in asked for asked in history.asked)


def test_no_script_or_style_is_inline_and_nothing_comes_from_elsewhere(
    supervisor: Supervisor, history: History
) -> None:
    history.told = CameraReport(1, TALLIES, (DISPUTE, UPHELD), newest=HANDS)
    page = supervisor.client.get("/camera").get_data(as_text=True) + said(supervisor.client.get("/camera/log"))["shown"]
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"""(?:src|href|action)=["'](?!/)""", page)


# --- what it sees now ------------------------------------------------------------------------------------------------


def test_a_table_without_a_camera_says_so(new_table: NewTable) -> None:
    supervisor = Supervisor(new_table())
    page = supervisor.page()
    assert "No camera watches this table." in page
    assert "data-view" not in page
    assert supervisor.client.get("/camera/live").status_code == 404
    assert supervisor.client.get("/camera/evidence/a.jpg").status_code == 404


def test_the_picture_comes_with_what_is_drawn_over_it(supervisor: Supervisor, eye: Eye) -> None:
    eye.sees(7, box(0, "Ah"), box(2, "", "Kd", "Kh"))
    told = supervisor.live()
    assert (told["lit"], told["words"]) == ("good", "● The camera watches")
    picture = told["picture"]
    assert (picture["number"], picture["age_ms"], picture["size"]) == (7, 250, [1280, 720])
    assert [zone["name"] for zone in picture["zones"]] == ["Dealer"]
    sure, unsure = picture["boxes"]
    assert (sure["kind"], sure["name"], sure["share"], len(sure["outline"])) == ("sure", "A♥", "97%", 4)
    assert (unsure["kind"], unsure["name"]) == ("unsure", "K♦/K♥?")
    image = supervisor.client.get(picture["src"])
    assert (image.data, image.mimetype) == (b"jpeg 7", "image/jpeg")


def test_a_picture_stays_a_while_after_the_next_one_came(supervisor: Supervisor, eye: Eye) -> None:
    for number in range(1, 10):
        eye.sees(number)
        supervisor.live()
    found = [supervisor.client.get(f"/camera/picture/{number}").status_code for number in range(1, 11)]
    assert found == [404, *[200] * 8, 404]


@pytest.mark.parametrize(
    ("pulse", "words"), [(CameraPulse.lost, "▲ LOST: no plug"), (CameraPulse.frozen, "▲ FROZEN: no plug")]
)
def test_a_camera_that_fails_is_told_in_words(supervisor: Supervisor, eye: Eye, pulse: CameraPulse, words: str) -> None:
    eye.now, eye.seen = CameraState(pulse, "no plug"), None
    told = supervisor.live()
    assert (told["lit"], told["words"], told["picture"]) == ("bad", words, None)


def test_only_what_lies_open_by_the_round_is_named(supervisor: Supervisor, eye: Eye) -> None:
    """A hand that is lifted, a card that was turned too early: the picture shows them, nothing names them."""
    table = supervisor.table

    def named() -> list[str]:
        return [shown["name"] for shown in supervisor.live()["picture"]["boxes"]]

    eye.sees(1, box(0, "4c"), box(1, "As"), box(None, "7c"), box(2, "", "Kd", "Kh"))
    assert named() == ["4♣", "A♠", "7♣", "K♦/K♥?"]  # before a round nothing is secret: that is how a camera is set up
    to_decisions(table)
    assert named() == ["4♣", "", "", ""]
    eye.sees(2, box(0, "4c"), box(0, "6s"), box(1, "As"))
    assert named() == ["4♣", "", ""]
    table.do(cmd.CloseDecisions())
    assert named() == ["4♣", "6♠", ""]
    table.do(cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(2)))
    assert named() == ["4♣", "6♠", "A♠"]
    kinds = [shown["kind"] for shown in supervisor.live()["picture"]["boxes"]]
    assert kinds == ["sure", "sure", "sure"]


# --- what the log tells ----------------------------------------------------------------------------------------------

RECORDED, SEEN = parse_cards("Qs 3d 6h 8s Td"), parse_cards("Qs 3d 6h 8s Tc")
DISPUTE = DisputeTold(
    "2026-11-30/T7/20:00:03",
    "2026-11-30T20:24:05.1Z",
    "demo-red",
    Seat(4),
    RECORDED,
    SEEN,
    (Picture("whole.jpg", "00"), Picture("crop.jpg", "11", Card("Tc"))),
)
UPHELD = msgspec.structs.replace(
    DISPUTE,
    at="2026-11-30T20:14:05.1Z",
    holder=DEALER,
    pictures=(Picture("old.jpg", "22"),),
    ending=Ending.upheld,
    decided_at="2026-11-30T20:14:25.1Z",
    decided_by="dealer",
    signed_by="supervisor",
    reason="Wrong entry",
)
TALLIES = tuple(
    CardTally("demo-red", card, 100, 60 if card == Card("6s") else 97, 3, 37 if card == Card("6s") else 0, 0)
    for card in DECK
)
HANDS = tuple(HandTally("r", "t", Seat(seat), 5, 0, 0, 0) for seat in (0, 1, 2, 3, 4) for _ in range(8))


def dispute_texts(page: str) -> list[str]:
    pieces = page.split("data-dispute")[1:]
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", piece)) for piece in pieces]


def test_disagreements_are_listed_newest_first_with_how_they_ended(supervisor: Supervisor, history: History) -> None:
    history.told = CameraReport(2, (), (UPHELD, DISPUTE), dropped=frozenset({"old.jpg"}))
    page = supervisor.log()
    open_one, over = dispute_texts(page)
    assert "2026-11-30 20:24:05 GMT · Seat 4" in open_one
    assert "⚠ Not decided yet" in open_one
    assert "◆ 10♦ D" in open_one
    assert "◆ 10♣ C" in open_one
    assert open_one.count("◆") == 2
    assert "· Dealer" in over
    assert "The record stands 2026-11-30 20:14:25, Dealer, signed: Supervisor, Wrong entry" in over
    assert "Removed, kept long enough: Dealer: all that the camera saw" in over
    assert re.findall(r'<img src="(/camera/evidence/[^"]+)"', page) == [
        "/camera/evidence/whole.jpg",
        "/camera/evidence/crop.jpg",
    ]
    assert 'alt="Seat 4, cut out: ten of clubs"' in page


def test_equal_cards_are_marked_once_each(supervisor: Supervisor, history: History) -> None:
    seen = parse_cards("Qs 3d 6h 8s")
    history.told = CameraReport(1, (), (msgspec.structs.replace(DISPUTE, seen=(*seen, Card("Qs"))),))
    [told] = dispute_texts(supervisor.log())
    assert told.count("◆") == 2
    assert told.count("◆ Q♠ S") == 1


def test_a_dispute_without_pictures_says_why(supervisor: Supervisor, history: History) -> None:
    history.told = CameraReport(1, (), (msgspec.structs.replace(DISPUTE, pictures=(), fault="No space left"),))
    assert "No pictures were kept: No space left" in supervisor.log()


def rows(page: str) -> list[tuple[bool, str]]:
    found = re.findall(r'<tr( data-stands-out="yes")?><th scope="row">(?:▲ )?([^<]*)</th>', page)
    return [(bool(out), name) for out, name in found]


def test_a_bad_card_stands_first_and_out(supervisor: Supervisor, history: History) -> None:
    history.told = CameraReport(100, TALLIES, (), newest=HANDS)
    page = supervisor.log()
    found = rows(page)
    cards = [row for row in found if row[1][-1] in "♠♥♦♣"]
    assert cards[0] == (True, "6♠")
    assert len(cards) == 52
    assert not any(out for out, _ in cards[1:])
    assert (False, "demo-red") in found
    assert "60.0% <small>60</small>" in page
    assert "data-moved" not in page


def test_a_single_miss_is_no_bad_card(supervisor: Supervisor, history: History) -> None:
    once = CardTally("demo-red", Card("2c"), 1, 0, 0, 1, 0)
    history.told = CameraReport(100, (*TALLIES[1:], once), ())
    assert (False, "2♣") in rows(supervisor.log())


def test_a_camera_that_was_moved_is_told_though_the_log_is_long(supervisor: Supervisor, history: History) -> None:
    many = tuple(CardTally("demo-red", card, 10_000, 9_990, 5, 5, 0) for card in DECK)
    blind = tuple(msgspec.structs.replace(hand, agreed=0, unseen=5) for hand in HANDS)
    history.told = CameraReport(100_000, many, (), newest=blind)
    page = supervisor.log()
    assert "Of the newest hands much was not read." in page
    assert {name for out, name in rows(page) if out} == {"Dealer", "Seat 1", "Seat 2", "Seat 3", "Seat 4"}


def test_the_page_learns_that_the_log_tells_something_new(supervisor: Supervisor) -> None:
    table = supervisor.table
    marks = [supervisor.live()["records"]]
    to_decisions(table)
    table.do(cmd.CloseDecisions())
    marks.append(supervisor.live()["records"])
    table.do(cmd.ReportHand(table.round.number, DEALER, parse_cards("Ah Kd 9d 6s 4h")))
    marks.append(supervisor.live()["records"])
    table.do(cmd.UpholdRecord(table.round.open_disputes[0].id))
    marks.append(supervisor.live()["records"])
    assert len(set(marks)) == 4
    assert supervisor.live()["records"] == marks[-1]


# --- the dealer screen -----------------------------------------------------------------------------------------------


def message(table: TableAtHand) -> dict[str, Any]:
    with table.app.test_request_context():
        told: dict[str, Any] = json.loads(json.dumps(dealer_message(table.service.snapshot, "e")))
    return told


def test_a_table_without_a_camera_has_no_lamp_for_it(new_table: NewTable) -> None:
    assert message(new_table())["camera"] is None


def test_the_lamp_tells_whether_it_watches_and_why_not(table: TableAtHand) -> None:
    table.do(cmd.ReportCameraBack())
    watching = {"role": "cross-check", "lamp": "watching", "line": "", "reads": False, "dispute": None}
    assert message(table)["camera"] == watching
    table.do(cmd.ReportCameraLost("camera 0 sends no pictures"))
    camera = message(table)["camera"]
    assert camera["lamp"] == "lost"
    assert camera["line"] == "Camera lost: camera 0 sends no pictures. The round goes on without it."


def disputed(table: TableAtHand) -> None:
    """The dealer's hand lies open, and the camera takes its last card for another."""
    to_decisions(table)
    table.do(cmd.ReportCameraBack(), cmd.CloseDecisions())
    table.do(cmd.ReportHand(table.round.number, DEALER, parse_cards("9d Ah 4h Kd 6s")))


def test_a_disputed_hand_is_shown_by_the_record_and_as_it_was_seen(table: TableAtHand) -> None:
    disputed(table)
    told = message(table)
    assert told["camera"]["lamp"] == "disagrees"
    assert told["state"] == "LOOK: THE CAMERA SEES ANOTHER DEALER'S HAND"
    assert (told["next"]["step"], told["next"]["command"]) == ("compare", None)
    dispute = told["camera"]["dispute"]
    assert dispute["title"] == "Dealer: look at the felt. What lies there counts."
    assert [card["card"] for card in dispute["recorded"] if card["differs"]] == ["4c"]
    assert [card["card"] for card in dispute["seen"]] == ["Ah", "Kd", "9d", "6s", "4h"]  # beside their like
    assert [(card["card"], card["name"]) for card in dispute["seen"] if card["differs"]] == [("4h", "four of hearts")]
    assert dispute["signed"] is False


def test_the_round_is_held_until_a_person_says_that_the_record_stands(table: TableAtHand) -> None:
    disputed(table)
    screen = Screen(table)
    screen.sign_in()
    held = screen.order(cmd.ConfirmDealerHand())
    assert (held.status_code, said(held)["text"]) == (422, "The camera disagrees. Look, and decide first.")
    assert screen.order(cmd.UpholdRecord(table.round.open_disputes[0].id)).status_code == 200
    assert message(table)["camera"]["dispute"] is None
    assert screen.order(cmd.ConfirmDealerHand()).status_code == 200
    again = screen.order(cmd.UpholdRecord(1))
    assert (again.status_code, said(again)["text"]) == (422, "The camera disputes nothing any more.")


def test_a_corrected_card_settles_the_dispute(table: TableAtHand) -> None:
    disputed(table)
    screen = Screen(table)
    screen.sign_in()
    assert screen.order(cmd.CorrectCard(Place(DEALER, 4), Card("4h"))).status_code == 200
    assert message(table)["camera"]["dispute"] is None
    assert screen.order(cmd.ConfirmDealerHand()).status_code == 200


@pytest.mark.parametrize(
    "command",
    [
        cmd.ReportHand("x", DEALER, (Card("As"),)),
        cmd.ReportCameraLost("because"),
        cmd.ReportCameraBack(),
        cmd.DropEvidence(("a.jpg",)),
    ],
)
def test_no_person_can_say_what_only_a_camera_knows(table: TableAtHand, command: cmd.Command) -> None:
    supervisor = Supervisor(table)
    assert supervisor.order(command).status_code == 400


def test_a_table_that_reads_by_camera_says_what_is_not_known(new_table: NewTable) -> None:
    table = new_table(setup_of(camera=CameraRole.source))
    table.do(cmd.ReportCameraBack(), cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    told = message(table)
    assert told["camera"]["line"] == "Cards are read by the camera once they lie open; hidden ones are not known."
    assert (told["next"]["step"], told["next"]["key"], told["state"]) == ("all_dealt", "ALL DEALT", "DEAL ALL CARDS")
    assert table.press_primary()
    table.do(cmd.CloseDecisions())
    told = message(table)
    assert told["state"] == "THE CAMERA READS THE DEALER'S HAND"
    assert told["next"]["key"] == "ENTER CARD: DEALER, CARD 1"
    seen = parse_cards("Ah Kd 9d 6s")
    table.do(cmd.ReportHand(table.round.number, DEALER, seen, (parse_cards("4c 4s"),)))
    slots = message(table)["hands"]["0"]["slots"]
    assert [slot.get("card") for slot in slots] == ["Ah", "Kd", "9d", "6s", None]
    assert [card["card"] for card in slots[4]["candidates"]] == ["4c", "4s"]
    assert message(table)["state"] == "DOUBTFUL CARD: TAP THE RIGHT ONE"
    table.do(cmd.ReportCameraLost("no plug"))
    told = message(table)
    assert told["camera"]["line"] == "Camera lost: no plug. Enter open cards by hand; hidden ones are not known."
    assert told["state"] == "ENTER CARD: DEALER, CARD 5"
    table.do(cmd.EnterCard(Place(DEALER, 4), Card("4c")))
    assert table.round.phase is Phase.reveal
