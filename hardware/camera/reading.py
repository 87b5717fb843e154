"""What one picture shows: the cards read, and those seen and not read."""

from dataclasses import dataclass

from dealer_assist.game.cards import Card
from hardware.camera.opencv import Points


@dataclass(frozen=True)
class SeenCard:
    """A card read: how sure (0…1), and its corners [4, 2] in pixels, clockwise from an index corner."""

    card: Card
    confidence: float
    corners: Points


@dataclass(frozen=True)
class Unsure:
    """A card seen but not read: its two likeliest names, and its corners as of a SeenCard."""

    candidates: tuple[Card, ...]
    confidence: float
    corners: Points


@dataclass(frozen=True)
class Reading:
    """What one picture shows, and how many milliseconds it took to read."""

    cards: tuple[SeenCard, ...]
    unsure: tuple[Unsure, ...]
    ms: float
