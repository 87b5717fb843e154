"""Exact returns: published totals, and an independent program's values of single hands, to the last deal."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dealer_assist.analysis.audit import audit
from dealer_assist.analysis.deals import DEALS, Deals
from dealer_assist.analysis.policies import Policy, always, at_least, matching_rank, optimal, three_rules
from dealer_assist.analysis.returns import payoffs, policy_return, raise_values, tally
from dealer_assist.analysis.side_bets import six_card_counts
from dealer_assist.application.columns import number_of
from dealer_assist.game.cards import parse_card, parse_cards
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_five
from dealer_assist.storage.profiles import load_profile

RETURNS = Path(__file__).parents[1] / "golden" / "returns.jsonl"


def ordinal(codes: str) -> int:
    return rank_five(parse_cards(codes))


LOSSES: list[tuple[str, Policy, int]] = [
    ("optimal play", optimal(payoffs(load_profile("cyber-stud-nb"))), 1_041_372_912_372),
    ("three rules", three_rules, 1_041_417_758_724),
    ("A-K-J-8-3 or better", at_least(ordinal("As Kd Jc 8h 3s")), 1_059_715_400_580),
    ("matching rank", matching_rank, 1_063_176_931_284),
    ("a pair or better", at_least(ordinal("2s 2d 3c 4h 5s")), 1_090_272_101_460),
    ("ace and king or better", at_least(LOWEST_QUALIFYING), 1_132_600_203_540),
    ("a raise on everything", always, 3_310_360_338_060),
]


@pytest.mark.parametrize(("name", "policy", "loss"), LOSSES, ids=[name for name, _, _ in LOSSES])
def test_the_seven_published_losses_of_the_us_table_are_met(deals: Deals, name: str, policy: Policy, loss: int) -> None:
    """Sheet C pays as the US table does; antes lost over 19,933,230,517,200 deals."""
    pay = payoffs(load_profile("cyber-stud-nb"))
    assert policy_return(tally(deals, policy(deals)), pay).edge * DEALS == loss


EDGES = {
    ("cyber-stud-nb", None): "142031221/2718662100",
    ("live-studio-da", None): "184565677343/4983307629300",
    ("casino-stud-da", None): "184565677343/4983307629300",
    ("four-seat-fi", None): "28355439569/711901089900",
    ("four-seat-fi", "first-column-only"): "223640033033/4983307629300",
    ("four-seat-fi", "literal"): "-43766617/60605748",
    ("four-seat-fi", "pari-as-one-pair"): "-963883083817/4983307629300",
    ("cyber-stud-nb", "ante-pushes"): "140752644581/553700847700",
    ("cyber-stud-nb", "win-ante-returned"): "5287260269/25168220350",
}


@pytest.mark.parametrize(("profile", "reading"), EDGES)
def test_each_profile_and_reading_has_its_exact_edge(deals: Deals, profile: str, reading: str | None) -> None:
    found = audit(load_profile(profile, reading), deals)
    assert found.house_edge_fraction == EDGES[profile, reading]
    assert found.dealer_qualifies == pytest.approx(205 / 364, abs=1e-15)
    assert bool(found.warnings) == (found.house_edge < 0 or profile == "live-studio-da")


def test_the_sheets_claims_are_checked_and_the_one_with_the_wrong_label_is_named(deals: Deals) -> None:
    """Sheet A, "Tilbagebetaling til spilleren": 98.19 is the return on all that is staked, not on the ante."""
    found = audit(load_profile("live-studio-da"), deals)
    assert [claim.holds for claim in found.claims] == [True, False, True, True]
    assert found.return_on_total_stake == pytest.approx(0.9818847594, abs=1e-10)
    assert found.jackpot_break_even == pytest.approx(442_831)


def test_single_hands_have_the_counts_and_values_of_an_independent_program(deals: Deals) -> None:
    columns = {"us": "cyber-stud-nb", "s000": "live-studio-da", "s004a": "four-seat-fi"}
    values = {name: raise_values(deals, payoffs(load_profile(sheet))) for name, sheet in columns.items()}
    lose = 163_185 - deals.unqualified - deals.win - deals.tie
    classes = {tuple(sorted(hand)): at for at, hand in enumerate(deals.cards.tolist())}
    rows = [json.loads(line) for line in RETURNS.read_text().splitlines()[1:]]
    for row in rows:
        hand, upcard = _as_class(row["hand"], row["up"])
        at = classes[hand]
        column = upcard - sum(card < upcard for card in hand)
        counts = (deals.unqualified, deals.win, deals.tie, lose)
        assert [int(count[at, column]) for count in counts] == [row["nq"], row["win"], row["tie"], row["lose"]]
        for name, value in values.items():
            assert int(value[at, column]) == row[f"ev_raise_num_{name}"]
    assert len(rows) == 1263


def _as_class(hand: list[str], upcard: str) -> tuple[tuple[int, ...], int]:
    """A hand and upcard with the suits exchanged so that the hand is its class's own member."""
    cards = [number_of(parse_card(code)) for code in hand]
    masks = [sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)]
    order = sorted(range(4), key=lambda suit: -masks[suit])
    renamed = {suit: at for at, suit in enumerate(order)}
    moved = [4 * (card >> 2) + renamed[card & 3] for card in (*cards, number_of(parse_card(upcard)))]
    return tuple(sorted(moved[:5])), moved[5]


def test_the_best_five_of_all_six_card_sets_are_counted(deals: Deals) -> None:
    counts = (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188)
    assert six_card_counts(tally(deals, always(deals))) == counts


def test_no_deal_is_lost_or_counted_twice(deals: Deals) -> None:
    lose = 163_185 - deals.unqualified - deals.win - deals.tie
    assert (np.array([deals.unqualified.min(), deals.win.min(), deals.tie.min(), lose.min()]) >= 0).all()
    assert Fraction(int(deals.sizes.sum())) == 2_598_960
