"""A key press: signed, counted once, meant for one state of the table, and refused in words."""

import secrets

import pytest

from dealer_assist.application.service import LogUnavailable
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.money import Money
from dealer_assist.game.round import NoticeKind, Phase
from dealer_assist.game.setup import BetEntry
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import DEALER_PIN, SUPERVISOR_PIN, Screen, TableAtHand, hands, said, setup_of


def test_an_order_is_done_and_answers_with_its_sequence(screen: Screen, table: TableAtHand) -> None:
    answer = screen.order(cmd.OpenRound())
    assert answer.status_code == 200
    assert answer.json == {"seq": table.service.snapshot.version}
    assert table.round.phase is Phase.bets_open
    assert list(table.log.read())[-1].stamp.actor == "dealer"


def test_the_same_order_again_has_the_same_answer_and_is_done_once(screen: Screen, table: TableAtHand) -> None:
    key, before = secrets.token_hex(16), table.service.snapshot.version
    first = screen.order(cmd.OpenRound(), key=key, expected=before, round=None)
    again = screen.order(cmd.OpenRound(), key=key, expected=before, round=None)
    assert (again.status_code, again.json) == (first.status_code, first.json)
    screen.order(cmd.PlaceBet(Seat(1), Bet.ante))
    later = screen.order(cmd.OpenRound(), key=key, expected=before, round=None)
    assert later.json == first.json
    assert table.service.snapshot.version == before + 2


@pytest.mark.parametrize("changed", [{"expected": 1}, {"expected": 10**9}, {"round": "2026-11-30/T7/00:00:00"}])
def test_an_order_for_another_state_is_a_conflict_and_changes_nothing(
    screen: Screen, table: TableAtHand, changed: dict[str, object]
) -> None:
    table.do(cmd.OpenRound())
    before = table.service.snapshot
    answer = screen.order(cmd.PlaceBet(Seat(1), Bet.ante), **changed)
    assert answer.status_code == 409
    assert said(answer)["error"] == "conflict"
    assert table.service.snapshot is before


def test_a_refusal_says_why(screen: Screen, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    answer = screen.order(cmd.PlaceBet(Seat(2), Bet.jackpot))
    assert answer.status_code == 422
    assert answer.json == {"error": "refused", "refusal": "ante_first", "text": "Seat 2: the ante comes first."}


def test_a_refusal_names_the_amount_in_the_tables_currency(new_table: NewTable) -> None:
    table = new_table(setup_of("live-studio-da", BetEntry.amounts))
    screen = Screen(table)
    screen.sign_in()
    table.do(cmd.OpenRound())
    answer = screen.order(cmd.PlaceBet(Seat(3), Bet.ante, Money(10100)))
    assert said(answer)["text"] == "Maximum reached. Seat 3, ante: at most DKK\N{NO-BREAK SPACE}100.00."


def test_an_order_needs_the_pages_token(screen: Screen) -> None:
    body = {"key": secrets.token_hex(16), "round": None, "expected": 2, "command": {"type": "OpenRound"}}
    answer = screen.client.post("/dealer/command", json=body)
    assert answer.status_code == 400
    assert said(answer)["error"] == "stale_page"


def test_an_order_asks_who_presses(table: TableAtHand) -> None:
    answer = Screen(table).order(cmd.OpenRound())
    assert answer.status_code == 401
    assert said(answer)["error"] == "signed_out"


@pytest.mark.parametrize(
    "command",
    [
        cmd.DrawCard("shoe", Card("As")),
        cmd.BurnCard(Card("As")),
        cmd.ReportDiscard("shoe", Card("As")),
        cmd.RegisterJackpot("lamp", Seat(1)),
        cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "E0"),
        cmd.ReportReaderLost("shoe", "gone"),
        cmd.ReportReaderBack("shoe"),
    ],
)
def test_what_only_a_device_can_know_no_person_may_say(screen: Screen, command: cmd.Command) -> None:
    assert screen.order(command).status_code == 400


@pytest.mark.parametrize(
    "changed",
    [
        {"command": {"type": "OpenRound", "repeat": "yes"}},
        {"command": {"type": "OpenRound", "again": True}},
        {"command": {"type": "Nothing"}},
        {"key": "short"},
        {"signed_by": "supervisor"},
        {"expected": None},
    ],
)
def test_what_is_no_order_is_refused(screen: Screen, changed: dict[str, object]) -> None:
    answer = screen.order(cmd.OpenRound(), **changed)
    assert answer.status_code == 400
    assert said(answer)["error"] == "bad_request"


def test_a_body_that_is_too_long_is_not_read(screen: Screen) -> None:
    assert screen.post("/dealer/command", {"key": "x" * 20_000}).status_code == 413


# --- the supervisor --------------------------------------------------------------------------------------------------


def at_decisions(table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1, 2)
    table.lock()
    table.deal()


def test_a_void_asks_for_the_supervisors_pin_in_that_very_order(screen: Screen, table: TableAtHand) -> None:
    at_decisions(table)
    void = cmd.VoidRound("Misdeal")
    assert said(screen.order(void))["refusal"] == "needs_supervisor"
    assert said(screen.order(void, supervisor_pin=DEALER_PIN))["error"] == "wrong_pin"
    assert table.round.phase is Phase.decisions
    assert screen.order(void, supervisor_pin=SUPERVISOR_PIN).status_code == 200
    stamp = list(table.log.read())[-1].stamp
    assert (stamp.actor, stamp.signed_by) == ("dealer", "supervisor")
    assert screen.order(cmd.OpenRound()).status_code == 200


def test_a_wrong_supervisors_pin_counts_towards_the_lock(screen: Screen, table: TableAtHand) -> None:
    at_decisions(table)
    answers = [screen.order(cmd.VoidRound("Misdeal"), supervisor_pin="000001") for _ in range(5)]
    assert {answer.status_code for answer in answers} == {403}
    assert said(answers[-1])["text"] == "Locked. Try again in 30 s."
    assert screen.order(cmd.VoidRound("Misdeal"), supervisor_pin=SUPERVISOR_PIN).status_code == 403


def test_a_signed_order_without_a_reason_is_refused(screen: Screen, table: TableAtHand) -> None:
    at_decisions(table)
    answer = screen.order(cmd.VoidRound(""), supervisor_pin=SUPERVISOR_PIN)
    assert said(answer)["refusal"] == "reason_needed"


def test_a_time_out_on_felt_goes_to_the_supervisor(screen: Screen, table: TableAtHand) -> None:
    at_decisions(table)
    time_out = cmd.TimeOutSeat(Seat(2), Action.fold)
    assert said(screen.order(time_out))["refusal"] == "needs_supervisor"
    assert screen.order(time_out, supervisor_pin=SUPERVISOR_PIN).status_code == 200


# --- what a person may do with cards ---------------------------------------------------------------------------------


def test_a_card_that_lies_face_down_stays_unnamed(screen: Screen, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    answer = screen.order(cmd.EnterCard(Place(Seat(1), 0), Card("As")))
    assert said(answer)["text"] == "A card lying face down stays unnamed: seat 1, card 1."


def test_a_whole_round_takes_eight_presses(new_table: NewTable) -> None:
    table = new_table(setup_of("four-seat-fi"))
    screen = Screen(table)
    screen.sign_in()
    table.do(cmd.OpenRound())
    table.bets_for(1, 2, 3, 4)
    table.do(cmd.LockBets(0), signed_by="supervisor")
    table.do(cmd.VoidRound("practice"), signed_by="supervisor")
    cards = hands(
        seat1="As Ad 7c 8d 2h",
        seat2="Kh Kc 4s 4d Th",
        seat3="2c 5c 9c Js 3c",
        seat4="Qs 3d 6h 8s Td",
        dealer="Ah Kd 9d 6s 4c",
    )
    presses = 0
    while not presses or table.round.phase is not Phase.closed:
        following = screen.table.press_primary()
        if following:
            presses += 1
        else:
            table.deal(cards)
    assert presses == 8


def test_a_log_that_can_not_be_written_is_told_and_changes_nothing(
    screen: Screen, table: TableAtHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise LogUnavailable("disk full")

    before = table.service.snapshot
    monkeypatch.setattr(table.log, "append", full)
    answer = screen.order(cmd.OpenRound())
    assert answer.status_code == 503
    assert said(answer)["error"] == "log_unavailable"
    assert table.service.snapshot is before


def test_an_amount_being_keyed_is_written_by_the_server(screen: Screen) -> None:
    assert said(screen.client.get("/dealer/amount?minor=123450"))["text"] == "€1,234.50"
    assert said(screen.client.get("/dealer/amount?minor=10000"))["text"] == "€100"
    assert screen.client.get("/dealer/amount?minor=-1").status_code == 400


def test_the_dealers_own_open_card_may_be_named(screen: Screen, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    table.bets_for(1)
    table.lock()
    table.deal(count=9)
    assert screen.order(cmd.EnterCard(Place(DEALER, 4), Card("Ah"))).status_code == 200
    assert table.round.phase is Phase.decisions
