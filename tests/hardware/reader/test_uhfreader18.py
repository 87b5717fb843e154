"""UHFReader18 readers. Bytes are written as the reader sends them."""

import pytest
from fastcrc import crc16

from hardware.reader.messages import Answer, BadFrame, Echo, Heartbeat, Message, Noise, NoTag, ReaderError, Tag
from tests.hardware.reader.frames import crc, decode, uhfreader18, uhfreader18_tag

GOOD = bytes.fromhex("11 00 EE 00 20 00 70 8C 2B 38 0B 2D 00 00 00 00 E0 56")
TAG = Tag("2000708C2B380B2D00000000")
HEARTBEAT = bytes.fromhex("56 00 00 00 00 00")


def uhf(stream: bytes) -> list[Message]:
    return decode("uhfreader18", stream)


def test_the_crc_is_the_one_of_the_captured_frames() -> None:
    assert crc16.mcrf4xx(b"123456789") == crc(b"123456789") == 0x6F91
    assert crc16.mcrf4xx(GOOD[:-2]) == int.from_bytes(GOOD[-2:], "little")


def test_a_tag_that_the_reader_reports_by_itself() -> None:
    assert uhf(GOOD) == [TAG]


def test_an_inventory_lists_each_tag_in_its_order() -> None:
    data = b"\x02\x0c" + bytes(range(12)) + b"\x04\xe2\x00\x12\x34"
    for status in range(1, 5):
        assert uhf(uhfreader18(0x01, status, data)) == [Tag(bytes(range(12)).hex().upper()), Tag("E2001234")]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (uhfreader18(0x01, 0xFB), NoTag()),
        (uhfreader18(0x01, 0x01, b"\x00"), NoTag()),
        (uhfreader18(0x01, 0xF8), ReaderError("F8")),
        (uhfreader18(0x21, 0xFE), ReaderError("FE")),
        (uhfreader18(0x21, 0x00, b"\x02\x09"), Answer("21", b"\x02\x09")),
        (bytes.fromhex("04 FF 01 1B B4"), Echo(b"\xff\x01")),
        (bytes.fromhex("04 00 21 D9 6A"), Echo(b"\x00\x21")),
        (HEARTBEAT, Heartbeat()),
    ],
)
def test_what_is_said_beside_tags(frame: bytes, message: Message) -> None:
    assert uhf(frame + GOOD) == [message, TAG]


def test_the_heartbeat_is_matched_whole_before_its_first_byte_is_a_length() -> None:
    assert uhf(HEARTBEAT * 3 + GOOD + HEARTBEAT) == [Heartbeat()] * 3 + [TAG, Heartbeat()]
    for cut in range(1, 6):
        assert decode("uhfreader18", GOOD + HEARTBEAT[:cut], HEARTBEAT[cut:] + GOOD) == [TAG, Heartbeat(), TAG]


def test_a_heartbeat_that_lost_a_byte_is_noise_and_holds_up_nothing() -> None:
    assert uhf(HEARTBEAT[:-1] + GOOD) == [Noise(HEARTBEAT[:-1]), TAG]
    assert uhf(HEARTBEAT[:-1]) == [Noise(HEARTBEAT[:-1])]


def test_a_frame_as_long_as_the_heartbeat_says_is_a_frame_all_the_same() -> None:
    epc = bytes(range(81))
    frame = uhfreader18_tag(epc)
    assert frame[:1] == HEARTBEAT[:1]
    assert uhf(frame) == [Tag(epc.hex().upper())]


@pytest.mark.parametrize(
    ("at", "reason"), [(1, "wrong CRC"), (3, "no such status"), (4, "wrong CRC"), (16, "wrong CRC"), (17, "wrong CRC")]
)
def test_each_check_fails_on_its_own_byte_and_the_next_frame_is_read(at: int, reason: str) -> None:
    broken = GOOD[:at] + bytes([GOOD[at] ^ 0x10]) + GOOD[at + 1 :]
    assert uhf(broken + GOOD) == [BadFrame(reason, broken), TAG]


def test_a_command_that_is_not_known_begins_no_frame_however_right_its_crc() -> None:
    stranger = uhfreader18(0x99, 0x00, b"\x02")
    assert uhf(stranger + GOOD) == [Noise(stranger), TAG]


def test_a_status_that_can_not_be_fails_however_right_the_crc() -> None:
    stranger = uhfreader18(0xEE, 0x01, bytes(12))
    assert uhf(stranger + GOOD) == [BadFrame("no such status", stranger), TAG]


@pytest.mark.parametrize(
    "data",
    [b"", b"\x01", b"\x02\x02\xe2\x00", b"\x00\x02\xe2\x00", b"\x01\x03\xe2\x00", b"\x01\x01\xe2\x00", b"\x01\x00",
     b"\x01\x02\xe2"],
)  # fmt: skip
def test_an_inventory_whose_count_and_lengths_do_not_come_out_even_is_no_tag(data: bytes) -> None:
    frame = uhfreader18(0x01, 0x01, data)
    [bad, tag] = uhf(frame + GOOD)
    assert isinstance(bad, BadFrame)
    assert bad.data == frame
    assert tag == TAG


def test_a_report_without_its_epc_is_no_tag() -> None:
    assert isinstance(uhf(uhfreader18(0xEE, 0x00))[0], BadFrame)


def test_noise_before_a_frame_is_noise() -> None:
    assert uhf(b"\xff\x00A" + GOOD) == [Noise(b"\xff\x00A"), TAG]


def test_any_address_may_answer() -> None:
    assert uhf(uhfreader18(0x01, 0xFB, address=0x07)) == [NoTag()]
