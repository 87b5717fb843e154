"""A table driven at random, faults and wrong keys included: what must hold after every command."""

from collections import Counter
from fractions import Fraction
from itertools import chain
from typing import Final

import msgspec
import pytest
from hypothesis import Phase as Stage
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import Step, dealer_view, next_step, sign_view
from dealer_assist.game import camera_events as seen
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import Bet, Result
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.dealing import DEALER
from dealer_assist.game.decide import decide, refusal_of
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve, fold
from dealer_assist.game.looking import open_cards, open_places
from dealer_assist.game.paying import paid_in_paying_order, stakes
from dealer_assist.game.round import OVER, Draw, Phase, Round, Source
from dealer_assist.game.setup import CameraRole
from dealer_assist.game.sight import lies_open
from dealer_assist.game.table import Table
from dealer_assist.storage.codec import decode_event, encode_event
from tests.game.driver import CORRECTED, CORRECTIONS, FAULTS, LOOKS, SIGHTS, Driver
from tests.game.strategies import Recipe, anything, recipes

SIGNED: Final = cmd.Stamp("2026-11-30T12:00:00Z", "dealer", "supervisor")
UNSIGNED: Final = cmd.Stamp("2026-11-30T12:00:00Z", "dealer")
CODES: Final = frozenset(card.value for card in DECK)


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


def told_by_the_camera(table: Table, now: Round) -> set[Card]:
    """What it saw lying open, right or wrong."""
    placed = zip(now.order, now.placed, strict=False)
    candidates = (draw.candidates for at, draw in placed if lies_open(table.setup.profile, now, at))
    return set(chain(*(dispute.seen for dispute in now.open_disputes), *candidates))


def without_cards_face_down(table: Table, now: Round) -> Round:
    """The round as if nobody knew what lies face down."""
    hidden = {
        now.draw_index(at) for at, place in enumerate(now.order) if not lies_open(table.setup.profile, now, place)
    }
    draws = tuple(Draw(None, Source.unread) if at in hidden else draw for at, draw in enumerate(now.draws))
    return msgspec.structs.replace(now, draws=draws)


class AnyTable(RuleBasedStateMachine):
    """The table, its log, and a second table that is told of every event by way of its stored form."""

    table: Table
    stored: Table
    driver: Driver

    @initialize(recipe=recipes, seed=st.integers(0, 10**6))
    def opened(self, recipe: Recipe, seed: int) -> None:
        setup = recipe.setup()
        self.driver = Driver(seed, lambda: self.table, self.give)
        self.log: list[ev.Event] = [ev.TableOpened(setup)]
        if setup.seed is not None:
            self.log.append(ev.MeterSeeded(setup.seed))
        self.table = fold(self.log)
        self.stored = fold([decode_event(encode_event(event)) for event in self.log])

    @property
    def now(self) -> Round | None:
        return self.table.round

    @property
    def watched(self) -> bool:
        return self.table.setup.camera is not CameraRole.off

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
        if isinstance(command, cmd.ReportHand):
            self.check_what_a_camera_leads_to(before, command, events)
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

    @rule(stages=st.integers(1, 3))
    def the_round_goes_on(self, stages: int) -> None:
        for _ in range(stages):
            self.driver.stage()

    @rule(stages=st.integers(4, 10))
    def a_round_is_played(self, stages: int) -> None:
        for _ in range(stages):
            self.driver.stage()

    @precondition(lambda self: self.now is not None and self.now.phase is Phase.dealing)
    @rule(kind=st.sampled_from(FAULTS), at=st.integers(0, 24))
    def something_goes_wrong_while_dealing(self, kind: str, at: int) -> None:
        self.driver.fault(kind, at)

    @precondition(lambda self: self.now is not None and bool(self.now.draws))
    @rule(what=st.sampled_from(LOOKS), at=st.integers(0, 24), lies_there=st.booleans())
    def a_person_looks(self, what: str, at: int, lies_there: bool) -> None:
        self.driver.look(what, at, lies_there=lies_there)

    @precondition(lambda self: self.now is not None and self.now.phase in CORRECTED)
    @rule(what=st.sampled_from(CORRECTIONS), at=st.integers(0, 24), twin=st.integers(0, 30))
    def a_supervisor_corrects(self, what: str, at: int, twin: int) -> None:
        self.driver.correct(what, at, twin)

    @precondition(lambda self: self.now is not None and self.now.phase in CORRECTED and self.watched)
    @rule(looks=st.lists(st.sampled_from(SIGHTS), min_size=1, max_size=4), at=st.integers(0, 19))
    def the_camera_looks(self, looks: list[str], at: int) -> None:
        for n, sight in enumerate(looks):
            self.driver.watch(sight, at + 7 * n)

    @rule(steps=st.integers(1, 4))
    def steps_are_undone(self, steps: int) -> None:
        for _ in range(steps):
            self.give(cmd.Undo())

    @precondition(lambda self: self.now is not None)
    @rule(voided=st.integers(0, 3))
    def a_round_is_voided(self, voided: int) -> None:
        if voided == 0:
            self.give(cmd.VoidRound("shoe jam"))

    @rule(commands=st.lists(anything, min_size=1, max_size=4), signed=st.booleans())
    def anybody_gives_any_command(self, commands: list[cmd.Command], signed: bool) -> None:
        for command in commands:
            self.give(command, SIGNED if signed else UNSIGNED)

    # --- the camera --------------------------------------------------------------------------------------------------

    def check_what_a_camera_leads_to(self, before: Table, look: cmd.ReportHand, events: tuple[ev.Event, ...]) -> None:
        """It tells of open cards and of those it saw, and what lies face down by the record makes no difference to it."""
        old, setup = before.round, before.setup
        if old is None:
            assert not events
            return
        opened = open_cards(setup.profile, old, look.holder)
        for event in events:
            match event:
                case seen.HandCompared():
                    told = (*event.agreed, *event.unsure, *event.unseen, *event.disputed)
                    assert sorted(told) == sorted(opened)
                case seen.HandDisputed():
                    assert (event.recorded, event.seen) == (opened, look.seen)
                case ev.CardEntered():
                    assert setup.camera is CameraRole.source
                    assert event.card in look.seen
                case seen.CandidatesSeen():
                    assert event.place in open_places(setup.profile, old, look.holder)
                    assert set(event.candidates) <= set(chain(look.seen, *look.unsure))
                case _:
                    assert isinstance(event, ev.RoundClosed)
        if setup.camera is CameraRole.cross_check:
            blind = msgspec.structs.replace(before, round=without_cards_face_down(before, old))
            assert decide(blind, look, SIGNED) == events

    @invariant()
    def a_dispute_holds_its_round_and_ends_with_it(self) -> None:
        if self.now is None or not self.now.open_disputes:
            return
        assert self.now.phase in (Phase.decisions, Phase.reveal, Phase.settlement)
        onwards: list[cmd.Command] = [cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleJackpot()]
        for command in (*onwards, *map(cmd.SettleSeat, self.now.seats)):
            assert refusal_of(self.table, command, SIGNED) is not None
        for dispute in self.now.open_disputes:
            assert refusal_of(self.table, cmd.UpholdRecord(dispute.id, "seen"), SIGNED) is None

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
        settled = Counter((line.seat, line.bet) for line in lines)
        assert settled == Counter(made.keys()), f"settled {dict(settled)}, made {made}"
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
        shown -= {card.value for card in told_by_the_camera(self.table, now)}
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


# Without the phase that explains a failure, which takes minutes for a test of so many steps.
_STAGES = (Stage.explicit, Stage.reuse, Stage.generate, Stage.shrink)


class ManyTables(AnyTable):
    """The same, for a long search."""


AnyTable.TestCase.settings = settings(max_examples=100, stateful_step_count=40, phases=_STAGES)
ManyTables.TestCase.settings = settings(max_examples=3000, stateful_step_count=80, phases=_STAGES)

TestAnyTable = pytest.mark.timeout(600)(AnyTable.TestCase)
TestManyTables = pytest.mark.torture(pytest.mark.timeout(3600)(ManyTables.TestCase))
