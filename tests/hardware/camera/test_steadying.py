"""The mean of a fixed camera's pictures, and that nothing of what has gone shines through it."""

import numpy as np

from hardware.camera.opencv import Image
from hardware.camera.steadying import Steadied
from tests.hardware.camera.films import noisy, plain


def grain(picture: Image, scene: Image) -> float:
    """How far a picture is from what it shows, in levels, on the average."""
    return float(np.abs(picture.astype(int) - scene).mean())


def with_card(scene: Image, left: int) -> Image:
    """The scene with a white card of 60 by 84 pixels, so far from its left rim."""
    shown = scene.copy()
    shown[60:144, left : left + 60] = 240
    return shown


def test_of_a_still_table_the_grain_is_less_than_half() -> None:
    steadied, scene = Steadied(), with_card(plain(), 100)
    first, *_, last = (steadied.picture(noisy(scene, n)) for n in range(8))
    assert np.array_equal(first, noisy(scene, 0))
    assert grain(last, scene) < 0.55 * grain(first, scene)


def test_a_card_laid_moved_or_taken_is_seen_as_it_is_at_once() -> None:
    steadied, cloth = Steadied(), plain()
    scenes = [cloth] * 4 + [with_card(cloth, 100)] * 4 + [with_card(cloth, 107)] + [cloth]
    for n, scene in enumerate(scenes):
        seen = steadied.picture(noisy(scene, n))
        assert int(np.abs(seen.astype(int) - scene).max()) <= 6, n


def test_a_card_that_creeps_leaves_no_trail_but_at_its_edge() -> None:
    steadied, cloth = Steadied(), plain()
    for n in range(30):
        scene = with_card(cloth, 100 + n // 2)
        seen = steadied.picture(noisy(scene, n))
        off = np.abs(seen.astype(int) - scene).max(axis=2) > 12
        assert off.sum() <= 2 * 84
        assert not off[:, : 100 + n // 2 - 2].any()


def test_after_a_change_of_the_light_the_new_picture_is_what_is_seen() -> None:
    steadied = Steadied()
    for n in range(5):
        steadied.picture(noisy(plain(90), n))
    assert grain(steadied.picture(noisy(plain(130), 9)), plain(130)) < 2.5


def test_pictures_of_another_size_and_those_after_a_loss_begin_anew() -> None:
    steadied, small = Steadied(), noisy(plain(size=(64, 48)), 1)
    steadied.picture(plain())
    assert np.array_equal(steadied.picture(small), small)
    steadied.forget()
    other = noisy(plain(95, size=(64, 48)), 2)
    assert np.array_equal(steadied.picture(other), other)
