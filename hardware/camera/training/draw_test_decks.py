"""Draws the decks that the tests deal from, in fonts that no training ever saw, one sheet a deck: 13 columns, 4 rows.

python -m hardware.camera.training.draw_test_decks --artwork FOLDER --out FOLDER
"""

import argparse
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image as Drawing
from PIL import ImageFont

from hardware.camera import opencv
from hardware.camera.opencv import Image
from hardware.camera.training.decks import KEPT_FOR_TESTS, Supply, font_files, glyph, ten
from hardware.camera.training.faces import RANKS, SUITS, Deck, Layout, drawn_suit

_CARD: Final = (200, 280)
_DESIGNS: Final = {  # font file, layout, red and black
    "garamond": ("EBGaramond12-Bold.otf", Layout(34, 28, 0.95, 21, 14, 24, 6, 52, 0.3, (0.15, 0.09))),
    "park": ("NationalPark-Heavy.otf", Layout(54, 44, 0.85, 27, 16, 38, 8, 46, 0.33, (0.2, 0.1))),
    "vollkorn": ("Vollkorn-Bold.ttf", Layout(30, 24, 0.8, 18, 26, 20, 5, 58, 0.29, (0.13, 0.06))),
    "bebas": ("BebasNeue-Regular.otf", Layout(44, 34, 1.0, 23, 18, 28, 6, 48, 0.31, (0.17, 0.1), 4)),
}


def sheet(deck: Deck) -> Image:
    """All faces of a deck, the ranks across and the suits down."""
    rows = [np.hstack([opencv.resize(deck.face(r, s), *_CARD) for r in RANKS]) for s in SUITS]
    return np.vstack(rows)


def main() -> None:
    """Draw every design."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--artwork", type=Path, required=True)
    ask.add_argument("--out", type=Path, required=True)
    said = ask.parse_args()
    said.out.mkdir(parents=True, exist_ok=True)
    fonts = {f.name: f for f in font_files() if f.parent.name in KEPT_FOR_TESTS}
    supply = Supply([], said.artwork)
    for number, (name, (file, layout)) in enumerate(_DESIGNS.items()):
        rng = np.random.default_rng(1000 + number)
        font = ImageFont.truetype(str(fonts[file]), 110)
        ranks = {r: ten(font, 0.05) if r == "T" else glyph(font, r) for r in RANKS}
        suits = {s: drawn_suit(s, rng) for s in SUITS}
        dark, red = (20, 20, 20), (40, 30, 200)
        deck = Deck(
            ranks,
            suits,
            {"c": dark, "s": dark, "h": red, "d": red},
            layout,
            supply.court_figures(),
            frame_line=(150, 60, 40),
        )
        picture = Drawing.fromarray(np.ascontiguousarray(sheet(deck)[:, :, ::-1]))
        picture.quantize(48).save(said.out / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
