"""The round record `round/1`: one line of a shoe log, read and written.

Unknown fields are kept, not refused; amounts are decimal strings with exactly the currency's minor digits.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from dealer_assist.game.bets import Bet
from dealer_assist.game.dealing import SEATS, Pattern, Seat, Upcard
from dealer_assist.game.profile import AfterFold
from dealer_assist.game.setup import MaxPayout

FORMAT: Final = "round/1"
UNREAD: Final = "??"
"""Stands for a card that nobody ever read; it may only lie where it decides nothing."""


class SeatRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's bets and decision. `unit`: "currency" where this seat's amounts were keyed although the table keys none."""

    ante: str
    action: str | None = None
    bonus: str | None = None
    jackpot: str | None = None
    unit: str | None = None


class RoundRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole round as logged. `upcard`, `side_bets_after_fold`: what the table played otherwise than its profile."""

    format: str
    id: str
    profile: str
    cards: tuple[str, ...]
    seats: Mapping[str, SeatRecord]
    deal: Pattern | None = None
    reading: str | None = None
    upcard: Upcard | None = None
    side_bets_after_fold: AfterFold | None = None
    unit: str | None = None
    burned: tuple[int, ...] = ()
    meter: str | None = None
    max_payout: str | MaxPayout | None = None
    void: str | None = None
    rulings: tuple[Mapping[str, object], ...] = ()
    recorded: Mapping[str, Mapping[str, str]] | None = None
    table: str | None = None
    dealer: str | None = None
    time: str | None = None
    deck: str | None = None
    house_decides: tuple[str, ...] | None = None
    unverified: bool = False


class Unreadable(Exception):
    """A line that is no round record: what was found, and what was expected."""


class Fault(Exception):
    """A record that can't be dealt or settled: the field, what was found and what was expected."""


_decode = msgspec.json.Decoder(RoundRecord).decode


def read_record(line: bytes) -> RoundRecord:
    """The record on one line.

    Raises: Unreadable, where the line is no `round/1` record; Fault, where it is one with a field that does not fit.
    """
    try:
        record = _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _refused(line, str(error)) from None
    if record.format != FORMAT:
        raise Unreadable(f'format: expected "{FORMAT}", found "{record.format}"')
    return record


def _refused(line: bytes, finding: str) -> Exception:
    """A Fault where the line says that it is a round record, Unreadable where it does not."""
    try:
        header = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Unreadable(f'expected a JSON object of format "{FORMAT}", found {line[:40]!r}')
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        return Unreadable(
            f'format: expected "{FORMAT}", found {header.get("format") if isinstance(header, dict) else type(header).__name__!r}'
        )
    what, _, where = finding.partition(" - at ")
    return Fault(f"{where.strip('`').removeprefix('$.') or 'record'}: {what[:1].lower()}{what[1:]}")


def id_of(line: bytes) -> str | None:
    """The id on a line that could not be read as a whole; None where it has none."""
    try:
        header = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    found = header.get("id") if isinstance(header, dict) else None
    return found if isinstance(found, str) else None


def seat_of(key: str) -> Seat:
    """The seat of a record's key. Raises: Fault."""
    seat = {str(seat): seat for seat in SEATS}.get(key)
    if seat is None:
        raise Fault(f'seats: expected "1" to "4", found "{key}"')
    return seat


def recorded_bets(record: RoundRecord) -> Iterator[tuple[str, Bet, str]]:
    """Each recorded net as seat key, bet, amount. Raises: Fault, where a bet is unknown."""
    known = {bet.value: bet for bet in Bet}
    for key, nets in (record.recorded or {}).items():
        for name, amount in nets.items():
            if name not in known:
                raise Fault(f'recorded.{key}: expected ante, raise, bonus or jackpot, found "{name}"')
            yield key, known[name], amount
