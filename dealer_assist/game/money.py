"""Money as whole minor units, odds as two whole numbers, and their text forms."""

import re
from fractions import Fraction
from typing import Final, NewType

from dealer_assist.game.errors import BadAmount, BadOdds, Malformed

Money = NewType("Money", int)
"""Whole minor units of the table's currency (cents, øre), or hundredths of an ante where a table keys no amounts."""

NOTHING: Final = Money(0)


MOST_DIGITS: Final = 3
_AMOUNTS: Final = tuple(
    re.compile(r"-?(?:0|[1-9][0-9]{0,14})" + (rf"\.[0-9]{{{digits}}}" if digits else ""), re.ASCII)
    for digits in range(MOST_DIGITS + 1)
)


def parse_amount(text: object, digits: int) -> Money:
    """Minor units of a decimal string that has exactly the currency's minor digits, such as `"-12.50"`.

    Raises: BadAmount; a JSON number, a plus sign, missing or further digits are all faults.
    """
    if not isinstance(text, str) or not _AMOUNTS[digits].fullmatch(text):
        raise BadAmount(f'an amount with {digits} decimals like "{format_amount(Money(12345), digits)}"', text)
    return Money(int(text.replace(".", "")))


def format_amount(amount: Money, digits: int) -> str:
    """The decimal string of an amount: the inverse of `parse_amount`."""
    sign, units = ("-", -amount) if amount < 0 else ("", amount)
    if not digits:
        return f"{sign}{units}"
    text = f"{units:0{digits + 1}d}"
    return f"{sign}{text[:-digits]}.{text[-digits:]}"


class Odds:
    """Winnings of `to` for every `per` staked; the stake itself comes back besides. `PUSH` wins nothing."""

    __slots__ = ("per", "to")

    def __init__(self, to: int, per: int = 1) -> None:
        self.to: Final = to
        self.per: Final = per

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """The odds written `"7:1"`, or `"push"`. Raises: BadOdds."""
        if text == "push":
            return PUSH
        match = re.fullmatch(r"([1-9][0-9]{0,5}):([1-9][0-9]{0,5})", text, re.ASCII) if isinstance(text, str) else None
        if match is None:
            raise BadOdds(text)
        return cls(int(match[1]), int(match[2]))

    def winnings(self, stake: Money) -> Money:
        """What a stake wins, rounded down to the minor unit."""
        return Money(stake * self.to // self.per)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odds) and (self.to, self.per) == (other.to, other.per)

    def __hash__(self) -> int:
        return hash((self.to, self.per))

    def __repr__(self) -> str:
        return f"Odds({self.to}, {self.per})"

    def __str__(self) -> str:
        return f"{self.to}:{self.per}" if self.to else "push"


PUSH: Final = Odds(0)
EVEN: Final = Odds(1)


def parse_share(text: object) -> Fraction:
    """A share of one, written as a fraction (`"1/2"`) or a percentage (`"10%"`).

    Raises: Malformed.
    """
    expected = 'a share like "1/2" or "10%"'
    if not isinstance(text, str):
        raise Malformed(expected, text)
    if match := re.fullmatch(r"([0-9]{1,9})/([1-9][0-9]{0,8})", text, re.ASCII):
        share = Fraction(int(match[1]), int(match[2]))
    elif match := re.fullmatch(r"([0-9]{1,3})%", text, re.ASCII):
        share = Fraction(int(match[1]), 100)
    else:
        raise Malformed(expected, text)
    if share > 1:
        raise Malformed("a share of at most one", text)
    return share
