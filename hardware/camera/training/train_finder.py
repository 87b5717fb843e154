"""Trains the finder from scratch: draws tables, fits the net, writes `weights/finder.onnx`.

    python -m hardware.camera.training.train_finder --artwork FOLDER --work FOLDER [--photographs 5280] [--seed 1]

Needs and arguments are those of `train.py`; a photograph is a whole table here.
"""

import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hardware.camera.training.decks import KEPT_FOR_TESTS, Supply, font_files
from hardware.camera.training.heaps import PLANES, lessons
from hardware.camera.training.train import asked, tell, written

WEIGHTS: Final = Path(__file__).parent.parent / "weights" / "finder.onnx"
_A_PIECE: Final = 240  # scenes in one file
_BATCH: Final = 16

Scenes = tuple[NDArray[np.uint8], NDArray[np.float16]]


def scenes_of(seed: int, count: int, supply: Supply, folder: Path) -> Scenes:
    """Pictures [n, 256, 256, 3] and lessons [n, 64, 64, 7], drawn by two processes; the pieces are kept in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with Pool(2) as pool:
        files = pool.map(partial(_piece, seed, supply, folder), range(count // _A_PIECE), chunksize=1)
    parts = [np.load(f) for f in files]
    return np.concatenate([p["pictures"] for p in parts]), np.concatenate([p["lessons"] for p in parts])


def _piece(seed: int, supply: Supply, folder: Path, number: int) -> Path:
    file = folder / f"tables-{seed}-{number:04}.npz"
    if not file.exists():
        found = lessons(seed * 100_000 + number, _A_PIECE, supply)
        half_written = file.with_suffix(".part.npz")
        np.savez(half_written, pictures=np.stack([s[0] for s in found]), lessons=np.stack([s[1] for s in found]))
        half_written.rename(file)
    return file


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


def fit(drawn: Scenes, epochs: int, seed: int) -> nn.Sequential:
    """The net fitted to the scenes, one-cycle AdamW."""
    torch.manual_seed(seed)
    net = network().to(memory_format=torch.channels_last)
    pictures, lessons = (torch.from_numpy(a) for a in drawn)
    steps = len(pictures) // _BATCH
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=epochs * steps)
    for epoch in range(epochs):
        order, total, started = torch.randperm(len(pictures)), 0.0, time.monotonic()
        for step in range(steps):
            at = order[step * _BATCH : (step + 1) * _BATCH]
            seen, lesson = turned_by(
                pictures[at].permute(0, 3, 1, 2).float().div(255), lessons[at].permute(0, 3, 1, 2).float(),
                int(torch.randint(4, (1,))),
            )  # fmt: skip
            seen = (
                (seen - 0.5) * (0.75 + 0.5 * torch.rand(len(at), 1, 1, 1)) + 0.5 + 0.1 * torch.randn(len(at), 1, 1, 1)
            )
            loss = loss_of(net(seen.contiguous(memory_format=torch.channels_last)), lesson)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        tell({"epoch": epoch, "loss": round(total / steps, 4), "seconds": round(time.monotonic() - started)})
    return net.eval()


def judged(net: nn.Sequential, drawn: Scenes) -> dict[str, float]:
    """Of cells of fonts never trained on: the share of indices found, of findings that are none, and how far off they are."""
    pictures, lessons = (torch.from_numpy(a).permute(0, 3, 1, 2) for a in drawn)
    with torch.no_grad():
        told = torch.cat([net(p.float() / 255) for p in pictures.split(32)])
    counts, there = lessons[:, 0].bool(), lessons[:, 1].bool()
    found = told[:, 0].sigmoid() > 0.3
    off = (told[:, 1:3] - lessons[:, 2:4]).norm(dim=1)[there & found]
    turn = (
        nn.functional.cosine_similarity(told[:, 3:5], lessons[:, 4:6].float(), dim=1)[there & found].clamp(-1, 1).acos()
    )
    size = (told[:, 5] - lessons[:, 6]).abs()[there & found]
    return {"cells": int(there.sum()), "found": float(found[there].float().mean()),
            "none": float((found & counts & ~there).sum() / max(1, int(found.sum()))),
            "corner off, pixels": 4 * float(off.median()), "at nine in ten": 4 * float(off.quantile(0.9)),
            "turned by, degrees": float(turn.median().rad2deg()), "size off": float(size.median())}  # fmt: skip


def main() -> None:
    """Draw, fit, write, judge."""
    said = asked(__doc__, WEIGHTS, photographs=5_280, epochs=7)
    fonts = font_files()
    kept = [f for f in fonts if f.parent.name in KEPT_FOR_TESTS]
    started = time.monotonic()
    drawn = scenes_of(said.seed, said.photographs, Supply([f for f in fonts if f not in kept], said.artwork), said.work)
    tell({"scenes": len(drawn[0]), "seconds": round(time.monotonic() - started)})
    net = fit(drawn, said.epochs, said.seed)
    written(net, said.out, ("picture", ["n", 3, "h", "w"]), ("cells", ["n", PLANES - 1, "h4", "w4"]))
    tell(judged(net, scenes_of(said.seed + 1, 480, Supply(kept, None), said.work / "kept")))
    tell({"seconds": round(time.monotonic() - started)})


if __name__ == "__main__":
    main()
