"""No message of any screen ever carries a card that lies face down. Source: procedures, "Secrecy"."""

import json
import re
from collections.abc import Callable

import pytest

from dealer_assist.application.service import Snapshot
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Facing, Place, Seat, Upcard
from dealer_assist.game.round import NoticeKind, Phase
from dealer_assist.game.setup import BetEntry, CameraRole
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import PROFILES, Screen, TableAtHand, said, setup_of, shuffled
from web_ui.present import dealer_message
from web_ui.present_sign import sign_message
from web_ui.words import card_name

CODE = re.compile(r"(?<![0-9A-Za-z])([2-9TJQKA][cdhs])(?![0-9A-Za-z])")


def lying_open(snapshot: Snapshot) -> set[Card]:
    """The cards that anyone at the table sees, told without the code under test."""
    table, now = snapshot.table, snapshot.table.round
    if now is None:
        return set()
    deal = table.setup.profile.deal
    upcard = 0 if deal.upcard is Upcard.first else 4
    seen = set()
    for draw, place in zip(now.placed, now.order, strict=False):
        is_upcard = place.holder == DEALER and place.slot == upcard
        faces_up = place.holder != DEALER and deal.players is Facing.up
        if draw.card is not None and (is_upcard or faces_up or place.holder in now.turned):
            seen.add(draw.card)
    return seen


class Watch:
    """Looks at every message that each screen gets."""

    def __init__(self, table: TableAtHand) -> None:
        self.table = table
        self.shown: set[Card] = set()

    def look(self) -> None:
        snapshot = self.table.service.snapshot
        with self.table.app.test_request_context():
            messages = [json.dumps(make(snapshot, "e")) for make in (dealer_message, sign_message)]
            names = {card_name(draw.card): draw.card for draw in self.table.round.draws if draw.card}
        allowed = lying_open(snapshot)
        for message in messages:
            found = {Card(code) for code in CODE.findall(message)}
            found |= {card for name, card in names.items() if name in message}
            assert found <= allowed, (self.table.round.phase, found - allowed)
            self.shown |= found
        assert not CODE.findall(messages[1]), "a sign shows no card at all"

    def do(self, *commands: cmd.Command, signed_by: str | None = None) -> None:
        for command in commands:
            self.table.do(command, signed_by=signed_by)
            self.look()


@pytest.fixture(params=[(profile, entry) for profile in PROFILES for entry in BetEntry], ids="-".join)
def watch(request: pytest.FixtureRequest, new_table: NewTable) -> Watch:
    profile, entry = request.param
    return Watch(new_table(setup_of(profile, entry)))


def deal(watch: Watch, seed: int) -> None:
    watch.do(cmd.OpenRound())
    watch.table.bets_for(1, 2, 4, bonus=True, jackpot=True)
    watch.table.lock()
    for card in shuffled(seed):
        if watch.table.round.phase is not Phase.dealing:
            break
        watch.do(cmd.DrawCard("shoe", card))


def play_out(watch: Watch) -> None:
    while watch.table.round.phase is not Phase.closed:
        assert watch.table.press_primary()
        watch.look()


@pytest.mark.parametrize("seed", range(2))
def test_through_a_whole_round(watch: Watch, seed: int) -> None:
    deal(watch, seed)
    watch.do(cmd.Decide(Seat(4), Action.fold))
    play_out(watch)
    assert len(watch.shown) >= 15


def test_when_every_seat_folds(watch: Watch) -> None:
    deal(watch, 3)
    watch.do(*(cmd.Decide(Seat(seat), Action.fold) for seat in (1, 2, 4)))
    play_out(watch)


def test_through_notices_a_lost_reader_and_a_void(watch: Watch) -> None:
    watch.do(cmd.OpenRound())
    watch.table.bets_for(1, 2, jackpot=True)
    watch.table.lock()
    cards = list(shuffled(4))
    watch.do(*(cmd.DrawCard("shoe", card) for card in cards[:5]))
    watch.do(cmd.DrawCard("shoe", cards[1], "another tag"))
    watch.do(cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "E004"))
    for notice in watch.table.round.open_notices:
        watch.do(cmd.SettleNotice(notice.id, card_lies_there=notice.kind is NoticeKind.unknown_tag))
    watch.do(cmd.ReportReaderLost("shoe", "cable"), cmd.ConfirmCount(9))
    watch.do(cmd.VoidRound("Reader or system failure"), signed_by="supervisor")


@pytest.mark.parametrize("role", [CameraRole.cross_check, CameraRole.source])
def test_through_what_a_camera_sees_too_early(new_table: NewTable, role: CameraRole) -> None:
    """A hand that a player lifts, the dealer's cards before they are turned: seen, and shown to nobody."""
    watch = Watch(new_table(setup_of("four-seat-fi", camera=role)))
    watch.do(cmd.OpenRound())
    watch.table.bets_for(1, 2)
    watch.table.lock()
    cards = list(shuffled(7))
    if role is CameraRole.cross_check:
        watch.do(*(cmd.DrawCard("shoe", card) for card in cards[:15]))
    else:
        watch.do(cmd.ConfirmCount(15))
    assert watch.table.round.phase is Phase.decisions
    strange, number = tuple(cards[20:25]), watch.table.round.number
    for holder in (Seat(1), Seat(2), DEALER):
        watch.do(cmd.ReportHand(number, holder, strange), cmd.ReportHand(number, holder, (), (strange[:2],) * 5))
    assert not watch.table.round.disputes


def test_a_stream_carries_the_same_messages(new_table: NewTable) -> None:
    table = new_table(setup_of("cyber-stud-nb"), open_to_watch=True)
    watch = Watch(table)
    deal(watch, 5)
    with table.app.test_client().get("/dealer/stream") as answer:
        frames = answer.iter_encoded()
        text = b"".join(next(frames) for _ in range(2)).decode()
    assert {Card(code) for code in CODE.findall(text)} == lying_open(table.service.snapshot)


@pytest.mark.parametrize("refuse", [lambda card: cmd.CorrectCard(Place(DEALER, 4), card)])
def test_a_refusal_names_no_card(new_table: NewTable, refuse: Callable[[Card], cmd.Command]) -> None:
    table = new_table(setup_of("four-seat-fi"))
    screen = Screen(table)
    screen.sign_in()
    deal(Watch(table), 6)
    upcard = next(iter(lying_open(table.service.snapshot)))
    text = json.dumps(said(screen.order(refuse(upcard))))
    assert not CODE.findall(text)
