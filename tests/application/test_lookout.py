"""From what lies on the felt to what the table is told: whose cards they are, from which round, and what is kept of them."""

import hashlib
import stat
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
import pytest

from dealer_assist.application.lookout import Lookout
from dealer_assist.application.ports import CameraPulse, CameraState, LyingCard, Snap
from dealer_assist.application.service import Conflict
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.camera_events import CameraBack, CameraLost, HandCompared, HandDisputed
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.dealing import DEALER, Seat
from dealer_assist.game.events import CardEntered
from dealer_assist.game.money import Money
from dealer_assist.game.round import Phase, Source
from dealer_assist.game.setup import CameraRole
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.verify import Broken, verify
from tests.application.desk import HANDS, Desk, desk_at
from tests.game.felt import table_setup

BETS: Final = (cmd.PlaceBet(Seat(1), Bet.ante, Money(1000)), cmd.PlaceBet(Seat(3), Bet.ante, Money(1000)))
LIVE: Final = CameraState(CameraPulse.live)
ELSEWHERE: Final = None


class Eye:
    """A camera before a felt that the test lays out: each card at its place lies there until it is taken away."""

    def __init__(self) -> None:
        self.state = LIVE
        self.felt: dict[int | None, list[str]] = {}
        self.doubts: dict[int, list[str]] = {}
        self.as_of: float | None = None
        self.while_snapping: Callable[[], object] = lambda: None

    def lay(self, place: int | None, codes: str) -> None:
        """These cards, and no others, lie at a place."""
        self.felt[place] = codes.split()

    @property
    def lying(self) -> tuple[LyingCard, ...]:
        at = time.monotonic() if self.as_of is None else self.as_of
        if self.state is not LIVE:
            return ()
        seat = {place: None if place is None else Seat(place) for place in (*self.felt, *self.doubts)}
        sure = [LyingCard(seat[place], Card(c), at) for place, codes in self.felt.items() for c in codes]
        unsure = [LyingCard(seat[p], None, at, parse_cards(c)) for p, doubts in self.doubts.items() for c in doubts]
        return (*sure, *unsure)

    def snaps(self, place: Seat, cards: tuple[Card, ...]) -> tuple[Snap, ...]:
        self.while_snapping()
        return (Snap(b"all of it"), *(Snap(card.encode(), card) for card in cards if card in self.felt[place]))


class Watched:
    """A table, and a lookout that looks when it is told to."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.eye = Eye()
        self.store = EvidenceStore(desk.folder.evidence)
        self.lookout = Lookout(self.eye, lambda: desk.service.snapshot, desk.service.submit, self.store.keep)
        desk.listeners.append(self.lookout.published)

    def look(self) -> None:
        self.lookout.look()

    def of(self, kind: type) -> list[object]:
        return [logged.event for logged in self.desk.history if isinstance(logged.event, kind)]

    def reveal(self) -> None:
        """A round dealt, up to the dealer's open hand."""
        self.desk.play(*BETS)
        self.desk.do(cmd.CloseDecisions())

    def next_round(self) -> None:
        """The round settled, and the next one locked."""
        self.desk.do(cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
        self.desk.lock(*BETS)

    @property
    def kept(self) -> list[Path]:
        return sorted(self.desk.folder.evidence.glob("*"))


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    with desk_at(tmp_path, msgspec.structs.replace(table_setup("D"), camera=CameraRole.cross_check)) as desk:
        yield Watched(desk)


# --- agreement and dispute -----------------------------------------------------------------------------------------


def test_a_hand_that_lies_as_recorded_is_told_and_its_order_is_nothing(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "2h 3d 4h Kc Ad")
    watched.look()
    watched.look()
    assert watched.of(HandCompared) == [HandCompared(DEALER, parse_cards(HANDS[0]))]
    assert not watched.kept


def test_the_pictures_of_a_dispute_are_kept_before_it_is_shown_and_their_hashes_are_in_the_log(
    watched: Watched,
) -> None:
    there: list[bool] = []
    watched.desk.listeners.append(
        lambda snapshot: there.append(
            all(
                (watched.desk.folder.evidence / picture.name).is_file()
                for dispute in snapshot.table.round.disputes  # type: ignore[union-attr]
                for picture in dispute.pictures
            )
        )
    )
    watched.reveal()
    watched.eye.lay(0, "Ad Kc 4h 3d 7h")
    watched.look()
    [disputed] = watched.of(HandDisputed)
    assert isinstance(disputed, HandDisputed)
    whole, cut = disputed.pictures
    assert all(there)
    assert (whole.card, cut.card) == (None, Card("7h"))
    for picture in (whole, cut):
        path = watched.desk.folder.evidence / picture.name
        assert hashlib.sha256(path.read_bytes()).hexdigest() == picture.sha256
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(watched.desk.folder.evidence.stat().st_mode) == 0o700


def test_a_dispute_is_raised_without_pictures_where_they_can_not_be_kept(watched: Watched) -> None:
    watched.desk.folder.evidence.write_text("in the way")
    watched.reveal()
    watched.eye.lay(0, "7h")
    watched.look()
    [disputed] = watched.of(HandDisputed)
    assert isinstance(disputed, HandDisputed)
    assert (disputed.pictures, disputed.fault) == ((), "the pictures could not be kept: File exists")


def test_pictures_are_kept_once_also_where_the_table_has_moved_on_meanwhile(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "7h")
    watched.eye.while_snapping = lambda: watched.desk.do(cmd.CallSupervisor())
    with pytest.raises(Conflict):
        watched.look()
    watched.look()
    [disputed] = watched.of(HandDisputed)
    assert isinstance(disputed, HandDisputed)
    assert [picture.name for picture in disputed.pictures] == [path.name for path in watched.kept]


def test_a_hand_that_is_cleared_before_it_is_settled_is_told_as_it_was_seen_best(watched: Watched) -> None:
    watched.reveal()
    watched.desk.do(cmd.ConfirmDealerHand())
    watched.eye.lay(3, "Kh Qh 9c")
    watched.eye.doubts[3] = ["8s 8c"]
    watched.look()
    watched.eye.lay(3, "")
    del watched.eye.doubts[3]
    watched.look()
    watched.desk.do(cmd.SettleSeat(Seat(3)))
    watched.look()
    seen = parse_cards("Kh Qh 9c"), parse_cards("8s"), parse_cards("2c")
    assert HandCompared(Seat(3), *seen) in watched.of(HandCompared)


# --- whose cards these are -----------------------------------------------------------------------------------------


def test_nothing_is_told_of_a_hand_that_lies_face_down(watched: Watched) -> None:
    watched.look()
    watched.desk.play(*BETS)
    watched.eye.lay(1, "7h")
    watched.eye.lay(ELSEWHERE, "8h")
    watched.eye.lay(0, "2h 4h")  # a hole card shows beside the upcard
    before = watched.desk.service.snapshot.version
    watched.look()
    watched.desk.do(cmd.CloseDecisions())
    watched.look()
    assert not watched.of(HandDisputed)
    assert watched.desk.service.snapshot.version == before + 3  # two decisions and the reveal


def test_a_picture_from_before_the_hand_was_opened_says_nothing_of_it(watched: Watched) -> None:
    watched.desk.play(*BETS)
    watched.eye.lay(0, "7h 8h")
    watched.eye.as_of = time.monotonic()
    watched.desk.do(cmd.CloseDecisions())
    watched.look()
    assert not watched.of(HandDisputed)
    watched.eye.as_of = None
    watched.look()
    assert watched.of(HandDisputed)


def test_cards_of_the_last_round_that_still_lie_there_are_not_this_rounds(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, HANDS[0])
    watched.next_round()
    watched.desk.draw("9s Kh 7d 9h Qh 7c 6d 9c 7s 5c 8s 8d 2s 2c 8h")
    watched.look()
    watched.desk.do(cmd.CloseDecisions())
    watched.look()
    assert not watched.of(HandDisputed)
    watched.eye.lay(1, HANDS[0])  # pushed aside
    watched.eye.lay(0, "7d 7c 7s 8d 8h")
    watched.look()
    assert HandCompared(DEALER, parse_cards("7d 7c 7s 8d 8h")) in watched.of(HandCompared)
    assert not watched.of(HandDisputed)


def test_a_card_of_the_last_round_counts_again_once_it_was_gone(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "Ad")
    watched.next_round()
    watched.eye.lay(0, "")
    watched.look()
    watched.desk.draw("9s Kh Kc 9h Qh 4h 6d 9c 3d 5c 8s 2h 2s 2c 7d")
    watched.desk.do(cmd.CloseDecisions())
    watched.eye.lay(0, "Ad Kc 4h 3d 2h")
    watched.look()
    assert len(watched.of(HandDisputed)) == 1


def test_a_camera_that_was_lost_takes_no_card_of_the_last_round_for_gone(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "Ad")
    watched.next_round()
    watched.eye.state = CameraState(CameraPulse.lost, "unplugged")
    watched.look()
    watched.eye.state = LIVE
    watched.eye.felt = {}
    watched.look()
    watched.desk.draw("9s Kh Kc 9h Qh 4h 6d 9c 3d 5c 8s 2h 2s 2c 7d")
    watched.desk.do(cmd.CloseDecisions())
    watched.eye.lay(0, "Ad")
    watched.look()
    assert not watched.of(HandDisputed)


# --- the camera itself, and as the source --------------------------------------------------------------------------


def test_a_lost_camera_is_told_once_each_reason_and_nothing_is_looked_at(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "7h")
    for reason in ("unplugged", "no such camera", "unplugged"):
        watched.eye.state = CameraState(CameraPulse.lost, reason)
        watched.look()
    watched.eye.state = CameraState(CameraPulse.frozen, "always the same picture")
    watched.look()
    assert not watched.of(HandDisputed)
    watched.eye.state = LIVE
    watched.look()
    told = [
        event for event in (each.event for each in watched.desk.history) if isinstance(event, CameraLost | CameraBack)
    ]
    assert told == [*map(CameraLost, ("unplugged", "no such camera", "always the same picture")), CameraBack()]
    assert len(watched.of(HandDisputed)) == 1


def test_without_a_reader_open_cards_are_entered_from_left_to_right(tmp_path: Path) -> None:
    with desk_at(tmp_path, msgspec.structs.replace(table_setup("D"), camera=CameraRole.source)) as desk:
        watched = Watched(desk)
        desk.lock(*BETS)
        desk.do(cmd.ConfirmCount(15))
        watched.eye.lay(0, "2h")
        watched.look()
        desk.do(cmd.CloseDecisions())
        watched.eye.lay(0, "Ad Kc 4h 3d 2h")
        watched.look()
        assert desk.now.known_hand(DEALER) == parse_cards("Ad Kc 4h 3d 2h")
        entered = watched.of(CardEntered)
        assert [event.source for event in entered if isinstance(event, CardEntered)] == [Source.camera] * 5
        assert desk.now.phase is Phase.reveal


def test_a_started_lookout_looks_by_itself_until_it_is_stopped(watched: Watched) -> None:
    watched.lookout.start()
    watched.reveal()
    watched.eye.lay(0, HANDS[0])
    end = time.monotonic() + 5
    while not watched.of(HandCompared) and time.monotonic() < end:
        time.sleep(0.02)
    watched.lookout.stop()
    assert watched.of(HandCompared)
    version = watched.desk.do(cmd.ConfirmDealerHand())
    watched.eye.lay(3, HANDS[3])
    time.sleep(0.3)
    assert watched.desk.service.snapshot.version == version


# --- evidence, and what becomes of it ------------------------------------------------------------------------------


def test_pictures_that_were_changed_or_are_missing_are_named_unless_they_were_dropped(watched: Watched) -> None:
    watched.reveal()
    watched.eye.lay(0, "7h")
    watched.look()
    seq = next(each.seq for each in watched.desk.history if isinstance(each.event, HandDisputed))
    folder = watched.desk.folder

    def finding() -> Broken | None:
        return verify(folder.log, Seal(folder.key("seal")), evidence=watched.store).broken

    assert finding() is None
    whole, cut = watched.kept
    whole.write_bytes(b"another")
    assert finding() == Broken(seq, f"its picture {whole.name} was changed")
    whole.unlink()
    assert finding() == Broken(seq, f"its picture {whole.name} is missing")
    watched.desk.do(cmd.DropEvidence((whole.name,)))
    assert finding() is None
    cut.unlink()
    assert finding() == Broken(seq, f"its picture {cut.name} is missing")


def test_pictures_expire_by_the_time_in_their_names(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path / "evidence")
    assert store.expired(datetime(2026, 11, 30, tzinfo=UTC), 90) == ()
    [old] = store.keep((Snap(b"old"),), datetime(2026, 8, 1, tzinfo=UTC))
    [new] = store.keep((Snap(b"new"),), datetime(2026, 11, 1, tzinfo=UTC))
    (tmp_path / "evidence" / "notes.jpg").write_text("somebody's own")
    assert store.expired(datetime(2026, 11, 30, tzinfo=UTC), 90) == (old.name,)
    store.remove((old.name,))
    assert (store.read(old.name), store.read(new.name)) == (None, b"new")


@pytest.mark.parametrize("name", ["../log.sqlite", "notes.jpg", "", "20261130T120000Z-abcdef-0.jpg/../x"])
def test_only_a_pictures_own_name_gives_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "evidence").mkdir()
    (tmp_path / "evidence" / "notes.jpg").write_text("somebody's own")
    assert EvidenceStore(tmp_path / "evidence").read(name) is None
