"""Deck files: which tags a deck's cards carry, how that is written, and what is wrong with one.

A deck file (TOML) names each of the 52 cards' tags:

    id = "demo-red"
    name = "Demo deck with a red back"
    back = "red"
    uid_form = "hex"            how UIDs are written below: hex, or decimal; stated, never guessed
    byte_order = "as-sent"      their bytes in the order the reader sends them, or reversed
    uid_bytes = 7               how many; needed for decimal

    [cards]
    As = "0406B9020A5481"
    Kd = ["04A1B2C3D4E5F6", "04A1B2C3D4E5F7"]     a card may carry two tags

    [certificate]               of a deck that was registered card by card
    deck = "demo-red"
    who = "R. Keller"
    when = 2026-11-30T20:14:03Z
    reader = "shoe"
    result = "52 cards, 52 tags"
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
import tomli_w

from dealer_assist.game.cards import DECK
from hardware.reader.errors import BadDeck, Fault
from hardware.reader.uids import ByteOrder, UidForm, UidNotation

TAGS_PER_CARD: Final = 2  # at most
FOR_EACH: Final = "a UID for each of the 52 cards"
OF_ITS_OWN: Final = "a UID of its own"
CSV_COLUMNS: Final = ("card", "uid", "uid2")  # the last may be missing

_SEPARATORS: Final = str.maketrans("", "", " :-")


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who registered a deck, when (UTC), on which reader, and what came of it."""

    deck: str
    who: str
    when: datetime
    reader: str
    result: str


class Draft(msgspec.Struct, frozen=True):
    """What a deck file says, right or wrong.

    `tags`: the UIDs of each card by its code, as the reader sends them; those that are none are left out. `faults`:
    all that keeps it from being a deck.
    """

    id: str
    name: str
    back: str
    tags: Mapping[str, tuple[str, ...]]
    faults: tuple[Fault, ...]
    certificate: Certificate | None = None


class _DeckFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    back: str
    uid_form: UidForm
    byte_order: ByteOrder
    cards: dict[str, str | list[str]]
    uid_bytes: int | None = None
    certificate: Certificate | None = None


def read_draft(path: Path) -> Draft:
    """What a deck file says.

    Raises: BadDeck, for a file that can't be read, and for one that has not the keys and types of a deck file.
    """
    try:
        content = msgspec.toml.decode(path.read_bytes(), type=_DeckFile)
    except OSError as error:
        raise BadDeck(Fault(str(path), "a deck file that can be read", str(error.strerror))) from None
    except msgspec.ValidationError as error:
        raise BadDeck(Fault(str(path), "the keys and types of a deck file", str(error))) from None
    except (ValueError, RecursionError) as error:
        raise BadDeck(Fault(str(path), "TOML in UTF-8", str(error))) from None
    notation = notation_of(content.uid_form, content.byte_order, content.uid_bytes, str(path))
    written = {code: (uids,) if isinstance(uids, str) else tuple(uids) for code, uids in content.cards.items()}
    faults = list(_faults(str(path), written, notation))
    if content.certificate is not None and content.certificate.deck != content.id:
        place = f"{path}, certificate.deck"
        faults.append(Fault(place, f'"{content.id}", whose file this is', f'"{content.certificate.deck}"'))
    tags = {code: tuple(uid for text in texts if (uid := notation.sent(text))) for code, texts in written.items()}
    return Draft(content.id, content.name, content.back, tags, tuple(faults), content.certificate)


def notation_of(form: UidForm, byte_order: ByteOrder, size: int | None, file: str) -> UidNotation:
    """The notation that a file states. Raises: BadDeck, naming the file, where it leaves something open."""
    try:
        return UidNotation(form, byte_order, size)
    except BadDeck as error:
        places = (msgspec.structs.replace(fault, place=f"{file}, {fault.place}") for fault in error.faults)
        raise BadDeck(*places) from None


def deck_text(draft: Draft) -> str:
    """A deck file's text. Its UIDs are written in hex, as sent."""
    cards: dict[str, object] = {
        code: draft.tags[code][0] if len(draft.tags[code]) == 1 else list(draft.tags[code])
        for code in DECK
        if code in draft.tags
    }
    content: dict[str, object] = {
        "id": draft.id,
        "name": draft.name,
        "back": draft.back,
        "uid_form": "hex",
        "byte_order": "as-sent",
        "cards": cards,
    }
    if draft.certificate is not None:
        content["certificate"] = msgspec.structs.asdict(draft.certificate)
    return tomli_w.dumps(content)


def read_csv(path: Path, notation: UidNotation) -> dict[str, tuple[str, ...]]:
    """The UIDs of each card, as sent, of a table with the columns `card`, `uid` and maybe `uid2`.

    Spaces, colons and dashes inside a UID are dropped, and hex may be in lower case.
    Raises: BadDeck, naming the file and each line that can't be used.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            header, *rows = list(csv.reader(file, strict=True)) or [[]]
    except OSError as error:
        raise BadDeck(Fault(str(path), "a table that can be read", str(error.strerror))) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise BadDeck(Fault(str(path), "CSV in UTF-8", str(error))) from None
    if tuple(header) not in (CSV_COLUMNS, CSV_COLUMNS[:-1]):
        expected = f"the columns {','.join(CSV_COLUMNS[:-1])} and maybe {CSV_COLUMNS[-1]}"
        raise BadDeck(Fault(f"{path}, line 1", expected, ",".join(header) or "nothing"))
    written = _rows(path, rows)
    faults = tuple(_faults(str(path), written, notation))
    if faults:
        raise BadDeck(*faults)
    tags = {code: tuple(notation.sent(text) or "" for text in texts) for code, texts in written.items()}
    sizes = sorted({len(uid) // 2 for uids in tags.values() for uid in uids})
    if len(sizes) > 1:  # a spreadsheet drops leading zeros, two of which leave an even number of digits
        raise BadDeck(Fault(str(path), "UIDs of one length", f"some of {' and '.join(map(str, sizes))} bytes"))
    return tags


def _rows(path: Path, rows: Iterable[list[str]]) -> dict[str, tuple[str, ...]]:
    written: dict[str, tuple[str, ...]] = {}
    for number, row in enumerate(rows, 2):
        if not any(row):
            continue
        code, *uids = (cell.strip() for cell in row)
        if code in written:
            raise BadDeck(Fault(f"{path}, line {number}", "each card on one line", f'"{code}" again'))
        written[code] = tuple(uid.translate(_SEPARATORS).upper() for uid in uids if uid)
    return written


def _faults(file: str, cards: Mapping[str, tuple[str, ...]], notation: UidNotation) -> Iterator[Fault]:
    for code in (code for code in cards if code not in DECK):
        yield Fault(f"{file}, cards.{code}", 'a card code like "As" or "Td"', f'"{code}"')
    owners: dict[str, str] = {}
    for card in DECK:
        place = f"{file}, cards.{card}"
        if card not in cards:
            yield Fault(place, FOR_EACH, "nothing")
            continue
        if not 1 <= len(cards[card]) <= TAGS_PER_CARD:
            yield Fault(place, f"one to {TAGS_PER_CARD} UIDs", str(len(cards[card])))
        for text in cards[card]:
            uid = notation.sent(text)
            if uid is None:
                yield Fault(place, notation.expected, f'"{text}"')
                continue
            if uid in owners:
                yield Fault(place, OF_ITS_OWN, f'"{text}", which {owners[uid]} has')
            owners.setdefault(uid, card)
