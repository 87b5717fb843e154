"""A stream's frames: whole pictures, resumed by id, a heartbeat that scripts hear, nothing that need not be sent."""

import itertools
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from dealer_assist.application.service import Snapshot
from dealer_assist.application.views import sign_view
from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.dealing import Seat
from tests.web_ui.conftest import NewTable
from tests.web_ui.helpers import TableAtHand
from web_ui.format import Json
from web_ui.present_sign import shown_of
from web_ui.stream import Feed, Rendering, Shown, let_go_of_stalled_readers


class Frame:
    """One event of a stream, read as a browser does."""

    def __init__(self, raw: bytes) -> None:
        fields = [line.split(": ", 1) for line in raw.decode().strip().splitlines()]
        named = dict(fields)
        self.id = named.get("id")
        self.event = named.get("event", "message")
        self.retry = named.get("retry")
        self.data: dict[str, object] = json.loads(named["data"])


@pytest.fixture
def rendered() -> list[int]:
    """The versions that were rendered, each time one was."""
    return []


@pytest.fixture
def feed(table: TableAtHand, rendered: list[int]) -> Feed:
    def picture(snapshot: Snapshot) -> Json:
        rendered.append(snapshot.version)
        return {"seq": snapshot.version, "round": None, "phase": "closed"}

    return Feed(table.publisher, Rendering(picture), lambda: {"round": None, "phase": "closed"}, lambda: True)


@pytest.fixture(autouse=True)
def _in_a_request(table: TableAtHand) -> Iterator[None]:
    with table.app.test_request_context():
        yield


def frames(stream: Iterator[bytes], count: int) -> list[Frame]:
    return [Frame(raw) for raw in itertools.islice(stream, count)]


def _shown(snapshot: Snapshot) -> Shown:
    return shown_of(sign_view(snapshot))


def test_a_stream_opens_with_a_heartbeat_and_the_whole_picture(feed: Feed, table: TableAtHand) -> None:
    beat, picture = frames(feed.every_picture(None), 2)
    assert (beat.event, beat.id, beat.retry) == ("heartbeat", None, "1000")
    assert picture.id == f"{table.publisher.epoch}-{table.service.snapshot.version}"
    assert picture.data["seq"] == table.service.snapshot.version


def test_each_change_is_a_picture(feed: Feed, table: TableAtHand) -> None:
    stream = feed.every_picture(None)
    frames(stream, 2)
    table.do(cmd.OpenRound())
    assert frames(stream, 1)[0].data["seq"] == table.service.snapshot.version


def test_who_comes_back_with_the_newest_id_gets_nothing_again(feed: Feed, table: TableAtHand) -> None:
    last = f"{table.publisher.epoch}-{table.service.snapshot.version}"
    assert [frame.event for frame in frames(feed.every_picture(last, beat_s=0.05), 3)] == ["heartbeat"] * 3


@pytest.mark.parametrize("last", ["another-2", "2", "", "-", "epoch-x", "epoch-²"])
def test_who_comes_back_from_another_run_gets_the_picture(feed: Feed, last: str) -> None:
    assert frames(feed.every_picture(last), 2)[1].event == "message"


def test_heartbeats_come_while_nothing_happens(feed: Feed) -> None:
    started = time.monotonic()
    stream = feed.every_picture(None, beat_s=0.1)
    assert [frame.event for frame in frames(stream, 4)] == ["heartbeat", "message", "heartbeat", "heartbeat"]
    assert time.monotonic() - started < 2


def test_a_hundred_streams_cost_one_rendering(feed: Feed, rendered: list[int]) -> None:
    for _ in range(100):
        frames(feed.every_picture(None), 2)
    assert len(rendered) == 1


def test_a_stream_ends_with_the_server(feed: Feed, table: TableAtHand) -> None:
    stream = feed.every_picture(None)
    frames(stream, 2)
    threading.Timer(0.05, table.publisher.close).start()
    assert list(stream) == []


def test_a_stream_ends_when_its_viewer_may_no_longer_look(table: TableAtHand) -> None:
    may = iter([True, False])
    feed = Feed(table.publisher, Rendering(lambda _: {}), dict, lambda: next(may))
    assert len(list(feed.every_picture(None))) == 2


def test_a_sign_is_not_sent_what_it_does_not_show(feed: Feed, table: TableAtHand) -> None:
    table.do(cmd.OpenRound())
    stream = feed.coalesced(None, _shown, beat_s=0.2)
    frames(stream, 2)
    table.do(*(cmd.PlaceBet(Seat(seat), Bet.ante) for seat in (1, 2, 3)))
    assert frames(stream, 1)[0].event == "heartbeat"


def test_a_sign_hears_of_each_phase_at_once(feed: Feed, table: TableAtHand) -> None:
    stream = feed.coalesced(None, _shown)
    started = time.monotonic()
    frames(stream, 2)
    table.do(cmd.OpenRound())
    frames(stream, 1)
    table.bets_for(1)
    table.lock()
    frames(stream, 1)
    assert time.monotonic() - started < 0.25


def test_a_signs_meter_comes_at_most_four_times_a_second(table: TableAtHand, feed: Feed) -> None:
    stop = threading.Event()
    readings = itertools.count()

    def advance() -> None:
        snapshot = table.service.snapshot
        for version in itertools.count(snapshot.version + 1):
            table.publisher.publish(Snapshot(version, snapshot.table, snapshot.at))
            if stop.wait(0.01):
                return

    counting = threading.Thread(target=advance)
    counting.start()
    stream = feed.coalesced(None, lambda _: ("same round", next(readings)))
    frames(stream, 2)
    started = time.monotonic()
    frames(stream, 4)
    stop.set()
    counting.join()
    assert time.monotonic() - started >= 0.95


def test_a_streams_answer_is_kept_back_by_nothing_on_its_way(new_table: NewTable) -> None:
    client = new_table(open_to_watch=True).app.test_client()
    for address in ("/dealer/stream", "/sign/stream"):
        with client.get(address) as answer:
            assert answer.mimetype == "text/event-stream"
            assert answer.headers["X-Accel-Buffering"] == "no"
            assert answer.headers["Cache-Control"] == "no-cache"


def test_every_data_line_names_the_round_and_the_phase(new_table: NewTable) -> None:
    table = new_table(open_to_watch=True)
    table.do(cmd.OpenRound())
    for address in ("/dealer/stream", "/sign/stream"):
        with table.app.test_client().get(address) as answer:
            found = frames(answer.iter_encoded(), 2)
        for frame in found:
            assert (frame.data["round"], frame.data["phase"]) == (table.round.number, "bets_open")


def test_a_reader_that_takes_nothing_is_let_go_after_four_seconds() -> None:
    with socket.socket() as connection:
        let_go_of_stalled_readers(connection)
        assert struct.unpack("ll", connection.getsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, 16)) == (4, 0)
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 4000
    let_go_of_stalled_readers(None)
