"""Cards and the places they lie at, as every message of a screen names them."""

from collections.abc import Iterable

from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place
from dealer_assist.game.sight import Sight
from web_ui import words
from web_ui.format import Json


def place_code(place: Place) -> str:
    """A place as the page's slots are marked: holder, point, slot."""
    return f"{place.holder}.{place.slot}"


def shown_card(card: Card) -> Json:
    """A card that lies open: its code and its spoken name."""
    return {"card": card.value, "name": words.card_name(card)}


def shown_slot(slot: Sight) -> Json:
    """What a place shows."""
    shown: Json = {"face": slot.face.value}
    if slot.card is not None:
        shown |= shown_card(slot.card)
    if slot.candidates:
        shown["candidates"] = [shown_card(card) for card in slot.candidates]
    return shown


def beside(recorded: Iterable[Card | None], seen: Iterable[tuple[Card, bool]]) -> list[tuple[Card, bool]]:
    """Cards that were seen, in the order of the recorded ones: what differs stands where the other card differs.

    Each card comes with whether it differs. The order in which they lie on the felt means nothing.
    """
    told = list(seen)
    same: dict[Card, tuple[Card, bool]] = {card: (card, differs) for card, differs in told if not differs}
    others = [(card, differs) for card, differs in told if differs]
    row: list[tuple[Card, bool]] = []
    for card in recorded:
        if card in same:
            row.append(same.pop(card))
        elif others:
            row.append(others.pop(0))
    return [*row, *same.values(), *others]
