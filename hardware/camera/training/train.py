"""Trains the index reader from scratch: draws the crops, fits the net, writes `weights/index.onnx`.

    python -m hardware.camera.training.train --artwork FOLDER --work FOLDER [--photographs 20000] [--seed 1]

FOLDER holds Adrian Kennard's CC0 cards as PNG (`2color/5H.png` …), rendered from the SVG files of the npm package
@heruka_urgyen/react-playing-cards. No photograph of a real card is used. Needs torch, onnx and pillow.
"""

import argparse
import json
import time
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from hardware.camera.crops import CROP, Pyramid, turned
from hardware.camera.opencv import Image
from hardware.camera.training.decks import KEPT_FOR_TESTS, NO_RANKS, Supply, back, font_files
from hardware.camera.training.faces import RANKS, SUITS
from hardware.camera.training.heaps import samples_in_heaps
from hardware.camera.training.photographs import (
    NO_RANK,
    NO_SUIT,
    Sample,
    guessed,
    photograph,
    samples,
    table,
    through_a_lens,
)

WEIGHTS: Final = Path(__file__).parent.parent / "weights" / "index.onnx"
OUTPUTS: Final = len(RANKS) + 1 + len(SUITS) + 1
_A_DECKS_CARDS: Final = 30  # photographs of each deck drawn

Crops = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]


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
        (pyramid.index(guessed(corners, rng)), RANKS.index(rank), SUITS.index(suit))
        for corners in (shot.corners, turned(shot.corners))
        if lid.index(corners).max() < 20
    ]


def _of_no_card(other: Image, rng: np.random.Generator) -> list[Sample]:
    if rng.random() < 0.6:
        shot = photograph(back(rng), other, rng)
        pyramid = Pyramid(shot.image)
        return [(pyramid.index(guessed(np.roll(shot.corners, n, 0), rng)), NO_RANK, NO_SUIT)
                for n in range(4) if Pyramid(shot.covered).index(np.roll(shot.corners, n, 0)).max() < 20]  # fmt: skip
    bare = table(CROP[1], CROP[0], rng)
    return [(through_a_lens(bare, 300, rng), NO_RANK, NO_SUIT)]


def crops_of(seed: int, photographs: int, supply: Supply, folder: Path) -> Crops:
    """Crops [n, 88, 48, 3], ranks [n], suits [n], drawn by two processes in pieces of 250 photographs, each with its own seed;
    one in five pieces is of cards in fans, rows and heaps.

    The pieces are kept in the folder, so that a run that was cut short goes on where it stood.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Pool(2) as pool:
        files = pool.map(partial(_piece, seed, supply, folder), range(photographs // 250), chunksize=1)
    parts = [np.load(f) for f in files]
    return tuple(np.concatenate([p[name] for p in parts]) for name in ("crops", "ranks", "suits"))  # type: ignore[return-value]


def _piece(seed: int, supply: Supply, folder: Path, number: int) -> Path:
    file = folder / f"{seed}-{number:04}.npz"
    if not file.exists():
        draw = samples_in_heaps if number % 5 == 4 else drawn
        found = draw(seed * 100_000 + number, 250, supply)
        half_written = file.with_suffix(".part.npz")
        np.savez(
            half_written,
            crops=np.stack([s[0] for s in found]),
            ranks=[s[1] for s in found],
            suits=[s[2] for s in found],
        )
        half_written.rename(file)
    return file


def network() -> nn.Sequential:
    """The net: BGR [n, 3, 88, 48], 0…1 → 14 rank and 5 suit scores."""

    def step(into: int, out: int, stride: int) -> list[nn.Module]:
        return [nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU()]

    return nn.Sequential(
        *step(3, 16, 2), *step(16, 24, 2), *step(24, 48, 2), *step(48, 64, 1), *step(64, 96, 2),
        nn.Flatten(), nn.Dropout(0.3), nn.Linear(96 * 6 * 3, 128), nn.ReLU(), nn.Linear(128, OUTPUTS),
    )  # fmt: skip


def loss_of(scores: torch.Tensor, ranks: torch.Tensor, suits: torch.Tensor) -> torch.Tensor:
    """Cross-entropy of both heads, softened a little so that a margin stays meaningful."""
    of = nn.functional.cross_entropy
    return of(scores[:, :14], ranks, label_smoothing=0.01) + of(scores[:, 14:], suits, label_smoothing=0.01)


def fit(crops: Crops, epochs: int, seed: int) -> nn.Sequential:
    """The net fitted to the crops, one-cycle AdamW."""
    torch.manual_seed(seed)
    net = network().to(memory_format=torch.channels_last)
    pictures, ranks, suits = (torch.from_numpy(a) for a in crops)
    batch, steps = 256, len(ranks) // 256
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=epochs * steps)
    for epoch in range(epochs):
        order, total, started = torch.randperm(len(ranks)), 0.0, time.monotonic()
        for step in range(steps):
            at = order[step * batch : (step + 1) * batch]
            seen = pictures[at].permute(0, 3, 1, 2).float().div(255).contiguous(memory_format=torch.channels_last)
            seen = (
                (seen - 0.5) * (0.75 + 0.5 * torch.rand(len(at), 1, 1, 1)) + 0.5 + 0.1 * torch.randn(len(at), 1, 1, 1)
            )
            loss = loss_of(net(seen), ranks[at], suits[at])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        tell({"epoch": epoch, "loss": round(total / steps, 4), "seconds": round(time.monotonic() - started)})
    return net.eval()


def judged(net: nn.Sequential, crops: Crops) -> dict[str, float]:
    """How crops of fonts never trained on are read: right, wrong at all and wrong among the sure ones, as shares."""
    pictures, ranks, suits = (torch.from_numpy(a) for a in crops)
    with torch.no_grad():
        scores = torch.cat([net(p.permute(0, 3, 1, 2).float() / 255) for p in pictures.split(512)])
    sure_rank, rank = scores[:, :14].softmax(1).max(1)
    sure_suit, suit = scores[:, 14:].softmax(1).max(1)
    named, sure = ranks < NO_RANK, (sure_rank > 0.9) & (sure_suit > 0.9)
    called = (rank < NO_RANK) & (suit < NO_SUIT)
    wrong = called & ((rank != ranks) | (suit != suits) & named)
    right = named & (rank == ranks) & (suit == suits)
    return {"crops": len(ranks), "indices": int(named.sum()), "right": float(right.sum() / named.sum()),
            "right and sure": float((right & sure).sum() / named.sum()), "wrong": float(wrong.float().mean()),
            "wrong and sure": float((wrong & sure).float().mean())}  # fmt: skip


Plane = tuple[str, list[int | str]]
"""What goes into a net or comes out of it: its name and its shape, sizes or letters."""


def written(net: nn.Sequential, path: Path, into: Plane, out: Plane) -> None:
    """Write the net as ONNX, each batch norm folded into its convolution."""
    nodes, weights, now = [], [], into[0]
    layers = [m for m in net if not isinstance(m, nn.Dropout)]
    for n, layer in enumerate(layers):
        then = out[0] if n == len(layers) - 1 else f"t{n}"
        if isinstance(layer, nn.Conv2d):
            weights += _constants(n, *_folded(layer, layers[n + 1] if n + 1 < len(layers) else None))
            shape = {"strides": list(layer.stride), "pads": 2 * [int(p) for p in layer.padding],
                     "kernel_shape": list(layer.kernel_size), "dilations": list(layer.dilation)}  # fmt: skip
            nodes.append(helper.make_node("Conv", [now, f"w{n}", f"b{n}"], [then], **shape))
        elif isinstance(layer, nn.Linear):
            weights += _constants(n, layer.weight, layer.bias)
            nodes.append(helper.make_node("Gemm", [now, f"w{n}", f"b{n}"], [then], transB=1))
        elif isinstance(layer, nn.BatchNorm2d):
            continue
        else:
            nodes.append(helper.make_node("Relu" if isinstance(layer, nn.ReLU) else "Flatten", [now], [then]))
        now = then
    ends = [[helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)] for name, shape in (into, out)]
    graph = helper.make_graph(nodes, path.stem, *ends, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path.write_bytes(model.SerializeToString())


def _folded(layer: nn.Conv2d, norm: nn.Module | None) -> tuple[torch.Tensor, torch.Tensor]:
    """A convolution's weight and bias, those of the batch norm behind it, where there is one, folded in."""
    if not isinstance(norm, nn.BatchNorm2d):
        assert layer.bias is not None
        return layer.weight, layer.bias
    assert norm.running_mean is not None
    assert norm.running_var is not None
    gain = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return layer.weight * gain[:, None, None, None], norm.bias - norm.running_mean * gain


def _constants(n: int, weight: torch.Tensor, bias: torch.Tensor) -> list[onnx.TensorProto]:
    return [
        numpy_helper.from_array(t.detach().contiguous().numpy(), f"{kind}{n}")
        for kind, t in (("w", weight), ("b", bias))
    ]


def tell(what: dict[str, float]) -> None:
    """Print a line of a training's record."""
    print(json.dumps(what), flush=True)  # noqa: T201  a training run's output is its record


def asked(about: str | None, weights: Path, photographs: int, epochs: int) -> argparse.Namespace:
    """What a training was asked for on its command line, with these defaults."""
    ask = argparse.ArgumentParser(description=about)
    ask.add_argument("--artwork", type=Path)
    ask.add_argument("--work", type=Path, required=True)
    ask.add_argument("--photographs", type=int, default=photographs)
    ask.add_argument("--epochs", type=int, default=epochs)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--out", type=Path, default=weights)
    torch.set_num_threads(2)
    return ask.parse_args()


def main() -> None:
    """Draw, fit, write, judge."""
    said = asked(__doc__, WEIGHTS, photographs=20_000, epochs=12)
    fonts = font_files()
    kept = [f for f in fonts if f.parent.name in KEPT_FOR_TESTS]
    started = time.monotonic()
    crops = crops_of(said.seed, said.photographs, Supply([f for f in fonts if f not in kept], said.artwork), said.work)
    tell({"fonts": len(fonts) - len(kept), "crops": len(crops[1]), "seconds": round(time.monotonic() - started)})
    net = fit(crops, said.epochs, said.seed)
    written(net, said.out, ("crops", ["n", 3, CROP[1], CROP[0]]), ("scores", ["n", OUTPUTS]))
    tell(
        judged(net, crops_of(said.seed + 1, 1000, Supply(kept, None), said.work / "kept"))
        | {"seconds": round(time.monotonic() - started)}
    )


if __name__ == "__main__":
    main()
