"""How a camera fared, told by the log alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

from dealer_assist.application.camera_report import CardTally, DisputeTold, HandTally
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import Card, parse_cards
from dealer_assist.game.dealing import Seat
from dealer_assist.game.money import Money
from dealer_assist.game.round import Ending, Picture
from dealer_assist.game.setup import CameraRole
from dealer_assist.storage.camera_history import LoggedCamera
from dealer_assist.storage.sealing import Seal
from tests.application.desk import HANDS, Desk, desk_at
from tests.game.felt import place, table_setup

BETS: Final = (cmd.PlaceBet(Seat(1), Bet.ante, Money(1000)), cmd.PlaceBet(Seat(3), Bet.ante, Money(1000)))
PICTURE: Final = Picture("20261130T200000Z-abcdef-0.jpg", "00" * 32)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    setup = msgspec.structs.replace(table_setup("D"), camera=CameraRole.cross_check, decks=("red", "blue"))
    with desk_at(tmp_path, setup) as desk:
        yield desk


@pytest.fixture
def history(desk: Desk) -> LoggedCamera:
    return LoggedCamera(desk.folder, Seal(desk.folder.key("seal")))


def sight(desk: Desk, holder: int, codes: str, *unsure: str) -> cmd.ReportHand:
    return cmd.ReportHand(
        desk.now.number, Seat(holder), parse_cards(codes), tuple(map(parse_cards, unsure)), (PICTURE,)
    )


def to_the_reveal(desk: Desk) -> None:
    desk.play(*BETS)
    desk.do(cmd.CloseDecisions())


def settle(desk: Desk) -> None:
    desk.do(cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))


def test_a_log_without_a_camera_tells_nothing(desk: Desk, history: LoggedCamera) -> None:
    to_the_reveal(desk)
    told = history.report()
    assert (told.hands, told.cards, told.disputes, told.newest) == (0, (), (), ())


def test_each_card_is_counted_by_the_deck_it_was_of(desk: Desk, history: LoggedCamera) -> None:
    to_the_reveal(desk)
    desk.do(sight(desk, 0, HANDS[0]))
    settle(desk)
    desk.do(cmd.ChangeDeck("blue"))
    to_the_reveal(desk)
    desk.do(cmd.ConfirmDealerHand(), sight(desk, 0, "Ad Kc", "4h 4d"))
    told = history.report()
    assert told.hands == 2
    tallies = {(tally.deck, tally.card): tally for tally in told.cards}
    assert tallies["blue", Card("Ad")] == CardTally("blue", Card("Ad"), 1, 1, 0, 0, 0)
    assert tallies["blue", Card("4h")] == CardTally("blue", Card("4h"), 1, 0, 1, 0, 0)
    assert tallies["blue", Card("3d")] == CardTally("blue", Card("3d"), 1, 0, 0, 1, 0)
    assert tallies["red", Card("3d")] == CardTally("red", Card("3d"), 1, 1, 0, 0, 0)
    assert [tally.deck for tally in told.cards] == ["blue"] * 5 + ["red"] * 5
    assert told.newest[1] == HandTally(desk.now.number, desk.at, Seat(0), 2, 1, 2, 0)


def test_a_dispute_is_told_with_how_it_was_decided_and_by_whom(desk: Desk, history: LoggedCamera) -> None:
    to_the_reveal(desk)
    desk.do(sight(desk, 0, "Ad Kc 4h 3d 7h"))
    [told] = history.report().disputes
    recorded, seen = parse_cards(HANDS[0]), parse_cards("Ad Kc 4h 3d 7h")
    still_open = DisputeTold(desk.now.number, desk.at, "red", Seat(0), recorded, seen, (PICTURE,))
    assert told == still_open
    raised_at, desk.at = desk.at, "2026-11-30T20:15:00.000000Z"
    desk.do(cmd.UpholdRecord(1, "two looked"), signed="supervisor")
    [told] = history.report().disputes
    assert told == msgspec.structs.replace(
        still_open,
        at=raised_at,
        ending=Ending.upheld,
        decided_at=desk.at,
        decided_by="dealer",
        signed_by="supervisor",
        reason="two looked",
    )


def test_disputes_of_several_rounds_keep_their_own_ends(desk: Desk, history: LoggedCamera) -> None:
    to_the_reveal(desk)
    desk.do(sight(desk, 0, "7h"), cmd.CorrectCard(place(0, 4), Card("7h"), "seen"))
    settle(desk)
    to_the_reveal(desk)
    desk.do(sight(desk, 0, "8h"))
    desk.do(cmd.VoidRound("cards fell"), signed="supervisor")
    to_the_reveal(desk)
    desk.do(sight(desk, 0, "7d"), cmd.UpholdRecord(1), sight(desk, 0, "7d 8d"))
    told = history.report().disputes
    assert [each.ending for each in told] == [Ending.corrected, Ending.dropped, Ending.upheld, None]
    assert [each.reason for each in told] == ["seen", "cards fell", "", ""]
    assert len({each.round for each in told}) == 3


def test_a_correction_that_is_undone_leaves_the_dispute_open(desk: Desk, history: LoggedCamera) -> None:
    desk.play(*BETS)
    desk.do(sight(desk, 0, "7h"), cmd.CorrectCard(place(0, 4), Card("7h")))
    assert history.report().disputes[0].ending is Ending.corrected
    desk.do(cmd.Undo())
    [told] = history.report().disputes
    assert (told.ending, told.decided_at, told.decided_by) == (None, None, None)


def test_a_report_reads_on_from_where_the_last_one_ended(desk: Desk, history: LoggedCamera) -> None:
    for _ in range(3):
        to_the_reveal(desk)
        desk.do(sight(desk, 0, HANDS[0]))
        settle(desk)
        assert history.report() == LoggedCamera(desk.folder, Seal(desk.folder.key("seal"))).report()
    desk.do(cmd.DropEvidence((PICTURE.name,)))
    assert history.report().dropped == {PICTURE.name}
