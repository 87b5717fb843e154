"""The serial link, on real pseudo-terminals and sockets."""

import os
import socket
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, EBUSY, EIO, ENODEV, ENOENT, ENXIO, EPERM
from pathlib import Path

import pytest
import serial
from structlog.testing import capture_logs

from hardware.reader.link import LinkListener, LinkSettings, SerialLink, explain_open
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import wait_until

pytestmark = pytest.mark.timeout(20)


class Told:
    """Remembers what a link tells; `on_received` happens inside the link's own call."""

    def __init__(self, on_received: Callable[[], None] = lambda: None) -> None:
        self.events: list[str] = []
        self.reasons: list[str] = []
        self.data = b""
        self._on_received = on_received
        self.listener = LinkListener(
            received=self.received, silent=lambda: self.events.append("silent"),
            online=lambda: self.events.append("online"), lost=self.lost,
        )  # fmt: skip

    def received(self, chunk: bytes, now: float) -> None:
        self.data += chunk
        self._on_received()

    def lost(self, reason: str) -> None:
        self.events.append("lost")
        self.reasons.append(reason)

    def wait_for(self, *events: str) -> None:
        wait_until(lambda: [event for event in self.events if event != "silent"] == list(events))


@contextmanager
def running(url: str | Path, told: Told, silence_s: float = 0.5) -> Iterator[SerialLink]:
    link = SerialLink(LinkSettings(str(url), silence_s=silence_s), told.listener)
    link.start()
    try:
        yield link
    finally:
        began = time.monotonic()
        link.stop()
        assert time.monotonic() - began < 2


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    with PtyDevice(tmp_path / "port") as device:
        yield device


def test_every_byte_arrives_unchanged(device: PtyDevice) -> None:
    sent = bytes(range(256)) * 100
    told = Told()
    with running(device.port_link, told):
        device.write(sent)
        wait_until(lambda: len(told.data) == len(sent))
    assert told.data == sent


def test_silence_is_told_once_after_each_run_of_bytes(device: PtyDevice) -> None:
    told = Told()
    with running(device.port_link, told, silence_s=0.1):
        told.wait_for("online")
        device.write(b"04")
        wait_until(lambda: told.events == ["online", "silent"])
        device.write(b"05")
        wait_until(lambda: told.events == ["online", "silent", "silent"])
        time.sleep(0.3)
    assert told.events == ["online", "silent", "silent"]
    assert told.data == b"0405"


def test_an_unplug_is_one_loss_and_a_replug_one_coming_back(device: PtyDevice) -> None:
    told = Told()
    with running(device.port_link, told):
        told.wait_for("online")
        device.unplug()
        told.wait_for("online", "lost")
        time.sleep(0.4)  # several tries fail meanwhile
        assert told.events == ["online", "lost"]
        device.plug()
        told.wait_for("online", "lost", "online")
        device.write(b"again")
        wait_until(lambda: told.data == b"again")
        device.unplug()
        told.wait_for("online", "lost", "online", "lost")
    assert "check the reader's plug" in told.reasons[0]


def test_an_unplug_while_bytes_are_handled_is_one_loss(device: PtyDevice) -> None:
    told = Told(on_received=device.unplug)
    with running(device.port_link, told):
        device.write(b"x")
        told.wait_for("online", "lost")
        time.sleep(0.3)
        assert told.events == ["online", "lost"]


def test_a_link_that_starts_without_its_device_tells_one_loss_then_comes_online(tmp_path: Path) -> None:
    told = Told()
    with PtyDevice(tmp_path / "port") as device:
        device.unplug()
        with running(device.port_link, told):
            told.wait_for("lost")
            time.sleep(0.3)
            device.plug()
            told.wait_for("lost", "online")
    assert "is not there: plug the reader in" in told.reasons[0]


def test_a_port_in_use_says_so_and_is_taken_when_it_is_free(device: PtyDevice) -> None:
    told = Told()
    with serial.Serial(str(device.port_link), exclusive=True), running(device.port_link, told):
        told.wait_for("lost")
    assert "in use by another program" in told.reasons[0]


def test_two_links_never_share_a_port(device: PtyDevice) -> None:
    first, second = Told(), Told()
    with running(device.port_link, first):
        first.wait_for("online")
        with running(device.port_link, second):
            second.wait_for("lost")
            device.write(b"card")
            wait_until(lambda: first.data == b"card")
    assert "in use" in second.reasons[0]
    assert second.data == b""


def test_a_port_without_permission_says_which_group_helps(device: PtyDevice) -> None:
    told = Told()
    device.port_link.chmod(0)
    root = os.geteuid() == 0
    if root:  # root may open anything
        os.seteuid(65534)
    try:
        with running(device.port_link, told):
            told.wait_for("lost")
    finally:
        if root:
            os.seteuid(0)
    assert "no permission" in told.reasons[0]
    assert "dialout" in told.reasons[0]


@pytest.mark.parametrize("url", ["smoke://signal", "hwgrep://no-such-reader", "/dev/null", "/"])
def test_an_address_that_is_no_reader_is_one_loss_with_a_reason(url: str) -> None:
    told = Told()
    with running(url, told):
        told.wait_for("lost")
    assert told.reasons[0]


def test_busy_missing_and_forbidden_are_three_different_messages() -> None:
    kinds = {"busy": (EAGAIN, EBUSY), "missing": (ENOENT, ENODEV, ENXIO), "forbidden": (EACCES, EPERM), "else": (EIO,)}
    texts = {
        kind: {explain_open("/dev/x", serial.SerialException(number, "why")) for number in numbers}
        for kind, numbers in kinds.items()
    }
    assert all(len(same) == 1 for same in texts.values())
    assert len(set.union(*texts.values())) == 4
    assert "why" in texts["else"].pop()


@pytest.mark.parametrize("plugged", [True, False])
def test_stop_returns_within_two_seconds_whatever_the_link_is_doing(device: PtyDevice, plugged: bool) -> None:
    told = Told()
    if not plugged:
        device.unplug()
    with running(device.port_link, told):
        told.wait_for("online" if plugged else "lost")
        before = list(told.events)
    time.sleep(0.2)
    assert told.events == before  # nothing is told after a stop


def test_stop_returns_within_two_seconds_while_bytes_pour_in(device: PtyDevice) -> None:
    told = Told()
    with running(device.port_link, told) as link:
        device.write(b"x" * 50_000)
        stopper = threading.Thread(target=link.stop)
        stopper.start()
        stopper.join(2)
        assert not stopper.is_alive()


def test_stop_from_the_links_own_call_and_before_a_start_return_at_once(device: PtyDevice) -> None:
    SerialLink(LinkSettings(str(device.port_link)), Told().listener).stop()
    stopped = threading.Event()

    def stop_from_within() -> None:
        link.stop()
        stopped.set()

    told = Told(on_received=stop_from_within)
    with running(device.port_link, told) as link:
        device.write(b"x")
        assert stopped.wait(2)


def test_a_listener_that_raises_is_made_visible_and_reading_goes_on(device: PtyDevice) -> None:
    def fail() -> None:
        raise OSError("disk full")  # not the port's: must not count as a loss

    told = Told(on_received=fail)
    with capture_logs() as logs, running(device.port_link, told):
        device.write(b"a")
        wait_until(lambda: told.data == b"a")
        device.write(b"b")
        wait_until(lambda: told.data == b"ab")
    assert told.events == ["online"]
    assert [log["event"] for log in logs] == ["a listener failed"] * 2
    assert logs[0]["log_level"] == "error"


def test_what_was_sent_just_before_a_connection_ends_still_arrives() -> None:
    told = Told()
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        running(f"socket://127.0.0.1:{server.getsockname()[1]}", told),
    ):
        connection, _ = server.accept()
        told.wait_for("online")  # what a port holds when it is opened is thrown away
        connection.sendall(b"04A1B2C3\n")
        connection.close()
        wait_until(lambda: "lost" in told.events)
    assert told.data == b"04A1B2C3\n"


def test_pyserial_raises_three_kinds_of_error_after_an_unplug(device: PtyDevice) -> None:
    """What the link is built on; should pyserial change, this says so first."""
    with serial.Serial(str(device.port_link), timeout=0) as port:
        device.unplug()
        with pytest.raises(serial.SerialException):
            port.read(1)
        with pytest.raises(OSError, match="Input/output error") as asking:
            _ = port.in_waiting
        assert not isinstance(asking.value, serial.SerialException)
        with pytest.raises(termios.error):
            port.reset_input_buffer()
        assert port.is_open
