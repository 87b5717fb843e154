"""The latest snapshot: whoever waits is woken by a newer one, and nobody is kept waiting for one he missed."""

import threading
import time
from pathlib import Path

from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import Snapshot
from dealer_assist.game.table import Table
from tests.game.felt import table_setup


def snapshot(version: int) -> Snapshot:
    return Snapshot(version, Table(table_setup("D")), "2026-11-30T20:14:03Z")


def test_there_is_nothing_before_the_first_snapshot() -> None:
    publisher = Publisher()
    assert publisher.latest is None
    assert publisher.newer_than(0, timeout=0.01) is None


def test_a_snapshot_newer_than_the_one_seen_comes_at_once() -> None:
    publisher = Publisher()
    publisher.publish(snapshot(3))
    assert publisher.newer_than(2, timeout=5) == publisher.latest
    assert publisher.newer_than(3, timeout=0.01) is None
    assert publisher.newer_than(4, timeout=0.01) is None


def test_a_slow_reader_skips_to_the_newest() -> None:
    publisher = Publisher()
    for version in range(1, 101):
        publisher.publish(snapshot(version))
    newest = publisher.newer_than(1, timeout=5)
    assert newest is not None
    assert newest.version == 100


def woken(publisher: Publisher, readers: int) -> tuple[list[threading.Thread], list[Snapshot | None]]:
    found: list[Snapshot | None] = []
    threads = [
        threading.Thread(target=lambda: found.append(publisher.newer_than(1, timeout=10))) for _ in range(readers)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.02)
    return threads, found


def test_everybody_who_waits_is_woken_by_a_newer_snapshot() -> None:
    publisher = Publisher()
    publisher.publish(snapshot(1))
    threads, found = woken(publisher, 5)
    publisher.publish(snapshot(2))
    for thread in threads:
        thread.join(timeout=5)
    assert [each.version for each in found if each] == [2] * 5


def test_the_end_lets_everybody_go() -> None:
    publisher = Publisher()
    publisher.publish(snapshot(1))
    threads, found = woken(publisher, 5)
    publisher.close()
    for thread in threads:
        thread.join(timeout=5)
    assert found == [None] * 5
    assert publisher.closed
    publisher.publish(snapshot(9))
    assert publisher.newer_than(1, timeout=1) is None


def test_each_run_of_a_server_has_an_epoch_of_its_own(tmp_path: Path) -> None:
    assert Publisher().epoch != Publisher().epoch
