"""A dealer who plays round after round by chance, makes mistakes, and has a supervisor at hand."""

import random
from collections.abc import Callable
from typing import Final, Protocol

from dealer_assist.application.views import Step, next_step
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import DECK, Card, parse_cards
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.looking import beyond, open_cards, open_places
from dealer_assist.game.money import Money
from dealer_assist.game.round import OVER, Dispute, NoticeKind, Phase, Round
from dealer_assist.game.setup import BetEntry
from dealer_assist.game.sight import lies_open
from dealer_assist.game.table import Table
from tests.game.felt import EXAMPLES

AMOUNTS: Final = (500, 1000, 2500, 100)
FAULTS: Final = ("again", "unknown", "lost", "back", "burn", "unread", "insert", "mat", "discard")
LOOKS: Final = ("take out", "look", "count", "out of turn")
SIGHTS: Final = ("whole", "whole", "some", "unsure", "another", "another", "twice", "strange", "more", "lost", "back")
CORRECTIONS: Final = ("card", "card", "bet", "bonus", "decision", "decision")
CORRECTED: Final = (Phase.decisions, Phase.reveal, Phase.settlement, Phase.closed)


class Give(Protocol):
    """Gives a signed command to the table; False where it is refused."""

    def __call__(self, command: cmd.Command, /) -> bool: ...


class Driver:
    """Drives the table that `table` gives, by commands to `give`; the same seed drives the same way."""

    def __init__(self, seed: int, table: Callable[[], Table], give: Give) -> None:
        self.chance = random.Random(seed)
        self._table = table
        self.give = give
        self._shoe: list[Card] = list(DECK)

    @property
    def now(self) -> Round | None:
        return self._table().round

    def stage(self) -> None:
        """Bets, the lock, the deal, the decisions, or one key after them."""
        now = self.now
        if now is None or now.phase in OVER:
            self._open_and_bet()
        elif now.open_disputes:
            self._decide(now.open_disputes[0])
        elif now.open_notices and now.phase in (Phase.bets_open, Phase.dealing, Phase.decisions):
            self._primary_key(now)
        elif now.phase is Phase.bets_open:
            self._lock(now)
        elif now.phase is Phase.dealing:
            self._deal(self.chance.choice((3, 30, 30)))
        elif now.phase is Phase.decisions:
            for seat in now.seats:
                if self.chance.random() < 0.3:
                    self.give(cmd.Decide(seat, Action.fold))
            self.give(cmd.CloseDecisions())
        else:
            self._primary_key(now)

    def _open_and_bet(self) -> None:
        for hit in self._table().pending_hits:
            assert self.give(cmd.PayHit(hit.number))
        if self.chance.random() < 0.3 and self.give(cmd.OpenRound(repeat=True)):
            return
        assert self.give(cmd.OpenRound())
        setup = self._table().setup
        keyed = setup.bet_entry is BetEntry.amounts
        for seat in sorted(self.chance.sample(setup.seats, self.chance.randint(1, len(setup.seats)))):
            amount = Money(self.chance.choice(AMOUNTS))
            self.give(cmd.PlaceBet(seat, Bet.ante, amount if keyed else None))
            for bet in (Bet.bonus, Bet.jackpot):
                if self.chance.random() < 0.6:
                    self.give(cmd.PlaceBet(seat, bet, amount if keyed and bet is Bet.bonus else None))

    def _lock(self, now: Round) -> None:
        """No more bets, and the shoe is filled; now and then it holds good hands."""
        if not self.give(cmd.LockBets(sum(1 for bets in now.bets.values() if bets.jackpot))):
            self.give(cmd.VoidRound("nobody may play"))
            return
        self._shoe = self.chance.sample(DECK, 52)
        for seat in self.chance.sample(now.seats, self.chance.choice((0, 1, 1, min(2, len(now.seats))))):
            self._rig(seat, parse_cards(EXAMPLES[self.chance.choice(sorted(EXAMPLES))]))

    def _rig(self, seat: Seat, hand: tuple[Card, ...]) -> None:
        locked = self.now
        assert locked is not None
        for at, card in zip(locked.positions[seat], hand, strict=True):
            other = self._shoe.index(card)
            self._shoe[at], self._shoe[other] = self._shoe[other], self._shoe[at]

    def _deal(self, count: int) -> None:
        """Cards over the reader; where the camera is the source most are never read."""
        table = self._table()
        following = next_step(table, table.round) if table.round else None
        if following and following.step is Step.all_dealt and following.command and self.chance.random() < 0.8:
            self.give(following.command)
            return
        for _ in range(count):
            now = self.now
            if now is None or now.phase is not Phase.dealing or now.open_notices:
                return
            at = len(now.draws)
            due = self._shoe[at] if at < len(self._shoe) else DECK[0]
            self.give(cmd.DrawCard("shoe", unseen(now) if now.has_drawn(due) else due))

    def _primary_key(self, now: Round) -> None:
        following = next_step(self._table(), now)
        if following.step is Step.enter_card and following.place is not None:
            assert self.give(cmd.EnterCard(following.place, unseen(now))), "the card asked for is refused"
        elif following.step is Step.state_amounts and following.seat is not None:
            bonus = Money(500) if now.bets[following.seat].bonus else Money(0)
            amounts = cmd.StateAmounts(following.seat, Money(10_000), bonus)
            assert self.give(amounts), "the amounts asked for are refused"
        elif following.command is not None:
            self.give(following.command)

    def _decide(self, dispute: Dispute) -> None:
        """The person who looks finds the record right, or the camera."""
        now, profile = self.now, self._table().setup.profile
        assert now is not None
        seen = beyond(open_cards(profile, now, dispute.holder), dispute.seen)
        wrong = [at for at in open_places(profile, now, dispute.holder) if card_at(now, at) not in dispute.seen]
        corrected = bool(seen and wrong) and self.chance.random() < 0.5
        if not (corrected and self.give(cmd.CorrectCard(wrong[0], seen[0], "seen"))):
            self.give(cmd.UpholdRecord(dispute.id, "seen"))

    def watch(self, sight: str, at: int) -> None:
        """The camera looks at an open hand: it agrees or not, or sees too little, too much, or nothing."""
        now, profile = self.now, self._table().setup.profile
        assert now is not None
        hands = [holder for holder in (DEALER, *now.seats) if open_places(profile, now, holder)]
        holder = hands[at // 5 % len(hands)] if hands else DEALER
        if sight in ("lost", "back"):
            self.give(cmd.ReportCameraLost("unplugged") if sight == "lost" else cmd.ReportCameraBack())
            return
        known = list(open_cards(profile, now, holder))
        unknown = [None] * (len(open_places(profile, now, holder)) - len(known))
        strange = self.chance.sample(DECK, len(unknown) + 2)
        lying = self.chance.sample([*known, *strange[: len(unknown)]], len(known) + len(unknown))
        other = [*lying[1:], strange[-1]]
        sights: dict[str, tuple[list[Card], list[tuple[Card, ...]]]] = {
            "whole": (lying, []),
            "some": (lying[: at % 5], []),
            "unsure": (lying[1:], [(each, strange[-1]) for each in lying[:1]]),
            "another": (other, []),
            "twice": ([*lying[1:], *lying[1:2]], []),
            "strange": (self.chance.sample(DECK, 5), []),
            "more": ([*lying, strange[-1]], []),
        }
        seen, unsure = sights[sight]
        self.give(cmd.ReportHand(now.number, holder, tuple(seen), tuple(unsure)))

    # --- what goes wrong ---------------------------------------------------------------------------------------------

    def fault(self, kind: str, at: int) -> None:
        """Something odd during the deal."""
        now = self.now
        assert now is not None
        place, fresh = now.order[at % len(now.order)], unseen(now)
        faults: dict[str, cmd.Command] = {
            "again": cmd.DrawCard("shoe", next((draw.card for draw in now.draws if draw.card), fresh), "04AA"),
            "unknown": cmd.ReportNotice(NoticeKind.unknown_tag, "shoe", "04DE"),
            "lost": cmd.ReportReaderLost("shoe", "unplugged"),
            "back": cmd.ReportReaderBack("shoe"),
            "burn": cmd.BurnCard(fresh),
            "unread": cmd.MarkUnread(),
            "insert": cmd.InsertUnread(place),
            "mat": cmd.DrawCard("mat", fresh, None, place.holder),
            "discard": cmd.ReportDiscard("rack", fresh),
        }
        self.give(faults[kind])

    def look(self, what: str, at: int, *, lies_there: bool) -> None:
        """A person looks at the felt, and says what lies there."""
        now = self.now
        assert now is not None
        match what:
            case "take out":
                self.give(cmd.TakeOut(now.order[at % len(now.order)]))
            case "look":
                for notice in now.open_notices[:1]:
                    self.give(cmd.SettleNotice(notice.id, lies_there))
            case "count":
                self.give(cmd.ConfirmCount(min(len(now.draws) + at, len(now.order) + len(now.burned))))
            case _:
                self.give(cmd.DrawCard("shoe", unseen(now)))

    def correct(self, what: str, at: int, twin: int) -> None:
        """A supervisor corrects an open card (it may be one that was read elsewhere), a bet or a decision."""
        now = self.now
        assert now is not None
        seat = now.seats[at % len(now.seats)]
        match what:
            case "card":
                known = [draw.card for draw in now.draws if draw.card]
                opened = [place for place in now.order if lies_open(self._table().setup.profile, now, place)]
                card = known[twin] if twin < len(known) else unseen(now)
                self.give(cmd.CorrectCard(opened[at % len(opened)], card, "seen"))
            case "bet" | "bonus":
                kind = Bet.ante if what == "bet" else Bet.bonus
                self.give(cmd.CorrectBet(seat, kind, Money(AMOUNTS[twin % len(AMOUNTS)]), "seen"))
            case _:
                any(self.give(cmd.CorrectDecision(seat, action, "seen")) for action in Action)


def card_at(now: Round, place: Place) -> Card | None:
    """The card recorded at a place."""
    draw = now.draw_at(place)
    return draw.card if draw else None


def unseen(now: Round) -> Card:
    """A card that this round has not drawn."""
    return next(card for card in reversed(DECK) if not now.has_drawn(card))
