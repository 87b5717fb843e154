"""What a face says of its card without its index."""

from collections import Counter

import numpy as np
import pytest

from dealer_assist.game.cards import DECK, Card
from hardware.camera.crops import Pyramid, turned
from hardware.camera.face import SIZE, Face, FaceReader, seen_flat
from hardware.camera.opencv import Image, Points, points
from tests.hardware.camera.tables import DESIGNS, face

PIPS = tuple(card for card in DECK if card[0] not in "JQK")


@pytest.fixture(scope="module")
def reader() -> FaceReader:
    return FaceReader()


def rim(image: Image) -> Points:
    """The corners of a card that fills its picture."""
    high, wide = image.shape[:2]
    return points([(0, 0), (wide, 0), (wide, high), (0, high)])


def shown(image: Image, reader: FaceReader) -> list[Face]:
    """What a card that fills its picture shows, either way up."""
    return reader.faces(Pyramid(image), [rim(image), turned(rim(image))])


@pytest.mark.parametrize("design", DESIGNS)
def test_a_face_tells_rank_and_suit_either_way_up_or_nothing_and_seldom_nothing(
    design: str, reader: FaceReader
) -> None:
    told = Counter[bool]()
    for card in PIPS:
        for found in shown(face(design, card), reader):
            assert found.rank in (card[0], "unclear"), card
            assert found.suit in (card[1], "unclear"), card
            told[found.rank == card[0] and found.suit == card[1]] += 1
    assert told[False] <= 0.1 * told.total()


@pytest.mark.parametrize("design", DESIGNS)
def test_a_court_is_a_figure_and_of_no_other_suit(design: str, reader: FaceReader) -> None:
    for card in (c for c in DECK if c[0] in "JQK"):
        for found in shown(face(design, card), reader):
            assert found.rank in ("figure", "unclear"), card
            assert found.suit in (card[1], "unclear"), card


def test_a_covered_pip_makes_the_rank_unclear_and_not_another(reader: FaceReader) -> None:
    for card in (c for c in PIPS if c[0] != "A"):
        half = face("garamond", card).copy()
        half[: len(half) // 3] = 255
        assert {f.rank for f in shown(half, reader)} <= {"unclear", card[0]}, card


def test_blank_paper_says_nothing(reader: FaceReader) -> None:
    assert shown(np.full((350, 250, 3), 250, np.uint8), reader) == [Face(), Face()]


@pytest.mark.parametrize("design", DESIGNS)
def test_where_an_index_may_stand_the_face_reader_is_shown_nothing(design: str) -> None:
    """Else it would be no second witness."""
    picture = face(design, Card("7h"))
    seen = seen_flat(Pyramid(picture), rim(picture))
    wide, high = round(0.2 * SIZE[0]), round(0.36 * SIZE[1])
    for part in (seen, seen[:, ::-1], seen[::-1], seen[::-1, ::-1]):
        assert len(np.unique(part[:high, :wide])) == 1
