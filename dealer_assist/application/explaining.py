"""Why a bet got what it got, in a sentence with the clause of the rule sheet."""

from typing import Final

from dealer_assist.game.bets import Bet, Line, Why
from dealer_assist.game.profile import RuleProfile

_REASONS: Final = {
    Why.folded: "the seat folded",
    Why.dealer_not_qualified: "the dealer does not qualify",
    Why.second_column: "the dealer does not qualify: second column of the paytable",
    Why.player_wins: "the player's hand wins",
    Why.dealer_wins: "the dealer's hand wins",
    Why.tie: "the hands tie",
    Why.bonus_hand: "the best five of six are on the 5+1 table",
    Why.no_bonus_hand: "the best five of six are not on the 5+1 table",
    Why.jackpot_hand: "the hand wins a jackpot prize",
    Why.jackpot_share: "a share of the jackpot that a royal flush won",
    Why.no_jackpot_hand: "the hand wins no jackpot prize",
    Why.round_void: "the round is void: the bet goes back",
}

_CLAUSES: Final = {
    Why.folded: "decision.raise_multiple",
    Why.dealer_not_qualified: "not_qualified",
    Why.second_column: "not_qualified_paytable",
    Why.player_wins: "win",
    Why.dealer_wins: "win",
    Why.tie: "tie",
    Why.bonus_hand: "bonus_paytable",
    Why.no_bonus_hand: "bonus_paytable",
    Why.jackpot_hand: "jackpot_paytable",
    Why.jackpot_share: "jackpot.royal_share",
    Why.no_jackpot_hand: "jackpot_paytable",
}


def explained(line: Line, profile: RuleProfile) -> str:
    """The reason of a line of a settlement, in English."""
    path = "raise_paytable" if line.why is Why.player_wins and line.bet is Bet.raise_bet else _CLAUSES.get(line.why)
    clause = next((text for source, text in profile.sources.items() if path and path.startswith(source)), None)
    reason = _REASONS[line.why] + (f" (sheet {profile.sheet}, {clause})" if clause else "")
    return reason + ("; capped by the table's maximum payout" if line.uncapped is not None else "")
