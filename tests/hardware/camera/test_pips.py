"""What a face says of its rank without its index."""

import numpy as np
import pytest

from dealer_assist.game.cards import DECK, Card
from hardware.camera import opencv, pips
from tests.hardware.camera.tables import DESIGNS, face


def flat(image: opencv.Image) -> opencv.Image:
    return opencv.resize(image, *pips.FLAT)


@pytest.mark.parametrize("design", DESIGNS)
def test_pips_tell_rank_and_shape_either_way_up(design: str) -> None:
    shapes: dict[str, pips.Shape] = {"h": "heart", "c": "club", "d": "diamond or spade", "s": "diamond or spade"}
    for card in (c for c in DECK if c[0] not in "JQKA"):
        seen = flat(face(design, card))
        for way_up in (seen, np.ascontiguousarray(seen[::-1, ::-1])):
            shown = pips.seen(way_up)
            assert shown.rank == card[0]
            assert shown.shape in (shapes[card[1]], "unclear"), card


@pytest.mark.parametrize("design", DESIGNS)
def test_a_court_shows_no_pips_and_an_ace_but_one(design: str) -> None:
    for card in (c for c in DECK if c[0] in "JQKA"):
        allowed = ("A",) if card[0] == "A" else ("figure", "unclear")
        assert pips.seen(flat(face(design, card))).rank in allowed, card


def test_a_covered_pip_makes_the_face_unclear_and_not_another_rank() -> None:
    half = flat(face("garamond", Card("7h"))).copy()
    half[:130] = 255
    assert pips.seen(half).rank == "unclear"


def test_blank_paper_says_nothing() -> None:
    assert pips.seen(np.full((pips.FLAT[1], pips.FLAT[0], 3), 250, np.uint8)) == pips.Face("unclear")
