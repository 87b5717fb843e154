"""What a command line can't use, and how it is told."""

from collections.abc import Iterator
from contextlib import contextmanager

from dealer_assist.game.errors import GameError
from dealer_assist.storage.folder import FolderInUse, NoKey, NoTable
from dealer_assist.storage.profiles import UnknownName


class UnusableInput(Exception):
    """Input that can't be used: one line that names the place, what was found, and what was expected."""


@contextmanager
def told_in_one_line(place: str = "") -> Iterator[None]:
    """Turn the errors of settings, names and values into UnusableInput, with the place they stand at."""
    try:
        yield
    except (GameError, UnknownName, FolderInUse, NoKey, NoTable) as error:
        raise UnusableInput(f"{place}: {error}" if place else str(error)) from error
