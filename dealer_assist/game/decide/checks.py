"""What several commands ask before they are taken."""

from dealer_assist.game.commands import Stamp
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.round import Phase, Round
from dealer_assist.game.setup import Signer
from dealer_assist.game.table import Table


def require(holds: bool, refusal: Refusal, **data: object) -> None:
    """Raises: RuleViolation, unless `holds`."""
    if not holds:
        raise RuleViolation(refusal, **data)


def round_in(table: Table, *phases: Phase) -> Round:
    """The running round, which must be in one of `phases`. Raises: RuleViolation."""
    now = table.round
    if now is None:
        raise RuleViolation(Refusal.no_round)
    if now.phase not in phases:
        raise RuleViolation(Refusal.wrong_phase, phase=now.phase, wanted=phases)
    return now


def require_notices_settled(now: Round) -> None:
    """Raises: RuleViolation, while a person has still to look at something odd."""
    require(not now.open_notices, Refusal.notice_open)
    require_undisputed(now)


def require_undisputed(now: Round) -> None:
    """Raises: RuleViolation, while the camera gainsays the record and nobody has decided."""
    require(not now.open_disputes, Refusal.dispute_open)


def require_signed(stamp: Stamp, reason: str) -> None:
    """Raises: RuleViolation, without a supervisor's signature and a reason."""
    require(stamp.signed_by is not None, Refusal.needs_supervisor)
    require(bool(reason.strip()), Refusal.reason_needed)


def require_word_on(table: Table, stamp: Stamp, reason: str, *holders: Seat) -> None:
    """Raises: RuleViolation, without a signature and a reason where these hands' cards need a supervisor's word.

    Source: procedure row 23; who before paying is the procedure's choice.
    """
    assert table.round is not None
    paid = any(_is_paid(table.round, holder) for holder in holders)
    if paid or table.setup.procedure.card_correction_before_paying is Signer.supervisor:
        require_signed(stamp, reason)


def _is_paid(now: Round, holder: Seat) -> bool:
    return bool(now.settled) if holder == DEALER else holder in now.settled
