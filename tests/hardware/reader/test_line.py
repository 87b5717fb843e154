"""The ASCII line decoder. Bytes are written as a reader sends them."""

import random
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.cards import DECK, Card
from hardware.reader.decoders import PROTOCOLS, make_decoder
from hardware.reader.decoders.line import LineDecoder
from hardware.reader.decoders.lines import LINE_LIMIT
from hardware.reader.errors import BadSettings
from hardware.reader.messages import BadFrame, CardCode, Message, Notice, Tag

SEAT_PATTERN = r"SEAT (?P<seat>[1-7]) CARD (?P<card>\S+)"

# Bytes that matter to the format come up far more often than chance would have them.
streams = st.lists(
    st.one_of(
        st.sampled_from([b"\r", b"\n", b"\r\n", b"\x02", b"\x03", b" ", b"04A1B2C3D4E5F6", b"SEAT 3 CARD As", b"0"]),
        st.binary(max_size=6),
        st.integers(LINE_LIMIT - 2, LINE_LIMIT + 2).map(lambda n: b"A" * n),
    ),
    max_size=30,
).map(b"".join)


def decode(stream: bytes, pattern: str | None = None) -> list[Message]:
    decoder = LineDecoder(pattern)
    return decoder.feed(stream) + decoder.end()


def test_spaces_and_bare_hex_with_crlf_and_lf() -> None:
    stream = bytes.fromhex(
        "30 34 20 30 36 20 42 39 20 30 32 20 30 41 20 35 34 20 38 31 0D 0A 30 34 41 31 42 32 43 33 44 34 45 35 46 36 0A"
    )
    assert decode(stream) == [Tag("0406B9020A5481"), Tag("04A1B2C3D4E5F6")]


@pytest.mark.parametrize("end", [b"\r", b"\n", b"\r\n"])
@pytest.mark.parametrize("wrap", [b"%s", b"\x02%s", b"%s\x03", b"\x02%s\x03", b"\x02 %s \x03 "])
def test_each_terminator_with_and_without_stx_and_etx(wrap: bytes, end: bytes) -> None:
    line = wrap % b"04A1B2C3" + end
    assert decode(line * 2) == [Tag("04A1B2C3")] * 2


def test_etx_after_the_terminator_is_dropped_too() -> None:
    assert decode(b"\x0204A1\r\n\x03\x0204A2\r\n\x03") == [Tag("04A1"), Tag("04A2")]


def test_leading_zeros_are_kept_and_lower_case_is_raised() -> None:
    assert decode(b"000a0b\n") == [Tag("000A0B")]


@pytest.mark.parametrize("blank", [b"", b"\n", b"\r\n\r\n", b"   \n", b"\x02\x03\r", b"\x02\x02\x02\n", b"  "])
def test_empty_lines_are_nothing(blank: bytes) -> None:
    assert decode(blank) == []


@pytest.mark.parametrize(
    "line", [b"0", b"04A", b"XY", b"04-06", b"04\t06", b"\x00\x00", b"\xff\xfe", b"As", "٠٤".encode()]
)
def test_anything_else_is_one_bad_frame_and_the_next_line_is_read(line: bytes) -> None:
    assert decode(line + b"\n04A1\n") == [BadFrame("not an even number of hex digits", line), Tag("04A1")]


def test_stx_inside_a_line_ends_it_as_a_bad_frame() -> None:
    assert decode(b"04A1\x0204A2\n") == [BadFrame("cut short by a new STX", b"04A1"), Tag("04A2")]


def test_an_unfinished_line_is_a_bad_frame_at_the_end_and_no_part_of_the_next() -> None:
    decoder = LineDecoder()
    assert decoder.feed(b"04A1B2C3") == []
    assert decoder.end() == [BadFrame("no line end", b"04A1B2C3")]
    assert decoder.end() == []
    assert decoder.feed(b"04\n") == [Tag("04")]


def test_the_longest_line_is_read_and_one_byte_more_is_one_bad_frame() -> None:
    longest, longer = b"A" * LINE_LIMIT, b"A" * (LINE_LIMIT + 1)
    assert decode(longest + b"\n") == [Tag("A" * LINE_LIMIT)]
    [bad, tag] = decode(longer + b"04A1B2C3" * 1000 + b"\n04A1\n")
    assert isinstance(bad, BadFrame)
    assert "longer than" in bad.reason
    assert bad.data == longer
    assert tag == Tag("04A1")


def test_rubbish_that_never_ends_a_line_is_told_before_it_stops() -> None:
    assert len(LineDecoder().feed(b"A" * 100_000)) == 1


def test_a_card_code_and_a_seat_through_a_pattern() -> None:
    assert decode(b"SEAT 3 CARD As\r\n\x02SEAT 1 CARD Td\x03\n", SEAT_PATTERN) == [
        CardCode(Card("As"), seat="3"),
        CardCode(Card("Td"), seat="1"),
    ]


def test_uid_and_event_through_a_pattern() -> None:
    pattern = r"(?P<event>IN|OUT):(?P<uid>[0-9A-Fa-f ]+)"
    assert decode(b"IN:04 0a\nOUT:00FF\n", pattern) == [Tag("040A", event="IN"), Tag("00FF", event="OUT")]


def test_a_line_about_an_event_alone_is_a_notice() -> None:
    assert decode(b"DOOR\n", r"(?P<event>DOOR)|(?P<uid>\w+)") == [Notice("DOOR")]


@pytest.mark.parametrize(
    ("line", "pattern", "reason"),
    [
        (b"SEAT 3 CARD As!", SEAT_PATTERN, "no such card"),
        (b"SEAT 3 CARD 1s", SEAT_PATTERN, "no such card"),
        (b"xSEAT 3 CARD As", SEAT_PATTERN, "line does not match the pattern"),
        (b"SEAT 3 CARD As ", SEAT_PATTERN, "line does not match the pattern"),
        (b"SEAT 9 CARD As", SEAT_PATTERN, "line does not match the pattern"),
        (b"ID=04A", "ID=(?P<uid>.*)", "the UID is not an even number of hex digits"),
        (b"ID=", "ID=(?P<uid>.*)", "the UID is not an even number of hex digits"),
        (b"3", "(?P<seat>[1-4])", "the line names no card, UID or event"),
    ],
)
def test_what_a_pattern_can_not_use_is_a_bad_frame(line: bytes, pattern: str, reason: str) -> None:
    assert decode(line + b"\n", pattern) == [BadFrame(reason, line)]


@pytest.mark.parametrize(
    ("pattern", "named"),
    [("(?P<card>", "a regular expression"), ("[0-9]+", "card, uid, seat, event"), ("(?P<crad>..)", "crad")],
)
def test_a_pattern_that_can_not_work_is_refused_with_place_expected_and_found(pattern: str, named: str) -> None:
    with pytest.raises(BadSettings) as refused:
        make_decoder("line", pattern)
    assert str(refused.value).startswith("pattern: expected ")
    assert named in str(refused.value)
    assert pattern in str(refused.value)


def test_an_unknown_protocol_is_refused_and_the_known_ones_are_named() -> None:
    with pytest.raises(BadSettings, match=r'protocol: expected one of line.*, found "smoke"'):
        make_decoder("smoke")
    assert "line" in PROTOCOLS


@given(stream=streams, cuts=st.lists(st.integers(0, 400), max_size=8), patterned=st.booleans())
def test_the_same_bytes_give_the_same_messages_however_they_are_cut(
    stream: bytes, cuts: list[int], patterned: bool
) -> None:
    pattern = SEAT_PATTERN if patterned else None
    decoder = LineDecoder(pattern)
    edges = sorted({0, len(stream), *(cut for cut in cuts if cut < len(stream))})
    messages = [m for start, stop in pairwise(edges) for m in decoder.feed(stream[start:stop])]
    assert messages + decoder.end() == decode(stream, pattern)


def test_two_frames_split_at_every_index_give_the_same_messages() -> None:
    stream = b"\x0204 06 B9 02 0A 54 81\x03\r\nrubbish\r\n04A1B2C3D4E5F6\n"
    for cut in range(len(stream)):
        decoder = LineDecoder()
        assert decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]) + decoder.end() == decode(stream)


@given(streams)
def test_every_visible_line_gives_a_message(stream: bytes) -> None:
    lines = [part for line in stream.replace(b"\r", b"\n").split(b"\n") for part in line.split(b"\x02")]
    told = [line for line in lines if line.translate(None, b" \x03") or len(line) > LINE_LIMIT]
    assert len(decode(stream)) == len(told)


@pytest.mark.parametrize("alphabet", [bytes(range(256)), b"0123456789ABCDEF", b"AsKd \x02\x03\n"])
def test_a_megabyte_of_rubbish_is_told_in_bounded_memory_and_is_never_a_card(alphabet: bytes) -> None:
    noise = bytes(random.Random(1).choices(alphabet, k=1 << 20))
    plain, patterned = LineDecoder(), LineDecoder(SEAT_PATTERN)
    told = 0
    for start in range(0, len(noise), 4096):
        chunk = noise[start : start + 4096]
        for message in plain.feed(chunk) + patterned.feed(chunk):
            told += 1
            assert isinstance(message, BadFrame | Tag)
            assert not isinstance(message, Tag) or len(message.uid) < 14 or alphabet != bytes(range(256))
        assert sys.getsizeof(plain._held) + sys.getsizeof(patterned._held) < 2048
    assert told > 0


def test_every_card_of_the_deck_can_be_sent_as_a_code() -> None:
    stream = "".join(f"{card}\r" for card in DECK).encode()
    assert decode(stream, "(?P<card>..)") == [CardCode(card) for card in DECK]
