"""The next step in words: the line that says what the dealer does now, and what the primary key says."""

from collections.abc import Mapping
from typing import Final

from dealer_assist.application.camera_view import CameraLamp
from dealer_assist.application.views import DealerView, Next, ShownPhase, Step
from dealer_assist.game import commands as cmd
from dealer_assist.game.dealing import DEALER, Pattern, Place
from dealer_assist.game.setup import BetEntry, CameraRole, TableSetup
from dealer_assist.game.sight import Face
from web_ui import words
from web_ui.language import gettext, ngettext
from web_ui.words import N_


def state_words(view: DealerView, setup: TableSetup) -> str:
    """What the dealer does now, in one line."""
    following = view.next
    match following.step:
        case Step.open_round:
            return _over(view)
        case Step.place_bets:
            return gettext("BETS OPEN")
        case Step.deal | Step.all_dealt:
            return _deal(following.place, setup)
        case Step.look | Step.confirm_count | Step.compare:
            return _look(following)
        case Step.decide:
            labels = setup.profile.labels
            raising, folding = gettext(labels.act_raise), gettext(labels.act_fold)
            return gettext("DECISIONS: %(act_raise)s OR %(act_fold)s", act_raise=raising, act_fold=folding)
        case Step.turn_hole_cards:
            return gettext("TURN OVER THE DEALER'S CARDS")
        case Step.enter_card:
            return _due_from_camera(following.place, view) or _enter(following.place)
        case Step.state_amounts | Step.settle_seat | Step.settle_jackpot:
            return _settle(following)


def _settle(following: Next) -> str:
    if following.step is Step.settle_jackpot:
        return gettext("SETTLE THE JACKPOT CHIPS")
    if following.step is Step.state_amounts:
        return gettext("STATE THE BETS OF SEAT %(seat)s", seat=following.seat)
    return gettext("SETTLE SEAT %(seat)s", seat=following.seat)


def _over(view: DealerView) -> str:
    if view.phase is ShownPhase.void:
        return gettext("ROUND VOID")
    return gettext("ROUND CLOSED") if view.number else gettext("READY")


def _deal(place: Place | None, setup: TableSetup) -> str:
    if place is None:
        return gettext("DEAL ALL CARDS")
    packet = setup.profile.deal.pattern is Pattern.packet and place.slot == 0
    if place.holder == DEALER:
        return (
            gettext("DEAL DEALER, FIVE CARDS") if packet else gettext("DEAL DEALER, CARD %(card)s", card=place.slot + 1)
        )
    if packet:
        return gettext("DEAL SEAT %(seat)s, FIVE CARDS", seat=place.holder)
    return gettext("DEAL SEAT %(seat)s, CARD %(card)s", seat=place.holder, card=place.slot + 1)


def _enter(place: Place | None) -> str:
    if place is None:
        return gettext("ENTER CARD")
    if place.holder == DEALER:
        return gettext("ENTER CARD: DEALER, CARD %(card)s", card=place.slot + 1)
    return gettext("ENTER CARD: SEAT %(seat)s, CARD %(card)s", seat=place.holder, card=place.slot + 1)


def _look(following: Next) -> str:
    if following.step is not Step.compare:
        return gettext(words.NOTICES_SHORT[following.notice.kind]) if following.notice else gettext("LOOK")
    if not following.seat:
        return gettext("LOOK: THE CAMERA SEES ANOTHER DEALER'S HAND")
    return gettext("LOOK: THE CAMERA SEES ANOTHER HAND AT SEAT %(seat)s", seat=following.seat)


def _due_from_camera(place: Place | None, view: DealerView) -> str:
    """What is said while a card will come from the camera; empty where none will."""
    camera = view.camera
    reads = camera is not None and camera.role is CameraRole.source and camera.lamp is not CameraLamp.lost
    if not reads or place is None:
        return ""
    hand = view.dealer if place.holder == DEALER else next(s.hand for s in view.seats if s.seat == place.holder)
    if hand.slots[place.slot].face is Face.doubtful:
        return gettext("DOUBTFUL CARD: TAP THE RIGHT ONE")
    if place.holder == DEALER:
        return gettext("THE CAMERA READS THE DEALER'S HAND")
    return gettext("THE CAMERA READS SEAT %(seat)s", seat=place.holder)


KEYS: Final[Mapping[Step, str]] = {
    Step.all_dealt: N_("ALL DEALT"),
    Step.look: N_("LOOK AT THE TABLE"),
    Step.compare: N_("LOOK AT THE TABLE"),
    Step.confirm_count: N_("COUNT CARDS"),
    Step.decide: N_("TURN DEALER'S CARDS"),
    Step.turn_hole_cards: N_("MATCHES"),
    Step.settle_jackpot: N_("JACKPOT SETTLED"),
}
"""The primary key's words at the steps where they are always the same."""


def key_words(view: DealerView, setup: TableSetup) -> str:
    """What the primary key says."""
    following = view.next
    match following.step:
        case Step.open_round:
            return _open_words(following, setup)
        case Step.place_bets:
            return _lock_words(view, setup)
        case Step.settle_seat:
            return _settle_words(view)
        case Step.enter_card:
            return _enter(following.place)
        case Step.deal | Step.state_amounts:
            return state_words(view, setup)
        case (
            Step.all_dealt
            | Step.look
            | Step.compare
            | Step.confirm_count
            | Step.decide
            | Step.turn_hole_cards
            | Step.settle_jackpot
        ):
            return gettext(KEYS[following.step])


def _open_words(following: Next, setup: TableSetup) -> str:
    repeats = isinstance(following.command, cmd.OpenRound) and following.command.repeat
    if not repeats:
        return gettext("OPEN BETS")
    return gettext("SAME SEATS") if setup.bet_entry is BetEntry.seats else gettext("SAME BETS")


def _lock_words(view: DealerView, setup: TableSetup) -> str:
    if setup.profile.jackpot is None:
        return gettext("NO MORE BETS")
    return ngettext("NO MORE BETS · %(num)s JACKPOT CHIP", "NO MORE BETS · %(num)s JACKPOT CHIPS", view.jackpot_chips)


def _settle_words(view: DealerView) -> str:
    lines = [
        line.line for seat in view.worksheet.seats_in_paying_order if seat.state == "current" for line in seat.lines
    ]
    if any(line.result.value == "pay" for line in lines):
        return gettext("MATCHES & PAID")
    if all(line.result.value == "push" for line in lines):
        return gettext("MATCHES & DONE")
    return gettext("MATCHES & TAKEN")
