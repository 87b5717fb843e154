"""Rule profiles, procedures and tables from their TOML files: the shipped ones by id, any other by path."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from dealer_assist.game.errors import BadSetting
from dealer_assist.game.profile import RuleProfile, profile_from
from dealer_assist.game.settings import Raw
from dealer_assist.game.setup import Procedure, procedure_from

T = TypeVar("T")


class UnknownName(KeyError):
    """A settings file that is not there: what was asked for, and what there is."""

    def __init__(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.kind = kind
        self.name = name
        self.known = known

    def __str__(self) -> str:
        return f'{self.kind}: expected one of {", ".join(self.known) or "(none)"} or a path to a TOML file, found "{self.name}"'


def config_folder() -> Path:
    """The folder of the shipped settings: beside the packages in a checkout, inside the package when installed."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "shipped_config"
    return inside if inside.is_dir() else package.parent / "config"


def read_toml(path: Path) -> Raw:
    """A parsed TOML file. Raises: BadSetting, naming the file and what is wrong in it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(str(path), f"expected a readable file, found: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(str(path), f"expected TOML, found: {error}") from None


def names(kind: str) -> tuple[str, ...]:
    """The ids of the shipped files of a kind: `rules`, `procedures`, `tables` or `decks`."""
    return tuple(sorted(path.stem for path in (config_folder() / kind).glob("*.toml")))


def find(kind: str, name: str) -> Path:
    """The file that an id or a path names. Raises: UnknownName."""
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise UnknownName(kind, name, names(kind))
        return Path(name)
    if name not in names(kind):
        raise UnknownName(kind, name, names(kind))
    return config_folder() / kind / f"{name}.toml"


def named(path: Path, load: Callable[[], T]) -> T:
    """What `load` gives; a bad setting is told with its file's name."""
    try:
        return load()
    except BadSetting as error:
        raise BadSetting(
            error.path if error.path.startswith(str(path)) else f"{path}: {error.path}", error.finding
        ) from None


def load_profile(name: str, reading: str | None = None) -> RuleProfile:
    """A rule profile by id or path, with one of its readings.

    Raises: UnknownName, UnknownReading; BadSetting, naming the file and the path in it.
    """
    path = find("rules", name)
    return named(path, lambda: profile_from(read_toml(path), reading))


def load_procedure(name: str) -> Procedure:
    """A procedure by id or path. Raises: UnknownName, BadSetting."""
    path = find("procedures", name)
    return named(path, lambda: procedure_from(read_toml(path)))
