"""Cards read from drawn pictures: how long, how many and how many wrong, beside the classical way, as there are more of them."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from hardware.camera import opencv
from hardware.camera.opencv import Image
from hardware.camera.recogniser import Recogniser
from tests.bench.classical import Classical
from tests.bench.figures import Figure, best_of, percentile
from tests.hardware.camera.judging import judged
from tests.hardware.camera.scenes import Scene, Seen, drawn_lens, laid_out
from tests.hardware.camera.tables import DESIGNS
from tests.served import COMMAND

SIZE: Final = (1280, 720)
CARD_PX: Final = 72.0  # a card's width
COUNTS: Final = (0, 1, 5, 10, 25)
PICTURES: Final = 24  # of each count, a quarter of them of each deck
TARGET_MS: Final = 60.0

Picture = tuple[Scene, Image]


def camera_figures() -> Iterator[Figure]:
    """Cards that lie apart, then a table's hands fanned, and the command from its start."""
    recogniser = Recogniser()
    classical = {design: Classical(design) for design in DESIGNS}
    for count in COUNTS:
        yield from _figures(f"{count} cards", _pictures(["single"] * 2000, count), recogniser, classical)
    yield from _figures("5 hands fanned", _pictures(["fan"] * 600, 25), recogniser, classical)
    yield from _from_the_start(next(_pictures(["single"] * 2000, 10))[1])


def _pictures(groups: list[str], count: int) -> Iterator[Picture]:
    rng = np.random.default_rng(count)
    for n in range(PICTURES):
        lens = drawn_lens("plain", 1.4 * CARD_PX, SIZE, rng)
        scene = laid_out(DESIGNS[n % len(DESIGNS)], groups, SIZE, lens, rng, count)
        [image] = scene.pictures(1, rng)
        yield scene, image


def _figures(
    name: str, pictures: Iterator[Picture], recogniser: Recogniser, classical: dict[str, Classical]
) -> Iterator[Figure]:
    ours: list[float] = []
    theirs: list[float] = []
    right: dict[str, int] = {"ours": 0, "theirs": 0}
    wrong: dict[str, int] = {"ours": 0, "theirs": 0}
    there = 0
    for scene, image in pictures:
        there += sum(laid.seen is not Seen.hidden for laid in scene.laid)
        for who, read, taken in (
            (
                "ours",
                partial(recogniser.recognise, card_size=(CARD_PX, 1.4 * CARD_PX)),
                ours,
            ),  # as a table's camera knows it
            ("theirs", classical[scene.design].recognise, theirs),
        ):
            started = time.process_time()
            reading = read(image)
            taken.append((time.process_time() - started) * 1000)
            found = judged(reading, scene)
            right[who] += len(found.read)
            wrong[who] += len(found.wrong)
    note = f"{right['ours']} of {there} cards read, {wrong['ours']} wrong"
    yield Figure(f"picture read, {name}, median", round(statistics.median(ours), 1), "ms", TARGET_MS, note=note)
    yield Figure(f"picture read, {name}, p95", round(percentile(ours, 0.95), 1), "ms")
    note = f"{right['theirs']} of {there} cards read, {wrong['theirs']} wrong"
    yield Figure(f"the same by contours and templates, {name}", round(statistics.median(theirs), 1), "ms", note=note)


_PEAK: Final = """
import sys
from pathlib import Path
from hardware.camera import opencv
from hardware.camera.recogniser import Recogniser

image, reader = opencv.read_image(Path(sys.argv[1])), Recogniser()
for _ in range(5):
    reader.recognise(image)
status = Path("/proc/self/status").read_text().splitlines()
print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def _from_the_start(image: Image) -> Iterator[Figure]:
    """From the command's start to a picture's answer, and the memory of a process that reads pictures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder) / "table.png"
        path.write_bytes(opencv.encoded(image, ".png"))
        command = [str(COMMAND), "recognise", str(path)]
        seconds = best_of(3, lambda: subprocess.run(command, check=True, capture_output=True))
        peak = subprocess.run([sys.executable, "-c", _PEAK, path], check=True, capture_output=True, text=True)
    yield Figure("recognise, from the command to one picture's answer", round(seconds, 2), "s")
    yield Figure("recognise, most memory", round(int(peak.stdout) / 1024), "MiB")
