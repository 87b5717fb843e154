"""Rounds settled from arrays come out as the live table settles them, for any profile and any cards."""

from fractions import Fraction
from typing import Any, Final

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.analysis.batch import rules_of, settle, suspects
from dealer_assist.analysis.kernels import LARGEST_STAKE
from dealer_assist.analysis.ranking import CATEGORIES
from dealer_assist.application.columns import ABSENT, ACTIONS, EMPTY, NETS, NO_CARD, STAKES, Rounds, Terms, number_of
from dealer_assist.application.records import Fault, RoundRecord, SeatRecord
from dealer_assist.application.replay import Replayer, outcome_of
from dealer_assist.game.cards import DECK
from dealer_assist.game.dealing import Pattern, Upcard
from dealer_assist.game.money import PUSH, Money, Odds, format_amount, parse_amount
from dealer_assist.game.profile import (
    AfterFold,
    AnteAndRaise,
    AnteOnly,
    Bonus,
    Jackpot,
    Paytable,
    Prize,
    PrizeTable,
    Qualifying,
    RoyalShare,
    RuleProfile,
    TimeoutRule,
)
from dealer_assist.game.setup import MaxPayout, PayoutScope
from dealer_assist.storage.profiles import load_profile, names

DIGITS: Final = 2
CODES: Final = {number_of(card): card.value for card in DECK}
SHEETS: Final = tuple(load_profile(name) for name in names("rules"))
READ: Final = tuple((sheet.id, reading) for sheet in SHEETS for reading in (None, *sheet.readings))

# --- rounds and their records ----------------------------------------------------------------------------------------

TEMPLATES: Final = ("royal", "straight flush", "quads", "full house", "pair", "ace and king", "ace and queen", "any")


def hand_like(template: str, suit: int, left: list[int], chance: np.random.Generator) -> list[int]:
    """Five of the cards left, of the template's kind where they can be."""
    high = int(chance.integers(4, 12))
    wanted: list[int] = {
        "royal": [4 * rank + suit for rank in range(8, 13)],
        "straight flush": [4 * rank + suit for rank in range(high - 4, high + 1)],
        "quads": [4 * high + each for each in range(4)],
        "full house": [4 * high, 4 * high + 1, 4 * high + 2, 4 * high - 4, 4 * high - 3],
        "pair": [4 * high, 4 * high + 1],
        "ace and king": [48 + suit, 44 + (suit + 1) % 4],
        "ace and queen": [48 + suit, 40 + (suit + 1) % 4, 36 + suit, 32 + suit, 28 + suit],
        "any": [],
    }[template]
    taken = [card for card in wanted if card in left]
    taken += [card for card in left if card not in taken][: 5 - len(taken)]
    return taken


def rounds_of(profile: RuleProfile, terms: Terms, count: int, seed: int) -> Rounds:
    """Random rounds in which rare hands are common, some of them at odds with the profile."""
    chance = np.random.default_rng(seed)
    pattern, seats = terms.deal or profile.deal.pattern, min(profile.seats, 4)
    rounds = Rounds(
        np.full((count, 25), NO_CARD, np.uint8),
        np.zeros(count, np.uint8),
        np.zeros((count, 4), np.uint8),
        np.full((count, 4, 3), ABSENT),
        np.where(chance.random(count) < 0.8, chance.integers(0, 10**8, count), ABSENT),
        np.full((count, 4, 4), ABSENT),
        np.zeros(count, np.uint8),
    )
    in_antes = terms.unit == "ante"
    for at in range(count):
        playing = sorted(chance.choice(seats, int(chance.integers(1, seats + 1)), replace=False))
        for seat in playing:
            rounds.actions[at, seat] = chance.choice([1, 1, 1, 2, 3])
            rounds.stakes[at, seat, 0] = 100 if in_antes else chance.integers(1, 20_000)
            if profile.bonus and chance.random() < 0.5:
                rounds.stakes[at, seat, 1] = 100 if in_antes else chance.integers(0, 5000)
            if profile.jackpot and chance.random() < 0.7:
                rounds.stakes[at, seat, 2] = profile.jackpot_stake
        left = [int(card) for card in chance.permutation(52)]
        hands = []
        for _ in range(len(playing) + 1):
            suit, template = int(chance.integers(4)), str(chance.choice(TEMPLATES))
            hands.append(chance.permutation(hand_like(template, suit, left, chance)))
            left = [card for card in left if card not in hands[-1]]
        dealt = np.array(hands)
        rounds.drawn[at] = dealt.size
        rounds.cards[at, : dealt.size] = (dealt if pattern is Pattern.packet else dealt.T).ravel()
    return rounds


def record_of(rounds: Rounds, terms: Terms, at: int) -> RoundRecord:
    def amount(found: Any) -> str | None:
        return None if found == ABSENT else format_amount(Money(int(found)), DIGITS)

    seats = {}
    for seat in range(4):
        if rounds.actions[at, seat] != EMPTY:
            stakes = dict(zip(STAKES, map(amount, rounds.stakes[at, seat]), strict=True))
            seats[str(seat + 1)] = SeatRecord(action=ACTIONS[rounds.actions[at, seat]], **stakes)  # type: ignore[arg-type]
    return RoundRecord(
        format="round/1",
        id=str(at),
        profile=terms.profile,
        cards=tuple(CODES[int(card)] for card in rounds.cards[at, : rounds.drawn[at]]),
        seats=seats,
        deal=terms.deal,
        upcard=terms.upcard,
        side_bets_after_fold=terms.side_bets_after_fold,
        unit=terms.unit,
        max_payout=terms.max_payout,
        meter=amount(rounds.meter[at]),
    )


def same_as_live(profile: RuleProfile, terms: Terms, rounds: Rounds) -> int:
    """Compare every round; how many were settled from arrays."""
    replayer = Replayer(lambda _, __: profile)
    settled = settle(rounds, rules_of(profile, terms))
    for at in range(len(rounds.cards)):
        record = record_of(rounds, terms, at)
        try:
            live = outcome_of(record, replayer.play(record))
        except Fault:
            live = None
        if not settled.regular[at]:
            continue
        assert live is not None, record
        nets = {
            str(seat + 1): {
                bet: format_amount(Money(int(net)), DIGITS)
                for bet, net in zip(NETS, settled.nets[at, seat], strict=True)
            }
            for seat in range(4)
            if rounds.actions[at, seat] != EMPTY
        }
        assert nets == {seat: found.net for seat, found in live.seats.items()}, record
    return int(settled.regular.sum())


# --- profiles like the four --------------------------------------------------------------------------------------------


def odds_rising(count: int) -> st.SearchStrategy[list[Odds]]:
    """Odds that do not fall from the worst hand to the best."""
    each = st.builds(Odds, st.integers(1, 300), st.sampled_from([1, 1, 1, 2, 3]))
    return st.lists(each, min_size=count, max_size=count).map(
        lambda found: sorted(found, key=lambda odds: Fraction(odds.to, odds.per))
    )


@st.composite
def paytables(draw: st.DrawFn, lowest: st.SearchStrategy[int]) -> Paytable:
    paid = CATEGORIES[draw(lowest) :]
    return Paytable(**dict(zip(paid, draw(odds_rising(len(paid))), strict=True)))


@st.composite
def prize_tables(draw: st.DrawFn) -> PrizeTable:
    paid = CATEGORIES[draw(st.integers(1, 9)) :]
    fixed = st.builds(Prize, st.none(), st.integers(0, 10**6))
    share = st.builds(Prize, st.sampled_from([Fraction(1, 10), Fraction(1, 3), Fraction(0)]), st.none())
    prizes = {category: draw(st.one_of(fixed, share)) for category in paid[:-1]}
    return PrizeTable(
        **prizes, royal_flush=draw(st.sampled_from([Prize(Fraction(1), None), Prize(Fraction(1, 2), None)]))
    )


shares = st.sampled_from(RoyalShare)
lowest_hands = st.sampled_from(["As Kd 4c 3h 2s", "As Qd 4c 3h 2s", "2s 2d 5c 4h 3s", "7s 5d 4c 3h 2s"])
simple = st.sampled_from([PUSH, Odds(1), Odds(3, 2), Odds(2)])


@st.composite
def profiles(draw: st.DrawFn) -> RuleProfile:
    """A shipped profile with everything that decides a payment drawn anew."""
    sheet = draw(st.sampled_from(SHEETS))
    after_fold, replace = st.sampled_from(AfterFold), msgspec.structs.replace
    return replace(
        sheet,
        seats=draw(st.integers(1, 4)),
        deal=replace(sheet.deal, pattern=draw(st.sampled_from(Pattern)), upcard=draw(st.sampled_from(Upcard))),
        decision=replace(
            sheet.decision, raise_multiple=draw(st.integers(1, 4)), timeout=draw(st.sampled_from(TimeoutRule))
        ),
        dealer_qualifies=Qualifying(draw(lowest_hands)),
        not_qualified=AnteAndRaise(draw(simple), draw(simple)),
        tie=AnteAndRaise(draw(simple), draw(simple)),
        win=AnteOnly(draw(simple)),
        raise_paytable=draw(paytables(st.just(0))),
        not_qualified_paytable=draw(paytables(st.integers(0, 10))),
        bonus=draw(st.builds(Bonus, after_fold)),
        bonus_paytable=draw(paytables(st.integers(0, 9))),
        jackpot=draw(
            st.builds(Jackpot, st.sampled_from(["1.00", "0.50"]), st.just(Fraction(1, 2)), after_fold, shares)
        ),
        jackpot_paytable=draw(prize_tables()),
    )


@st.composite
def terms_of(draw: st.DrawFn, profile: RuleProfile) -> Terms:
    bets = st.lists(st.sampled_from(NETS), min_size=1, unique=True).map(tuple)
    caps = st.builds(
        MaxPayout, st.sampled_from(["0.00", "3.00", "250.00", "9000.00"]), st.sampled_from(PayoutScope), bets
    )
    return Terms(
        profile=profile.id,
        digits=DIGITS,
        deal=draw(st.one_of(st.none(), st.sampled_from(Pattern))),
        upcard=draw(st.one_of(st.none(), st.sampled_from(Upcard))),
        side_bets_after_fold=draw(st.one_of(st.none(), st.sampled_from(AfterFold))),
        unit=draw(st.sampled_from([None, None, "currency", "ante"])),
        max_payout=draw(st.one_of(st.none(), st.sampled_from(["100.00", "5000.00"]), caps)),
    )


@given(st.data(), st.integers(0, 2**32))
@settings(max_examples=60)
def test_rounds_of_any_profile_are_settled_as_the_live_table_settles_them(data: st.DataObject, seed: int) -> None:
    profile = data.draw(profiles())
    terms = data.draw(terms_of(profile))
    same_as_live(profile, terms, rounds_of(profile, terms, 20, seed))


@pytest.mark.torture
@given(st.data(), st.integers(0, 2**32))
def test_no_search_finds_a_round_that_the_two_engines_settle_apart(data: st.DataObject, seed: int) -> None:
    profile = data.draw(profiles())
    terms = data.draw(terms_of(profile))
    same_as_live(profile, terms, rounds_of(profile, terms, 50, seed))


@pytest.mark.parametrize(("name", "reading"), READ)
def test_every_round_of_a_sheet_with_its_meter_is_settled_from_arrays(name: str, reading: str | None) -> None:
    profile, terms = load_profile(name, reading), Terms(profile=name, reading=reading, digits=DIGITS)
    rounds = rounds_of(profile, terms, 300, 7)
    rounds.meter[:] = 4_711_03
    assert same_as_live(profile, terms, rounds) == 300


# --- what is not judged --------------------------------------------------------------------------------------------------


def sound() -> tuple[RuleProfile, Terms, Rounds]:
    profile = load_profile("live-studio-da")
    terms = Terms(profile=profile.id, digits=DIGITS)
    rounds = rounds_of(profile, terms, 1, 11)
    rounds.meter[:] = 1000_00
    rounds.actions[0] = 1
    rounds.stakes[0] = (500, 100, 100)
    rounds.drawn[0], rounds.cards[0] = 25, np.random.default_rng(1).permutation(52)[:25]
    return profile, terms, rounds


def spoilt(name: str, at: tuple[int, ...], value: int) -> bool:
    """Whether a sound round is still regular once one number of it is changed."""
    profile, terms, rounds = sound()
    getattr(rounds, name)[(0, *at)] = value
    same_as_live(profile, terms, rounds)
    return bool(settle(rounds, rules_of(profile, terms)).regular[0])


def test_a_sound_round_is_judged() -> None:
    profile, terms, rounds = sound()
    assert settle(rounds, rules_of(profile, terms)).regular[0]


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("cards", (3,), 52),
        ("cards", (3,), NO_CARD),
        ("drawn", (), 24),
        ("drawn", (), 20),
        ("actions", (2,), EMPTY),
        ("actions", (2,), 4),
        ("stakes", (1, 0), 0),
        ("stakes", (1, 0), -500),
        ("stakes", (1, 0), ABSENT),
        ("stakes", (1, 0), LARGEST_STAKE + 1),
        ("stakes", (1, 1), -1),
        ("stakes", (1, 2), 99),
        ("stakes", (1, 2), -100),
        ("meter", (), -1),
        ("meter", (), 10**16),
    ],
)
def test_a_round_that_does_not_fit_is_left_to_the_live_engine(name: str, at: tuple[int, ...], value: int) -> None:
    profile, terms, rounds = sound()
    getattr(rounds, name)[(0, *at)] = value
    assert not settle(rounds, rules_of(profile, terms)).regular[0]


@given(place=st.integers(0, 24), other=st.integers(0, 24))
def test_a_card_dealt_twice_is_left_to_the_live_engine(place: int, other: int) -> None:
    _, _, rounds = sound()
    assert spoilt("cards", (place,), int(rounds.cards[0, other])) == (place == other)


def test_a_share_of_a_meter_that_is_not_stated_is_left_to_the_live_engine() -> None:
    profile, terms, rounds = sound()
    rounds.meter[:] = ABSENT
    royal = [4 * rank for rank in range(8, 13)]
    rest = [card for card in range(52) if card not in royal]
    rounds.cards[0] = np.array([royal, *np.array(rest[:20]).reshape(4, 5)]).T.ravel()
    assert not settle(rounds, rules_of(profile, terms)).regular[0]
    assert same_as_live(profile, terms, rounds) == 0


@pytest.mark.parametrize(
    "terms",
    [
        Terms(profile="live-studio-da", digits=0),
        Terms(profile="live-studio-da", digits=2, unit="chips"),
        Terms(profile="live-studio-da", digits=2, max_payout="much"),
        Terms(profile="live-studio-da", digits=2, max_payout="-5.00"),
        Terms(profile="live-studio-da", digits=2, unit="ante", max_payout=MaxPayout("5.00", bets=("jackpot",))),
    ],
)
def test_terms_that_numbers_do_not_hold_are_left_to_the_live_engine(terms: Terms) -> None:
    profile, _, rounds = sound()
    assert not settle(rounds, rules_of(profile, terms)).regular.any()


# --- compared with what was recorded ---------------------------------------------------------------------------------------


def recorded(rounds: Rounds, nets: Any) -> Rounds:
    seats = sum(1 << seat for seat in range(4) if rounds.actions[0, seat] != EMPTY)
    return rounds._replace(recorded=nets.copy(), recorded_seats=np.array([seats], np.uint8))


def test_a_round_recorded_as_settled_is_not_suspected() -> None:
    profile, terms, rounds = sound()
    settled = settle(rounds, rules_of(profile, terms))
    assert not suspects(recorded(rounds, settled.nets), settled)[0]
    assert not suspects(rounds, settled)[0]


def test_a_net_that_is_off_by_the_least_amount_is_suspected_whichever_it_is() -> None:
    profile, terms, rounds = sound()
    settled = settle(rounds, rules_of(profile, terms))
    for seat in range(4):
        for bet in range(4):
            wrong = settled.nets.copy()
            wrong[0, seat, bet] += 1
            assert suspects(recorded(rounds, wrong), settled)[0]


def test_a_net_left_out_stands_for_nothing_won_or_lost() -> None:
    profile, terms, rounds = sound()
    settled = settle(rounds, rules_of(profile, terms))
    found = np.where(settled.nets == 0, ABSENT, settled.nets)
    assert not suspects(recorded(rounds, found), settled)[0]
    assert suspects(recorded(rounds, np.full_like(found, ABSENT)), settled)[0]


def test_a_recorded_seat_that_did_not_play_is_suspected() -> None:
    profile, terms, rounds = sound()
    rounds.actions[0, 3], rounds.drawn[0] = EMPTY, 20
    settled = settle(rounds, rules_of(profile, terms))
    assert settled.regular[0]
    everyone = rounds._replace(recorded=settled.nets.copy(), recorded_seats=np.array([15], np.uint8))
    assert suspects(everyone, settled)[0]


def test_amounts_in_the_records_are_those_of_the_arrays() -> None:
    _, terms, rounds = sound()
    record = record_of(rounds, terms, 0)
    assert parse_amount(record.seats["1"].ante, DIGITS) == rounds.stakes[0, 0, 0]
