"""The device made of a pseudo-terminal."""

import os
import threading
from pathlib import Path

import pytest
import serial

from hardware.simulated.pty_device import PortError, PtyDevice
from tests.hardware.helpers import wait_until

pytestmark = pytest.mark.timeout(20)


def test_bytes_sent_before_the_port_is_opened_are_not_lost(tmp_path: Path) -> None:
    with PtyDevice(tmp_path / "port") as device:
        sending = threading.Thread(target=device.write, args=(b"04A1\n",))
        sending.start()
        with serial.Serial(str(device.port_link), timeout=2) as port:
            assert port.read(5) == b"04A1\n"
        sending.join()


def test_bytes_sent_while_the_port_is_reopened_are_not_lost(tmp_path: Path) -> None:
    with PtyDevice(tmp_path / "port") as device:
        for _ in range(20):
            sending = threading.Thread(target=device.write, args=(b"04A1\n",))
            sending.start()
            with serial.Serial(str(device.port_link), timeout=2) as port:
                assert port.read(5) == b"04A1\n"
            sending.join()


def test_a_port_that_nobody_opens_is_told_and_blocks_nobody(tmp_path: Path) -> None:
    with PtyDevice(tmp_path / "port", patience_s=0.05) as device, pytest.raises(PortError, match="nobody has opened"):
        device.write(b"04A1\n")


def test_a_reader_that_takes_nothing_is_told_and_blocks_nobody(tmp_path: Path) -> None:
    with (
        PtyDevice(tmp_path / "port", patience_s=0.1) as device,
        serial.Serial(str(device.port_link)),
        pytest.raises(PortError, match="bytes untaken"),
    ):
        device.write(bytes(1 << 20))


def test_a_program_that_opens_the_port_plainly_gets_the_bytes_unchanged(tmp_path: Path) -> None:
    sent = bytes(range(256))
    with PtyDevice(tmp_path / "port", patience_s=0.1) as device:
        port = os.open(device.port_link, os.O_RDONLY | os.O_NOCTTY)
        device.write(sent)
        wait_until(lambda: os.read(port, 256) == sent)
        os.close(port)


def test_what_a_reader_wrote_is_heard_and_whether_one_is_there_is_known(tmp_path: Path) -> None:
    with PtyDevice(tmp_path / "port") as device:
        assert not device.is_open()
        with serial.Serial(str(device.port_link)) as port:
            assert device.is_open()
            port.write(b"\x00poll\r")
            heard = b""
            while len(heard) < 6:
                heard += device.heard()
            assert heard == b"\x00poll\r"
            assert device.heard() == b""
        wait_until(lambda: not device.is_open())
    assert device.heard() == b""


def test_it_can_be_waited_for_that_bytes_are_taken(tmp_path: Path) -> None:
    with (
        PtyDevice(tmp_path / "port", patience_s=0.05) as device,
        serial.Serial(str(device.port_link), timeout=2) as port,
    ):
        device.write(b"04A1\n")
        with pytest.raises(PortError, match="untaken"):
            device.await_taken()
        assert port.read(5) == b"04A1\n"
        device.await_taken()
        device.write(b"04A2\n")
        assert port.read(5) == b"04A2\n"


def test_unplugging_takes_the_name_away_and_plugging_brings_it_back(tmp_path: Path) -> None:
    device = PtyDevice(tmp_path / "port")
    for _ in range(2):
        assert not device.plugged
        with pytest.raises(PortError, match="unplugged"):
            device.write(b"x")
        for _ in range(2):
            device.plug()
            assert device.port_link.is_symlink()
            assert device.port_link.is_char_device()
        for _ in range(2):
            device.unplug()
            assert list(tmp_path.iterdir()) == []


def test_a_stale_link_is_replaced_and_a_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "stale").symlink_to("/dev/pts/none")
    (tmp_path / "file").write_text("precious")
    with PtyDevice(tmp_path / "stale") as device:
        assert device.port_link.is_char_device()
    with pytest.raises(FileExistsError, match="left alone"):
        PtyDevice(tmp_path / "file").plug()
    assert (tmp_path / "file").read_text() == "precious"
