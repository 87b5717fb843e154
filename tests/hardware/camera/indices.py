"""What the index reader would say."""

import numpy as np

from hardware.camera.opencv import Image
from hardware.camera.votes import NONE, RANKS, SUITS, Index


def blank() -> Image:
    return np.full((88, 48, 3), 240, np.uint8)


def index(card: str | None, sure: float = 0.98) -> Index:
    """What the net would say of an index, the rest of its belief on `none`; its window lay well."""
    ranks, suits = np.zeros(14, np.float32), np.zeros(5, np.float32)
    ranks[NONE], suits[4] = 1 - sure, 1 - sure
    if card is None:
        ranks[NONE], suits[4] = sure, sure
    else:
        ranks[RANKS.index(card[0])], suits[SUITS.index(card[1])] = sure, sure
    return Index(ranks, suits, blank(), np.zeros(4, np.float32))


def lettered(suit: str, sure: float = 0.95) -> Index:
    """What the net would say of a suit under a letter that is no rank."""
    ranks, suits = np.zeros(14, np.float32), np.zeros(5, np.float32)
    ranks[NONE], suits[SUITS.index(suit)], suits[4] = 1.0, sure, 1 - sure
    return Index(ranks, suits, blank(), np.zeros(4, np.float32))
