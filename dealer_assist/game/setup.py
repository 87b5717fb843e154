"""How one table plays: its rule profile, the house's procedure, and the table's own settings.

Source: procedures follow public rules of several houses; each choice that houses make differently is a setting.
"""

import re
from enum import StrEnum
from fractions import Fraction

import msgspec

from dealer_assist.game.dealing import SEATS, Pattern, Seat, Upcard
from dealer_assist.game.errors import BadSetting, Malformed
from dealer_assist.game.money import Money, format_amount, parse_amount, parse_share
from dealer_assist.game.profile import AfterFold, Limit, RuleProfile, check_limit
from dealer_assist.game.settings import Raw, require, shaped


class TimeOut(StrEnum):
    """What a hand without a decision in time does: the profile's rule, or what the supervisor directs."""

    profile = "profile"
    ask_supervisor = "ask-supervisor"


class Signer(StrEnum):
    """Whose word is enough."""

    dealer = "dealer"
    supervisor = "supervisor"


class Procedure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A house's felt practice. `betting_seconds` 0: no betting clock."""

    id: str
    title: str
    time_out: TimeOut = TimeOut.ask_supervisor
    betting_seconds: int = 0
    card_correction_before_paying: Signer = Signer.dealer


class BetEntry(StrEnum):
    """How much the dealer keys: which seats bet, or every amount."""

    seats = "seats"
    amounts = "amounts"


class JackpotEvidence(StrEnum):
    """What shows that a jackpot bet was made."""

    chip_visible = "chip-visible"
    lamp = "lamp"


class CameraRole(StrEnum):
    """What a table makes of its camera."""

    off = "off"
    cross_check = "cross-check"  # what it sees is compared with what the reader said
    source = "source"  # what it sees is what is known


class PayoutScope(StrEnum):
    """What a maximum payout bounds."""

    hand = "hand"
    round = "round"


class MaxPayout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The most a hand or a round may win on the bets named; the jackpot counts only if named."""

    amount: str
    per: PayoutScope = PayoutScope.hand
    bets: tuple[str, ...] = ("ante", "raise", "bonus")


class DealOverride(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table deals otherwise than its profile."""

    pattern: Pattern | None = None
    upcard: Upcard | None = None


class MeterSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's own jackpot meter: where it starts, and what part of each bet feeds it."""

    seed: str
    contribution: Fraction | None = None


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table's file. Amounts are decimal strings in `currency`; `chips` largest to smallest or any order."""

    id: str
    profile: str
    procedure: str
    currency: str
    chips: tuple[str, ...]
    title: str = ""
    reading: str | None = None
    seats: int = 4
    bet_entry: BetEntry = BetEntry.seats
    jackpot_evidence: JackpotEvidence = JackpotEvidence.chip_visible
    limits: tuple[Limit, ...] = ()
    max_payout: MaxPayout | None = None
    deal: DealOverride = DealOverride()
    side_bets_after_fold: AfterFold | None = None
    jackpot: MeterSettings | None = None


class Cap(msgspec.Struct, frozen=True):
    """A maximum payout in minor units."""

    amount: Money
    per: PayoutScope
    bets: tuple[str, ...]


class Overrides(msgspec.Struct, frozen=True):
    """What a table plays otherwise than its profile; already laid on the profile of a `TableSetup`."""

    pattern: Pattern | None = None
    upcard: Upcard | None = None
    after_fold: AfterFold | None = None


class TableSetup(msgspec.Struct, frozen=True):
    """All that decides a round: the profile with the table's overrides laid on it, and the settings as values.

    `chips` in minor units, largest first. `decks`: their ids, the one first in play first. `contribution` and `seed` are
    None where no meter is kept.
    """

    table: str
    profile: RuleProfile
    procedure: Procedure
    currency: str
    bet_entry: BetEntry
    jackpot_evidence: JackpotEvidence
    seats: tuple[Seat, ...]
    chips: tuple[Money, ...]
    limits: tuple[Limit, ...] = ()
    cap: Cap | None = None
    overrides: Overrides = Overrides()
    decks: tuple[str, ...] = ()
    seed: Money | None = None
    contribution: Fraction | None = None
    camera: CameraRole = CameraRole.off

    @property
    def minor_digits(self) -> int:
        """How many decimals an amount of this table has."""
        return self.profile.minor_digits

    @property
    def highest_ante(self) -> Money | None:
        """The most an ante may be, in minor units; None where no limit bounds it."""
        return next(
            (parse_amount(limit.highest, self.minor_digits) for limit in self.limits if limit.bounds == "ante"), None
        )


def procedure_from(raw: Raw) -> Procedure:
    """The procedure in a parsed TOML document. Raises: BadSetting."""
    procedure = shaped(raw, Procedure)
    require(0 <= procedure.betting_seconds <= 600, "betting_seconds", "0 to 600", procedure.betting_seconds)
    return procedure


def table_from(raw: Raw) -> TableSettings:
    """The table settings in a parsed TOML document. Raises: BadSetting."""
    return shaped(raw, TableSettings, lambda kind, found: parse_share(found) if kind is Fraction else found)


def set_up(table: TableSettings, profile: RuleProfile, procedure: Procedure) -> TableSetup:
    """What a table plays by. Raises: BadSetting where its settings do not fit its profile."""
    limits = table.limits or profile.limits[:1]
    _check(table, profile, limits)
    seed, contribution = _meter(table, profile)
    own = Overrides(table.deal.pattern, table.deal.upcard, table.side_bets_after_fold)
    return TableSetup(
        table=table.id,
        profile=overridden(profile, own),
        procedure=procedure,
        currency=table.currency,
        bet_entry=table.bet_entry,
        jackpot_evidence=table.jackpot_evidence,
        seats=SEATS[: table.seats],
        chips=_chips(table, profile.minor_digits),
        limits=limits,
        cap=_cap(table.max_payout, profile.minor_digits),
        overrides=own,
        seed=seed,
        contribution=contribution,
    )


def _check(table: TableSettings, profile: RuleProfile, limits: tuple[Limit, ...]) -> None:
    named = re.fullmatch(r"[A-Za-z0-9_.-]{1,16}", table.id, re.ASCII) is not None
    require(named, "id", "up to 16 letters, digits, dots or dashes, for it stands in game numbers", f'"{table.id}"')
    require(1 <= table.seats <= profile.seats, "seats", f"1 to {profile.seats}", table.seats)
    if profile.currency_fixed:
        own = table.currency == profile.currency
        require(own, "currency", f"{profile.currency}, which the profile fixes", table.currency)
    for at, limit in enumerate(limits):
        check_limit(f"limits[{at}]", limit, profile.minor_digits)
    if table.bet_entry is BetEntry.seats and table.max_payout is not None:
        per = table.max_payout.per
        require(per is PayoutScope.hand, "max_payout.per", '"hand" where amounts are not keyed', per)
        bounded = any(limit.bounds == "ante" for limit in limits)
        require(bounded, "limits", "a limit of the ante, by which the maximum payout is watched", "none")


def overridden(profile: RuleProfile, own: Overrides) -> RuleProfile:
    """The profile with what a table chose for itself."""
    replace = msgspec.structs.replace
    deal = replace(profile.deal, pattern=own.pattern or profile.deal.pattern, upcard=own.upcard or profile.deal.upcard)
    bonus, jackpot = profile.bonus, profile.jackpot
    if own.after_fold is not None:
        bonus = bonus and replace(bonus, after_fold=own.after_fold)
        jackpot = jackpot and replace(jackpot, after_fold=own.after_fold)
    return replace(profile, deal=deal, bonus=bonus, jackpot=jackpot)


def _meter(table: TableSettings, profile: RuleProfile) -> tuple[Money | None, Fraction | None]:
    if profile.jackpot is None:
        require(table.jackpot is None, "jackpot", "no jackpot: the profile has none", "a table")
        return None, None
    if table.jackpot is None:
        raise BadSetting("jackpot.seed", "expected the amount the meter starts from, found none")
    seed = _amount("jackpot.seed", table.jackpot.seed, profile.minor_digits)
    contribution = table.jackpot.contribution
    return seed, profile.jackpot.contribution if contribution is None else contribution


def _chips(table: TableSettings, digits: int) -> tuple[Money, ...]:
    chips = [_amount(f"chips[{at}]", text, digits) for at, text in enumerate(table.chips)]
    require(bool(chips), "chips", "the table's chips", "none")
    for at, chip in enumerate(chips):
        require(chip > 0, f"chips[{at}]", "more than nothing", format_amount(chip, digits))
        require(chip not in chips[:at], f"chips[{at}]", "each chip once", format_amount(chip, digits))
    return tuple(sorted(chips, reverse=True))


def _cap(cap: MaxPayout | None, digits: int) -> Cap | None:
    if cap is None:
        return None
    for at, bet in enumerate(cap.bets):
        require(
            bet in ("ante", "raise", "bonus", "jackpot"), f"max_payout.bets[{at}]", "ante, raise, bonus or jackpot", bet
        )
    return Cap(_amount("max_payout.amount", cap.amount, digits), cap.per, cap.bets)


def _amount(path: str, text: str, digits: int) -> Money:
    try:
        amount = parse_amount(text, digits)
    except Malformed as error:
        raise BadSetting(path, str(error)) from None
    require(amount >= 0, path, "no negative amount", text)
    return amount
