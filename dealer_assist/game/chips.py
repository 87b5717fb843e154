"""Which chips to hand out for an amount: the fewest that make it, from the table's own set."""

from math import gcd

import msgspec

from dealer_assist.game.money import NOTHING, Money


class ChipCount(msgspec.Struct, frozen=True):
    """`count` chips of one value, in minor units."""

    value: Money
    count: int


class ChipPayment(msgspec.Struct, frozen=True):
    """The chips, largest first, and `short`: what the set can't make."""

    chips: tuple[ChipCount, ...]
    short: Money = NOTHING


def chips_for(amount: Money, chip_set: tuple[Money, ...]) -> ChipPayment:
    """The fewest chips that make `amount`, or the most of it that `chip_set` (largest first) can make."""
    if amount <= 0 or not chip_set:
        return ChipPayment((), Money(max(amount, 0)))
    unit = gcd(*chip_set)
    payable = amount - amount % unit
    while payable > 0:
        counts = _fewest(payable, chip_set)
        if counts is not None:
            chips = tuple(ChipCount(value, count) for value, count in zip(chip_set, counts, strict=True) if count)
            return ChipPayment(chips, Money(amount - payable))
        payable -= unit
    return ChipPayment((), amount)


def _fewest(amount: int, chip_set: tuple[Money, ...]) -> tuple[int, ...] | None:
    """Branch and bound: many of the larger chip first, and no branch that can't beat the best found."""
    best: tuple[int, ...] | None = None
    fewest = amount // chip_set[-1] + 1

    def search(left: int, at: int, used: tuple[int, ...], count: int) -> None:
        nonlocal best, fewest
        if left == 0:
            best, fewest = used + (0,) * (len(chip_set) - at), count
            return
        if at == len(chip_set):
            return
        value = chip_set[at]
        for number in range(left // value, -1, -1):
            rest = left - number * value
            next_value = chip_set[at + 1] if at + 1 < len(chip_set) else value
            if count + number + -(-rest // next_value) >= fewest:
                break
            search(rest, at + 1, (*used, number), count + number)

    search(amount, 0, (), 0)
    return best
