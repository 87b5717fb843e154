"""What the trainings of all nets share: layers, drawing in pieces, fitting, writing ONNX, and what they are asked and tell."""

import argparse
import json
import time
from collections.abc import Callable, Mapping
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import nn

from hardware.camera.training.decks import Supply, supplies

Drawn = dict[str, NDArray[Any]]
"""Arrays by name, an example a row."""
Told = Mapping[str, float | list[float]]
"""A line of a training's record."""


def in_pieces(draw: Callable[[int], Drawn], pieces: int, folder: Path, name: str) -> Drawn:
    """What two processes draw, piece by piece, `draw` given each piece's number.

    The pieces are kept in the folder, so that a run that was cut short goes on where it stood.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with Pool(2) as pool:
        files = pool.map(partial(_piece, draw, folder, name), range(pieces), chunksize=1)
    parts = [np.load(f) for f in files]
    return {key: np.concatenate([p[key] for p in parts]) for key in parts[0].files}


def _piece(draw: Callable[[int], Drawn], folder: Path, name: str, number: int) -> Path:
    file = folder / f"{name}-{number:04}.npz"
    if not file.exists():
        half_written = file.with_suffix(".part.npz")
        np.savez(half_written, **draw(number))  # type: ignore[arg-type]
        half_written.rename(file)
    return file


def step(into: int, out: int, stride: int) -> list[nn.Module]:
    """A convolution of 3 × 3, normed and rectified."""
    return [nn.Conv2d(into, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU()]


def fitted(
    network: Callable[[], nn.Sequential],
    loss_at: Callable[[nn.Sequential, torch.Tensor], torch.Tensor],
    examples: int,
    batch: int,
    rate: float,
    said: argparse.Namespace,
) -> nn.Sequential:
    """A new net fitted by one-cycle AdamW up to that rate; `loss_at` gives its loss over examples of those numbers."""
    torch.manual_seed(said.seed)
    net = network().to(memory_format=torch.channels_last)
    steps = examples // batch
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=said.epochs * steps)
    for epoch in range(said.epochs):
        order, total, started = torch.randperm(examples), 0.0, time.monotonic()
        for step in range(steps):
            loss = loss_at(net, order[step * batch : (step + 1) * batch])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        tell({"epoch": epoch, "loss": round(total / steps, 4), "seconds": round(time.monotonic() - started)})
    return net.eval()


def shares(pictures: torch.Tensor) -> torch.Tensor:
    """Pictures [n, h, w, 3], 0…255, as a net takes them: [n, 3, h, w], 0…1."""
    return pictures.permute(0, 3, 1, 2).float().div(255)


def lit(seen: torch.Tensor) -> torch.Tensor:
    """Pictures [n, 3, h, w], each a little brighter or darker, harder or softer."""
    seen = (seen - 0.5) * (0.75 + 0.5 * torch.rand(len(seen), 1, 1, 1)) + 0.5 + 0.1 * torch.randn(len(seen), 1, 1, 1)
    return seen.contiguous(memory_format=torch.channels_last)


Plane = tuple[str, list[int | str]]
"""What goes into a net or comes out of it: its name and its shape, sizes or letters."""


def written(net: nn.Sequential, path: Path, into: Plane, out: Plane) -> None:
    """Write the net as ONNX, each batch norm folded into its convolution, the weights as halves: a net is as good so."""
    nodes: list[onnx.NodeProto] = []
    weights: list[onnx.TensorProto] = []
    now = into[0]
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
    whole = [helper.make_node("Cast", [w.name], [w.name.removeprefix("half_")], to=TensorProto.FLOAT) for w in weights]
    nodes = [*whole, *nodes]
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
        numpy_helper.from_array(t.detach().contiguous().half().numpy(), f"half_{kind}{n}")
        for kind, t in (("w", weight), ("b", bias))
    ]


def tell(what: Told) -> None:
    """Print a line of a training's record."""
    print(json.dumps(dict(what)), flush=True)  # noqa: T201  a training run's output is its record


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


def trained(
    said: argparse.Namespace,
    examples_of: Callable[[int, int, Supply, Path], Drawn],
    fit: Callable[[Drawn, argparse.Namespace], nn.Sequential],
    judged: Callable[[nn.Sequential, Drawn], Told],
    planes: tuple[Plane, Plane],
    kept_photographs: int,
) -> None:
    """Draw, fit, write, judge by so many photographs of fonts that were kept from it; `examples_of` draws them."""
    training, kept = supplies(said.artwork)
    started = time.monotonic()
    examples = examples_of(said.seed, said.photographs, training, said.work)
    count = len(next(iter(examples.values())))
    tell({"fonts": len(training.fonts), "examples": count, "seconds": round(time.monotonic() - started)})
    net = fit(examples, said)
    written(net, said.out, *planes)
    told = judged(net, examples_of(said.seed + 1, kept_photographs, kept, said.work / "kept"))
    tell({**told, "seconds": round(time.monotonic() - started)})
