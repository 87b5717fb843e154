"""A rule sheet's figures: what is true of it, beside what it claims."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.analysis.exposure import limits_of
from dealer_assist.analysis.figures import (
    Audit,
    ClaimChecked,
    bonus_figures,
    curve_figures,
    exposure_figures,
    jackpot_figures,
    outcome_figures,
    written,
)
from dealer_assist.analysis.outcomes import outcome_table
from dealer_assist.analysis.policies import fixed_tallies, optimal
from dealer_assist.analysis.returns import payoffs, policy_return, tally
from dealer_assist.analysis.side_bets import BonusWin, JackpotWin, bonus_wins, jackpot_return, jackpot_wins
from dealer_assist.analysis.sweep import UNQUALIFIED
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.setup import TableSetup

CLAIM_SLACK: Final = Fraction(1, 20_000)
"""A claim of two decimals of a percent is right within half of its last digit."""


def audit(profile: RuleProfile, deals: Deals | None = None, setup: TableSetup | None = None) -> Audit:
    """All of it, by full enumeration.

    `deals` spares counting them again where the dealer qualifies with the same hand. `setup`: the table whose limits,
    seats and maximum payout bound the exposure. Raises: BadSetting, where the odds are too fine to count in.
    """
    deals = deals or count_deals(profile.lowest_qualifying)
    pay, digits = payoffs(profile), profile.minor_digits
    counted, fixed = tally(deals, optimal(pay)(deals)), fixed_tallies(deals)
    best = policy_return(counted, pay)
    always = fixed["always raise"]
    bonus, jackpot = bonus_wins(profile, always, counted), jackpot_wins(profile, counted)
    found: dict[str, Fraction | None] = {
        "house_edge": best.edge,
        "return_on_ante": best.on_ante(),
        "return_on_total_stake": best.on_total_stake(profile.decision.raise_multiple),
        "raise_frequency": best.raise_frequency,
        "dealer_qualifies": 1 - Fraction(int(always.counts[:, UNQUALIFIED].sum()), int(always.counts.sum())),
        "variance": best.variance,
        **_bonus_totals(bonus),
        **_jackpot_totals(profile, jackpot),
    }
    claims = tuple(_checked(claim.figure, claim.says, found.get(claim.figure)) for claim in profile.claims)
    policies = {name: float(policy_return(each, pay).edge) for name, each in fixed.items()}
    return Audit(
        profile=profile.id,
        reading=profile.reading,
        house_edge_fraction=written(best.edge),
        variance_fraction=written(best.variance),
        standard_deviation=math.sqrt(best.variance),
        outcomes=tuple(map(outcome_figures, outcome_table(profile, counted, pay))),
        bonus_outcomes=None if bonus is None else tuple(map(bonus_figures, bonus)),
        jackpot_outcomes=None if jackpot is None else tuple(jackpot_figures(win, digits) for win in jackpot),
        jackpot_curve=None if jackpot is None else curve_figures(jackpot_return(jackpot), digits),
        exposure=exposure_figures(profile, limits_of(profile, setup)),
        policies={"optimal": float(best.edge), **policies},
        claims=claims,
        warnings=_warnings(found, claims),
        **{name: None if value is None else float(value) for name, value in found.items()},  # type: ignore[arg-type]
    )


def _bonus_totals(wins: tuple[BonusWin, ...] | None) -> dict[str, Fraction | None]:
    if wins is None:
        return dict.fromkeys(("bonus_return", "bonus_hit_frequency"))
    return {
        "bonus_return": _sum(win.contribution for win in wins),
        "bonus_hit_frequency": _sum(win.frequency for win in wins),
    }


def _jackpot_totals(profile: RuleProfile, wins: tuple[JackpotWin, ...] | None) -> dict[str, Fraction | None]:
    """`jackpot_return`: the fixed prizes, and what each bet feeds to the meter."""
    names = ("fixed_return", "return", "per_meter_unit", "break_even", "hit_frequency")
    if wins is None or profile.jackpot is None:
        return dict.fromkeys(f"jackpot_{name}" for name in names)
    back, unit = jackpot_return(wins), 10**profile.minor_digits
    break_even = back.break_even()
    return {
        "jackpot_fixed_return": back.fixed,
        "jackpot_return": back.fixed + profile.jackpot.contribution,
        "jackpot_per_meter_unit": back.per_meter_unit * unit,
        "jackpot_break_even": None if break_even is None else break_even / unit,
        "jackpot_hit_frequency": _sum(win.frequency for win in wins),
    }


def _sum(fractions: Iterable[Fraction]) -> Fraction:
    return sum(fractions, Fraction(0))


def _checked(figure: str, says: str, true: Fraction | None) -> ClaimChecked:
    claimed = Fraction(says.removesuffix("%")) / 100
    holds = true is not None and abs(true - claimed) <= CLAIM_SLACK
    return ClaimChecked(figure, says, None if true is None else float(true), holds)


def _warnings(found: dict[str, Fraction | None], claims: tuple[ClaimChecked, ...]) -> tuple[str, ...]:
    told = [
        f"{name} {float(back):.4%} comes back"
        for name, figure in _TAKERS
        if (back := found[figure]) is not None and (back > 1 or (back == 1 and figure == "jackpot_fixed_return"))
    ]
    for claim in claims:
        if not claim.holds:
            true = "no such figure" if claim.true is None else f"{claim.true:.4%}"
            told.append(f"the sheet claims {claim.figure} {claim.says}; true is {true}")
    return tuple(told)


_TAKERS: Final = (
    ("ante and raise pay more than they take: of each ante", "return_on_ante"),
    ("5+1 pays more than it takes:", "bonus_return"),
    ("the jackpot's fixed prizes alone pay all that it takes, whatever the meter:", "jackpot_fixed_return"),
)
