"""`dealer-assist rank`: what five cards are worth, or the best five of six."""

import sys

import click
import msgspec

from dealer_assist.cli.errors import UnusableInput
from dealer_assist.game.cards import parse_cards
from dealer_assist.game.errors import GameError
from dealer_assist.game.hands import LOWEST_QUALIFYING, rank_hand


class Ranked(msgspec.Struct, frozen=True):
    """One answer."""

    category: str
    ordinal: int
    best: list[str]
    qualifies: bool


@click.command()
@click.argument("cards", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def rank(cards: tuple[str, ...], as_json: bool) -> None:
    """Rank CARDS (five or six, like "As Kd Qh Jc Ts"); "-" reads one set a line from standard input."""
    if cards == ("-",):
        try:
            lines = sys.stdin.buffer.read().decode().splitlines()
        except UnicodeDecodeError as error:
            raise UnusableInput(
                f"standard input: expected UTF-8 text, found: {error.reason} at byte {error.start}"
            ) from None
        answers = [_ranked(text, f"standard input, line {at}") for at, text in enumerate(lines, 1) if text.strip()]
    else:
        answers = [_ranked(" ".join(cards), "cards")]
    for answer in answers:
        click.echo(msgspec.json.encode(answer).decode() if as_json else _plain(answer))


def _ranked(text: str, place: str) -> Ranked:
    try:
        hand = rank_hand(parse_cards(text))
    except GameError as error:
        raise UnusableInput(f"{place}: {error}") from None
    best = [card.value for card in hand.best]
    return Ranked(hand.category.value, hand.ordinal, best, hand.ordinal <= LOWEST_QUALIFYING)


def _plain(answer: Ranked) -> str:
    qualifies = "qualifies" if answer.qualifies else "does not qualify"
    return f"{answer.category} {answer.ordinal} {' '.join(answer.best)} {qualifies}"
