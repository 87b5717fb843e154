"""R200 modules. Bytes are written as the module sends them."""

import pytest

from hardware.reader.messages import Answer, BadFrame, Echo, Message, Noise, NoTag, ReaderError, Tag
from tests.hardware.reader.frames import decode, r200, r200_tag

GOOD = bytes.fromhex("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E")
TAG = Tag("30751FEB705C5904E3D50D70", rssi=-55)


def r2(stream: bytes | str) -> list[Message]:
    return decode("r200", bytes.fromhex(stream) if isinstance(stream, str) else stream)


def test_a_notice_tells_the_tag_and_how_strongly_it_was_heard() -> None:
    assert r2(GOOD) == [TAG]


@pytest.mark.parametrize("epc", ["E200", "E2801160600002054CC2096F", "7E7EBB7E" * 4, "BB02220011C93400" * 7 + "0102"])
def test_the_pc_says_how_long_the_epc_is_and_marks_inside_are_nothing(epc: str) -> None:
    assert r2(r200_tag(bytes.fromhex(epc), rssi=-70)) == [Tag(epc, rssi=-70)]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (bytes.fromhex("BB 01 FF 00 01 15 16 7E"), NoTag()),
        (r200(1, 0xFF, b"\x17"), ReaderError("17")),
        (r200(1, 0xFF, bytes.fromhex("16 0E 3400 30751FEB705C5904E3D50D70")), ReaderError("16")),
        (r200(1, 0x03, b"\x00M100 26dBm V1.0"), Answer("03", b"\x00M100 26dBm V1.0")),
        (bytes.fromhex("BB 01 28 00 01 00 2A 7E"), Answer("28", b"\x00")),
        (bytes.fromhex("BB 00 22 00 00 22 7E"), Echo(b"\x22")),
        (bytes.fromhex("BB 00 27 00 03 22 27 10 83 7E"), Echo(bytes.fromhex("27222710"))),
        (bytes.fromhex("BB 00 28 00 00 28 7E"), Echo(b"\x28")),
    ],
)
def test_what_is_said_beside_tags(frame: bytes, message: Message) -> None:
    assert r2(frame) == [message]


def test_the_firmware_answer_that_circulates_with_a_wrong_sum_fails_and_with_the_right_one_holds() -> None:
    wrong = bytes.fromhex("BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 22 7E")
    right = wrong[:-2] + b"\x92\x7e"
    assert r2(wrong + GOOD) == [BadFrame("wrong sum", wrong), TAG]
    assert r2(right) == [Answer("03", b"\x00M100 26dBm V1.0")]


@pytest.mark.parametrize(
    ("at", "byte", "reason"),
    [
        (1, 3, "no such type"),
        (3, 1, "no such length"),
        (8, 0, "wrong sum"),
        (22, 0, "wrong sum"),
        (23, 0, "no closing 7E"),
    ],
)
def test_each_check_fails_on_its_own_byte_and_the_next_frame_is_read(at: int, byte: int, reason: str) -> None:
    broken = GOOD[:at] + bytes([byte]) + GOOD[at + 1 :]
    assert r2(broken + GOOD) == [BadFrame(reason, broken), TAG]


@pytest.mark.parametrize("pc", [0x0000, 0x2C00, 0x3C00, 0xF800])
def test_a_pc_that_contradicts_the_frame_is_no_tag(pc: int) -> None:
    frame = r200(2, 0x22, b"\xc9" + pc.to_bytes(2) + bytes(12) + b"\x3a\x76")
    [bad] = r2(frame)
    assert isinstance(bad, BadFrame)
    assert bad.data == frame


@pytest.mark.parametrize("payload", [b"", b"\xc9", b"\xc9\x00\x00\x3a\x76"])
def test_a_notice_without_an_epc_is_no_tag(payload: bytes) -> None:
    assert isinstance(r2(r200(2, 0x22, payload))[0], BadFrame)


def test_an_error_without_its_code_fails() -> None:
    assert isinstance(r2(r200(1, 0xFF))[0], BadFrame)


def test_bytes_outside_frames_are_noise() -> None:
    assert r2(b"\x7e\x7e" + GOOD + b"\x7e") == [Noise(b"\x7e\x7e"), TAG, Noise(b"\x7e")]


def test_a_start_mark_alone_is_a_bad_frame_when_it_is_silent() -> None:
    assert r2("BB") == [BadFrame("unfinished", b"\xbb")]
    assert r2(b"\xbb" + GOOD) == [BadFrame("no such type", b"\xbb"), TAG]
