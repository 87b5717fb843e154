"""A reader from bytes on a port to sightings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs

from dealer_assist.application.ports import (
    BadRead,
    CardSighted,
    OtherDeckSighted,
    ReaderLost,
    ReaderOnline,
    Sighting,
    SightingSink,
    UnknownTagSighted,
)
from dealer_assist.game.cards import Card
from hardware.reader.deck import DeckBook
from hardware.reader.reader import Reader, ReaderSettings
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import Sightings, demo_deck, wait_until

pytestmark = pytest.mark.timeout(20)

RED, BLUE = demo_deck("red"), demo_deck("blue")
ACE, KING, BLUE_ACE = RED.tags[Card("As")][0], RED.tags[Card("Kd")][0], BLUE.tags[Card("As")][0]
ACE_SIGHTED, KING_SIGHTED = CardSighted("shoe", Card("As"), ACE), CardSighted("shoe", Card("Kd"), KING)


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    with PtyDevice(tmp_path / "port") as device:
        yield device


@contextmanager
def reading(
    device: PtyDevice, sink: SightingSink, pattern: str | None = None, silence_s: float = 0.1
) -> Iterator[None]:
    settings = ReaderSettings(name="shoe", url=str(device.port_link), pattern=pattern, silence_s=silence_s)
    reader = Reader(settings, DeckBook(RED, [BLUE]), sink)
    reader.start()
    try:
        yield
    finally:
        reader.stop()


def test_cards_tags_and_rubbish_become_sightings_in_the_order_sent(device: PtyDevice) -> None:
    seen = Sightings()
    with reading(device, seen):
        device.write(f"{ACE}\r\n{BLUE_ACE}\r\n00{ACE}\r\nrubbish\r\n{KING}\r\n".encode())
        seen.wait_for(KING_SIGHTED)
    assert seen.all == [
        ReaderOnline("shoe"),
        ACE_SIGHTED,
        OtherDeckSighted("shoe", BLUE_ACE, "demo-blue"),
        UnknownTagSighted("shoe", "00" + ACE),
        BadRead("shoe", "not an even number of hex digits", "72756262697368"),
        KING_SIGHTED,
    ]


def test_two_cards_in_one_chunk_both_count_and_repeats_are_not_merged(device: PtyDevice) -> None:
    seen = Sightings()
    with reading(device, seen):
        device.write(f"{ACE}\n{KING}\n{ACE}\n".encode())
        seen.wait_for(ACE_SIGHTED, times=2)
    assert seen.of(CardSighted) == [ACE_SIGHTED, KING_SIGHTED, ACE_SIGHTED]


def test_a_card_code_needs_no_deck(device: PtyDevice) -> None:
    seen = Sightings()
    with reading(device, seen, pattern="CARD (?P<card>..)"):
        device.write(b"CARD Td\r")
        seen.wait_for(CardSighted("shoe", Card("Td")))


def test_a_frame_that_silence_leaves_unfinished_is_a_bad_read_and_never_half_of_the_next(device: PtyDevice) -> None:
    seen = Sightings()
    with reading(device, seen):
        device.write(b"04E0AC")
        seen.wait_for(BadRead("shoe", "no line end", "303445304143"))
        device.write(b"505706F0\n")
        seen.wait_for(UnknownTagSighted("shoe", "505706F0"))
    assert not seen.of(CardSighted)


def test_a_frame_cut_short_by_an_unplug_is_told_before_the_loss_and_forgotten(device: PtyDevice) -> None:
    seen = Sightings()
    with reading(device, seen, silence_s=60):
        device.write(ACE[:8].encode() + b"\n" + ACE[:8].encode())
        seen.wait_for(UnknownTagSighted("shoe", ACE[:8]))
        device.unplug()
        seen.wait_for_kind(ReaderLost)
        device.plug()
        seen.wait_for(ReaderOnline("shoe"), times=2)
        device.write(ACE[8:].encode() + b"\n")
        seen.wait_for(UnknownTagSighted("shoe", ACE[8:]))
    assert [type(sighting) for sighting in seen.all] == [
        ReaderOnline, UnknownTagSighted, BadRead, ReaderLost, ReaderOnline, UnknownTagSighted,
    ]  # fmt: skip


def test_a_sink_that_raises_is_made_visible_and_loses_no_later_card(device: PtyDevice) -> None:
    seen = Sightings()

    def sink(sighting: Sighting, /) -> None:
        seen(sighting)
        raise RuntimeError("queue gone")

    with capture_logs() as logs, reading(device, sink):
        device.write(f"{ACE}\n{KING}\n".encode())
        wait_until(lambda: len(logs) == 3)
    assert seen.all == [ReaderOnline("shoe"), ACE_SIGHTED, KING_SIGHTED]
    assert all(log["event"] == "the sink refused a sighting" and log["log_level"] == "error" for log in logs)


def test_two_readers_keep_separate_state(tmp_path: Path) -> None:
    seen = Sightings()
    with PtyDevice(tmp_path / "one") as one, PtyDevice(tmp_path / "two") as two:
        settings = [ReaderSettings(name=device.port_link.name, url=str(device.port_link)) for device in (one, two)]
        readers = [Reader(each, DeckBook(RED), seen) for each in settings]
        for reader in readers:
            reader.start()
        one.write(ACE[:6].encode())
        two.write(f"{KING}\n".encode())
        seen.wait_for(CardSighted("two", Card("Kd"), KING))
        one.write(ACE[6:].encode() + b"\n")
        seen.wait_for(CardSighted("one", Card("As"), ACE))
        for reader in readers:
            reader.stop()
    assert len(seen.of(CardSighted)) == 2


class Table(msgspec.Struct, forbid_unknown_fields=True):
    readers: list[ReaderSettings]


def test_settings_are_read_from_a_tables_file() -> None:
    text = '[[readers]]\nname = "shoe"\nurl = "/dev/serial/by-id/x"\npattern = "(?P<uid>.*)"\nsilence_s = 1'
    [settings] = msgspec.toml.decode(text, type=Table).readers
    assert settings == ReaderSettings(name="shoe", url="/dev/serial/by-id/x", pattern="(?P<uid>.*)", silence_s=1.0)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('protocol = "smoke"', "protocol: expected one of line"),
        ('pattern = "("', "pattern: expected a regular expression"),
        ("baudrate = 0", "`$.readers[0].baudrate`"),
        ("silence_s = 0", "`$.readers[0].silence_s`"),
        ("poll_s = 0.1", "poll_s: expected nothing, since line readers speak by themselves"),
        ('usb = "0403:6001"', "url: expected either url or usb, found both"),
        ('role = "pit"', "Invalid enum value 'pit'"),
        ('role = "seat"', "seat: expected 1 to 4, or 0 for the dealer's place, since the role is seat, found nothing"),
        ('role = "seat"\nseat = 5', "`$.readers[0].seat`"),
        ("seat = 2", "seat: expected none, since the role is shoe, found 2"),
        ('role = "discard"\nseat = 2', "seat: expected none, since the role is discard, found 2"),
        ("antennas = { A = 9 }", "`$.readers[0].antennas[...]`"),
        ("speed = 9600", "`$.readers[0]`"),
    ],
)
def test_a_setting_that_can_not_work_is_refused_with_its_path(line: str, named: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.toml.decode(f'[[readers]]\nname = "shoe"\nurl = "/dev/x"\n{line}', type=Table)
    assert named in str(refused.value)
    assert "$.readers[0]" in str(refused.value)
