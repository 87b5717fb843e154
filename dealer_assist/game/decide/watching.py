"""Commands of a camera, and the word of a person on what it disputes.

Only hands that lie open are looked at, once every card is dealt. What a camera sees of a hand can gainsay the record, name
cards whose faces are not known, or agree; too little, or too many cards at one place, say nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from dealer_assist.game import camera_events as seen
from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card
from dealer_assist.game.commands import Stamp
from dealer_assist.game.dealing import DEALER, HAND_SIZE, Place, Seat
from dealer_assist.game.decide.checks import require_word_on
from dealer_assist.game.decide.playing import closing
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import evolve, fold
from dealer_assist.game.looking import beyond, gainsays, open_cards, open_places
from dealer_assist.game.paying import payees_in_paying_order
from dealer_assist.game.round import Ending, Phase, Round, Source
from dealer_assist.game.setup import CameraRole
from dealer_assist.game.table import CameraLink, Table

Events = tuple[ev.Event, ...]

_LOOKED_AT: Final = (Phase.decisions, Phase.reveal, Phase.settlement, Phase.closed)


class _Look(msgspec.Struct, frozen=True):
    """A hand as it lies open, and what was seen of it. `others`: the cards seen that are not recorded in it."""

    holder: Seat
    places: tuple[Place, ...]
    known: tuple[Card, ...]
    seen: tuple[Card, ...]
    unsure: tuple[tuple[Card, ...], ...]

    @property
    def others(self) -> tuple[Card, ...]:
        return beyond(self.known, self.seen)

    def doubted(self) -> tuple[list[Card], list[tuple[Card, ...]]]:
        """The recorded cards, not seen, that an unsure one may be, one each; and the unsure ones that are none of them."""
        missing, found, strange = list(beyond(self.seen, self.known)), [], []
        for candidates in self.unsure:
            card = next((card for card in missing if card in candidates), None)
            if card is None:
                strange.append(candidates)
            else:
                missing.remove(card)
                found.append(card)
        return found, strange


def report_hand(table: Table, command: cmd.ReportHand, stamp: Stamp) -> Events:
    """A hand beside its record: disputed, named where it was not known, or compared; nothing where it tells nothing new."""
    now = table.round
    if now is None or now.number != command.number or now.phase not in _LOOKED_AT:
        return ()  # another round's cards
    look = _look(table, now, command)
    if look is None:
        return ()
    if is_due(table, now, look.holder):
        news = _news(table, now, look, command)
        if news is not None:
            return news
    return _compared(table, now, look)


def _look(table: Table, now: Round, command: cmd.ReportHand) -> _Look | None:
    """None where the camera plays no part, or no card of the hand lies open."""
    profile, holder = table.setup.profile, command.holder
    places = open_places(profile, now, holder)
    if table.setup.camera is CameraRole.off or not places:
        return None
    known = open_cards(profile, now, holder)
    if len(command.seen) + len(command.unsure) > len(places):  # others lie among them, and which, nobody can tell
        return _Look(holder, places, known, (), ())
    return _Look(holder, places, known, command.seen, command.unsure)


def is_due(table: Table, now: Round, holder: Seat) -> bool:
    """Whether a hand lies on the felt and something still hangs on it. A hand that is paid or folded is cleared."""
    if now.phase is Phase.closed:
        return False
    if holder == DEALER:
        waiting = any(seat not in now.settled for seat in payees_in_paying_order(table.setup, now))
        return now.phase is not Phase.settlement or waiting
    return holder not in now.settled and (holder in now.turned or not now.has_folded(holder))


def _news(table: Table, now: Round, look: _Look, command: cmd.ReportHand) -> Events | None:
    """The dispute, or the faces that were not known; None where there is neither."""
    if any(dispute.holder == look.holder for dispute in now.open_disputes):
        return ()
    if gainsays(table.setup, now, look.holder, look.seen):
        if set(look.others) <= _upheld(now, look.holder):
            return None
        return (seen.HandDisputed(look.holder, look.known, look.seen, command.pictures, command.fault),)
    named = tuple(_named(table, now, look))
    return (*named, *closing(fold(named, table))) if named else None


def _upheld(now: Round, holder: Seat) -> set[Card]:
    """The cards that a person has said are not there, whatever the camera sees."""
    disputes = (each for each in now.disputes if each.holder == holder and each.ending is Ending.upheld)
    return {card for each in disputes for card in beyond(each.recorded, each.seen)}


def _named(table: Table, now: Round, look: _Look) -> Iterator[ev.Event]:
    """Faces that were not known: entered where the camera is the source and sure, else told to whoever enters them."""
    others = look.others
    sure = [(card,) for card in look.seen if card in others]
    enters = table.setup.camera is CameraRole.source
    for place, candidates in _assigned(now, look, [*sure, *look.doubted()[1]]):
        draw = now.draw_at(place)
        assert draw is not None
        if enters and candidates in sure:
            yield ev.CardEntered(place, candidates[0], Source.camera)
        elif draw.candidates != candidates:
            yield seen.CandidatesSeen(place, candidates)


def _assigned(now: Round, look: _Look, named: Sequence[tuple[Card, ...]]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Each to a place of the hand whose face is not known: where it was thought to lie before, else from left to right."""
    thought = {place: draw.candidates for place in look.places if (draw := now.draw_at(place)) and draw.card is None}
    for candidates in named[: len(thought)]:
        place = min(thought, key=lambda place: set(thought[place]).isdisjoint(candidates))
        yield place, candidates
        del thought[place]


def _compared(table: Table, now: Round, look: _Look) -> Events:
    """A whole hand beside its record, once a round: as soon as a second witness agrees, at the latest when it goes on."""
    if look.holder in now.compared or len(look.places) < HAND_SIZE or not look.known:
        return ()
    missing = beyond(look.seen, look.known)
    second = table.setup.camera is CameraRole.cross_check and len(look.known) == HAND_SIZE
    goes_on = look.holder in now.settled if look.holder != DEALER else now.phase in (Phase.settlement, Phase.closed)
    if not goes_on and (missing or not second):
        return ()
    unsure, _ = look.doubted()
    rest = beyond(unsure, missing)
    agreed = tuple(card for card in look.known if card not in missing)
    disputed = bool(look.others) and len(look.known) == HAND_SIZE
    compared = seen.HandCompared(look.holder, agreed, tuple(unsure), () if disputed else rest, rest if disputed else ())
    return (compared,)


def uphold_record(table: Table, command: cmd.UpholdRecord, stamp: Stamp) -> Events:
    """The felt shows what is recorded: by the word of whoever may correct these cards. Source: procedure row 23."""
    now = table.round
    if now is None:
        raise RuleViolation(Refusal.no_round)
    dispute = next((each for each in now.open_disputes if each.id == command.id), None)
    if dispute is None:
        raise RuleViolation(Refusal.no_such_dispute, id=command.id)
    require_word_on(table, stamp, command.reason, dispute.holder)
    upheld = seen.RecordUpheld(dispute.id, command.reason)
    return upheld, *closing(evolve(table, upheld))


def report_camera_lost(table: Table, command: cmd.ReportCameraLost, stamp: Stamp) -> Events:
    """Once each reason; the table goes on without it."""
    lost = CameraLink(is_live=False, reason=command.reason)
    return () if table.camera == lost else (seen.CameraLost(command.reason),)


def report_camera_back(table: Table, command: cmd.ReportCameraBack, stamp: Stamp) -> Events:
    """At the start, and once after each loss."""
    return () if table.camera.is_live else (seen.CameraBack(),)


def drop_evidence(table: Table, command: cmd.DropEvidence, stamp: Stamp) -> Events:
    """Told before they are removed, so that none is ever missed that the log does not know to be gone."""
    return (seen.EvidenceDropped(command.names),) if command.names else ()
