"""The long searches: a hundred megabytes of noise, and minutes of damaged streams, for each decoder.

`DECODER_FUZZ_SECONDS` says how long each is searched; 600 where it is not set. What a search finds is kept as a small
test in the file of its format.
"""

import os
import random
import time
from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.reader.decoders import PROTOCOLS, make_decoder
from hardware.reader.messages import Message
from tests.hardware.reader.frames import FORMATS, decode, streams, tags
from tests.hardware.reader.test_frames import HELD_LIMIT, held, hold_against_noise

FUZZ_SECONDS: Final = float(os.environ.get("DECODER_FUZZ_SECONDS", "600"))

pytestmark = [pytest.mark.torture, pytest.mark.timeout(FUZZ_SECONDS + 600)]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_hundred_megabytes_of_noise_hold_no_card(protocol: str) -> None:
    assert hold_against_noise(protocol, random.Random(3), 100_000_000) > 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_stream_is_found_that_is_read_in_two_ways(protocol: str) -> None:
    """Any stream, cut anywhere, gives the same messages, holds little, and never hides the frames behind silence."""
    kind = FORMATS[protocol]
    last = kind.uid(99)

    @settings(max_examples=2000)
    @given(stream=streams(protocol), seed=st.integers(0, 2**32))
    def search(stream: bytes, seed: int) -> None:
        drawn = random.Random(seed)
        cuts = (drawn.randint(0, len(stream)) for _ in range(drawn.randint(0, 40)))
        decoder = make_decoder(protocol)
        messages: list[Message] = []
        for start, stop in pairwise(sorted({0, len(stream), *cuts})):
            messages += decoder.feed(stream[start:stop])
            assert held(decoder) < HELD_LIMIT
        messages += decoder.end()
        assert messages == decode(protocol, stream)
        assert tags(decoder.feed(kind.frame(last)) + decoder.end()) == [last.hex().upper()]

    until = time.monotonic() + FUZZ_SECONDS
    while time.monotonic() < until:
        search()
