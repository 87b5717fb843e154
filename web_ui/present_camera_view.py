"""What the camera sees now, for its page: how it stands, and the newest picture with its zones and cards in pixels."""

import zlib
from collections import Counter

from flask import url_for

from dealer_assist.application.ports import CameraPicture, CameraPulse, CameraState, CameraZone, SeenBox
from dealer_assist.game.looking import open_cards, open_places
from dealer_assist.game.round import OVER, Phase
from dealer_assist.game.table import Table
from web_ui import words
from web_ui.camera_words import PULSES
from web_ui.format import Json, percent
from web_ui.language import gettext


def state_message(state: CameraState) -> Json:
    """How the camera stands, in words."""
    lit = "good" if state.pulse is CameraPulse.live else "bad"
    return {"lit": lit, "words": gettext(PULSES[state.pulse], reason=state.reason)}


def log_mark(table: Table) -> str:
    """Another one as soon as the log may tell something else of the camera."""
    now = table.round
    if now is None:
        return ""
    told = (
        now.number,
        now.phase in OVER,
        sorted(now.compared),
        [(dispute.id, dispute.ending) for dispute in now.disputes],
    )
    return f"{zlib.crc32(repr(told).encode()):08x}"


def picture_message(picture: CameraPicture, zones: tuple[CameraZone, ...], table: Table) -> Json:
    """The picture's address and age, and what is drawn over it."""
    crowd = Counter(box.place for box in picture.boxes)
    return {
        "number": picture.number,
        "src": url_for("camera.picture", number=picture.number),
        "age_ms": round(picture.age_s * 1000),
        "size": list(picture.size),
        "zones": [{"name": words.holder_name(zone.place), "outline": zone.outline} for zone in zones],
        "boxes": [_box(box, crowd[box.place], table) for box in picture.boxes],
    }


def _box(box: SeenBox, beside: int, table: Table) -> Json:
    """One card's outline, its name and how sure that is; what by the round does not lie open is not named."""
    if not _may_be_named(box, beside, table):
        return {"outline": box.corners, "kind": "unnamed", "name": "", "share": ""}
    kind = "unsure" if box.card is None else "sure"
    name = "/".join(map(words.card_sign, box.candidates)) + "?" if box.card is None else words.card_sign(box.card)
    return {"outline": box.corners, "kind": kind, "name": name, "share": percent(box.confidence, 0)}


def _may_be_named(box: SeenBox, beside: int, table: Table) -> bool:
    """Whether a card lies open where this one was seen, by the round; `beside`: how many cards were seen at its place.

    While no card of a round is out, whatever lies there is no secret.
    """
    now, profile = table.round, table.setup.profile
    if now is None or now.phase in OVER or now.phase is Phase.bets_open:
        return True
    if box.place is None:
        return False
    is_known = box.card is not None and box.card in open_cards(profile, now, box.place)
    return is_known or beside <= len(open_places(profile, now, box.place))
