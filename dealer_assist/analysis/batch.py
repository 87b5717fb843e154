"""Rounds settled by the million, from arrays: every rule written a second time, apart from the live settlement.

The live engine explains one round and is believed; this one is fast and is only ever compared with it. What it can't
settle in whole it does not judge: such a round is not `regular`, and is for the live engine.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis import kernels
from dealer_assist.analysis.kernels import JACKPOT
from dealer_assist.analysis.ranking import CATEGORIES, PAIR, Ranking, rank_hands, ranking
from dealer_assist.application.columns import EMPTY, FOLD, TIMEOUT, Rounds, Terms, number_of
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.dealing import Pattern, Upcard
from dealer_assist.game.errors import Malformed
from dealer_assist.game.money import Odds, parse_amount
from dealer_assist.game.profile import AfterFold, Paytable, RoyalShare, RuleProfile, TimeoutRule
from dealer_assist.game.setup import MaxPayout, Overrides, PayoutScope, overridden

LARGEST_PAY: Final = 4_000_000
"""Most stakes that one bet may pay here: it keeps every product within 64 bits."""

NOTHING: Final = -1
UNBOUNDED: Final = np.iinfo(np.int64).max

Ints = NDArray[np.int64]


class BatchRules(NamedTuple):
    """One set of terms as numbers. Odds are pairs (to, per), (-1, 1) where the stake is lost.

    `odds` [4, 2, 10, 2] by outcome (win, dealer not qualified, tie, loss), ante or raise, and category; `bonus` [10, 2] by
    category. `prizes` [10, 3] by category: fixed amount, and the share of the meter as numerator and denominator; all 0
    where there is none. `jackpot_stake`: -1 without a jackpot. `cap`: the most that a hand, or a round, is paid on the
    bets of `capped` [4].
    """

    unusable: bool
    seats: int
    packet: bool
    upcard: int
    multiple: int
    timeout_raises: bool
    lowest_qualifying: int
    odds: Ints
    has_bonus: bool
    bonus_lost_by_fold: bool
    bonus: Ints
    jackpot_stake: int
    jackpot_lost_by_fold: bool
    shared_by_all: bool
    prizes: Ints
    cap: int
    cap_per_round: bool
    capped: NDArray[np.bool_]
    ranking: Ranking


class Settled(NamedTuple):
    """`nets` [n, 4, 4]: what each seat is up or down by each bet, in the order of `columns.NETS`; `regular` [n].

    `ordinals` [n, 5]: of the dealer's hand and of seats 1 … 4; 0 where none. `folds` [n, 4]: by its word, or because its time
    ran out. Nets and ordinals are all 0 for a round that is not regular.
    """

    nets: Ints
    regular: NDArray[np.bool_]
    ordinals: NDArray[np.uint16]
    folds: NDArray[np.bool_]


def settle(rounds: Rounds, rules: BatchRules) -> Settled:
    """What every bet of every round comes to, on one core and without the interpreter's lock."""
    count = len(rounds.cards)
    nets, regular = np.zeros((count, 4, 4), np.int64), np.zeros(count, np.bool_)
    if rules.unusable:
        return Settled(nets, regular, np.zeros((count, 5), np.uint16), np.zeros((count, 4), np.bool_))
    actions, stakes, ranks = rounds.actions, rounds.stakes, rules.ranking
    kernels.check(actions, stakes, rounds.meter, rules.seats, rules.has_bonus, rules.jackpot_stake, regular)
    hands, best_of_six = np.zeros((count, 5, 5), np.uint8), np.zeros((count, 4), np.uint16)
    kernels.deal(rounds.cards, rounds.drawn, actions, rules.packet, hands, regular)
    ordinals = rank_hands(hands.reshape(-1, 5), ranks).reshape(-1, 5)
    ordinals[:, 1:][actions == EMPTY] = 0
    if rules.has_bonus:
        kernels.best_of_six(hands, rules.upcard, stakes, ordinals, ranks.keys, ranks.by_sum, ranks.suited, best_of_six)
    categories = ranks.category[ordinals]
    pair_raises = rules.timeout_raises & (categories[:, 1:] >= PAIR)
    folds = (actions == FOLD) | ((actions == TIMEOUT) & ~pair_raises)
    kernels.main_bets(
        actions, folds, stakes, ordinals, categories, rules.lowest_qualifying, rules.multiple, rules.odds, nets
    )
    kernels.bonus_bets(folds & rules.bonus_lost_by_fold, stakes, ranks.category[best_of_six], rules.bonus, nets)
    left = np.full((count, 4), rules.cap)
    if rules.capped.any():
        kernels.cut_to_cap(rules.cap, rules.cap_per_round, rules.capped, nets, left)
    prizes, enters = np.zeros((count, 4), np.int64), ~(folds & rules.jackpot_lost_by_fold)
    kernels.jackpot_prizes(stakes, enters, rounds.meter, categories, rules.prizes, rules.shared_by_all, prizes, regular)
    kernels.jackpot_bets(stakes, prizes, left, rules.cap_per_round, bool(rules.capped[JACKPOT]), nets)
    nets[~regular] = 0
    ordinals[~regular] = 0
    return Settled(nets, regular, ordinals, folds)


def suspects(rounds: Rounds, settled: Settled) -> NDArray[np.bool_]:
    """`[n]`: which rounds the live engine must look at: not regular, or recorded otherwise than settled."""
    out = ~settled.regular
    kernels.compare(rounds.actions, rounds.recorded, rounds.recorded_seats, settled.nets, out)
    return out


# --- the terms as numbers --------------------------------------------------------------------------------------------


def rules_of(profile: RuleProfile, terms: Terms) -> BatchRules:
    """What rounds of these terms are settled by. Terms that the columns can't carry whole are `unusable`."""
    profile = overridden(profile, Overrides(terms.deal, terms.upcard, terms.side_bets_after_fold))
    tables = ranking()
    lowest = np.array([[number_of(card) for card in parse_cards(profile.dealer_qualifies.lowest)]], np.uint8)
    bonus, jackpot, cap = profile.bonus, profile.jackpot, _cap(profile, terms)
    odds, bonus_odds = _odds(profile), _paytable(profile.bonus_paytable or Paytable())
    return BatchRules(
        unusable=cap is None
        or terms.digits != profile.minor_digits
        or terms.unit not in (None, "ante", "currency")
        or (terms.unit == "ante" and terms.digits != 2)
        or max(odds[..., 0].max(), bonus_odds[:, 0].max()) * profile.decision.raise_multiple > LARGEST_PAY,
        seats=profile.seats,
        packet=profile.deal.pattern is Pattern.packet,
        upcard=0 if profile.deal.upcard is Upcard.first else 4,
        multiple=profile.decision.raise_multiple,
        timeout_raises=profile.decision.timeout is TimeoutRule.pair_or_better_raises,
        lowest_qualifying=int(rank_hands(lowest, tables)[0]),
        odds=odds,
        has_bonus=bonus is not None,
        bonus_lost_by_fold=bonus is not None and bonus.after_fold is AfterFold.lost,
        bonus=bonus_odds,
        jackpot_stake=profile.jackpot_stake if jackpot else NOTHING,
        jackpot_lost_by_fold=jackpot is not None and jackpot.after_fold is AfterFold.lost,
        shared_by_all=jackpot is not None and jackpot.royal_share is RoyalShare.round_bettors,
        prizes=_prizes(profile),
        cap=UNBOUNDED if cap is None else cap[0],
        cap_per_round=cap is not None and cap[1],
        capped=np.zeros(4, np.bool_) if cap is None else cap[2],
        ranking=tables,
    )


def _odds(profile: RuleProfile) -> Ints:
    """By outcome, bet and category."""
    none, not_qualified, tie = Paytable(), profile.not_qualified, profile.tie
    return np.array(
        [
            [_paytable(none, profile.win.ante), _paytable(profile.raise_paytable)],
            [_paytable(none, not_qualified.ante), _paytable(profile.not_qualified_paytable, not_qualified.raise_bet)],
            [_paytable(none, tie.ante), _paytable(none, tie.raise_bet)],
            [_paytable(none), _paytable(none)],
        ]
    )


def _paytable(table: Paytable, otherwise: Odds | None = None) -> Ints:
    odds = [getattr(table, category) or otherwise for category in CATEGORIES]
    return np.array([(NOTHING, 1) if each is None else (each.to, each.per) for each in odds], np.int64)


def _prizes(profile: RuleProfile) -> Ints:
    rows = np.zeros((len(CATEGORIES), 3), np.int64)
    for number, category in enumerate(CATEGORIES):
        prize = getattr(profile.jackpot_paytable, category, None)
        if prize is not None and prize.fixed is not None:
            rows[number] = prize.fixed, 0, 0
        elif prize is not None:
            rows[number] = 0, prize.share.numerator, prize.share.denominator
    return rows


def _cap(profile: RuleProfile, terms: Terms) -> tuple[int, bool, NDArray[np.bool_]] | None:
    """The most that is paid, whether in a round rather than on a hand, and on which bets; None where that can't be told.

    Bets in antes have no amount that a cap could bound; a jackpot that counts beside them is for the live engine.
    """
    found = MaxPayout(terms.max_payout) if isinstance(terms.max_payout, str) else terms.max_payout
    none = np.zeros(4, np.bool_)
    if found is None:
        return UNBOUNDED, False, none
    try:
        amount = parse_amount(found.amount, profile.minor_digits)
    except Malformed:
        return None
    bets = np.array([bet in found.bets for bet in ("ante", "raise", "bonus", "jackpot")])
    if terms.unit == "ante":
        return None if bets[JACKPOT] else (UNBOUNDED, False, none)
    return None if amount < 0 else (amount, found.per is PayoutScope.round, bets)
