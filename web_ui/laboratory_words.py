"""The sentences of the rules laboratory: what its script says, and the names of figures, of ways to play and of limits."""

from collections.abc import Mapping
from typing import Final

from dealer_assist.application.ports import WhyNoFigures
from web_ui.language import gettext
from web_ui.words import N_

SPOKEN: Final[Mapping[str, str]] = {
    "counting": N_(
        "Counting all 19,933,230,517,200 deals … {s} s. The first time takes some seconds; the table deals on."
    ),
    "computed": N_("Computed in {s} s."),
    "begun_anew": N_("The computation was interrupted and begun anew."),
    "no_answer": N_("No answer from the server."),
    "not_shown": N_("What is shown are still the figures of the values before."),
    "edits": N_("Changed values: {n}"),
    "fault": N_("{where}: {finding}"),
    "cell": N_("{hand} against {upcard}: {play}"),
    "cell_raise": N_("raise. It is worth {gain} antes more than a fold."),
    "cell_fold": N_("fold. A raise is worth {gain} antes beside it."),
    "cell_mixed": N_(
        "raise in {share} of the cases, for suits matter. All raised: {gain} antes beside a fold, on average."
    ),
    "cell_none": N_("no such deal."),
    "cell_changed": N_("Before the edits it is played otherwise."),
}
"""By the names the script uses; `{s}` and the like are filled there."""

NO_FIGURES: Final[Mapping[WhyNoFigures, str]] = {
    WhyNoFigures.ended: N_("The computation ended twice before it was done. The table is not touched. Try again."),
    WhyNoFigures.too_slow: N_("The computation was not done in time. The table is not touched. Try again."),
}

FIGURES: Final[Mapping[str, str]] = {
    "house_edge": N_("House edge on the ante"),
    "return_on_ante": N_("Return on the ante"),
    "return_on_total_stake": N_("Return on all that is staked"),
    "raise_frequency": N_("Hands raised"),
    "dealer_qualifies": N_("Dealer qualifies"),
    "variance": N_("Variance, in squared antes"),
    "standard_deviation": N_("Standard deviation, in antes"),
    "bonus_return": N_("5+1: return"),
    "bonus_hit_frequency": N_("5+1: bets that win"),
    "jackpot_fixed_return": N_("Jackpot: return of the fixed prizes"),
    "jackpot_return": N_("Jackpot: fixed prizes and what feeds the meter"),
    "jackpot_per_meter_unit": N_("Jackpot: return of each 1,000 on the meter"),
    "jackpot_break_even": N_("Jackpot: break-even meter"),
    "jackpot_hit_frequency": N_("Jackpot: bets that win"),
}
"""By their names in an audit, in the order shown."""

POLICIES: Final[Mapping[str, str]] = {
    "optimal": N_("Optimal play"),
    "three rules": N_("Three rules"),
    "matching rank": N_("Ace and king with a matching upcard"),
    "AKJ83 or better": N_("A-K-J-8-3 or better"),
    "pair or better": N_("A pair or better"),
    "ace and king or better": N_("Ace and king or better"),
    "always raise": N_("Always raise"),
    "always fold": N_("Always fold"),
}

OUTCOMES: Final[Mapping[str, str]] = {
    "win": N_("Player wins"),
    "dealer_not_qualified": N_("Dealer not qualified"),
    "push": N_("Equal hands"),
    "lose": N_("Dealer wins"),
    "fold": N_("Fold"),
}
"""By the game's names."""

BETS: Final[Mapping[str, str]] = {
    "ante": N_("Ante"),
    "raise": N_("Raise"),
    "bonus": N_("5+1"),
    "jackpot": N_("Jackpot"),
    "total": N_("All bets"),
}

SCOPES: Final[Mapping[str, str]] = {"hand": N_("a hand"), "round": N_("a round")}


def spoken_words() -> dict[str, str]:
    """The script's sentences in the reader's language."""
    return {name: gettext(text) for name, text in SPOKEN.items()}
