"""The virtual shoe: a process that stands for a dealing shoe with a reader in its mouth, or for a reader on the felt.

    python -m hardware.simulated.shoe --port-link PATH --deck config/decks/demo-red.toml
    python -m hardware.simulated.shoe --port-link PATH --protocol pn532 --script FAULTS.toml

Commands come as JSON lines on standard input, answers go as JSON lines to standard output (`words`). Which card
slides out is the owner's decision. The process ends when its standard input closes, so it never outlives its owner.

    {"type": "present", "card": "As"}        a card slides over the reader
    {"type": "lay", "card": "As"}            a card is laid down, and stays until {"type": "lift", "card": "As"}

`--protocol` names a device (`devices`); `--script` what goes wrong with it, and when (`script`).
"""

import argparse
import os
import select
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final, assert_never

import msgspec

from dealer_assist.game.errors import BadSetting
from hardware.reader.deck import Deck, load_deck
from hardware.reader.errors import BadDeck
from hardware.simulated.antenna import Antenna
from hardware.simulated.devices import DEVICES, make_device
from hardware.simulated.devices.line import line_frame as line_frame  # noqa: PLC0414 - others find it here
from hardware.simulated.pty_device import PortError, PtyDevice
from hardware.simulated.script import (
    HARMLESS,
    Course,
    DoubleRead,
    FrameFault,
    Ghost,
    MissedCard,
    Script,
    SwappedCards,
    UnknownTag,
    load_script,
)
from hardware.simulated.words import (
    Answer,
    Command,
    Done,
    Lay,
    LayUid,
    Lift,
    LiftUid,
    Present,
    PresentUid,
    Quit,
    Reach,
    Ready,
    Refused,
    Replug,
    SendBadFrame,
    SendBytes,
    Unplug,
)


class Shoe:
    """Carries out commands at an antenna.

    `decks`: the known decks, the first is the one meant when a command names none.
    """

    def __init__(self, antenna: Antenna, decks: Iterable[Deck] = (), script: Script = HARMLESS) -> None:
        self.antenna: Final = antenna
        self._decks: Mapping[str, Deck] = {deck.id: deck for deck in decks}
        self._course = Course(script)
        self._presented = 0
        self._behind: list[tuple[int, bytes]] = []  # tags read behind the card of that number

    def obey(self, command: Command) -> Answer:
        try:
            self._carry_out(command)
        except (PortError, ValueError) as error:
            return Refused(str(error))
        return Done()

    def _carry_out(self, command: Command) -> None:
        match command:
            case Present() | PresentUid():
                self._present(self._uid(command))
            case Lay() | LayUid():
                self.antenna.lay(self._uid(command))
            case Lift() | LiftUid():
                self.antenna.lift(self._uid(command))
            case Reach(point=point):
                self._course.reach(point)
            case SendBytes(data=data):
                self.antenna.send(bytes.fromhex(data))
            case SendBadFrame():
                self.antenna.send_damaged()
            case Unplug() | Quit():
                self.antenna.unplug()
            case Replug():
                self.antenna.plug()
            case _:
                assert_never(command)

    def _uid(self, command: Present | PresentUid | Lay | LayUid | Lift | LiftUid) -> bytes:
        """The UID of the tag that a command is about."""
        if isinstance(command, PresentUid | LayUid | LiftUid):
            return bytes.fromhex(command.uid)
        wanted = next(iter(self._decks), None) if command.deck is None else command.deck
        if wanted is None or wanted not in self._decks:
            raise ValueError(f"no deck {wanted!r}; known: {', '.join(self._decks) or 'none'}")
        return bytes.fromhex(self._decks[wanted].tags[command.card][0])

    def _present(self, uid: bytes) -> None:
        """A card passes, with what the script does to it; then what was to be read behind it."""
        self._presented += 1
        passing = [uid]
        frame_faults: list[FrameFault] = []
        for fault in self._course.befalls_next():
            match fault:
                case MissedCard():
                    passing.clear()
                case DoubleRead(after=after):
                    self._behind.append((self._presented + after, uid))
                case SwappedCards():
                    passing.clear()
                    self._behind.append((self._presented + 1, uid))
                case UnknownTag(uid=other):
                    passing = [bytes.fromhex(other)]
                case Ghost(uid=other):
                    passing.insert(0, bytes.fromhex(other))
                case _:
                    frame_faults.append(fault)
        for at, tag in enumerate(passing, 1):
            self.antenna.pass_over(tag, frame_faults if at == len(passing) else ())
        for due in [due for due in self._behind if due[0] == self._presented]:
            self._behind.remove(due)
            self.antenna.pass_over(due[1])


def serve(shoe: Shoe, commands: int, answers: BinaryIO) -> None:
    """Answers each line of the file `commands` with one line, until Quit or its end; between them the antenna turns."""
    unread = b""
    while True:
        ready, _, _ = select.select([commands], [], [], shoe.antenna.turn_within_s)
        shoe.antenna.turn()
        if not ready:
            continue
        chunk = os.read(commands, 4096)
        if not chunk:
            return
        *lines, unread = (unread + chunk).split(b"\n")
        for line in lines:
            command = obeyed(shoe, line, answers)
            if isinstance(command, Quit):
                return


def obeyed(shoe: Shoe, line: bytes, answers: BinaryIO) -> Command | None:
    """The command of a line, carried out and answered; None where the line is none, which is answered too."""
    try:
        command: Command = msgspec.json.decode(line, type=Command)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        say(answers, Refused(str(error)))
        return None
    say(answers, shoe.obey(command))
    return command


def say(answers: BinaryIO, answer: Answer) -> None:
    answers.write(msgspec.json.encode(answer) + b"\n")
    answers.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m hardware.simulated.shoe", description="A virtual shoe.")
    parser.add_argument("--port-link", type=Path, required=True, help="where the port appears, as a symbolic link")
    parser.add_argument("--deck", type=Path, action="append", default=[], help="a deck file; may be given again")
    parser.add_argument("--repeats", type=int, default=3, help="how often a card that passes is told of")
    parser.add_argument("--protocol", choices=DEVICES, default="line", help="which device it is")
    parser.add_argument("--script", type=Path, help="a file that says what goes wrong, and when")
    options = parser.parse_args(arguments)
    # Ctrl-C goes to the whole group of a terminal; the owner decides when the shoe ends, by closing its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        decks = [load_deck(path) for path in options.deck]
        script = load_script(options.script) if options.script else HARMLESS
        with PtyDevice(options.port_link) as port:
            antenna = Antenna(port, partial(make_device, options.protocol), options.repeats)
            say(sys.stdout.buffer, Ready(str(options.port_link)))
            serve(Shoe(antenna, decks, script), sys.stdin.fileno(), sys.stdout.buffer)
    except (BadDeck, BadSetting, FileExistsError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
