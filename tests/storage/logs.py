"""A log with a bit of everything in it, and ways to tamper with a copy of it."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Action, Bet
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Seat
from dealer_assist.game.events import Event
from dealer_assist.game.money import Money
from dealer_assist.storage.codec import encode_event
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import GENESIS, Row, event_of, open_to_read, rows
from tests.application.desk import Desk, desk_at
from tests.game.felt import EXAMPLES, dealt, place, table_setup

BETS: Final = (
    cmd.PlaceBet(Seat(1), Bet.ante, Money(1000)),
    cmd.PlaceBet(Seat(3), Bet.ante, Money(2000)),
    cmd.PlaceBet(Seat(1), Bet.jackpot),
    cmd.PlaceBet(Seat(3), Bet.jackpot),
)
ROUNDS: Final = 4


def play_a_bit_of_everything(desk: Desk) -> None:
    """A plain round that is corrected after its close, a fold, a void one, and a royal."""
    desk.play(*BETS)
    desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
    desk.do(cmd.CorrectCard(place(3, 2), Card("Kd"), "misread"), signed="supervisor")
    desk.do(cmd.SettleSeat(Seat(3)))
    desk.lock(*BETS)
    desk.draw("9s Kh Ad")
    desk.do(cmd.BurnCard(Card("7d")), cmd.ReportReaderLost("shoe", "unplugged"), cmd.ConfirmCount(5), cmd.Undo())
    desk.do(cmd.VoidRound("shoe jam"), signed="supervisor")
    desk.play(*BETS)
    desk.do(cmd.Decide(Seat(1), Action.fold), cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)))
    desk.lock(*BETS)
    desk.draw(dealt(table_setup("D"), {1: EXAMPLES["royal_flush"], 3: "9s 9h 6d 5c 2s", 0: "Ad Kc 4h 3d 2h"}))
    desk.do(cmd.CloseDecisions(), cmd.ConfirmDealerHand(), cmd.SettleSeat(Seat(3)), cmd.SettleSeat(Seat(1)))
    desk.do(cmd.SettleJackpot())
    desk.do(cmd.PayHit(desk.now.number), signed="supervisor")


def make_log(path: Path) -> DataFolder:
    """A data folder with such a log, closed."""
    with desk_at(path) as desk:
        play_a_bit_of_everything(desk)
    return DataFolder(path)


def seal_of(folder: DataFolder) -> Seal:
    """The folder's own seal."""
    return Seal(folder.key("seal"))


def stored(path: Path) -> list[Row]:
    """Every row."""
    connection = open_to_read(path)
    try:
        return list(rows(connection))
    finally:
        connection.close()


def tamper(path: Path, statement: str, *values: object) -> None:
    """Edit the file as somebody would who takes the triggers away first."""
    connection = sqlite3.connect(path)
    connection.executescript("drop trigger if exists log_is_never_edited; drop trigger if exists log_is_never_thinned")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def forge(path: Path, seal: Seal, seq: int, change: Callable[[Any], Event]) -> None:
    """Change one event, seal it with the right key where it was sealed, and chain every hash behind it anew."""
    forged, previous = [], GENESIS
    for row in stored(path):
        body = row.body
        if row.seq == seq:
            body = encode_event(change(event_of(row, seal)))
            if row.is_sealed:
                body = seal.close(body, row.place())
        unchained = msgspec.structs.replace(row, body=body)
        again = msgspec.structs.replace(unchained, hash=unchained.chained(previous))
        forged.append((again.body, again.hash, again.seq))
        previous = again.hash
    tamper(path, "delete from log where 0")
    connection = sqlite3.connect(path)
    connection.executemany("update log set body = ?, hash = ? where seq = ?", forged)
    connection.commit()
    connection.close()
