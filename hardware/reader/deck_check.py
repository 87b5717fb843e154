"""Whether a deck file is a deck, and its own: which cards lack a tag, which tags are foreign, which stand twice."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from dealer_assist.game.cards import DECK
from hardware.reader.deck_file import FOR_EACH, OF_ITS_OWN, Draft


class Foreign(msgspec.Struct, frozen=True):
    """A tag that should not be in this deck. `card`: which card's it is here; `why` in words."""

    uid: str
    card: str
    why: str


class Doubled(msgspec.Struct, frozen=True):
    """A tag that stands more than once, and at which cards."""

    uid: str
    cards: tuple[str, ...]


class Findings(msgspec.Struct, frozen=True):
    """What a check found. `missing`: cards without a tag. `faults`: whatever else keeps the file from being a deck."""

    deck: str
    cards: int
    tags: int
    missing: tuple[str, ...]
    foreign: tuple[Foreign, ...]
    doubled: tuple[Doubled, ...]
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether all is as it should be."""
        return not (self.missing or self.foreign or self.doubled or self.faults)


class Other(NamedTuple):
    """A deck to compare with, and the name of its file."""

    file: str
    draft: Draft


def check_deck(draft: Draft, others: Iterable[Other] = ()) -> Findings:
    """What is wrong with a deck, by itself and beside others: an earlier file of the same deck, or other decks."""
    others = list(others)
    known = [code for code in DECK if draft.tags.get(code)]
    return Findings(
        deck=draft.id,
        cards=len(known),
        tags=sum(len(uids) for uids in draft.tags.values()),
        missing=tuple(code.value for code in DECK if code not in known),
        foreign=(*_no_cards(draft), *(found for other in others for found in _foreign(draft, other))),
        doubled=tuple(Doubled(uid, tuple(cards)) for uid, cards in _owners(draft.tags).items() if len(cards) > 1),
        faults=tuple(str(fault) for fault in draft.faults if fault.expected not in (FOR_EACH, OF_ITS_OWN)),
    )


def _no_cards(draft: Draft) -> Iterator[Foreign]:
    for code, uids in draft.tags.items():
        if code not in DECK:
            yield from (Foreign(uid, code, "no card of the 52") for uid in uids)


def _foreign(draft: Draft, other: Other) -> Iterator[Foreign]:
    same_deck = other.draft.id == draft.id
    owners = _owners(other.draft.tags)
    for code, uids in draft.tags.items():
        for uid in uids:
            owned_by = owners.get(uid, [])
            if same_deck and code not in owned_by:
                yield Foreign(uid, code, f"{owned_by[0] if owned_by else 'not there'} in {other.file}")
            elif owned_by and not same_deck:
                yield Foreign(uid, code, f"{owned_by[0]} of deck {other.draft.id} in {other.file}")


def _owners(tags: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for code, uids in tags.items():
        for uid in uids:
            owners.setdefault(uid, []).append(str(code))
    return owners
