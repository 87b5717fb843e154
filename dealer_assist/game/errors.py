"""What can go wrong in the game, as a tree; each error carries its data, text is made at the rim.

GameError
├── Malformed            the text or value can't be read at all
│   ├── UnknownCard
│   ├── BadAmount
│   └── BadOdds
├── DuplicateCard        one card of the deck in two places
├── WrongCardCount       not a hand's number of cards
├── BadSetting           a value in a settings file, with its path
├── UnknownReading
├── MeterUnknown
├── HandUnknown
└── RuleViolation        a command that the table's state does not allow; nothing changed
"""

from enum import StrEnum


class GameError(Exception):
    """Root of all errors of the game."""


class Malformed(GameError, ValueError):
    """A value that can't be read: what was found, and what was expected.

    A ValueError too, so that msgspec adds the path at which it stood.
    """

    def __init__(self, expected: str, found: object) -> None:
        super().__init__(
            f"expected {expected}, found {found!r}"
            if not isinstance(found, str)
            else f'expected {expected}, found "{found}"'
        )
        self.expected = expected
        self.found = found


class UnknownCard(Malformed):
    """A code that names no card."""

    def __init__(self, code: object) -> None:
        super().__init__('a card code like "As" or "Td"', code)


class BadAmount(Malformed):
    """An amount that is not a decimal string with the currency's minor digits."""


class BadOdds(Malformed):
    """Odds that are not two whole numbers like `7:1`."""

    def __init__(self, found: object) -> None:
        super().__init__('odds like "7:1"', found)


class DuplicateCard(GameError):
    """The same card in two places."""

    def __init__(self, card: str) -> None:
        super().__init__(f"the card {card} occurs twice")
        self.card = card


class WrongCardCount(GameError):
    """A set of cards of a size that is not a hand."""

    def __init__(self, expected: str, found: int) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found


class BadSetting(GameError, ValueError):
    """A settings file that can't be used: the path of the value, and what is wrong with it."""

    def __init__(self, path: str, finding: str) -> None:
        super().__init__(f"{path}: {finding}")
        self.path = path
        self.finding = finding


class UnknownReading(GameError, ValueError):
    """A reading that the profile does not name."""

    def __init__(self, profile: str, reading: str, known: tuple[str, ...]) -> None:
        super().__init__(f'profile {profile}: expected a reading of {", ".join(known) or "(none)"}, found "{reading}"')
        self.profile = profile
        self.reading = reading
        self.known = known


class MeterUnknown(GameError):
    """A prize is a share of the meter, and no meter was given."""

    def __init__(self) -> None:
        super().__init__("meter: expected the jackpot at lock, which a prize of this round needs, found none")


class HandUnknown(GameError):
    """A hand must be known to go on, and a card of it is not. `holder`: the seat, 0 for the dealer."""

    def __init__(self, holder: int) -> None:
        super().__init__(
            f"cards: expected five known cards for {f'seat {holder}' if holder else 'the dealer'}, found fewer"
        )
        self.holder = holder


class Refusal(StrEnum):
    """Why a command was refused; the sentence for a person is made at the rim."""

    wrong_phase = "wrong_phase"
    no_round = "no_round"
    round_not_over = "round_not_over"
    no_such_seat = "no_such_seat"
    bet_unknown = "bet_unknown"
    ante_first = "ante_first"
    amount_expected = "amount_expected"
    no_amount_here = "no_amount_here"
    stake_is_fixed = "stake_is_fixed"
    over_limit = "over_limit"
    under_limit = "under_limit"
    no_such_bet = "no_such_bet"
    no_bets = "no_bets"
    doubled_already = "doubled_already"
    jackpot_count_differs = "jackpot_count_differs"
    jackpot_fixed_at_lock = "jackpot_fixed_at_lock"
    all_dealt = "all_dealt"
    not_next_place = "not_next_place"
    no_card_there = "no_card_there"
    card_known = "card_known"
    card_elsewhere = "card_elsewhere"
    same_card = "same_card"
    card_not_due = "card_not_due"
    no_such_notice = "no_such_notice"
    notice_open = "notice_open"
    no_such_dispute = "no_such_dispute"
    dispute_open = "dispute_open"
    count_needed = "count_needed"
    count_too_small = "count_too_small"
    count_too_large = "count_too_large"
    already_decided = "already_decided"
    cards_unknown = "cards_unknown"
    not_next_in_paying_order = "not_next_in_paying_order"
    amounts_needed = "amounts_needed"
    nothing_to_settle = "nothing_to_settle"
    nothing_to_undo = "nothing_to_undo"
    needs_supervisor = "needs_supervisor"
    reason_needed = "reason_needed"
    hit_frozen = "hit_frozen"
    no_such_hit = "no_such_hit"
    no_such_deck = "no_such_deck"
    not_called = "not_called"


class RuleViolation(GameError):
    """A command that the table's state does not allow. Nothing changed.

    `data` holds what the refusal's sentence names: a seat, a place, an amount in minor units, a phase.
    """

    def __init__(self, refusal: Refusal, **data: object) -> None:
        super().__init__(f"{refusal}: {data}" if data else str(refusal))
        self.refusal = refusal
        self.data = data
