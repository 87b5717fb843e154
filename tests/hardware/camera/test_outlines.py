"""What of a bright patch is left to look at once some of its cards are read."""

import numpy as np

from hardware.camera.opencv import Image, Points, draw_rectangle, points
from hardware.camera.outlines import paper_beside

CARD = (100.0, 140.0)
CLOTH, PAPER = (70, 90, 80), (225, 230, 235)


def box(left: float, top: float, right: float, low: float) -> Points:
    return points([(left, top), (right, top), (right, low), (left, low)])


READ = box(300, 200, 400, 340)
OVER_BOTH = box(280, 180, 480, 360)


def table(*cards: Points) -> Image:
    image = np.full((480, 640, 3), CLOTH, np.uint8)
    for card in cards:
        (left, top), (right, low) = card[0], card[2]
        draw_rectangle(image, (int(left), int(top), int(right), int(low)), PAPER, -1)
    return image


def test_a_patch_in_which_no_card_was_read_is_looked_at_whole() -> None:
    assert paper_beside(table(READ), OVER_BOTH, [], CARD) == [OVER_BOTH]
    [whole] = paper_beside(table(READ), OVER_BOTH, [box(20, 20, 120, 160)], CARD)
    assert whole is OVER_BOTH


def test_a_read_card_and_the_cloth_about_it_leave_nothing() -> None:
    assert paper_beside(table(READ), OVER_BOTH, [READ], CARD) == []


def test_of_a_card_that_a_read_one_covers_the_strip_that_shows_is_left() -> None:
    [strip] = paper_beside(table(READ, box(380, 210, 440, 350)), OVER_BOTH, [READ], CARD)
    assert strip[:, 0].min() < 405
    assert 440 <= strip[:, 0].max() <= 481
    assert strip[:, 1].min() < 210
    assert strip[:, 1].max() > 350


def test_a_rim_that_its_outline_leaves_out_is_no_other_card() -> None:
    assert paper_beside(table(box(296, 196, 404, 344)), OVER_BOTH, [READ], CARD) == []


def test_of_a_patch_that_reaches_beyond_the_picture_what_is_in_it_is_looked_at() -> None:
    cut = box(-40, -30, 60, 110)
    [strip] = paper_beside(table(cut, box(40, 0, 110, 110)), box(-45, -35, 120, 120), [cut], CARD)
    assert strip.min() >= 0
    assert strip[:, 0].max() >= 110
