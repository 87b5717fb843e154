"""EM4100 readers. Bytes are written as a reader sends them."""

import pytest

from hardware.reader.deck import DeckBook
from hardware.reader.decoders.em4100 import FRAME_LIMIT
from hardware.reader.messages import BadFrame, Message, Noise, Tag
from tests.hardware.helpers import demo_deck
from tests.hardware.reader.frames import decode, em4100

GOOD = bytes.fromhex("02 36 37 30 30 33 42 35 31 43 36 43 42 03")
TAG = Tag("67003B51C6")


def em(stream: bytes) -> list[Message]:
    return decode("em4100", stream)


def test_digits_of_either_case_name_the_same_tag() -> None:
    assert em(GOOD.lower()) == em(GOOD) == [TAG]


def test_an_id_20la_sends_cr_and_lf_before_its_etx() -> None:
    assert em(bytes.fromhex("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03")) == [Tag("0500207B32")]


@pytest.mark.parametrize("ghost", ["000000000000", "000000078F88", "F000060007F1"])
def test_a_ghost_whose_checksum_is_right_is_a_tag_that_no_deck_knows(ghost: str) -> None:
    [tag] = em(b"\x02" + ghost.encode() + b"\x03")
    assert tag == Tag(ghost[:10])
    book = DeckBook(demo_deck("red"), [demo_deck("blue")])
    assert type(book.sighting("shoe", tag)).__name__ == "UnknownTagSighted"


@pytest.mark.parametrize("bit", range(8))
def test_one_bit_of_a_uid_or_its_checksum_is_enough_to_fail(bit: int) -> None:
    for at in range(6):
        octets = bytearray(bytes.fromhex("67003B51C6CB"))
        octets[at] ^= 1 << bit
        [bad] = em(b"\x02" + octets.hex().upper().encode() + b"\x03")
        assert isinstance(bad, BadFrame)
        assert bad.reason == "wrong checksum"


def test_a_frame_without_stx_is_noise_and_never_a_tag() -> None:
    assert em(GOOD[1:]) == [Noise(GOOD[1:])]
    assert em(b"\xff\x00A" + GOOD) == [Noise(b"\xff\x00A"), TAG]


def test_a_frame_that_lost_a_digit_is_one_bad_frame_with_its_etx() -> None:
    short = bytes.fromhex("02 30 31 31 34 41 45 33 42 42 43 3C 03")
    assert em(short + GOOD) == [BadFrame("not twelve hex digits", short), TAG]


def test_stx_inside_a_frame_ends_it_and_starts_a_new_one() -> None:
    assert em(GOOD[:6] + GOOD) == [BadFrame("cut short by a new STX", GOOD[:6]), TAG]


@pytest.mark.parametrize("tail", [b"\r", b"\n", b"\n\r", b"\r\n\r\n", b" ", b"0"])
def test_nothing_but_cr_and_lf_may_stand_before_etx(tail: bytes) -> None:
    [bad, tag] = em(GOOD[:-1] + tail + b"\x03" + GOOD)
    assert isinstance(bad, BadFrame)
    assert tag == TAG


def test_a_frame_that_lost_its_etx_costs_itself_only() -> None:
    assert em(GOOD[:-1] + GOOD) == [BadFrame("cut short by a new STX", GOOD[:-1]), TAG]
    assert em(GOOD[:-1] + b"\x13" + GOOD) == [BadFrame("cut short by a new STX", GOOD[:-1] + b"\x13"), TAG]


def test_a_frame_without_end_is_told_at_its_limit_and_what_follows_is_noise() -> None:
    stream = b"\x02" + b"A" * FRAME_LIMIT + GOOD
    assert em(stream) == [BadFrame(f"no end within {FRAME_LIMIT} bytes", stream[:FRAME_LIMIT]), Noise(b"A"), TAG]


def test_cr_and_lf_behind_a_frame_are_noise() -> None:
    assert em(GOOD + b"\r\n" + GOOD) == [TAG, Noise(b"\r\n"), TAG]


def test_two_cards_in_one_chunk_both_count_and_so_do_repeats() -> None:
    other = em4100(bytes.fromhex("0D00319CD0"))
    assert em(GOOD + other + GOOD + GOOD) == [TAG, Tag("0D00319CD0"), TAG, TAG]
