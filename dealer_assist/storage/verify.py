"""Is a log what it was? Its chain, its seals, every settlement and meter entry computed anew, and the pictures it names."""

import sqlite3
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.game import camera_events as seen
from dealer_assist.game import events as ev
from dealer_assist.game.dealing import DEALER
from dealer_assist.game.decide.betting import jackpot_feeds
from dealer_assist.game.decide.playing import feeds_reversed, refunds
from dealer_assist.game.errors import GameError
from dealer_assist.game.evolve import evolve
from dealer_assist.game.hands import category_of, rank_five
from dealer_assist.game.looking import gainsays, open_cards, open_places
from dealer_assist.game.paying import aside_lines, house_decides, round_prizes, seat_lines
from dealer_assist.game.round import Picture, Round
from dealer_assist.game.settlement import qualifies
from dealer_assist.game.table import Table
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.sealing import BrokenSeal, Seal
from dealer_assist.storage.sqlite_log import GENESIS, Row, event_of, open_to_read, rows


class Broken(msgspec.Struct, frozen=True):
    """The first row that does not hold, and why."""

    seq: int
    finding: str


class Verdict(msgspec.Struct, frozen=True):
    """What a check found: how many rows hold, rounds among them, and the first that does not."""

    rows: int
    rounds: int
    broken: Broken | None = None


def verify(
    path: Path, seal: Seal, *, evidence: EvidenceStore | None = None, after_row: Callable[[], None] = lambda: None
) -> Verdict:
    """Check a whole log; stops at the first row that does not hold. The pictures it names last of all, if it holds."""
    connection = open_to_read(path)
    try:
        pictures = _Pictures()
        found = _verified(connection, seal, after_row, pictures)
        broken = found.broken or (pictures.broken(evidence) if evidence is not None else None)
        return msgspec.structs.replace(found, broken=broken)
    except sqlite3.DatabaseError as error:
        return Verdict(0, 0, Broken(0, f"expected an event log, found: {error}"))
    finally:
        connection.close()


class _Pictures:
    """The pictures that should still be there, by name, with the row that names each."""

    def __init__(self) -> None:
        self._due: dict[str, tuple[int, Picture]] = {}

    def take(self, seq: int, event: ev.Event | None) -> None:
        if isinstance(event, seen.HandDisputed):
            self._due |= {picture.name: (seq, picture) for picture in event.pictures}
        elif isinstance(event, seen.EvidenceDropped):
            for name in event.names:
                self._due.pop(name, None)

    def broken(self, evidence: EvidenceStore) -> Broken | None:
        findings = ((seq, evidence.finding(picture)) for seq, picture in self._due.values())
        return next((Broken(seq, finding) for seq, finding in findings if finding), None)


def _verified(
    connection: sqlite3.Connection, seal: Seal, after_row: Callable[[], None], pictures: _Pictures
) -> Verdict:
    table: Table | None = None
    previous, count, rounds, ledger = GENESIS, 0, 0, Fraction(0)
    for row in rows(connection):
        finding = _chain_finding(row, count + 1, previous)
        if finding is None:
            table, event, finding = _taken(table, row, seal)
            ledger += _ledger_entry(event)
            pictures.take(row.seq, event)
        if finding is None and table is not None and table.meter is not None and table.meter.exact != ledger:
            finding = f"the meter stands at {table.meter.exact}, its ledger at {ledger}"
        if finding is not None:
            return Verdict(count, rounds, Broken(min(row.seq, count + 1), finding))
        previous, count = row.hash, count + 1
        rounds += row.kind == ev.RoundOpened.__name__
        after_row()
    return Verdict(count, rounds, None if count else Broken(1, "expected the table's opening, found an empty log"))


def _ledger_entry(event: ev.Event | None) -> Fraction:
    """What an event adds to the meter: Σ seeds + Σ contributions − Σ reversals − Σ hits frozen."""
    match event:
        case ev.MeterSeeded():
            return Fraction(event.seed)
        case ev.JackpotFed():
            return event.increment
        case ev.JackpotFeedReversed():
            return -event.increment
        case ev.HitFrozen():
            return Fraction(-event.amount)
        case _:
            return Fraction(0)


def _chain_finding(row: Row, due: int, previous: bytes) -> str | None:
    if row.seq != due:
        return f"expected sequence {due}, found {row.seq}: rows are missing"
    if row.hash != row.chained(previous):
        return "its hash does not fit: it, or the row before it, was changed"
    return None


def _taken(table: Table | None, row: Row, seal: Seal) -> tuple[Table | None, ev.Event | None, str | None]:
    """The table after a row, the row's event, and what is wrong with it; then nothing is taken."""
    try:
        event = event_of(row, seal)
    except BrokenSeal:
        return table, None, "its seal does not open with this folder's key"
    except msgspec.DecodeError as error:
        return table, None, f"no event of kind {row.kind}: {error}"
    try:
        finding = _computed_finding(table, event)
        return (table, None, finding) if finding else (evolve(table, event), event, None)
    except (GameError, AssertionError, KeyError, IndexError) as error:
        return table, None, f"{row.kind} can't follow what stands before it: {error!r}"


def _computed_finding(table: Table | None, event: ev.Event) -> str | None:
    """What an event claims and the rules do not give; None where they agree."""
    if table is None:
        return None if isinstance(event, ev.TableOpened) else "expected the table's opening"
    if isinstance(event, ev.MeterSeeded):
        return None if event.seed == table.next_setup.seed else "MeterSeeded is not what the table's setup gives"
    check = _CHECKS.get(type(event))
    if check is None or table.round is None:
        return None
    return None if check(table, table.round, event) else f"{type(event).__name__} is not what the rules give"


def _seat_settled(table: Table, now: Round, event: ev.SeatSettled) -> bool:
    return event.cards == now.known_hand(event.seat) and event.lines == seat_lines(table.setup, now, event.seat)


def _hole_cards(_: Table, now: Round, event: ev.HoleCardsTurned) -> bool:
    return event.cards == tuple(draw.card if draw else None for draw in now.hand(DEALER))


def _dealer_hand(table: Table, now: Round, event: ev.DealerHandConfirmed) -> bool:
    if event.cards != now.known_hand(DEALER):
        return False
    ordinal = rank_five(event.cards)
    return event.category is category_of(ordinal) and event.qualifies == qualifies(table.setup.profile, ordinal)


def _jackpot(table: Table, now: Round, event: ev.JackpotSettled) -> bool:
    return event.lines == aside_lines(table.setup, now)


def _hit(table: Table, now: Round, event: ev.HitFrozen) -> bool:
    prizes = round_prizes(table.setup, now)
    payees = tuple(prize for prize in prizes.in_paying_order if prize.from_meter)
    return (event.amount, event.meter_at_lock, event.payees) == (prizes.from_meter, now.meter_at_lock, payees)


def _fed(table: Table, now: Round, event: ev.JackpotFed) -> bool:
    return event in jackpot_feeds(table.setup, now)


def _feed_reversed(table: Table, now: Round, event: ev.JackpotFeedReversed) -> bool:
    return event in feeds_reversed(table, now)


def _voided(table: Table, now: Round, event: ev.RoundVoided) -> bool:
    return event.refunds == refunds(table, now) and event.house_decides == house_decides(table.setup, now)


def _disputed(table: Table, now: Round, event: seen.HandDisputed) -> bool:
    recorded = open_cards(table.setup.profile, now, event.holder)
    return event.recorded == recorded and gainsays(table.setup, now, event.holder, event.seen)


def _compared(table: Table, now: Round, event: seen.HandCompared) -> bool:
    told = (*event.agreed, *event.unsure, *event.unseen, *event.disputed)
    return sorted(told) == sorted(open_cards(table.setup.profile, now, event.holder))


def _candidates(table: Table, now: Round, event: seen.CandidatesSeen) -> bool:
    draw = now.draw_at(event.place)
    known = draw is None or draw.card is not None
    return not known and event.place in open_places(table.setup.profile, now, event.place.holder)


def _upheld(_: Table, now: Round, event: seen.RecordUpheld) -> bool:
    return any(dispute.id == event.id for dispute in now.open_disputes)


_CHECKS: Final[dict[type, Callable[..., bool]]] = {
    ev.SeatSettled: _seat_settled,
    ev.HoleCardsTurned: _hole_cards,
    ev.DealerHandConfirmed: _dealer_hand,
    ev.JackpotSettled: _jackpot,
    ev.HitFrozen: _hit,
    ev.JackpotFed: _fed,
    ev.JackpotFeedReversed: _feed_reversed,
    ev.RoundVoided: _voided,
    seen.HandDisputed: _disputed,
    seen.HandCompared: _compared,
    seen.CandidatesSeen: _candidates,
    seen.RecordUpheld: _upheld,
}
