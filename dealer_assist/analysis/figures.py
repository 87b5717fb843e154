"""The figures of a profile as they are shown and written: numbers for reading, fractions where exactness counts."""

from fractions import Fraction

import msgspec

from dealer_assist.analysis.exposure import Limits, Worst, worst_round
from dealer_assist.analysis.outcomes import OutcomeShare
from dealer_assist.analysis.side_bets import BonusWin, JackpotReturn, JackpotWin
from dealer_assist.analysis.strategy import StrategyGrid
from dealer_assist.game.bets import Bet, Unit
from dealer_assist.game.money import Money, format_amount
from dealer_assist.game.profile import RuleProfile


class ClaimChecked(msgspec.Struct, frozen=True):
    """A figure as the sheet says it, and as it is."""

    figure: str
    says: str
    true: float | None
    holds: bool


class OutcomeFigures(msgspec.Struct, frozen=True):
    """An outcome of ante and raise under optimal play.

    `category`: of the player's hand; None where the outcome pays all hands alike, or all but those with a line of their own.
    `pays`: what both bets bring, in antes; `contribution` = `frequency` × `pays`.
    """

    outcome: str
    category: str | None
    pays: float
    frequency: float
    contribution: float
    frequency_fraction: str
    contribution_fraction: str


class BonusFigures(msgspec.Struct, frozen=True):
    """A 5+1 that wins. `contribution`: to the return for each unit staked, the stake with it."""

    category: str
    odds: str
    frequency: float
    contribution: float
    frequency_fraction: str


class JackpotFigures(msgspec.Struct, frozen=True):
    """A jackpot prize, as printed: an amount, or a share of the meter.

    `contribution`: of a fixed prize to the return for each unit staked; `per_meter_unit`: of a share, for each unit of the
    currency on the meter.
    """

    category: str
    prize: str
    frequency: float
    contribution: float
    per_meter_unit: float
    frequency_fraction: str


class CurvePoint(msgspec.Struct, frozen=True):
    """The jackpot's return at one meter, in units of the currency."""

    meter: float
    back: float = msgspec.field(name="return")


class LimitFigures(msgspec.Struct, frozen=True):
    """The most that may be staked; `unit` "ante" where nothing limits the ante. None where there is no such bet or limit."""

    unit: str
    seats: int
    ante: str
    bonus: str | None
    jackpot: str | None
    total: str | None


class DealFigures(msgspec.Struct, frozen=True):
    """A deal by card codes. `seats`: hands by seat number. `dealer`: the upcard first."""

    seats: dict[str, str]
    dealer: str


class PaidFigures(msgspec.Struct, frozen=True, rename={"raise_bet": "raise"}):
    """What a round costs, bet by bet, as decimal strings; None where there is no such bet. `deal`: a deal that costs it."""

    ante: str
    raise_bet: str
    bonus: str | None
    jackpot: str | None
    total: str
    dealer_qualifies: bool
    deal: DealFigures


class CappedFigures(msgspec.Struct, frozen=True):
    """The same under the table's maximum payout."""

    amount: str
    per: str
    bets: tuple[str, ...]
    per_hand: PaidFigures
    table: PaidFigures


class ExposureFigures(msgspec.Struct, frozen=True):
    """The most the house may pay in one round, in `limits.unit`: to one seat, and to all of them at once."""

    limits: LimitFigures
    per_hand: PaidFigures
    table: PaidFigures
    with_max_payout: CappedFigures | None


class Audit(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of one profile and reading, as fractions of one; None where the bet does not exist.

    `policies`: the house's edge on the ante under each way to play. `variance` of one hand's ante and raise under optimal
    play in squared antes, `standard_deviation` in antes. `jackpot_break_even` in units of the currency; the jackpot's
    return at a meter of m of them is `jackpot_fixed_return` + m × `jackpot_per_meter_unit`.
    """

    profile: str
    reading: str | None
    house_edge: float
    house_edge_fraction: str
    return_on_ante: float
    return_on_total_stake: float
    raise_frequency: float
    dealer_qualifies: float
    variance: float
    variance_fraction: str
    standard_deviation: float
    outcomes: tuple[OutcomeFigures, ...]
    bonus_return: float | None
    bonus_hit_frequency: float | None
    bonus_outcomes: tuple[BonusFigures, ...] | None
    jackpot_fixed_return: float | None
    jackpot_return: float | None
    jackpot_per_meter_unit: float | None
    jackpot_break_even: float | None
    jackpot_hit_frequency: float | None
    jackpot_outcomes: tuple[JackpotFigures, ...] | None
    jackpot_curve: tuple[CurvePoint, ...] | None
    exposure: ExposureFigures
    policies: dict[str, float]
    claims: tuple[ClaimChecked, ...]
    warnings: tuple[str, ...]
    strategy: StrategyGrid | None = None


# --- from exact values to figures ------------------------------------------------------------------------------------


def written(value: Fraction) -> str:
    """A fraction as `"-a/b"`."""
    return f"{value.numerator}/{value.denominator}"


def outcome_figures(share: OutcomeShare) -> OutcomeFigures:
    """One line of the table of outcomes."""
    return OutcomeFigures(
        share.outcome,
        share.category,
        float(share.pays),
        float(share.frequency),
        float(share.contribution),
        written(share.frequency),
        written(share.contribution),
    )


def bonus_figures(win: BonusWin) -> BonusFigures:
    """One line of 5+1."""
    return BonusFigures(
        win.category, str(win.odds), float(win.frequency), float(win.contribution), written(win.frequency)
    )


def jackpot_figures(win: JackpotWin, digits: int) -> JackpotFigures:
    """One line of the jackpot, amounts with so many decimals."""
    prize = win.prize
    return JackpotFigures(
        win.category,
        format_amount(prize.fixed, digits) if prize.fixed is not None else f"{float((prize.share or 0) * 100):g}%",
        float(win.frequency),
        float(win.fixed),
        float(win.per_meter_unit * 10**digits),
        written(win.frequency),
    )


def curve_figures(back: JackpotReturn, digits: int) -> tuple[CurvePoint, ...]:
    """The return at round meters, from zero to past the break-even."""
    return tuple(CurvePoint(float(meter / 10**digits), float(value)) for meter, value in back.curve())


def exposure_figures(profile: RuleProfile, limits: Limits) -> ExposureFigures:
    """The dearest round of one seat and of all, without the maximum payout and with it."""
    most, digits = limits.most, _digits(profile, limits)
    in_currency = most.unit is Unit.currency
    return ExposureFigures(
        LimitFigures(
            unit=most.unit,
            seats=limits.seats,
            ante=format_amount(most.ante, digits),
            bonus=None if profile.bonus is None else format_amount(most.bonus, digits),
            jackpot=format_amount(most.jackpot, digits) if profile.jackpot is not None and in_currency else None,
            total=None if limits.total is None else format_amount(limits.total, digits),
        ),
        _paid(profile, limits, worst_round(profile, limits, 1)),
        _paid(profile, limits, worst_round(profile, limits, limits.seats)),
        _capped(profile, limits),
    )


def _digits(profile: RuleProfile, limits: Limits) -> int:
    return 2 if limits.most.unit is Unit.ante else profile.minor_digits


def _capped(profile: RuleProfile, limits: Limits) -> CappedFigures | None:
    cap = limits.cap
    if cap is None:
        return None
    return CappedFigures(
        format_amount(cap.amount, profile.minor_digits),
        cap.per,
        cap.bets,
        _paid(profile, limits, worst_round(profile, limits, 1, cap)),
        _paid(profile, limits, worst_round(profile, limits, limits.seats, cap)),
    )


def _paid(profile: RuleProfile, limits: Limits, worst: Worst) -> PaidFigures:
    def amount(money: Money) -> str:
        return format_amount(money, _digits(profile, limits))

    with_jackpot = profile.jackpot is not None and limits.most.unit is Unit.currency
    seats = range(len(worst.wins), 0, -1)  # the wins are in paying order, from the dealer's right
    return PaidFigures(
        ante=amount(worst.of(Bet.ante)),
        raise_bet=amount(worst.of(Bet.raise_bet)),
        bonus=None if profile.bonus is None else amount(worst.of(Bet.bonus)),
        jackpot=amount(worst.of(Bet.jackpot)) if with_jackpot else None,
        total=amount(worst.total),
        dealer_qualifies=worst.qualifies,
        deal=DealFigures(
            {str(seat): " ".join(hand) for seat, hand in sorted(zip(seats, worst.deal.hands, strict=True))},
            " ".join((worst.deal.upcard, *worst.deal.hole)),
        ),
    )
