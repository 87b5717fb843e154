"""What a hand that lies open is by the record, and whether what was seen there gainsays it. The order in a hand is nothing."""

from collections import Counter
from collections.abc import Iterable

from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.round import Round
from dealer_assist.game.setup import CameraRole, TableSetup
from dealer_assist.game.sight import lies_open


def open_places(profile: RuleProfile, now: Round, holder: Seat) -> tuple[Place, ...]:
    """Where cards of a hand lie open, in slot order."""
    places = (Place(holder, slot) for slot, draw in enumerate(now.hand(holder)) if draw is not None)
    return tuple([place for place in places if lies_open(profile, now, place)])


def open_cards(profile: RuleProfile, now: Round, holder: Seat) -> tuple[Card, ...]:
    """The open cards of a hand that are known, in slot order."""
    draws = (now.draw_at(place) for place in open_places(profile, now, holder))
    return tuple([draw.card for draw in draws if draw is not None and draw.card is not None])


def beyond(record: Iterable[Card], seen: Iterable[Card]) -> tuple[Card, ...]:
    """The cards seen that are not recorded, a card seen twice also where it is recorded once; in no order."""
    return tuple((Counter(seen) - Counter(record)).elements())


def gainsays(setup: TableSetup, now: Round, holder: Seat, seen: tuple[Card, ...]) -> bool:
    """Whether a hand that shows these cards can't be the recorded one, nor any, such as one with two equal cards.

    Cards that are not recorded there may be its unknown ones, unless they are known to lie elsewhere. Where a card lies
    face down by the record tells nothing here: what the camera leads to would show it.
    """
    places, known = open_places(setup.profile, now, holder), open_cards(setup.profile, now, holder)
    others = beyond(known, seen)
    if len(set(seen)) < len(seen) or len(others) > len(places) - len(known):
        return True
    return any(_is_elsewhere(setup, now, card) for card in others)


def _is_elsewhere(setup: TableSetup, now: Round, card: Card) -> bool:
    if setup.camera is CameraRole.source:  # every card that is known was open
        return now.has_drawn(card)
    place = now.place_of(card)
    return place is not None and lies_open(setup.profile, now, place)
