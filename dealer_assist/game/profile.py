"""A rule profile: everything one rule sheet fixes, as data.

A profile is a TOML file; `RuleProfile` is its shape, and `profile_from` reads it and applies one of its
named readings. Every value carries its source clause in the file's `[sources]`.
"""

from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Final

import msgspec

from dealer_assist.game.cards import parse_cards
from dealer_assist.game.dealing import HAND_SIZE, Facing, Pattern, Upcard
from dealer_assist.game.errors import BadSetting, GameError, Malformed, UnknownReading, WrongCardCount
from dealer_assist.game.hands import Category, rank_five
from dealer_assist.game.money import MOST_DIGITS, Money, Odds, parse_amount, parse_share
from dealer_assist.game.settings import Raw, merged, require, shaped


class Prize:
    """A jackpot prize: a share of the meter, or a fixed amount paid for-one. Exactly one is set."""

    __slots__ = ("fixed", "share")

    def __init__(self, share: Fraction | None, fixed: Money | None) -> None:
        self.share: Final = share
        self.fixed: Final = fixed

    @property
    def is_whole_meter(self) -> bool:
        """Whether this is the top prize, which reseeds the meter."""
        return self.share == 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Prize) and (self.share, self.fixed) == (other.share, other.fixed)

    def __hash__(self) -> int:
        return hash((self.share, self.fixed))


class Paytable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Odds by category; a category without odds wins nothing."""

    royal_flush: Odds | None = None
    straight_flush: Odds | None = None
    quads: Odds | None = None
    full_house: Odds | None = None
    flush: Odds | None = None
    straight: Odds | None = None
    trips: Odds | None = None
    two_pair: Odds | None = None
    pair: Odds | None = None
    high_card: Odds | None = None

    def odds(self, category: Category) -> Odds | None:
        """What a hand of this category pays."""
        found: Odds | None = getattr(self, category)
        return found


class PrizeTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Jackpot prizes by category; a category without a prize wins nothing."""

    royal_flush: Prize | None = None
    straight_flush: Prize | None = None
    quads: Prize | None = None
    full_house: Prize | None = None
    flush: Prize | None = None
    straight: Prize | None = None
    trips: Prize | None = None
    two_pair: Prize | None = None
    pair: Prize | None = None
    high_card: Prize | None = None

    def prize(self, category: Category) -> Prize | None:
        """What a hand of this category wins."""
        found: Prize | None = getattr(self, category)
        return found


class TimeoutRule(StrEnum):
    """What a hand without a decision in time does."""

    fold = "fold"
    pair_or_better_raises = "pair-or-better-raises"


class AfterFold(StrEnum):
    """What becomes of a side bet when its seat folds."""

    stand = "stand"
    lost = "lost"


class RoyalShare(StrEnum):
    """Who shares the meter when a royal flush wins it."""

    winner = "winner"
    round_bettors = "round-bettors"


class Deal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the cards go out."""

    pattern: Pattern
    players: Facing
    upcard: Upcard


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The choice after the deal: a raise of exactly `raise_multiple` antes, or a fold."""

    raise_multiple: int
    timeout: TimeoutRule


@cache
def _ordinal_of(codes: str) -> int:
    cards = parse_cards(codes)
    if len(cards) != HAND_SIZE:
        raise WrongCardCount("five cards", len(cards))
    return rank_five(cards)


class Qualifying(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The dealer's lowest hand that plays, as card codes (suits are of no matter)."""

    lowest: str

    @property
    def ordinal(self) -> int:
        """The worst ordinal with which the dealer qualifies."""
        return _ordinal_of(self.lowest)


class AnteAndRaise(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"raise_bet": "raise"}):
    """What both bets get in one outcome; `push` returns the stake."""

    ante: Odds
    raise_bet: Odds


class AnteOnly(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the ante gets when the player wins; the raise is paid by its table."""

    ante: Odds


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The 5+1 bonus: the best five of the player's five cards and the dealer's upcard."""

    after_fold: AfterFold


class Jackpot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The progressive bet on the player's own five cards."""

    stake: str
    contribution: Fraction
    after_fold: AfterFold
    royal_share: RoyalShare


class Limit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The least and most of what `bounds` names: `ante`, `bonus`, or a player's `total`. Decimal strings."""

    bounds: str
    lowest: str
    highest: str


class Labels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sheet's own words for the two decisions and the raise, as the English screens say them."""

    raise_bet: str = "Raise"
    act_raise: str = "RAISE"
    act_fold: str = "FOLD"
    raised: str = "Raised"
    folded: str = "Folded"


class Reading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"changes": "set"}):
    """A named alternative: values set over the profile's own, and tables it leaves out."""

    note: str
    source: str
    changes: Raw = {}
    unset: tuple[str, ...] = ()


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a sheet says a figure is; `figure` as `rules audit` names it, `says` a percentage such as "96.30%"."""

    figure: str
    says: str


class RuleProfile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule sheet, one reading of it. Paytables lack the hands that win nothing."""

    id: str
    title: str
    sheet: str
    language: str
    currency: str
    currency_fixed: bool
    minor_digits: int
    seats: int
    deal: Deal
    decision: Decision
    dealer_qualifies: Qualifying
    not_qualified: AnteAndRaise
    tie: AnteAndRaise
    win: AnteOnly
    raise_paytable: Paytable
    sources: dict[str, str]
    limits: tuple[Limit, ...] = ()
    not_qualified_paytable: Paytable = Paytable()
    bonus: Bonus | None = None
    bonus_paytable: Paytable | None = None
    jackpot: Jackpot | None = None
    jackpot_paytable: PrizeTable | None = None
    labels: Labels = Labels()
    hand_names: dict[Category, str] = {}
    claims: tuple[Claim, ...] = ()
    readings: dict[str, Reading] = {}
    reading: str | None = None

    @property
    def lowest_qualifying(self) -> int:
        """The worst ordinal with which the dealer plays."""
        return self.dealer_qualifies.ordinal

    @property
    def jackpot_stake(self) -> Money:
        """The one stake the jackpot takes, in minor units. Raises: Malformed where the profile has no jackpot."""
        if self.jackpot is None:
            raise Malformed("a profile with a jackpot", self.id)
        return parse_amount(self.jackpot.stake, self.minor_digits)


UNSOURCED: Final = frozenset(
    {"id", "title", "sheet", "language", "minor_digits", "sources", "labels", "readings", "reading"}
)
"""Parts of the file that describe the file itself, and so carry no clause."""


def profile_from(raw: Raw, reading: str | None = None) -> RuleProfile:
    """The profile in a parsed TOML document, with one of its readings applied.

    Raises: BadSetting, naming the path; UnknownReading.
    """
    profile = _shaped(raw)
    if reading is not None:
        if reading not in profile.readings:
            raise UnknownReading(profile.id, reading, tuple(profile.readings))
        profile = _shaped({**_changed(raw, profile.readings[reading]), "reading": reading})
    for name, alternative in profile.readings.items():
        for at, table in enumerate(alternative.unset):
            require(table in raw, f"readings.{name}.unset[{at}]", "a table of this file", table)
    _check(profile)
    _check_sources(raw, profile.sources)
    return profile


def _shaped(raw: Raw) -> RuleProfile:
    stated = raw.get("minor_digits")
    digits = stated if isinstance(stated, int) and 0 <= stated <= MOST_DIGITS else 2  # a wrong one is refused below

    def value(kind: type, found: object) -> object:
        if kind is Odds:
            return Odds.parse(found)
        if kind is Fraction:
            return parse_share(found)
        if kind is Prize:
            return _prize(found, digits)
        return found  # a reading's values: checked where they are laid over the profile

    return shaped(raw, RuleProfile, value)


def _prize(found: object, digits: int) -> Prize:
    if isinstance(found, str) and found.endswith("%"):
        return Prize(parse_share(found), None)
    try:
        return Prize(None, parse_amount(found, digits))
    except Malformed:
        raise Malformed('a prize like "100%" or "2500.00"', found) from None


def _changed(raw: Raw, reading: Reading) -> Raw:
    return {key: value for key, value in merged(raw, reading.changes).items() if key not in reading.unset}


def _check(profile: RuleProfile) -> None:
    require(1 <= profile.seats <= 4, "seats", "1 to 4", profile.seats)
    require(0 <= profile.minor_digits <= MOST_DIGITS, "minor_digits", f"0 to {MOST_DIGITS}", profile.minor_digits)
    require(
        profile.decision.raise_multiple >= 1,
        "decision.raise_multiple",
        "a whole number of antes",
        profile.decision.raise_multiple,
    )
    for category in Category:
        require(profile.raise_paytable.odds(category) is not None, f"raise_paytable.{category}", "odds", "none")
    _check_rises("raise_paytable", profile.raise_paytable)
    _check_rises("not_qualified_paytable", profile.not_qualified_paytable)
    _check_rises("bonus_paytable", profile.bonus_paytable or Paytable())
    for bet, part, table in (
        ("bonus", profile.bonus, profile.bonus_paytable),
        ("jackpot", profile.jackpot, profile.jackpot_paytable),
    ):
        require(
            (part is None) == (table is None),
            f"{bet}_paytable",
            f"[{bet}] and [{bet}_paytable] together",
            "one of the two",
        )
    _check_qualifying(profile.dealer_qualifies)
    for at, limit in enumerate(profile.limits):
        check_limit(f"limits[{at}]", limit, profile.minor_digits)
    if profile.jackpot is not None:
        _check_stake(profile)


def _check_qualifying(qualifying: Qualifying) -> None:
    try:
        rank = qualifying.ordinal
    except GameError as error:
        raise BadSetting("dealer_qualifies.lowest", str(error)) from None
    require(rank > 1, "dealer_qualifies.lowest", "a hand below the royal flush", qualifying.lowest)


def _check_stake(profile: RuleProfile) -> None:
    try:
        stake = profile.jackpot_stake
    except Malformed as error:
        raise BadSetting("jackpot.stake", str(error)) from None
    require(stake > 0, "jackpot.stake", "more than nothing", stake)


def check_limit(path: str, limit: Limit, digits: int) -> None:
    """Raises: BadSetting, where a limit can't be met or bounds nothing we know."""
    require(limit.bounds in ("ante", "bonus", "total"), f"{path}.bounds", "ante, bonus or total", limit.bounds)
    amounts = []
    for name in ("lowest", "highest"):
        try:
            amounts.append(parse_amount(getattr(limit, name), digits))
        except Malformed as error:
            raise BadSetting(f"{path}.{name}", str(error)) from None
    require(0 < amounts[0] <= amounts[1], f"{path}.highest", f"at least the lowest, {limit.lowest}", limit.highest)


def _check_rises(name: str, table: Paytable) -> None:
    """A better hand never pays less: a swapped line is a typo."""
    best = Odds(0)
    for category in Category:
        odds = table.odds(category)
        if odds is None:
            continue
        require(
            odds.to * best.per >= best.to * odds.per,
            f"{name}.{category}",
            f"at least {best}, which a lesser hand pays",
            str(odds),
        )
        best = odds


def _check_sources(raw: Raw, sources: dict[str, str]) -> None:
    for path in leaves(raw):
        named = any(path == source or path.startswith(source + ".") for source in sources)
        require(
            named or path.split(".", 1)[0] in UNSOURCED, f"sources.{path}", "the clause this value comes from", "none"
        )


def leaves(table: Raw, prefix: str = "") -> list[str]:
    """The paths of all values of a document that are no tables."""
    found: list[str] = []
    for key, value in table.items():
        found += leaves(value, f"{prefix}{key}.") if isinstance(value, dict) else [prefix + key]
    return found
