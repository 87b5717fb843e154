"""The serial link to one reader: bytes, silence, coming and going. The only importer of `serial`.

A thread of its own opens the port, reads, and after a loss tries again with growing pauses until it is stopped.

When a link counts as online is decided here for readers that only talk: a line reader answers nothing, so there
is no question to ask it, and an empty table must not look like a broken reader. It is online once the port is open
and a first read of it has not failed (a port that opens but is dead fails at its first read). A reader that can be
asked will be online only after its answer.

How pyserial behaves, and what that means here. Source: protocols sheet, "The transport".
- After an unplug `read` raises SerialException, `in_waiting` OSError, `reset_input_buffer` termios.error, and
  `is_open` stays True: any of the three is the end of the port, and `is_open` is never asked.
- `read(n)` that fails on the way drops what it had gathered. So one byte is awaited, and then only what is there.
- Opening a port throws away what was in its input buffer: what was sent before is not seen.
"""

import errno
import itertools
import termios
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeVarTuple

import msgspec
import serial
import structlog

_POLL_S: Final = 0.05  # longest wait inside one read, hence how soon a stop is noticed
_STOP_WITHIN_S: Final = 1.8
_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 2.0

Told = TypeVarTuple("Told")

_LINK_FAULTS: Final = (serial.SerialException, OSError, termios.error)
_BUSY: Final = (errno.EAGAIN, errno.EBUSY)
_FORBIDDEN: Final = (errno.EACCES, errno.EPERM)
_MISSING: Final = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class LinkSettings(msgspec.Struct, frozen=True):
    """`url`: a device path, or any URL that pyserial knows (`hwgrep://VID:PID`, `socket://host:port`).

    `silence_s`: seconds without a byte after which what was received so far is taken as all.
    """

    url: str
    baudrate: int = 9600
    silence_s: float = 0.5


class LinkListener(msgspec.Struct, frozen=True):
    """Who is told what, always from the link's own thread, one call at a time and in order.

    `online`: once at the start and once after each loss. `lost`: once an outage, with the reason in words.
    `received`: bytes, at least one. `silent`: once after each run of bytes.
    """

    received: Callable[[bytes], None]
    silent: Callable[[], None]
    online: Callable[[], None]
    lost: Callable[[str], None]


class SerialLink:
    """A serial port that is kept open as long as it can be. `start` once, `stop` from any thread."""

    def __init__(self, settings: LinkSettings, listener: LinkListener) -> None:
        self._settings = settings
        self._listener = listener
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"link {settings.url}", daemon=True)
        self._log = structlog.get_logger(__name__).bind(url=settings.url)
        self._told_lost = False

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

    def _run(self) -> None:
        pauses = _pauses()
        while not self._stopping.is_set():
            began = time.monotonic()
            reason = self._attempt()
            if self._stopping.is_set():
                return
            if not self._told_lost:
                self._told_lost = True
                self._tell(self._listener.lost, reason)
            if time.monotonic() - began > _LONGEST_PAUSE_S:
                pauses = _pauses()  # it had held: the next try may be quick again
            self._stopping.wait(next(pauses))

    def _attempt(self) -> str:
        """Opens the port and reads it to its end; gives the reason of that end."""
        try:
            port = _open(self._settings)
        except (*_LINK_FAULTS, ValueError) as error:
            return explain_open(self._settings.url, error)
        try:
            self._read(port)
            return "stopped"
        except _LINK_FAULTS as error:
            return f"the connection to {self._settings.url} broke off: check the reader's plug and power ({error})"
        finally:
            self._close(port)

    def _read(self, port: serial.Serial) -> None:
        online = False
        last_byte: float | None = None  # since the last silence
        while not self._stopping.is_set():
            first = port.read(1)
            if not online:
                online = True
                self._told_lost = False
                self._tell(self._listener.online)
            if first:
                self._receive(port, first)
                last_byte = time.monotonic()
            elif last_byte is not None and time.monotonic() - last_byte >= self._settings.silence_s:
                last_byte = None
                self._tell(self._listener.silent)

    def _receive(self, port: serial.Serial, first: bytes) -> None:
        try:
            rest = port.read(port.in_waiting)
        except _LINK_FAULTS:
            self._tell(self._listener.received, first)
            raise
        self._tell(self._listener.received, first + rest)

    def _tell(self, listener: Callable[[*Told], None], *told: *Told) -> None:
        if self._stopping.is_set():
            return
        try:
            listener(*told)
        except Exception:  # noqa: BLE001 - the edge of the link's loop: the fault is made visible, reading goes on
            self._log.exception("a listener failed", told=repr(told))

    def _close(self, port: serial.Serial) -> None:
        try:
            port.close()
        except _LINK_FAULTS as error:
            self._log.warning("closing the port failed", error=str(error))


def explain_open(url: str, error: Exception) -> str:
    """Why a port could not be opened, in words that say what to do."""
    number = error.errno if isinstance(error, OSError) else None
    if number in _BUSY:
        return f"{url} is in use by another program: close that program, or a second copy of this one"
    if number in _FORBIDDEN:
        return f"no permission to use {url}: add this user to the group dialout, then log in again"
    if number in _MISSING or "no ports found" in str(error):  # pyserial's hwgrep:// gives no number
        return f"{url} is not there: plug the reader in, and check its cable and the port's name"
    return f"{url} can't be opened: {error}"


def _open(settings: LinkSettings) -> serial.Serial:
    return serial.serial_for_url(settings.url, baudrate=settings.baudrate, timeout=_POLL_S, exclusive=True)


def _pauses() -> Iterator[float]:
    """Seconds to wait before each further try: quick at first, then ever slower up to a limit."""
    return (min(_FIRST_PAUSE_S * 2**tries, _LONGEST_PAUSE_S) for tries in itertools.count())
