"""The jackpot: the meter of one table, and how a round's prizes come out of it.

Source: sheet A "Jackpot-indsats", sheet C "Progressiv jackpot", sheet D "Jatkokierrosten voitonmaksutaulukko".
"""

from fractions import Fraction

import msgspec

from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import MeterUnknown
from dealer_assist.game.hands import Category
from dealer_assist.game.money import NOTHING, Money
from dealer_assist.game.profile import PrizeTable, RoyalShare


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
    own: dict[Seat, tuple[Money, str | None]] = {}
    from_meter: dict[Seat, int] = {}
    royals: list[Entrant] = []
    for entrant in entrants_in_paying_order:
        prize = table.prize(entrant.category)
        if prize is None:
            continue
        if prize.fixed is not None:
            own[entrant.seat] = prize.fixed, None
        elif prize.is_whole_meter:
            royals.append(entrant)
        else:
            share = prize.share or Fraction(0)
            from_meter[entrant.seat] = int(_known(meter) * share)
            own[entrant.seat] = NOTHING, _percent(share)
    if royals:
        left = _known(meter) - sum(from_meter.values())
        sharers = royals if sharing is RoyalShare.winner else list(entrants_in_paying_order)
        for seat, amount in _shared(left, sharers, royals[0].seat, equally=sharing is RoyalShare.winner).items():
            from_meter[seat] = from_meter.get(seat, 0) + amount
    won = []
    for entrant in entrants_in_paying_order:
        fixed, odds = own.get(entrant.seat, (NOTHING, None))
        taken = from_meter.get(entrant.seat, 0)
        if fixed or taken:
            odds = "100%" if entrant in royals else odds
            won.append(
                PrizeWon(
                    entrant.seat, Money(fixed + taken), Money(taken), odds, entrant in royals or entrant.seat in own
                )
            )
    return Prizes(tuple(won), bool(royals))


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
