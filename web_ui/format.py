"""Money, odds and clock times as the screens show them: Babel's formats, made on the server only."""

import re
from decimal import Decimal
from typing import Final

from babel.numbers import format_currency, format_decimal, format_percent

from dealer_assist.game.bets import ONE_ANTE, Unit
from dealer_assist.game.money import Money
from web_ui.language import gettext, ngettext, reader_locale

Json = dict[str, object]

_DECIMALS: Final = re.compile(r"\.0+")
_LETTER_BESIDE_DIGIT: Final = re.compile(r"(?<=[A-Z])(?=[0-9])")


class Purse:
    """Amounts of one currency, in the reader's language."""

    def __init__(self, currency: str, minor_digits: int) -> None:
        self.currency: Final = currency
        self.digits: Final = minor_digits

    def text(self, amount: int, *, whole: bool = False) -> str:
        """An amount in words of the currency; `whole` leaves out the decimals where they say nothing."""
        locale = reader_locale()
        digits = 0 if whole and amount % 10**self.digits == 0 else self.digits
        pattern = _DECIMALS.sub("." + "0" * digits if digits else "", locale.currency_formats["standard"].pattern)
        number = Decimal(amount).scaleb(-self.digits)
        shown = format_currency(number, self.currency, format=pattern, locale=locale, currency_digits=False)
        return _LETTER_BESIDE_DIGIT.sub("\N{NO-BREAK SPACE}", shown)

    def chip(self, value: int) -> str:
        """A chip's face: the number alone, without decimals where it has none."""
        digits = self.digits if value % 10**self.digits else 0
        pattern = f"#,##0.{'0' * digits}".rstrip(".")
        return format_decimal(Decimal(value).scaleb(-self.digits), format=pattern, locale=reader_locale())

    def money(self, amount: int, *, whole: bool = False) -> Json:
        """An amount for a stream: minor units as a string, which no script can round, and the text to show."""
        return {"minor": str(amount), "currency": self.currency, "text": self.text(amount, whole=whole)}

    def of(self, amount: int, unit: Unit, *, whole: bool = False) -> Json:
        """An amount in either unit."""
        if unit is Unit.currency:
            return self.money(amount, whole=whole)
        return {"minor": str(amount), "currency": "", "text": antes(Money(amount))}


def antes(amount: Money) -> str:
    """An amount of a table that keys none: so many antes."""
    count = Decimal(amount) / ONE_ANTE
    if count == count.to_integral_value():
        return ngettext("%(num)s ante", "%(num)s antes", int(count))
    return gettext("%(count)s antes", count=format_decimal(count, locale=reader_locale()))


def odds(text: str) -> str:
    """Odds as a dealer says them, `7:1` as “7 to 1”; a share of the meter stays a percentage."""
    to, colon, per = text.partition(":")
    return gettext("%(to)s to %(per)s", to=to, per=per) if colon else text


def percent(value: float, digits: int = 6, *, signed: bool = False) -> str:
    """A share of one as a percentage; `signed`: a plus stands before what is more than nothing."""
    locale = reader_locale()
    pattern = locale.percent_formats[None].pattern.replace("#,##0", f"#,##0.{'0' * digits}")
    return _plus(value, signed) + format_percent(_rounded(value, digits + 2), format=pattern, locale=locale)


def number(value: float, digits: int = 6, *, signed: bool = False) -> str:
    """A number with so many decimals."""
    pattern = f"#,##0.{'0' * digits}".rstrip(".")
    return _plus(value, signed) + format_decimal(_rounded(value, digits), format=pattern, locale=reader_locale())


def _rounded(value: float, digits: int) -> Decimal:
    """Without a minus before what is shown as nothing."""
    return round(Decimal(value), digits) + Decimal(0)


def _plus(value: float, signed: bool) -> str:
    return "+" if signed and value > 0 else ""


def clock(at: str) -> str:
    """The time of an ISO 8601 instant in UTC, with colons whatever the language."""
    return at[11:19]
