"""A rule sheet's figures: what is true of it, beside what it claims."""

from fractions import Fraction
from typing import Final

import msgspec

from dealer_assist.analysis.deals import Deals, count_deals
from dealer_assist.analysis.returns import (
    Policy,
    always,
    at_least,
    matching_rank,
    never,
    optimal,
    payoffs,
    policy_return,
    raise_values,
    three_rules,
)
from dealer_assist.analysis.side_bets import bonus_return, jackpot_return
from dealer_assist.analysis.sweep import COMPLETIONS, HANDS, UPCARDS
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_five
from dealer_assist.game.profile import RuleProfile

CLAIM_SLACK: Final = Fraction(1, 20_000)
"""A claim of two decimals of a percent is right within half of its last digit."""

_LOWEST_PAIR: Final = rank_five(parse_cards("2s 2d 3c 4h 5s"))
_AKJ83: Final = rank_five(parse_cards("As Kd Jc 8h 3s"))


class ClaimChecked(msgspec.Struct, frozen=True):
    """A figure as the sheet says it, and as it is."""

    figure: str
    says: str
    true: float | None
    holds: bool


class Audit(msgspec.Struct, frozen=True):
    """The figures of one profile and reading, as fractions of one; None where the bet does not exist.

    `policies`: the house's edge on the ante under each way to play. `jackpot_break_even` in units of the currency.
    """

    profile: str
    reading: str | None
    house_edge: float
    house_edge_fraction: str
    return_on_ante: float
    return_on_total_stake: float
    raise_frequency: float
    dealer_qualifies: float
    bonus_return: float | None
    jackpot_fixed_return: float | None
    jackpot_return: float | None
    jackpot_break_even: float | None
    policies: dict[str, float]
    claims: tuple[ClaimChecked, ...]
    warnings: tuple[str, ...]


def audit(profile: RuleProfile, deals: Deals | None = None) -> Audit:
    """All of it, by full enumeration. `deals` spares counting them again where the dealer qualifies with the same hand."""
    deals = deals or count_deals(profile.lowest_qualifying)
    pay = payoffs(profile, deals.categories)
    values = raise_values(deals, pay)
    raises = optimal(pay.scale)(deals, values)
    best = policy_return(deals, values, raises, pay.scale)
    policies = {
        name: policy_return(deals, values, policy(deals, values), pay.scale).edge for name, policy in _policies()
    }
    bonus, jackpot = bonus_return(profile), jackpot_return(profile, raises, deals)
    fed = profile.jackpot.contribution if profile.jackpot is not None else Fraction(0)
    break_even = jackpot.break_even() if jackpot is not None else None
    found: dict[str, Fraction | None] = {
        "house_edge": best.edge,
        "return_on_ante": best.on_ante(),
        "return_on_total_stake": best.on_total_stake(profile.decision.raise_multiple),
        "raise_frequency": best.raise_frequency,
        "dealer_qualifies": _qualifies(deals),
        "bonus_return": bonus,
        "jackpot_fixed_return": jackpot.fixed if jackpot is not None else None,
        "jackpot_return": jackpot.fixed + fed if jackpot is not None else None,
        "jackpot_break_even": break_even / 10**profile.minor_digits if break_even is not None else None,
    }
    claims = tuple(_checked(claim.figure, claim.says, found.get(claim.figure)) for claim in profile.claims)
    return Audit(
        profile=profile.id,
        reading=profile.reading,
        house_edge_fraction=f"{best.edge.numerator}/{best.edge.denominator}",
        policies={"optimal": float(best.edge), **{name: float(edge) for name, edge in policies.items()}},
        claims=claims,
        warnings=_warnings(best.edge, bonus, claims),
        **{name: None if value is None else float(value) for name, value in found.items()},  # type: ignore[arg-type]
    )


def _policies() -> tuple[tuple[str, Policy], ...]:
    return (
        ("three rules", three_rules),
        ("matching rank", matching_rank),
        ("AKJ83 or better", at_least(_AKJ83)),
        ("pair or better", at_least(_LOWEST_PAIR)),
        ("ace and king or better", at_least(LOWEST_QUALIFYING)),
        ("always raise", always),
        ("always fold", never),
    )


def _qualifies(deals: Deals) -> Fraction:
    unqualified = int((deals.unqualified.sum(axis=1, dtype="int64") * deals.sizes.astype("int64")).sum())
    return 1 - Fraction(unqualified, HANDS * UPCARDS * COMPLETIONS)


def _checked(figure: str, says: str, true: Fraction | None) -> ClaimChecked:
    claimed = Fraction(says.removesuffix("%")) / 100
    holds = true is not None and abs(true - claimed) <= CLAIM_SLACK
    return ClaimChecked(figure, says, None if true is None else float(true), holds)


def _warnings(edge: Fraction, bonus: Fraction | None, claims: tuple[ClaimChecked, ...]) -> tuple[str, ...]:
    found = []
    if edge < 0:
        found.append(f"ante and raise pay more than they take: {float(1 - edge):.4%} of each ante comes back")
    if bonus is not None and bonus > 1:
        found.append(f"5+1 pays more than it takes: {float(bonus):.4%} comes back")
    for claim in claims:
        if not claim.holds:
            true = "no such figure" if claim.true is None else f"{claim.true:.4%}"
            found.append(f"the sheet claims {claim.figure} {claim.says}; true is {true}")
    return tuple(found)
