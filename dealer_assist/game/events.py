"""What has happened at a table, past tense. The log is a list of these, and the state their fold.

A kind that may carry a card lying face down is `sealed`: the log stores it encrypted. Kinds are never edited once
released; fields are only added, with defaults.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar

import msgspec

from dealer_assist.game.bets import Action, Bet, Bets, Decision, Line
from dealer_assist.game.camera_events import CameraEvent
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.hands import Category
from dealer_assist.game.jackpot import PrizeWon
from dealer_assist.game.money import Money
from dealer_assist.game.recorded import Recorded
from dealer_assist.game.round import Draw, NoticeKind, Source
from dealer_assist.game.setup import TableSetup

# --- the table -----------------------------------------------------------------------------------------------------


class TableOpened(Recorded, frozen=True, tag=True):
    """The table plays by this setup from now on; the whole rule profile is in it. `seed` starts the first meter."""

    setup: TableSetup


class MeterSeeded(Recorded, frozen=True, tag=True):
    """`seed` was put into the meter: at the very first opening, and after a royal flush emptied it."""

    seed: Money


class ReaderLost(Recorded, frozen=True, tag=True):
    """The link to a reader is gone."""

    reader: str
    reason: str


class ReaderBack(Recorded, frozen=True, tag=True):
    """The link to a reader stands: for the first time, or again."""

    reader: str


class DeckChanged(Recorded, frozen=True, tag=True):
    """This deck is in play from now on, and the others rest."""

    deck: str


class SupervisorCalled(Recorded, frozen=True, tag=True):
    """The dealer asked for the supervisor."""


class SupervisorCame(Recorded, frozen=True, tag=True):
    """The call was answered."""


class HitPaid(Recorded, frozen=True, tag=True):
    """A frozen jackpot hit of a round was handed out."""

    number: str


# --- bets ----------------------------------------------------------------------------------------------------------


class HistoryExported(Recorded, frozen=True, tag=True):
    """Closed rounds left the log, folded hands among them, for this reason."""

    reason: str
    format: str
    rounds: int


class RoundOpened(Recorded, frozen=True, tag=True):
    """Bets are open for a round of this game number. `opened_at`: ISO 8601, UTC."""

    number: str
    opened_at: str


class BetsRepeated(Recorded, frozen=True, tag=True):
    """The bets of the round before stand again."""

    bets: Mapping[Seat, Bets]


class BetPlaced(Recorded, frozen=True, tag=True):
    """A seat's bets are now these; `bet` is the one that changed."""

    seat: Seat
    bet: Bet
    bets: Bets


class BetRemoved(Recorded, frozen=True, tag=True):
    """A seat's bet is gone; an ante takes the side bets beside it along."""

    seat: Seat
    bet: Bet


class BetsDoubled(Recorded, frozen=True, tag=True):
    """Every ante and bonus bet is doubled, once a round."""

    bets: Mapping[Seat, Bets]


class BetsLocked(Recorded, frozen=True, tag=True):
    """No more bets. `jackpot_chips`: the count of jackpot chips on the felt, as the dealer confirmed it."""

    jackpot_chips: int


class JackpotFed(Recorded, frozen=True, tag=True):
    """A jackpot bet fed the meter: `increment` = stake × rate, exact, in minor units."""

    seat: Seat
    stake: Money
    rate: Fraction
    increment: Fraction


class JackpotFeedReversed(Recorded, frozen=True, tag=True):
    """A jackpot bet's feed is given back: the lock was undone, or the round is void."""

    seat: Seat
    increment: Fraction


# --- cards ---------------------------------------------------------------------------------------------------------


class CardDrawn(Recorded, frozen=True, tag=True):
    """The next card left the shoe and lies at the next place of the dealing order."""

    sealed: ClassVar[bool] = True
    draw: Draw


class CardBurned(Recorded, frozen=True, tag=True):
    """The next card left the shoe and went to nobody."""

    sealed: ClassVar[bool] = True
    draw: Draw


class CardEntered(Recorded, frozen=True, tag=True):
    """A card whose face was not known is known now."""

    sealed: ClassVar[bool] = True
    place: Place
    card: Card
    source: Source = Source.hand


class CardCorrected(Recorded, frozen=True, tag=True):
    """The face on the felt differs from what was read: the felt speaks. `was`: the card read.

    `doubted`: where the same card was read too, so that its face there is not known.
    """

    sealed: ClassVar[bool] = True
    place: Place
    was: Card
    card: Card
    reason: str
    doubted: Place | None = None


class PlaceDoubted(Recorded, frozen=True, tag=True):
    """The card read at a place lies elsewhere, so this one's face is not known."""

    place: Place


class CardInserted(Recorded, frozen=True, tag=True):
    """A card nobody read lies at a place; the cards read since lie one place further on. `at`: its position as drawn."""

    at: int


class CardTakenOut(Recorded, frozen=True, tag=True):
    """No card lies where one was read; the cards read since lie one place back. `at`: its position as drawn."""

    at: int


class CardSeenOutOfTurn(Recorded, frozen=True, tag=True):
    """A reader saw a card when none was due."""

    sealed: ClassVar[bool] = True
    reader: str
    card: Card
    tag: str | None


class CardSeenElsewhere(Recorded, frozen=True, tag=True):
    """A seat's antenna read a card that is due at another place."""

    sealed: ClassVar[bool] = True
    reader: str
    seat: Seat
    draw: Draw


class SeenCardPlaced(Recorded, frozen=True, tag=True):
    """The antenna was right: the card lies there, and the `unread` cards due before it lie unread at their places."""

    sealed: ClassVar[bool] = True
    id: int
    unread: int
    draw: Draw


class NoticeRaised(Recorded, frozen=True, tag=True):
    """Something odd that a person must look at. `detail`: a tag, a deck, a reason; never a card."""

    kind: NoticeKind
    reader: str
    detail: str


class NoticeSettled(Recorded, frozen=True, tag=True):
    """A person looked: no card lies there, or one that nobody could read, the `card_at`-th as drawn."""

    id: int
    card_at: int | None = None


class CountConfirmed(Recorded, frozen=True, tag=True):
    """The dealer counted `drawn` cards on the felt; those beyond what was read are not known."""

    drawn: int


# --- decisions and reveal ------------------------------------------------------------------------------------------


class SeatDecided(Recorded, frozen=True, tag=True):
    """A seat raised or folded."""

    seat: Seat
    decision: Decision


class HoleCardsTurned(Recorded, frozen=True, tag=True):
    """Every decision is in and the dealer's cards are open. `cards`: None where one is not known."""

    cards: tuple[Card | None, ...]


class DealerHandConfirmed(Recorded, frozen=True, tag=True):
    """The dealer's open cards match what is recorded."""

    cards: tuple[Card, ...]
    category: Category
    qualifies: bool


# --- settlement ----------------------------------------------------------------------------------------------------


class AmountsStated(Recorded, frozen=True, tag=True):
    """The amounts of a seat whose bets were not keyed, asked for because a maximum payout may bite."""

    seat: Seat
    bets: Bets


class SeatSettled(Recorded, frozen=True, tag=True):
    """A seat was turned, compared, taken or paid. `lines`: all of the seat, also when a correction changed them."""

    seat: Seat
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]


class JackpotSettled(Recorded, frozen=True, tag=True):
    """The jackpot chips that were set aside are settled."""

    lines: tuple[Line, ...]


class HitFrozen(Recorded, frozen=True, tag=True):
    """Shares of the meter were won: the amount leaves the meter now and is pending until paid."""

    payees: tuple[PrizeWon, ...]
    amount: Money
    meter_at_lock: Money


class RoundClosed(Recorded, frozen=True, tag=True):
    """All is settled; the cards go back."""


class Refund(msgspec.Struct, frozen=True):
    """What goes back to a seat of a void round on one bet; negative where a payment is taken back."""

    seat: Seat
    bet: Bet
    amount: Money


class RoundVoided(Recorded, frozen=True, tag=True):
    """The round does not count, and every bet goes back. `house_decides`: seats that would have won a jackpot prize."""

    reason: str
    refunds: tuple[Refund, ...]
    house_decides: tuple[Seat, ...]


# --- undo and corrections ------------------------------------------------------------------------------------------


class StepUndone(Recorded, frozen=True, tag=True):
    """The last step was taken back."""


class BetCorrected(Recorded, frozen=True, tag=True):
    """A seat's bets were other than recorded, signed."""

    seat: Seat
    bets: Bets
    reason: str


class DecisionCorrected(Recorded, frozen=True, tag=True):
    """A seat's decision was other than recorded, signed."""

    seat: Seat
    action: Action
    reason: str


Event = (
    TableOpened
    | MeterSeeded
    | ReaderLost
    | ReaderBack
    | DeckChanged
    | SupervisorCalled
    | SupervisorCame
    | HitPaid
    | HistoryExported
    | RoundOpened
    | BetsRepeated
    | BetPlaced
    | BetRemoved
    | BetsDoubled
    | BetsLocked
    | JackpotFed
    | JackpotFeedReversed
    | CardDrawn
    | CardBurned
    | CardEntered
    | CardCorrected
    | PlaceDoubted
    | CardInserted
    | CardTakenOut
    | CardSeenOutOfTurn
    | CardSeenElsewhere
    | SeenCardPlaced
    | NoticeRaised
    | NoticeSettled
    | CountConfirmed
    | SeatDecided
    | HoleCardsTurned
    | DealerHandConfirmed
    | AmountsStated
    | SeatSettled
    | JackpotSettled
    | HitFrozen
    | RoundClosed
    | RoundVoided
    | StepUndone
    | BetCorrected
    | DecisionCorrected
    | CameraEvent
)
