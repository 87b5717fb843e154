"""Settlement by the clauses of the four sheets and of every reading, with an ante of 10 and a jackpot that pays for-one."""

from typing import Final

import pytest

from dealer_assist.game.bets import Action, Outcome, Result, Why
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.dealing import Upcard
from dealer_assist.game.settlement import outcome
from dealer_assist.game.setup import DealOverride
from dealer_assist.storage.profiles import load_profile
from tests.game.felt import EXAMPLES, LOWEST_QUALIFIER, NO_QUALIFIER, SHEETS, minor, played, table_setup

PLAYER_TIES: Final = ("As Kh 9d 6c 2s", "Ad Kc 9c 6d 2d")
PLAYER_LOSES: Final = ("Qs Jh 9d 6c 2s", "Ad Kc 4h 3d 2h")

# What a winning hand of each category is paid on its raise, to one.
# A "Udbetalinger, CALL"; B takes A's, marked assumed; C "skjemaet nedenfor"; D "Voitonmaksutaulukko", first column.
WINS: Final = """
    hand              A     B     C     D
    royal_flush     100   100   100   200
    straight_flush   50    50    50    50
    quads            25    25    20    20
    full_house       10    10     7    10
    flush             7     7     5     6
    straight          5     5     4     4
    trips             3     3     3     3
    two_pair          2     2     2     2
    pair              1     1     1     1
    high_card         1     1     1     1
"""

# What the raise is paid where the dealer does not qualify. D "Voitonmaksutaulukko", second column, under reading 5.
NOT_QUALIFIED: Final = """
    hand              A     B     C     D
    royal_flush       0     0     0   100
    straight_flush    0     0     0    25
    quads             0     0     0     5
    full_house        0     0     0     3
    flush             0     0     0     0
    straight          0     0     0     0
    trips             0     0     0     0
    two_pair          0     0     0     0
    pair              0     0     0     0
    high_card         0     0     0     0
"""

# 5+1, to one. A "Udbetalinger, 5+1 BONUS"; B prints none and takes A's.
BONUS: Final = """
    hand              A     B
    royal_flush    1000  1000
    straight_flush  200   200
    quads           100   100
    full_house       20    20
    flush            15    15
    straight         10    10
    trips             7     7
    two_pair         -1    -1
    pair             -1    -1
    high_card        -1    -1
"""

# Jackpot prizes for-one of a meter of 20,000.00. A "Udbetalinger, JACKPOT"; C the table; D "Jatkokierrosten …".
JACKPOT: Final = """
    hand                  A          C          D
    royal_flush    20000.50   20000.50   20000.25
    straight_flush  2500.00    2000.05    1250.00
    quads            250.00     500.00     250.00
    full_house        50.00     100.00      25.00
    flush             25.00      50.00      15.00
    straight          10.00       0.00       3.00
    trips              3.00       0.00       2.00
    two_pair           0.00       0.00       0.00
    pair               0.00       0.00       0.00
    high_card          0.00       0.00       0.00
"""


def cells(table: str) -> list[tuple[str, str, str]]:
    """Hand, sheet and cell, row by row."""
    header, *rows = (line.split() for line in table.strip().splitlines())
    return [(row[0], sheet, cell) for row in rows for sheet, cell in zip(header[1:], row[1:], strict=True)]


def times(stake: int, odds: str) -> str:
    return f"{stake * int(odds)}.00"


@pytest.mark.parametrize(("hand", "sheet", "odds"), cells(WINS))
def test_a_winning_hand_is_paid_one_to_one_on_its_ante_and_by_the_table_on_its_raise(
    hand: str, sheet: str, odds: str
) -> None:
    felt = played(table_setup(sheet), {2: EXAMPLES[hand], 0: LOWEST_QUALIFIER})
    assert felt.nets(2) == f"10.00 {times(20, odds)} 0.00 0.00"
    assert [(line.result, line.why, line.odds) for line in felt.lines] == [
        (Result.pay, Why.player_wins, "1:1"),
        (Result.pay, Why.player_wins, f"{odds}:1"),
    ]


@pytest.mark.parametrize(("hand", "sheet", "odds"), cells(NOT_QUALIFIED))
def test_where_the_dealer_does_not_qualify_the_ante_is_paid_and_the_raise_pushes_or_takes_the_second_column(
    hand: str, sheet: str, odds: str
) -> None:
    felt = played(table_setup(sheet), {2: EXAMPLES[hand], 0: NO_QUALIFIER})
    assert felt.nets(2) == f"10.00 {times(20, odds)} 0.00 0.00"
    why = Why.second_column if int(odds) else Why.dealer_not_qualified
    assert [line.why for line in felt.lines] == [Why.dealer_not_qualified, why]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_weaker_hand_gets_its_ante_paid_where_the_dealer_does_not_qualify(sheet: str) -> None:
    felt = played(table_setup(sheet), {2: "7s 5h 4d 3c 2s", 0: "As Qd Jc 8d 6h"})
    assert felt.nets(2) == "10.00 0.00 0.00 0.00"


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_tie_pushes_ante_and_raise(sheet: str) -> None:
    """A "Spilresultater", B "Udbetalinger", C and D by reading."""
    player, dealer = PLAYER_TIES
    felt = played(table_setup(sheet), {2: player, 0: dealer})
    assert felt.nets(2) == "0.00 0.00 0.00 0.00"
    assert [(line.result, line.why) for line in felt.lines] == [(Result.push, Why.tie)] * 2


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_losing_hand_loses_ante_and_raise(sheet: str) -> None:
    player, dealer = PLAYER_LOSES
    felt = played(table_setup(sheet), {2: player, 0: dealer})
    assert felt.nets(2) == "-10.00 -20.00 0.00 0.00"
    assert [(line.result, line.amount) for line in felt.lines] == [(Result.take, 1000), (Result.take, 2000)]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_fold_loses_the_ante_even_with_the_best_hand(sheet: str) -> None:
    felt = played(
        table_setup(sheet), {2: EXAMPLES["royal_flush"], 3: "9s 9h 6d 5c 2s", 0: LOWEST_QUALIFIER}, folds=(2,)
    )
    assert felt.nets(2) == "-10.00 0.00 0.00 0.00"
    assert felt.nets(3) == "10.00 20.00 0.00 0.00"


# A "Spilresultater": A-K-4-3-2 is the lowest hand with which the dealer plays, A-Q-J-10-9 the highest with which not.
BORDERS: Final = """
    Ad Kc 4h 3d 2h   qualifies
    Ad Kc 5h 3d 2h   qualifies
    2d 2h 5c 4h 3d   qualifies
    Ad Qc Jh Td 9h   does not
    Kd Qc Jh Td 8h   does not
    7d 5c 4h 3d 2h   does not
"""


@pytest.mark.parametrize("row", BORDERS.strip().splitlines())
@pytest.mark.parametrize("sheet", SHEETS)
def test_the_dealer_qualifies_with_ace_and_king_or_better(sheet: str, row: str) -> None:
    dealer, _, verdict = row.strip().partition("   ")
    player = parse_cards(EXAMPLES["royal_flush"])
    came = outcome(load_profile(SHEETS[sheet]), Action.raise_bet, player, parse_cards(dealer))
    assert came is (Outcome.win if verdict == "qualifies" else Outcome.dealer_not_qualified)


# --- readings ------------------------------------------------------------------------------------------------------

WINNER: Final = ("9s 9h 9d 2c 2s", LOWEST_QUALIFIER)
UNQUALIFIED: Final = ("9s 9h 9d 2c 2s", NO_QUALIFIER)
PAIR_UNQUALIFIED: Final = ("9s 9h 6d 5c 2s", NO_QUALIFIER)
PAIR_WINS: Final = ("9s 9h 6d 5c 2s", LOWEST_QUALIFIER)

# Sheet and reading | hands | ante and raise. A full house wins, or meets a dealer who does not qualify; so does a pair.
READINGS: Final = [
    ("C", None, WINNER, "10.00 140.00"),
    ("C", None, UNQUALIFIED, "10.00 0.00"),
    ("C", "ante-pushes", WINNER, "10.00 140.00"),
    ("C", "ante-pushes", UNQUALIFIED, "0.00 0.00"),
    ("C", "win-ante-returned", WINNER, "0.00 140.00"),
    ("C", "win-ante-returned", UNQUALIFIED, "10.00 0.00"),
    ("D", None, UNQUALIFIED, "10.00 60.00"),
    ("D", None, PAIR_UNQUALIFIED, "10.00 0.00"),
    ("D", "literal", UNQUALIFIED, "10.00 60.00"),
    ("D", "literal", PAIR_UNQUALIFIED, "10.00 20.00"),
    ("D", "literal", WINNER, "10.00 200.00"),
    ("D", "first-column-only", UNQUALIFIED, "10.00 0.00"),
    ("D", "first-column-only", WINNER, "10.00 200.00"),
    ("D", "pari-as-one-pair", PAIR_WINS, "10.00 40.00"),
    ("D", "pari-as-one-pair", PAIR_UNQUALIFIED, "10.00 0.00"),
    ("A", "fold-loses-all", WINNER, "10.00 200.00"),
]


@pytest.mark.parametrize(("sheet", "reading", "hands", "nets"), READINGS)
def test_a_named_reading_changes_what_it_says_and_nothing_else(
    sheet: str, reading: str | None, hands: tuple[str, str], nets: str
) -> None:
    player, dealer = hands
    felt = played(table_setup(sheet, reading), {2: player, 0: dealer})
    assert felt.nets(2) == f"{nets} 0.00 0.00"


# --- side bets -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "sheet", "odds"), cells(BONUS))
def test_the_bonus_pays_by_its_table_whatever_the_dealer_has(hand: str, sheet: str, odds: str) -> None:
    """A and B "5+1 BONUS": the dealer's qualification is of no matter."""
    for dealer in (LOWEST_QUALIFIER, NO_QUALIFIER):
        felt = played(table_setup(sheet), {2: EXAMPLES[hand], 0: dealer}, bonus="2.00")
        assert felt.net(2, "bonus") == times(2, odds)


# Player | dealer, his upcard first | 5+1 on 2.00: the upcard makes the hand, his other cards never do.
SIX_CARDS: Final = """
    9s 9h 6d 5c 2s | 9d Kc 4h 3d 2h |   14.00
    9s 9h 6d 5c 2s | Kc 9d 4h 3d 2h |   -2.00
    9s 9h 6d 6c 2s | 9d Kc 4h 3d 2h |   40.00
    9s 8h 7d 6c 2s | 5d Kc 4h 3d 2h |   20.00
    Ks Js 9s 5s 2h | 2s Kc 4h 3d 2d |   30.00
    Ks Qs Js Ts 2h | As Kc 4h 3d 2d | 2000.00
    5s 4h 3d 2c 9s | Ad Kc 4d 3h 2h |   20.00
"""


@pytest.mark.parametrize("row", SIX_CARDS.strip().splitlines())
def test_the_bonus_counts_the_players_five_cards_and_the_dealers_upcard(row: str) -> None:
    player, dealer, net = (cell.strip() for cell in row.split("|"))
    felt = played(table_setup("A"), {2: player, 0: dealer}, bonus="2.00")
    assert felt.net(2, "bonus") == net


def test_the_bonus_follows_the_upcard_of_a_table_that_turns_the_last() -> None:
    setup = table_setup("A", deal=DealOverride(upcard=Upcard.last))
    felt = played(setup, {2: "9s 9h 6d 5c 2s", 0: "Kc 4h 3d 2h 9d"}, bonus="2.00")
    assert felt.net(2, "bonus") == "14.00"


@pytest.mark.parametrize(("hand", "sheet", "prize"), cells(JACKPOT))
def test_a_jackpot_hand_wins_its_prize_for_one_whatever_the_dealer_has(hand: str, sheet: str, prize: str) -> None:
    """The net is the prize less the stake; half of the stake has fed the meter at lock."""
    stake = {"A": 100, "C": 100, "D": 50}[sheet]
    for dealer in (LOWEST_QUALIFIER, NO_QUALIFIER):
        felt = played(table_setup(sheet), {2: EXAMPLES[hand], 0: dealer}, jackpot=True)
        assert minor(felt.net(2, "jackpot")) == minor(prize) - stake


# After a fold: 5+1 on 2.00 and the jackpot, with a flush in the hand.
AFTER_FOLD: Final = [
    ("A", None, "30.00", "24.00"),  # reading 1: both stand
    ("A", "fold-loses-all", "-2.00", "-1.00"),  # "Tag en beslutning"
    ("B", None, "30.00", "0.00"),  # 5+1 BONUS "påvirkes … ikke"
    ("C", None, "0.00", "49.00"),  # "uansett resultatet"
    ("D", None, "0.00", "-0.50"),  # reading 7: the player must have raised
]


@pytest.mark.parametrize(("sheet", "reading", "bonus", "jackpot"), AFTER_FOLD)
def test_after_a_fold_side_bets_stand_or_are_lost_as_the_sheet_says(
    sheet: str, reading: str | None, bonus: str, jackpot: str
) -> None:
    setup = table_setup(sheet, reading)
    bets = {"bonus": "2.00" if setup.profile.bonus else None, "jackpot": setup.profile.jackpot is not None}
    hands = {2: EXAMPLES["flush"], 3: "9d 9h 6d 5c 3c", 0: LOWEST_QUALIFIER}
    felt = played(setup, hands, folds=(2,), **bets)
    assert felt.nets(2) == f"-10.00 0.00 {bonus} {jackpot}"


def test_the_payments_go_from_the_dealers_right_to_his_left_ante_and_raise_apart() -> None:
    """D "Taking and Paying Bets" 4; the jackpot that was set aside comes last."""
    hands = {1: "9s 9c 9d 6c 2s", 3: "9h 8h 7h 6h 5h", 4: "As Ks Qs Jd 3c", 0: "Ad Kc 4c 3s 2d"}
    felt = played(table_setup("D"), hands, folds=(4,), jackpot=True)
    assert [(line.seat, line.bet.value) for line in felt.lines] == [
        (4, "ante"),
        (4, "jackpot"),
        (3, "ante"),
        (3, "raise"),
        (1, "ante"),
        (1, "raise"),
        (3, "jackpot"),
        (1, "jackpot"),
    ]
