"""A dealer's key press on its way to the table, and what comes of it as an answer.

Each order carries a key made by the client, the round and the sequence that its screen showed. An order for another
state is a conflict and changes nothing; the same order again has the same answer, and is done once.
"""

from concurrent.futures import TimeoutError as NoAnswer
from typing import Annotated, Final

import msgspec

from dealer_assist.application.ports import PinVerdict, Role
from dealer_assist.application.service import Conflict, LogUnavailable, Request
from dealer_assist.game import commands as cmd
from dealer_assist.game.errors import GameError, Refusal, RuleViolation
from web_ui.format import Json, Purse
from web_ui.language import gettext
from web_ui.people import Person
from web_ui.site import TableAccess
from web_ui.words import refusal_sentence

ByHand = (
    cmd.OpenRound
    | cmd.PlaceBet
    | cmd.RemoveBet
    | cmd.DoubleBets
    | cmd.LockBets
    | cmd.EnterCard
    | cmd.MarkUnread
    | cmd.InsertUnread
    | cmd.TakeOut
    | cmd.CorrectCard
    | cmd.SettleNotice
    | cmd.UpholdRecord
    | cmd.ConfirmCount
    | cmd.Decide
    | cmd.TimeOutSeat
    | cmd.CloseDecisions
    | cmd.ConfirmDealerHand
    | cmd.StateAmounts
    | cmd.SettleSeat
    | cmd.SettleJackpot
    | cmd.VoidRound
    | cmd.Undo
    | cmd.CorrectBet
    | cmd.CorrectDecision
    | cmd.ChangeDeck
    | cmd.CallSupervisor
    | cmd.AnswerCall
    | cmd.PayHit
)
"""The commands a person may give: never what only a reader or a camera can know."""

ELSEWHERE: Final = -1
"""A sequence that no table is at: an order for another round meets a conflict, unless it was done before."""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One key press: `round` and `expected` as the screen showed them, `supervisor_pin` where one must sign."""

    key: Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Za-z-]{16,64}$")]
    round: str | None
    expected: int
    command: ByHand
    supervisor_pin: Annotated[str, msgspec.Meta(max_length=12)] | None = None


Answer = tuple[Json, int]
"""A body and its status."""


def read_order(body: bytes) -> Order:
    """Raises: msgspec.ValidationError or DecodeError, naming the path."""
    return msgspec.json.decode(body, type=Order)


def carry_out(order: Order, person: Person, access: TableAccess) -> Answer:
    """Give an order to the table, and say what came of it."""
    signed_by = None
    if order.supervisor_pin is not None:
        verdict = access.pins.verify(Role.supervisor, order.supervisor_pin)
        if not verdict.right:
            return pin_refused(verdict)
        signed_by = Role.supervisor.value
    now = access.service.snapshot.table
    shown = now.round.number if now.round else None
    request = Request(
        command=order.command,
        actor=person.role.value,
        signed_by=signed_by,
        expected=order.expected if order.round == shown else ELSEWHERE,
        key=order.key,
    )
    try:
        return {"seq": access.service.do(request)}, 200
    except Conflict as conflict:
        text = gettext("The table has moved on. Look, and press again.")
        return {"error": "conflict", "text": text, "seq": conflict.version}, 409
    except RuleViolation as violation:
        purse = Purse(now.setup.currency, now.setup.minor_digits)
        return _refused(violation.refusal, refusal_sentence(violation, purse)), 422
    except GameError as error:
        return {"error": "refused", "refusal": type(error).__name__, "text": gettext("The table can't do that.")}, 422
    except NoAnswer:
        text = gettext("No answer yet. Look what the table shows before you press again.")
        return {"error": "no_answer", "text": text}, 503
    except LogUnavailable:
        text = gettext("Not recorded: the log can't be written. Nothing was changed; call the supervisor.")
        return {"error": "log_unavailable", "text": text}, 503


def _refused(refusal: Refusal, text: str) -> Json:
    return {"error": "refused", "refusal": refusal.value, "text": text}


def pin_refused(verdict: PinVerdict) -> Answer:
    """A wrong PIN, or one tried while the role is locked; it does not say which of the two digits failed."""
    return {"error": "wrong_pin", "text": pin_words(verdict)}, 403


def pin_words(verdict: PinVerdict) -> str:
    """Why a PIN was not taken."""
    if verdict.locked_for:
        return gettext("Locked. Try again in %(seconds)s s.", seconds=max(1, round(verdict.locked_for)))
    return gettext("Wrong PIN.")


def unreadable(error: msgspec.MsgspecError) -> Answer:
    """An order that is none."""
    return {"error": "bad_request", "text": gettext("That order can't be read."), "detail": str(error)}, 400


def not_signed_in() -> Answer:
    """Keys ask who presses."""
    return {"error": "signed_out", "text": gettext("Sign in to use the keys.")}, 401
