"""The compiled steps of the batch settlement: each goes over all rounds once, and fills what the next one reads.

Arrays are those of `application.columns.Rounds` and `analysis.batch.BatchRules`; `at` is a round, seats count from 0 here.
"""

from typing import Any, Final

import numpy as np
from numba import njit

from dealer_assist.analysis.ranking import ORDINALS
from dealer_assist.application.columns import ABSENT, EMPTY, TIMEOUT

LARGEST_STAKE: Final = 10**12
"""In minor units; a larger one is for the live engine, which knows no largest number."""

LARGEST_METER: Final = 10**15
NOBODY: Final = -1
ANTE, RAISED, BONUS, JACKPOT = range(4)
ANTE_STAKE, BONUS_STAKE, JACKPOT_STAKE = range(3)
WIN, NOT_QUALIFIED, TIE, LOSS = range(4)


@njit(cache=True, nogil=True)
def check(actions: Any, stakes: Any, meter: Any, seats: Any, has_bonus: Any, jackpot_stake: Any, regular: Any) -> None:
    """Which rounds hold only bets that the profile knows, in amounts that 64 bits can settle."""
    for at in range(len(actions)):
        fits = meter[at] == ABSENT or 0 <= meter[at] <= LARGEST_METER
        for seat in range(4):
            if actions[at, seat] == EMPTY:
                continue
            bonus, jackpot = stakes[at, seat, BONUS_STAKE], stakes[at, seat, JACKPOT_STAKE]
            fits &= seat < seats and actions[at, seat] <= TIMEOUT
            fits &= 0 < stakes[at, seat, ANTE_STAKE] <= LARGEST_STAKE
            fits &= not _made(bonus) or (has_bonus and 0 < bonus <= LARGEST_STAKE)
            fits &= not _made(jackpot) or jackpot == jackpot_stake
        regular[at] = fits


@njit(inline="always")
def _made(stake: Any) -> Any:
    return stake != ABSENT and stake != 0  # noqa: PLR1714  a test for membership would build a tuple


@njit(cache=True, nogil=True)
def deal(cards: Any, drawn: Any, actions: Any, packet: Any, hands: Any, regular: Any) -> None:
    """Lay each regular round's cards into `hands` [n, 5, 5], the dealer's first; they stay as they are where nobody plays.

    Not regular is a round whose cards are not five different ones a hand.
    """
    for at in range(len(cards)):
        holders = 1
        for seat in range(4):
            holders += actions[at, seat] != EMPTY
        regular[at] &= holders > 1 and drawn[at] == 5 * holders and _all_differ(cards, at, 5 * holders)
        if not regular[at]:
            continue
        first, step = (5, 1) if packet else (1, holders)
        place = 0
        for seat in range(1, 6):
            hand = seat % 5  # the dealer is dealt last
            if hand == 0 or actions[at, seat - 1] != EMPTY:
                for slot in range(5):
                    hands[at, hand, slot] = cards[at, place + step * slot]
                place += first


@njit(cache=True, nogil=True)
def _all_differ(cards: Any, at: Any, drawn: Any) -> Any:
    seen, known = np.uint64(0), True
    for place in range(drawn):
        seen |= np.uint64(1) << np.uint64(cards[at, place] & 63)
        known &= cards[at, place] < 52
    count = 0
    while seen:
        seen &= seen - np.uint64(1)
        count += 1
    return known and count == drawn


@njit(cache=True, nogil=True)
def best_of_six(
    hands: Any, upcard: Any, stakes: Any, ordinals: Any, keys: Any, by_sum: Any, suited: Any, best_ordinals: Any
) -> None:
    """Where 5+1 was bet, the ordinal of the best five of a hand and the upcard."""
    for at in range(len(hands)):
        sixth = hands[at, 0, upcard]
        for seat in range(4):
            if not _made(stakes[at, seat, BONUS_STAKE]):
                continue
            total, of_its_suit = keys[sixth], 0
            for slot in range(5):
                card = hands[at, seat + 1, slot]
                total += keys[card]
                of_its_suit += (card ^ sixth) & 3 == 0
            best = ordinals[at, seat + 1]
            for slot in range(5):
                best = min(best, by_sum[total - keys[hands[at, seat + 1, slot]]])
            if of_its_suit >= 4:
                for left_out in range(5):
                    best = min(best, _one_suit_with(hands, at, seat + 1, sixth, left_out, suited))
            best_ordinals[at, seat] = best


@njit(cache=True, nogil=True)
def _one_suit_with(hands: Any, at: Any, hand: Any, sixth: Any, left_out: Any, suited: Any) -> Any:
    """The ordinal of the sixth card and four of a hand if they are of one suit, else the worst."""
    mask = 1 << (sixth >> 2)
    for slot in range(5):
        card = hands[at, hand, slot]
        if slot != left_out:
            if (card ^ sixth) & 3:
                return ORDINALS
            mask |= 1 << (card >> 2)
    return suited[mask]


@njit(inline="always")
def _pay(stake: Any, to: Any, per: Any) -> Any:
    """What a stake wins, rounded down; the stake itself where the odds say that it is lost."""
    return -stake if to < 0 else stake * to // per


@njit(cache=True, nogil=True)
def main_bets(
    actions: Any, folds: Any, stakes: Any, ordinals: Any, categories: Any, lowest: Any, multiple: Any, odds: Any, nets: Any
) -> None:  # fmt: skip
    """Ante and raise."""
    for at in range(len(actions)):
        dealer = ordinals[at, 0]
        for seat in range(4):
            if actions[at, seat] == EMPTY:
                continue
            ante, own = stakes[at, seat, ANTE_STAKE], ordinals[at, seat + 1]
            if folds[at, seat]:
                nets[at, seat, ANTE] = -ante
                continue
            shown_down = WIN if own < dealer else TIE if own == dealer else LOSS
            outcome = NOT_QUALIFIED if dealer > lowest else shown_down
            kind = categories[at, seat + 1]
            nets[at, seat, ANTE] = _pay(ante, odds[outcome, 0, kind, 0], odds[outcome, 0, kind, 1])
            nets[at, seat, RAISED] = _pay(ante * multiple, odds[outcome, 1, kind, 0], odds[outcome, 1, kind, 1])


@njit(cache=True, nogil=True)
def bonus_bets(lost: Any, stakes: Any, best_of_six: Any, odds: Any, nets: Any) -> None:
    """5+1; `lost` where a fold took it, `best_of_six` by category."""
    for at in range(len(stakes)):
        for seat in range(4):
            stake = stakes[at, seat, BONUS_STAKE]
            if _made(stake):
                kind = best_of_six[at, seat]
                nets[at, seat, BONUS] = -stake if lost[at, seat] else _pay(stake, odds[kind, 0], odds[kind, 1])


@njit(cache=True, nogil=True)
def cut_to_cap(cap: Any, per_round: Any, capped: Any, nets: Any, left: Any) -> None:
    """Cut what is paid to the cap, in paying order; `left` of it for each seat's jackpot, or, in each place, for all."""
    for at in range(len(nets)):
        budget = cap
        for seat in range(3, -1, -1):
            if not per_round:
                budget = cap
            for bet in range(JACKPOT):
                if capped[bet] and nets[at, seat, bet] > 0:
                    nets[at, seat, bet] = min(nets[at, seat, bet], budget)
                    budget -= nets[at, seat, bet]
            left[at, seat] = budget
        if per_round:
            left[at, :] = budget


@njit(cache=True, nogil=True)
def jackpot_prizes(
    stakes: Any, enters: Any, meter: Any, categories: Any, table: Any, shared_by_all: Any, prizes: Any, regular: Any
) -> None:  # fmt: skip
    """Each seat's prize, for-one. Not regular is a round in which one is a share of a meter that is not stated.

    `enters` comes as which bets a fold leaves, and keeps which of them were made.
    """
    for at in range(len(stakes)):
        left, royals, entrants, first_royal = meter[at], 0, 0, NOBODY
        for seat in range(3, -1, -1):
            enters[at, seat] &= regular[at] and _made(stakes[at, seat, JACKPOT_STAKE])
            if not enters[at, seat]:
                continue
            entrants += 1
            kind = categories[at, seat + 1]
            part, whole = table[kind, 1], table[kind, 2]
            prizes[at, seat] = table[kind, 0]
            if whole and meter[at] == ABSENT:
                regular[at] = False
            elif whole and part == whole:
                first_royal = seat if first_royal == NOBODY else first_royal
                royals += 1
            elif whole:
                # In two steps, so that no product goes beyond 64 bits.
                share = meter[at] // whole * part + meter[at] % whole * part // whole
                prizes[at, seat] += share
                left -= share
        if royals and regular[at]:
            _share(
                at,
                left,
                entrants if shared_by_all else royals,
                first_royal,
                shared_by_all,
                enters,
                categories,
                table,
                prizes,
            )


@njit(cache=True, nogil=True)
def _share(
    at: Any, left: Any, sharers: Any, first_royal: Any, shared_by_all: Any,
    enters: Any, categories: Any, table: Any, prizes: Any,
) -> None:  # fmt: skip
    """What is left of the meter, in equal parts, for all stakes are equal; what does not divide goes to the first royal."""
    each = left // sharers
    for seat in range(4):
        kind = categories[at, seat + 1]
        if enters[at, seat] and (shared_by_all or (table[kind, 2] and table[kind, 1] == table[kind, 2])):
            prizes[at, seat] += each
    prizes[at, first_royal] += left - each * sharers


@njit(cache=True, nogil=True)
def jackpot_bets(stakes: Any, prizes: Any, left: Any, per_round: Any, capped: Any, nets: Any) -> None:
    """The jackpot: prizes, cut to what the cap leaves where it counts them, less the stake."""
    for at in range(len(stakes)):
        spent = np.int64(0)
        for seat in range(3, -1, -1):
            if _made(stakes[at, seat, JACKPOT_STAKE]):
                prize = prizes[at, seat]
                if capped:
                    prize = min(prize, left[at, seat] - spent)
                    spent += prize if per_round else 0
                nets[at, seat, JACKPOT] = prize - stakes[at, seat, JACKPOT_STAKE]


@njit(cache=True, nogil=True)
def compare(actions: Any, recorded: Any, recorded_seats: Any, nets: Any, differs: Any) -> None:
    """Mark each round of which a seat is recorded otherwise than settled, or did not play."""
    for at in range(len(actions)):
        for seat in range(4):
            if not recorded_seats[at] >> seat & 1:
                continue
            differs[at] |= actions[at, seat] == EMPTY
            for bet in range(4):
                found = recorded[at, seat, bet]
                differs[at] |= (0 if found == ABSENT else found) != nets[at, seat, bet]
