"""What somebody or something asks of a table, imperative: each becomes events, or is refused and changes nothing.

A dealer's key and a reader's card come the same way. `Stamp` says when, who, and who signed.
"""

import msgspec

from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.money import Money
from dealer_assist.game.round import NoticeKind, Picture


class Stamp(msgspec.Struct, frozen=True):
    """When a command was taken (ISO 8601, UTC), who gave it, and the supervisor who signed it."""

    at: str
    actor: str
    signed_by: str | None = None


class _Command(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    pass


class OpenRound(_Command, frozen=True, tag=True):
    """Open bets for the next round; `repeat` sets the last round's bets again."""

    repeat: bool = False


class PlaceBet(_Command, frozen=True, tag=True):
    """Set a seat's bet, or add to it: `amount` in minor units, None where the table keys no amounts."""

    seat: Seat
    bet: Bet
    amount: Money | None = None


class RemoveBet(_Command, frozen=True, tag=True):
    """Take a seat's bet away; an ante takes its side bets along."""

    seat: Seat
    bet: Bet


class DoubleBets(_Command, frozen=True, tag=True):
    """Double every ante and bonus bet, once a round."""


class LockBets(_Command, frozen=True, tag=True):
    """No more bets; `jackpot_chips` is the count of jackpot chips on the felt."""

    jackpot_chips: int


class DrawCard(_Command, frozen=True, tag=True):
    """A reader saw a card: leaving the shoe, or lying at the `seat` of its antenna (0: the dealer's place)."""

    reader: str
    card: Card
    tag: str | None = None
    seat: Seat | None = None


class BurnCard(_Command, frozen=True, tag=True):
    """The next card drawn goes to nobody."""

    card: Card


class EnterCard(_Command, frozen=True, tag=True):
    """A person says which card lies at a place: the next one, or one whose face was not known."""

    place: Place
    card: Card


class MarkUnread(_Command, frozen=True, tag=True):
    """The next card lies face down at its place, and no reader saw it."""


class InsertUnread(_Command, frozen=True, tag=True):
    """A card lies at `place` that was never read: what was read since lies one place further on."""

    place: Place


class TakeOut(_Command, frozen=True, tag=True):
    """No card lies at `place` beyond the one read there in error: what was read since lies one place back."""

    place: Place


class CorrectCard(_Command, frozen=True, tag=True):
    """The face at a place is another than was read."""

    place: Place
    card: Card
    reason: str = ""


class RegisterJackpot(_Command, frozen=True, tag=True):
    """A device at the table registered a seat's jackpot bet."""

    reader: str
    seat: Seat


class ReportDiscard(_Command, frozen=True, tag=True):
    """A card passed the reader at the discard rack."""

    reader: str
    card: Card
    tag: str | None = None


class ReportNotice(_Command, frozen=True, tag=True):
    """A reader saw something that is no card of the deck in play. `detail`: the tag, or the deck's name."""

    kind: NoticeKind
    reader: str
    detail: str


class SettleNotice(_Command, frozen=True, tag=True):
    """A person looked: a card lies there that can't be read, or none does."""

    id: int
    card_lies_there: bool


class ConfirmCount(_Command, frozen=True, tag=True):
    """The dealer counted the cards on the felt, in the dealing order; those not read are face down and unknown."""

    drawn: int


class ReportReaderLost(_Command, frozen=True, tag=True):
    """The link to a reader is gone."""

    reader: str
    reason: str


class ReportReaderBack(_Command, frozen=True, tag=True):
    """The link to a reader stands."""

    reader: str


class ReportHand(_Command, frozen=True, tag=True):
    """What the camera sees at a place where a hand of this round lies open: `number` is the round it looked at.

    `seen`: the cards it is sure of, from left to right; `unsure`: of each further one, which it may be. `pictures` are
    kept already, and count where they gainsay the record; `fault`: why there are none.
    """

    number: str
    holder: Seat
    seen: tuple[Card, ...]
    unsure: tuple[tuple[Card, ...], ...] = ()
    pictures: tuple[Picture, ...] = ()
    fault: str = ""


class UpholdRecord(_Command, frozen=True, tag=True):
    """A person looked at what the camera disputes, and the felt shows what is recorded."""

    id: int
    reason: str = ""


class ReportCameraLost(_Command, frozen=True, tag=True):
    """The camera gives no pictures that can be trusted."""

    reason: str


class ReportCameraBack(_Command, frozen=True, tag=True):
    """The camera watches."""


class DropEvidence(_Command, frozen=True, tag=True):
    """Pictures were kept long enough, and are about to be removed."""

    names: tuple[str, ...]


class Decide(_Command, frozen=True, tag=True):
    """A seat raises or folds."""

    seat: Seat
    action: Action


class TimeOutSeat(_Command, frozen=True, tag=True):
    """A seat's time ran out; `directed` is the supervisor's word where the procedure asks for it."""

    seat: Seat
    directed: Action | None = None


class CloseDecisions(_Command, frozen=True, tag=True):
    """Every seat that has not folded raises; the dealer turns his cards."""


class ConfirmDealerHand(_Command, frozen=True, tag=True):
    """The dealer's open cards match."""


class StateAmounts(_Command, frozen=True, tag=True):
    """The amounts of a seat whose bets were not keyed, in minor units."""

    seat: Seat
    ante: Money
    bonus: Money = Money(0)


class SettleSeat(_Command, frozen=True, tag=True):
    """The seat's cards match, and its bets are taken or paid as shown."""

    seat: Seat


class SettleJackpot(_Command, frozen=True, tag=True):
    """The jackpot chips that were set aside are settled as shown."""


class VoidRound(_Command, frozen=True, tag=True):
    """The round does not count: every bet goes back."""

    reason: str


class Undo(_Command, frozen=True, tag=True):
    """Take the last step back."""


class CorrectBet(_Command, frozen=True, tag=True):
    """A seat's ante or bonus bet was another than recorded."""

    seat: Seat
    bet: Bet
    amount: Money
    reason: str


class CorrectDecision(_Command, frozen=True, tag=True):
    """A seat's decision was another than recorded."""

    seat: Seat
    action: Action
    reason: str


class ChangeDeck(_Command, frozen=True, tag=True):
    """Put another of the table's decks into play, before any card of a round is out."""

    deck: str


class CallSupervisor(_Command, frozen=True, tag=True):
    """Ask for the supervisor."""


class AnswerCall(_Command, frozen=True, tag=True):
    """The supervisor is here."""


class RecordExport(_Command, frozen=True, tag=True):
    """Closed rounds were exported, for a reason."""

    reason: str
    format: str
    rounds: int


class PayHit(_Command, frozen=True, tag=True):
    """A frozen hit was handed out."""

    number: str


Command = (
    OpenRound
    | PlaceBet
    | RemoveBet
    | DoubleBets
    | LockBets
    | DrawCard
    | BurnCard
    | EnterCard
    | MarkUnread
    | InsertUnread
    | TakeOut
    | CorrectCard
    | RegisterJackpot
    | ReportDiscard
    | ReportNotice
    | SettleNotice
    | ConfirmCount
    | ReportReaderLost
    | ReportReaderBack
    | ReportHand
    | UpholdRecord
    | ReportCameraLost
    | ReportCameraBack
    | DropEvidence
    | Decide
    | TimeOutSeat
    | CloseDecisions
    | ConfirmDealerHand
    | StateAmounts
    | SettleSeat
    | SettleJackpot
    | VoidRound
    | Undo
    | CorrectBet
    | CorrectDecision
    | ChangeDeck
    | CallSupervisor
    | AnswerCall
    | PayHit
    | RecordExport
)
