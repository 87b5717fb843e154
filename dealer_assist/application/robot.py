"""A dealer without hands: presses the keys of a demonstration table, and draws its cards from the virtual shoe.

It knows the order of the demonstration deck, which is drawn anew from a seed and the game number, so that a table
killed in mid-round finds the same cards in the shoe.
"""

import random
import threading
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import Conflict, LogUnavailable, Request, Snapshot, TableService
from dealer_assist.application.views import Next, Step, next_step
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import GameError
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_five
from dealer_assist.game.money import Money, parse_amount
from dealer_assist.game.round import OVER, Phase, Round
from dealer_assist.game.setup import BetEntry, TableSetup
from dealer_assist.game.table import Table

_say = structlog.get_logger(__name__)

# Seconds at human pace; `speed` divides them.
CARD_S: Final = 0.55
KEY_S: Final = 1.6
SETTLE_S: Final = 2.4

_ROBOT: Final = "demo"


class Shoe(Protocol):
    """Lets a card slide out over the reader."""

    def present(self, card: Card) -> None:
        """The card passes the reader. Raises: OSError where the shoe is gone."""


class Robot:
    """Deals round after round. Taken over, it only lets the cards slide out, and a person presses the keys."""

    def __init__(
        self, service: TableService, publisher: Publisher, shoe: Shoe, *, speed: float, seed: bytes, manual: bool
    ) -> None:
        self._service = service
        self._publisher = publisher
        self._shoe = shoe
        self._speed = speed
        self._seed = seed
        self._manual = threading.Event()
        if manual:
            self._manual.set()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="robot", daemon=True)
        self._wanted: int | None = None
        self._done: Callable[[int], None] | None = None
        self.rounds = 0

    @property
    def manual(self) -> bool:
        """Whether a person presses the keys."""
        return self._manual.is_set()

    def take_over(self) -> None:
        """Leave the keys to a person."""
        self._manual.set()

    def resume(self) -> None:
        """Press the keys again."""
        self._manual.clear()

    def start(self, rounds: int | None, done: Callable[[int], None]) -> None:
        """Begin; after `rounds` rounds call `done` with their number and stop. None: go on for ever."""
        self._wanted, self._done = rounds, done
        self._thread.start()

    def stop(self) -> None:
        """End within a step."""
        self._stopped.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while not self._stopped.is_set():
            snapshot = self._service.snapshot
            try:
                pause = self._step(snapshot)
            except (GameError, Conflict, LogUnavailable, OSError, TimeoutError) as refused:
                # A person's key came first, or the shoe is unplugged: look again.
                _say.info("demonstration step refused", reason=str(refused))
                pause = KEY_S
            if self._done is not None and self._wanted is not None and self.rounds >= self._wanted:
                self._done(self.rounds)
                return
            self._stopped.wait(pause / self._speed)

    def _step(self, snapshot: Snapshot) -> float:
        """One key or one card; the seconds, at human pace, until the next."""
        table, now = snapshot.table, snapshot.table.round
        if now is not None and now.phase is Phase.dealing and not now.open_notices:
            self._draw(snapshot, now)
            return CARD_S
        if self.manual:
            return CARD_S
        running = now if now is not None and now.phase not in OVER else None
        if running is None:
            return self._open(table)
        following = next_step(table, running)
        for command in self._commands(table, running, following):
            self._press(command)
        self._count_closed()
        return SETTLE_S if following.step in (Step.settle_seat, Step.settle_jackpot) else KEY_S

    def _open(self, table: Table) -> float:
        for hit in table.pending_hits:
            self._press(cmd.PayHit(hit.number), signed_by=_ROBOT)
        self._press(cmd.OpenRound())
        return KEY_S

    def _count_closed(self) -> None:
        now = self._service.snapshot.table.round
        self.rounds += now is not None and now.phase in OVER

    def _press(self, command: cmd.Command, signed_by: str | None = None) -> None:
        self._service.do(Request(command, actor=_ROBOT, signed_by=signed_by))

    def _draw(self, snapshot: Snapshot, now: Round) -> None:
        """Let the next card slide out, and wait until the table has seen it."""
        self._shoe.present(self.deck_order(now.number)[len(now.draws)])
        self._publisher.newer_than(snapshot.version, timeout=1.0)

    def deck_order(self, number: str) -> list[Card]:
        """The order in which a round's cards leave the shoe."""
        order = list(DECK)
        # Nothing is at stake: a demonstration must be repeatable, not unpredictable.
        random.Random(self._seed + number.encode()).shuffle(order)  # noqa: S311
        return order

    def _commands(self, table: Table, now: Round, following: Next) -> list[cmd.Command]:
        match following.step:
            case Step.place_bets if not now.bets:
                return self._bets(table.setup, now)
            case Step.decide if not now.decisions:
                return [*self._folds(now), cmd.CloseDecisions()]
            case Step.enter_card if following.place is not None:
                at = now.order.index(following.place)
                return [cmd.EnterCard(following.place, self.deck_order(now.number)[now.draw_index(at)])]
            case Step.state_amounts if following.seat is not None:
                return [cmd.StateAmounts(following.seat, Money(1000))]
            case _:
                return [following.command] if following.command is not None else []

    def _folds(self, now: Round) -> list[cmd.Command]:
        """Sensible players: ace and king or better raise, and so does the best hand, for a show without play is none."""
        order = self.deck_order(now.number)
        hands = {seat: tuple(order[now.draw_index(at)] for at in now.positions[seat]) for seat in now.seats}
        ordinals = {seat: rank_five(hand) for seat, hand in hands.items()}
        weak = [seat for seat, ordinal in ordinals.items() if ordinal > LOWEST_QUALIFYING]
        return [cmd.Decide(seat, Action.fold) for seat in weak if seat != min(ordinals, key=ordinals.__getitem__)]

    def _bets(self, setup: TableSetup, now: Round) -> list[cmd.Command]:
        """Two to four players, some of them with side bets."""
        chance = random.Random(self._seed + b"bets" + now.number.encode())  # noqa: S311
        seats = sorted(chance.sample(setup.seats, chance.randint(min(2, len(setup.seats)), len(setup.seats))))
        return [bet for seat in seats for bet in _seat_bets(setup, seat, chance)]


def _seat_bets(setup: TableSetup, seat: Seat, chance: random.Random) -> list[cmd.Command]:
    keyed = setup.bet_entry is BetEntry.amounts
    lowest = next(
        (parse_amount(limit.lowest, setup.minor_digits) for limit in setup.limits if limit.bounds == "ante"), None
    )
    ante = Money((lowest or setup.chips[-1]) * chance.choice((1, 1, 2, 3, 5)))
    bets: list[cmd.Command] = [cmd.PlaceBet(seat, Bet.ante, ante if keyed else None)]
    if setup.profile.bonus is not None and chance.random() < 0.5:
        bets.append(cmd.PlaceBet(seat, Bet.bonus, (lowest or setup.chips[-1]) if keyed else None))
    if setup.profile.jackpot is not None and chance.random() < 0.7:
        bets.append(cmd.PlaceBet(seat, Bet.jackpot))
    return bets
