"""Logged rounds dealt again through the very tracker of the live table, settled, and compared with what was paid."""

from collections.abc import Callable
from functools import cache
from typing import Final

import msgspec

from dealer_assist.application.records import UNREAD, Fault, RoundRecord, recorded_bets, seat_of
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet, Line, Outcome
from dealer_assist.game.cards import parse_card, require_distinct
from dealer_assist.game.dealing import DEALER, HAND_SIZE, Seat
from dealer_assist.game.decide import decide
from dealer_assist.game.dues import unsettled_in_paying_order
from dealer_assist.game.errors import GameError, RuleViolation
from dealer_assist.game.evolve import evolve
from dealer_assist.game.hands import category_of, rank_five
from dealer_assist.game.jackpot import Meter
from dealer_assist.game.money import Money, format_amount, parse_amount
from dealer_assist.game.paying import house_decides, paid_in_paying_order, seat_outcome
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.settlement import qualifies
from dealer_assist.game.setup import (
    BetEntry,
    Cap,
    JackpotEvidence,
    MaxPayout,
    Overrides,
    Procedure,
    TableSetup,
    TimeOut,
    overridden,
)
from dealer_assist.game.table import Table

Profiles = Callable[[str, str | None], RuleProfile]
"""Finds a profile by id (or path) and reading; raises KeyError or UnknownReading."""

_STAMP: Final = cmd.Stamp(at="2000-01-01T00:00:00Z", actor="replay", signed_by="replay")
_PROCEDURE: Final = Procedure(id="replay", title="Replay of a log", time_out=TimeOut.profile)
_READER: Final = "log"


class Played(msgspec.Struct, frozen=True):
    """A record played to its end. `lines` in paying order."""

    table: Table
    lines: tuple[Line, ...]

    @property
    def round(self) -> Round:
        """The round as it ended."""
        assert self.table.round is not None
        return self.table.round


class Replayer:
    """Plays records; keeps the setups it has made, for a log repeats a few."""

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = cache(profiles)
        self._setups: dict[tuple[object, ...], TableSetup] = {}

    def play(self, record: RoundRecord) -> Played:
        """Deal and settle one record.

        Raises: Fault, where it can't be dealt or settled; KeyError and UnknownReading as the profiles do.
        """
        setup = self._setup(record)
        try:
            table = dealt(Table(setup, meter=meter_of(setup, record)), record)
            assert table.round is not None
            return Played(table, paid_in_paying_order(setup, table.round))
        except RuleViolation as violation:
            raise Fault(_told(violation)) from violation
        except GameError as error:
            raise Fault(str(error)) from error

    def _setup(self, record: RoundRecord) -> TableSetup:
        key = (
            record.profile,
            record.reading,
            record.deal,
            record.upcard,
            record.side_bets_after_fold,
            record.unit,
            record.max_payout,
            _keys_amounts(record),
        )
        found = self._setups.get(key)
        if found is None:
            profile = self._profiles(record.profile, record.reading)
            found = self._setups[key] = set_up(record, profile)
        return found


def _keys_amounts(record: RoundRecord) -> bool:
    """Whether the table of a record keyed amounts. In antes, stakes of other than one ante are taken as keyed too."""
    if record.unit != "ante":
        return True
    own = (seat for seat in record.seats.values() if seat.unit != "currency")
    return any(seat.ante != "1.00" or seat.bonus not in (None, "0.00", "1.00") for seat in own)


def set_up(record: RoundRecord, profile: RuleProfile) -> TableSetup:
    """What a record was played by. Raises: Fault."""
    own = Overrides(record.deal, record.upcard, record.side_bets_after_fold)
    profile = overridden(profile, own)
    if record.unit not in (None, "ante", "currency"):
        raise Fault(f'unit: expected "ante" or "currency", found "{record.unit}"')
    keyed = _keys_amounts(record)
    cap = None if record.unit == "ante" and keyed else _cap(record.max_payout, profile)
    return TableSetup(
        table=record.table or "replay",
        profile=profile,
        procedure=_PROCEDURE,
        currency=profile.currency,
        bet_entry=BetEntry.amounts if keyed else BetEntry.seats,
        jackpot_evidence=JackpotEvidence.chip_visible,
        seats=tuple(Seat(number) for number in range(1, profile.seats + 1)),
        chips=(),
        overrides=own,
        cap=cap,
    )


def _cap(found: str | MaxPayout | None, profile: RuleProfile) -> Cap | None:
    if found is None:
        return None
    limit = MaxPayout(found) if isinstance(found, str) else found
    return Cap(_amount("max_payout", limit.amount, profile.minor_digits), limit.per, limit.bets)


def meter_of(setup: TableSetup, record: RoundRecord) -> Meter | None:
    """The jackpot at lock; None where the record has none. Raises: Fault."""
    return None if record.meter is None else Meter(_amount("meter", record.meter, setup.minor_digits))


After = Callable[[Table, cmd.Command], Table]
"""The table after a command. Raises: RuleViolation."""


def _after(table: Table, command: cmd.Command) -> Table:
    for event in decide(table, command, _STAMP):
        table = evolve(table, event)
    return table


def dealt(table: Table, record: RoundRecord, after: After = _after) -> Table:
    """The table after every command that the record stands for. Raises: Fault, GameError."""
    if record.rulings:
        raise Fault(f"rulings: expected none, found row {record.rulings[0].get('row')}: rulings can't be replayed yet")
    if record.void is not None and not record.seats and not record.cards:
        return after(after(table, cmd.OpenRound()), cmd.VoidRound(record.void or "void"))
    table = _bets(table, record, after)
    table = _cards(table, record, after)
    table = _decisions(table, record, after)
    if record.void is not None:
        return after(table, cmd.VoidRound(record.void or "void"))
    return _settled(table, after)


def _bets(table: Table, record: RoundRecord, after: After) -> Table:
    digits = table.setup.minor_digits
    in_antes = record.unit == "ante"
    table = after(table, cmd.OpenRound())
    if not record.seats:
        raise Fault("seats: expected one to four, found none")
    jackpots = 0
    for key in sorted(record.seats):
        seat, bets = seat_of(key), record.seats[key]
        own_digits = 2 if in_antes and bets.unit != "currency" else digits
        table = after(table, cmd.PlaceBet(seat, Bet.ante, _stake(table, f"seats.{key}.ante", bets.ante, own_digits)))
        if bets.bonus is not None and _amount(f"seats.{key}.bonus", bets.bonus, own_digits):
            table = after(
                table, cmd.PlaceBet(seat, Bet.bonus, _stake(table, f"seats.{key}.bonus", bets.bonus, own_digits))
            )
        if bets.jackpot is not None and (stake := _amount(f"seats.{key}.jackpot", bets.jackpot, digits)):
            table = after(table, cmd.PlaceBet(seat, Bet.jackpot, stake))
            jackpots += 1
    table = after(table, cmd.LockBets(jackpots))
    return table if table.setup.bet_entry is BetEntry.amounts else _stated(table, record, after)


def _stated(table: Table, record: RoundRecord, after: After) -> Table:
    """The amounts that a table which keys none was told of all the same."""
    digits = table.setup.minor_digits
    for key, keyed in record.seats.items():
        if keyed.unit == "currency":
            bonus = _amount(f"seats.{key}.bonus", keyed.bonus, digits) if keyed.bonus else Money(0)
            ante = _amount(f"seats.{key}.ante", keyed.ante, digits)
            table = after(table, cmd.StateAmounts(seat_of(key), ante, bonus))
    return table


def _stake(table: Table, path: str, text: str, digits: int) -> Money | None:
    amount = _amount(path, text, digits)
    if amount <= 0:
        raise Fault(f'{path}: expected more than nothing, found "{text}"')
    return amount if table.setup.bet_entry is BetEntry.amounts else None


def _amount(path: str, text: str, digits: int) -> Money:
    try:
        return parse_amount(text, digits)
    except ValueError as error:
        raise Fault(f"{path}: {error}") from None


def _cards(table: Table, record: RoundRecord, after: After) -> Table:
    wanted = HAND_SIZE * (len(record.seats) + 1) + len(record.burned)
    found = len(record.cards)
    if found > wanted or (found < wanted and record.void is None):
        raise Fault(f"cards: expected {wanted} for {len(record.seats)} seats, found {found}")
    if any(not 0 <= at < found for at in record.burned) or len(set(record.burned)) != len(record.burned):
        raise Fault(f"burned: expected indexes into the {found} cards, found {list(record.burned)}")
    cards = tuple(None if code == UNREAD else parse_card(code) for code in record.cards)
    require_distinct(tuple(card for card in cards if card is not None))
    for at, card in enumerate(cards):
        if card is None:
            table = after(table, cmd.MarkUnread())
        elif at in record.burned:
            table = after(table, cmd.BurnCard(card))
        else:
            table = after(table, cmd.DrawCard(_READER, card))
    return table


def _decisions(table: Table, record: RoundRecord, after: After) -> Table:
    for key in sorted(record.seats):
        action, seat = record.seats[key].action, seat_of(key)
        if action is None and record.void is not None:
            continue
        if action not in ("raise", "fold", "timeout"):
            raise Fault(f'seats.{key}.action: expected raise, fold or timeout, found "{action}"')
        if table.round is not None and table.round.phase is Phase.decisions:
            table = after(table, cmd.TimeOutSeat(seat) if action == "timeout" else cmd.Decide(seat, Action(action)))
    return table


def _settled(table: Table, after: After) -> Table:
    table = after(table, cmd.CloseDecisions())
    if table.round is not None and table.round.phase is Phase.reveal:
        table = after(table, cmd.ConfirmDealerHand())
    while table.round is not None and table.round.phase is Phase.settlement:
        waiting = unsettled_in_paying_order(table, table.round)
        table = after(table, cmd.SettleSeat(waiting[0]) if waiting else cmd.SettleJackpot())
    return table


def _told(violation: RuleViolation) -> str:
    data = ", ".join(f"{name} {value}" for name, value in violation.data.items())
    return f"{violation.refusal.value.replace('_', ' ')}{f' ({data})' if data else ''}"


# --- what came of it, and how it compares --------------------------------------------------------------------------


class Difference(msgspec.Struct, frozen=True):
    """A bet that was paid otherwise than the rules ask. `expected` is None for a seat that did not play."""

    seat: str
    bet: str
    recorded: str
    expected: str | None


class SeatOutcome(msgspec.Struct, frozen=True):
    """A seat's hand, how it came out, and its net by bet."""

    category: str | None
    outcome: str
    net: dict[str, str]


class DealerOutcome(msgspec.Struct, frozen=True):
    """The dealer's hand; nulls where fewer than five cards are known."""

    category: str | None
    qualifies: bool | None


class ReplayedRound(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a replay's output."""

    id: str
    dealer: DealerOutcome
    seats: dict[str, SeatOutcome]
    differences: tuple[Difference, ...]
    house_decides: tuple[str, ...] | None = None


_BETS: Final = tuple((bet, bet.value) for bet in Bet)


def outcome_of(record: RoundRecord, played: Played) -> ReplayedRound:
    """What came of a played record, compared with what was recorded. Raises: Fault, on a recorded amount that can't be read."""
    setup, now = played.table.setup, played.round
    nets: dict[Seat, dict[Bet, Money]] = {seat: dict.fromkeys(Bet, Money(0)) for seat in now.seats}
    for line in played.lines:
        nets[line.seat][line.bet] = line.net
    seats = {}
    for seat in now.seats:
        hand, digits = now.known_hand(seat), _digits(record, str(seat), setup)
        outcome = Outcome.void if now.void_reason is not None else seat_outcome(setup, now, seat)
        texts = {name: format_amount(nets[seat][bet], digits[bet]) for bet, name in _BETS}
        seats[str(seat)] = SeatOutcome(category_of(rank_five(hand)).value if hand else None, outcome.value, texts)
    dealer = now.known_hand(DEALER)
    ordinal = rank_five(dealer) if dealer else None
    return ReplayedRound(
        id=record.id,
        dealer=DealerOutcome(
            category_of(ordinal).value if ordinal else None, qualifies(setup.profile, ordinal) if ordinal else None
        ),
        seats=seats,
        differences=_differences(record, seats, setup),
        house_decides=tuple(map(str, house_decides(setup, now))) if now.void_reason is not None else None,
    )


def _digits(record: RoundRecord, seat: str, setup: TableSetup) -> dict[Bet, int]:
    """How many decimals each bet's amounts have; a jackpot bet is never in antes."""
    own = 2 if record.unit == "ante" and record.seats[seat].unit != "currency" else setup.minor_digits
    return {Bet.ante: own, Bet.raise_bet: own, Bet.bonus: own, Bet.jackpot: setup.minor_digits}


def _differences(record: RoundRecord, seats: dict[str, SeatOutcome], setup: TableSetup) -> tuple[Difference, ...]:
    found = []
    recorded: dict[str, dict[Bet, str]] = {key: {} for key in record.recorded or {}}
    for key, bet, amount in recorded_bets(record):
        recorded[key][bet] = amount
    for key, amounts in recorded.items():
        if key not in seats:
            stated = amounts or {Bet.ante: format_amount(Money(0), setup.minor_digits)}
            found += [Difference(key, bet.value, amount, None) for bet, amount in stated.items()]
            continue
        for bet, name in _BETS:
            net, expected = amounts.get(bet), seats[key].net[name]
            if net == expected:
                continue
            digits = _digits(record, key, setup)[bet]
            written = format_amount(Money(0), digits) if net is None else net
            _amount(f"recorded.{key}.{name}", written, digits)
            if written != expected:
                found.append(Difference(key, name, written, expected))
    return tuple(found)
