"""What may be seen: which cards lie open on the felt. Everything shown to anyone asks here first."""

from enum import StrEnum

import msgspec

from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import DEALER, Facing, Place
from dealer_assist.game.paying import upcard_place
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.round import Round


class Face(StrEnum):
    """How a place looks: `unknown_up` lies open but its face is not known yet."""

    empty = "empty"
    down = "down"
    unknown_down = "unknown_down"
    up = "up"
    unknown_up = "unknown_up"
    doubtful = "doubtful"


class Sight(msgspec.Struct, frozen=True):
    """What a place shows. `card` only where it lies open; `candidates` likewise."""

    face: Face
    card: Card | None = None
    candidates: tuple[Card, ...] = ()


def lies_open(profile: RuleProfile, now: Round, place: Place) -> bool:
    """Whether a card at this place lies, or will lie, face up. Source: the profile's deal; turned hands."""
    if place.holder in now.turned or place == upcard_place(profile):
        return True
    return place.holder != DEALER and profile.deal.players is Facing.up


def sight(profile: RuleProfile, now: Round, place: Place) -> Sight:
    """What anyone may see at a place."""
    draw = now.draw_at(place)
    if draw is None:
        return Sight(Face.empty)
    if not lies_open(profile, now, place):
        return Sight(Face.down if draw.card else Face.unknown_down)
    if draw.card is not None:
        return Sight(Face.up, draw.card)
    return Sight(Face.doubtful, candidates=draw.candidates) if draw.candidates else Sight(Face.unknown_up)
