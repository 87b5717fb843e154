"""The camera on the dealer screen: its lamp, and a hand that it disputes, by the record and as it was seen."""

import msgspec

from dealer_assist.application.camera_view import CameraLamp, CameraOnTable, DisputeView
from dealer_assist.game.setup import CameraRole
from web_ui import camera_words, words
from web_ui.format import Json
from web_ui.language import gettext
from web_ui.present_cards import beside, place_code, shown_card, shown_slot


def camera_message(camera: CameraOnTable | None) -> Json | None:
    """What the screen shows of the camera; None where it plays no part. Of several disputes the oldest comes first.

    `reads`: open cards will come from it by themselves.
    """
    if camera is None:
        return None
    is_lost = camera.lamp is CameraLamp.lost or camera.reason != ""
    return {
        "role": camera.role.value,
        "lamp": camera.lamp.value,
        "line": _line(camera, is_lost),
        "reads": camera.role is CameraRole.source and not is_lost,
        "dispute": _dispute(camera.disputes[0]) if camera.disputes else None,
    }


def _line(camera: CameraOnTable, is_lost: bool) -> str:
    """What the dealer must know of it, in a sentence; empty where all is as ever."""
    if is_lost:
        reason = camera.reason or gettext("it is being started")
        return gettext(camera_words.LOST[camera.role], reason=reason)
    return gettext(camera_words.READS) if camera.role is CameraRole.source else ""


def _dispute(dispute: DisputeView) -> Json:
    seen = beside((card.shown.card for card in dispute.recorded), dispute.seen)
    return {
        "id": dispute.id,
        "holder": dispute.holder,
        "title": gettext(
            "%(holder)s: look at the felt. What lies there counts.", holder=words.holder_name(dispute.holder)
        ),
        "recorded": [
            {
                **shown_slot(card.shown),
                "place": place_code(card.place),
                "differs": card.differs and card.shown.card is not None,
            }
            for card in dispute.recorded
        ],
        "seen": [{**shown_card(card), "differs": differs} for card, differs in seen],
        "uphold": msgspec.to_builtins(dispute.uphold),
        "signed": dispute.needs_signature,
    }
