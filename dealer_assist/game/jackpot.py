"""The jackpot: the meter of one table, and how a round's prizes come out of it.

Source: sheet A "Jackpot-indsats", sheet C "Progressiv jackpot", sheet D "Jatkokierrosten voitonmaksutaulukko".
"""

from fractions import Fraction

import msgspec

from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import MeterUnknown
from dealer_assist.game.hands import Category
from dealer_assist.game.money import NOTHING, Money
from dealer_assist.game.profile import Prize, PrizeTable, RoyalShare


class Meter(msgspec.Struct, frozen=True):
    """The jackpot's exact value: `shown` in whole minor units, `carry` the part of one that is not shown, 0 ≤ carry < 1."""

    shown: Money
    carry: Fraction = Fraction(0)

    @property
    def exact(self) -> Fraction:
        """The whole value, in minor units."""
        return self.shown + self.carry

    def plus(self, increment: Fraction) -> "Meter":
        """The meter after an exact increment, which a reversal makes negative."""
        exact = self.exact + increment
        shown = exact.numerator // exact.denominator
        return Meter(Money(shown), exact - shown)


class Contribution(msgspec.Struct, frozen=True):
    """What one jackpot bet fed to the meter: `increment` = stake × rate, exact, in minor units."""

    seat: Seat
    stake: Money
    rate: Fraction
    increment: Fraction


def contribution(seat: Seat, stake: Money, rate: Fraction) -> Contribution:
    """The feed of one jackpot bet."""
    return Contribution(seat, stake, rate, stake * rate)


class Entrant(msgspec.Struct, frozen=True):
    """A seat whose jackpot bet stands, and its hand's category."""

    seat: Seat
    stake: Money
    category: Category


class PrizeWon(msgspec.Struct, frozen=True):
    """One seat's jackpot prize for-one. `from_meter`: the part of `amount` that leaves the meter."""

    seat: Seat
    amount: Money
    from_meter: Money
    odds: str | None
    by_hand: bool


class Prizes(msgspec.Struct, frozen=True):
    """A round's prizes in paying order, and whether a royal flush emptied the meter."""

    in_paying_order: tuple[PrizeWon, ...]
    meter_won: bool

    @property
    def from_meter(self) -> Money:
        """What leaves the meter in all."""
        return Money(sum(prize.from_meter for prize in self.in_paying_order))


def prizes(
    table: PrizeTable, sharing: RoyalShare, entrants_in_paying_order: tuple[Entrant, ...], meter: Money | None
) -> Prizes:
    """Who wins what of a meter that stands at `meter` at lock.

    Percentages below the whole come first, each of the meter at lock; the royals share what is left, equally among
    the winners or by stakes among all who bet in the round. All round down to the minor unit; what does not divide
    goes to the first royal in paying order.

    Raises: MeterUnknown, where a prize is a share of a meter that is not given.
    """
    by_hand = {entrant.seat: table.prize(entrant.category) for entrant in entrants_in_paying_order}
    shares = {seat: _percentage(prize, meter) for seat, prize in by_hand.items()}
    royals = [entrant for entrant in entrants_in_paying_order if _is_royal(by_hand[entrant.seat])]
    if royals:
        winners_only = sharing is RoyalShare.winner
        sharers = royals if winners_only else list(entrants_in_paying_order)
        left = _known(meter) - sum(shares.values())
        for seat, amount in _shared(left, sharers, royals[0].seat, equally=winners_only).items():
            shares[seat] += amount
    won = (_won(seat, prize, Money(shares[seat])) for seat, prize in by_hand.items())
    return Prizes(tuple(prize for prize in won if prize.amount), bool(royals))


def _is_royal(prize: Prize | None) -> bool:
    return prize is not None and prize.is_whole_meter


def _percentage(prize: Prize | None, meter: Money | None) -> int:
    """What a prize below the whole takes of the meter."""
    if prize is None or prize.share is None or prize.is_whole_meter:
        return 0
    return int(_known(meter) * prize.share)


def _won(seat: Seat, prize: Prize | None, from_meter: Money) -> PrizeWon:
    fixed = prize.fixed if prize is not None and prize.fixed is not None else NOTHING
    odds = None if prize is None or prize.share is None else _percent(prize.share)
    return PrizeWon(seat, Money(fixed + from_meter), from_meter, odds, by_hand=prize is not None)


def _known(meter: Money | None) -> Money:
    if meter is None:
        raise MeterUnknown
    return meter


def _percent(share: Fraction) -> str:
    return f"{share.numerator * 100 // share.denominator}%"


def _shared(amount: int, sharers: list[Entrant], first_royal: Seat, *, equally: bool) -> dict[Seat, int]:
    weights = {sharer.seat: 1 if equally else sharer.stake for sharer in sharers}
    total = sum(weights.values())
    shares = {seat: amount * weight // total for seat, weight in weights.items()}
    shares[first_royal] += amount - sum(shares.values())
    return shares
