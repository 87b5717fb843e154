"""Weighs what was seen of a card: its indices, its face, the colour of its ink. Any contradiction, and it is not read."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from dealer_assist.game.cards import Card
from hardware.camera import inks, opencv
from hardware.camera.face import UNCLEAR, Face
from hardware.camera.inks import Colour
from hardware.camera.opencv import Image, odds

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
COURTS: Final = "JQK"
NONE: Final = len(RANKS)

# How sure must be what the indices say together, where the face bears them out; else see Thresholds.
_RANK_CONFIRMED: Final = 0.60
_SUIT_CONFIRMED: Final = 0.60
_EACH_NAMED: Final = 0.6  # of rank and suit by each index: one that is at a loss bears no witness
_EACH: Final = 0.88  # of rank and suit by each, where no pip bears it out: what blurs one index blurs the other
_EACH_BLACK: Final = 0.9  # the same of the suit of clubs and spades, which are the most alike when small
_NAMED: Final = 0.70  # one index of the two: enough to be told as unsure
_EVERY_LOOK: Final = 0.5  # at one index alone: how sure the least sure of them must be
_SUIT_TOLD: Final = 0.8  # of a suit beside which no rank is seen: then it may be that of another deck's court
_BORNE_OUT: Final = 0.30  # by one index at least, where the face alone tells the card
_FACE_WORTH: Final = 100.0  # how much likelier what it tells is than anything else; see face.SURE
_MISTAKEN: Final = 0.01  # how likely each index is to show anything else
_WITH_FACE: Final = 0.97  # how likely a card must be by its face and both indices


class Thresholds(msgspec.Struct, frozen=True):
    """How sure the indices must be of what no pips bear out, 0…1. J, Q and K differ by their index alone.

    `alone`: one index of a heap, at most of its looks, all of one mind; `alone_black`: the same of clubs or spades.
    `ranks`, `suits`: those that a deck showed to be well apart, and what is enough for them on it. `unsure`: cards of that
    deck that are never read, and told as unsure always.
    """

    rank_of_court: float = 0.97
    rank_unconfirmed: float = 0.985
    suit_unconfirmed: float = 0.99
    alone: float = 0.88
    alone_black: float = 0.92
    ranks: dict[str, float] = {}
    suits: dict[str, float] = {}
    unsure: tuple[Card, ...] = ()

    def rank(self, card: Card, face: Face) -> float:
        """How sure two indices together must be of a card's rank."""
        if face.rank == card[0]:
            return _RANK_CONFIRMED
        usual = self.rank_of_court if face.rank == "figure" else self.rank_unconfirmed
        return min(usual, self.ranks.get(card[0], usual))

    def suit(self, card: Card, face: Face) -> float:
        """The same of its suit."""
        if face.suit == card[1]:
            return _SUIT_CONFIRMED
        return min(self.suit_unconfirmed, self.suits.get(card[1], self.suit_unconfirmed))

    def each(self, card: Card, face: Face) -> float:
        """How sure each of the two must be of its suit, for they err together; 0 where the face or this deck tells it better."""
        known = face.suit == card[1] or card[1] in self.suits
        return 0.0 if known else _EACH_BLACK if card[1] in "cs" else _EACH

    def each_rank(self, card: Card, face: Face) -> float:
        """The same of its rank."""
        return 0.0 if face.rank == card[0] or card[0] in self.ranks else _EACH

    def lone(self, card: Card) -> float:
        """How sure one index alone must be of a card."""
        usual = self.alone_black if card[1] in "cs" else self.alone
        return min(usual, max(self.ranks.get(card[0], usual), self.suits.get(card[1], usual)))

    def held(self, verdict: "Verdict") -> "Verdict":
        """The verdict; only a doubt where this deck's card is never to be read."""
        if verdict.card is None or verdict.card not in self.unsure:
            return verdict
        return Verdict(None, verdict.confidence, (verdict.card,))


USUAL: Final = Thresholds()


@dataclass(frozen=True)
class Index:
    """What the net says of one index: probabilities of 13 ranks and none, of 4 suits and none; how far off its card its window
    was (`crops.strayed`)."""

    ranks: NDArray[np.float32]
    suits: NDArray[np.float32]
    crop: Image
    off: NDArray[np.float32]

    @cached_property
    def card(self) -> Card | None:
        """The likeliest card; None where no index is seen, or its ink has not the suit's colour."""
        rank, suit = int(self.ranks.argmax()), int(self.suits.argmax())
        if rank == NONE or suit == len(SUITS) or not inks.may_be(SUITS[suit], ink_colour(self.crop)):
            return None
        return Card(RANKS[rank] + SUITS[suit])

    @property
    def sure(self) -> float:
        """How sure of rank and suit: the lesser of the two probabilities."""
        return float(min(self.ranks.max(), self.suits.max()))

    @property
    def worth(self) -> float:
        """How surely a card is told: not at all where none is."""
        return self.sure if self.card else 0.0

    def likeliest(self) -> list[Card]:
        """The two likeliest cards, whatever the odds that it is none."""
        odds = self.ranks[:NONE, None] * self.suits[None, :4]
        return [Card(RANKS[n // 4] + SUITS[n % 4]) for n in np.argsort(-odds, axis=None)[:2]]


@dataclass(frozen=True)
class Verdict:
    """A card read, or (`card` None) the candidates there are, likeliest first; none at all if no card is seen.

    `settled`: both its indices spoke, or one witness against another, so that none may be believed alone; or the picture's edge
    cuts it off. `both_ends`: it was told from both its ends.
    """

    card: Card | None
    confidence: float = 0.0
    candidates: tuple[Card, ...] = ()
    settled: bool = False
    both_ends: bool = False


NOTHING: Final = Verdict(None)


def of_indices(scores: NDArray[np.float32], crops: list[Image]) -> list[Index]:
    """The net's scores [n, 23] as probabilities, each with its crop."""
    ranks, suits, off = odds(scores[:, :14]), odds(scores[:, 14:19]), scores[:, 19:]
    return [Index(*each) for each in zip(ranks, suits, crops, off, strict=True)]


def of_card(one: Index, two: Index, face: Face, wanted: Thresholds = USUAL) -> Verdict:
    """A card whose two index corners and whose face are seen."""
    return wanted.held(_of_whole(one, two, face, wanted))


def _of_whole(one: Index, two: Index, face: Face, wanted: Thresholds) -> Verdict:
    shown = on_the_face(face)
    if shown is not None:
        return _of_face(shown, one, two)
    if one.card is not None and two.card is not None:
        rank, suit = _together(one.ranks, two.ranks), _together(one.suits, two.suits)
        agreed = one.card == two.card and not contradicts(one.card, face)
        enough = rank >= wanted.rank(one.card, face) and suit >= wanted.suit(one.card, face)
        each = (
            min(one.sure, two.sure) >= _EACH_NAMED
            and _least(one.suits, two.suits, SUITS.index(one.card[1])) >= wanted.each(one.card, face)
            and _least(one.ranks, two.ranks, RANKS.index(one.card[0])) >= wanted.each_rank(one.card, face)
        )
        if agreed and enough and each:
            return Verdict(one.card, min(rank, suit))
        return Verdict(None, min(one.sure, two.sure), _candidates(one, two), settled=True)
    if one.card is None and two.card is None:
        return NOTHING
    better, worse = (one, two) if one.card is not None else (two, one)
    assert better.card is not None
    disputed = contradicts(better.card, face) or _disputes(worse, better.card) or is_strange(worse, better.card)
    if disputed or better.sure >= _NAMED:
        return Verdict(None, better.sure, _candidates(better), disputed)
    return NOTHING


def _least(one: NDArray[np.float32], two: NDArray[np.float32], this: int) -> float:
    """How likely the less sure of two indices holds a rank or suit."""
    return float(min(one[this], two[this]))


def on_the_face(face: Face) -> Card | None:
    """The card that a face alone makes: by its pips, or an ace by its one."""
    told = face.rank in RANKS and face.suit in SUITS and face.colour != "unclear"
    return Card(face.rank + face.suit) if told else None


def _of_face(shown: Card, one: Index, two: Index) -> Verdict:
    """A card whose face tells it: an index must bear that out, and both together may not speak too clearly for another."""
    rank, suit = RANKS.index(shown[0]), SUITS.index(shown[1])
    ranks, suits = (one.ranks[:NONE], two.ranks[:NONE]), (one.suits[: len(SUITS)], two.suits[: len(SUITS)])
    told = min(max(float(each[n]) for each in looks) for looks, n in ((ranks, rank), (suits, suit)))
    sure = min(_with_face(*ranks, rank), _with_face(*suits, suit))
    if told >= _BORNE_OUT and sure >= _WITH_FACE:
        return Verdict(shown, 0.9 + 0.1 * told)
    if max(float(each.max()) for each in ranks) < _BORNE_OUT:
        return NOTHING
    named = tuple(dict.fromkeys((shown, *_candidates(one, two))))[:2]
    return Verdict(None, min(one.sure, two.sure), named, settled=True)


def _with_face(one: NDArray[np.float32], two: NDArray[np.float32], this: int) -> float:
    """How likely what the face shows is, with what the two indices say, each of which may be mistaken."""
    both = (one + _MISTAKEN) * (two + _MISTAKEN)
    both[this] *= _FACE_WORTH
    return float(both[this] / both.sum())


def _together(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """The greatest of the probabilities that two looks give together."""
    both = one * two
    return float(both.max() / both.sum())


def contradicts(card: Card, face: Face) -> bool:
    """Whether a face can't be the card's: another suit, other pips, pips on a court, a figure on a pip card. An ace may be
    ornate."""
    if face.suit not in (UNCLEAR, card[1]):
        return True
    match face.rank:
        case "unclear":
            return False
        case "figure":
            return card[0] not in "AJQK"
        case _:
            return card[0] != face.rank


def _disputes(index: Index, card: Card) -> bool:
    """Whether an index that names no card still speaks for another rank or suit."""
    rank, suit = int(index.ranks.argmax()), int(index.suits.argmax())
    return (rank not in (NONE, RANKS.index(card[0])) and index.ranks[rank] > 0.5) or (
        suit not in (len(SUITS), SUITS.index(card[1])) and float(index.suits[suit]) > 0.5
    )


def is_strange(index: Index, card: Card) -> bool:
    """Whether a court's other index shows its suit and no rank: another letter, as the courts of a foreign deck bear."""
    lettered = int(index.ranks.argmax()) == NONE and float(index.suits[SUITS.index(card[1])]) >= _SUIT_TOLD
    return lettered and card[0] in COURTS


def of_corner(looks: list[Index], face: Face, wanted: Thresholds = USUAL) -> Verdict:
    """A card of which one index corner is seen, looked at several times a little differently; other cards may hide its face."""
    sure = sorted(look.sure for look in looks)
    middling, first = sure[len(sure) // 2], looks[0].card
    if first is None:
        return NOTHING
    alike = all(look.card == first for look in looks) and sure[0] >= _EVERY_LOOK
    if alike and middling >= wanted.lone(first) and not _is_gainsaid(first, face):
        return wanted.held(Verdict(first, middling))
    return Verdict(None, middling, _candidates(*looks)) if looks[0].sure >= _NAMED else NOTHING


def _is_gainsaid(card: Card, face: Face) -> bool:
    """Whether a face that others may cover can't be the card's: its rank is told only where all of it is seen, its suit where
    some pips are, and those of another colour may be another card's."""
    told = face.rank in RANKS and contradicts(card, face)
    return told or (face.suit != card[1] and {face.suit, card[1]} in ({"c", "s"}, {"d", "h"}))


def _candidates(*indices: Index) -> tuple[Card, ...]:
    named = [i.card for i in indices if i.card is not None]
    likely = [card for index in indices for card in index.likeliest()]
    return tuple(dict.fromkeys(named + likely))[:2]


def ink_colour(crop: Image) -> Colour:
    """The colour of the marks in an index crop that touch no side of it (so no table beside the card)."""
    paper = inks.paper_of(crop)
    strength = opencv.ink(crop, paper, 40)
    mask = opencv.above(strength, 0.5 * opencv.at_share(strength, 0.97))
    high, wide = mask.shape
    return inks.of_marks(
        crop,
        paper,
        (
            (left, top, across, down)
            for left, top, across, down, area, *_ in opencv.patches(mask).astype(int)
            if area >= 12 and left > 0 and top > 0 and left + across < wide and top + down < high
        ),
    )
