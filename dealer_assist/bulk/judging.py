"""One line by the live engine: what it says is what is reported, with the reason of each difference."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from dealer_assist.application.explaining import explained
from dealer_assist.application.records import Fault, RoundRecord, Unreadable, read_record
from dealer_assist.application.replay import Difference, Played, ReplayedRound, Replayer, outcome_of
from dealer_assist.game.bets import Bet
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.errors import GameError
from dealer_assist.game.hands import category_of, rank_five
from dealer_assist.game.money import format_amount
from dealer_assist.storage.profiles import UnknownName, load_profile


class Judgement(msgspec.Struct, frozen=True):
    """A record that was dealt again, and what came of it."""

    record: RoundRecord
    played: Played
    outcome: ReplayedRound


class Judge:
    """Deals lines again, by the profile and reading given whatever the records name; keeps what lines have in common."""

    def __init__(self, profile: str | None = None, reading: str | None = None) -> None:
        self._profile, self._reading = profile, reading
        self._replayer = Replayer(load_profile)

    def judge(self, line: bytes) -> Judgement | str:
        """What came of a line; of one that can't be replayed, why."""
        try:
            record = self._overridden(read_record(line))
            played = self._replayer.play(record)
            return Judgement(record, played, outcome_of(record, played))
        except (Unreadable, Fault, UnknownName, GameError) as error:
            return str(error)

    def _overridden(self, record: RoundRecord) -> RoundRecord:
        if self._profile is None and self._reading is None:
            return record
        profile, reading = self._profile or record.profile, self._reading or record.reading
        return msgspec.structs.replace(record, profile=profile, reading=reading)

    def misfit(self, line: bytes) -> str | None:
        """Why a line is no record of a known profile and reading; None where it is one."""
        try:
            record = read_record(line)
            load_profile(self._profile or record.profile, self._reading or record.reading)
        except (Unreadable, Fault, UnknownName, GameError) as error:
            return str(error)
        return None


# --- what is reported ----------------------------------------------------------------------------------------------------


class Explained(msgspec.Struct, frozen=True, omit_defaults=True):
    """A difference, and why the rules ask what they ask: `why` names the rule, `because` says it. `hand`: the seat's."""

    seat: str
    bet: str
    recorded: str
    expected: str | None
    because: str
    why: str | None = None
    result: str | None = None
    stake: str | None = None
    odds: str | None = None
    hand: tuple[str, ...] | None = None
    category: str | None = None


class DealersHand(msgspec.Struct, frozen=True):
    """The dealer's five cards."""

    cards: tuple[str, ...]
    category: str
    qualifies: bool | None


Nets = Mapping[str, Mapping[str, str]]


class Disagreement(msgspec.Struct, frozen=True):
    """The nets of both engines, seat → bet → amount; `live` None where the live engine says a fault."""

    batch: Nets
    live: Nets | None


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round that differs, or a line that can't be replayed: one line of `differences.jsonl`.

    `line` counts from 1 in a JSON log, `row` in a Parquet file.
    """

    file: str = ""
    line: int | None = None
    row: int | None = None
    id: str | None = None
    table: str | None = None
    day: str | None = None
    dealer: str | None = None
    fault: str | None = None
    differences: tuple[Explained, ...] = ()
    dealer_hand: DealersHand | None = None
    engines_disagree: Disagreement | None = None


def explained_differences(found: Judgement) -> tuple[Explained, ...]:
    """Every difference of a round with its reason."""
    return tuple(_explained(found, difference) for difference in found.outcome.differences)


def _explained(found: Judgement, difference: Difference) -> Explained:
    now, setup = found.played.round, found.played.table.setup
    told = msgspec.structs.asdict(difference)
    if difference.expected is None:
        return Explained(**told, because="the seat did not play")
    seat = Seat(int(difference.seat))
    hand = now.known_hand(seat)
    category = found.outcome.seats[difference.seat].category
    line = next((line for line in found.played.lines if (line.seat, line.bet.value) == (seat, difference.bet)), None)
    if line is None:
        return Explained(**told, because="no such bet was made", hand=hand, category=category)
    in_antes = found.record.unit == "ante" and found.record.seats[difference.seat].unit != "currency"
    digits = 2 if in_antes and line.bet is not Bet.jackpot else setup.minor_digits
    return Explained(
        **told,
        because=explained(line, setup.profile),
        why=line.why.value,
        result=line.result.value,
        stake=format_amount(line.stake, digits),
        odds=line.odds,
        hand=hand,
        category=category,
    )


def dealers_hand(found: Judgement) -> DealersHand | None:
    """The dealer's hand; None where it is not known."""
    hand = found.played.round.known_hand(DEALER)
    if hand is None:
        return None
    return DealersHand(tuple(hand), category_of(rank_five(hand)).value, found.outcome.dealer.qualifies)


class Header(NamedTuple):
    """Whose round a line is, as far as can be told; each None where it can't."""

    id: str | None = None
    profile: str | None = None
    table: str | None = None
    dealer: str | None = None
    time: str | None = None


def header_of(line: bytes) -> Header:
    """The header of a line that can't be replayed."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Header()
    if not isinstance(found, dict):
        return Header()
    return Header._make(value if isinstance(value := found.get(name), str) else None for name in Header._fields)
