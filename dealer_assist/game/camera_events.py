"""What a camera told of hands that lie open, and what became of it, past tense: a part of the log's events."""

from typing import ClassVar

from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.recorded import Recorded
from dealer_assist.game.round import Picture


class CameraLost(Recorded, frozen=True, tag=True):
    """The camera gives no pictures that can be trusted; `reason` in words for a person."""

    reason: str


class CameraBack(Recorded, frozen=True, tag=True):
    """The camera watches: for the first time, or again."""


class HandCompared(Recorded, frozen=True, tag=True):
    """A whole open hand beside what the camera saw of it, once a round: each of its known cards is in one of the four.

    `unsure`: the camera named it as one of several. `disputed`: it did not see it, but another card.
    """

    holder: Seat
    agreed: tuple[Card, ...]
    unsure: tuple[Card, ...] = ()
    unseen: tuple[Card, ...] = ()
    disputed: tuple[Card, ...] = ()


class HandDisputed(Recorded, frozen=True, tag=True):
    """The camera surely saw a card in an open hand that the record does not have there; the fields as of a `Dispute`.

    Sealed: by a record that is wrong, the card it saw may be one that lies face down elsewhere.
    """

    sealed: ClassVar[bool] = True
    holder: Seat
    recorded: tuple[Card, ...]
    seen: tuple[Card, ...]
    pictures: tuple[Picture, ...] = ()
    fault: str = ""


class RecordUpheld(Recorded, frozen=True, tag=True):
    """A person looked at a dispute, and the felt shows what is recorded."""

    id: int
    reason: str = ""


class CandidatesSeen(Recorded, frozen=True, tag=True):
    """Which cards the camera takes an open one for whose face is not known. Sealed, as `HandDisputed` is."""

    sealed: ClassVar[bool] = True
    place: Place
    candidates: tuple[Card, ...]


class EvidenceDropped(Recorded, frozen=True, tag=True):
    """Pictures that were kept long enough are removed, by their files' names."""

    names: tuple[str, ...]


CameraEvent = CameraLost | CameraBack | HandCompared | HandDisputed | RecordUpheld | CandidatesSeen | EvidenceDropped
