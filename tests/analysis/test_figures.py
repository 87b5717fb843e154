"""The audit's figures: exact against the rule sheets' page, and against each other."""

import math
from fractions import Fraction

import msgspec
import numpy as np
import pytest

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.deals import DEALS, Deals
from dealer_assist.analysis.figures import Audit
from dealer_assist.analysis.policies import optimal
from dealer_assist.analysis.returns import payoffs
from dealer_assist.game.bets import Outcome
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.hands import Category
from dealer_assist.game.money import PUSH, Money, Odds
from dealer_assist.game.profile import AnteAndRaise, Prize, RuleProfile
from dealer_assist.storage.profiles import load_profile, names

ALL = [(name, reading) for name in names("rules") for reading in (None, *load_profile(name).readings)]
replace = msgspec.structs.replace


@pytest.fixture(params=ALL, ids=lambda which: " ".join(filter(None, which)))
def profile(request: pytest.FixtureRequest) -> RuleProfile:
    return load_profile(*request.param)


PRINTED = {
    # raise frequency, return on the ante, return on all that is staked: percent, as printed with the rule sheets
    ("cyber-stud-nb", None): (52.2254761, 94.775694, 97.444714),
    ("live-studio-da", None): (52.2254761, 96.296322, 98.188476),
    ("four-seat-fi", None): (52.2254761, 96.016941, 98.051827),
    ("four-seat-fi", "first-column-only"): (52.2254761, 95.512217, 97.804959),
    ("four-seat-fi", "literal"): (96.9604863, 172.215291, 124.569628),
    ("four-seat-fi", "pari-as-one-pair"): (52.2254761, 119.342235, 109.460575),
    ("cyber-stud-nb", "ante-pushes"): (42.1982541, 74.579659, 86.214304),
    ("cyber-stud-nb", "win-ante-returned"): (50.2542228, 78.992316, 89.522793),
}


@pytest.mark.parametrize("which", PRINTED, ids=lambda which: " ".join(filter(None, which)))
def test_frequencies_and_returns_are_those_printed(deals: Deals, which: tuple[str, str | None]) -> None:
    found = audit(load_profile(*which), deals)
    raised, on_ante, on_stake = PRINTED[which]
    assert round(100 * found.raise_frequency, 7) == raised
    assert round(100 * found.return_on_ante, 6) == on_ante
    assert round(100 * found.return_on_total_stake, 6) == on_stake


PRINTED_POLICIES = {
    "cyber-stud-nb": (5.469621, 5.316325, 5.681970, 16.607245),
    "live-studio-da": (3.948993, 3.795698, 4.161343, 15.086617),
    "four-seat-fi": (4.228374, 4.075079, 4.440723, 15.365998),
}


@pytest.mark.parametrize("name", PRINTED_POLICIES)
def test_simple_ways_to_play_cost_what_is_printed(deals: Deals, name: str) -> None:
    policies = audit(load_profile(name), deals).policies
    plays = ("pair or better", "AKJ83 or better", "ace and king or better", "always raise")
    assert tuple(round(100 * policies[play], 6) for play in plays) == PRINTED_POLICIES[name]
    assert min(policies.values()) == policies["optimal"]
    assert policies["always fold"] == 1


def test_outcomes_add_up_to_one_and_to_the_edge(deals: Deals, profile: RuleProfile) -> None:
    found = audit(profile, deals)
    frequencies = [Fraction(row.frequency_fraction) for row in found.outcomes]
    contributions = [Fraction(row.contribution_fraction) for row in found.outcomes]
    assert sum(frequencies) == 1
    assert -sum(contributions) == Fraction(found.house_edge_fraction)
    assert all(
        share * Fraction(row.pays) == part
        for share, part, row in zip(frequencies, contributions, found.outcomes, strict=True)
    )
    raised = sum(share for share, row in zip(frequencies, found.outcomes, strict=True) if row.outcome != Outcome.fold)
    assert float(raised) == found.raise_frequency


def test_a_second_column_has_lines_of_its_own(deals: Deals) -> None:
    def lines(reading: str | None) -> dict[str | None, float]:
        rows = audit(load_profile("four-seat-fi", reading), deals).outcomes
        return {row.category: row.pays for row in rows if row.outcome == Outcome.dealer_not_qualified}

    assert lines(None) == {"royal_flush": 201, "straight_flush": 51, "quads": 11, "full_house": 7, None: 1}
    assert lines("first-column-only") == {None: 1}
    assert lines("literal")[None] == 3


def test_the_variance_is_the_same_from_the_outcomes_and_from_every_single_deal(
    deals: Deals, profile: RuleProfile
) -> None:
    found = audit(profile, deals)
    rows = [(Fraction(row.frequency_fraction), Fraction(row.pays)) for row in found.outcomes]
    mean = sum(share * pays for share, pays in rows)
    assert sum(share * (pays - mean) ** 2 for share, pays in rows) == Fraction(found.variance_fraction)
    assert _variance_deal_by_deal(deals, profile) == Fraction(found.variance_fraction)
    assert found.standard_deviation == pytest.approx(math.sqrt(found.variance), rel=1e-15)


def _variance_deal_by_deal(deals: Deals, profile: RuleProfile) -> Fraction:
    """By class and upcard, without the table of outcomes."""
    pay = payoffs(profile)
    assert pay.scale == 1
    raises = optimal(pay)(deals)
    lose = 163_185 - deals.unqualified.astype(np.int64) - deals.win - deals.tie
    completions = (
        np.where(raises, 0, 163_185),
        *(np.where(raises, of, 0) for of in (deals.unqualified, deals.win, deals.tie, lose)),
    )
    first = second = 0
    for column, counts in enumerate(completions):
        by_class = counts.sum(axis=1, dtype=np.int64) * deals.sizes
        paid = pay.units[deals.categories, column]
        first += int((by_class * paid).sum())
        second += sum((by_class * paid**2).tolist())
    return Fraction(second, DEALS) - Fraction(first, DEALS) ** 2


# --- side bets -------------------------------------------------------------------------------------------------------


def test_five_plus_one_returns_what_is_printed_and_its_lines_add_up(deals: Deals) -> None:
    found = audit(load_profile("live-studio-da"), deals)
    assert found.bonus_outcomes is not None
    back = sum(Fraction(row.frequency_fraction) * (1 + int(row.odds.split(":")[0])) for row in found.bonus_outcomes)
    assert back == Fraction(136879, 149695)
    assert found.bonus_return == float(back)
    assert round(100 * (found.bonus_hit_frequency or 0), 8) == 7.27982191


def test_five_plus_one_after_a_fold_is_weighed_with_the_hands_that_raise(deals: Deals) -> None:
    """Counted anew here for the royal: of the 188 × 6 ways to part six cards that hold one, those whose hand is played."""
    profile = load_profile("live-studio-da", "fold-loses-all")
    found, stands = audit(profile, deals), audit(load_profile("live-studio-da"), deals)
    raises = optimal(payoffs(profile))(deals)
    played = 0
    for suit in range(4):
        royal = [32 + suit, 36 + suit, 40 + suit, 44 + suit, 48 + suit]
        of_royal = np.isin(deals.cards, royal).sum(axis=1)
        for at in np.flatnonzero(of_royal >= 4).tolist():
            hand = deals.cards[at].tolist()
            for column, upcard in enumerate(card for card in range(52) if card not in hand):
                if of_royal[at] + (upcard in royal) == 5:
                    played += int(deals.sizes[at]) * bool(raises[at, column])
    assert found.bonus_outcomes is not None
    assert found.bonus_outcomes[0].category == "royal_flush"
    assert Fraction(found.bonus_outcomes[0].frequency_fraction) == Fraction(played, 2_598_960 * 47)
    assert found.bonus_return is not None
    assert stands.bonus_return is not None
    assert found.bonus_return < stands.bonus_return


JACKPOTS = {
    "live-studio-da": (0.3184489180, 4 / 2_598_960, 442_831),
    "cyber-stud-nb": (0.362375720, 2.92424662e-6, 218_047.3684),
    "four-seat-fi": (0.393729800, 3.07815434e-6, 196_959),
}


@pytest.mark.parametrize("name", JACKPOTS)
def test_the_jackpots_return_is_a_line_through_its_break_even(deals: Deals, name: str) -> None:
    found = audit(load_profile(name), deals)
    fixed, slope, break_even = JACKPOTS[name]
    back, by_meter, even = found.jackpot_fixed_return, found.jackpot_per_meter_unit, found.jackpot_break_even
    curve = found.jackpot_curve
    assert back is not None
    assert by_meter is not None
    assert even is not None
    assert curve is not None
    assert back == pytest.approx(fixed, abs=6e-10)
    assert by_meter == pytest.approx(slope, abs=6e-15)
    assert even == pytest.approx(break_even, abs=6e-5)
    assert len(curve) == 12
    assert (curve[0].meter, curve[0].back) == (0, back)
    for point in curve:
        assert point.back == pytest.approx(back + point.meter * by_meter, rel=1e-14)
        assert (point.back >= 1) == (point.meter >= even)
    assert curve[5].meter <= even <= curve[-2].meter


@pytest.mark.parametrize("name", JACKPOTS)
def test_the_jackpots_lines_add_up_to_its_return(deals: Deals, name: str) -> None:
    found = audit(load_profile(name), deals)
    assert found.jackpot_outcomes is not None
    assert sum(row.contribution for row in found.jackpot_outcomes) == pytest.approx(
        found.jackpot_fixed_return, rel=1e-14
    )
    assert sum(row.per_meter_unit for row in found.jackpot_outcomes) == pytest.approx(
        found.jackpot_per_meter_unit, rel=1e-14
    )
    assert sum(row.frequency for row in found.jackpot_outcomes) == pytest.approx(found.jackpot_hit_frequency, rel=1e-14)


# --- edited sheets ---------------------------------------------------------------------------------------------------


def test_every_bet_that_pays_more_than_it_takes_is_named(deals: Deals) -> None:
    sheet = replace(load_profile("live-studio-da"), claims=())
    assert audit(sheet, deals).warnings == ()
    assert sheet.bonus_paytable is not None
    assert sheet.jackpot_paytable is not None
    generous = replace(
        sheet,
        not_qualified=AnteAndRaise(Odds(1), Odds(1)),
        bonus_paytable=replace(sheet.bonus_paytable, trips=Odds(12)),
        jackpot_paytable=replace(sheet.jackpot_paytable, trips=Prize(None, Money(5000))),
    )
    ante, bonus, jackpot = audit(generous, deals).warnings
    assert ante.startswith("ante and raise pay more than they take")
    assert bonus.startswith("5+1 pays more than it takes")
    assert jackpot.startswith("the jackpot's fixed prizes alone pay all that it takes")


def test_odds_of_any_fineness_are_counted_exactly(deals: Deals) -> None:
    sheet = load_profile("cyber-stud-nb")
    fine = replace(sheet, tie=AnteAndRaise(Odds(1, 7), Odds(2, 13)), not_qualified=AnteAndRaise(Odds(10, 11), PUSH))
    found = audit(fine, deals)
    contributions = [Fraction(row.contribution_fraction) for row in found.outcomes]
    assert -sum(contributions) == Fraction(found.house_edge_fraction)
    assert Fraction(found.house_edge_fraction).denominator % 11 == 0


def test_odds_too_fine_to_count_in_are_refused(deals: Deals) -> None:
    sheet = load_profile("cyber-stud-nb")
    table = sheet.raise_paytable
    for at, category in enumerate(Category):
        table = replace(table, **{category: Odds(99_991 * (at + 2), 99_991 - 2 * at)})
    with pytest.raises(BadSetting, match="odds of smaller whole numbers"):
        audit(replace(sheet, raise_paytable=table), deals)


def test_the_figures_read_back_from_their_json(deals: Deals, profile: RuleProfile) -> None:
    found = audit(profile, deals)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Audit) == found
