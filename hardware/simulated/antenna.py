"""A simulated reader's antenna, with the port that it talks on: what lies there, what is said of it, what goes wrong."""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, assert_never

from hardware.simulated.devices.device import Device, Said
from hardware.simulated.harm import LASTING, Die, Hold, Pause, Pull, Taken, acts_of
from hardware.simulated.pty_device import PortError, PtyDevice
from hardware.simulated.script import FrameFault

TURN_S: Final = 0.002  # how soon a question is noticed
_PATIENCE_S: Final = 3.0  # how long a card waits to be asked for


class Antenna:
    """One reader on one port. For one thread at a time, which calls `turn` whenever `turn_within_s` have passed.

    `make`: the device as it is when its power comes. A card that passes is told of `repeats` times; a device that
    talks does so every `gap_s` seconds, a device that is asked whenever it is.
    """

    def __init__(self, port: PtyDevice, make: Callable[[], Device], repeats: int = 3, gap_s: float = 0.02) -> None:
        self._port = port
        self._make = make
        self._device = make()
        self._repeats = repeats
        self._gap_s = gap_s
        self._lying: list[bytes] = []
        self._speaks_at = -math.inf
        self._plugs_at = math.inf
        self._held = b""
        self._dead = False

    @property
    def turn_within_s(self) -> float | None:
        """How soon it needs its turn; None while nothing can happen."""
        if self._plugs_at < math.inf or self._device.hears:
            return TURN_S
        return self._gap_s if self._lying else None

    def plug(self) -> None:
        """Its power comes; nothing if it has it."""
        self._plugs_at = math.inf
        if not self._port.plugged:
            self._device, self._held, self._dead = self._make(), b"", False
            self._port.plug()

    def unplug(self) -> None:
        """Its power goes; the tags stay where they are."""
        self._plugs_at = math.inf
        self._port.unplug()

    def lay(self, uid: bytes) -> None:
        """A tag is laid down, and stays. Raises: ValueError, for one that lies there, or that the device can't read."""
        if uid in self._lying:
            raise ValueError(f"{uid.hex().upper()} lies there already")
        self._device.check(uid)
        self._lying.append(uid)
        self._speaks_at = -math.inf

    def lift(self, uid: bytes) -> None:
        """A tag is taken away. Raises: ValueError, for one that does not lie there."""
        if uid not in self._lying:
            raise ValueError(f"{uid.hex().upper()} does not lie there")
        self._lying.remove(uid)

    def turn(self) -> None:
        """Answers what was asked, says what is to be said, puts the plug back when its time has come."""
        if time.monotonic() >= self._plugs_at:
            self.plug()
        with suppress(PortError):  # nobody takes it: then it was said in vain
            if self._port.is_open():
                for said in self._next_said():
                    self._send(said.data, ())

    def pass_over(self, uid: bytes, faults: Sequence[FrameFault] = ()) -> None:
        """A card passes: it lies there until it has been told of, or can't be any more.

        Raises: ValueError, as `lay`; PortError, if nothing is plugged in, nobody reads, or nobody asks.
        """
        if not self._port.plugged:
            raise PortError("the device is unplugged")
        self.lay(uid)
        try:
            self._tell(list(faults))
        finally:
            self.lift(uid)

    def _tell(self, faults: list[FrameFault]) -> None:
        told, deadline = 0, time.monotonic() + _PATIENCE_S
        while not self._dead:
            for said in self._next_said():
                self._send(said.data, faults if said.of_tags else ())
                told += said.of_tags
                if said.of_tags:
                    faults = [fault for fault in faults if isinstance(fault, LASTING)]
                if told >= self._repeats or not self._port.plugged:
                    return
            if time.monotonic() > deadline:
                raise PortError(f"nobody asks {self._port.port_link} for tags")
            time.sleep(TURN_S if self._device.hears else self._gap_s)

    def _next_said(self) -> list[Said]:
        """What the device says now, to what it was asked and by itself."""
        if self._dead:
            self._port.heard()
            return []
        said = self._device.answer(self._port.heard(), self._lying)
        if self._device.talks and time.monotonic() >= self._speaks_at:
            said.append(self._device.speak(self._lying))
            self._speaks_at = time.monotonic() + self._gap_s
        return said

    def send(self, data: bytes) -> None:
        """The device sends these bytes once. Raises: PortError."""
        self._send(data, ())

    def send_damaged(self) -> None:
        """The device sends a damaged frame. Raises: PortError."""
        self._send(self._device.damaged, ())

    def _send(self, frame: bytes, faults: Sequence[FrameFault]) -> None:
        for act in acts_of(frame, faults):
            match act:
                case bytes():
                    self._write(act)
                case Pause(seconds=seconds):
                    time.sleep(seconds)
                case Taken():
                    self._port.await_taken()
                case Hold(data=data):
                    self._held += data
                case Pull(replug_after_s=replug_after_s):
                    self.unplug()
                    self._plugs_at = math.inf if replug_after_s is None else time.monotonic() + replug_after_s
                case Die():
                    self._dead = True
                case _:
                    assert_never(act)

    def _write(self, data: bytes) -> None:
        if data and not self._dead:
            data, self._held = self._held + data, b""
            self._port.write(data)
