"""What the rim and the table say to each other: sightings of cards, faults of readers, who may give commands, what rule
sheets are worth, and what a camera sees.

A sighting says what a device saw, not what it means: `intake` turns it into a command.
"""

from enum import StrEnum
from typing import Protocol

import msgspec

from dealer_assist.application.camera_report import CameraReport
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.profile import Limit
from dealer_assist.game.settings import Raw
from dealer_assist.game.setup import Cap


class CardSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a card of the deck in play.

    `tag`: its UID as sent, or None where the line carried the card's code. `seat`: 1–4 where the reader says at which
    seat it lies, 0 for the dealer's place, None for a shoe.
    """

    reader: str
    card: Card
    tag: str | None = None
    seat: int | None = None


class CardDiscarded(msgspec.Struct, frozen=True, tag=True):
    """A card of the deck in play passed the reader at the discard rack: it leaves the felt and is never dealt by this."""

    reader: str
    card: Card
    tag: str | None = None


class CardLifted(msgspec.Struct, frozen=True, tag=True):
    """A card no longer lies on a seat's antenna; `card` is None where it is not told which."""

    reader: str
    card: Card | None
    seat: int


class CollisionSighted(msgspec.Struct, frozen=True, tag=True):
    """Two or more tags lie in one reader's field, so that none of them is a read."""

    reader: str
    seat: int | None = None


class ReaderFault(msgspec.Struct, frozen=True, tag=True):
    """A reader answers that something is wrong with it; `reason` in words."""

    reader: str
    reason: str


class SignalSighted(msgspec.Struct, frozen=True, tag=True):
    """A device says what is no card: `jackpot` (of a seat), `shoe_empty`, `jam`, or a word of its own."""

    reader: str
    event: str
    seat: int | None = None


class UnknownTagSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a tag that is in no deck file: never a card."""

    reader: str
    tag: str


class OtherDeckSighted(msgspec.Struct, frozen=True, tag=True):
    """A reader saw a card of a known deck that is not in play."""

    reader: str
    tag: str
    deck: str


class BadRead(msgspec.Struct, frozen=True, tag=True):
    """Bytes that are no message: a damaged frame, or noise. `data` as upper-case hex."""

    reader: str
    reason: str
    data: str


class ReaderOnline(msgspec.Struct, frozen=True, tag=True):
    """The link to a reader stands: at the start, and once after each loss."""

    reader: str


class ReaderLost(msgspec.Struct, frozen=True, tag=True):
    """The link to a reader is gone (`reason` in words for a person). Reported once an outage."""

    reader: str
    reason: str


Sighting = (
    CardSighted
    | CardLifted
    | CardDiscarded
    | CollisionSighted
    | UnknownTagSighted
    | OtherDeckSighted
    | SignalSighted
    | ReaderFault
    | BadRead
    | ReaderOnline
    | ReaderLost
)


class SightingSink(Protocol):
    """Takes sightings from any thread; never blocks long and never raises."""

    def __call__(self, sighting: Sighting, /) -> None: ...


class Role(StrEnum):
    """Who a person at the table's screen is."""

    dealer = "dealer"
    supervisor = "supervisor"


class PinVerdict(msgspec.Struct, frozen=True):
    """What came of a PIN that was tried. `locked_for`: seconds until another may be tried, 0 where one may at once."""

    right: bool
    locked_for: float = 0.0


class PinFault(StrEnum):
    """Why PINs were not taken."""

    not_six_digits = "not_six_digits"
    too_easy = "too_easy"
    the_same = "the_same"
    already_set = "already_set"


class BadPin(Exception):
    """PINs that can't be set; nothing was kept."""

    def __init__(self, fault: PinFault) -> None:
        super().__init__(f"PINs: expected two different ones of 6 to 12 digits, not easy to guess, found: {fault}")
        self.fault = fault


class Pins(Protocol):
    """The PINs of a table's people, of which only hashes are kept."""

    @property
    def are_set(self) -> bool:
        """Whether there are PINs; there are none before the first run's set-up."""

    def set_up(self, dealer: str, supervisor: str) -> None:
        """Keep the first PINs. Raises: BadPin."""

    def verify(self, role: Role, pin: str) -> PinVerdict:
        """Whether this is the role's PIN; wrong ones are counted, and after some of them every one is refused a while."""


class TableTerms(msgspec.Struct, frozen=True):
    """What a table takes and pays at most: for this a rule sheet's exposure is told."""

    limits: tuple[Limit, ...]
    cap: Cap | None
    seats: int


class Figures(msgspec.Struct, frozen=True):
    """A rule sheet's figures, as JSON. `begun_anew`: what computed them had ended in the middle, and was started again."""

    audit: msgspec.Raw
    begun_anew: bool = False


class WhyNoFigures(StrEnum):
    """Why a computation came to nothing."""

    ended = "ended"
    too_slow = "too_slow"


class NoFigures(Exception):
    """A computation that came to nothing; the next one begins anew."""

    def __init__(self, why: WhyNoFigures) -> None:
        super().__init__(f"figures: expected the computing process to answer, found: {why}")
        self.why = why


class Laboratory(Protocol):
    """The rule sheets there are, and what they are worth. What is computed here touches no table."""

    def names(self) -> tuple[str, ...]:
        """The ids of the sheets."""

    def sheet(self, name: str) -> Raw:
        """A sheet's parsed document, as it lies there now. Raises: KeyError where there is none, BadSetting."""

    def figures(self, document: Raw, terms: TableTerms | None) -> Figures:
        """The figures of a document that `profile_from` takes, for a table of these terms, or else by the sheet's own limits.
        Waits its turn, at most some minutes.

        Raises: NoFigures; BadSetting, where odds share no unit to count in.
        """

    def close(self) -> None:
        """End a computation, whatever it is doing: whoever waits for it is answered at once."""


class CameraPulse(StrEnum):
    """Whether pictures come."""

    live = "live"
    frozen = "frozen"  # always the same one
    lost = "lost"


class CameraState(msgspec.Struct, frozen=True):
    """How a camera stands; `reason` in words for a person, empty while it lives."""

    pulse: CameraPulse
    reason: str = ""


class LyingCard(msgspec.Struct, frozen=True):
    """What the camera tells of one card on the felt: surely `card`, or (None) one of `candidates`.

    `place` None: at no place, or across two. `at`: when the last picture that showed it was taken, in seconds of the
    monotonic clock. `across`: how far to the dealer's right it lies, in mm.
    """

    place: Seat | None
    card: Card | None
    at: float
    candidates: tuple[Card, ...] = ()
    across: float = 0.0


class Snap(msgspec.Struct, frozen=True):
    """A picture as a file's bytes, JPEG; `card`: the one it is cut out around, None for all that the camera saw."""

    jpeg: bytes
    card: Card | None = None


class CameraEye(Protocol):
    """A camera as the table uses it. From any thread, and never blocks long."""

    @property
    def state(self) -> CameraState:
        """How it stands now."""

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        """What lies on the felt, as far as it still holds; nothing unless it lives."""

    def snaps(self, place: Seat, cards: tuple[Card, ...]) -> tuple[Snap, ...]:
        """The newest picture that shows these cards at a place, or else the newest, and each of them cut out of it."""


class SeenBox(msgspec.Struct, frozen=True):
    """One card in a picture. `corners`: four, in pixels. `card` None: unsure, one of `candidates`."""

    corners: tuple[tuple[float, float], ...]
    confidence: float
    card: Card | None = None
    candidates: tuple[Card, ...] = ()
    place: Seat | None = None


class CameraZone(msgspec.Struct, frozen=True):
    """Where a hand lies, 0 for the dealer's: its outline in pixels."""

    place: Seat
    outline: tuple[tuple[float, float], ...]


class CameraPicture(msgspec.Struct, frozen=True):
    """The newest picture that was read: its number, age in seconds, width and height, and the cards in it."""

    number: int
    age_s: float
    size: tuple[int, int]
    jpeg: bytes
    boxes: tuple[SeenBox, ...]


class CameraView(Protocol):
    """A camera as the supervisor sees it. From any thread."""

    @property
    def zones(self) -> tuple[CameraZone, ...]:
        """The places, as they were calibrated."""

    @property
    def state(self) -> CameraState:
        """How it stands now."""

    def picture(self) -> CameraPicture | None:
        """The newest picture that was read, encoded when somebody asks; None before the first, and unless it lives."""


class CameraHistory(Protocol):
    """What a table's log tells of its camera, and the pictures that are kept. From any thread."""

    def report(self) -> CameraReport:
        """All of it, up to now; the first time reads the whole log."""

    def evidence(self, name: str) -> bytes | None:
        """A kept picture by its name in the log, JPEG; None where there is none any more."""
