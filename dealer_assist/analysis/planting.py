"""What goes wrong on purpose: cards logged otherwise than they lay, and payments that were not right.

Each is told with what is true, so that whoever looks for faults can be shown to find all of them and no others.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dealer_assist.analysis.batch import BatchRules, settle
from dealer_assist.analysis.kernels import ANTE, BONUS, JACKPOT, NOT_QUALIFIED, RAISED, WIN
from dealer_assist.analysis.shuffling import chosen
from dealer_assist.application.columns import EMPTY, NO_CARD, RAISE, Rounds
from dealer_assist.game.dealing import HAND_SIZE

Ints = NDArray[np.int64]
_BY_STAKE: Final = {ANTE: 0, BONUS: 1, JACKPOT: 2}


class Misreading(StrEnum):
    """How a round's cards are logged wrongly."""

    duplicate = "duplicate"
    unread = "unread"
    wrong = "wrong"
    swapped = "swapped"


class Misread(NamedTuple):
    """A round whose cards are not what lay there: by place in the order drawn, what lay there. `at`: the round's place."""

    at: int
    how: Misreading
    lay: dict[int, int]


class Slip(StrEnum):
    """How a payment is wrong."""

    unpaid = "a win was not paid"
    missing_prize = "a jackpot prize was not paid"
    loser_paid = "a lost bet was paid"
    push_taken = "a bet that pushed was taken"
    wrong_line = "the raise was paid by the paytable's line above or below"
    wrong_column = "the raise was paid by the other column"
    as_other_bet = "ante and raise were mixed up"
    chip_off = "a chip too many or too few"


class WrongPayment(NamedTuple):
    """A bet whose recorded net is not right. `at`: the round's place; seats and bets count from 0, amounts in minor units."""

    at: int
    how: Slip
    seat: int
    bet: int
    recorded: int
    right: int


# --- cards -----------------------------------------------------------------------------------------------------------


def misread(
    rounds: Rounds, chance: np.random.Generator, rate: float, *, packet: bool, but: Iterable[int]
) -> list[Misread]:
    """Log the cards of this share of the rounds wrongly, in place; not of the rounds `but`. An unread card is `NO_CARD`."""
    struck = chance.random(len(rounds.cards)) < rate
    struck[list(but)] = False
    return [_misread(rounds, int(at), chance, packet) for at in np.flatnonzero(struck)]


def _misread(rounds: Rounds, at: int, chance: np.random.Generator, packet: bool) -> Misread:
    cards, drawn = rounds.cards[at], int(rounds.drawn[at])
    how = tuple(Misreading)[chosen(chance, len(Misreading))]
    place, lay = chosen(chance, drawn), cards.copy()
    match how:
        case Misreading.duplicate:
            cards[place] = lay[(place + 1 + chosen(chance, drawn - 1)) % drawn]
        case Misreading.unread:
            cards[place] = NO_CARD
        case Misreading.wrong:
            left = np.setdiff1d(np.arange(52), lay[:drawn])
            cards[place] = left[chosen(chance, len(left))]
        case Misreading.swapped:
            # With its neighbour in the order drawn or, of whole packets, in the next packet: two hands are changed.
            other = (place + (HAND_SIZE if packet else 1)) % drawn
            cards[place], cards[other] = lay[other], lay[place]
    return Misread(at, how, {int(changed): int(lay[changed]) for changed in np.flatnonzero(cards != lay)})


# --- payments --------------------------------------------------------------------------------------------------------


def pay_wrongly(
    rounds: Rounds, places: Iterable[int], chance: np.random.Generator, rules: BatchRules, chip: int
) -> list[WrongPayment]:
    """Record one bet of each of the rounds at `places` otherwise than is right, in place: what is recorded now is right."""
    return [_paid_wrongly(rounds, int(at), chance, rules, chip) for at in places]


def _paid_wrongly(rounds: Rounds, at: int, chance: np.random.Generator, rules: BatchRules, chip: int) -> WrongPayment:
    taken = np.flatnonzero(rounds.actions[at] != EMPTY)
    seat = int(taken[chosen(chance, len(taken))])
    slips = [slip for slip in _slips(rounds, at, seat, rules, chip) if slip.recorded != slip.right]
    kinds = sorted({slip.how for slip in slips})
    how = kinds[chosen(chance, len(kinds))]
    of_kind = [slip for slip in slips if slip.how is how]
    found = of_kind[chosen(chance, len(of_kind))]
    rounds.recorded[at, seat, found.bet] = found.recorded
    return found


def _slips(rounds: Rounds, at: int, seat: int, rules: BatchRules, chip: int) -> list[WrongPayment]:
    """The ways in which a seat's payments may go wrong; one of the last kind is always there."""
    nets, stakes = rounds.recorded[at, seat].tolist(), _stakes(rounds, at, seat, rules)
    wrong = [(Slip.chip_off, bet, nets[bet] + off) for bet in stakes for off in (chip, -chip)]
    for bet, stake in stakes.items():
        if bet == JACKPOT:
            wrong.append((Slip.missing_prize, bet, -stake))
        elif nets[bet] > 0:
            wrong.append((Slip.unpaid, bet, 0))
        else:
            wrong.append((Slip.loser_paid, bet, stake) if nets[bet] else (Slip.push_taken, bet, -stake))
    if RAISED in stakes:
        wrong += [(Slip.as_other_bet, ANTE, nets[RAISED]), (Slip.as_other_bet, RAISED, nets[ANTE])]
        if nets[RAISED] > 0:
            wrong += _by_other_odds(rounds, at, seat, rules, stakes[RAISED])
    return [WrongPayment(at, how, seat, bet, recorded, nets[bet]) for how, bet, recorded in wrong]


def _stakes(rounds: Rounds, at: int, seat: int, rules: BatchRules) -> dict[int, int]:
    """What was staked on each bet that was made."""
    made = {bet: int(rounds.stakes[at, seat, place]) for bet, place in _BY_STAKE.items()}
    stakes = {bet: stake for bet, stake in made.items() if stake > 0}
    if rounds.actions[at, seat] == RAISE or rounds.recorded[at, seat, RAISED]:
        stakes[RAISED] = stakes[ANTE] * rules.multiple
    return stakes


def _by_other_odds(rounds: Rounds, at: int, seat: int, rules: BatchRules, stake: int) -> list[tuple[Slip, int, int]]:
    """A won raise paid by a line of its table that is not its own, or by the column that is for another outcome."""
    ordinals = settle(rounds.some(slice(at, at + 1)), rules).ordinals[0]
    kind = int(rules.ranking.category[ordinals[seat + 1]])
    qualifies = ordinals[0] <= rules.lowest_qualifying
    own, other = (WIN, NOT_QUALIFIED) if qualifies else (NOT_QUALIFIED, WIN)
    odds = [(Slip.wrong_line, own, line) for line in (kind - 1, kind + 1) if 0 <= line < len(rules.bonus)]
    odds.append((Slip.wrong_column, other, kind))
    found = []
    for how, column, line in odds:
        to, per = rules.odds[column, RAISED, line].tolist()
        found.append((how, RAISED, stake * to // per))
    return found
