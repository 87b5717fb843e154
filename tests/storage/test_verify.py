"""Is a log what it was? Whatever is edited, the first sequence that does not hold is named."""

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.events import Event
from dealer_assist.game.hands import Category
from dealer_assist.game.money import Money
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import Row
from dealer_assist.storage.verify import Verdict, verify
from tests.storage.logs import ROUNDS, forge, make_log, seal_of, stored, tamper

replace = msgspec.structs.replace


class Original:
    """A log that holds, and its rows."""

    def __init__(self, folder: DataFolder, rows: list[Row], copies: Path) -> None:
        self.folder = folder
        self.rows = rows
        self.copies = copies

    def copy(self) -> Path:
        """A fresh copy of it."""
        target = self.copies / "log.sqlite"
        for left in self.copies.glob("log.sqlite*"):
            left.unlink()
        shutil.copy(self.folder.log, target)
        return target

    def verdict(self, path: Path) -> Verdict:
        """What a check with the right key finds."""
        return verify(path, seal_of(self.folder))

    def broken_at(self, path: Path) -> int:
        """The first sequence that does not hold."""
        found = self.verdict(path).broken
        assert found is not None, "the log is said to hold"
        return found.seq

    def first(self, kind: type[Event], after: int = 0) -> int:
        """The first sequence of a kind behind another sequence."""
        return next(row.seq for row in self.rows if row.kind == kind.__name__ and row.seq > after)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    folder = make_log(tmp_path_factory.mktemp("log"))
    return Original(folder, stored(folder.log), tmp_path_factory.mktemp("copies"))


def test_a_log_that_nobody_touched_holds(original: Original) -> None:
    assert original.verdict(original.folder.log) == Verdict(len(original.rows), ROUNDS, None)


def test_each_row_is_told_of_as_it_is_checked(original: Original) -> None:
    checked: list[None] = []
    verify(original.folder.log, seal_of(original.folder), after_row=lambda: checked.append(None))
    assert len(checked) == len(original.rows)


# --- one byte ------------------------------------------------------------------------------------------------------

COLUMNS = ("at", "actor", "signed_by", "request", "kind", "body", "hash")


@given(at=st.integers(0, 10**6), column=st.sampled_from(COLUMNS), byte=st.integers(0, 10**6), mask=st.integers(1, 255))
@settings(max_examples=120)
def test_one_byte_of_any_column_names_its_row(original: Original, at: int, column: str, byte: int, mask: int) -> None:
    row = original.rows[at % len(original.rows)]
    value = getattr(row, column)
    data = bytearray(value if isinstance(value, bytes) else (value or "x").encode())
    if value is not None:
        data[byte % len(data)] ^= mask
    path = original.copy()
    kind = "blob" if column in ("body", "hash") else "text"
    tamper(path, f"update log set {column} = cast(? as {kind}) where seq = ?", bytes(data), row.seq)
    assert original.broken_at(path) == row.seq


@pytest.mark.parametrize("column", ["at", "actor", "kind"])
def test_a_text_that_is_no_text_names_its_row(original: Original, column: str) -> None:
    path = original.copy()
    tamper(path, f"update log set {column} = cast(x'ff41' as text) where seq = 7")
    assert original.broken_at(path) == 7


@given(at=st.integers(0, 10**6), to=st.integers(-5, 400))
@settings(max_examples=40)
def test_a_row_that_is_moved_names_the_place_it_left_or_took(original: Original, at: int, to: int) -> None:
    row = original.rows[at % len(original.rows)]
    if any(other.seq == to for other in original.rows):
        return
    path = original.copy()
    tamper(path, "update log set seq = ? where seq = ?", to, row.seq)
    assert original.broken_at(path) == min(row.seq, to)


@given(at=st.integers(0, 10**6))
@settings(max_examples=25)
def test_a_row_that_is_taken_out_names_its_place(original: Original, at: int) -> None:
    row = original.rows[at % (len(original.rows) - 1)]
    path = original.copy()
    tamper(path, "delete from log where seq = ?", row.seq)
    assert original.broken_at(path) == row.seq


@given(at=st.integers(0, 10**6), other=st.integers(0, 10**6))
@settings(max_examples=25)
def test_two_rows_that_change_places_name_the_earlier(original: Original, at: int, other: int) -> None:
    first, second = sorted((at % len(original.rows) + 1, other % len(original.rows) + 1))
    if first == second:
        return
    path = original.copy()
    tamper(path, "update log set seq = -1 where seq = ?", first)
    tamper(path, "update log set seq = ? where seq = ?", first, second)
    tamper(path, "update log set seq = ? where seq = -1", second)
    assert original.broken_at(path) == first


def test_a_row_that_claims_to_be_open_or_sealed_names_itself(original: Original) -> None:
    for seq in (1, original.first(ev.CardDrawn)):
        path = original.copy()
        tamper(path, "update log set is_sealed = 1 - is_sealed where seq = ?", seq)
        assert original.broken_at(path) == seq


def test_a_row_that_was_put_in_names_itself(original: Original) -> None:
    path = original.copy()
    end = len(original.rows) + 1
    tamper(
        path,
        f"insert into log select {end}, at, actor, signed_by, request, kind, is_sealed, body, hash from log where seq = 3",
    )
    assert original.broken_at(path) == end


def test_another_key_opens_nothing(original: Original) -> None:
    found = verify(original.folder.log, Seal(bytes(32))).broken
    assert found is not None
    assert (found.seq, found.finding) == (original.first(ev.CardDrawn), "its seal does not open with this folder's key")


def test_a_file_that_is_no_log_does_not_hold(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    assert verify(path, Seal(bytes(32))).broken is not None
    path.write_bytes(b"")
    assert verify(path, Seal(bytes(32))).broken is not None


# --- forged and chained anew: what the rules do not give ---------------------------------------------------------------


def more(line: Any) -> Any:
    return replace(line, amount=Money(line.amount + 1))


FORGERIES: dict[str, tuple[type[Event], Callable[[Any], Event]]] = {
    "a payment": (ev.SeatSettled, lambda e: replace(e, lines=(more(e.lines[0]), *e.lines[1:]))),
    "the cards it was paid on": (ev.SeatSettled, lambda e: replace(e, cards=(*e.cards[:4], Card("7c")))),
    "a jackpot payment": (ev.JackpotSettled, lambda e: replace(e, lines=(more(e.lines[0]), *e.lines[1:]))),
    "the amount of a hit": (ev.HitFrozen, lambda e: replace(e, amount=Money(e.amount + 1))),
    "the meter of a hit": (ev.HitFrozen, lambda e: replace(e, meter_at_lock=Money(e.meter_at_lock + 1))),
    "the payee of a hit": (ev.HitFrozen, lambda e: replace(e, payees=(replace(e.payees[0], seat=Seat(3)),))),
    "the first seed": (ev.MeterSeeded, lambda e: replace(e, seed=Money(e.seed + 100))),
    "a feed": (ev.JackpotFed, lambda e: replace(e, increment=e.increment + 1)),
    "the rate of a feed": (ev.JackpotFed, lambda e: replace(e, rate=Fraction(1), increment=Fraction(e.stake))),
    "the stake of a feed": (ev.JackpotFed, lambda e: replace(e, stake=Money(100), increment=Fraction(50))),
    "a feed given back": (ev.JackpotFeedReversed, lambda e: replace(e, increment=e.increment - 1)),
    "a refund": (ev.RoundVoided, lambda e: replace(e, refunds=e.refunds[1:])),
    "what the house decides": (ev.RoundVoided, lambda e: replace(e, house_decides=(Seat(1),))),
    "the dealer's cards": (ev.DealerHandConfirmed, lambda e: replace(e, cards=(*e.cards[:4], Card("7c")))),
    "the dealer's hand": (ev.DealerHandConfirmed, lambda e: replace(e, category=Category.pair)),
    "whether the dealer qualifies": (ev.DealerHandConfirmed, lambda e: replace(e, qualifies=not e.qualifies)),
    "the cards the dealer turned": (ev.HoleCardsTurned, lambda e: replace(e, cards=(*e.cards[:4], Card("7c")))),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_that_is_chained_anew_is_found_where_the_rules_give_something_else(
    original: Original, what: str
) -> None:
    kind, change = FORGERIES[what]
    seq = original.first(kind)
    path = original.copy()
    forge(path, seal_of(original.folder), seq, change)
    assert original.broken_at(path) == seq


def test_the_second_seed_is_checked_too(original: Original) -> None:
    seq = original.first(ev.MeterSeeded, after=2)
    path = original.copy()
    forge(path, seal_of(original.folder), seq, lambda event: replace(event, seed=Money(1)))
    assert original.broken_at(path) == seq


def test_a_card_that_is_forged_is_found_where_it_was_turned_or_paid(original: Original) -> None:
    seq = original.first(ev.CardDrawn)
    path = original.copy()

    def another_card(event: ev.CardDrawn) -> Event:
        return replace(event, draw=replace(event.draw, card=Card("7c")))

    forge(path, seal_of(original.folder), seq, another_card)
    found = original.verdict(path).broken
    assert found is not None
    assert found.seq > seq


def test_an_event_that_cannot_follow_names_itself(original: Original) -> None:
    path = original.copy()
    seq = original.first(ev.SeatSettled)
    forge(path, seal_of(original.folder), seq, lambda event: replace(event, seat=Seat(2)))
    assert original.broken_at(path) == seq


def test_a_chain_anew_without_a_forgery_holds(original: Original) -> None:
    path = original.copy()
    forge(path, seal_of(original.folder), 5, lambda event: event)
    assert original.verdict(path).broken is None
