"""The virtual shoe: a process that stands for a dealing shoe with a line reader in its mouth.

    python -m hardware.simulated.shoe --port-link PATH --deck config/decks/demo-red.toml

Commands come as JSON lines on standard input, answers go as JSON lines to standard output (`words`). Which card
slides out is the owner's decision. The process ends when its standard input closes, so it never outlives its owner.
"""

import argparse
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final, assert_never

import msgspec

from hardware.reader.deck import Deck, load_deck
from hardware.reader.errors import BadDeck
from hardware.simulated.pty_device import PortError, PtyDevice
from hardware.simulated.words import (
    Answer,
    Command,
    Done,
    Present,
    PresentUid,
    Quit,
    Ready,
    Refused,
    Replug,
    SendBadFrame,
    SendBytes,
    Unplug,
)

BAD_FRAME: Final = b"04 06 B9 0\xfd 0A 54\n"  # a line that lost half a byte to a disturbance


def line_frame(uid: bytes) -> bytes:
    """A tag's frame in the line format: `04 06 B9 02 0A 54 81` and a line feed."""
    return uid.hex(" ").upper().encode() + b"\n"


class Shoe:
    """Carries out commands on a device.

    `decks`: the known decks, the first is the one meant when a command names none. A card that lies on the antenna is
    read again and again: its frame is sent `repeats` times, `gap_s` seconds apart.
    """

    def __init__(self, device: PtyDevice, decks: Iterable[Deck] = (), repeats: int = 3, gap_s: float = 0.02) -> None:
        self._device = device
        self._decks: Mapping[str, Deck] = {deck.id: deck for deck in decks}
        self._repeats = repeats
        self._gap_s = gap_s

    def obey(self, command: Command) -> Answer:
        try:
            self._carry_out(command)
        except (PortError, ValueError) as error:
            return Refused(str(error))
        return Done()

    def _carry_out(self, command: Command) -> None:
        match command:
            case Present(card=card, deck=deck_id):
                self._present(self._deck(deck_id).tags[card][0])
            case PresentUid(uid=uid):
                self._present(uid)
            case SendBytes(data=data):
                self._device.write(bytes.fromhex(data))
            case SendBadFrame():
                self._device.write(BAD_FRAME)
            case Unplug() | Quit():
                self._device.unplug()
            case Replug():
                self._device.plug()
            case _:
                assert_never(command)

    def _deck(self, deck_id: str | None) -> Deck:
        wanted = next(iter(self._decks), None) if deck_id is None else deck_id
        if wanted is None or wanted not in self._decks:
            raise ValueError(f"no deck {wanted!r}; known: {', '.join(self._decks) or 'none'}")
        return self._decks[wanted]

    def _present(self, uid: str) -> None:
        frame = line_frame(bytes.fromhex(uid))
        for repeat in range(self._repeats):
            if repeat:
                time.sleep(self._gap_s)
            self._device.write(frame)


def serve(shoe: Shoe, commands: BinaryIO, answers: BinaryIO) -> None:
    """Answers each line of `commands` with one line, until Quit or the end of `commands`."""
    for line in commands:
        command: Command | None = None
        try:
            command = msgspec.json.decode(line, type=Command)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            say(answers, Refused(str(error)))
        else:
            say(answers, shoe.obey(command))
        if isinstance(command, Quit):
            return


def say(answers: BinaryIO, answer: Answer) -> None:
    answers.write(msgspec.json.encode(answer) + b"\n")
    answers.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m hardware.simulated.shoe", description="A virtual shoe.")
    parser.add_argument("--port-link", type=Path, required=True, help="where the port appears, as a symbolic link")
    parser.add_argument("--deck", type=Path, action="append", default=[], help="a deck file; may be given again")
    parser.add_argument("--repeats", type=int, default=3, help="how often a card's frame is sent")
    options = parser.parse_args(arguments)
    # Ctrl-C goes to the whole group of a terminal; the owner decides when the shoe ends, by closing its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        decks = [load_deck(path) for path in options.deck]
        with PtyDevice(options.port_link) as device:
            say(sys.stdout.buffer, Ready(str(options.port_link)))
            serve(Shoe(device, decks, options.repeats), sys.stdin.buffer, sys.stdout.buffer)
    except (BadDeck, FileExistsError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
