"""Tables and commands drawn at random, for searches."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import msgspec
from hypothesis import strategies as st

from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import DECK
from dealer_assist.game.dealing import Pattern, Place, Seat, Upcard
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Limit
from dealer_assist.game.round import NoticeKind
from dealer_assist.game.setup import (
    BetEntry,
    CameraRole,
    DealOverride,
    MaxPayout,
    MeterSettings,
    PayoutScope,
    TableSetup,
    TimeOut,
)
from tests.game.felt import SHEETS, table_setup

READINGS: Final = {"A": (None, "fold-loses-all"), "B": (None,), "C": (None, "ante-pushes"), "D": (None, "literal")}
LIMITS: Final = (Limit("ante", "5.00", "100.00"),)
AMOUNTS: Final = tuple(map(Money, (100, 500, 1000, 2500, 5000)))
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
numbers = st.sampled_from(["2026-11-30/T1/12:00:00", "2026-11-30/T1/12:00:00/2"])
sets_of_cards = st.lists(cards, max_size=6).map(tuple)
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
    st.builds(cmd.ReportHand, numbers, st.integers(0, 4).map(Seat), sets_of_cards, st.lists(sets_of_cards, max_size=2)),
    st.builds(cmd.UpholdRecord, st.integers(1, 3), reasons),
    st.builds(cmd.ReportCameraLost, st.just("unplugged")),
    st.just(cmd.ReportCameraBack()),
    st.builds(cmd.DropEvidence, st.just(("whole.jpg",))),
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


@dataclass(frozen=True)
class Recipe:
    """What a table is made of, in few words."""

    sheet: str
    reading: int
    entry: BetEntry
    pattern: Pattern
    upcard: Upcard
    time_out: TimeOut
    contribution: str
    cap: str | None
    per: PayoutScope
    counted: str
    camera: CameraRole

    def setup(self) -> TableSetup:
        """The table."""
        keyed = self.entry is BetEntry.amounts
        per = self.per if keyed else PayoutScope.hand
        readings = READINGS[self.sheet]
        changes: dict[str, object] = {
            "bet_entry": self.entry,
            "limits": LIMITS,
            "max_payout": None if self.cap is None else MaxPayout(self.cap, per, tuple(self.counted.split())),
            "deal": DealOverride(self.pattern, self.upcard),
            "time_out": self.time_out,
        }
        if self.sheet != "B":
            changes["jackpot"] = MeterSettings("1000.00", Fraction(self.contribution))
        setup = table_setup(self.sheet, readings[self.reading % len(readings)], **changes)
        return msgspec.structs.replace(setup, camera=self.camera)


recipes = st.builds(
    Recipe,
    sheet=st.sampled_from(sorted(SHEETS)),
    reading=st.integers(0, 1),
    entry=st.sampled_from(BetEntry),
    pattern=st.sampled_from(Pattern),
    upcard=st.sampled_from(Upcard),
    time_out=st.sampled_from(TimeOut),
    contribution=st.sampled_from(["1/2", "1/3"]),
    cap=st.sampled_from([None, None, "300.00", "5000.00"]),
    per=st.sampled_from(PayoutScope),
    counted=st.sampled_from(["raise", "ante raise bonus", "raise jackpot"]),
    camera=st.sampled_from([CameraRole.off, CameraRole.cross_check, CameraRole.cross_check, CameraRole.source]),
)
