"""A table's TOML file: how it plays, which readers and camera it has, which decks lie in its shoe."""

from pathlib import Path

import msgspec

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.settings import Raw, shaped
from dealer_assist.game.setup import TableSettings, TableSetup, set_up, table_from
from dealer_assist.storage.profiles import find, load_procedure, load_profile, named, read_toml


class Equipment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The devices of a table. `readers` and `camera` as in the file: each kind of hardware reads its own settings."""

    readers: tuple[Raw, ...] = ()
    decks: tuple[str, ...] = ()
    camera: Raw | None = None


class TablePlan(msgspec.Struct, frozen=True):
    """A table's file, read and checked. `decks`: the files, the one in play first. `camera`: its paths seen from anywhere."""

    setup: TableSetup
    readers: tuple[Raw, ...]
    decks: tuple[Path, ...]
    camera: Raw | None = None


def load_table(name: str, profile: str | None = None) -> TablePlan:
    """A table by id or path; `profile` puts another rule sheet in place of its own, with that sheet's currency.

    Raises: UnknownName, UnknownReading; BadSetting, naming the file and the path in it.
    """
    path = find("tables", name)
    return named(path, lambda: _planned(path, read_toml(path), profile))


def _planned(path: Path, raw: Raw, profile: str | None) -> TablePlan:
    equipment = shaped({key: raw[key] for key in Equipment.__struct_fields__ if key in raw}, Equipment)
    settings = table_from({key: value for key, value in raw.items() if key not in Equipment.__struct_fields__})
    if profile is not None:
        settings = _with_profile(settings, profile)
    rules = load_profile(_beside(path, settings.profile), settings.reading)
    procedure = load_procedure(_beside(path, settings.procedure))
    decks = tuple(_deck(path, at, name) for at, name in enumerate(equipment.decks))
    return TablePlan(set_up(settings, rules, procedure), equipment.readers, decks, _camera(path, equipment.camera))


def _with_profile(settings: TableSettings, name: str) -> TableSettings:
    profile = load_profile(name)
    meter = settings.jackpot if profile.jackpot is not None else None
    return msgspec.structs.replace(settings, profile=name, reading=None, currency=profile.currency, jackpot=meter)


def _beside(table: Path, name: str) -> str:
    """A path in a table's file is meant from that file's folder."""
    beside = table.parent / name
    return str(beside) if name.endswith(".toml") and beside.is_file() else name


def _camera(table: Path, raw: Raw | None) -> Raw | None:
    """A camera's files are meant from the folder of the table's own."""
    if raw is None:
        return None
    raw = raw | _beside_table(table, {key: raw[key] for key in ("source", "calibration") if key in raw})
    decks = raw.get("enrolment")
    return raw | {"enrolment": _beside_table(table, decks)} if isinstance(decks, dict) else raw


def _beside_table(table: Path, files: Raw) -> Raw:
    """The files that lie beside a table's own, seen from anywhere; anything else as it is."""
    beside = {key: table.parent / value for key, value in files.items() if isinstance(value, str)}
    return files | {key: str(path) for key, path in beside.items() if path.is_file()}


def _deck(table: Path, at: int, name: str) -> Path:
    try:
        return find("decks", _beside(table, name))
    except KeyError as error:
        raise BadSetting(f"decks[{at}]", str(error)) from None
