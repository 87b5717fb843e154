"""Events to bytes and back: JSON by msgspec, with the few values of our own spelled out."""

from fractions import Fraction
from typing import Final

import msgspec

from dealer_assist.game.events import Event
from dealer_assist.game.money import Money, Odds
from dealer_assist.game.profile import Prize


def _encoded(value: object) -> object:
    match value:
        case Odds():
            return f"{value.to}:{value.per}"
        case Fraction():
            return f"{value.numerator}/{value.denominator}"
        case Prize():
            return {"share": _encoded(value.share)} if value.share is not None else {"fixed": value.fixed}
        case frozenset():
            return sorted(value)
        case _:
            raise NotImplementedError(f"no way to store a {type(value).__name__}")


def _decoded(kind: type, found: object) -> object:
    if kind is Odds and isinstance(found, str):
        to, _, per = found.partition(":")
        return Odds(int(to), int(per))
    if kind is Fraction and isinstance(found, str):
        return Fraction(found)
    if kind is Prize and isinstance(found, dict):
        share, fixed = found.get("share"), found.get("fixed")
        return Prize(Fraction(share) if share is not None else None, None if fixed is None else Money(fixed))
    return found


_ENCODER: Final = msgspec.json.Encoder(enc_hook=_encoded)
_DECODER: Final = msgspec.json.Decoder(Event, dec_hook=_decoded)


def encode_event(event: Event) -> bytes:
    """An event as JSON; its kind is the `type` field."""
    return _ENCODER.encode(event)


def encode_value(value: object) -> bytes:
    """Any value of the game as JSON, the same bytes for the same value."""
    return _ENCODER.encode(value)


def decode_event(body: bytes) -> Event:
    """The event of its JSON. Raises: msgspec.ValidationError, where it is none."""
    event: Event = _DECODER.decode(body)
    return event
