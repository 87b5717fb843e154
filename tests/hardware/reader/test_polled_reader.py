"""Readers that are asked, from bytes on a pseudo-terminal to sightings: woken, polled, silent, unplugged, back."""

import os
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.application.ports import (
    BadRead,
    CardLifted,
    CardSighted,
    CollisionSighted,
    ReaderFault,
    ReaderLost,
    ReaderOnline,
)
from dealer_assist.game.cards import DECK, Card
from hardware.reader.deck import Deck, DeckBook
from hardware.reader.dialogues import pn532, r200, twn4
from hardware.reader.places import Role
from hardware.reader.reader import Reader, ReaderSettings
from tests.hardware.helpers import Sightings, wait_until

pytestmark = pytest.mark.timeout(20)

ACE_TAG: Final = "9EB36E66"
ACK: Final = bytes.fromhex("00 00 FF 00 FF 00")
SAM_DONE: Final = bytes.fromhex("00 00 FF 02 FE D5 15 16 00")
RETRIES_DONE: Final = bytes.fromhex("00 00 FF 02 FE D5 33 F8 00")
NONE: Final = bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00")
ACE: Final = bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 9E B3 6E 66 A9 00")
TWO: Final = bytes.fromhex("00 00 FF 04 FC D5 4B 02 01 DD 00")
ERROR: Final = bytes.fromhex("00 00 FF 01 FF 7F 81 00")

DECK_OF_TAGS: Final = Deck(
    "d", "D", "red", {card: (f"{at:08X}",) for at, card in enumerate(DECK)} | {Card("As"): (ACE_TAG,)}
)
BOOK: Final = DeckBook(DECK_OF_TAGS)
ONLINE, ACE_SEEN = ReaderOnline("antenna"), CardSighted("antenna", Card("As"), ACE_TAG, 2)
LIFTED: Final = CardLifted("antenna", Card("As"), 2)


class ScriptedDevice:
    """A device that answers what it hears by a table, from a thread of its own; with `deaf`, not at all."""

    def __init__(self, port: Path, answers: dict[bytes, bytes]) -> None:
        self.port = port
        self.answers = answers
        self.heard = b""
        self.deaf = False
        self.plug()

    def plug(self) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.port.unlink(missing_ok=True)
        self.port.symlink_to(os.ttyname(slave))
        self._thread = threading.Thread(target=self._run, args=(self._master, slave), daemon=True)
        self._plugged = True
        self._thread.start()

    def unplug(self) -> None:
        self._plugged = False
        self._thread.join(5)

    def _run(self, master: int, slave: int) -> None:
        os.set_blocking(master, False)
        unread = b""
        pause = threading.Event()
        while self._plugged:
            with suppress(BlockingIOError):
                chunk = os.read(master, 4096)
                self.heard += chunk
                unread = (unread + chunk)[-300:]
                for command, answer in self.answers.items():
                    if command in unread:
                        unread = b""
                        if not self.deaf:
                            os.write(master, answer)
            pause.wait(0.002)
        os.close(slave)
        os.close(master)


PN532_ANSWERS: Final = {
    pn532.WAKE + pn532.SAM: ACK + SAM_DONE,
    pn532.RETRIES: ACK + RETRIES_DONE,
    pn532.POLL: ACK + NONE,
}


@pytest.fixture
def device(tmp_path: Path) -> Iterator[ScriptedDevice]:
    device = ScriptedDevice(tmp_path / "port", dict(PN532_ANSWERS))
    yield device
    device.unplug()


@contextmanager
def reading(device: ScriptedDevice) -> Iterator[Sightings]:
    seen = Sightings()
    settings = ReaderSettings(name="antenna", url=str(device.port), protocol="pn532", role=Role.seat, seat=2)
    reader = Reader(settings, BOOK, seen)
    reader.start()
    try:
        yield seen
    finally:
        reader.stop()


def polls(device: ScriptedDevice) -> int:
    return device.heard.count(pn532.POLL)


def test_a_pn532_is_woken_configured_polled_and_its_card_read_and_lifted(device: ScriptedDevice) -> None:
    with reading(device) as seen:
        seen.wait_for(ONLINE)
        wait_until(lambda: polls(device) >= 3)
        assert seen.all == [ONLINE]  # none is nothing
        device.answers[pn532.POLL] = ACK + ACE
        seen.wait_for(ACE_SEEN, times=2)
        device.answers[pn532.POLL] = ACK + NONE
        seen.wait_for(LIFTED)
        before = polls(device)
        wait_until(lambda: polls(device) >= before + 3)
    assert device.heard.startswith(pn532.WAKE + pn532.SAM + pn532.RETRIES + pn532.POLL)
    assert seen.of(CardLifted) == [LIFTED]
    wait_until(lambda: device.heard.endswith(pn532.ACK))  # what it was doing is ended before the port closes


def test_a_poll_that_was_not_heard_is_sent_once_more_and_nothing_is_told(device: ScriptedDevice) -> None:
    with reading(device) as seen:
        seen.wait_for(ONLINE)
        device.deaf = True
        before = polls(device)
        wait_until(lambda: polls(device) > before)
        device.answers[pn532.POLL] = ACK + ACE
        device.deaf = False
        seen.wait_for(ACE_SEEN)
    assert not seen.of(ReaderLost)


def test_a_silent_death_is_one_loss_though_the_port_stays_open_and_one_coming_back(device: ScriptedDevice) -> None:
    with reading(device) as seen:
        seen.wait_for(ONLINE)
        device.deaf = True
        seen.wait_for_kind(ReaderLost)
        heard = len(device.heard)
        wait_until(lambda: device.heard[heard:].count(pn532.SAM) >= 3)  # it is woken again meanwhile
        assert len(seen.of(ReaderLost)) == len(seen.of(ReaderOnline)) == 1
        device.deaf = False
        seen.wait_for(ONLINE, times=2)
        wait_until(lambda: polls(device) > 20)
    assert [type(sighting) for sighting in seen.all] == [ReaderOnline, ReaderLost, ReaderOnline]
    [lost] = seen.of(ReaderLost)
    assert isinstance(lost, ReaderLost)
    assert "has fallen silent, though its port is open" in lost.reason


def test_a_device_that_never_answers_is_never_online_and_one_loss(device: ScriptedDevice) -> None:
    device.deaf = True
    with reading(device) as seen:
        seen.wait_for_kind(ReaderLost)
        wait_until(lambda: device.heard.count(pn532.SAM) >= 4)
    [lost] = seen.all
    assert isinstance(lost, ReaderLost)
    assert "does not answer: check its power, its cable, and that protocol and baud rate are its own" in lost.reason


def test_an_unplugged_antenna_is_woken_again_and_tells_what_was_taken_meanwhile(device: ScriptedDevice) -> None:
    device.answers[pn532.POLL] = ACK + ACE
    with reading(device) as seen:
        seen.wait_for(ACE_SEEN)
        device.unplug()
        seen.wait_for_kind(ReaderLost)
        assert not seen.of(CardLifted)  # a pulled plug is no lifted card
        device.answers[pn532.POLL] = ACK + NONE
        device.heard = b""
        device.plug()
        seen.wait_for(ONLINE, times=2)
        seen.wait_for(LIFTED)
    assert device.heard.startswith(pn532.WAKE + pn532.SAM)
    assert len(seen.of(ReaderLost)) == len(seen.of(CardLifted)) == 1


def test_two_targets_are_one_collision_and_an_error_one_fault(device: ScriptedDevice) -> None:
    with reading(device) as seen:
        seen.wait_for(ONLINE)
        for answer in (TWO, ERROR):
            device.answers[pn532.POLL] = ACK + answer
            before = polls(device)
            wait_until(lambda: polls(device) >= before + 4)  # noqa: B023 - waited for before the next round
        seen.wait_for_kind(ReaderFault)
    assert seen.of(CollisionSighted) == [CollisionSighted("antenna", 2)]
    assert len(seen.of(ReaderFault)) == 1
    assert not seen.of(CardSighted, BadRead)


def test_a_damaged_answer_is_a_bad_read_and_the_card_stays(device: ScriptedDevice) -> None:
    device.answers[pn532.POLL] = ACK + ACE
    with reading(device) as seen:
        seen.wait_for(ACE_SEEN)
        device.answers[pn532.POLL] = ACK + ACE[:-2] + b"\xaa\x00"
        seen.wait_for_kind(BadRead)
        device.answers[pn532.POLL] = ACK + ACE
        seen.wait_for(ACE_SEEN, times=seen.all.count(ACE_SEEN) + 2)
    assert not seen.of(CardLifted, ReaderLost)


@pytest.mark.parametrize(
    ("protocol", "answers", "tag"),
    [
        (
            "r200",
            {
                r200.STOP: bytes.fromhex("BB 01 28 00 01 00 2A 7E"),
                r200.POLL: bytes.fromhex("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E"),
            },
            "30751FEB705C5904E3D50D70",
        ),
        ("twn4", {twn4.POLL: b"000180200441A2B3C4\r"}, "41A2B3C4"),
    ],
)
def test_online_comes_before_the_card_that_the_same_bytes_tell(
    tmp_path: Path, protocol: str, answers: dict[bytes, bytes], tag: str
) -> None:
    book = DeckBook(Deck("d", "D", "red", {**DECK_OF_TAGS.tags, Card("As"): (tag,)}))
    device = ScriptedDevice(tmp_path / "port", answers)
    seen = Sightings()
    reader = Reader(ReaderSettings(name="antenna", url=str(device.port), protocol=protocol), book, seen)
    reader.start()
    seen.wait_for(CardSighted("antenna", Card("As"), tag), times=3)
    reader.stop()
    device.unplug()
    assert seen.all[0] == ONLINE
    assert len(seen.of(ReaderOnline)) == 1


def test_what_one_antenna_reads_never_shows_at_another(tmp_path: Path) -> None:
    devices = [ScriptedDevice(tmp_path / f"port{seat}", dict(PN532_ANSWERS)) for seat in (1, 2)]
    seen = Sightings()
    readers = [
        Reader(
            ReaderSettings(name=f"seat {seat}", url=str(device.port), protocol="pn532", role=Role.seat, seat=seat),
            BOOK,
            seen,
        )
        for seat, device in enumerate(devices, 1)
    ]
    for reader in readers:
        reader.start()
    seen.wait_for_kind(ReaderOnline, times=2)
    devices[1].answers[pn532.POLL] = ACK + ACE
    seen.wait_for(CardSighted("seat 2", Card("As"), ACE_TAG, 2), times=3)
    devices[1].unplug()
    seen.wait_for_kind(ReaderLost)
    for reader in readers:
        reader.stop()
    devices[0].unplug()
    assert {sighting.reader for sighting in seen.of(CardSighted, ReaderLost)} == {"seat 2"}
