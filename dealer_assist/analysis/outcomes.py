"""Every outcome of ante and raise: how often it comes, what it pays, and what it adds to the return."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from dealer_assist.analysis.classes import NUMBERS
from dealer_assist.analysis.deals import DEALS
from dealer_assist.analysis.returns import Payoffs, Tally
from dealer_assist.analysis.sweep import FOLD, LOSE, TIE, UNQUALIFIED, WIN
from dealer_assist.game.bets import Outcome
from dealer_assist.game.hands import BEST_FIRST, Category
from dealer_assist.game.profile import RuleProfile


class OutcomeShare(NamedTuple):
    """One line of the table. `category`: of the player's hand, None where the outcome pays all of its hands alike.

    `pays`: what ante and raise together bring, in antes.
    """

    outcome: Outcome
    category: Category | None
    pays: Fraction
    frequency: Fraction

    @property
    def contribution(self) -> Fraction:
        """To the player's result, in antes."""
        return self.frequency * self.pays


def outcome_table(profile: RuleProfile, counted: Tally, pay: Payoffs) -> tuple[OutcomeShare, ...]:
    """What comes of a policy, wins first and folds last. Frequencies add up to one, contributions to minus the edge.

    A dealer who does not qualify has a line for each category that the second column pays, and one for all others.
    """
    second_column = [category for category in BEST_FIRST if profile.not_qualified_paytable.odds(category) is not None]
    others = [category for category in BEST_FIRST if category not in second_column]

    def share(outcome: Outcome, category: Category | None, hands: Sequence[Category] = BEST_FIRST) -> OutcomeShare:
        rows, column = [NUMBERS[hand] for hand in hands], _COLUMNS[outcome]
        pays = Fraction(int(pay.units[rows[0], column]), pay.scale)
        return OutcomeShare(outcome, category, pays, Fraction(int(counted.counts[rows, column].sum()), DEALS))

    return (
        *(share(Outcome.win, category, [category]) for category in BEST_FIRST),
        *(share(Outcome.dealer_not_qualified, category, [category]) for category in second_column),
        *([share(Outcome.dealer_not_qualified, None, others)] if others else []),
        *(share(outcome, None) for outcome in (Outcome.push, Outcome.lose, Outcome.fold)),
    )


_COLUMNS: Final = {
    Outcome.win: WIN,
    Outcome.dealer_not_qualified: UNQUALIFIED,
    Outcome.push: TIE,
    Outcome.lose: LOSE,
    Outcome.fold: FOLD,
}
