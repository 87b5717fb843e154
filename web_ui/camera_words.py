"""The sentences about the camera: on the dealer screen, on its own page, and what that page's script says."""

from collections.abc import Mapping
from typing import Final

from dealer_assist.application.ports import CameraPulse
from dealer_assist.game.round import Ending
from dealer_assist.game.setup import CameraRole
from web_ui.language import gettext
from web_ui.words import N_

SPOKEN: Final[Mapping[str, str]] = {
    "age": N_("Picture of {s} s ago"),
    "old": N_("NOT LIVE: picture of {s} s ago"),
    "no_picture": N_("No picture yet."),
    "no_answer": N_("No answer from the server."),
    "no_log": N_("⚠ The log can't be read now."),
}
"""What the page's script says, by the names it uses; `{s}` is filled there."""

PULSES: Final[Mapping[CameraPulse, str]] = {
    CameraPulse.live: N_("● The camera watches"),
    CameraPulse.frozen: N_("▲ FROZEN: %(reason)s"),
    CameraPulse.lost: N_("▲ LOST: %(reason)s"),
}

ROLES: Final[Mapping[CameraRole, str]] = {
    CameraRole.off: N_(
        "The camera of this table is switched off: it is not compared with anything, and no card comes from it."
    ),
    CameraRole.cross_check: N_("What it sees of open hands is compared with what was read from the shoe."),
    CameraRole.source: N_("Open cards are taken from what it sees. Hidden ones are not known."),
}

ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.upheld: N_("The record stands"),
    Ending.corrected: N_("The record was corrected"),
    Ending.dropped: N_("Not decided: the round ended, or the hand was taken back"),
}

LOST: Final[Mapping[CameraRole, str]] = {
    CameraRole.cross_check: N_("Camera lost: %(reason)s. The round goes on without it."),
    CameraRole.source: N_("Camera lost: %(reason)s. Enter open cards by hand; hidden ones are not known."),
}
"""On the dealer screen."""

READS: Final = N_("Cards are read by the camera once they lie open; hidden ones are not known.")
"""On the dealer screen of a table whose cards come from the camera."""


def spoken_words() -> dict[str, str]:
    """The page's script's sentences in the reader's language."""
    return {name: gettext(text) for name, text in SPOKEN.items()}
