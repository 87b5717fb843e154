"""The dearest round: dealt, and settled as the live table settles it."""

import random
from collections.abc import Mapping
from itertools import product

import msgspec
import pytest

from dealer_assist.analysis.exposure import Limits, Worst, limits_of, worst_round
from dealer_assist.analysis.worst_round import Dealt, Holding, dealt
from dealer_assist.application.records import RoundRecord, SeatRecord
from dealer_assist.application.replay import Replayer
from dealer_assist.game.bets import Bet, Bets, Result, Unit
from dealer_assist.game.cards import Card, require_distinct
from dealer_assist.game.dealing import DEALER, SEATS, Upcard, dealing_order
from dealer_assist.game.hands import LOWEST_QUALIFYING, Category, rank_five
from dealer_assist.game.money import PUSH, Money, format_amount
from dealer_assist.game.profile import AnteOnly, Limit, Prize, RuleProfile
from dealer_assist.game.setup import Cap, MaxPayout, PayoutScope
from dealer_assist.storage.profiles import load_profile, names
from dealer_assist.storage.tables import load_table

PROFILES = names("rules")
replace = msgspec.structs.replace


def settled(profile: RuleProfile, worst: Worst, cap: Cap | None = None) -> Mapping[Bet, int]:
    """What the live settlement pays in this round, bet by bet; the meter stands at nothing."""
    seats = SEATS[: len(worst.wins)]
    hands = dict(zip(reversed(seats), worst.deal.hands, strict=True))  # the wins are in paying order
    last = profile.deal.upcard is Upcard.last
    hands[DEALER] = (*worst.deal.hole, worst.deal.upcard) if last else (worst.deal.upcard, *worst.deal.hole)
    in_antes = worst.wins[0].bets.unit is Unit.ante
    record = RoundRecord(
        format="round/1",
        id="the dearest",
        profile=profile.id,
        cards=tuple(hands[place.holder][place.slot] for place in dealing_order(seats, profile.deal.pattern)),
        seats={str(seat): _seat(win.bets) for seat, win in zip(reversed(seats), worst.wins, strict=True)},
        meter=None if profile.jackpot is None else "0.00",
        unit="ante" if in_antes else None,
        max_payout=None if cap is None else MaxPayout(format_amount(cap.amount, 2), cap.per, cap.bets),
    )
    lines = Replayer(lambda *_: profile).play(record).lines
    return {bet: sum(line.amount for line in lines if line.bet is bet and line.result is Result.pay) for bet in Bet}


def _seat(bets: Bets) -> SeatRecord:
    bonus, jackpot = (format_amount(stake, 2) if stake else None for stake in (bets.bonus, bets.jackpot))
    return SeatRecord(format_amount(bets.ante, 2), "raise", bonus, jackpot)


def proved(profile: RuleProfile, limits: Limits, seats: int, cap: Cap | None = None) -> Worst:
    """The dearest round, which the live settlement pays to the last coin."""
    worst = worst_round(profile, limits, seats, cap)
    require_distinct((*(card for hand in worst.deal.hands for card in hand), worst.deal.upcard, *worst.deal.hole))
    assert settled(profile, worst, cap) == {bet: worst.of(bet) for bet in Bet}
    return worst


@pytest.mark.parametrize(("name", "table", "seats"), list(product(PROFILES, (None, "felt", "demo"), (1, 4))))
def test_the_dearest_round_is_paid_so_by_the_live_table(name: str, table: str | None, seats: int) -> None:
    profile = load_profile(name)
    limits = limits_of(profile, None if table is None else load_table(table, name).setup)
    worst = proved(profile, limits, seats)
    assert [win.holding.own for win in worst.wins] == [Category.royal_flush] * seats  # a deck has four of them
    if limits.cap is not None:
        bites = name == "four-seat-fi"  # 200 to 1 on the raise; the others pay 100 to 1, which is just the maximum
        assert (proved(profile, limits, seats, limits.cap).total < worst.total) == bites


@pytest.mark.parametrize("reading", ["literal", "first-column-only", None])
def test_four_royals_cost_what_the_sheet_pays_for_them(reading: str | None) -> None:
    """Sheet D: 200 to 1 on a raise of 200.00, and the ante."""
    profile = load_profile("four-seat-fi", reading)
    worst = proved(profile, limits_of(profile), 4)
    assert worst.total == 4 * (10_000 + 200 * 20_000)
    assert worst.qualifies
    assert rank_five((worst.deal.upcard, *worst.deal.hole)) <= LOWEST_QUALIFYING


def test_a_dealer_who_does_not_qualify_is_dearer_where_the_second_column_pays_more() -> None:
    profile = load_profile("four-seat-fi")
    dearer = replace(profile, win=AnteOnly(PUSH), not_qualified_paytable=profile.raise_paytable)
    worst = proved(dearer, limits_of(dearer), 4)
    assert not worst.qualifies
    assert rank_five((worst.deal.upcard, *worst.deal.hole)) > LOWEST_QUALIFYING


def limits(ante: int, *, lowest: int = 1, total: int | None = None) -> Limits:
    """Ante and 5+1 to the same limit, at four seats."""
    most = Bets(Money(ante), Money(ante), Money(100))
    return Limits(most, 4, Money(lowest), None if total is None else Money(total))


def test_one_upcard_lifts_one_seat_only() -> None:
    """Sheet A, low stakes: a straight flush wins the jackpot's 2,500.00, and with the ace turned up 5+1 pays it as a royal."""
    profile = load_profile("live-studio-da")
    (alone,) = proved(profile, limits(100), 1).wins
    assert alone.holding == Holding(Category.straight_flush, Category.royal_flush)
    table = proved(profile, limits(100), 4)
    assert [win.holding.six for win in table.wins].count(Category.royal_flush) == 1
    assert table.total == sum(alone.paid) + 3 * (100 + 2 * 50 * 100 + 200 * 100 + 250_000)
    assert table.total < 4 * sum(alone.paid)


def test_two_seats_with_one_upcard_between_them_are_not_dealt() -> None:
    lifted = Holding(Category.straight_flush, Category.royal_flush)
    assert dealt((lifted,), LOWEST_QUALIFYING, qualifies=True) is not None
    assert dealt((lifted, lifted), LOWEST_QUALIFYING, qualifies=True) is None


def test_a_limit_of_all_bets_is_staked_where_it_costs_most() -> None:
    """5+1 pays a royal 1000 to 1 and a raise 100 to 1 of two antes: the limit goes to 5+1, but for the lowest ante."""
    worst = proved(load_profile("live-studio-da"), limits(50_000, lowest=5_000, total=50_000), 1)
    assert worst.wins[0].bets == Bets(Money(5_000), Money(45_000))


CAPS = [
    Cap(Money(100_000), PayoutScope.hand, ("ante", "raise", "bonus")),
    Cap(Money(300_000), PayoutScope.hand, ("ante", "raise", "bonus", "jackpot")),
    Cap(Money(1_000), PayoutScope.round, ("raise",)),
    Cap(Money(100_000), PayoutScope.round, ("ante", "raise", "bonus")),
    Cap(Money(700_000), PayoutScope.round, ("raise", "jackpot")),
]


@pytest.mark.parametrize("cap", CAPS)
@pytest.mark.parametrize("seats", [1, 2, 4])
def test_a_maximum_payout_changes_which_round_is_the_dearest(cap: Cap, seats: int) -> None:
    """Sheet A: once the raise is capped, four straight flushes with the jackpot's prizes may cost more than royals."""
    profile = load_profile("live-studio-da")
    worst = proved(profile, limits(10_000), seats, cap)
    assert worst.total <= worst_round(profile, limits(10_000), seats).total


def test_no_round_dealt_at_random_costs_more() -> None:
    """Jackpot tables of any kind: what a deal pays never goes past the dearest, and that is paid to the coin."""
    rng = random.Random(7)
    deck = list(Card)
    for _ in range(12):
        profile = with_prizes(rng)
        stakes = limits(rng.choice((100, 1000, 5000)))
        dearest = proved(profile, stakes, 3)
        for _ in range(60):
            rng.shuffle(deck)
            hands = tuple(tuple(deck[5 * at : 5 * at + 5]) for at in range(3))
            assert cost(profile, dearest, Dealt(hands, deck[15], tuple(deck[16:20]))) <= dearest.total


def with_prizes(rng: random.Random) -> RuleProfile:
    profile = load_profile("live-studio-da")
    assert profile.jackpot_paytable is not None
    prizes = {category: Prize(None, Money(100 * rng.randrange(1, 5000))) for category in list(Category)[1:]}
    return replace(profile, jackpot_paytable=replace(profile.jackpot_paytable, **prizes))


def cost(profile: RuleProfile, like: Worst, deal: Dealt) -> int:
    """What other cards cost at the same stakes."""
    return sum(settled(profile, like._replace(deal=deal)).values())


# --- limits ----------------------------------------------------------------------------------------------------------


def test_without_a_limit_an_ante_is_the_unit_and_no_jackpot_is_counted() -> None:
    profile = load_profile("live-studio-da")
    found = limits_of(profile)
    assert found == Limits(Bets(Money(100), Money(100), Money(0), Unit.ante), 4)
    assert worst_round(profile, found, 1).total == 100 * (1 + 200 + 1000)


def test_the_highest_of_several_limits_counts_for_a_sheet_and_its_own_for_a_table() -> None:
    profile = load_profile("four-seat-fi")
    assert limits_of(profile).most.ante == 10_000
    bounded = replace(
        profile, limits=(*profile.limits, Limit("total", "1.00", "150.00"), Limit("bonus", "1.00", "5.00"))
    )
    assert limits_of(bounded).total == 15_000
    setup = load_table("demo", "live-studio-da").setup
    assert limits_of(setup.profile, setup).most == Bets(Money(10_000), Money(10_000), Money(100))
    assert limits_of(setup.profile, setup).cap == setup.cap
