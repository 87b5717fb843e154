"""Trains the finder from scratch: draws tables, fits the net, writes `weights/finder.onnx`.

    python -m hardware.camera.training.train_finder --artwork FOLDER --work FOLDER [--photographs 7920] [--seed 1]

Needs and arguments are those of `train.py`; a photograph is a whole table here.
"""

from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import nn

from hardware.camera.training.decks import Supply
from hardware.camera.training.fitting import Drawn, Plane, asked, fitted, in_pieces, lit, shares, trained
from hardware.camera.training.heaps import PLANES, lessons

WEIGHTS: Final = Path(__file__).parent.parent / "weights" / "finder.onnx"
_A_PIECE: Final = 240  # scenes in one file
_BATCH: Final = 16


def scenes_of(seed: int, count: int, supply: Supply, folder: Path) -> Drawn:
    """`pictures` [n, 256, 256, 3] and `lessons` [n, 64, 64, 7]."""
    return in_pieces(partial(_piece, seed, supply), count // _A_PIECE, folder, f"tables-{seed}")


def _piece(seed: int, supply: Supply, number: int) -> Drawn:
    pictures, taught = zip(*lessons(seed * 100_000 + number, _A_PIECE, supply), strict=True)
    return {"pictures": np.stack(pictures), "lessons": np.stack(taught)}


def network() -> nn.Sequential:
    """The net: BGR [n, 3, h, w], 0…1 → [n, 6, h/4, w/4]: a score that an index is there, and where its card lies."""

    def step(into: int, out: int, stride: int, apart: int = 1) -> list[nn.Module]:
        size, rim = (4, 1) if stride == 2 else (3, apart)
        return [nn.Conv2d(into, out, size, stride, rim, dilation=apart, bias=False), nn.BatchNorm2d(out), nn.ReLU()]

    return nn.Sequential(
        *step(3, 16, 2), *step(16, 32, 2), *step(32, 32, 1), *step(32, 32, 1, 2), *step(32, 32, 1, 3), *step(32, 32, 1, 2),
        *step(32, 32, 1), nn.Conv2d(32, PLANES - 1, 1),
    )  # fmt: skip


def loss_of(told: torch.Tensor, lesson: torch.Tensor) -> torch.Tensor:
    """How far what was told of cells [n, 6, h, w] is from the lesson [n, 7, h, w]."""
    counts, there = lesson[:, 0], lesson[:, 1]
    score = told[:, 0]
    p = score.sigmoid()
    odds = nn.functional.binary_cross_entropy_with_logits(score, there, reduction="none")
    hard = (1 - torch.where(there > 0, p, 1 - p)) ** 2  # most cells are plain cloth
    found = there.sum().clamp(min=1)
    seen = (counts * hard * odds * torch.where(there > 0, 1.0, 0.5)).sum() / found
    off = nn.functional.smooth_l1_loss(
        told[:, 1:] * there[:, None], lesson[:, 2:] * there[:, None], reduction="none", beta=0.1
    )
    weight = torch.tensor([0.35, 0.35, 1.0, 1.0, 1.0]).view(1, -1, 1, 1)
    return 2 * seen + (off * weight).sum() / found


def turned_by(picture: torch.Tensor, lesson: torch.Tensor, quarters: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Pictures and lessons [n, planes, h, w] so many quarters of a turn round, the directions with them."""
    picture, lesson = torch.rot90(picture, quarters, (2, 3)), torch.rot90(lesson, quarters, (2, 3)).clone()
    for _ in range(quarters % 4):
        for x, y in ((2, 3), (4, 5)):
            lesson[:, x], lesson[:, y] = lesson[:, y].clone(), -lesson[:, x].clone()
    return picture, lesson


def fit(scenes: Drawn, said: Namespace) -> nn.Sequential:
    """The net fitted to the scenes."""
    pictures, taught = torch.from_numpy(scenes["pictures"]), torch.from_numpy(scenes["lessons"])

    def loss_at(net: nn.Sequential, at: torch.Tensor) -> torch.Tensor:
        lesson = taught[at].permute(0, 3, 1, 2).float()
        seen, lesson = turned_by(shares(pictures[at]), lesson, int(torch.randint(4, (1,))))
        return loss_of(net(lit(seen)), lesson)

    return fitted(network, loss_at, len(pictures), _BATCH, 4e-3, said)


def judged(net: nn.Sequential, scenes: Drawn) -> dict[str, float]:
    """Of cells of fonts never trained on: the share of indices found, of findings that are none, and how far off they are."""
    taught = torch.from_numpy(scenes["lessons"]).permute(0, 3, 1, 2)
    with torch.no_grad():
        told = torch.cat([net(shares(p)) for p in torch.from_numpy(scenes["pictures"]).split(32)])
    counts, there = taught[:, 0].bool(), taught[:, 1].bool()
    found = told[:, 0].sigmoid() > 0.3
    off = (told[:, 1:3] - taught[:, 2:4]).norm(dim=1)[there & found]
    turn = (
        nn.functional.cosine_similarity(told[:, 3:5], taught[:, 4:6].float(), dim=1)[there & found].clamp(-1, 1).acos()
    )
    size = (told[:, 5] - taught[:, 6]).abs()[there & found]
    return {"cells": int(there.sum()), "found": float(found[there].float().mean()),
            "none": float((found & counts & ~there).sum() / max(1, int(found.sum()))),
            "corner off, pixels": 4 * float(off.median()), "at nine in ten": 4 * float(off.quantile(0.9)),
            "turned by, degrees": float(turn.median().rad2deg()), "size off": float(size.median())}  # fmt: skip


def main() -> None:
    """Draw, fit, write, judge."""
    said = asked(__doc__, WEIGHTS, photographs=7_920, epochs=9)
    planes: tuple[Plane, Plane] = ("picture", ["n", 3, "h", "w"]), ("cells", ["n", PLANES - 1, "h4", "w4"])
    trained(said, scenes_of, fit, judged, planes, 480)


if __name__ == "__main__":
    main()
