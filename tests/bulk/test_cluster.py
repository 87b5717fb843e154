"""A bulk run on a real Dask cluster on this machine: a scheduler and two workers, each a process."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dealer_assist.bulk.run import here
from tests.bulk.logs import many_rounds, underpaid, written
from tests.bulk.test_runs import FEW, done, told, wait_until
from tests.cli.command import SCRIPT, dealer_assist


class Cluster:
    """The processes of a cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        log = folder / "0.log"
        wait_until(lambda: b"Scheduler at:" in log.read_bytes())
        found = re.search(rb"Scheduler at:\s+(tcp://\S+)", log.read_bytes())
        assert found is not None
        self.address = found[1].decode()

    def worker(self) -> "subprocess.Popen[bytes]":
        """One more worker."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder))
        return self._started("worker", self.address, *options)

    def _started(self, kind: str, *options: str) -> "subprocess.Popen[bytes]":
        with (self._folder / f"{len(self._processes)}.log").open("wb") as log:
            command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options]
            process = subprocess.Popen(command, stdout=log, stderr=log)
        self._processes.append(process)
        return process

    def stop(self) -> None:
        """End all of them."""
        for process in reversed(self._processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    (tmp_path / "dask").mkdir()
    running = Cluster(tmp_path / "dask")
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Twenty logs, with a wrong payment in the last."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for number in range(20):
        rounds = list(many_rounds(400, f"T{number}"))
        if number == 19:
            rounds[7] = underpaid(rounds[7])
        (folder / f"{number:02d}.jsonl").write_bytes(written(rounds))
    return folder


def started(logs: Path, out: Path, address: str) -> "subprocess.Popen[str]":
    command = [str(SCRIPT), "replay", "--batch", str(logs), "--out", str(out), "--sample", "500", "--cluster", address]
    return subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def complaint(said: str) -> str:
    """Standard error without the lines on which a slow run tells how far it is."""
    return "".join(line for line in said.splitlines(keepends=True) if not line.endswith(" left\n"))


def parts(out: Path) -> int:
    return len(list((out / "parts").glob("*.part")))


def summary(printed: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed)["summary"]
    return found


def test_a_cluster_that_loses_a_worker_comes_to_the_very_same(cluster: Cluster, logs: Path, tmp_path: Path) -> None:
    victim, _ = cluster.worker(), cluster.worker()
    out = tmp_path / "out"
    with started(logs, out, cluster.address) as running:
        wait_until(lambda: parts(out) >= 2)
        victim.send_signal(signal.SIGKILL)
        printed, said = running.communicate(timeout=90)
    assert (running.returncode, complaint(said)) == (1, "")
    assert (summary(printed)["rounds"], summary(printed)["differing_rounds"]) == (8000, 1)
    done(logs, tmp_path / "here", here, FEW)
    assert told(out) == told(tmp_path / "here")
    assert (out / "differences.jsonl").read_bytes() == (tmp_path / "here/differences.jsonl").read_bytes()


def test_a_run_whose_scheduler_is_lost_is_told_and_taken_up_again(cluster: Cluster, logs: Path, tmp_path: Path) -> None:
    worker, out = cluster.worker(), tmp_path / "out"
    with started(logs, out, cluster.address) as running:
        wait_until(lambda: parts(out) >= 2)
        os.kill(worker.pid, signal.SIGSTOP)  # so that the rest is still to be done
        cluster.scheduler.kill()
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (2, "")
    assert (
        complaint(said)
        == "dealer-assist: --cluster: expected the scheduler to stay, found it gone; run again to go on\n"
    )
    kept = parts(out)
    again = dealer_assist("replay", "--batch", logs, "--out", out, "--sample", 500, "--json")
    assert again.status == 1
    assert summary(again.out)["parts_taken_over"] == kept >= 2
    assert summary(again.out)["rounds"] == 8000


def test_a_worker_that_finds_no_log_is_told(cluster: Cluster, logs: Path, tmp_path: Path) -> None:
    """A log that is taken away before its part is worked on is to a worker what a missing share is."""
    worker, out = cluster.worker(), tmp_path / "out"
    with started(logs, out, cluster.address) as running:
        wait_until(lambda: parts(out) >= 1)
        os.kill(worker.pid, signal.SIGSTOP)
        (logs / "19.jsonl").unlink()
        os.kill(worker.pid, signal.SIGCONT)
        printed, said = running.communicate(timeout=60)
    assert (running.returncode, printed) == (2, "")
    assert "19.jsonl: expected a readable log, found: No such file or directory (on a worker" in said
    assert complaint(said).count("\n") == 1


def test_an_address_where_nobody_answers_is_told(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ran = dealer_assist("replay", "--batch", logs, "--out", out, "--cluster", "tcp://127.0.0.1:9")
    ran.refused("--cluster", "expected a Dask scheduler at tcp://127.0.0.1:9, found none")
    dealer_assist("replay", "--batch", logs, "--out", out, "--cluster", "nowhere").refused("--cluster", "nowhere")
    ran = dealer_assist("replay", "--batch", logs, "--out", out, "--cluster", "tcp://127.0.0.1:9", "--workers", 2)
    ran.refused("--workers", "expected none beside --cluster")
    assert not out.exists()


def test_a_machine_without_dask_is_told_what_to_install(logs: Path, tmp_path: Path) -> None:
    hiding = tmp_path / "hiding"
    hiding.mkdir()
    (hiding / "distributed.py").write_text("raise ModuleNotFoundError('No module named distributed')", "utf-8")
    out = tmp_path / "out"
    arguments = ("replay", "--batch", logs, "--out", out, "--cluster", "tcp://127.0.0.1:9")
    ran = dealer_assist(*arguments, PYTHONPATH=str(hiding))
    ran.refused("--cluster", "pip install 'dealer-assist[cluster]'", "found no module distributed")
