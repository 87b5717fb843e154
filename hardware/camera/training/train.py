"""Trains the index reader from scratch: draws the crops, fits the net, writes `weights/index.onnx`.

    python -m hardware.camera.training.train --artwork FOLDER --work FOLDER [--photographs 24000] [--seed 1]

FOLDER holds Adrian Kennard's CC0 cards as PNG (`2color/5H.png` …), rendered from the SVG files of the npm package
@heruka_urgyen/react-playing-cards. No photograph of a real card is used. Needs torch, onnx and pillow.
"""

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from hardware.camera.crops import CROP, Pyramid, turned
from hardware.camera.opencv import Image
from hardware.camera.training.decks import NO_RANKS, Supply, back
from hardware.camera.training.faces import RANKS, SUITS
from hardware.camera.training.fitting import Drawn, Told, asked, fitted, in_pieces, lit, shares, step, trained
from hardware.camera.training.heaps import samples_in_heaps
from hardware.camera.training.photographs import (
    NO_RANK,
    NO_SUIT,
    NOT_TOLD,
    Sample,
    guessed,
    photograph,
    samples,
    table,
    through_a_lens,
)

WEIGHTS: Final = Path(__file__).parent.parent / "weights" / "index.onnx"
_OF_SUIT: Final = slice(len(RANKS) + 1, len(RANKS) + len(SUITS) + 2)
_STRAYED: Final = slice(_OF_SUIT.stop, _OF_SUIT.stop + 4)
OUTPUTS: Final = _STRAYED.stop
_A_PIECE: Final = 250  # photographs in one file
_A_DECKS_CARDS: Final = 30  # photographs of each deck drawn


def drawn(seed: int, count: int, supply: Supply) -> list[Sample]:
    """The crops of `count` photographs."""
    rng = np.random.default_rng(seed)
    found: list[Sample] = []
    while count > 0:
        deck = supply.deck(rng)
        other = deck.face(str(rng.choice(list(RANKS))), str(rng.choice(list(SUITS))))
        for _ in range(min(count, _A_DECKS_CARDS)):
            kind = rng.random()
            rank, suit = str(rng.choice(list(RANKS))), str(rng.choice(list(SUITS)))
            if kind < 0.74:
                found += samples(deck, rank, suit, other, rng)
            elif kind < 0.86:
                found += samples(deck, str(rng.choice(list(NO_RANKS))), suit, other, rng)
            elif kind < 0.89:  # a joker: letters, one under the other
                found += samples(deck, str(rng.choice(list("JJJK" + NO_RANKS))), "*", other, rng)
            elif kind < 0.95 and (art := supply.artwork(rng)):
                found += _of_artwork(*art, other, rng)
            else:
                found += _of_no_card(other, rng)
            other = deck.face(rank, suit) if rng.random() < 0.3 else other
        count -= _A_DECKS_CARDS
    return found


def _of_artwork(rank: str, suit: str, face: Image, other: Image, rng: np.random.Generator) -> list[Sample]:
    shot = photograph(face, other, rng)
    pyramid, lid = Pyramid(shot.image), Pyramid(shot.covered)
    return [
        (pyramid.index(guessed(corners, rng)), RANKS.index(rank), SUITS.index(suit), NOT_TOLD)
        for corners in (shot.corners, turned(shot.corners))
        if lid.index(corners).max() < 20
    ]


def _of_no_card(other: Image, rng: np.random.Generator) -> list[Sample]:
    if rng.random() < 0.6:
        shot = photograph(back(rng), other, rng)
        pyramid = Pyramid(shot.image)
        return [(pyramid.index(guessed(np.roll(shot.corners, n, 0), rng)), NO_RANK, NO_SUIT, NOT_TOLD)
                for n in range(4) if Pyramid(shot.covered).index(np.roll(shot.corners, n, 0)).max() < 20]  # fmt: skip
    bare = table(CROP[1], CROP[0], rng)
    return [(through_a_lens(bare, 300, rng), NO_RANK, NO_SUIT, NOT_TOLD)]


def crops_of(seed: int, photographs: int, supply: Supply, folder: Path) -> Drawn:
    """`crops` [n, 88, 48, 3], `ranks` [n], `suits` [n], `strayed` [n, 4] of so many photographs, in pieces of 250, each with its
    own seed; one in five pieces is of cards in fans, rows and heaps."""
    return in_pieces(partial(_piece, seed, supply), photographs // _A_PIECE, folder, f"crops-{seed}")


def _piece(seed: int, supply: Supply, number: int) -> Drawn:
    draw = samples_in_heaps if number % 5 == 4 else drawn
    crops, ranks, suits, strayed = zip(*draw(seed * 100_000 + number, _A_PIECE, supply), strict=True)
    return {"crops": np.stack(crops), "ranks": np.array(ranks), "suits": np.array(suits),
            "strayed": np.array(strayed, np.float32)}  # fmt: skip


def network() -> nn.Sequential:
    """The net: BGR [n, 3, 88, 48], 0…1 → 14 rank scores, 5 suit scores, and the 4 of `crops.strayed`."""

    return nn.Sequential(
        *step(3, 16, 2), *step(16, 32, 2), *step(32, 64, 2), *step(64, 64, 1), *step(64, 64, 1), *step(64, 128, 2),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(128 * 6 * 3, 128), nn.ReLU(), nn.Linear(128, OUTPUTS),
    )  # fmt: skip


def loss_of(scores: torch.Tensor, ranks: torch.Tensor, suits: torch.Tensor, strayed: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of rank and suit, softened a little so that a margin stays meaningful; how far off the way back is."""
    of, told = nn.functional.cross_entropy, ~strayed.isnan().any(dim=1)
    off = nn.functional.smooth_l1_loss(scores[told, _STRAYED], strayed[told], beta=0.2)
    return of(scores[:, :14], ranks, label_smoothing=0.01) + of(scores[:, _OF_SUIT], suits, label_smoothing=0.01) + off


def fit(crops: Drawn, said: Namespace) -> nn.Sequential:
    """The net fitted to the crops."""
    pictures, *taught = (torch.from_numpy(crops[name]) for name in ("crops", "ranks", "suits", "strayed"))

    def loss_at(net: nn.Sequential, at: torch.Tensor) -> torch.Tensor:
        return loss_of(net(lit(shares(pictures[at]))), *(lesson[at] for lesson in taught))

    return fitted(network, loss_at, len(pictures), 256, 3e-3, said)


def judged(net: nn.Sequential, crops: Drawn) -> Told:
    """How crops of fonts never trained on are read: right, wrong at all and wrong among the sure ones, as shares; how they
    strayed, and would still if the net were followed, by the median."""
    pictures, ranks, suits, strayed = (torch.from_numpy(crops[name]) for name in ("crops", "ranks", "suits", "strayed"))
    with torch.no_grad():
        scores = torch.cat([net(shares(p)) for p in pictures.split(512)])
    sure_rank, rank = scores[:, :14].softmax(1).max(1)
    sure_suit, suit = scores[:, _OF_SUIT].softmax(1).max(1)
    left = (scores[:, _STRAYED] - strayed).abs().nanmedian(dim=0).values
    named, sure = ranks < NO_RANK, (sure_rank > 0.9) & (sure_suit > 0.9)
    called = (rank < NO_RANK) & (suit < NO_SUIT)
    wrong = called & ((rank != ranks) | (suit != suits) & named)
    right = named & (rank == ranks) & (suit == suits)
    return {"crops": len(ranks), "indices": int(named.sum()), "right": float(right.sum() / named.sum()),
            "right and sure": float((right & sure).sum() / named.sum()), "wrong": float(wrong.float().mean()),
            "wrong and sure": float((wrong & sure).float().mean()),
            "strayed": [round(float(v), 3) for v in strayed.abs().nanmedian(dim=0).values],
            "still": [round(float(v), 3) for v in left]}  # fmt: skip


def main() -> None:
    """Draw, fit, write, judge."""
    said = asked(__doc__, WEIGHTS, photographs=24_000, epochs=12)
    trained(said, crops_of, fit, judged, (("crops", ["n", 3, CROP[1], CROP[0]]), ("scores", ["n", OUTPUTS])), 1000)


if __name__ == "__main__":
    main()
