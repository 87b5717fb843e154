"""`dealer-assist recognise`: the cards in pictures, videos and before cameras."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
import msgspec
import numpy as np

from dealer_assist.cli.errors import UnusableInput
from hardware.camera import opencv
from hardware.camera.opencv import Image, Points
from hardware.camera.reading import Reading
from hardware.camera.recogniser import Recogniser

_DEVICE: Final = re.compile(r"/dev/video\d+|\d+")

Corners = list[list[float]]


class Card(msgspec.Struct, frozen=True):
    """A card read."""

    card: str
    confidence: float
    corners: Corners


class Doubt(msgspec.Struct, frozen=True):
    """A card seen and not read, its likeliest names first."""

    candidates: list[str]
    confidence: float
    corners: Corners


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one picture shows; `frame`, from 0, where it is one of a video's."""

    file: str
    cards: list[Card]
    unsure: list[Doubt]
    ms: float
    frame: int = -1


class Unreadable(Exception):
    """A source that holds no picture."""


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="IMAGE|FOLDER|VIDEO|DEVICE…")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
def recognise(sources: tuple[str, ...], as_json: bool) -> int:
    """Read the playing cards in pictures: files, folders of them (in the order of their names), videos, and cameras (a
    number, or /dev/videoN), whose frames are read one by one until they end.

    A card is read only where nothing speaks against it; one that is seen but not certain is told with two candidates.
    Exit 1 where some of the files can't be read, 2 where none can.
    """
    reader = Recogniser()
    faults, answered = [], False
    for source in _files(sources):
        try:
            for frame, image in _pictures(source):
                answer = _answer(source, frame, reader.recognise(image))
                sys.stdout.write((msgspec.json.encode(answer).decode() if as_json else _plain(answer)) + "\n")
                sys.stdout.flush()  # what reads this may wait for a camera's next frame
                answered = True
        except Unreadable as unreadable:
            faults.append(str(unreadable))
    if faults and not answered:
        raise UnusableInput("; ".join(faults))
    for fault in faults:
        click.echo(f"dealer-assist: {fault}", err=True)
    return 1 if faults else 0


def _files(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        if Path(source).is_dir():
            inside = sorted(p for p in Path(source).iterdir() if p.suffix.lower() in opencv.PICTURES)
            if not inside:
                raise UnusableInput(f"{source}: expected a folder with pictures, found none")
            yield from map(str, inside)
        else:
            yield source


def _pictures(source: str) -> Iterator[tuple[int, Image]]:
    """The pictures of a source with their numbers; -1 for a lone picture. Raises: Unreadable."""
    path = Path(source)
    if _DEVICE.fullmatch(source) and not path.is_file():
        frames = opencv.video_frames(int(source.removeprefix("/dev/video")))
        if frames is None:
            raise Unreadable(f"{source}: expected a camera, found none that opens")
        yield from enumerate(frames)
        return
    if path.suffix.lower() in opencv.PICTURES:
        yield -1, _picture(path)
        return
    frames = opencv.video_frames(source) if path.is_file() else None
    if frames is None:
        raise Unreadable(
            f"{source}: expected a picture, a video or a camera, found {'another file' if path.exists() else 'none'}"
        )
    yield from enumerate(frames)


def _picture(path: Path) -> Image:
    try:
        image = opencv.read_image(path)
    except OSError as error:
        raise Unreadable(f"{path}: expected a readable file, found: {error.strerror or error}") from None
    if image is None:
        raise Unreadable(f"{path}: expected a picture, found none in it")
    return image


def _answer(file: str, frame: int, reading: Reading) -> Answer:
    return Answer(
        file=file,
        cards=[Card(c.card.value, round(c.confidence, 3), _rounded(c.corners)) for c in reading.cards],
        unsure=[
            Doubt([c.value for c in u.candidates], round(u.confidence, 3), _rounded(u.corners)) for u in reading.unsure
        ],
        ms=round(reading.ms, 1),
        frame=frame,
    )


def _rounded(corners: Points) -> Corners:
    found: Corners = np.round(corners.astype(np.float64), 1).tolist()
    return found


def _plain(answer: Answer) -> str:
    place = answer.file if answer.frame < 0 else f"{answer.file} {answer.frame}"
    read = " ".join(c.card for c in answer.cards) or "no card"
    doubts = "".join(f", unsure {' or '.join(d.candidates)}" for d in answer.unsure)
    return f"{place}: {read}{doubts} ({answer.ms:.0f} ms)"
