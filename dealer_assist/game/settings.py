"""Settings files into typed structs; what does not fit is refused with its path, what was found and what was expected."""

import re
from collections.abc import Callable
from enum import EnumMeta
from types import NoneType
from typing import TypeVar, get_args, get_type_hints

import msgspec

from dealer_assist.game.errors import BadSetting

Raw = dict[str, object]
T = TypeVar("T")


def shaped(raw: Raw, kind: type[T], value: Callable[[type, object], object] | None = None) -> T:
    """A parsed TOML document as `kind`; `value` reads the types that msgspec does not know.

    Raises: BadSetting.
    """
    try:
        return msgspec.convert(raw, kind, dec_hook=value)
    except msgspec.ValidationError as error:
        raise _explained(str(error), kind) from None


def _explained(message: str, kind: type) -> BadSetting:
    """msgspec's `finding - at $.a.b`, as the path `a.b`, the finding and the expectation."""
    finding, _, where = message.partition(" - at ")
    path = where.strip("`").removeprefix("$").lstrip(".")
    if match := re.fullmatch(r"Object contains unknown field `(.*)`", finding):
        return BadSetting(_joined(path, match[1]), "unknown; is it a typo?")
    if match := re.fullmatch(r"Object missing required field `(.*)`", finding):
        return BadSetting(_joined(path, match[1]), "expected a value, found none")
    if match := re.fullmatch(r"Invalid enum value (.*)", finding):
        return BadSetting(path, f"expected {_choices(kind, path)}, found {match[1].replace(chr(39), chr(34))}")
    return BadSetting(path or "the file", finding[:1].lower() + finding[1:])


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _choices(kind: object, path: str) -> str:
    for name in re.sub(r"\[.*?\]", "", path).split("."):
        kind = _field_type(kind, name)
    return ", ".join(f'"{word}"' for word in _words(kind)) or "one of the known words"


def _words(kind: object) -> list[str]:
    return list(map(str, kind)) if isinstance(kind, EnumMeta) else []


def _field_type(kind: object, name: str) -> object:
    """The type of a struct's field by its name in the file; of `X | None` and `tuple[X, ...]`, X."""
    fields = getattr(kind, "__struct_fields__", ())
    names = dict(zip(getattr(kind, "__struct_encode_fields__", ()), fields, strict=True))
    found: object = get_type_hints(kind).get(names.get(name, name)) if isinstance(kind, type) else None
    return next((part for part in get_args(found) if part is not NoneType), found)


def require(holds: bool, path: str, expected: str, found: object) -> None:
    """Raises: BadSetting, unless `holds`."""
    if not holds:
        raise BadSetting(path, f"expected {expected}, found {found}")


def merged(base: Raw, over: Raw) -> Raw:
    """`base` with the values of `over` laid on it, table by table."""
    result = dict(base)
    for key, value in over.items():
        under = result.get(key)
        result[key] = merged(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return result
