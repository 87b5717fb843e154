"""A real table behind a real app: its service, its SQLite log, its PINs; cards come by commands as a reader's do."""

import itertools
import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from argon2 import PasswordHasher
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dealer_assist.application.camera_report import CameraReport
from dealer_assist.application.ports import (
    CameraHistory,
    CameraPicture,
    CameraPulse,
    CameraState,
    CameraView,
    CameraZone,
    SeenBox,
)
from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import Request, TableService
from dealer_assist.application.views import dealer_view
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import Round
from dealer_assist.game.setup import (
    BetEntry,
    CameraRole,
    MaxPayout,
    MeterSettings,
    Procedure,
    TableSettings,
    TableSetup,
    TimeOut,
    set_up,
)
from dealer_assist.storage.pins import PinBook
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from web_ui.app import DemoControl, TableAccess, create_app

QUICK: Final = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
DEALER_PIN: Final = "402917"
SUPERVISOR_PIN: Final = "851046"
PROFILES: Final = ("four-seat-fi", "live-studio-da", "casino-stud-da", "cyber-stud-nb")


def setup_of(
    profile: str = "four-seat-fi",
    entry: BetEntry = BetEntry.seats,
    *,
    betting_seconds: int = 0,
    time_out: TimeOut = TimeOut.ask_supervisor,
    max_payout: str | None = None,
    camera: CameraRole = CameraRole.off,
) -> TableSetup:
    """A table of this sheet, with the house's choices that a test is about."""
    rules = load_profile(profile)
    settings = TableSettings(
        id="T7",
        profile=profile,
        procedure="felt",
        currency=rules.currency,
        chips=("500.00", "100.00", "25.00", "5.00", "1.00", "0.50"),
        bet_entry=entry,
        limits=(Limit("ante", "5.00", "100.00"),),
        max_payout=MaxPayout(max_payout) if max_payout else None,
        jackpot=MeterSettings("21140.00") if rules.jackpot else None,
    )
    procedure = Procedure("felt", "Felt", time_out=time_out, betting_seconds=betting_seconds)
    return msgspec.structs.replace(set_up(settings, rules, procedure), camera=camera)


class Clock:
    """A table's time: it goes on by a second a look."""

    def __init__(self) -> None:
        self._seconds = itertools.count()

    def __call__(self) -> str:
        minutes, seconds = divmod(next(self._seconds), 60)
        return f"2026-11-30T20:{minutes % 60:02}:{seconds:02}.000000Z"


class TableAtHand:
    """The table, what its app is made from, and the deeds of its reader."""

    def __init__(self, folder: Path, setup: TableSetup, **access: Any) -> None:
        self.setup = setup
        self.log = SqliteLog(folder / "log.sqlite", Seal(secrets.token_bytes(32)))
        self.publisher = Publisher()
        self.service = TableService(self.log, setup, Clock(), self.publisher.publish)
        self.pins = PinBook(folder / "pins.json", hasher=QUICK)
        self.access = TableAccess(
            service=self.service,
            publisher=self.publisher,
            pins=self.pins,
            secret_key=secrets.token_bytes(32),
            **({"setup_token": "a-token-of-this-start"} | access),
        )
        self.app = create_app(self.access)
        self.service.start()

    def close(self) -> None:
        self.publisher.close()
        self.service.stop()
        self.log.close()

    def do(self, *commands: cmd.Command, signed_by: str | None = None) -> None:
        for command in commands:
            self.service.do(Request(command, "test", signed_by))

    @property
    def round(self) -> Round:
        now = self.service.snapshot.table.round
        assert now is not None
        return now

    def bets_for(self, *seats: int, bonus: bool = False, jackpot: bool = False) -> None:
        """Antes, and side bets where the sheet has them."""
        amount = Money(1000) if self.setup.bet_entry is BetEntry.amounts else None
        for seat in map(Seat, seats):
            self.do(cmd.PlaceBet(seat, Bet.ante, amount))
            if bonus and self.setup.profile.bonus:
                self.do(cmd.PlaceBet(seat, Bet.bonus, amount))
            if jackpot and self.setup.profile.jackpot:
                self.do(cmd.PlaceBet(seat, Bet.jackpot))

    def lock(self) -> None:
        self.do(cmd.LockBets(sum(1 for bets in self.round.bets.values() if bets.jackpot)))

    def deal(self, cards: Iterator[Card] | None = None, count: int | None = None) -> None:
        """The reader sees cards leave the shoe: all that are due, or `count`."""
        cards = cards or iter(DECK)
        due = len(self.round.order) - len(self.round.draws)
        for card in itertools.islice(cards, due if count is None else count):
            self.do(cmd.DrawCard("shoe", card))

    def press_primary(self) -> bool:
        """What the primary key would do; false where the felt must act."""
        command = dealer_view(self.service.snapshot).next.command
        if command is not None:
            self.do(command)
        return command is not None


def hands(**cards: str) -> Iterator[Card]:
    """Cards in the order drawn, one at a time: `seat1="As Kd …"`, …, `dealer="…"`."""
    dealt = [parse_cards(codes) for codes in cards.values()]
    return iter([hand[slot] for slot in range(5) for hand in dealt])


def shuffled(seed: int) -> Iterator[Card]:
    cards = list(DECK)
    random.Random(seed).shuffle(cards)
    return iter(cards)


def said(answer: TestResponse) -> dict[str, Any]:
    """The JSON of an answer."""
    body = answer.get_json()
    assert isinstance(body, dict)
    return body


class Robot(DemoControl):
    """A demonstration's robot that only remembers who deals."""

    def __init__(self) -> None:
        self.is_manual = False

    @property
    def manual(self) -> bool:
        return self.is_manual

    def take_over(self) -> None:
        self.is_manual = True

    def resume(self) -> None:
        self.is_manual = False


class Screen:
    """A browser's deeds, without the browser: it signs in, and sends orders for what it last saw."""

    def __init__(self, table: TableAtHand) -> None:
        self.table = table
        self.client: FlaskClient = table.app.test_client()

    def token(self, page: str = "/sign-in") -> str:
        body = self.client.get(page, follow_redirects=True).get_data(as_text=True)
        return body.split('name="csrf-token" content="', 1)[1].split('"', 1)[0]

    def sign_in(self, pin: str = DEALER_PIN, role: str = "dealer") -> TestResponse:
        form = {"csrf_token": self.token(), "role": role, "pin": pin}
        return self.client.post("/sign-in", data=form)

    def order(self, command: cmd.Command, /, **changed: Any) -> TestResponse:
        snapshot = self.table.service.snapshot
        now = snapshot.table.round
        body = {
            "key": secrets.token_hex(16),
            "round": now.number if now else None,
            "expected": snapshot.version,
            "command": msgspec.to_builtins(command),
        } | changed
        return self.post("/dealer/command", body)

    def post(self, address: str, body: object, token: str | None = None) -> TestResponse:
        headers = {"X-CSRFToken": self.token("/dealer") if token is None else token}
        return self.client.post(address, json=body, headers=headers)


class Eye(CameraView):
    """A camera that sees what a test lays before it."""

    def __init__(self) -> None:
        self.now = CameraState(CameraPulse.live)
        self.seen: CameraPicture | None = None

    @property
    def zones(self) -> tuple[CameraZone, ...]:
        return (CameraZone(DEALER, ((10.0, 10.0), (90.0, 10.0), (90.0, 40.0), (10.0, 40.0))),)

    @property
    def state(self) -> CameraState:
        return self.now

    def picture(self) -> CameraPicture | None:
        return self.seen

    def sees(self, number: int, *boxes: SeenBox) -> None:
        """The next picture, with these cards."""
        self.seen = CameraPicture(number, 0.25, (1280, 720), b"jpeg %d" % number, boxes)


def box(place: int | None, card: str = "", *candidates: str) -> SeenBox:
    """A card seen at a place; where `card` is empty, one of the candidates."""
    corners = ((20.0, 20.0), (30.0, 20.0), (30.0, 34.0), (20.0, 34.0))
    named = Card(card) if card else None
    where = None if place is None else Seat(place)
    return SeenBox(corners, 0.97, named, tuple(map(Card, candidates)), where)


class History(CameraHistory):
    """What a test says that the log tells of a camera, and the pictures that are kept."""

    def __init__(self, report: CameraReport, kept: dict[str, bytes] | None = None) -> None:
        self.told = report
        self.kept = kept or {}
        self.asked: list[str] = []

    def report(self) -> CameraReport:
        return self.told

    def evidence(self, name: str) -> bytes | None:
        self.asked.append(name)
        return self.kept.get(name)
