"""The serial link to one reader: bytes, silence, coming and going. The only importer of `serial`.

A thread of its own finds the port, opens it, reads and writes, and after a loss tries again with growing pauses until
it is stopped.

When a link counts as online is for the dialogue to say. A reader that only talks answers nothing, so there is no
question to ask it, and an empty table must not look like a broken reader: it is online once the port is open and a
first read of it has not failed (a port that opens but is dead fails at its first read). A reader that is asked is
online after its answer; one that falls silent though its port is open is lost as one that is unplugged.

How pyserial behaves, and what that means here. Source: protocols sheet, "The transport".
- After an unplug `read` raises SerialException, `in_waiting` OSError, `reset_input_buffer` termios.error, and
  `is_open` stays True: any of the three is the end of the port, and `is_open` is never asked.
- `read(n)` that fails on the way drops what it had gathered. So one byte is awaited, and then only what is there.
- Opening a port throws away what was in its input buffer: what was sent before is not seen.
- `rfc2217://` refuses a write timeout; elsewhere one keeps a port that takes no bytes from holding the thread.
"""

import errno
import itertools
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol, TypeVarTuple

import msgspec
import serial
import structlog
from serial.tools import list_ports

from hardware.reader.dialogues.dialogue import Dialogue, Listening
from hardware.reader.replay import Player, RecordingEnded, is_replay
from hardware.reader.usb import Device, choose

_POLL_S: Final = 0.05  # longest wait inside one read, hence how soon a stop is noticed
_DIALOGUE_POLL_S: Final = 0.01  # the same where something may be due to be sent
_WRITE_WITHIN_S: Final = 0.3
_STOP_WITHIN_S: Final = 1.8
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0
_BY_ID: Final = Path("/dev/serial/by-id")

Told = TypeVarTuple("Told")

_LINK_FAULTS: Final = (serial.SerialException, OSError, termios.error)
_BUSY: Final = (errno.EAGAIN, errno.EBUSY)
_FORBIDDEN: Final = (errno.EACCES, errno.EPERM)
_MISSING: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class LinkSettings(msgspec.Struct, frozen=True):
    """`url`: a device path, any URL that pyserial knows (`socket://host:port`), or `replay://FILE`.

    `usb`: in place of it, `VID:PID` or `VID:PID:serial` of the device. `silence_s`: seconds without a byte after which
    what was received so far is taken as all.
    """

    url: str = ""
    baudrate: int = 9600
    silence_s: float = 0.5
    usb: str | None = None

    @property
    def place(self) -> str:
        """The device's name in words to a person."""
        return self.url if self.usb is None else f"USB device {self.usb}"


class LinkListener(msgspec.Struct, frozen=True):
    """Who is told what, always from the link's own thread, one call at a time and in order.

    `online`: once at the start and once after each loss. `lost`: once an outage, with the reason in words.
    `received`: bytes, at least one, and when. `silent`: once after each run of bytes. `sent`: what the dialogue sent.
    """

    received: Callable[[bytes, float], None]
    silent: Callable[[], None]
    online: Callable[[], None]
    lost: Callable[[str], None]
    sent: Callable[[bytes], None] = lambda _: None


class Port(Protocol):
    """What the link needs of an open port."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int, /) -> bytes: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


Clock = Callable[[], float]


class SerialLink:
    """A serial port that is kept open as long as it can be. `start` once, `stop` from any thread."""

    def __init__(self, settings: LinkSettings, listener: LinkListener, dialogue: Dialogue | None = None) -> None:
        self._settings = settings
        self._listener = listener
        self._dialogue: Dialogue = Listening() if dialogue is None else dialogue
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"link {settings.place}", daemon=True)
        self._log = structlog.get_logger(__name__).bind(port=settings.place)
        self._online = False
        self._told_lost = False
        self._open = self._opener()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the link and closes its port; returns within 2 s, and nothing more is told after it.

        A port that takes longer to open (a network address that does not answer) is closed when it does.
        """
        self._stopping.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(_STOP_WITHIN_S)
            if self._thread.is_alive():
                self._log.warning("link still busy after stop")

    def wait(self, seconds: float) -> bool:
        """Waits for the link's end, which comes by `stop` or with the end of a recording; whether it has come."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _opener(self) -> Callable[[], tuple[Port, Clock]]:
        poll_s = _POLL_S if isinstance(self._dialogue, Listening) else _DIALOGUE_POLL_S
        if is_replay(self._settings.url):
            return Player(self._settings.url, poll_s, self._stopping).open
        return lambda: (_open(self._settings, poll_s), time.monotonic)

    def _run(self) -> None:
        pauses = _pauses()
        ended = False
        while not (ended or self._stopping.is_set()):
            try:
                reason = self._attempt()
            except RecordingEnded as end:
                reason, ended = str(end), True
            if self._online:
                pauses = _pauses()  # it had held: the next try may be quick again
            self._online = False
            if not self._told_lost:
                self._told_lost = True
                self._tell(self._listener.lost, reason)
            if not ended:
                self._stopping.wait(next(pauses))

    def _attempt(self) -> str:
        """Opens the port and talks over it to its end; gives the reason of that end."""
        try:
            port, clock = self._open()
        except Exception as error:  # noqa: BLE001 - the edge of the link's loop: whatever a URL's handler raises is told
            return explain_open(self._settings.place, error)
        try:
            return self._talk(port, clock)
        except serial.SerialTimeoutException:
            return f"{self._settings.place} takes no bytes: check the reader's plug and power"
        except _LINK_FAULTS as error:
            return f"the connection to {self._settings.place} broke off: check the reader's plug and power ({error})"
        finally:
            self._close(port)

    def _talk(self, port: Port, clock: Clock) -> str:
        last_byte: float | None = None  # since the last silence
        self._write(port, self._dialogue.opening(clock()))
        while not self._stopping.is_set():
            first = port.read(1)
            if first:
                self._receive(port, first, clock)
                last_byte = clock()
            elif last_byte is not None and clock() - last_byte >= self._settings.silence_s:
                last_byte = None
                self._tell(self._listener.silent)
            self._notice_online()
            if self._dialogue.fault is not None:
                return f"the reader at {self._settings.place} {self._dialogue.fault}"
            self._write(port, self._dialogue.due(clock()))
        self._write(port, self._dialogue.closing())
        return "stopped"

    def _receive(self, port: Port, first: bytes, clock: Clock) -> None:
        try:
            rest = port.read(port.in_waiting)
        except _LINK_FAULTS:
            self._tell(self._listener.received, first, clock())
            self._notice_online()
            raise
        self._tell(self._listener.received, first + rest, clock())

    def _write(self, port: Port, data: bytes | None) -> None:
        if data:
            port.write(data)
            self._tell(self._listener.sent, data)

    def _notice_online(self) -> None:
        if self._dialogue.online and not self._online:
            self._online = True
            self._told_lost = False
            self._tell(self._listener.online)

    def _tell(self, listener: Callable[[*Told], None], *told: *Told) -> None:
        if self._stopping.is_set():
            return
        try:
            listener(*told)
        except Exception:  # noqa: BLE001 - the edge of the link's loop: the fault is made visible, reading goes on
            self._log.exception("a listener failed", told=repr(told))

    def _close(self, port: Port) -> None:
        try:
            port.close()
        except _LINK_FAULTS as error:
            self._log.warning("closing the port failed", error=str(error))


def explain_open(place: str, error: Exception) -> str:
    """Why a port could not be opened, in words that say what to do."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _BUSY:
        return f"{place} is in use by another program: close that program, or a second copy of this one"
    if number in _FORBIDDEN:
        return f"no permission to use {place}: add this user to the group dialout, then log in again"
    if number in _MISSING or "no ports found" in str(error):  # pyserial's hwgrep:// gives no number
        return f"{place} is not there: plug the reader in, and check its cable and the port's name"
    return f"{place} can't be opened: {error}"


def devices() -> list[Device]:
    """The serial devices that are plugged in, in the order of their paths."""
    links = {str(link.resolve()): str(link) for link in sorted(_BY_ID.glob("*"))} if _BY_ID.is_dir() else {}
    found = [
        Device(
            path=port.device,
            by_id=links.get(str(Path(port.device).resolve())),
            vid=port.vid,
            pid=port.pid,
            serial=port.serial_number,
            description=port.description if port.description != "n/a" else port.device,
        )
        for port in list_ports.comports()
    ]
    return sorted(found, key=lambda device: device.path)


def _open(settings: LinkSettings, poll_s: float) -> serial.Serial:
    url = settings.url if settings.usb is None else choose(settings.usb, devices())
    write_within_s = None if url.lower().startswith("rfc2217://") else _WRITE_WITHIN_S
    return serial.serial_for_url(
        url, baudrate=settings.baudrate, timeout=poll_s, write_timeout=write_within_s, exclusive=True
    )


def _pauses() -> Iterator[float]:
    """Seconds to wait before each further try: quick at first, then ever slower up to a limit."""
    return (min(_FIRST_PAUSE_S * 2**tries, _LONGEST_PAUSE_S) for tries in itertools.count())
