"""No card is read where none of the deck's lies, nor in a picture that is turned or mirrored."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hardware.camera.opencv import Image, Points, points
from hardware.camera.recogniser import Recogniser
from tests.hardware.camera.judging import Judged, judged
from tests.hardware.camera.scenes import Scene, scene
from tests.hardware.camera.strangers import KINDS, picture
from tests.hardware.camera.tables import DESIGNS

SAMPLED = tuple(kind for kind in KINDS if kind != "French kings")
SAME_IN_A_MIRROR = "A8"


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


def read_of(kind: str, rng: np.random.Generator, recogniser: Recogniser) -> list[str]:
    """What is read in a picture of such things, by a camera that knows nothing of a card's size, and by one that was told it."""
    image, high = picture(kind, rng)
    readings = (recogniser.recognise(image), recogniser.recognise(image, (high / 1.4, high)))
    return [seen.card for reading in readings for seen in reading.cards]


@pytest.mark.parametrize("kind", SAMPLED)
def test_what_is_no_card_of_the_deck_is_not_read(kind: str, recogniser: Recogniser) -> None:
    assert read_of(kind, np.random.default_rng(len(kind)), recogniser) == []


View = Callable[[Image, Points], tuple[Image, Points]]
"""A picture, and points in it, seen otherwise."""


def quarter(image: Image, at: Points) -> tuple[Image, Points]:
    return np.rot90(image), points(np.stack([at[:, 1], image.shape[1] - 1 - at[:, 0]], axis=1))


def mirror(image: Image, at: Points) -> tuple[Image, Points]:
    return image[:, ::-1], points(np.stack([image.shape[1] - 1 - at[:, 0], at[:, 1]], axis=1))


def seen(view: View, design: str, seed: int, recogniser: Recogniser) -> tuple[Scene, Judged]:
    """A game that is seen otherwise than it is, and what is read of it."""
    rng = np.random.default_rng([DESIGNS.index(design), seed])
    made = scene(design, rng)
    [image] = made.pictures(1, rng)
    laid = tuple(replace(card, corners=view(image, card.corners)[1]) for card in made.laid)
    other = replace(made, laid=laid)
    return other, judged(recogniser.recognise(np.ascontiguousarray(view(image, laid[0].corners)[0])), other)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_game_seen_a_quarter_turned_is_read_and_not_wrong(design: str, recogniser: Recogniser) -> None:
    _, found = seen(quarter, design, 1, recogniser)
    assert not found.wrong + found.doubled
    assert found.read


# --- the long search ---


@pytest.mark.torture
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("kind", KINDS)
def test_hundreds_of_pictures_without_a_card_of_the_deck(kind: str, recogniser: Recogniser) -> None:
    told = Counter[str]()
    for seed in range(200):
        told.update(read_of(kind, np.random.default_rng([seed, len(kind)]), recogniser))
    print(json.dumps({"kind": kind, "pictures": 200, "wrong": told.total(), **told}))  # noqa: T201  what this run is for
    assert not told


@pytest.mark.torture
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("design", DESIGNS)
def test_many_games_in_a_mirror_and_a_quarter_turned(design: str, recogniser: Recogniser) -> None:
    wrong: dict[str, list[str]] = {"turned": [], "mirrored": []}
    themselves: Counter[str] = Counter()
    for seed in range(40):
        wrong["turned"] += [card.card for card in seen(quarter, design, seed, recogniser)[1].wrong]
        made, found = seen(mirror, design, seed, recogniser)
        wrong["mirrored"] += [card.card for card in found.wrong]
        themselves.update(made.laid[n].card[0] for n in found.read)
    print(json.dumps({"design": design, "games": 40, "wrong": wrong, "as themselves in a mirror": themselves}))  # noqa: T201  what this run is for
    assert wrong == {"turned": [], "mirrored": []}
    assert set(themselves) <= set(SAME_IN_A_MIRROR)
