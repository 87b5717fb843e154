"""What the nets are taught of a drawn table, and of a drawn card."""

import numpy as np
import pytest

from hardware.camera.crops import Pyramid, followed, nudged, points_on
from hardware.camera.face import RANKS, SUITS
from hardware.camera.finder import CELL, NOMINAL
from hardware.camera.opencv import Points, points
from hardware.camera.training.face_lessons import PASSED_OVER, labels_of
from hardware.camera.training.faces import RANKS as INDEX_RANKS
from hardware.camera.training.faces import SUITS as INDEX_SUITS
from hardware.camera.training.faces import Deck, Layout
from hardware.camera.training.heaps import SIDE, Face, Scene, lesson_of
from hardware.camera.training.photographs import NO_SUIT, Photograph, Printed, Sample, of_index, placed
from hardware.camera.zones import within

CARD = points(placed(1.4 * NOMINAL, 1.4, 0.4, np.zeros((4, 2))) + np.array([130, 120]))
BOXES = (points((10, 12, 34, 44)), points((12, 48, 32, 70)))
MIDDLE = np.array([(22.0, 41.0)])


def taught(corners: Points = CARD, hidden: Points | None = None) -> np.ndarray:
    """The lesson of one card, a part of which may be hidden."""
    grid = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1).reshape(-1, 2).astype(np.float32)
    owner = np.where(within(corners, grid), 0, -1)
    if hidden is not None:
        owner[within(points_on(corners, hidden), grid)] = -2
    picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    face = Face(picture, "7", "h", BOXES)
    return lesson_of(Scene(picture, [(face, corners)], owner.reshape(SIDE, SIDE).astype(np.int16))).astype(np.float32)


def cells_about(corners: Points, lesson: np.ndarray) -> np.ndarray:
    """The cells that have an index's middle in or next to them."""
    x, y = (points_on(corners, MIDDLE)[0] / CELL).astype(int)
    return lesson[y - 1 : y + 2, x - 1 : x + 2].reshape(-1, lesson.shape[-1])


@pytest.mark.parametrize("turn", [0, 2])
def test_a_whole_index_is_taught_with_the_way_to_its_card_s_corner_and_the_way_down(turn: int) -> None:
    way = np.roll(CARD, -turn, axis=0)
    lesson = taught()
    found = np.argwhere(lesson[..., 1] == 1)
    near = [
        (y, x) for y, x in found if np.hypot(*(points_on(way, MIDDLE)[0] - np.array([x, y]) * CELL)) < 0.2 * NOMINAL
    ]
    assert near
    for y, x in near:
        cell = lesson[y, x]
        corner = np.array([x, y]) * CELL + (CELL - 1) / 2 + cell[2:4] * CELL
        assert np.abs(corner - way[0]).max() < 0.2
        assert cell[4:6] == pytest.approx((way[3] - way[0]) / np.hypot(*(way[3] - way[0])), abs=0.01)
        assert cell[6] == pytest.approx(0.0, abs=0.02)
        assert cell[0] == 1


def test_nothing_else_of_a_card_is_an_index() -> None:
    lesson = taught()
    assert 2 <= (lesson[..., 1] == 1).sum() <= 20
    assert (lesson[..., 0] == 1).mean() > 0.95


def test_of_a_half_hidden_index_nothing_is_taught() -> None:
    half = points([(0, 40), (60, 40), (60, 120), (0, 120)])
    about = cells_about(CARD, taught(hidden=half))
    assert about[:, 1].max() == 0
    assert about[:, 0].min() == 0


def test_a_hidden_index_is_taught_as_none() -> None:
    all_of_it = points([(-5, -5), (80, -5), (80, 120), (-5, 120)])
    about = cells_about(CARD, taught(hidden=all_of_it))
    assert about[:, 1].max() == 0
    assert about[:, 0].min() == 1


# --- of an index ---


def of_an_index(window: Points, hidden: float = 0.0) -> Sample | None:
    """What is taught of the seven of hearts' index, seen by that window, that share of its suit hidden."""
    felt = Pyramid(np.zeros((SIDE, SIDE, 3), np.uint8))
    return of_index(felt, window, Printed("7", "h", BOXES, CARD, [0.0, hidden]), np.random.default_rng(4))


def test_a_window_beside_its_card_is_taught_the_way_back() -> None:
    window = nudged(CARD, 0.05, (4.0, -3.0), (1.05, 1.05))
    taught_of = of_an_index(window)
    assert taught_of is not None
    crop, rank, suit, off = taught_of
    assert crop.shape == (88, 48, 3)
    assert (rank, suit) == (INDEX_RANKS.index("7"), INDEX_SUITS.index("h"))
    assert np.abs(followed(window, off) - CARD).max() < 0.01


def test_where_a_suit_is_hidden_no_way_back_is_taught_and_where_it_is_half_hidden_nothing_is() -> None:
    taught_of = of_an_index(CARD, hidden=0.9)
    assert taught_of is not None
    assert taught_of[2] == NO_SUIT
    assert np.isnan(taught_of[3]).all()
    assert of_an_index(CARD, hidden=0.15) is None


# --- of a card's face ---


def fives() -> Deck:
    """A deck whose fives have their pips in the usual places, twenty units wide and high."""
    sign = np.full((20, 20), 255, np.uint8)
    layout = Layout(30, 30, 1, 20, 10, 20, 4, 20, 0.3, (0.1, 0.1))
    return Deck({"5": sign}, {"h": sign}, {"h": (0, 0, 255)}, layout, {})


@pytest.mark.parametrize(
    ("hidden", "rank", "suit"),
    [
        (None, "5", "h"),
        ((0, 90, 250, 140), "5", "h"),  # between the rows
        ((60, 55, 90, 85), "unclear", "h"),  # one pip
        ((0, 0, 250, 350), "unclear", "unclear"),
    ],
)
def test_a_rank_is_taught_only_where_every_pip_can_be_seen_and_a_suit_where_one_can(
    hidden: tuple[int, int, int, int] | None, rank: str, suit: str
) -> None:
    covered = np.zeros((350, 250), np.uint8)
    if hidden is not None:
        left, top, right, low = hidden
        covered[top:low, left:right] = 255
    corners = points([(0, 0), (250, 0), (250, 350), (0, 350)])
    shot = Photograph(np.zeros((350, 250, 3), np.uint8), corners, covered)
    assert labels_of(shot, "5", "h", fives()) == (RANKS.index(rank), SUITS.index(suit))


def test_of_a_pip_that_is_hidden_a_little_nothing_is_taught() -> None:
    covered = np.zeros((350, 250), np.uint8)
    covered[:, 65:69] = 255
    corners = points([(0, 0), (250, 0), (250, 350), (0, 350)])
    shot = Photograph(np.zeros((350, 250, 3), np.uint8), corners, covered)
    assert labels_of(shot, "5", "h", fives()) == (PASSED_OVER, SUITS.index("h"))
