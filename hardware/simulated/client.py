"""The owner's side of a virtual shoe: starts the process and tells it what slides out."""

import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self, assert_never, cast

import msgspec

from dealer_assist.game.cards import Card
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
    Reach,
    Ready,
    Refused,
    Replug,
    SendBadFrame,
    SendBytes,
    Unplug,
)

_ANSWER_WITHIN_S: Final = 10.0
_END_WITHIN_S: Final = 5.0


class ShoeError(Exception):
    """The shoe refused a command, or its process is gone or silent."""


class VirtualShoe:
    """A virtual shoe in a process of its own, with its port at `port_link`. Ready for use once made.

    `decks`: deck files; the first is the one meant where a command names none. `repeats`: frames a card, or answers
    that tell of it. `protocol`: a device by its name in `hardware.simulated.devices`. `script`: a fault script's file.
    Each command returns when its bytes are handed to the port. Commands may come from any thread.
    Raises: ShoeError, here and from each command.
    """

    def __init__(
        self,
        port_link: Path,
        decks: Sequence[Path] = (),
        repeats: int = 3,
        *,
        protocol: str = "line",
        script: Path | None = None,
    ) -> None:
        self.port_link: Final = port_link
        program = [sys.executable, "-m", "hardware.simulated.shoe", "--port-link", str(port_link)]
        options = ["--repeats", str(repeats), "--protocol", protocol]
        options += [option for deck in decks for option in ("--deck", str(deck))]
        options += ["--script", str(script)] if script is not None else []
        self._process = subprocess.Popen([*program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self._stdin = cast("IO[bytes]", self._process.stdin)  # both are there, being asked for as pipes
        self._stdout = cast("IO[bytes]", self._process.stdout)
        self._lock = threading.Lock()  # one command, one answer
        self._unread = b""
        try:
            self._answer()
        except ShoeError:
            self.close()
            raise

    def present(self, card: Card, deck: str | None = None) -> None:
        """A card of the deck of this id slides over the reader."""
        self._ask(Present(card, deck))

    def present_uid(self, uid: str) -> None:
        """A tag of this UID (hex) slides over the reader."""
        self._ask(PresentUid(uid))

    def lay(self, card: Card, deck: str | None = None) -> None:
        """A card is laid down before the antenna, and stays."""
        self._ask(Lay(card, deck))

    def lay_uid(self, uid: str) -> None:
        """A tag of this UID (hex) is laid down, and stays."""
        self._ask(LayUid(uid))

    def lift(self, card: Card, deck: str | None = None) -> None:
        """A card that lies there is taken away."""
        self._ask(Lift(card, deck))

    def lift_uid(self, uid: str) -> None:
        """A tag that lies there is taken away."""
        self._ask(LiftUid(uid))

    def reach(self, point: str) -> None:
        """What the fault script names at this point befalls the next card."""
        self._ask(Reach(point))

    def send_bytes(self, data: bytes) -> None:
        self._ask(SendBytes(data.hex()))

    def send_bad_frame(self) -> None:
        self._ask(SendBadFrame())

    def unplug(self) -> None:
        self._ask(Unplug())

    def replug(self) -> None:
        self._ask(Replug())

    def close(self) -> None:
        """Ends the process, after a command in progress; nothing if ended already."""
        with self._lock:
            self._stdin.close()
            try:
                self._process.wait(_END_WITHIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._stdout.close()

    def _ask(self, command: Command) -> None:
        with self._lock:
            try:
                self._stdin.write(msgspec.json.encode(command) + b"\n")
            except (OSError, ValueError) as error:  # ValueError: closed by `close`
                raise ShoeError(f"the shoe's process is gone ({error})") from None
            answer = self._answer()
        match answer:
            case Done() | Ready():
                return
            case Refused(reason=reason):
                raise ShoeError(reason)
            case _:
                assert_never(answer)

    def _answer(self) -> Answer:
        deadline = time.monotonic() + _ANSWER_WITHIN_S
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self._process.kill()  # a late answer would be taken for the next command's
                raise ShoeError("the shoe does not answer")
            chunk = os.read(self._stdout.fileno(), 4096)
            if not chunk:
                raise ShoeError("the shoe's process has ended")
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        answer: Answer = msgspec.json.decode(line, type=Answer)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
