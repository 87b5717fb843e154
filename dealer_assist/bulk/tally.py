"""Rounds, differences and money, in all and by table, day and dealer. Sums are whole minor units, whatever their size."""

import msgspec

from dealer_assist.bulk.judging import Judgement
from dealer_assist.game.bets import Bet, Unit
from dealer_assist.game.errors import BadAmount
from dealer_assist.game.money import MOST_DIGITS, Money, format_amount, parse_amount
from dealer_assist.game.paying import stakes
from dealer_assist.storage.pages import Label


class Sums(msgspec.Struct):
    """Money of one unit, in minor units of `digits` decimals: staked, and net to the players by the rules and as recorded."""

    digits: int = 0
    staked: int = 0
    expected: int = 0
    recorded: int = 0

    def add(self, digits: int, staked: int, expected: int, recorded: int) -> None:
        """Add sums; the finer decimals win."""
        finer = max(digits, self.digits)
        ours, theirs = 10 ** (finer - self.digits), 10 ** (finer - digits)
        self.digits = finer
        self.staked = self.staked * ours + staked * theirs
        self.expected = self.expected * ours + expected * theirs
        self.recorded = self.recorded * ours + recorded * theirs


class Tally(msgspec.Struct):
    """What some rounds came to. `money` by unit: a currency, or "ante"."""

    rounds: int = 0
    differences: int = 0
    faults: int = 0
    money: dict[str, Sums] = {}

    def add(self, other: "Tally") -> None:
        """Add what other rounds came to."""
        self.rounds += other.rounds
        self.differences += other.differences
        self.faults += other.faults
        for unit, sums in other.money.items():
            own = self.money.setdefault(unit, Sums())
            own.add(sums.digits, sums.staked, sums.expected, sums.recorded)


class Tallies(msgspec.Struct):
    """All rounds, and the same rounds parted in three ways; a key is None where records are silent."""

    total: Tally = msgspec.field(default_factory=Tally)
    by_table: dict[str | None, Tally] = {}
    by_day: dict[str | None, Tally] = {}
    by_dealer: dict[str | None, Tally] = {}

    def add(self, label: Label, tally: Tally) -> None:
        """Count rounds of one label."""
        self.total.add(tally)
        for parted, key in ((self.by_table, label.table), (self.by_day, label.day), (self.by_dealer, label.dealer)):
            parted.setdefault(key, Tally()).add(tally)

    def merge(self, other: "Tallies") -> None:
        """Count what another part of the logs came to."""
        self.total.add(other.total)
        for mine, theirs in (
            (self.by_table, other.by_table),
            (self.by_day, other.by_day),
            (self.by_dealer, other.by_dealer),
        ):
            for key, tally in theirs.items():
                mine.setdefault(key, Tally()).add(tally)


def tally_of(found: Judgement) -> Tally:
    """One round that was dealt again. A void one stakes nothing; what differs stands in `recorded`."""
    setup, now, record = found.played.table.setup, found.played.round, found.record
    units = {Unit.currency: (setup.profile.currency, setup.minor_digits), Unit.ante: ("ante", 2)}
    tally = Tally(rounds=1, differences=len(found.outcome.differences))

    def add(unit: Unit, digits: int, staked: int, expected: int, recorded: int) -> None:
        tally.money.setdefault(units[unit][0], Sums()).add(digits, staked, expected, recorded)

    for seat in () if now.void_reason is not None else now.seats:
        for _, stake, unit in stakes(setup, now, seat):
            add(unit, units[unit][1], stake, 0, 0)
    for line in found.played.lines:
        add(line.unit, units[line.unit][1], 0, line.net, line.net)
    for each in found.outcome.differences:
        bets = record.seats.get(each.seat)
        in_antes = record.unit == "ante" and each.bet != Bet.jackpot and (bets is None or bets.unit != "currency")
        digits, amount = _amount(each.recorded)
        expected = _amount(each.expected)[1] if each.expected is not None else 0
        add(Unit.ante if in_antes else Unit.currency, digits, 0, 0, amount - expected)
    return tally


def _amount(text: str) -> tuple[int, int]:
    """Decimals and minor units of an amount; nothing of a text that is none, which only a seat that did not play may have."""
    digits = len(text.partition(".")[2])
    try:
        return digits, parse_amount(text, min(digits, MOST_DIGITS))
    except BadAmount:
        return 0, 0


class Told(msgspec.Struct, frozen=True):
    """Sums as decimal strings."""

    staked: str
    expected_net: str
    recorded_net: str


def told(tally: Tally) -> dict[str, Told]:
    """A tally's money as it is written."""
    return {
        unit: Told(
            *(format_amount(Money(amount), sums.digits) for amount in (sums.staked, sums.expected, sums.recorded))
        )
        for unit, sums in sorted(tally.money.items())
    }
