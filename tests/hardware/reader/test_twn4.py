"""TWN4 readers. Lines are written as the reader sends them."""

import pytest

from hardware.reader.messages import Answer, BadFrame, Message, NoTag, ReaderError, Tag
from tests.hardware.reader.frames import decode


def twn4(stream: bytes) -> list[Message]:
    return decode("twn4", stream)


@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\n"])
def test_a_tag_and_none_with_each_line_end(end: bytes) -> None:
    assert twn4(b"000180200441A2B3C4" + end + b"0000" + end) == [Tag("41A2B3C4"), NoTag()]


@pytest.mark.parametrize(
    ("line", "uid"),
    [(b"0001803807" + b"04416D412B0289", "04416D412B0289"), (b"000140280501c8f00800", "01C8F00800"),
     (b"00014A1A0401234567", "01234567"), (b"000180200400000000", "00000000")],
)  # fmt: skip
def test_uids_of_any_length_and_digits_of_either_case(line: bytes, uid: str) -> None:
    assert twn4(line + b"\r") == [Tag(uid)]


@pytest.mark.parametrize(("line", "code"), [(b"01", "01"), (b"0B", "0B"), (b"ff", "FF"), (b"0100", "01")])
def test_any_status_but_00_is_an_error(line: bytes, code: str) -> None:
    assert twn4(line + b"\r") == [ReaderError(code)]


def test_other_answers_are_no_tags() -> None:
    assert twn4(b"00\r000354574E\r") == [Answer("00"), Answer("00", b"TWN")]


@pytest.mark.parametrize(
    "line",
    [
        b"0001", b"000180", b"00018020", b"0001802004", b"000180200441A2B3", b"000180200441A2B3C4D5", b"000180200341A2B3C4",
        b"000180100441A2B3C4", b"000180280441A2B3C4", b"0001800000", b"0002", b"0000 00", b"000000",
    ],
)  # fmt: skip
def test_fields_that_contradict_each_other_are_a_bad_frame(line: bytes) -> None:
    [bad, tag] = twn4(line + b"\r000180200441A2B3C4\r")
    assert isinstance(bad, BadFrame)
    assert bad.data == line
    assert tag == Tag("41A2B3C4")


@pytest.mark.parametrize("line", [b"0", b"000", b"00 00", b"00\x03", b" ", b"xx", b"\xff\xff", b"0x00"])
def test_anything_but_pairs_of_hex_digits_is_a_bad_frame(line: bytes) -> None:
    assert twn4(line + b"\r0000\r") == [BadFrame("not an even number of hex digits", line), NoTag()]


def test_empty_lines_are_nothing_and_an_unfinished_one_is_a_bad_frame() -> None:
    assert twn4(b"\r\r\n0000") == [BadFrame("no line end", b"0000")]


def test_stx_ends_a_line_and_starts_a_new_one() -> None:
    assert twn4(b"00018\x020000\r") == [BadFrame("cut short by a new STX", b"00018"), NoTag()]
