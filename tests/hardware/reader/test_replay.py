"""Captures, written by a reader at work and played again through a reader."""

import io
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.application.ports import BadRead, CardSighted, ReaderLost, ReaderOnline, Sighting, UnknownTagSighted
from dealer_assist.game.cards import Card
from hardware.reader.capture import FORMAT, CaptureWriter, Header, load_capture
from hardware.reader.deck import DeckBook
from hardware.reader.errors import BadSettings
from hardware.reader.reader import Reader, ReaderSettings
from hardware.reader.replay import Player, RecordingEnded
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import Sightings, demo_deck, wait_until
from tests.hardware.reader.test_polled_reader import ACK, PN532_ANSWERS, ScriptedDevice

pytestmark = pytest.mark.timeout(20)

RED = demo_deck("red")
ACE, KING = RED.tags[Card("As")][0], RED.tags[Card("Kd")][0]
HEADER: Final = '{"format":"capture/1","reader":"shoe","protocol":"line","started":"2026-11-30T20:14:03Z"}\n'


def hex_line(uid: str) -> str:
    return (uid.encode() + b"\n").hex().upper()


def captured(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "capture.jsonl"
    path.write_text(HEADER + "".join(line + "\n" for line in lines))
    return path


def played(path: Path, speed: str = "full", protocol: str = "line", silence_s: float = 0.5) -> list[Sighting]:
    """What a reader makes of a capture, its end left out."""
    seen = Sightings()
    url = f"replay://{path}?speed={speed}"
    reader = Reader(ReaderSettings(name="shoe", url=url, protocol=protocol, silence_s=silence_s), DeckBook(RED), seen)
    reader.start()
    assert reader.wait(10)
    reader.stop()
    assert seen.all[-1] == ReaderLost("shoe", f"the recording has ended: {path}")
    return seen.all[:-1]


@contextmanager
def recording(path: Path, url: str, protocol: str = "line") -> Iterator[Sightings]:
    seen = Sightings()
    with path.open("wb") as file:
        tap = CaptureWriter(file, Header(FORMAT, "shoe", protocol, "2026-11-30T20:14:03Z"))
        reader = Reader(ReaderSettings(name="shoe", url=url, protocol=protocol), DeckBook(RED), seen, tap)
        reader.start()
        try:
            yield seen
        finally:
            reader.stop()


def test_a_capture_plays_as_the_device_spoke(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl"
    with PtyDevice(tmp_path / "port") as device, recording(path, str(device.port_link)) as seen:
        device.write(f"{ACE}\nrubbish\n00{ACE}\n{ACE[:4]}".encode())
        seen.wait_for(BadRead("shoe", "no line end", ACE[:4].encode().hex().upper()))  # after half a second of silence
        device.write(f"{KING}\n".encode())
        seen.wait_for(CardSighted("shoe", Card("Kd"), KING))
        device.unplug()
        seen.wait_for_kind(ReaderLost)
        device.plug()
        device.write(f"{ACE}\n".encode())
        seen.wait_for(CardSighted("shoe", Card("As"), ACE), times=2)
    live = [type(sighting) if isinstance(sighting, ReaderLost) else sighting for sighting in seen.all]
    again = played(path)
    assert [type(sighting) if isinstance(sighting, ReaderLost) else sighting for sighting in again] == live


def test_a_capture_of_a_polled_reader_is_asked_again_and_answers(tmp_path: Path) -> None:
    path = tmp_path / "capture.jsonl"
    device = ScriptedDevice(tmp_path / "port", dict(PN532_ANSWERS))
    with recording(path, str(device.port), "pn532") as seen:
        seen.wait_for_kind(ReaderOnline)
        wait_until(lambda: len(device.heard) > 200)
        device.deaf = True
        seen.wait_for_kind(ReaderLost)
        device.deaf = False
        seen.wait_for_kind(ReaderOnline, times=2)
        wait_until(lambda: len(device.heard) > 600)
    device.unplug()
    entries = load_capture(path).entries
    assert sum(entry.sent is not None for entry in entries) > 8
    assert bytes.fromhex("".join(entry.received or "" for entry in entries)).startswith(ACK)
    assert [type(sighting) for sighting in played(path, protocol="pn532")] == [ReaderOnline, ReaderLost, ReaderOnline]


def test_at_full_speed_an_hour_takes_a_moment_and_silences_fall_where_they_fell(tmp_path: Path) -> None:
    lines = [f'{{"t":{at},"in":"{hex_line(ACE)}"}}' for at in range(1, 3601, 60)]
    path = captured(
        tmp_path, *lines, '{"t":3600,"in":"3034"}', '{"t":3600.4,"in":"3035"}', f'{{"t":3601,"in":"{hex_line(KING)}"}}'
    )
    began = time.monotonic()
    seen = played(path)
    assert time.monotonic() - began < 8
    assert seen[1:61] == [CardSighted("shoe", Card("As"), ACE)] * 60
    assert seen[61:] == [BadRead("shoe", "no line end", "30343035"), CardSighted("shoe", Card("Kd"), KING)]


def test_at_real_speed_bytes_come_when_they_came(tmp_path: Path) -> None:
    path = captured(tmp_path, f'{{"t":0.2,"in":"{hex_line(ACE)}"}}', f'{{"t":0.6,"in":"{hex_line(KING)}"}}')
    began = time.monotonic()
    assert len(played(path, "real")) == 3
    assert 0.55 < time.monotonic() - began < 2


def test_a_reader_that_plays_at_real_speed_can_be_stopped_at_once(tmp_path: Path) -> None:
    path = captured(tmp_path, f'{{"t":3600,"in":"{hex_line(ACE)}"}}')
    reader = Reader(ReaderSettings(name="shoe", url=f"replay://{path}"), DeckBook(RED), Sightings())
    reader.start()
    began = time.monotonic()
    reader.stop()
    assert time.monotonic() - began < 0.5


def test_a_reader_that_was_lost_before_it_was_there_is_lost_first(tmp_path: Path) -> None:
    path = captured(tmp_path, '{"t":0.1,"lost":"busy"}', '{"t":1,"online":true}', f'{{"t":2,"in":"{hex_line(ACE)}"}}')
    assert [type(sighting) for sighting in played(path)] == [ReaderLost, ReaderOnline, CardSighted]


def test_a_frame_cut_short_by_the_end_is_told(tmp_path: Path) -> None:
    path = captured(tmp_path, '{"t":0,"in":"3034"}')
    assert played(path)[1:] == [BadRead("shoe", "no line end", "3034")]


def test_a_last_line_cut_short_and_unknown_fields_are_passed_over(tmp_path: Path) -> None:
    path = captured(tmp_path, f'{{"t":0,"in":"{hex_line("0102")}","note":"x"}}')
    path.write_text(path.read_text() + '{"t":1,"in":"30')
    assert played(path)[1:] == [UnknownTagSighted("shoe", "0102")]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "line 1: expected the header of a capture/1"),
        ("{}\n", "line 1: expected a line of a capture/1"),
        (HEADER.replace("capture/1", "capture/9"), "line 1: expected a line of a capture/1"),
        (HEADER + "rubbish\n", "line 2: expected a line of a capture/1"),
        (HEADER + '{"t":1,"in":"0"}\n', 'line 2: expected bytes in hex, found "0"'),
        (HEADER + '{"t":1,"in":"00"}\n{"t":0.5,"in":"00"}\n', "line 3: expected a time of 1.0 or later, found 0.5"),
        (HEADER + '{"in":"00"}\n', "line 2: expected a line of a capture/1, found Object missing required field `t`"),
    ],
)
def test_a_file_that_is_no_capture_is_refused_with_its_line(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "capture.jsonl"
    path.write_text(text)
    with pytest.raises(BadSettings) as refused:
        load_capture(path)
    assert named in str(refused.value)


def test_a_capture_that_is_not_there_is_one_loss(tmp_path: Path) -> None:
    seen = Sightings()
    reader = Reader(ReaderSettings(name="shoe", url=f"replay://{tmp_path}/none"), DeckBook(RED), seen)
    reader.start()
    seen.wait_for_kind(ReaderLost)
    assert not reader.wait(0.3)
    reader.stop()
    assert len(seen.all) == 1


@pytest.mark.parametrize("url", ["replay://", "replay://x?speed=fast", "replay://x?pace=1", "replay://?speed=full"])
def test_a_replay_that_can_not_work_is_refused_where_it_is_read(url: str) -> None:
    with pytest.raises(BadSettings, match='url: expected a replay like "replay://FILE'):
        ReaderSettings(name="shoe", url=url)


def test_a_reader_knows_that_it_plays_a_recording() -> None:
    assert ReaderSettings(name="shoe", url="replay://x").is_replay
    assert not ReaderSettings(name="shoe", url="/dev/x").is_replay


def test_a_played_port_gives_no_more_than_is_asked_for(tmp_path: Path) -> None:
    path = captured(tmp_path, '{"t":3,"in":"010203"}')
    port, clock = Player(f"replay://{path}?speed=full", 5, threading.Event()).open()
    assert (port.read(1), port.in_waiting, port.read(0), port.read(9)) == (b"\x01", 2, b"", b"\x02\x03")
    assert clock() == 3
    assert port.write(b"xy") == 2
    with pytest.raises(RecordingEnded):
        port.read(1)


def test_times_are_counted_from_the_captures_beginning() -> None:
    now = iter([50.0, 51.25, 52.5])
    file = io.BytesIO()
    tap = CaptureWriter(file, Header(FORMAT, "r", "line", "2026-11-30T20:14:03Z"), lambda: next(now))
    tap.received(b"\x01")
    tap.sent(b"\xff")
    assert file.getvalue().splitlines()[1:] == [b'{"t":1.25,"in":"01"}', b'{"t":2.5,"out":"FF"}']
