"""A table driven by deeds: what players, the dealer and the readers do, so that a test reads as a round is told."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action, Bet, Line
from dealer_assist.game.cards import Card, parse_cards, require_distinct
from dealer_assist.game.dealing import DEALER, Place, Seat, dealing_order
from dealer_assist.game.decide import decide
from dealer_assist.game.dues import unsettled_in_paying_order
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve
from dealer_assist.game.money import Money, format_amount, parse_amount
from dealer_assist.game.paying import paid_in_paying_order
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.setup import BetEntry, MeterSettings, Procedure, TableSettings, TableSetup, TimeOut, set_up
from dealer_assist.game.table import Table
from dealer_assist.storage.profiles import load_profile

SHEETS: Final = {"A": "live-studio-da", "B": "casino-stud-da", "C": "cyber-stud-nb", "D": "four-seat-fi"}

WIDE: Final = Limit("ante", "0.01", "100000.00")

# A hand of each category, and dealers that none of them shares a card with.
EXAMPLES: Final = {
    "royal_flush": "As Ks Qs Js Ts",
    "straight_flush": "9h 8h 7h 6h 5h",
    "quads": "9s 9h 9d 9c 2s",
    "full_house": "9s 9h 9d 2c 2s",
    "flush": "Ks Js 9s 5s 2s",
    "straight": "9s 8h 7d 6c 5s",
    "trips": "9s 9h 9d 6c 2s",
    "two_pair": "9s 9h 6d 6c 2s",
    "pair": "9s 9h 6d 5c 2s",
    "high_card": "As Kh Qh 9c 2s",
}
LOWEST_QUALIFIER: Final = "Ad Kc 4h 3d 2h"
NO_QUALIFIER: Final = "Qd Jc 8d 7c 3h"
NOON: Final = "2026-11-30T12:00:00Z"


def table_setup(sheet: str, reading: str | None = None, **changes: Any) -> TableSetup:
    """A table of one sheet (`"A"` … `"D"`, or a profile's id) that keys amounts; `changes` go into its settings.

    `time_out` goes into its procedure, `profile` replaces the sheet's.
    """
    own = changes.pop("profile", None)
    profile = own if own is not None else load_profile(SHEETS.get(sheet, sheet), reading)
    procedure = Procedure("test", "Test", time_out=changes.pop("time_out", TimeOut.profile))
    settings = TableSettings(
        id="T1",
        profile=profile.id,
        procedure="test",
        currency=profile.currency,
        chips=("0.50", "1.00", "5.00", "25.00", "100.00"),
        bet_entry=BetEntry.amounts,
        limits=(WIDE,),
        jackpot=MeterSettings("20000.00") if profile.jackpot else None,
    )
    return set_up(msgspec.structs.replace(settings, **changes), profile, procedure)


def minor(text: str) -> Money:
    """The minor units of an amount with two decimals."""
    return parse_amount(text, 2)


def place(holder: int, slot: int) -> Place:
    """A place on the felt: seat 1 … 4 or 0 for the dealer; slot 0 … 4."""
    return Place(Seat(holder), slot)


def dealt(setup: TableSetup, hands: Mapping[int, str]) -> tuple[Card, ...]:
    """The cards of hands (seat → five cards; 0 the dealer's) in the order in which they leave the shoe."""
    cards = {holder: parse_cards(codes) for holder, codes in hands.items()}
    seats = tuple(Seat(seat) for seat in sorted(hands) if seat != DEALER)
    require_distinct(tuple(card for hand in cards.values() for card in hand))
    return tuple(cards[at.holder][at.slot] for at in dealing_order(seats, setup.profile.deal.pattern))


class Felt:
    """One table and the events that made it. Deeds come back as themselves, so that they can be strung together."""

    def __init__(self, setup: TableSetup, at: str = NOON) -> None:
        self.at = at
        self.events: list[ev.Event] = [ev.TableOpened(setup)]
        if setup.seed is not None:
            self.events.append(ev.MeterSeeded(setup.seed))
        self.table: Table = evolve(None, self.events[0])
        for event in self.events[1:]:
            self.table = evolve(self.table, event)

    @property
    def setup(self) -> TableSetup:
        """What the table plays by."""
        return self.table.setup

    @property
    def now(self) -> Round:
        """The round."""
        assert self.table.round is not None
        return self.table.round

    @property
    def phase(self) -> str:
        """Where the round stands."""
        return self.now.phase.value

    # --- commands ----------------------------------------------------------------------------------------------------

    def take(self, command: cmd.Command, signed: str | None = None) -> tuple[ev.Event, ...]:
        """Give a command; the events it led to."""
        events = decide(self.table, command, cmd.Stamp(self.at, "dealer", signed))
        for event in events:
            self.table = evolve(self.table, event)
        self.events += events
        return events

    def do(self, *commands: cmd.Command, signed: str | None = None) -> "Felt":
        """Give commands."""
        for command in commands:
            self.take(command, signed)
        return self

    def signed(self, *commands: cmd.Command) -> "Felt":
        """Give commands that a supervisor signs."""
        return self.do(*commands, signed="supervisor")

    def refusal(self, command: cmd.Command, signed: str | None = None) -> Refusal:
        """Why a command is refused; that nothing changed is seen to."""
        before = self.table
        try:
            self.take(command, signed)
        except RuleViolation as violation:
            assert self.table is before
            return violation.refusal
        raise AssertionError(f"{command} was taken")

    # --- deeds -------------------------------------------------------------------------------------------------------

    def open(self, repeat: bool = False) -> "Felt":
        """Bets open."""
        return self.do(cmd.OpenRound(repeat))

    def bet(self, seat: int, ante: str | None = "10.00", bonus: str | None = None, jackpot: bool = False) -> "Felt":
        """A seat bets; where the table keys no amounts, `ante` is None and any `bonus` stands for a chip."""
        keyed = self.setup.bet_entry is BetEntry.amounts
        self.do(cmd.PlaceBet(Seat(seat), Bet.ante, minor(ante) if keyed and ante else None))
        if bonus is not None:
            self.do(cmd.PlaceBet(Seat(seat), Bet.bonus, minor(bonus) if keyed else None))
        return self.do(cmd.PlaceBet(Seat(seat), Bet.jackpot)) if jackpot else self

    def lock(self) -> "Felt":
        """No more bets; the dealer counts the jackpot chips right."""
        return self.do(cmd.LockBets(sum(1 for bets in self.now.bets.values() if bets.jackpot)))

    def draw(self, codes: "str | Iterable[Card]") -> "Felt":
        """Cards leave the shoe over the reader."""
        cards = parse_cards(codes) if isinstance(codes, str) else codes
        return self.do(*(cmd.DrawCard("shoe", card) for card in cards))

    def deal(self, hands: Mapping[int, str]) -> "Felt":
        """Whole hands are dealt, in the table's own pattern."""
        return self.draw(dealt(self.setup, hands))

    def fold(self, *seats: int) -> "Felt":
        """Seats fold."""
        return self.do(*(cmd.Decide(Seat(seat), Action.fold) for seat in seats))

    def reveal(self) -> "Felt":
        """Every decision is in; the dealer turns his cards and confirms them."""
        self.do(cmd.CloseDecisions())
        return self.do(cmd.ConfirmDealerHand()) if self.now.phase is Phase.reveal else self

    def settle(self) -> "Felt":
        """Every seat is settled, then the jackpot, and the round closes."""
        while self.now.phase is Phase.settlement:
            waiting = unsettled_in_paying_order(self.table, self.now)
            self.do(cmd.SettleSeat(waiting[0]) if waiting else cmd.SettleJackpot())
        return self

    def to_dealing(self, *seats: int, **bets: object) -> "Felt":
        """A round locked with an equal bet at each of these seats."""
        self.open()
        for seat in seats:
            self.bet(seat, **bets)  # type: ignore[arg-type]
        return self.lock()

    # --- what came of it ---------------------------------------------------------------------------------------------

    @property
    def lines(self) -> tuple[Line, ...]:
        """The settlement as paid, in paying order."""
        return paid_in_paying_order(self.setup, self.now)

    def net(self, seat: int, bet: str) -> str:
        """What a seat is up or down by one bet, as text; "0.00" where it was not made."""
        nets = [line.net for line in self.lines if line.seat == seat and line.bet == bet]
        assert len(nets) <= 1, f"{bet} of seat {seat} is settled {len(nets)} times"
        return format_amount(nets[0], 2) if nets else "0.00"

    def nets(self, seat: int) -> str:
        """A seat's nets as one line: ante, raise, bonus, jackpot."""
        return " ".join(self.net(seat, bet) for bet in Bet)


def played(setup: TableSetup, hands: Mapping[int, str], *, folds: tuple[int, ...] = (), **bets: object) -> Felt:
    """A round played to its close, with an equal bet at each seat."""
    seats = tuple(seat for seat in hands if seat != DEALER)
    return Felt(setup).to_dealing(*seats, **bets).deal(hands).fold(*folds).reveal().settle()
