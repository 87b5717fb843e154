"""The jackpot: what a round's prizes are, how the meter is kept, and what becomes of a hit."""

from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.errors import MeterUnknown, Refusal
from dealer_assist.game.hands import Category
from dealer_assist.game.jackpot import Entrant, Meter, Prizes, contribution, prizes
from dealer_assist.game.money import Money
from dealer_assist.game.profile import PrizeTable, RoyalShare
from dealer_assist.game.setup import MeterSettings
from dealer_assist.storage.profiles import load_profile
from tests.game.felt import EXAMPLES, LOWEST_QUALIFIER, SHEETS, Felt, place, played, table_setup

TABLES: Final[dict[str, PrizeTable]] = {
    sheet: table for sheet in "ACD" if (table := load_profile(SHEETS[sheet]).jackpot_paytable) is not None
}
SHARES: Final = {"A": RoyalShare.round_bettors, "C": RoyalShare.winner, "D": RoyalShare.winner}
SHORT: Final = {"RF": "royal_flush", "SF": "straight_flush", "4K": "quads", "FL": "flush", "PR": "pair"}


def won(sheet: str, meter: int, hands: str, stakes: str = "") -> Prizes:
    """The prizes of hands in paying order (the dealer's right first), on a meter in whole currency units."""
    names = hands.split()
    amounts = [round(float(stake) * 100) for stake in stakes.split()] or [100] * len(names)
    seats = range(len(names), 0, -1)
    entrants = tuple(
        Entrant(Seat(seat), Money(stake), Category(SHORT[name]))
        for seat, name, stake in zip(seats, names, amounts, strict=True)
    )
    return prizes(TABLES[sheet], SHARES[sheet], entrants, Money(meter))


# Sheet | meter | hands in paying order, the dealer's right first | what each is paid. Prizes round down to the cent;
# what does not divide goes to the first royal in paying order.
PRIZES: Final = """
    C |  50000.00 | SF          | 5000.00
    C |  50000.09 | SF          | 5000.00
    C |  50000.00 | RF          | 50000.00
    C |  50000.00 | SF RF       | 5000.00 45000.00
    C |  50000.09 | RF SF       | 45000.09 5000.00
    C |  50000.00 | SF SF       | 5000.00 5000.00
    C |  50000.01 | RF RF       | 25000.01 25000.00
    C | 200000.07 | RF SF SF RF | 80000.04 20000.00 20000.00 80000.03
    C |  50000.00 | PR RF 4K    | 0 50000.00 500.00
    D |  30000.01 | RF RF       | 15000.01 15000.00
    D |  30000.02 | RF RF RF    | 10000.02 10000.00 10000.00
    D |  30000.02 | SF RF       | 1250.00 30000.02
    A | 100000.01 | PR RF PR    | 33333.33 33333.35 33333.33
    A | 100000.01 | FL RF PR    | 33358.33 33333.35 33333.33
    A |  29999.00 | RF PR RF    | 9999.68 9999.66 9999.66
    A | 100000.00 | PR SF       | 0 2500.00
    A |      1.00 | RF PR PR PR | 0.25 0.25 0.25 0.25
"""


@pytest.mark.parametrize("row", PRIZES.strip().splitlines())
def test_percentages_come_first_and_royals_share_what_is_left(row: str) -> None:
    sheet, meter, hands, amounts = (cell.strip() for cell in row.split("|"))
    prizes_won = won(sheet, round(float(meter) * 100), hands)
    by_seat = {prize.seat: prize.amount for prize in prizes_won.in_paying_order}
    expected = [round(float(amount) * 100) for amount in amounts.split()]
    assert [by_seat.get(Seat(seat), 0) for seat in range(len(expected), 0, -1)] == expected
    assert prizes_won.meter_won is ("RF" in hands)


def test_a_shared_royal_is_shared_by_the_bets() -> None:
    """A "Jackpot-indsats": in proportion to the bets in the winning round."""
    amounts = [prize.amount for prize in won("A", 40_000, "PR RF PR", "1.00 2.00 1.00").in_paying_order]
    assert amounts == [10_000, 20_000, 10_000]


def test_a_seat_that_shares_a_royal_keeps_its_own_fixed_prize() -> None:
    own, royal = won("A", 10_000, "4K RF").in_paying_order
    assert (own.amount, own.from_meter, own.by_hand) == (25_000 + 5_000, 5_000, True)
    assert (royal.amount, royal.odds) == (5_000, "100%")


def test_a_share_by_another_seats_royal_is_told_as_such() -> None:
    share, _ = won("A", 10_000, "PR RF").in_paying_order
    assert (share.by_hand, share.odds, share.amount) == (False, None, 5_000)


def test_fixed_prizes_never_come_from_the_meter() -> None:
    assert [won(sheet, 10_000, "4K").from_meter for sheet in "ACD"] == [0, 0, 0]


def test_a_share_of_a_meter_that_nobody_knows_is_not_guessed() -> None:
    entrant = Entrant(Seat(1), Money(100), Category.royal_flush)
    with pytest.raises(MeterUnknown):
        prizes(TABLES["C"], RoyalShare.winner, (entrant,), None)
    fixed = Entrant(Seat(1), Money(100), Category.quads)
    assert prizes(TABLES["C"], RoyalShare.winner, (fixed,), None).in_paying_order[0].amount == 50_000


@given(
    st.sampled_from("ACD"),
    st.integers(0, 10**9),
    st.lists(st.sampled_from(list(Category)), min_size=1, max_size=4),
    st.lists(st.integers(1, 500), min_size=4, max_size=4),
)
def test_prizes_never_take_more_than_the_meter_holds_and_royals_take_all_of_it(
    sheet: str, meter: int, hands: list[Category], stakes: list[int]
) -> None:
    entrants = tuple(Entrant(Seat(4 - at), Money(stakes[at]), hand) for at, hand in enumerate(hands))
    came = prizes(TABLES[sheet], SHARES[sheet], entrants, Money(meter))
    assert came.from_meter == meter if came.meter_won else came.from_meter <= meter
    assert all(0 <= prize.from_meter <= prize.amount for prize in came.in_paying_order)
    order = [prize.seat for prize in came.in_paying_order]
    assert order == sorted(order, reverse=True)


# --- the meter -----------------------------------------------------------------------------------------------------

increments = st.builds(lambda stake, part, whole: Fraction(stake * min(part, whole), whole),
                       st.integers(1, 1000), st.integers(0, 1000), st.integers(1, 1000))  # fmt: skip


@given(st.integers(0, 10**9), st.lists(increments, max_size=60))
def test_the_meter_carries_every_part_of_a_minor_unit(seed: int, fed: list[Fraction]) -> None:
    meter = Meter(Money(seed))
    for increment in fed:
        meter = meter.plus(increment)
        assert 0 <= meter.carry < 1
        assert meter.shown == int(meter.exact)
    assert meter.exact == seed + sum(fed)
    for increment in reversed(fed):
        meter = meter.plus(-increment)
    assert meter == Meter(Money(seed))


def test_three_bets_at_a_third_are_one_minor_unit_and_none_is_lost() -> None:
    meter = Meter(Money(0))
    for _ in range(3):
        meter = meter.plus(contribution(Seat(1), Money(100), Fraction(1, 300)).increment)
    assert meter == Meter(Money(1))


def test_each_jackpot_bet_feeds_the_meter_at_lock() -> None:
    setup = table_setup("D", jackpot=MeterSettings("100.00", Fraction(1, 3)))
    felt = Felt(setup).open().bet(1, jackpot=True).bet(2).bet(4, jackpot=True)
    assert felt.table.meter == Meter(Money(10_000))
    felt.lock()
    assert felt.table.meter == Meter(Money(10_033), Fraction(1, 3))
    assert felt.now.meter_at_lock == 10_033
    fed = [event for event in felt.events if isinstance(event, ev.JackpotFed)]
    assert [(each.seat, each.stake, each.increment) for each in fed] == [
        (1, 50, Fraction(50, 3)),
        (4, 50, Fraction(50, 3)),
    ]


# --- hits ----------------------------------------------------------------------------------------------------------

ROYAL: Final = {2: EXAMPLES["royal_flush"], 0: LOWEST_QUALIFIER}


def test_a_royal_freezes_the_meter_reseeds_it_and_waits_to_be_paid() -> None:
    setup = table_setup("D", jackpot=MeterSettings("500.00", Fraction(1, 3)))
    felt = played(setup, ROYAL, jackpot=True)
    assert felt.net(2, "jackpot") == "499.66"
    assert felt.table.meter == Meter(Money(50_000), Fraction(2, 3))
    pending = felt.table.pending_hits
    assert [(hit.number, hit.hit.amount, hit.hit.meter_at_lock) for hit in pending] == [
        (felt.now.number, 50_016, 50_016)
    ]
    assert felt.now.hit_frozen


def test_a_percentage_prize_leaves_the_meter_and_does_not_reseed_it() -> None:
    felt = played(table_setup("C"), {2: EXAMPLES["straight_flush"], 0: LOWEST_QUALIFIER}, jackpot=True)
    assert felt.table.meter == Meter(Money(2_000_050 - 200_005))
    assert not [event for event in felt.events[2:] if isinstance(event, ev.MeterSeeded)]
    assert len(felt.table.pending_hits) == 1


def test_a_fixed_prize_is_no_hit() -> None:
    felt = played(table_setup("C"), {2: EXAMPLES["quads"], 0: LOWEST_QUALIFIER}, jackpot=True)
    assert felt.table.meter == Meter(Money(2_000_050))
    assert felt.table.pending_hits == ()


def test_a_royal_without_a_jackpot_bet_wins_none_of_it() -> None:
    hands = {1: "9s 9h 6d 5c 2s", 2: EXAMPLES["royal_flush"], 0: LOWEST_QUALIFIER}
    felt = Felt(table_setup("A")).open().bet(1, jackpot=True).bet(2).lock().deal(hands).reveal().settle()
    assert (felt.net(1, "jackpot"), felt.net(2, "jackpot")) == ("-1.00", "0.00")
    assert felt.table.pending_hits == ()


def test_two_royals_of_a_round_are_one_hit_with_two_payees() -> None:
    hands = {1: "As Ks Qs Js Ts", 4: "Ah Kh Qh Jh Th", 0: "Ad Kc 4c 3d 2d"}
    felt = played(table_setup("D"), hands, jackpot=True)
    (pending,) = felt.table.pending_hits
    assert [(payee.seat, payee.amount) for payee in pending.hit.payees] == [(4, 1_000_025), (1, 1_000_025)]


def test_play_goes_on_while_a_hit_waits_and_hits_keep_their_order() -> None:
    felt = played(table_setup("D"), ROYAL, jackpot=True)
    first = felt.now.number
    felt.to_dealing(2, jackpot=True).deal(ROYAL).reveal().settle()
    assert [hit.number for hit in felt.table.pending_hits] == [first, felt.now.number]
    assert [hit.hit.amount for hit in felt.table.pending_hits] == [2_000_025, 2_000_025]
    felt.signed(cmd.PayHit(first))
    assert [hit.number for hit in felt.table.pending_hits] == [felt.now.number]


def test_a_hit_is_paid_once_and_by_a_signature() -> None:
    felt = played(table_setup("D"), ROYAL, jackpot=True)
    number, meter = felt.now.number, felt.table.meter
    assert felt.refusal(cmd.PayHit(number)) is Refusal.needs_supervisor
    assert felt.refusal(cmd.PayHit("another"), signed="supervisor") is Refusal.no_such_hit
    felt.signed(cmd.PayHit(number))
    assert felt.table.meter == meter
    assert felt.refusal(cmd.PayHit(number), signed="supervisor") is Refusal.no_such_hit


def test_a_frozen_hit_is_never_undone_voided_or_corrected_away() -> None:
    felt = played(table_setup("D"), ROYAL, jackpot=True)
    assert felt.refusal(cmd.Undo()) is Refusal.nothing_to_undo
    assert felt.refusal(cmd.VoidRound("x"), signed="supervisor") is Refusal.wrong_phase


def test_the_chips_that_qualify_wait_until_every_seat_is_turned() -> None:
    felt = Felt(table_setup("D")).to_dealing(1, 2, jackpot=True)
    felt.deal({1: "9s 9h 6d 5c 2s", 2: EXAMPLES["royal_flush"], 0: LOWEST_QUALIFIER}).reveal()
    assert felt.refusal(cmd.SettleJackpot()) is Refusal.not_next_in_paying_order
    felt.do(cmd.SettleSeat(Seat(2)))
    assert [line.bet.value for line in felt.now.settled[Seat(2)]] == ["ante", "raise"]
    felt.do(cmd.SettleSeat(Seat(1)))
    assert [line.bet.value for line in felt.now.settled[Seat(1)]] == ["ante", "raise", "jackpot"]
    felt.do(cmd.SettleJackpot())
    assert felt.now.phase.value == "closed"


def test_every_bet_is_settled_once_also_where_a_royal_is_known_only_when_it_is_turned() -> None:
    """Sheet A shares the meter: nobody may know yet that a hand with an unread card is royal."""
    setup = table_setup("A")
    felt = Felt(setup).to_dealing(1, 4, jackpot=True)
    for card in ("As", "9h", "Ad", "Ks", "9c", "Kc", "Qs", "6d", "4h", "Js", "5c", "3d"):
        felt.draw(card)
    felt.do(cmd.MarkUnread()).draw("2c 2h").reveal()
    felt.do(cmd.SettleSeat(Seat(4)))
    felt.do(cmd.EnterCard(place(1, 4), Card("Ts"))).settle()
    assert felt.net(4, "jackpot") == "9999.50"
    assert felt.net(1, "jackpot") == "9999.50"
