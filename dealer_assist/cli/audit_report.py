"""An audit as text, narrow enough for any terminal."""

from collections.abc import Iterator
from typing import Any, Final

Figures = dict[str, Any]
"""An audit as its JSON has it."""

_SHARES: Final = ("return_on_ante", "return_on_total_stake", "raise_frequency", "dealer_qualifies")
_BETS: Final = ("ante", "raise", "bonus", "jackpot", "total")


def report(figures: Figures) -> str:
    """Every figure of the audit, the ones asked for most first."""
    parts = (_main, _outcomes, _bonus, _jackpot, _exposure, _policies, _strategy, _verdicts)
    return "\n".join(line for part in parts for line in part(figures))


def _main(figures: Figures) -> Iterator[str]:
    edge, exact = figures["house_edge"], figures["house_edge_fraction"]
    yield f"house edge on the ante  {edge:.8%}  ({exact})"
    yield from _shares(figures, _SHARES)
    yield f"{'standard deviation':<24}{figures['standard_deviation']:.6f} antes  (variance {figures['variance']:.6f})"


def _shares(figures: Figures, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        yield f"{name.replace('_', ' '):<24}{figures[name]:.8%}"


def _outcomes(figures: Figures) -> Iterator[str]:
    yield f"\n{'ante and raise, optimal play':<38}{'antes':>6}{'frequency':>15}{'contribution':>15}"
    for row in figures["outcomes"]:
        name = _worded(row["outcome"]) + (f", {_worded(row['category'])}" if row["category"] else "")
        yield f"{name:<38}{row['pays']:>6g}{row['frequency']:>15.8%}{row['contribution']:>15.8f}"


def _bonus(figures: Figures) -> Iterator[str]:
    if figures["bonus_outcomes"] is None:
        return
    yield f"\n{'5+1':<38}{'odds':>6}{'frequency':>15}{'contribution':>15}"
    for row in figures["bonus_outcomes"]:
        yield f"{_worded(row['category']):<38}{row['odds']:>6}{row['frequency']:>15.8%}{row['contribution']:>15.8f}"
    yield from _shares(figures, ("bonus_return", "bonus_hit_frequency"))


def _jackpot(figures: Figures) -> Iterator[str]:
    if figures["jackpot_outcomes"] is None:
        return
    yield f"\n{'jackpot':<34}{'prize':>10}{'frequency':>15}{'contribution':>15}"
    for row in figures["jackpot_outcomes"]:
        by_meter = row["per_meter_unit"]
        back = f"{by_meter:.3e} × m" if by_meter else f"{row['contribution']:.8f}"
        yield f"{_worded(row['category']):<34}{row['prize']:>10}{row['frequency']:>15.8%}{back:>15}"
    yield from _shares(figures, ("jackpot_fixed_return", "jackpot_return", "jackpot_hit_frequency"))
    yield f"{'return at meter m':<24}{figures['jackpot_fixed_return']:.9f} + {figures['jackpot_per_meter_unit']:.8e} × m"
    for point in figures["jackpot_curve"]:
        yield f"  {point['meter']:>15,.2f}{point['return']:>12.4%}"
    if figures["jackpot_break_even"] is not None:
        yield f"{'jackpot break even':<24}{figures['jackpot_break_even']:,.2f}"


def _exposure(figures: Figures) -> Iterator[str]:
    exposure, limits = figures["exposure"], figures["exposure"]["limits"]
    staked = ", ".join(
        f"{bet} {limits[bet]}" for bet in ("ante", "bonus", "jackpot", "total") if limits[bet] is not None
    )
    unit = "in antes, for nothing limits them" if limits["unit"] == "ante" else f"at the highest stakes: {staked}"
    yield f"\nthe most one round may cost, {unit}"
    yield f"{'':<15}{''.join(f'{bet:>13}' for bet in _BETS)}"
    yield _paid("one seat", exposure["per_hand"])
    yield _paid(f"all {limits['seats']} seats", exposure["table"])
    if capped := exposure["with_max_payout"]:
        yield f"with at most {capped['amount']} paid a {capped['per']} on {', '.join(capped['bets'])}"
        yield _paid("one seat", capped["per_hand"])
        yield _paid(f"all {limits['seats']} seats", capped["table"])
    deal, qualifies = exposure["table"]["deal"], exposure["table"]["dealer_qualifies"]
    yield f"such a round (the dealer {'qualifies' if qualifies else 'does not qualify'}; his upcard first)"
    yield from (f"  seat {seat}  {hand}" for seat, hand in deal["seats"].items())
    yield f"  dealer  {deal['dealer']}"


def _paid(name: str, paid: Figures) -> str:
    return f"{name:<15}" + "".join(f"{paid[bet] or '–':>13}" for bet in _BETS)


def _policies(figures: Figures) -> Iterator[str]:
    yield f"\n{'edge on the ante by play':<38}"
    for name, edge in figures["policies"].items():
        yield f"  {name:<36}{edge:>12.6%}"


def _strategy(figures: Figures) -> Iterator[str]:
    grid = figures.get("strategy")
    if grid is None:
        return
    width = max(len(row["label"]) for row in grid["rows"])
    yield "\noptimal play by the dealer's upcard: R raise, · fold, a number where suits decide: percent raised"
    yield f"{'':<{width}}{''.join(f'{upcard:>4}' for upcard in grid['upcards'])}"
    for row in grid["rows"]:
        yield f"{row['label']:<{width}}{''.join(f'{_played(cell):>4}' for cell in row['cells'])}"


def _played(cell: Figures) -> str:
    if cell["cases"] == 0:
        return ""
    if cell["raised_cases"] in (0, cell["cases"]):
        return "R" if cell["raised_cases"] else "·"
    return f"{min(max(round(100 * cell['raised']), 1), 99)}"


def _verdicts(figures: Figures) -> Iterator[str]:
    yield ""
    for claim in figures["claims"]:
        verdict = "holds" if claim["holds"] else "is off"
        yield f"claim: {claim['figure'].replace('_', ' ')} {claim['says']}: {verdict}"
    yield from (f"warning: {warning}" for warning in figures["warnings"])
    yield f"({figures['seconds']} s)"


def _worded(name: str) -> str:
    return name.replace("_", " ")
