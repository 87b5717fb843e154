"""What the owner of a virtual shoe and its process say to each other: one JSON object a line, one answer a command."""

import msgspec

from dealer_assist.game.cards import Card


class Present(msgspec.Struct, frozen=True, tag="present", forbid_unknown_fields=True):
    """A card slides over the reader. `deck`, everywhere: the id of its deck; None: the first one the shoe was given."""

    card: Card
    deck: str | None = None


class PresentUid(msgspec.Struct, frozen=True, tag="present_uid", forbid_unknown_fields=True):
    """A tag of this UID (hex) slides over the reader, whatever it belongs to."""

    uid: str


class Lay(msgspec.Struct, frozen=True, tag="lay", forbid_unknown_fields=True):
    """A card is laid down before the antenna, and stays."""

    card: Card
    deck: str | None = None


class LayUid(msgspec.Struct, frozen=True, tag="lay_uid", forbid_unknown_fields=True):
    """A tag of this UID (hex) is laid down, and stays."""

    uid: str


class Lift(msgspec.Struct, frozen=True, tag="lift", forbid_unknown_fields=True):
    """A card that lies there is taken away."""

    card: Card
    deck: str | None = None


class LiftUid(msgspec.Struct, frozen=True, tag="lift_uid", forbid_unknown_fields=True):
    """A tag that lies there is taken away."""

    uid: str


class Reach(msgspec.Struct, frozen=True, tag="reach", forbid_unknown_fields=True):
    """A point of the fault script is reached: what it names there befalls the next card."""

    point: str


class SendBytes(msgspec.Struct, frozen=True, tag="send_bytes", forbid_unknown_fields=True):
    """The device sends these bytes once. `data` in hex."""

    data: str


class SendBadFrame(msgspec.Struct, frozen=True, tag="send_bad_frame", forbid_unknown_fields=True):
    """The device sends a damaged frame."""


class Unplug(msgspec.Struct, frozen=True, tag="unplug", forbid_unknown_fields=True):
    """The plug is pulled."""


class Replug(msgspec.Struct, frozen=True, tag="replug", forbid_unknown_fields=True):
    """The plug is put back."""


class Quit(msgspec.Struct, frozen=True, tag="quit", forbid_unknown_fields=True):
    """The process ends."""


Command = (
    Present | PresentUid | Lay | LayUid | Lift | LiftUid | Reach | SendBytes | SendBadFrame | Unplug | Replug | Quit
)


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """The first line of the process: the device is plugged in at `port`."""

    port: str


class Done(msgspec.Struct, frozen=True, tag="done"):
    """The command was carried out; bytes were handed to the port."""


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The command was not, or not wholly, carried out."""

    reason: str


Answer = Ready | Done | Refused
