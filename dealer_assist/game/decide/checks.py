"""What several commands ask before they are taken."""

from dealer_assist.game.commands import Stamp
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.round import Phase, Round
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


def require_signed(stamp: Stamp, reason: str) -> None:
    """Raises: RuleViolation, without a supervisor's signature and a reason."""
    require(stamp.signed_by is not None, Refusal.needs_supervisor)
    require(bool(reason.strip()), Refusal.reason_needed)
