"""A serial device made of a pseudo-terminal: what is behind it can be plugged in and pulled out.

The device holds only the master side. Closing it is a real unplug: the reader's next read fails, and the slave's
name is gone. Holding no slave makes the kernel tell (EIO) whether a reader has the port open at all.

A pyserial reader throws away the port's input when it opens it, so bytes sent a moment too early would vanish. The
master therefore runs in packet mode, in which the kernel reports that throwing away; only after it does the device
send. A reader that closes the port and opens it again between two looks is told of by the kernel's watch on the
port's name. Source: tty_ioctl(4), TIOCPKT; inotify(7), IN_OPEN.
"""

import ctypes
import errno
import fcntl
import os
import struct
import termios
import time
import tty
from pathlib import Path
from types import TracebackType
from typing import Final, Self

_LOOK_AGAIN_S: Final = 0.005
_HANDED_OVER_S: Final = 0.02  # ample for the kernel to hand bytes from one side to the other


class PortError(Exception):
    """The bytes could not be sent: nothing is plugged in, or nobody reads."""


class _Openings:
    """Tells whether a file was opened since this was last asked."""

    _IN_OPEN: Final = 0x20

    def __init__(self, path: str) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self._watch: int = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._watch < 0 or libc.inotify_add_watch(self._watch, path.encode(), self._IN_OPEN) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), path)

    def any(self) -> bool:
        try:
            return bool(os.read(self._watch, 4096))
        except BlockingIOError:
            return False

    def close(self) -> None:
        os.close(self._watch)


class PtyDevice:
    """A device at the path `port_link` (a symbolic link to whatever pseudo-terminal stands for it just now).

    `patience_s`: how long `write` waits for a reader to open the port, and to take the bytes.
    Starts unplugged. For one thread at a time.
    """

    def __init__(self, port_link: Path, patience_s: float = 3.0) -> None:
        self.port_link: Final = port_link
        self._patience_s = patience_s
        self._master: int | None = None
        self._emptied = False  # the reader has opened the port and thrown away its input
        self._heard = b""
        self._openings: _Openings | None = None

    @property
    def plugged(self) -> bool:
        return self._master is not None

    def plug(self) -> None:
        """Opens a new pseudo-terminal and points the link at it; nothing if plugged already.

        Raises: FileExistsError, if something that is no symbolic link stands at the link's path.
        """
        if self._master is not None:
            return
        if self.port_link.exists() and not self.port_link.is_symlink():
            raise FileExistsError(errno.EEXIST, "no symbolic link, so it is left alone", str(self.port_link))
        master, slave = os.openpty()
        tty.setraw(slave)  # bytes arrive as sent; the setting outlives this handle
        name = os.ttyname(slave)
        os.close(slave)
        fcntl.ioctl(master, termios.TIOCPKT, struct.pack("i", 1))
        os.set_blocking(master, False)
        self._emptied, self._heard = False, b""
        self._openings = _Openings(name)
        self._master = master
        fresh = self.port_link.with_name(self.port_link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(name)
        fresh.replace(self.port_link)

    def unplug(self) -> None:
        """Takes the device away, as a pulled plug does: bytes not read yet are gone. Nothing if unplugged already."""
        master, self._master = self._master, None
        openings, self._openings = self._openings, None
        if master is not None and openings is not None:
            self.port_link.unlink(missing_ok=True)
            os.close(master)
            openings.close()

    def is_open(self) -> bool:
        """Whether a reader has the port open just now."""
        return self._master is not None and self._take_notices(self._master)

    def heard(self) -> bytes:
        """What the reader has written since this was last asked."""
        if self._master is not None:
            self._take_notices(self._master)
        heard, self._heard = self._heard, b""
        return heard

    def write(self, data: bytes) -> None:
        """Sends bytes to the reader, waiting until one has opened the port.

        Raises: PortError, if the device is unplugged, or no reader takes the bytes in time.
        """
        if self._master is None:
            raise PortError("the device is unplugged")
        deadline = time.monotonic() + self._patience_s
        self._await_reader(self._master, deadline)
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[os.write(self._master, rest) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise PortError(f"the reader left {len(rest)} bytes untaken") from None
                time.sleep(_LOOK_AGAIN_S)

    def await_taken(self) -> None:
        """Waits until the reader has taken all that was sent. Raises: PortError, if it does not in time."""
        time.sleep(_HANDED_OVER_S)
        deadline = time.monotonic() + self._patience_s
        while self._untaken():
            if time.monotonic() > deadline:
                raise PortError("the reader left bytes untaken")
            time.sleep(_LOOK_AGAIN_S)

    def _untaken(self) -> int:
        """Bytes that wait on the reader's side; only that side can be asked."""
        if self._openings is None:
            return 0
        slave = os.open(self.port_link, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            (waiting,) = struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))
        finally:
            os.close(slave)
            self._openings.any()  # this was no reader
        return int(waiting)

    def _await_reader(self, master: int, deadline: float) -> None:
        while not ((is_open := self._take_notices(master)) and self._emptied):
            if time.monotonic() > deadline:
                if not is_open:
                    raise PortError(f"nobody has opened {self.port_link}")
                self._emptied = True  # a program that opens ports without emptying them (`cat`) reads too
                break
            time.sleep(_LOOK_AGAIN_S)

    def _take_notices(self, master: int) -> bool:
        """Takes what the kernel tells in packet mode, and what the reader wrote, which comes in data packets.

        Gives whether the port is open on the other side.
        """
        packets, is_open = _packets(master)
        heard = b"".join(packet[1:] for packet in packets if packet[0] == termios.TIOCPKT_DATA)
        self._heard += heard
        # Who asks has opened the port, has emptied it, and waits for an answer.
        emptied = bool(heard) or any(packet[0] & termios.TIOCPKT_FLUSHREAD for packet in packets)
        opened = (
            self._openings is not None and self._openings.any()
        )  # asked behind the packets: emptying follows opening
        if opened or emptied or not is_open:
            self._emptied = emptied and is_open
        return is_open

    def __enter__(self) -> Self:
        self.plug()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.unplug()


def _packets(master: int) -> tuple[list[bytes], bool]:
    """What waits at the master side, and whether the other side is open."""
    packets = []
    while True:
        try:
            packets.append(os.read(master, 4096))
        except BlockingIOError:
            return packets, True
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return packets, False
