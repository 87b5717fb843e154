"""A table driven at random, faults and wrong keys included: what must hold after every command."""

import random
from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import Any, Final

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import Step, dealer_view, next_step, sign_view
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Action, Bet, Result
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.dealing import DEALER, Pattern, Place, Seat, Upcard
from dealer_assist.game.decide import decide, refusal_of
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve, fold
from dealer_assist.game.money import Money
from dealer_assist.game.paying import paid_in_paying_order, stakes
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import OVER, NoticeKind, Phase, Round
from dealer_assist.game.setup import (
    BetEntry,
    DealOverride,
    MaxPayout,
    MeterSettings,
    PayoutScope,
    TableSetup,
    TimeOut,
)
from dealer_assist.game.sight import lies_open
from dealer_assist.game.table import Table
from dealer_assist.storage.codec import decode_event, encode_event
from tests.game.felt import EXAMPLES, SHEETS, table_setup

READINGS: Final = {"A": (None, "fold-loses-all"), "B": (None,), "C": (None, "ante-pushes"), "D": (None, "literal")}
LIMITS: Final = (Limit("ante", "5.00", "100.00"),)
AMOUNTS: Final = tuple(map(Money, (100, 500, 1000, 2500, 5000)))
SIGNED: Final = cmd.Stamp("2026-11-30T12:00:00Z", "dealer", "supervisor")
UNSIGNED: Final = cmd.Stamp("2026-11-30T12:00:00Z", "dealer")
REPORTED: Final = tuple(
    NoticeKind(kind) for kind in ("unknown_tag", "other_deck", "collision", "shoe_empty", "jam", "card_lifted")
)

seats = st.integers(1, 4).map(Seat)
places = st.builds(Place, st.integers(0, 4).map(Seat), st.integers(0, 4))
cards = st.sampled_from(DECK)
actions = st.sampled_from(Action)
reasons = st.sampled_from(["seen", " "])
amounts = st.sampled_from((*AMOUNTS, Money(0), Money(-100)))
readers = st.sampled_from(["shoe", "mat"])
anything = st.one_of(
    st.builds(cmd.OpenRound, st.booleans()),
    st.builds(cmd.PlaceBet, seats, st.sampled_from(Bet), st.one_of(st.none(), amounts)),
    st.builds(cmd.RemoveBet, seats, st.sampled_from(Bet)),
    st.just(cmd.DoubleBets()),
    st.builds(cmd.LockBets, st.integers(0, 4)),
    st.builds(cmd.DrawCard, readers, cards, st.none(), st.one_of(st.none(), st.integers(0, 4).map(Seat))),
    st.builds(cmd.ReportDiscard, readers, cards),
    st.builds(cmd.RegisterJackpot, readers, seats),
    st.builds(cmd.BurnCard, cards),
    st.builds(cmd.EnterCard, places, cards),
    st.just(cmd.MarkUnread()),
    st.builds(cmd.InsertUnread, places),
    st.builds(cmd.TakeOut, places),
    st.builds(cmd.CorrectCard, places, cards, reasons),
    st.builds(cmd.ReportNotice, st.sampled_from(REPORTED), readers, st.sampled_from(["04DE", "blue", "2"])),
    st.builds(cmd.SettleNotice, st.integers(1, 4), st.booleans()),
    st.builds(cmd.ConfirmCount, st.integers(0, 27)),
    st.builds(cmd.ReportReaderLost, readers, st.just("unplugged")),
    st.builds(cmd.ReportReaderBack, readers),
    st.builds(cmd.Decide, seats, actions),
    st.builds(cmd.TimeOutSeat, seats, st.one_of(st.none(), actions)),
    st.just(cmd.CloseDecisions()),
    st.just(cmd.ConfirmDealerHand()),
    st.builds(cmd.StateAmounts, seats, amounts, amounts),
    st.builds(cmd.SettleSeat, seats),
    st.just(cmd.SettleJackpot()),
    st.builds(cmd.VoidRound, reasons),
    st.just(cmd.Undo()),
    st.builds(cmd.CorrectBet, seats, st.sampled_from(Bet), amounts, reasons),
    st.builds(cmd.CorrectDecision, seats, actions, reasons),
    st.just(cmd.CallSupervisor()),
    st.just(cmd.AnswerCall()),
    st.builds(cmd.PayHit, st.just("2026-11-30/T1/12:00:00")),
    st.builds(cmd.RecordExport, reasons, st.just("round/1"), st.just(1)),
)


@st.composite
def setups(draw: Any) -> TableSetup:
    """A table of any sheet, keyed or not, with and without a maximum payout."""
    sheet = draw(st.sampled_from(sorted(SHEETS)))
    entry = draw(st.sampled_from(BetEntry))
    scope = draw(st.sampled_from(PayoutScope)) if entry is BetEntry.amounts else PayoutScope.hand
    bets = draw(st.sampled_from([("raise",), ("ante", "raise", "bonus"), ("raise", "jackpot")]))
    cap = draw(
        st.one_of(
            st.none(), st.builds(MaxPayout, st.sampled_from(["300.00", "5000.00"]), st.just(scope), st.just(bets))
        )
    )
    changes: dict[str, object] = {
        "bet_entry": entry,
        "limits": LIMITS,
        "max_payout": cap,
        "deal": DealOverride(draw(st.sampled_from(Pattern)), draw(st.sampled_from(Upcard))),
        "time_out": draw(st.sampled_from(TimeOut)),
    }
    if sheet != "B":
        changes["jackpot"] = MeterSettings("1000.00", draw(st.sampled_from([Fraction(1, 2), Fraction(1, 3)])))
    return table_setup(sheet, draw(st.sampled_from(READINGS[sheet])), **changes)


def codes_in(value: object) -> set[str]:
    """Every card code among the texts of a screen's data."""
    match value:
        case str():
            return {value} & CODES
        case dict():
            return set(chain.from_iterable(codes_in(each) for each in chain(value, value.values())))
        case list() | tuple():
            return set(chain.from_iterable(map(codes_in, value)))
        case _:
            return set()


CODES: Final = frozenset(card.value for card in DECK)


class AnyTable(RuleBasedStateMachine):
    """The table, its log, and a second table that is told of every event by way of its stored form."""

    table: Table
    stored: Table

    @initialize(setup=setups(), seed=st.integers(0, 10**6))
    def opened(self, setup: TableSetup, seed: int) -> None:
        self.chance = random.Random(seed)
        self.shoe: list[Card] = []
        self.log: list[ev.Event] = [ev.TableOpened(setup)]
        if setup.seed is not None:
            self.log.append(ev.MeterSeeded(setup.seed))
        self.table = fold(self.log) or Table(setup)
        self.stored = fold([decode_event(encode_event(event)) for event in self.log]) or Table(setup)

    @property
    def now(self) -> Round | None:
        return self.table.round

    # --- commands ----------------------------------------------------------------------------------------------------

    def give(self, command: cmd.Command, stamp: cmd.Stamp = SIGNED) -> bool:
        """Whether a command was taken. One that was refused has changed nothing."""
        before = self.table
        try:
            events = decide(self.table, command, stamp)
        except RuleViolation:
            return False
        for event in events:
            self.table = evolve(self.table, event)
            self.stored = evolve(self.stored, decode_event(encode_event(event)))
        self.log += events
        self.check_money_of_a_round_that_ended(before, events)
        self.check_undo(before, command)
        return True

    def check_undo(self, before: Table, command: cmd.Command) -> None:
        """A step that can be undone leads back to the very table before it."""
        old, new = before.round, self.now
        if new is None or old is None or isinstance(command, cmd.Undo | cmd.OpenRound):
            return
        if new.before is None or new.before is old.before:
            return
        undone = self.table
        for event in decide(self.table, cmd.Undo(), SIGNED):
            undone = evolve(undone, event)
        assert undone == before, f"{command} and its undo"

    @rule(command=anything, signed=st.booleans())
    def anybody_gives_any_command(self, command: cmd.Command, signed: bool) -> None:
        self.give(command, SIGNED if signed else UNSIGNED)

    @precondition(lambda self: self.now is None or self.now.phase in OVER)
    @rule(repeat=st.booleans())
    def a_round_opens(self, repeat: bool) -> None:
        for hit in self.table.pending_hits:
            assert self.give(cmd.PayHit(hit.number))
        if not self.give(cmd.OpenRound(repeat)):
            assert self.give(cmd.OpenRound())

    @precondition(lambda self: self.now is not None and self.now.phase is Phase.bets_open)
    @rule(seat=seats, amount=st.sampled_from(AMOUNTS), sides=st.sets(st.sampled_from([Bet.bonus, Bet.jackpot])))
    def a_seat_bets(self, seat: Seat, amount: Money, sides: set[Bet]) -> None:
        keyed = self.table.setup.bet_entry is BetEntry.amounts
        self.give(cmd.PlaceBet(seat, Bet.ante, amount if keyed else None))
        for bet in sorted(sides):
            self.give(cmd.PlaceBet(seat, bet, amount if keyed and bet is Bet.bonus else None))

    @precondition(lambda self: self.now is not None and self.now.phase is Phase.bets_open)
    @rule(rigged=st.one_of(st.none(), st.sampled_from(sorted(EXAMPLES))))
    def bets_lock(self, rigged: str | None) -> None:
        assert self.now is not None
        self.give(cmd.LockBets(sum(1 for bets in self.now.bets.values() if bets.jackpot)))
        self.shoe = self.chance.sample(DECK, 52)
        if rigged is not None and self.now.phase is Phase.dealing:
            self.rig(self.now, parse_cards(EXAMPLES[rigged]))

    def rig(self, now: Round, hand: tuple[Card, ...]) -> None:
        """The shoe holds a good hand for one of the seats."""
        rest = [card for card in self.shoe if card not in hand]
        positions = now.positions[self.chance.choice(now.seats)]
        for at, card in zip(positions, hand, strict=True):
            rest.insert(at, card)
        self.shoe = rest

    @precondition(lambda self: self.now is not None and self.now.phase is Phase.dealing)
    @rule(count=st.integers(1, 25))
    def cards_leave_the_shoe(self, count: int) -> None:
        for _ in range(count):
            if self.now is None or self.now.phase is not Phase.dealing:
                return
            self.give(cmd.DrawCard("shoe", self.next_card(self.now)))

    def next_card(self, now: Round) -> Card:
        """The card due; where that was drawn already, the first that was not."""
        at = len(now.draws)
        due = self.shoe[at] if at < len(self.shoe) else DECK[0]
        return due if not now.has_drawn(due) else next(card for card in DECK if not now.has_drawn(card))

    @precondition(lambda self: self.now is not None and self.now.phase is Phase.decisions)
    @rule(folds=st.sets(seats, max_size=3))
    def seats_fold_and_the_dealer_turns(self, folds: set[Seat]) -> None:
        for seat in sorted(folds):
            self.give(cmd.Decide(seat, Action.fold))
        self.give(cmd.CloseDecisions())

    @precondition(lambda self: self.now is not None and self.now.phase not in OVER)
    @rule(keys=st.integers(1, 6))
    def the_dealer_presses_the_primary_key(self, keys: int) -> None:
        for _ in range(keys):
            now = self.now
            if now is None or now.phase in OVER:
                return
            following = next_step(self.table, now)
            if following.step is Step.enter_card and following.place is not None:
                unseen = next(card for card in DECK if not now.has_drawn(card))
                assert self.give(cmd.EnterCard(following.place, unseen)), "the card asked for is refused"
            elif following.step is Step.state_amounts and following.seat is not None:
                bonus = Money(500) if now.bets[following.seat].bonus else Money(0)
                assert self.give(cmd.StateAmounts(following.seat, Money(10_000), bonus)), (
                    "the amounts asked for are refused"
                )
            elif following.command is not None:
                self.give(following.command)

    @precondition(lambda self: self.now is not None and self.now.phase in (Phase.settlement, Phase.closed))
    @rule(
        seat=seats,
        action=actions,
        card=cards,
        slot=st.integers(0, 4),
        what=st.sampled_from(["card", "bet", "decision"]),
    )
    def a_supervisor_corrects(self, seat: Seat, action: Action, card: Card, slot: int, what: str) -> None:
        match what:
            case "card":
                self.give(cmd.CorrectCard(Place(seat, slot), card, "seen"))
            case "bet":
                self.give(cmd.CorrectBet(seat, Bet.ante, Money(1500), "seen"))
            case _:
                self.give(cmd.CorrectDecision(seat, action, "seen"))

    # --- money -------------------------------------------------------------------------------------------------------

    def check_money_of_a_round_that_ended(self, before: Table, events: tuple[ev.Event, ...]) -> None:
        for event in events:
            if isinstance(event, ev.RoundVoided):
                self.check_void(before, event)
        if any(isinstance(event, ev.RoundClosed) for event in events) and self.now is not None:
            self.check_closed(self.now)

    def check_void(self, before: Table, event: ev.RoundVoided) -> None:
        """What was paid comes back, and what lies on the felt goes back: every seat's net is nothing."""
        old = before.round
        assert old is not None
        lines = chain(chain.from_iterable(old.settled.values()), old.aside or ())
        due = {(line.seat, line.bet): -line.net for line in lines}
        for seat in old.seats:
            for bet, stake, _ in stakes(before.setup, old, seat):
                due.setdefault((seat, bet), stake)
        assert {(refund.seat, refund.bet): refund.amount for refund in event.refunds} == due

    def check_closed(self, now: Round) -> None:
        """Each bet that was made has one line of its own stake, and what players win the house pays."""
        lines = paid_in_paying_order(self.table.setup, now)
        made = {(seat, bet): stake for seat in now.seats for bet, stake, _ in stakes(self.table.setup, now, seat)}
        assert Counter((line.seat, line.bet) for line in lines) == Counter(made)
        assert {(line.seat, line.bet): line.stake for line in lines} == made
        for line in lines:
            house = {Result.take: line.stake, Result.push: 0, Result.pay: -line.amount}[line.result]
            if line.bet is Bet.jackpot and line.result is Result.pay:
                house += line.stake
            assert line.net + house == 0

    # --- what always holds -------------------------------------------------------------------------------------------

    @invariant()
    def the_stored_log_leads_to_the_same_table(self) -> None:
        assert self.stored == self.table

    @invariant()
    def the_meter_is_its_ledger(self) -> None:
        if self.table.meter is None:
            return
        ledger = Fraction(0)
        for event in self.log:
            match event:
                case ev.MeterSeeded():
                    ledger += event.seed
                case ev.JackpotFed():
                    ledger += event.increment
                case ev.JackpotFeedReversed():
                    ledger -= event.increment
                case ev.HitFrozen():
                    ledger -= event.amount
                case _:
                    pass
        assert self.table.meter.exact == ledger
        assert self.table.meter.shown >= 0

    @invariant()
    def a_hit_is_frozen_once_a_round(self) -> None:
        frozen = 0
        for event in self.log:
            frozen = 0 if isinstance(event, ev.RoundOpened) else frozen + isinstance(event, ev.HitFrozen)
            assert frozen <= 1

    @invariant()
    def no_card_lies_twice_and_no_place_is_dealt_twice(self) -> None:
        if self.now is None:
            return
        known = [draw.card for draw in self.now.draws if draw.card is not None]
        assert len(set(known)) == len(known)
        assert len(self.now.placed) <= len(self.now.order)
        assert len(self.now.order) in (0, 5 * (len(self.now.seats) + 1))

    @invariant()
    def nothing_is_paid_on_a_hand_that_is_not_turned(self) -> None:
        if self.now is not None and self.now.settled:
            assert self.now.turned >= {DEALER, *self.now.settled}

    @invariant()
    def no_screen_fails_or_shows_a_card_that_lies_face_down(self) -> None:
        snapshot = Snapshot(len(self.log), self.table, SIGNED.at)
        shown = codes_in(msgspec.to_builtins([dealer_view(snapshot), sign_view(snapshot)]))
        now, profile = self.now, self.table.setup.profile
        if now is None:
            assert not shown
            return
        placed = zip(now.order, now.placed, strict=False)
        assert shown <= {draw.card.value for at, draw in placed if draw.card and lies_open(profile, now, at)}
        if now.phase in (Phase.dealing, Phase.decisions) and profile.deal.players.value != "up":
            assert len(shown) <= 1

    @invariant()
    def the_primary_key_is_taken(self) -> None:
        if self.now is None or self.now.phase in OVER:
            return
        following = next_step(self.table, self.now)
        if following.command is None:
            return
        refused = refusal_of(self.table, following.command, SIGNED)
        too_low = following.step is Step.place_bets and refused is not None and refused.refusal is Refusal.under_limit
        assert refused is None or too_low, f"{following.command}: {refused}"

    def teardown(self) -> None:
        if hasattr(self, "log"):
            assert fold(self.log) == self.table


TestAnyTable = AnyTable.TestCase
TestAnyTable.settings = settings(max_examples=100, stateful_step_count=40)
