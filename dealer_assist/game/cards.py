"""The fifty-two cards, their ranks and suits, and the codes `"As"` … `"2c"` that stand for them."""

from enum import StrEnum
from typing import Final, Self

from dealer_assist.game.errors import DuplicateCard, UnknownCard

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

# One prime a rank: the product of five names a hand's ranks whatever their order.
_PRIMES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)


class Card(StrEnum):
    """One card of a 52-card deck; its value is its code, rank first (`Card("As")`, `Card.As`).

    Attributes: `rank` 0 (deuce) … 12 (ace), `suit` 0 … 3 in the order of `SUITS`,
    `rank_bit` one bit a rank, `rank_prime` one prime a rank.
    """

    rank: int
    suit: int
    rank_bit: int
    rank_prime: int

    def __new__(cls, code: str) -> Self:
        card = str.__new__(cls, code)
        card._value_ = code
        card.rank = RANKS.index(code[0])
        card.suit = SUITS.index(code[1])
        card.rank_bit = 1 << card.rank
        card.rank_prime = _PRIMES[card.rank]
        return card

    # A card is looked up in dictionaries a hundred times a round; Enum's own hash is written in Python.
    __hash__ = str.__hash__

    # A code begins with a digit as often as not, so members are not written out but made from the two alphabets.
    _ignore_ = "r s"
    for s in SUITS:
        for r in RANKS:
            vars()[r + s] = r + s


DECK: Final[tuple[Card, ...]] = tuple(Card)
_BY_CODE: Final[dict[str, Card]] = {card.value: card for card in DECK}


def parse_card(code: str) -> Card:
    """The card named by a two-character code.

    Raises: UnknownCard.
    """
    card = _BY_CODE.get(code)
    if card is None:
        raise UnknownCard(code)
    return card


def parse_cards(codes: str) -> tuple[Card, ...]:
    """The cards of a string such as `"As Kd Qh"`, in its order; spaces and commas part them.

    Raises: UnknownCard, DuplicateCard.
    """
    cards = tuple(parse_card(code) for code in codes.replace(",", " ").split())
    require_distinct(cards)
    return cards


def require_distinct(cards: tuple[Card, ...]) -> None:
    """Raises: DuplicateCard, naming the first card that occurs twice."""
    if len(set(cards)) != len(cards):
        raise DuplicateCard(next(card for at, card in enumerate(cards) if card in cards[:at]))
