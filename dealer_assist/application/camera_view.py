"""What the dealer screen shows of the camera, as data without words: its lamp, and what it disputes."""

from collections import Counter
from enum import StrEnum

import msgspec

from dealer_assist.game.cards import Card
from dealer_assist.game.commands import Stamp, UpholdRecord
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.decide import refusal_of
from dealer_assist.game.errors import Refusal
from dealer_assist.game.looking import open_places
from dealer_assist.game.round import Dispute, Picture, Round
from dealer_assist.game.setup import CameraRole
from dealer_assist.game.sight import Sight, sight
from dealer_assist.game.table import Table


class CameraLamp(StrEnum):
    """What the camera's lamp says."""

    watching = "watching"
    lost = "lost"
    disagrees = "disagrees"


class OpenCard(msgspec.Struct, frozen=True):
    """An open card of a disputed hand by the record. `differs`: the camera did not see it there."""

    place: Place
    shown: Sight
    differs: bool


class DisputeView(msgspec.Struct, frozen=True):
    """A hand that the camera disputes: by the record, and as the camera saw it, with which of its cards differ.

    `uphold` says that the record is right; where `needs_signature`, a supervisor signs it and says why, as he does for a
    correction of these cards. `pictures`: of all that was seen, and of each card that differs; none: `fault` says why.
    """

    id: int
    holder: Seat
    recorded: tuple[OpenCard, ...]
    seen: tuple[tuple[Card, bool], ...]
    pictures: tuple[Picture, ...]
    fault: str
    uphold: UpholdRecord
    needs_signature: bool


class CameraOnTable(msgspec.Struct, frozen=True):
    """A table's camera. `reason`: why it is lost, in words. `disputes`: those that hold the round, oldest first."""

    role: CameraRole
    lamp: CameraLamp
    reason: str = ""
    disputes: tuple[DisputeView, ...] = ()


def camera_on(table: Table, now: Round) -> CameraOnTable | None:
    """The camera as the dealer screen shows it; None where it plays no part."""
    role = table.setup.camera
    if role is CameraRole.off:
        return None
    disputes = tuple(_dispute(table, now, dispute) for dispute in now.open_disputes)
    link = table.camera
    lamp = CameraLamp.disagrees if disputes else CameraLamp.watching if link.is_live else CameraLamp.lost
    return CameraOnTable(role, lamp, "" if link.is_live else link.reason, disputes)


def _dispute(table: Table, now: Round, dispute: Dispute) -> DisputeView:
    profile = table.setup.profile
    shown = [(place, sight(profile, now, place)) for place in open_places(profile, now, dispute.holder)]
    recorded = [each.card for _, each in shown if each.card is not None]
    return DisputeView(
        id=dispute.id,
        holder=dispute.holder,
        recorded=tuple(OpenCard(place, each, each.card not in dispute.seen) for place, each in shown),
        seen=_seen(dispute.seen, recorded),
        pictures=dispute.pictures,
        fault=dispute.fault,
        uphold=UpholdRecord(dispute.id),
        needs_signature=_needs_signature(table, dispute),
    )


def _seen(seen: tuple[Card, ...], recorded: list[Card]) -> tuple[tuple[Card, bool], ...]:
    """Each card seen, and whether the record has it not, or not so often."""
    left = Counter(recorded)
    told = []
    for card in seen:
        told.append((card, left[card] == 0))
        left[card] -= left[card] > 0
    return tuple(told)


def _needs_signature(table: Table, dispute: Dispute) -> bool:
    refused = refusal_of(table, UpholdRecord(dispute.id), Stamp(at="2000-01-01T00:00:00Z", actor="screen"))
    return refused is not None and refused.refusal is Refusal.needs_supervisor
