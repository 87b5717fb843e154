"""What the log tells of the camera, for its page: what it disputed and how that ended, and how well it reads each card."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from flask import url_for

from dealer_assist.application.camera_report import CameraReport, CardTally, DisputeTold, HandTally
from dealer_assist.game.cards import SUITS, Card
from dealer_assist.game.looking import beyond
from dealer_assist.game.round import Picture
from web_ui import words
from web_ui.camera_words import ENDINGS
from web_ui.format import clock, percent
from web_ui.language import gettext
from web_ui.present_cards import beside

SHOWN: Final = 50
"""So many disputes, the newest; the rest is in the log."""

SIGMAS: Final = 3.0
SEVERAL: Final = 3
TOO_MANY: Final = 0.2
"""Above this share of cards that do not agree something is wrong, whatever the other cards do."""


@dataclass(frozen=True)
class Tally:
    """How often cards lay open before the camera, and what came of it; `faults` is what did not agree."""

    agreed: int = 0
    unsure: int = 0
    unseen: int = 0
    disputed: int = 0

    @property
    def faults(self) -> int:
        return self.unsure + self.unseen + self.disputed

    @property
    def looked(self) -> int:
        return self.agreed + self.faults

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.agreed + other.agreed,
            self.unsure + other.unsure,
            self.unseen + other.unseen,
            self.disputed + other.disputed,
        )

    @property
    def surely_faulty(self) -> float:
        """The share of faults that there is at least, chance allowed for: the lower end of Wilson's interval at 3 sigmas."""
        if not self.looked:
            return 0.0
        share, each = self.faults / self.looked, SIGMAS**2 / self.looked
        spread = math.sqrt(each * share * (1 - share) + each**2 / 4)
        return (share + each / 2 - spread) / (1 + each)

    def is_worse_than(self, all_of: "Tally") -> bool:
        """Whether this can hardly be chance, beside how all cards fare; one fault or two always can."""
        usual = all_of.faults / all_of.looked if all_of.looked else 0.0
        return self.faults >= SEVERAL and self.surely_faulty > min(usual, TOO_MANY)


@dataclass(frozen=True)
class Row:
    """A line of the report; `shares` with their counts: agreed, unsure, unseen, disputed."""

    name: str
    looked: int
    shares: tuple[tuple[str, int], ...]
    stands_out: bool


@dataclass(frozen=True)
class Marked:
    """A card of one reading; `differs`: the other one lacks it."""

    sign: str
    letter: str
    suit: str
    differs: bool


@dataclass(frozen=True)
class Shown:
    """One dispute. Pictures with their addresses, None where they are removed by now, and what they show."""

    at: str
    round: str
    holder: str
    recorded: tuple[Marked, ...]
    seen: tuple[Marked, ...]
    pictures: tuple[tuple[str | None, str], ...]
    fault: str
    is_open: bool
    outcome: str
    decision: str


def camera_log(report: CameraReport) -> dict[str, object]:
    """What the page's template shows of a report; the worst rows and the newest disputes first."""
    every = _sum(_tally(card) for card in report.cards)
    newest = _sum(_tally(hand) for hand in report.newest)
    by_deck = _rows(((card.deck or "–", _tally(card)) for card in report.cards), every)
    by_place = ((words.holder_name(hand.holder), _tally(hand)) for hand in report.newest)
    names = ((_card_name(card.card, card.deck, len(by_deck) > 1), _tally(card)) for card in report.cards)
    return {
        "hands": report.hands,
        "newest_hands": len(report.newest),
        "moved": newest.is_worse_than(every),
        "tables": (
            (gettext("Newest hands"), _rows(by_place, every)),
            (gettext("Deck"), by_deck),
            (gettext("Card"), _rows(names, every)),
        ),
        "disputes": [_shown(told, report.dropped) for told in reversed(report.disputes[-SHOWN:])],
        "disputed": len(report.disputes),
    }


def _tally(told: CardTally | HandTally) -> Tally:
    return Tally(told.agreed, told.unsure, told.unseen, told.disputed)


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _rows(named: Iterable[tuple[str, Tally]], every: Tally) -> list[Row]:
    """A row a name, the worst first."""
    found: dict[str, Tally] = {}
    for name, tally in named:
        found[name] = found.get(name, Tally()) + tally
    worst_first = sorted(found.items(), key=lambda row: (-row[1].surely_faulty, -row[1].faults))
    return [_row(name, tally, every) for name, tally in worst_first]


def _row(name: str, tally: Tally, every: Tally) -> Row:
    counts = (tally.agreed, tally.unsure, tally.unseen, tally.disputed)
    shares = tuple((percent(count / tally.looked if tally.looked else 0.0, 1), count) for count in counts)
    return Row(name, tally.looked, shares, tally.is_worse_than(every))


def _card_name(card: Card, deck: str | None, of_several: bool) -> str:
    return f"{words.card_sign(card)} {deck}" if of_several else words.card_sign(card)


# --- disputes --------------------------------------------------------------------------------------------------------


def _shown(told: DisputeTold, dropped: frozenset[str]) -> Shown:
    return Shown(
        at=_time(told.at),
        round=told.round,
        holder=words.holder_name(told.holder),
        recorded=_marked(_against(told.recorded, told.seen)),
        seen=_marked(beside(told.recorded, _against(told.seen, told.recorded))),
        pictures=tuple(_picture(picture, told, dropped) for picture in told.pictures),
        fault=told.fault,
        is_open=told.ending is None,
        outcome=gettext(ENDINGS[told.ending]) if told.ending else gettext("Not decided yet"),
        decision=_decision(told),
    )


def _time(at: str) -> str:
    return f"{at[:10]} {clock(at)}"


def _against(cards: tuple[Card, ...], others: tuple[Card, ...]) -> list[tuple[Card, bool]]:
    """The cards of one reading; one that it has oftener than the other differs as often as it is beyond it."""
    lacking = Counter(beyond(others, cards))
    told = []
    for card in cards:
        told.append((card, lacking[card] > 0))
        lacking[card] -= 1
    return told


def _marked(cards: Iterable[tuple[Card, bool]]) -> tuple[Marked, ...]:
    def marked(card: Card, differs: bool) -> Marked:
        suit = SUITS[card.suit]
        return Marked(words.card_sign(card), gettext(words.SUIT_LETTERS[suit]), suit, differs)

    return tuple(marked(card, differs) for card, differs in cards)


def _picture(picture: Picture, told: DisputeTold, dropped: frozenset[str]) -> tuple[str | None, str]:
    holder = words.holder_name(told.holder)
    if picture.card is None:
        name = gettext("%(holder)s: all that the camera saw", holder=holder)
    else:
        name = gettext("%(holder)s, cut out: %(card)s", holder=holder, card=words.card_name(picture.card))
    return None if picture.name in dropped else url_for("camera.evidence", name=picture.name), name


def _decision(told: DisputeTold) -> str:
    """When and by whom it was decided, and why; empty while it is open."""
    if told.decided_at is None:
        return ""
    parts = [_time(told.decided_at), _who(told.decided_by)]
    if told.signed_by:
        parts.append(gettext("signed: %(who)s", who=_who(told.signed_by)))
    return ", ".join(part for part in (*parts, told.reason) if part)


def _who(actor: str | None) -> str:
    known = {role.value: gettext(name) for role, name in words.ROLES.items()}
    return known.get(actor or "", actor or "")
