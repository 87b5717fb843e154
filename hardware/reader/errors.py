"""Settings and deck files that can't be used, with every fault named.

The tree, below the game's own:

    Malformed
    └── BadSettings          place, expected and found, for each fault
        └── BadDeck          a deck file, or decks that contradict each other
"""

import msgspec

from dealer_assist.game.errors import Malformed


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong: where it stands, what should stand there, what was found."""

    place: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}: expected {self.expected}, found {self.found}"


class BadSettings(Malformed):
    """Settings with one or more faults; its text is one line that names them all."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(faults[0].expected, faults[0].found)
        self.faults = faults

    def __str__(self) -> str:
        return "; ".join(str(fault) for fault in self.faults)


class BadDeck(BadSettings):
    """A deck file that can't be used, or decks that claim the same tag."""
