"""Money, odds and shares: what can be written, what is refused, and that text reads back as it was."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.errors import BadAmount, BadOdds, Malformed
from dealer_assist.game.money import PUSH, Money, Odds, format_amount, parse_amount, parse_share

digits = st.integers(0, 3)
amounts = st.integers(-(10**14), 10**14).map(Money)


@given(amounts, digits)
def test_an_amount_reads_back_from_its_text(amount: Money, minor_digits: int) -> None:
    assert parse_amount(format_amount(amount, minor_digits), minor_digits) == amount


@given(st.text(alphabet="0123456789.-+ ,e", max_size=12), digits)
def test_whatever_is_read_as_an_amount_is_written_the_same(text: str, minor_digits: int) -> None:
    try:
        amount = parse_amount(text, minor_digits)
    except BadAmount:
        return
    assert format_amount(amount, minor_digits) == text or (amount == 0 and text.startswith("-"))


@pytest.mark.parametrize(
    ("text", "minor_digits", "units"),
    [("0.00", 2, 0), ("-0.50", 2, -50), ("12000.00", 2, 1_200_000), ("7", 0, 7), ("0.001", 3, 1), ("-16", 0, -16)],
)
def test_amounts_are_whole_minor_units(text: str, minor_digits: int, units: int) -> None:
    assert parse_amount(text, minor_digits) == units


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1.0",
        "1.000",
        "+1.00",
        "1,00",
        " 1.00",
        "1.00 ",
        "01.00",
        ".50",
        "1e2",
        "--1.00",
        "1.0O",
        "１.00",
        "NaN",
    ],
)
def test_an_amount_has_exactly_the_minor_digits_and_no_plus_sign(text: str) -> None:
    with pytest.raises(BadAmount, match=r'expected an amount with 2 decimals like "123\.45", found "'):
        parse_amount(text, 2)


@pytest.mark.parametrize("number", [1, 1.0, None, True, ["1.00"]])
def test_an_amount_is_a_text_and_never_a_number(number: object) -> None:
    with pytest.raises(BadAmount):
        parse_amount(number, 2)


def test_an_amount_that_no_table_pays_is_refused() -> None:
    with pytest.raises(BadAmount):
        parse_amount("1" + "0" * 15 + ".00", 2)


@given(st.integers(1, 999_999), st.integers(1, 999_999))
def test_odds_read_back_from_their_text(to: int, per: int) -> None:
    odds = Odds.parse(f"{to}:{per}")
    assert (odds.to, odds.per, str(odds)) == (to, per, f"{to}:{per}")
    assert Odds.parse(str(odds)) == odds
    assert hash(Odds.parse(str(odds))) == hash(odds)


def test_a_push_reads_back_from_its_text_and_wins_nothing() -> None:
    assert Odds.parse("push") == PUSH
    assert str(PUSH) == "push"
    assert PUSH.winnings(Money(1000)) == 0


@pytest.mark.parametrize(
    "text", ["7;1", "7", "7:0", "0:1", "7 : 1", "7:1:1", "-7:1", "07:1", "PUSH", "7,5:1", "", None, 7, 7.1]
)
def test_odds_that_are_not_two_whole_numbers_are_refused(text: object) -> None:
    with pytest.raises(BadOdds, match='expected odds like "7:1", found'):
        Odds.parse(text)


@pytest.mark.parametrize(
    ("odds", "stake", "winnings"),
    [
        ("7:1", 1000, 7000),
        ("1:1", 50, 50),
        ("3:2", 1000, 1500),
        ("3:2", 1, 1),
        ("1:3", 200, 66),
        ("200:1", 20000, 4_000_000),
    ],
)
def test_winnings_round_down_to_the_minor_unit(odds: str, stake: int, winnings: int) -> None:
    assert Odds.parse(odds).winnings(Money(stake)) == winnings


@given(st.integers(0, 10**9), st.integers(1, 1000), st.integers(1, 1000))
def test_winnings_are_never_more_than_the_odds_and_less_than_a_unit_below(stake: int, to: int, per: int) -> None:
    exact = Fraction(stake * to, per)
    assert 0 <= exact - Odds(to, per).winnings(Money(stake)) < 1


@given(st.integers(0, 10**8), st.integers(1, 10**8))
def test_a_share_reads_back_from_a_fraction(part: int, whole: int) -> None:
    if part <= whole:
        assert parse_share(f"{part}/{whole}") == Fraction(part, whole)
    else:
        with pytest.raises(Malformed, match="a share of at most one"):
            parse_share(f"{part}/{whole}")


@pytest.mark.parametrize("percent", range(101))
def test_a_share_reads_back_from_a_percentage(percent: int) -> None:
    assert parse_share(f"{percent}%") == Fraction(percent, 100)


@pytest.mark.parametrize("text", ["101%", "2/1", "1/0", "0.5", "50", "1.5%", "-1/2", "1 / 2", "half", "", 1, 0.5, None])
def test_a_share_is_a_fraction_or_a_percentage_of_at_most_one(text: object) -> None:
    with pytest.raises(Malformed, match="expected a share"):
        parse_share(text)
