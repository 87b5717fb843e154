"""What holds for the decoders of every wire format, however damaged the stream."""

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.cli.decode import event_of
from hardware.reader.decoders import PROTOCOLS, make_decoder
from hardware.reader.decoders.scanner import STRETCH_LIMIT
from hardware.reader.errors import BadSettings
from hardware.reader.messages import BadFrame, Message, Noise, Tag
from tests.hardware.reader.frames import (
    FORMATS,
    LENGTH_FRAMED,
    LINES,
    MARKED,
    damaged,
    decode,
    rubbish,
    streams,
    tags,
    unread,
)

GOLDEN: Final = json.loads((Path(__file__).parents[2] / "golden" / "frames.json").read_text("utf-8"))
TOLD: Final = ("tag", "none", "error", "collision", "bad_frame")
HELD_LIMIT: Final = 4096  # bytes, more than any decoder may hold back

golden = pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
every_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


def words(messages: list[Message]) -> list[str]:
    """Messages as the golden table writes them."""
    events = [event_of(message) for message in messages]
    return [
        f"tag:{event['uid']}" if "uid" in event else f"{event['event']}" for event in events if event["event"] in TOLD
    ]


def held(decoder: object) -> int:
    return len(vars(decoder)["_held"])


def uids(protocol: str, numbers: range) -> list[str]:
    return [FORMATS[protocol].uid(number).hex().upper() for number in numbers]


def in_order(wanted: list[str], among: list[str]) -> bool:
    rest = iter(among)
    return all(uid in rest for uid in wanted)


@golden
def test_golden_frames_give_their_events(case: dict[str, Any]) -> None:
    assert words(decode(case["protocol"], bytes.fromhex(case["bytes"]))) == case["events"]


@golden
def test_golden_frames_give_their_events_byte_by_byte(case: dict[str, Any]) -> None:
    stream = bytes.fromhex(case["bytes"])
    assert decode(case["protocol"], *(bytes([byte]) for byte in stream)) == decode(case["protocol"], stream)


@golden
def test_golden_frames_split_at_every_index_give_the_same(case: dict[str, Any]) -> None:
    stream = bytes.fromhex(case["bytes"])
    for cut in range(len(stream) + 1):
        assert decode(case["protocol"], stream[:cut], stream[cut:]) == decode(case["protocol"], stream)


@golden
def test_golden_frames_broken_off_anywhere_are_told_and_never_raise(case: dict[str, Any]) -> None:
    stream = bytes.fromhex(case["bytes"])
    for cut in range(len(stream)):
        told = words(decode(case["protocol"], stream[:cut]))
        cards = [event for event in told if event.startswith("tag")]
        assert in_order(cards, case["events"])


def test_every_protocol_is_known_here() -> None:
    assert set(FORMATS) == set(PROTOCOLS)


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name != "line"])
def test_a_pattern_is_refused_where_there_is_nothing_to_match(protocol: str) -> None:
    with pytest.raises(BadSettings, match=f"pattern: expected none, since {protocol}"):
        make_decoder(protocol, "(?P<uid>.*)")


@every_protocol
def test_every_card_of_a_deck_is_read_and_repeats_are_not_merged(protocol: str) -> None:
    kind = FORMATS[protocol]
    deck = [kind.uid(number) for number in range(52)]
    told = decode(protocol, b"".join(kind.frame(uid) * 2 for uid in deck))
    assert tags(told) == [uid.hex().upper() for uid in deck for _ in range(2)]
    assert all(isinstance(message, Tag) for message in told)


@every_protocol
def test_leading_zeros_are_kept(protocol: str) -> None:
    kind = FORMATS[protocol]
    assert tags(decode(protocol, kind.frame(bytes(kind.uid_size)))) == ["00" * kind.uid_size]


@every_protocol
def test_a_tag_names_no_seat_unless_the_reader_does(protocol: str) -> None:
    kind = FORMATS[protocol]
    [tag] = decode(protocol, kind.frame(kind.uid(1)))
    assert isinstance(tag, Tag)
    assert tag.seat is None


@every_protocol
def test_each_decoder_keeps_its_own_bytes(protocol: str) -> None:
    kind = FORMATS[protocol]
    one, other = make_decoder(protocol), make_decoder(protocol)
    first, second = kind.frame(kind.uid(1)), kind.frame(kind.uid(2))
    read: dict[int, list[Message]] = {1: [], 2: []}
    for a, b in zip(first, second, strict=True):
        read[1] += one.feed(bytes([a]))
        read[2] += other.feed(bytes([b]))
    assert tags(read[1] + one.end()) == uids(protocol, range(1, 2))
    assert tags(read[2] + other.end()) == uids(protocol, range(2, 3))


@every_protocol
def test_silence_ends_a_frame_and_the_next_is_read_afresh(protocol: str) -> None:
    kind = FORMATS[protocol]
    frame = kind.frame(kind.uid(1))
    decoder = make_decoder(protocol)
    for cut in range(4, len(frame) - 2):
        assert decoder.feed(frame[:cut]) == []
        assert all(isinstance(message, BadFrame) for message in decoder.end())
        assert tags(decoder.feed(frame) + decoder.end()) == uids(protocol, range(1, 2))


@pytest.mark.parametrize("protocol", MARKED)
def test_a_frame_broken_off_is_one_bad_frame_with_its_bytes(protocol: str) -> None:
    kind = FORMATS[protocol]
    frame = kind.frame(kind.uid(1))
    for cut in range(4, len(frame) - 2):
        assert decode(protocol, frame[:cut]) == [BadFrame("unfinished", frame[:cut])]


@every_protocol
@given(data=st.data())
def test_the_same_bytes_give_the_same_messages_however_they_are_cut(protocol: str, data: st.DataObject) -> None:
    stream = data.draw(streams(protocol))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=12))
    edges = sorted({0, len(stream), *cuts})
    whole = decode(protocol, stream)
    assert decode(protocol, *(stream[start:stop] for start, stop in pairwise(edges))) == whole


@every_protocol
@given(data=st.data())
def test_byte_by_byte_nothing_is_held_for_long(protocol: str, data: st.DataObject) -> None:
    stream = data.draw(streams(protocol, max_pieces=6))
    decoder = make_decoder(protocol)
    messages: list[Message] = []
    for byte in stream:
        messages += decoder.feed(bytes([byte]))
        assert held(decoder) < HELD_LIMIT
    assert messages + decoder.end() == decode(protocol, stream)
    assert held(decoder) == 0


@pytest.mark.parametrize("protocol", MARKED)
@given(data=st.data())
def test_bytes_between_frames_lose_no_frame_and_are_told(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    between = [data.draw(rubbish(protocol)) for _ in range(4)]
    frames = [kind.frame(kind.uid(number)) for number in range(3)]
    told = decode(
        protocol, between[0] + b"".join(frame + more for frame, more in zip(frames, between[1:], strict=True))
    )
    assert in_order(uids(protocol, range(3)), tags(told))
    if all(isinstance(message, BadFrame | Noise | Tag) for message in told) and len(tags(told)) == 3:
        idle = b"\x00\x55" if protocol == "pn532" else b""
        assert unread(told).translate(None, idle) == b"".join(between).translate(None, idle)


@pytest.mark.parametrize("protocol", MARKED)
@given(data=st.data())
def test_damage_inside_loses_one_frame_and_is_told(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    frames = [kind.frame(kind.uid(number)) for number in range(4)]
    hurt = data.draw(st.integers(0, 3))
    wanted = uids(protocol, range(4))
    damage = data.draw(damaged(frames[hurt]))
    told = decode(protocol, *frames[:hurt], damage, *frames[hurt + 1 :])
    if tags(told) != wanted:
        assert tags(told) == wanted[:hurt] + wanted[hurt + 1 :]
        assert unread(told) or not damage.strip(b"\x00\x55")


@pytest.mark.parametrize("protocol", MARKED)
def test_no_bit_that_flips_makes_another_tag_and_the_next_frame_is_read(protocol: str) -> None:
    kind = FORMATS[protocol]
    frame = kind.frame(kind.uid(1))
    for bit in range(len(frame) * 8):
        flipped = bytearray(frame)
        flipped[bit // 8] ^= 1 << bit % 8
        *first, second = tags(decode(protocol, bytes(flipped), kind.frame(kind.uid(2))))
        assert [second] == uids(protocol, range(2, 3))
        assert first in ([], uids(protocol, range(1, 2)))


@pytest.mark.parametrize("protocol", LENGTH_FRAMED)
@given(data=st.data())
def test_frames_behind_a_length_that_lies_are_found_when_it_is_silent(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    lying = {
        "pn532": b"\x00\x00\xff\xf0\x10\xd5\x4b",
        "r200": b"\xbb\x02\x22\x00\xfa",
        "uhfreader18": b"\xfa\x00\xee\x00",
    }[protocol]
    count = data.draw(st.integers(1, 5))
    told = decode(protocol, lying + b"".join(kind.frame(kind.uid(number)) for number in range(count)))
    assert isinstance(told[0], BadFrame)
    assert told[0].data == lying
    assert tags(told) == uids(protocol, range(count))


@pytest.mark.parametrize("protocol", LENGTH_FRAMED)
@given(data=st.data())
def test_a_damaged_stretch_is_one_bad_frame_up_to_the_next_frame_that_holds(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    frame = kind.frame(kind.uid(1))
    broken = [frame[: data.draw(st.integers(5, len(frame) - 3))] for _ in range(data.draw(st.integers(1, 4)))]
    assert decode(protocol, b"".join(broken) + frame)[1:] == decode(protocol, frame)


@pytest.mark.parametrize("protocol", LINES)
@given(data=st.data())
def test_bytes_in_a_line_lose_that_line_only(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    frames = [kind.frame(kind.uid(number)) for number in range(4)]
    at = data.draw(st.integers(0, len(frames[1]) - 2))
    more = data.draw(st.binary(min_size=1, max_size=5))
    told = decode(protocol, frames[0], frames[1][:at] + more + frames[1][at:], *frames[2:])
    wanted = uids(protocol, range(4))
    assert in_order([wanted[0], *wanted[2:]], tags(told))


@pytest.mark.parametrize("protocol", LINES)
@given(data=st.data())
def test_a_damaged_terminator_loses_two_lines(protocol: str, data: st.DataObject) -> None:
    kind = FORMATS[protocol]
    frames = [kind.frame(kind.uid(number)).rstrip() for number in range(4)]
    terminator = data.draw(st.binary(max_size=2).filter(lambda drawn: not set(drawn) & set(b"\r\n\x02")))
    told = decode(protocol, frames[0] + b"\r" + frames[1] + terminator + frames[2] + b"\r" + frames[3] + b"\r")
    wanted = uids(protocol, range(4))
    assert in_order([wanted[0], wanted[3]], tags(told))
    assert not {wanted[1], wanted[2]} & set(tags(told))
    assert len(told) == 3


@pytest.mark.parametrize("protocol", LENGTH_FRAMED)
def test_damage_without_end_is_told_in_pieces_and_no_byte_is_lost(protocol: str) -> None:
    start = {"pn532": b"\x00\x00\xff\x05\x05", "r200": b"\xbb\x09", "uhfreader18": b"\x11\x00\xee\x01"}[protocol]
    stream = start + b"\x02" * 10_000
    told = decode(protocol, stream)
    assert all(isinstance(message, BadFrame) for message in told)
    assert len(told) == len(stream) // STRETCH_LIMIT + 1
    assert unread(told) == stream


@every_protocol
def test_rubbish_is_told_before_it_stops(protocol: str) -> None:
    assert make_decoder(protocol).feed(b"\x02" + b"A" * 10_000)


def hold_against_noise(protocol: str, noise: random.Random, size: int, alphabet: bytes | None = None) -> int:
    """Feeds rubbish in chunks; none of it may be a card, and little may be held. How many messages it gave."""
    deck = set(uids(protocol, range(52)))
    decoder = make_decoder(protocol)
    told = 0
    for _ in range(size // (1 << 16) + 1):
        messages = decoder.feed(
            noise.randbytes(1 << 16) if alphabet is None else bytes(noise.choices(alphabet, k=1 << 16))
        )
        assert not deck & set(tags(messages))
        assert held(decoder) < HELD_LIMIT
        told += len(messages)
    return told


@every_protocol
def test_two_megabytes_of_noise_are_told_in_bounded_memory_and_hold_no_card(protocol: str) -> None:
    assert hold_against_noise(protocol, random.Random(1), 2_000_000) > 0


@every_protocol
def test_noise_made_of_what_matters_to_the_format_holds_no_card(protocol: str) -> None:
    alphabet = b"".join(FORMATS[protocol].pieces)
    assert hold_against_noise(protocol, random.Random(2), 200_000, alphabet) > 0
