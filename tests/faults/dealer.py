"""A dealer who plays a round by the next step on the screen, while at one moment of it something goes wrong.

He is attentive and knows nothing of the fault: he sees the screen, the felt, and the reader's lamp. He answers what he
is asked by what lies on the felt, compares every open card with the screen, and looks whether the screen keeps up
with his hands. What he has to do is the outcome.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from dealer_assist.application.views import DealerView, ShownPhase, Step, dealer_view
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.money import Money
from dealer_assist.game.round import COUNT_FIRST, OVER, Notice, Phase
from dealer_assist.game.sight import Face, sight
from tests.faults.felt import READER, Felt, wait_until

SEATS: Final = (Seat(1), Seat(2))
ANTE: Final = Money(1000)
CARDS: Final = 5 * (len(SEATS) + 1)


class Moment(StrEnum):
    """When something goes wrong: at one of the cards dealt, or while none is due."""

    bets_open = "bets open"
    first = "first card"
    middle = "mid-deal"
    last = "last card"
    decisions = "decisions"
    reveal = "reveal"
    settlement = "settlement"
    closed = "closed"


DEALT_AS: Final = {Moment.first: 1, Moment.middle: 8, Moment.last: CARDS}


class Shows(StrEnum):
    """What a dealer can wait for when a card with a fault has passed."""

    card = "card"  # it is on the screen
    notice = "notice"  # he is asked to look
    damage = "damage"  # damaged frames are counted
    loss = "loss"  # the reader's lamp goes out
    nothing = "nothing"


class Fault(msgspec.Struct, frozen=True):
    """One fault: its point in the script, what shows, how many cards it takes.

    `again`: while no card is due, it is a card already dealt that is read. `damages`: damage is counted, although the
    card is read. `misleads`: the table can't know that what it read is wrong. `kills`: the device is silent from it on.
    """

    name: str
    shows: Shows
    cards: int = 1
    again: bool = False
    damages: bool = False
    misleads: bool = False
    kills: bool = False


class Dealer:
    """Plays one round, with a fault at a moment or with none.

    `did`: what he had to do beyond playing, in order. `misled`: a hand was wrong, and nobody asked.

    One who is not `attentive` deals on whatever the screen says, until it still asks for a card when all are out.
    """

    def __init__(
        self, felt: Felt, fault: Fault | None = None, moment: Moment | None = None, *, attentive: bool = True
    ) -> None:
        self._felt = felt
        self._attentive = attentive
        self.misled = False
        self._fault = fault or Fault("", Shows.card)
        self._moment = moment
        self._pending = fault is not None  # it is still to come
        self._silent = False  # the device says nothing, and nobody knows yet
        self._behind = 0  # cards that the screen was behind, before the last one
        self._lost = 0  # cards that no more will be read of
        self.did: list[str] = []

    def play(self) -> None:
        """One round from its opening to its close."""
        self._felt.press(cmd.OpenRound())
        self.play_on()

    def play_on(self) -> None:
        """What is left of a round."""
        while self._felt.now.phase not in OVER:
            self._disturb_if_due()
            now = self._felt.now
            self.misled |= now.phase is not Phase.dealing and not now.open_notices and bool(self._felt.wrong_places())
            if not self._compare():
                self._take(dealer_view(self._felt.running.service.snapshot))
        self._disturb_if_due()

    # --- the fault -------------------------------------------------------------------------------------------------

    def _disturb_if_due(self) -> None:
        """Cards that slide out, or lie too near the reader, while none is due; they go back to the shoe."""
        phase = self._felt.now.phase
        if not self._pending or self._moment is None or self._moment.name != phase.name:
            return
        self._pending = False
        self._felt.shoe.reach(self._fault.name)
        for at in range(self._fault.cards):
            bad_reads = self._felt.bad_reads
            in_shoe = 0 if phase is Phase.bets_open else CARDS - self._fault.again
            self._felt.shoe.present(self._felt.order[in_shoe + at])
        self._silent = self._fault.kills
        if self._fault.damages or self._fault.shows is Shows.damage:
            wait_until(lambda: self._felt.bad_reads > bad_reads)
        if self._fault.shows is Shows.loss:
            self._put_the_plug_back()
        elif not self._silent:
            self._felt.settle_down()

    def _put_the_plug_back(self) -> None:
        wait_until(lambda: self._felt.table.readers[READER] is not None)
        self._did("sees the lamp out: puts the plug back")
        self._felt.replug()

    # --- cards -----------------------------------------------------------------------------------------------------

    def _deal(self) -> None:
        """The next card slides out, or all are out and the screen still asks for one."""
        felt = self._felt
        if felt.out == CARDS:
            self._did("has no card left, and the screen asks for one: marks it unread")
            felt.press(cmd.MarkUnread())
            return
        felt.out += 1
        first = DEALT_AS.get(self._moment) if self._moment is not None else None
        faulty = self._pending and first is not None and felt.out == min(first, CARDS + 1 - self._fault.cards)
        if faulty:
            self._pending = False
            felt.shoe.reach(self._fault.name)
        self._pass(faulty)
        if self._attentive:
            self._keep_up()

    def _pass(self, faulty: bool) -> None:
        """A card passes, and he waits for what shows of it."""
        felt, bad_reads = self._felt, self._felt.bad_reads
        felt.shoe.present(felt.order[felt.out - 1])
        shows = self._fault.shows if faulty else Shows.nothing if self._silent else Shows.card
        self._silent = self._silent or (faulty and self._fault.kills)
        self._lost += faulty and not self._silent and self._fault.cards == 1 and shows in (Shows.damage, Shows.nothing)
        showing: dict[Shows, Callable[[], bool]] = {
            Shows.card: lambda: len(felt.now.draws) >= felt.out - self._lost,
            Shows.notice: lambda: bool(felt.now.open_notices),
            Shows.damage: lambda: felt.bad_reads > bad_reads,
            Shows.nothing: lambda: True,
        }
        if shows is Shows.loss:
            self._put_the_plug_back()
        else:
            wait_until(showing[shows])

    def _keep_up(self) -> None:
        """Is the screen as far as the felt? It may be one card late; not two, and not twice."""
        felt = self._felt
        behind = felt.out - len(felt.now.draws)
        if behind > 1 and self._silent:
            self._did("sees that nothing is read: pulls the plug and puts it back")
            self._silent = False
            felt.replug()
        elif behind == self._behind == 1 and not felt.now.open_notices:
            self._did("sees the screen one card behind: marks the one before as unread")
            felt.press(cmd.InsertUnread(felt.now.order[felt.out - 2]))
            behind = self._lost = 0
        self._behind = 0 if felt.now.open_notices else behind

    def _compare(self) -> bool:
        """Every open card against the screen; whether one had to be put right. A card named is a card put right."""
        felt = self._felt
        for place in felt.now.order:
            seen = sight(felt.table.setup.profile, felt.now, place)
            if seen.face is Face.up and seen.card is not felt.card_at(place):
                self._did("sees another card turned than the screen shows: corrects it")
                felt.press(cmd.CorrectCard(place, felt.card_at(place)))
                return True
            if seen.face in (Face.unknown_up, Face.doubtful):
                self._name(place)
                return True
        return False

    def _name(self, place: Place) -> None:
        is_upcard = place.holder == DEALER and DEALER not in self._felt.now.turned
        self._did("names the upcard" if is_upcard else "names it when it is turned")
        self._felt.press(cmd.EnterCard(place, self._felt.card_at(place)))

    # --- keys ------------------------------------------------------------------------------------------------------

    def _take(self, view: DealerView) -> None:
        """The next step, as the screen says it."""
        following = view.next
        match following.step:
            case Step.place_bets if not self._felt.now.bets:
                for seat in SEATS:
                    self._felt.press(cmd.PlaceBet(seat, Bet.ante, ANTE))
            case Step.deal:
                self._deal()
            case Step.look | Step.confirm_count:
                assert view.phase is ShownPhase.paused, "who is asked must see that the round waits for him"
                assert following.notice is not None
                self._answer(following.notice)
            case _:
                assert following.command is not None, following
                self._felt.press(following.command)

    def _answer(self, notice: Notice) -> None:
        """By what lies on the felt."""
        felt, kind = self._felt, notice.kind.value.replace("_", " ")
        more = felt.out - len(felt.now.draws) if felt.now.phase is Phase.dealing else 0
        if notice.kind in COUNT_FIRST:
            self._did(f"*{kind}*: counts, {f'{more} more than were read' if more else 'as many as were read'}")
            felt.press(cmd.ConfirmCount(felt.out))
        else:
            self._did(f"*{kind}*: looks, {'a card lies there' if more else 'no card lies there'}")
            felt.press(cmd.SettleNotice(notice.id, more > 0))
            for _ in range(more - 1):
                self._did("sees more cards on the felt than on the screen: marks them unread")
                felt.press(cmd.MarkUnread())

    def _did(self, what: str) -> None:
        if what not in self.did:
            self.did.append(what)
