"""A rule profile as the TOML document that it could come from, and that document with single values changed.

Such a document is one reading, whole: it has no alternatives besides it, and every value that differs from the sheet says
in `sources` where it comes from.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.hands import BEST_FIRST
from dealer_assist.game.money import Odds, format_amount
from dealer_assist.game.profile import Prize, RuleProfile, leaves, profile_from
from dealer_assist.game.settings import Raw

Edits = Mapping[str, str]
"""New values by path, as a file has them: `{"raise_paytable.flush": "7:1"}`. An empty text takes the value out."""

PAYMENTS: Final = ("win.ante", "not_qualified.ante", "not_qualified.raise", "tie.ante", "tie.raise")
"""The odds that hang on no hand."""

_TABLES: Final = ("raise_paytable", "not_qualified_paytable", "bonus_paytable", "jackpot_paytable")


def document(profile: RuleProfile) -> Raw:
    """The profile's document: `profile_from` makes the same profile of it, without the readings."""

    def text(value: object) -> object:
        match value:
            case Odds():
                return str(value)
            case Fraction():
                return f"{value.numerator}/{value.denominator}"
            case Prize():
                return _prize(value, profile.minor_digits)
            case _:
                raise NotImplementedError(f"no way to write a {type(value).__name__}")

    written: Raw = msgspec.to_builtins(msgspec.structs.replace(profile, readings={}), enc_hook=text)
    del written["readings"]
    return _stated(written) | {"sources": _sources(profile)}


def _prize(prize: Prize, digits: int) -> str:
    """A share or an amount, as `profile_from` reads it."""
    if prize.fixed is not None:
        return format_amount(prize.fixed, digits)
    assert prize.share is not None
    percent = prize.share * 100
    return f"{percent.numerator}%" if percent.denominator == 1 else str(prize.share)


def _stated(table: Raw) -> Raw:
    """A table without what it leaves out: TOML knows no nothing, and a value that is not there needs no clause."""
    return {
        key: _stated(value) if isinstance(value, dict) else value
        for key, value in table.items()
        if value is not None and value not in ([], ())
    }


def _sources(profile: RuleProfile) -> Raw:
    """The clauses; what the reading sets comes from the reading's."""
    reading = profile.readings.get(profile.reading or "")
    own: Raw = dict(profile.sources)
    return own | (dict.fromkeys(leaves(reading.changes), reading.source) if reading else {})


def editable(profile: RuleProfile) -> tuple[str, ...]:
    """The paths that `edited` takes: every payment and every line of the paytables the profile has."""
    tables = [name for name in _TABLES if getattr(profile, name) is not None]
    return PAYMENTS + tuple(f"{table}.{category}" for table in tables for category in BEST_FIRST)


def value_at(raw: Raw, path: str) -> str:
    """The text of a value; empty where there is none."""
    table, _, name = path.partition(".")
    values = raw.get(table)
    found = values.get(name) if isinstance(values, dict) else None
    return found if isinstance(found, str) else ""


def edited(raw: Raw, edits: Edits) -> Raw:
    """A document with these values in place of its own, whether they are in order or not; each says what it replaces."""
    result: Raw = {key: dict(value) if isinstance(value, dict) else value for key, value in raw.items()}
    for path, value in edits.items():
        table, _, name = path.partition(".")
        values, sources = result.setdefault(table, {}), result["sources"]
        assert isinstance(values, dict)
        assert isinstance(sources, dict)
        sources[path] = f"changed by hand: {value or 'nothing'} in place of {value_at(raw, path) or 'nothing'}"
        if value:
            values[name] = value
        else:
            values.pop(name, None)
    return result


def faults(raw: Raw, edits: Edits) -> Sequence[BadSetting]:
    """Everything that is wrong with a document's edits; empty where `profile_from` takes the edited document.

    One wrong value is set aside to look at the rest, so that each is named, with its path.
    """
    allowed = editable(profile_from(raw))
    found = [
        BadSetting(path, "expected a value that can be changed here, found none")
        for path in edits
        if path not in allowed
    ]
    left = {path: value for path, value in edits.items() if path in allowed}
    while True:
        try:
            profile_from(edited(raw, left))
        except BadSetting as fault:
            found.append(fault)
            if left.pop(fault.path, None) is None:
                return found
        else:
            return found
