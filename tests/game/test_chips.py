"""Which chips to hand out: always the fewest, held against a table of every amount's best."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.game.chips import ChipCount, ChipPayment, chips_for
from dealer_assist.game.money import Money

chip_sets = st.lists(st.integers(1, 60), min_size=1, max_size=6, unique=True).map(
    lambda chips: sorted(chips, reverse=True)
)


def money(values: list[int]) -> tuple[Money, ...]:
    return tuple(map(Money, values))


def fewest(most: int, chips: list[int]) -> list[int | None]:
    """How many chips each amount up to `most` needs at least; None where the set can't make it."""
    best: list[int | None] = [0]
    for amount in range(1, most + 1):
        fewer = [before for chip in chips if chip <= amount and (before := best[amount - chip]) is not None]
        best.append(min(fewer) + 1 if fewer else None)
    return best


@given(chip_sets)
@settings(max_examples=40)
def test_the_chips_are_the_fewest_and_fall_short_by_as_little_as_can_be(chips: list[int]) -> None:
    best = fewest(200, chips)
    for amount in range(201):
        payment = chips_for(Money(amount), money(chips))
        made = sum(chip.value * chip.count for chip in payment.chips)
        payable = max(paid for paid in range(amount + 1) if best[paid] is not None)
        assert (made, payment.short) == (payable, amount - payable)
        assert sum(chip.count for chip in payment.chips) == best[payable]
        assert [chip.value for chip in payment.chips] == sorted({chip.value for chip in payment.chips}, reverse=True)
        assert all(chip.count > 0 for chip in payment.chips)


# Amount: the chips of a table with 500, 100, 25, 5, 1 and a half.
HANDED_OUT = """
        0.50   1 × 0.50
        3.00   3 × 1.00
       40.00   1 × 25.00 + 3 × 5.00
     2000.00   4 × 500.00
    12000.00   24 × 500.00
      199.50   1 × 100.00 + 3 × 25.00 + 4 × 5.00 + 4 × 1.00 + 1 × 0.50
"""


@pytest.mark.parametrize("row", HANDED_OUT.strip().splitlines())
def test_a_pit_supervisor_would_hand_out_these_chips(row: str) -> None:
    amount, _, chips = row.strip().partition("   ")
    payment = chips_for(Money(round(float(amount) * 100)), money([50000, 10000, 2500, 500, 100, 50]))
    assert " + ".join(f"{chip.count} × {chip.value / 100:.2f}" for chip in payment.chips) == chips.strip()
    assert payment.short == 0


def test_greed_is_not_enough_where_chips_do_not_divide_each_other() -> None:
    assert chips_for(Money(60), money([40, 30, 10])).chips == (ChipCount(Money(30), 2),)


def test_what_the_set_cannot_make_is_named_as_short() -> None:
    assert chips_for(Money(1075), money([500, 100])) == ChipPayment((ChipCount(Money(500), 2),), Money(75))
    assert chips_for(Money(30), money([500, 100])) == ChipPayment((), Money(30))


@pytest.mark.parametrize("amount", [0, -500])
def test_nothing_due_is_no_chip(amount: int) -> None:
    assert chips_for(Money(amount), money([500, 100])) == ChipPayment(())


def test_a_table_without_chips_is_short_of_everything() -> None:
    assert chips_for(Money(500), ()) == ChipPayment((), Money(500))


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "chips", [[100000, 50000, 10000, 2500, 500, 100, 50], [2000, 500, 250, 100, 20], [5000, 3000, 700], [1700, 1300]]
)
def test_the_largest_payments_of_a_table_take_no_time(chips: list[int]) -> None:
    for amount in (40_000_00, 39_999_99, 12_345_67, 1_000_000_00):
        payment = chips_for(Money(amount), money(chips))
        assert sum(chip.value * chip.count for chip in payment.chips) + payment.short == amount
