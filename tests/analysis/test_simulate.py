"""Simulated rounds: fair cards, the audit's own policies, a meter as the live table keeps it, and the same every time."""

import hashlib
from collections import Counter
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

from dealer_assist.analysis.deals import Deals
from dealer_assist.analysis.players import MOST_SECONDS, house_of
from dealer_assist.analysis.policies import FIXED, optimal
from dealer_assist.analysis.ranking import rank_hands, ranking
from dealer_assist.analysis.returns import payoffs
from dealer_assist.analysis.shuffling import below, deal, sample, stream
from dealer_assist.analysis.simulate import SEED_UNITS, Batch, Plan, course, minds_of
from dealer_assist.analysis.strategies import STRATEGIES, decide, minds, values
from dealer_assist.application.columns import ABSENT, EMPTY, FOLD, RAISE, TIMEOUT, Rounds, Terms
from dealer_assist.application.replay import Replayer
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.hands import LOWEST_QUALIFYING
from dealer_assist.game.jackpot import Meter, contribution
from dealer_assist.game.money import Money
from dealer_assist.game.paying import round_prizes
from dealer_assist.game.profile import AfterFold, Limit, Prize, PrizeTable, RoyalShare, RuleProfile
from dealer_assist.storage.profiles import load_profile, names
from tests.analysis.test_batch import record_of

START: Final = 1_767_268_800
SHEETS: Final = tuple(load_profile(name) for name in names("rules"))


def plan_of(profile: RuleProfile, rounds: int, **changes: object) -> Plan:
    plan = Plan(profile=profile, named=profile.id, rounds=rounds, seed=1, start=START)
    return msgspec.structs.replace(plan, **changes)


def played(plan: Plan, table: int = 0, size: int = 10_000) -> Batch:
    """All rounds of a table in one batch."""
    batches = list(course(plan, table, minds_of(plan), size))
    rounds = type(batches[0].rounds)._make(
        np.concatenate(columns) for columns in zip(*(batch.rounds for batch in batches), strict=True)
    )
    return Batch(rounds, np.concatenate([batch.times for batch in batches]))


def excess(found: NDArray[np.int64], freedom: int) -> float:
    """How far the chi-square of counts that should be equal lies from what chance gives, in standard deviations."""
    expected = found.sum() / found.size
    return float((((found - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5)


# --- chance --------------------------------------------------------------------------------------------------------------


def test_every_card_comes_to_every_place_as_often_as_any_other() -> None:
    cards, deck = np.empty((200_000, 25), np.uint8), np.arange(52, dtype=np.uint8)
    deal(stream(2026, 1), deck, np.full(len(cards), 25), cards)
    counts = np.array([np.bincount(cards[:, place], minlength=52) for place in range(25)])
    assert abs(excess(counts, 25 * 51)) < 4
    pairs = np.bincount(52 * cards[:, 0].astype(np.int64) + cards[:, 1], minlength=52 * 52).reshape(52, 52)
    assert not pairs.diagonal().any()
    assert abs(excess(pairs[~np.eye(52, dtype=bool)], 52 * 51 - 1)) < 4


def test_no_card_is_dealt_twice_and_the_deck_stays_whole() -> None:
    cards, deck = np.empty((1000, 25), np.uint8), np.arange(52, dtype=np.uint8)
    deal(stream(7), deck, np.full(1000, 25), cards)
    assert all(len(set(row)) == 25 for row in cards.tolist())
    assert sorted(deck.tolist()) == list(range(52))


@njit
def counted(chance: Any, count: Any, draws: Any) -> Any:
    found = np.zeros(count, np.int64)
    for _ in range(draws):
        found[below(chance, count)] += 1
    return found


@pytest.mark.parametrize("count", [1, 2, 3, 21, 52, 1000, 2047])
def test_a_draw_favours_no_number(count: int) -> None:
    found = counted(stream(3, count), count, 500_000)
    assert count == 1 or abs(excess(found, count - 1)) < 4


def test_a_sample_is_of_different_numbers_and_each_is_as_likely() -> None:
    found = Counter(at for seed in range(4000) for at in sample(stream(seed), 20, 5).tolist())
    assert abs(excess(np.array([found[at] for at in range(20)]), 19)) < 4
    assert sample(stream(1), 50, 50).tolist() == list(range(50))
    assert sample(stream(1), 1, 0).tolist() == []


def test_the_same_seed_gives_the_same_rounds_on_every_machine() -> None:
    batch = played(plan_of(load_profile("live-studio-da"), 2000, strategies=("three rules", "always raise")))
    digest = hashlib.sha256()
    for column in (*batch.rounds, batch.times):
        digest.update(np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<")).tobytes())
    assert digest.hexdigest() == "f5cdc04f98797ceb1e16325761faa135d34e4907ff5fcd01c032a267f60640a6"


def test_neither_the_size_of_a_batch_nor_other_tables_change_a_round() -> None:
    profile = load_profile("four-seat-fi")
    whole = played(plan_of(profile, 3000, tables=2), table=0)
    for other in (played(plan_of(profile, 3000, tables=2), 0, size=7), played(plan_of(profile, 1500))):
        assert all(np.array_equal(getattr(whole.rounds, name), getattr(other.rounds, name)) for name in Rounds._fields)
        assert np.array_equal(whole.times, other.times)


def test_other_seeds_and_other_tables_play_other_rounds() -> None:
    plan = plan_of(load_profile("four-seat-fi"), 200, tables=2)
    courses = [played(plan), played(plan, 1), played(msgspec.structs.replace(plan, seed=2))]
    assert len({batch.rounds.cards.tobytes() for batch in courses}) == 3


# --- strategies ----------------------------------------------------------------------------------------------------------


class Sights(NamedTuple):
    """Hands, upcards, ordinals, and where a policy's grid has them."""

    hands: NDArray[np.uint8]
    upcards: NDArray[np.uint8]
    ordinals: NDArray[np.uint16]
    places: tuple[list[int], list[int]]


@pytest.fixture(scope="module")
def sights(deals: Deals) -> Sights:
    """Random ones, and so many with ace and king that every rule is put to the test."""
    cards = np.empty((150_000, 25), np.uint8)
    deal(stream(4), np.arange(52, dtype=np.uint8), np.full(len(cards), 6), cards)
    ordinals = rank_hands(np.ascontiguousarray(cards[:, :5]), ranking())
    ace_and_king = (ordinals > STRATEGIES["pair or better"].surely) & (ordinals <= LOWEST_QUALIFYING)
    kept = ace_and_king | (np.arange(len(cards)) < 5000)
    hands, upcards = np.ascontiguousarray(cards[kept, :5]), cards[kept, 5].copy()
    classes = {tuple(sorted(hand)): at for at, hand in enumerate(deals.cards.tolist())}
    places = [place(hand, up, classes) for hand, up in zip(hands.tolist(), upcards.tolist(), strict=True)]
    return Sights(hands, upcards, ordinals[kept], ([row for row, _ in places], [column for _, column in places]))


def place(hand: list[int], upcard: int, classes: dict[tuple[int, ...], int]) -> tuple[int, int]:
    """Class and column: the suits are renamed until the hand is a class's own."""
    masks = [sum(1 << (card >> 2) for card in hand if card & 3 == suit) for suit in range(4)]
    renamed = {suit: name for name, suit in enumerate(sorted(range(4), key=lambda suit: -masks[suit]))}
    own = sorted(4 * (card >> 2) + renamed[card & 3] for card in hand)
    up = 4 * (upcard >> 2) + renamed[upcard & 3]
    return classes[tuple(own)], up - sum(card < up for card in own)


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_strategy_decides_every_hand_as_the_audits_policy_does(deals: Deals, sights: Sights, name: str) -> None:
    grid = {**FIXED, "optimal": optimal(payoffs(load_profile("four-seat-fi")))}[name](deals)
    known = values(deals, grid) if name == "optimal" else None
    raises, playing = np.empty(len(sights.hands), np.bool_), np.zeros(len(sights.hands), np.uint8)
    decide(sights.hands, sights.upcards, sights.ordinals, playing, minds([STRATEGIES[name]], known), raises)
    assert np.array_equal(raises, grid[sights.places])


@pytest.mark.parametrize(("name", "reading"), [("cyber-stud-nb", "ante-pushes"), ("four-seat-fi", "literal")])
def test_optimal_play_is_each_readings_own(deals: Deals, sights: Sights, name: str, reading: str) -> None:
    grid = optimal(payoffs(load_profile(name, reading)))(deals)
    raises, playing = np.empty(len(sights.hands), np.bool_), np.zeros(len(sights.hands), np.uint8)
    mind = minds([STRATEGIES["optimal"]], values(deals, grid))
    decide(sights.hands, sights.upcards, sights.ordinals, playing, mind, raises)
    assert np.array_equal(raises, grid[sights.places])


def test_players_keep_to_their_strategies() -> None:
    profile = load_profile("cyber-stud-nb")
    for name, action in (("always raise", RAISE), ("always fold", FOLD)):
        actions = played(plan_of(profile, 2000, strategies=(name,))).rounds.actions
        assert set(np.unique(actions)) == {EMPTY, action, TIMEOUT}
        late = (actions == TIMEOUT).sum() / (actions != EMPTY).sum()
        assert 0.002 < late < 0.01
    mixed = played(plan_of(profile, 20_000, strategies=("always raise", "always fold"))).rounds.actions
    assert 0.4 < (mixed == RAISE).sum() / (mixed != EMPTY).sum() < 0.6


# --- players -------------------------------------------------------------------------------------------------------------


def test_players_sit_down_stay_for_a_while_and_leave() -> None:
    taken = played(plan_of(load_profile("four-seat-fi"), 20_000)).rounds.actions != EMPTY
    assert set(taken.sum(axis=1)) == {1, 2, 3, 4}
    for seat in taken.T:
        changes = np.flatnonzero(np.diff(seat.astype(np.int8)))
        assert 100 < len(changes) < 1000


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_seats_that_are_always_taken_are(seats: int) -> None:
    rounds = played(plan_of(load_profile("four-seat-fi"), 500, seats=seats)).rounds
    assert ((rounds.actions != EMPTY) == (np.arange(4) < seats)).all()
    assert (rounds.recorded_seats == (1 << seats) - 1).all()
    assert len(np.unique(rounds.stakes[..., 0])) > 5


def test_a_table_never_begins_two_rounds_at_once() -> None:
    times = played(plan_of(load_profile("four-seat-fi"), 20_000, seats=2)).times
    gaps = np.diff(times)
    assert times[0] == START
    assert set(gaps.tolist()) == set(range(50, 71))
    waiting = np.diff(played(plan_of(load_profile("four-seat-fi"), 20_000)).times)
    assert waiting.min() == 50
    assert (waiting > MOST_SECONDS).any()


def test_antes_are_within_the_profiles_limits_of_which_each_table_has_one() -> None:
    """Sheet D, "Panostaminen" 1: 0.50–10 and 10–100."""
    plan = plan_of(load_profile("four-seat-fi"), 9000, tables=3)
    for table, (lowest, highest) in enumerate([(50, 10_00), (10_00, 100_00), (50, 10_00)]):
        antes = played(plan, table).rounds.stakes[..., 0]
        antes = antes[antes != ABSENT]
        assert (antes.min(), antes.max()) == (lowest, highest)
        assert not (antes % lowest).any()


def test_antes_of_a_profile_without_limits_are_5_to_100_or_as_asked() -> None:
    profile = load_profile("live-studio-da")
    antes = played(plan_of(profile, 5000)).rounds.stakes[..., 0]
    assert (antes[antes != ABSENT].min(), antes.max()) == (5_00, 100_00)
    antes = played(plan_of(profile, 1000, antes=(25_00, 25_00))).rounds.stakes[..., 0]
    assert set(np.unique(antes)) == {ABSENT, 25_00}


def test_a_limit_of_the_total_bounds_all_bets_of_a_player() -> None:
    limits = (Limit("total", "10.00", "50.00"), Limit("bonus", "1.00", "20.00"))
    profile = msgspec.structs.replace(load_profile("live-studio-da"), limits=limits)
    stakes = played(plan_of(profile, 20_000)).rounds.stakes
    made = np.where(stakes == ABSENT, 0, stakes)
    total, ante, bonus = made.sum(axis=2), made[..., 0], made[..., 1]
    assert (total.max(), ante[ante > 0].min(), bonus[bonus > 0].min()) == (50_00, 10_00, 1_00)
    assert bonus.max() <= 20_00


def test_limits_that_no_ante_meets_are_told() -> None:
    limits = (Limit("ante", "60.00", "90.00"), Limit("total", "10.00", "50.00"))
    profile = msgspec.structs.replace(load_profile("live-studio-da"), limits=limits)
    with pytest.raises(BadSetting, match="limits"):
        house_of(profile, 0, None, None, 1)


def test_side_bets_are_made_where_the_profile_has_them() -> None:
    for sheet in SHEETS:
        stakes = played(plan_of(sheet, 2000)).rounds.stakes
        taken, bonus, jackpot = np.moveaxis(stakes != ABSENT, 2, 0)
        assert not (bonus & ~taken).any()
        assert not (jackpot & ~taken).any()
        assert 0.3 < bonus.sum() / taken.sum() < 0.7 if sheet.bonus else not bonus.any()
        assert 0.4 < jackpot.sum() / taken.sum() < 0.8 if sheet.jackpot else not jackpot.any()


# --- the meter -----------------------------------------------------------------------------------------------------------


def generous(sharing: RoyalShare, after_fold: AfterFold) -> RuleProfile:
    """A profile whose meter is won all the time, and fed in thirds of a cent."""
    sheet, replace = load_profile("live-studio-da"), msgspec.structs.replace
    assert sheet.jackpot is not None
    prizes = PrizeTable(
        two_pair=Prize(None, Money(3_00)),
        trips=Prize(Fraction(1, 10), None),
        straight=Prize(Fraction(1, 3), None),
        flush=Prize(Fraction(1), None),
        royal_flush=Prize(Fraction(1), None),
    )
    jackpot = replace(sheet.jackpot, contribution=Fraction(1, 3), royal_share=sharing, after_fold=after_fold)
    return replace(sheet, jackpot=jackpot, jackpot_paytable=prizes)


@pytest.mark.parametrize("sharing", RoyalShare)
@pytest.mark.parametrize("after_fold", AfterFold)
def test_the_meter_is_at_each_lock_what_the_live_table_would_show(sharing: RoyalShare, after_fold: AfterFold) -> None:
    profile = generous(sharing, after_fold)
    assert profile.jackpot is not None
    plan = plan_of(profile, 1200, strategies=("pair or better",))
    terms, seed = Terms(profile=profile.id, digits=2), SEED_UNITS * 100
    batch, replayer = played(plan, size=100), Replayer(lambda _, __: profile)
    meter, reseeded = Meter(Money(seed)), 0
    for at in range(plan.rounds):
        for seat in range(4):
            if batch.rounds.stakes[at, seat, 2] != ABSENT:
                fed = contribution(seat, profile.jackpot_stake, profile.jackpot.contribution)  # type: ignore[arg-type]
                meter = meter.plus(fed.increment)
        assert batch.rounds.meter[at] == meter.shown
        table = replayer.play(record_of(batch.rounds, terms, at)).table
        assert table.meter is not None
        assert table.round is not None
        won = round_prizes(table.setup, table.round)
        meter = Meter(Money(meter.shown - won.from_meter), meter.carry)
        assert meter.shown == table.meter.shown
        if won.meter_won and won.from_meter:
            meter, reseeded = meter.plus(Fraction(seed)), reseeded + 1
    assert reseeded > 1


def test_a_meter_is_fed_by_every_jackpot_bet_and_by_no_other() -> None:
    batch = played(plan_of(load_profile("cyber-stud-nb"), 300))
    bets = (batch.rounds.stakes[..., 2] != ABSENT).sum(axis=1)
    assert np.array_equal(np.diff(batch.rounds.meter), bets[1:] * 50)
    assert batch.rounds.meter[0] == SEED_UNITS * 100 + bets[0] * 50
    assert (played(plan_of(load_profile("casino-stud-da"), 10)).rounds.meter == ABSENT).all()
