"""Events to bytes and back: every kind, and everything that a table plays by, reads back as it was."""

from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game import events as ev
from dealer_assist.game.dealing import Seat
from dealer_assist.game.jackpot import PrizeWon
from dealer_assist.game.money import Money
from dealer_assist.game.profile import Prize
from dealer_assist.storage.codec import decode_event, encode_event
from dealer_assist.storage.profiles import load_profile, names
from dealer_assist.storage.tables import load_table
from tests.application.desk import desk_at
from tests.game.felt import table_setup
from tests.storage.logs import play_a_bit_of_everything

READINGS = [(name, reading) for name in names("rules") for reading in (None, *load_profile(name).readings)]


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_a_tables_opening_carries_its_whole_rule_profile(name: str, reading: str | None) -> None:
    opened = ev.TableOpened(table_setup(name, reading))
    again = decode_event(encode_event(opened))
    assert again == opened
    assert encode_event(again) == encode_event(opened)


@pytest.mark.parametrize("name", names("tables"))
def test_a_shipped_table_reads_back_from_its_log(name: str) -> None:
    opened = ev.TableOpened(load_table(name).setup)
    assert decode_event(encode_event(opened)) == opened


def test_everything_that_happens_at_a_table_reads_back(tmp_path: Path) -> None:
    with desk_at(tmp_path) as desk:
        play_a_bit_of_everything(desk)
        for logged in desk.history:
            assert decode_event(encode_event(logged.event)) == logged.event
        assert len(set(desk.kinds)) >= 20


@given(st.fractions(min_value=-100, max_value=100))
def test_a_feed_is_kept_exactly(increment: Fraction) -> None:
    fed = ev.JackpotFed(Seat(1), Money(50), increment, increment * 50)
    assert decode_event(encode_event(fed)) == fed


@pytest.mark.parametrize("prize", [Prize(Fraction(1), None), Prize(Fraction(1, 10), None), Prize(None, Money(0))])
def test_a_prize_is_a_share_or_an_amount(prize: Prize) -> None:
    profile = load_profile("cyber-stud-nb")
    assert profile.jackpot_paytable is not None
    table = msgspec.structs.replace(profile.jackpot_paytable, royal_flush=prize)
    opened = ev.TableOpened(table_setup("C", profile=msgspec.structs.replace(profile, jackpot_paytable=table)))
    again = decode_event(encode_event(opened))
    assert isinstance(again, ev.TableOpened)
    assert again.setup.profile.jackpot_paytable == table


def test_a_hit_keeps_its_payees_in_paying_order() -> None:
    payees = (
        PrizeWon(Seat(4), Money(2), Money(1), "100%", by_hand=True),
        PrizeWon(Seat(1), Money(1), Money(1), None, False),
    )
    hit = ev.HitFrozen(payees, Money(2), Money(2))
    assert decode_event(encode_event(hit)) == hit


def test_the_kind_stands_in_the_body_and_none_is_called_twice() -> None:
    kinds = [kind.__name__ for kind in get_args(ev.Event)]
    assert len(set(kinds)) == len(kinds)
    assert encode_event(ev.RoundClosed()) == b'{"type":"RoundClosed"}'


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"type":"Nothing"}', b'{"type":"RoundOpened"}', b"\xff"])
def test_bytes_that_are_no_event_are_refused(body: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        decode_event(body)


def test_a_value_that_nobody_knows_how_to_store_is_refused() -> None:
    strange: Any = object()
    with pytest.raises(NotImplementedError):
        encode_event(ev.BetsLocked(strange))


@pytest.mark.parametrize(
    "body",
    [
        b'{"type":"RoundOpened","number":"n","opened_at":"t"}',
        b'{"type":"RoundOpened","number":"n","opened_at":"t","a_field_of_a_later_release":7}',
    ],
)
def test_an_event_of_a_later_release_is_read_as_far_as_it_is_known(body: bytes) -> None:
    assert decode_event(body) == ev.RoundOpened("n", "t")
