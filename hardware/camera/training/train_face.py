"""Trains the face reader from scratch: draws cards, fits the net, writes `weights/face.onnx`.

    python -m hardware.camera.training.train_face --artwork FOLDER --work FOLDER [--photographs 20000] [--seed 1]

Needs and arguments are those of `train.py`.
"""

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from hardware.camera.face import RANKS, SIZE, SUITS, SURE
from hardware.camera.training.decks import Supply
from hardware.camera.training.face_lessons import PASSED_OVER, UNCLEAR, drawn
from hardware.camera.training.fitting import Drawn, asked, fitted, in_pieces, lit, shares, step, trained

WEIGHTS: Final = Path(__file__).parent.parent / "weights" / "face.onnx"
OUTPUTS: Final = len(RANKS) + len(SUITS)
_A_PIECE: Final = 500  # photographs in one file


def faces_of(seed: int, photographs: int, supply: Supply, folder: Path) -> Drawn:
    """`faces` [n, 112, 80, 3], `ranks` [n], `suits` [n] of so many photographs."""
    return in_pieces(partial(_piece, seed, supply), photographs // _A_PIECE, folder, f"faces-{seed}")


def _piece(seed: int, supply: Supply, number: int) -> Drawn:
    pictures, ranks, suits = zip(*drawn(seed * 100_000 + number, _A_PIECE, supply), strict=True)
    return {"faces": np.stack(pictures), "ranks": np.array(ranks), "suits": np.array(suits)}


def network() -> nn.Sequential:
    """The net: BGR [n, 3, 112, 80], 0…1 → 12 rank and 5 suit scores."""

    return nn.Sequential(
        *step(3, 16, 2), *step(16, 32, 2), *step(32, 32, 1), *step(32, 48, 2), *step(48, 48, 1), *step(48, 64, 2),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 7 * 5, 96), nn.ReLU(), nn.Linear(96, OUTPUTS),
    )  # fmt: skip


def loss_of(scores: torch.Tensor, ranks: torch.Tensor, suits: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of both heads, softened a little so that a margin stays meaningful."""
    of = partial(nn.functional.cross_entropy, label_smoothing=0.01, ignore_index=PASSED_OVER, reduction="sum")
    return (of(scores[:, : len(RANKS)], ranks) + of(scores[:, len(RANKS) :], suits)) / len(scores)


def fit(drawn_faces: Drawn, said: Namespace) -> nn.Sequential:
    """The net fitted to the faces."""
    pictures, ranks, suits = (torch.from_numpy(drawn_faces[name]) for name in ("faces", "ranks", "suits"))

    def loss_at(net: nn.Sequential, at: torch.Tensor) -> torch.Tensor:
        seen = shares(pictures[at])
        return loss_of(net(lit(seen.flip(2, 3) if torch.rand(1) < 0.5 else seen)), ranks[at], suits[at])

    return fitted(network, loss_at, len(ranks), 128, 3e-3, said)


def judged(net: nn.Sequential, drawn_faces: Drawn) -> dict[str, float]:
    """How faces of fonts never trained on are told: right and sure, and wrong and sure, as shares."""
    pictures, ranks, suits = (torch.from_numpy(drawn_faces[name]) for name in ("faces", "ranks", "suits"))
    with torch.no_grad():
        scores = torch.cat([net(shares(p)) for p in pictures.split(512)])
    told: dict[str, float] = {"faces": len(ranks)}
    parts = scores.split([len(RANKS), len(SUITS)], dim=1)
    for name, found, true, unclear in zip(("rank", "suit"), parts, (ranks, suits), UNCLEAR, strict=True):
        odds, number = found.softmax(1).max(1)
        counts = true != PASSED_OVER
        sure = (odds >= SURE) & (number != unclear) & counts
        there = counts & (true != unclear)
        told[f"{name} right and sure"] = float((sure & (number == true)).sum() / there.sum())
        told[f"{name} wrong and sure"] = float((sure & (number != true)).sum() / counts.sum())
    return told


def main() -> None:
    """Draw, fit, write, judge."""
    said = asked(__doc__, WEIGHTS, photographs=20_000, epochs=20)
    trained(said, faces_of, fit, judged, (("faces", ["n", 3, SIZE[1], SIZE[0]]), ("scores", ["n", OUTPUTS])), 1000)


if __name__ == "__main__":
    main()
