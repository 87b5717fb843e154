"""Where the finder says that indices stand, held against where they do."""

import numpy as np
import pytest

from hardware.camera import opencv
from hardware.camera.crops import LOW, WINDOW
from hardware.camera.finder import NOMINAL, Corner, Finder, parts_of
from hardware.camera.opencv import Points, points
from hardware.camera.training.photographs import placed
from tests.hardware.camera.scenes import Scene, Seen, drawn_lens, laid_out
from tests.hardware.camera.tables import DESIGNS

SIZE = (1280, 720)
WIDE = 80.0


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


def fans(design: str) -> Scene:
    rng = np.random.default_rng(4)
    return laid_out(design, ["fan"] * 40, SIZE, drawn_lens("plain", 1.4 * WIDE, SIZE, rng), rng, 15)


def whole_indices(scene: Scene) -> list[Points]:
    """The corners of the cards of a scene, each from the index that nothing lies over; in a fan it is the left top one."""
    return [laid.corners for laid in scene.laid if laid.seen is Seen.fanned]


def off(corner: Corner, card: Points) -> float:
    """How far a found corner is from a card's, as a share of the card's width."""
    return float(np.hypot(*(corner.at - card[0])) / np.hypot(*(card[1] - card[0])))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("told", [0.9, 1.0, 1.1])
def test_in_a_fan_every_card_s_corner_is_found_though_one_edge_of_it_shows(
    design: str, told: float, finder: Finder
) -> None:
    made = fans(design)
    [picture] = made.pictures(1, np.random.default_rng(1))
    found = finder.corners(picture, (0, 0, *SIZE), told * WIDE)
    cards = whole_indices(made)
    nearest = [min(found, key=lambda corner, card=card: off(corner, card)) for card in cards]  # type: ignore[misc]
    pairs = list(zip(nearest, cards, strict=True))
    assert np.mean([off(corner, card) < 0.13 for corner, card in pairs]) >= 0.9
    turns = [
        float(corner.right @ (card[1] - card[0])) / float(np.hypot(*(card[1] - card[0]))) for corner, card in pairs
    ]
    assert np.median(turns) > np.cos(np.deg2rad(12))
    assert np.median([corner.wide for corner, _ in pairs]) == pytest.approx(WIDE, rel=0.2)


def test_a_corner_has_its_card_right_of_it_and_below() -> None:
    corner = Corner(points([100, 50]), points([0, 1]), NOMINAL, below=15.0, odds=0.9)
    assert corner.card(40, 56).tolist() == [[100, 50], [140, 50], [140, 106], [100, 106]]


@pytest.mark.parametrize(("below", "top"), [(5.0, 0.0), (15.0, 15.0 * 250 / 50 - WINDOW[1] / 2), (40.0, LOW)])
def test_a_crop_has_the_index_in_its_middle_as_far_as_it_may_be_moved(below: float, top: float) -> None:
    assert Corner(points([0, 0]), points([0, 1]), NOMINAL, below, 0.9).top(50) == pytest.approx(top)


def test_on_bare_felt_nothing_is_found(finder: Finder) -> None:
    cloth = np.full((720, 1280, 3), (60, 90, 30), np.uint8)
    assert finder.corners(cloth, (0, 0, *SIZE), WIDE) == []


def square(x: float, y: float, side: float) -> Points:
    return points(placed(side, 1.0, 0.0, np.zeros((4, 2))) + np.array([x, y]))


def test_parts_hold_every_outline_and_those_that_overlap_are_one() -> None:
    one, two, far = square(100, 100, 80), square(110, 104, 80), square(500, 300, 60)
    parts = parts_of([one, two, far], SIZE)
    assert len(parts) == 2
    for outline in (one, two, far):
        left, top, right, low = opencv.bounds(np.round(outline))
        assert any(p[0] <= left and p[1] <= top and p[2] >= right - 1 and p[3] >= low - 1 for p in parts)


def test_a_part_ends_at_the_picture_s_rim() -> None:
    [part] = parts_of([square(5, 5, 60)], SIZE)
    assert part[:2] == (0, 0)
