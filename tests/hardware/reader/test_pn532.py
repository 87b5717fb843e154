"""The PN532. Bytes are written as the chip sends them."""

import pytest

from hardware.reader.messages import Answer, BadFrame, Collision, Echo, Message, Noise, NoTag, ReaderError, Tag
from tests.hardware.reader.frames import decode, pn532, pn532_extended, pn532_tag

ACK = bytes.fromhex("00 00 FF 00 FF 00")
GOOD = bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 9E B3 6E 66 A9 00")
TAG = Tag("9EB36E66")


def pn(stream: bytes | str) -> list[Message]:
    return decode("pn532", bytes.fromhex(stream) if isinstance(stream, str) else stream)


@pytest.mark.parametrize("uid", ["9EB36E66", "04416D412B0289", "04416D412B0289AABBCC", "00000000"])
def test_uids_have_four_seven_or_ten_bytes(uid: str) -> None:
    assert pn(pn532_tag(bytes.fromhex(uid))) == [Tag(uid)]


def test_an_ats_may_follow_the_uid() -> None:
    assert pn(pn532_tag(bytes.fromhex("04416D412B0289"), ats=bytes.fromhex("067577810280"))) == [Tag("04416D412B0289")]


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ("00 00 FF 00 FF 00", Answer("ack")),
        ("00 00 FF FF 00 00", Answer("nack")),
        ("00 00 FF 02 FE D5 15 16 00", Answer("15")),
        ("00 00 FF 06 FA D5 03 32 01 06 07 E8 00", Answer("03", bytes.fromhex("32010607"))),
        ("00 00 FF 03 FD D5 4B 00 E0 00", NoTag()),
        ("00 00 FF 01 FF 7F 81 00", ReaderError("7F")),
        ("00 00 FF 05 FB D4 14 01 00 00 17 00", Echo(bytes.fromhex("D414010000"))),
        ("00 00 FF 02 FE D4 02 2A 00", Echo(bytes.fromhex("D402"))),
        ("00 00 FF 04 FC D4 4A 01 00 E1 00", Echo(bytes.fromhex("D44A0100"))),
    ],
)
def test_what_is_said_beside_tags(stream: str, message: Message) -> None:
    assert pn(stream) == [message]


def test_two_targets_in_the_field_are_a_collision_and_not_the_first_one() -> None:
    first, second = "01 00 04 08 04 9E B3 6E 66", "02 00 44 00 07 04 41 6D 41 2B 02 89"
    assert pn(pn532(bytes.fromhex("D5 4B 02" + first + second))) == [Collision()]


def test_ack_and_answer_in_one_chunk() -> None:
    assert pn(ACK + GOOD) == [Answer("ack"), TAG]


@pytest.mark.parametrize("idle", ["55 55" + "00" * 14, "00", "00 00", "55", "00 55 00 55"])
def test_idle_bytes_around_frames_are_nothing(idle: str) -> None:
    assert pn(bytes.fromhex(idle) + GOOD + bytes.fromhex(idle)) == [TAG]
    assert pn(idle) == []


def test_a_stray_tail_is_noise_without_the_idle_around_it() -> None:
    assert pn("00 FE E2" + GOOD.hex()) == [Noise(b"\xfe\xe2"), TAG]


def test_idle_that_never_ends_is_nothing() -> None:
    assert pn(b"\x00" * 5000 + GOOD + b"\x55" * 5000) == [TAG]


@pytest.mark.parametrize(
    ("at", "reason"),
    [(3, "wrong length checksum"), (4, "wrong length checksum"), (5, "wrong checksum"), (16, "wrong checksum"),
     (17, "wrong checksum"), (18, "no closing 00")],
)  # fmt: skip
def test_each_check_fails_on_its_own_byte_and_the_next_frame_is_read(at: int, reason: str) -> None:
    broken = GOOD[:at] + bytes([GOOD[at] ^ 0x40]) + GOOD[at + 1 :]
    assert pn(broken + GOOD) == [BadFrame(reason, broken), TAG]


@pytest.mark.parametrize(
    "data",
    [
        "D5 4B", "D5 4B 03", "D5 4B 00 00", "D5 4B 01", "D5 4B 01 01 00 04 08", "D5 4B 01 01 00 04 08 04 9E B3 6E",
        "D5 4B 01 01 00 04 08 05 9E B3 6E 66 77", "D5 4B 01 01 00 04 08 00", "D5 4B 01 01 00 04 08 04 9E B3 6E 66 00",
        "D5 4B 01 01 00 04 08 04 9E B3 6E 66 03 75",
    ],
)  # fmt: skip
def test_a_list_of_targets_that_contradicts_itself_is_no_tag(data: str) -> None:
    [bad] = pn(pn532(bytes.fromhex(data)))
    assert isinstance(bad, BadFrame)


@pytest.mark.parametrize("data", ["D5", "D6 4B 00", "7F 00", "00"])
def test_a_frame_that_is_neither_answer_nor_command_nor_error_fails(data: str) -> None:
    frame = pn532(bytes.fromhex(data))
    assert pn(frame) == [BadFrame("neither an answer nor a command", frame)]


@pytest.mark.parametrize("stream", ["00 00 FF 00 00 00", "00 00 FF FF FF 00 00 00", "00 00 FF FF FF FF 00 01"])
def test_a_length_that_can_not_be_fails_at_once(stream: str) -> None:
    assert pn(stream + GOOD.hex())[1:] == [TAG]
    assert pn(stream + GOOD.hex())[0] == BadFrame("no such length", bytes.fromhex(stream))


def test_extended_frames_say_the_same_as_others() -> None:
    assert pn(pn532_extended(GOOD[5:-2])) == [TAG]
    longest = b"\xd5\x41" + bytes(263)
    assert pn(pn532_extended(longest)) == [Answer("41", bytes(263))]
    assert isinstance(pn(pn532_extended(longest + b"\x00"))[0], BadFrame)


def test_a_frame_is_found_though_the_closing_00_before_it_or_its_own_first_00_was_lost() -> None:
    assert pn(GOOD[:-1] + GOOD) == [TAG, TAG]
    assert pn(GOOD + GOOD[1:]) == [TAG, TAG]
    assert pn(ACK[:-1] + GOOD) == [Answer("ack"), TAG]


def test_the_first_zeros_of_a_frame_may_complete_the_one_before_and_still_be_its_own() -> None:
    assert pn(bytes.fromhex("00 00 FF FF") + GOOD) == [Answer("nack"), TAG]
    assert pn(GOOD + bytes.fromhex("00 FF FF") + GOOD) == [TAG, Answer("nack"), TAG]
    ends_in_zero = pn532(b"\xd5\x15\x16")
    assert ends_in_zero[-2:] == b"\x00\x00"
    assert pn(ends_in_zero[:-2] + GOOD) == [Answer("15", b"\x16"), TAG]


def test_a_mark_inside_a_uid_starts_nothing() -> None:
    assert pn(pn532_tag(bytes.fromhex("0000FF00FF0001")) + GOOD) == [Tag("0000FF00FF0001"), TAG]
