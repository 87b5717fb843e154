"""The windows that are read out of a picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hardware.camera.crops import followed, nudged, strayed
from hardware.camera.opencv import Points, points
from hardware.camera.training.photographs import placed


def card(turn: float) -> Points:
    """A card 100 pixels wide, turned by so much, about the picture's middle."""
    return points(placed(140.0, 1.4, turn, np.zeros((4, 2))) + np.array([300.0, 200.0]))


@given(
    st.floats(0, 6.28),
    st.floats(-0.3, 0.3),
    st.tuples(st.floats(-30, 30), st.floats(-30, 30)),
    st.floats(0.7, 1.4),
)
def test_a_window_that_strayed_is_led_back_to_its_card(
    lying: float, turn: float, shift: tuple[float, float], size: float
) -> None:
    window = nudged(card(lying), turn, shift, (size, size))
    led_back = followed(window, strayed(window, card(lying)))
    assert np.abs(led_back - card(lying)).max() < 0.01


def test_how_a_window_strayed_is_told_from_the_window() -> None:
    window = nudged(card(1.0), shift=(-8.0, 16.0))  # the card is half a share to its right, one share above
    away = strayed(window, card(1.0))
    assert np.allclose(away, (0.5, -1.0, 0.0, 0.0), atol=1e-3)
