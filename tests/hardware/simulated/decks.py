"""Deck files with tags of the size that a reader's format carries."""

from pathlib import Path
from typing import Final

from dealer_assist.game.cards import DECK

UID_SIZES: Final = {"em4100": 5, "r200": 12, "uhfreader18": 12}
USUAL_SIZE: Final = 7


def uid_of(protocol: str, number: int) -> str:
    """A made-up UID; no two numbers share one."""
    size = UID_SIZES.get(protocol, USUAL_SIZE)
    return (b"\x04" + (number * 0x9E3779B1 % 2**32).to_bytes(4) + bytes(size - 5)).hex().upper()


def deck_file(folder: Path, protocol: str) -> Path:
    """A deck's file, its cards' tags numbered from 0."""
    cards = "\n".join(f'{card} = "{uid_of(protocol, number)}"' for number, card in enumerate(DECK))
    head = 'id = "made"\nname = "Made deck"\nback = "red"\nuid_form = "hex"\nbyte_order = "as-sent"\n\n[cards]\n'
    path = folder / f"deck-{protocol}.toml"
    path.write_text(head + cards + "\n")
    return path
