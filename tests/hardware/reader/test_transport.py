"""The link over whatever pyserial opens: sockets, RFC 2217, spy, loop, and USB devices found by what they are."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
import serial
import serial.rfc2217
from serial.tools import list_ports

from hardware.reader.dialogues import make_dialogue
from hardware.reader.dialogues.dialogue import Dialogue
from hardware.reader.errors import BadSettings
from hardware.reader.link import LinkListener, LinkSettings, SerialLink, devices
from hardware.reader.usb import Device, check_usb, choose
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import wait_until

pytestmark = [
    pytest.mark.timeout(20),
    pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning"),  # pyserial's RFC 2217 client
]

FRAME: Final = b"04A1B2C3D4E5F6\r\n"


class Told:
    """Remembers what a link tells."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.reasons: list[str] = []
        self.data = self.sent = b""
        self.chunks: list[bytes] = []
        self.listener = LinkListener(
            received=self.received, silent=lambda: None, online=lambda: self.events.append("online"),
            lost=self.lost, sent=self.note_sent,
        )  # fmt: skip

    def received(self, chunk: bytes, now: float) -> None:
        self.data += chunk
        self.chunks.append(chunk)

    def note_sent(self, data: bytes) -> None:
        self.sent += data

    def lost(self, reason: str) -> None:
        self.events.append("lost")
        self.reasons.append(reason)

    def wait_for(self, *events: str) -> None:
        wait_until(lambda: self.events == list(events), 8)


@contextmanager
def running(settings: LinkSettings, told: Told, dialogue: Dialogue | None = None) -> Iterator[SerialLink]:
    link = SerialLink(settings, told.listener, dialogue)
    link.start()
    try:
        yield link
    finally:
        began = time.monotonic()
        link.stop()
        assert time.monotonic() - began < 2


class Server:
    """A reader at the other end of a TCP connection; one caller at a time."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.heard = b""
        self.connection: socket.socket | None = None

    def accept(self) -> socket.socket:
        self._listening.settimeout(8)
        self.connection, _ = self._listening.accept()
        return self.connection

    def hang_up(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def close(self) -> None:
        self.hang_up()
        self._listening.close()


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.close()


def test_bytes_come_over_a_socket_whole_though_it_tells_only_that_some_wait(server: Server) -> None:
    told = Told()
    with running(LinkSettings(f"socket://127.0.0.1:{server.port}"), told):
        connection = server.accept()
        told.wait_for("online")
        connection.sendall(FRAME * 20)
        wait_until(lambda: told.data == FRAME * 20)
    assert max(map(len, told.chunks)) <= 2  # `in_waiting` of a socket is 0 or 1


def test_a_socket_that_hangs_up_is_one_loss_and_one_coming_back(server: Server) -> None:
    told = Told()
    with running(LinkSettings(f"socket://127.0.0.1:{server.port}"), told):
        server.accept()
        told.wait_for("online")
        server.hang_up()
        told.wait_for("online", "lost")
        server.accept().sendall(b"")
        told.wait_for("online", "lost", "online")


def test_a_socket_that_refuses_is_one_loss_with_a_reason(server: Server) -> None:
    server.close()
    told = Told()
    with running(LinkSettings(f"socket://127.0.0.1:{server.port}"), told):
        told.wait_for("lost")
        time.sleep(0.3)
    assert told.events == ["lost"]
    assert "refused" in told.reasons[0]


def test_stop_returns_within_two_seconds_from_an_address_that_never_answers() -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:  # more than it lets wait: who calls next is left without an answer
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        link = SerialLink(LinkSettings(f"socket://127.0.0.1:{full.getsockname()[1]}"), Told().listener)
        link.start()
        time.sleep(0.2)
        began = time.monotonic()
        link.stop()
        assert time.monotonic() - began < 2
        assert not link.wait(0)  # the call itself can't be cut short, and tells nobody how it ends
        for each in waiting:
            each.close()


@pytest.mark.parametrize(
    "url", ["socket://127.0.0.1", "socket://127.0.0.1:99999", "socket://127.0.0.1:1?speed=9", "rfc2217://"]
)
def test_an_address_that_pyserial_can_not_read_is_one_loss_and_the_link_lives_on(url: str) -> None:
    told = Told()
    with running(LinkSettings(url), told) as link:
        told.wait_for("lost")
        assert not link.wait(0.15)  # it goes on trying


class SharedPort(serial.Serial):
    """A port without modem lines, as a pseudo-terminal is one."""

    cts = dsr = ri = cd = False

    def _update_dtr_state(self) -> None: ...
    def _update_rts_state(self) -> None: ...


class Rfc2217Server(Server):
    """A port shared over RFC 2217: pyserial's own server side, in front of a port of its own.

    Source: pyserial, `PortManager`.
    """

    def __init__(self, shared: Path) -> None:
        super().__init__()
        self._port = SharedPort(str(shared), timeout=0.02)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def write(self, data: bytes) -> None:
        if self.connection is not None:
            with suppress(OSError):
                self.connection.sendall(data)

    def _serve(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError):
                self._talk(self.accept())
            self.hang_up()

    def _talk(self, connection: socket.socket) -> None:
        connection.settimeout(0.02)
        manager = serial.rfc2217.PortManager(self._port, self)  # type: ignore[arg-type]
        while not self._ended.is_set():
            with suppress(TimeoutError):
                data = connection.recv(1024)
                if not data:
                    return
                self._port.write(b"".join(manager.filter(data)))
            self.write(b"".join(manager.escape(self._port.read(self._port.in_waiting))))

    def close(self) -> None:
        self._ended.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join(10)
        super().close()
        self._port.close()


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    with PtyDevice(tmp_path / "port") as device:
        yield device


@pytest.fixture
def shared(device: PtyDevice) -> Iterator[Rfc2217Server]:
    server = Rfc2217Server(device.port_link)
    yield server
    server.close()


def test_bytes_come_over_rfc2217_unchanged_and_go_back(device: PtyDevice, shared: Rfc2217Server) -> None:
    told = Told()
    settings = LinkSettings(f"rfc2217://127.0.0.1:{shared.port}", baudrate=57600)
    with running(settings, told, make_dialogue("uhfreader18", 30)):
        wait_until(lambda: told.sent != b"", 8)
        device.write(bytes(range(256)) + FRAME)
        wait_until(lambda: told.data == bytes(range(256)) + FRAME)


def test_an_rfc2217_server_that_goes_away_is_one_loss(device: PtyDevice, shared: Rfc2217Server) -> None:
    told = Told()
    with running(LinkSettings(f"rfc2217://127.0.0.1:{shared.port}"), told):
        told.wait_for("online")
        assert shared.connection is not None
        shared.connection.shutdown(socket.SHUT_RDWR)
        wait_until(lambda: told.events[:2] == ["online", "lost"], 8)
        wait_until(lambda: told.events == ["online", "lost", "online"], 8)


def test_rfc2217_refuses_a_write_timeout(shared: Rfc2217Server) -> None:
    """What the link is built on; should pyserial change, this says so first."""
    with pytest.raises(NotImplementedError, match="write_timeout"):
        serial.serial_for_url(f"rfc2217://127.0.0.1:{shared.port}", write_timeout=1)


def test_a_port_can_be_spied_on(device: PtyDevice, capsys: pytest.CaptureFixture[str]) -> None:
    told = Told()
    with running(LinkSettings(f"spy://{device.port_link}"), told):
        told.wait_for("online")
        device.write(FRAME)
        wait_until(lambda: told.data == FRAME)
    assert "RX" in capsys.readouterr().err


def test_a_loop_hears_what_is_sent_and_is_no_reader() -> None:
    told = Told()
    with running(LinkSettings("loop://"), told, make_dialogue("twn4")):
        told.wait_for("lost")
    assert told.data.startswith(b"050010\r")
    assert "does not answer" in told.reasons[0]
    talking = Told()
    with running(LinkSettings("loop://"), talking):
        talking.wait_for("online")


def test_a_port_that_takes_no_bytes_is_lost_and_holds_nobody_up(server: Server) -> None:
    class Flooding:
        """A dialogue with more to say than any buffer holds."""

        online, fault = True, None

        def opening(self, now: float) -> bytes:
            return bytes(1 << 24)

        def due(self, now: float) -> bytes | None:
            return None

        def heard(self, message: object, now: float) -> None: ...

        def closing(self) -> bytes:
            return b""

    told = Told()
    with running(LinkSettings(f"socket://127.0.0.1:{server.port}"), told, Flooding()):
        server.accept()
        told.wait_for("lost")
    assert "takes no bytes" in told.reasons[0]


# --- USB ----------------------------------------------------------------------------------------------------------

FTDI: Final = Device(path="/dev/ttyUSB0", vid=0x0403, pid=0x6001, serial="A50285BI", description="FT232R")
TWIN: Final = Device(path="/dev/ttyUSB1", vid=0x0403, pid=0x6001, serial="A50285BJ")
BARE: Final = Device(path="/dev/ttyACM0", vid=0x1A86, pid=0x7523)
PLUGGED: Final = (FTDI, TWIN, BARE)


@pytest.mark.parametrize(
    ("usb", "path"),
    [("0403:6001:A50285BI", FTDI.path), ("0403:6001:A50285BJ", TWIN.path), ("1a86:7523", BARE.path)],
)
def test_a_usb_device_is_found_by_what_it_is_not_by_its_number(usb: str, path: str) -> None:
    assert choose(usb, PLUGGED) == choose(usb, reversed(PLUGGED)) == path


def test_a_usb_device_that_is_not_there_or_is_one_of_two_is_not_guessed() -> None:
    with pytest.raises(OSError, match="among the 2 of this kind"):
        choose("0403:6001:OTHER", PLUGGED)
    with pytest.raises(OSError, match="no such device"):
        choose("0403:6015", PLUGGED)
    with pytest.raises(OSError, match=r"fits 2 devices \(0403:6001:A50285BI, 0403:6001:A50285BJ\): add the serial"):
        choose("0403:6001", PLUGGED)


@pytest.mark.parametrize("usb", ["", "0403", "403:6001", "0403:6001:", "wxyz:6001", "0403-6001"])
def test_a_usb_name_that_is_none_is_refused(usb: str) -> None:
    with pytest.raises(BadSettings, match='usb: expected "VID:PID" or "VID:PID:serial"'):
        check_usb(usb)


def plug_in(monkeypatch: pytest.MonkeyPatch, *plugged: Device) -> None:
    """What the operating system lists, in pyserial's words."""
    ports = [
        SimpleNamespace(
            device=each.path,
            vid=each.vid,
            pid=each.pid,
            serial_number=each.serial,
            description=each.description or "n/a",
        )
        for each in plugged
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: ports)


def test_a_usb_device_is_looked_for_at_each_opening(device: PtyDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    plug_in(monkeypatch, TWIN)
    with running(LinkSettings(usb=FTDI.usb), told):
        told.wait_for("lost")
        plug_in(monkeypatch, TWIN, Device(path=str(device.port_link), vid=0x0403, pid=0x6001, serial="A50285BI"))
        told.wait_for("lost", "online")
        device.write(FRAME)
        wait_until(lambda: told.data == FRAME)
    assert told.reasons[0].startswith("USB device 0403:6001:A50285BI is not there: plug the reader in")


def test_two_alike_are_one_loss_that_asks_for_the_serial_number(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told()
    plug_in(monkeypatch, FTDI, TWIN)
    with running(LinkSettings(usb="0403:6001"), told):
        told.wait_for("lost")
    assert "add the serial number" in told.reasons[0]


def test_what_is_plugged_in_is_listed_in_the_order_of_its_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch, TWIN, FTDI, Device(path="/dev/ttyS0"))
    assert [device.path for device in devices()] == ["/dev/ttyS0", "/dev/ttyUSB0", "/dev/ttyUSB1"]
    assert [device.usb for device in devices()] == [None, "0403:6001:A50285BI", "0403:6001:A50285BJ"]
    assert devices()[0].description == "/dev/ttyS0"
