"""`dealer-assist reader`: ports, monitor and record, on pseudo-terminals and captures."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest
from serial.tools import list_ports

from dealer_assist.cli import main
from dealer_assist.game.cards import Card
from hardware.reader.capture import load_capture
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import DECKS, demo_deck

pytestmark = pytest.mark.timeout(30)

Run = Callable[..., tuple[int, str, str]]
ACE: Final = demo_deck("red").tags[Card("As")][0]
HEADER: Final = '{"format":"capture/1","reader":"shoe","protocol":"em4100","started":"2026-11-30T20:14:03Z"}\n'
FRAME: Final = "02363730303342353143364342 03".replace(" ", "")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `dealer-assist reader …`; gives exit status, standard output and standard error."""

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dealer-assist", "reader", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    with PtyDevice(tmp_path / "port") as device:
        yield device


def capture(tmp_path: Path, *entries: str) -> str:
    path = tmp_path / "capture.jsonl"
    path.write_text(HEADER + "".join(entry + "\n" for entry in entries))
    return f"replay://{path}?speed=full"


def table(tmp_path: Path, *readers: str) -> str:
    path = tmp_path / "table.toml"
    path.write_text(f'decks = ["{DECKS / "demo-red.toml"}"]\n' + "\n".join(f"[[readers]]\n{each}" for each in readers))
    return str(path)


def test_ports_are_listed_as_a_table_may_name_them(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("ports")[0] == 0
    port = SimpleNamespace(device="/dev/ttyUSB0", vid=0x403, pid=0x6001, serial_number="A5", description="FT232R")
    monkeypatch.setattr(list_ports, "comports", lambda: [port])
    assert run("ports") == (0, '/dev/ttyUSB0  FT232R\n  usb = "0403:6001:A5"\n', "")
    [row] = json.loads(run("ports", "--json")[1])
    assert row == {
        "usb": "0403:6001:A5", "path": "/dev/ttyUSB0", "by_id": None, "vid": 0x403, "pid": 0x6001, "serial": "A5",
        "description": "FT232R",
    }  # fmt: skip
    monkeypatch.setattr(list_ports, "comports", list)
    assert run("ports")[1] == "no serial device is plugged in\n"
    assert run("ports", "--json")[1] == "[]\n"


def test_monitor_plays_a_capture_to_its_end_in_the_protocol_it_names(run: Run, tmp_path: Path) -> None:
    status, out, err = run("monitor", "--url", capture(tmp_path, f'{{"t":1,"in":"{FRAME}"}}'), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["type"] for line in lines] == ["ReaderOnline", "UnknownTagSighted", "ReaderLost"]
    assert lines[1]["tag"] == "67003B51C6"
    assert lines[1].keys() == {"time", "type", "reader", "tag"}
    assert (status, err) == (0, "")


def test_monitor_tells_faults_by_its_exit(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("monitor", "--url", capture(tmp_path, '{"t":1,"in":"FF00"}'))
    assert status == 1
    assert "reader  BadRead  reason noise outside any frame  data FF00" in out


def test_monitor_reads_a_tables_readers_and_its_decks(run: Run, tmp_path: Path, device: PtyDevice) -> None:
    file = table(tmp_path, f'name = "left"\nurl = "{device.port_link}"', 'name = "right"\nurl = "loop://"')
    sender = threading.Thread(target=device.write, args=(f"{ACE}\n".encode(),))
    sender.start()
    status, out, _ = run("monitor", "--reader", file, "--json", "--seconds", "1")
    sender.join()
    lines = [json.loads(line) for line in out.splitlines()]
    assert {(line["reader"], line["type"]) for line in lines} == {
        ("left", "ReaderOnline"), ("right", "ReaderOnline"), ("left", "CardSighted"),
    }  # fmt: skip
    assert [line["card"] for line in lines if line["type"] == "CardSighted"] == ["As"]
    assert status == 0


def test_record_writes_what_monitor_plays(run: Run, tmp_path: Path, device: PtyDevice) -> None:
    out_file = tmp_path / "shoe.jsonl"
    sender = threading.Thread(target=device.write, args=(f"{ACE}\n".encode(),))
    sender.start()
    status, out, err = run("record", "--url", str(device.port_link), "--out", str(out_file), "--seconds", "1", "--json")
    sender.join()
    told = json.loads(out)
    assert (status, told["file"], told["received"], told["sent"]) == (0, str(out_file), 15, 0)
    assert "ReaderOnline" in err
    assert load_capture(out_file).header.protocol == "line"
    _, played, _ = run("monitor", "--url", f"replay://{out_file}?speed=full", "--deck", str(DECKS / "demo-red.toml"))
    assert "CardSighted  card As" in played


def test_a_recording_of_a_reader_that_is_not_there_is_a_fault_and_keeps_why(run: Run, tmp_path: Path) -> None:
    out_file = tmp_path / "shoe.jsonl"
    status, out, _ = run("record", "--url", str(tmp_path / "none"), "--out", str(out_file), "--seconds", "0.5")
    assert status == 1
    assert "0 bytes received" in out
    assert [entry.lost is not None for entry in load_capture(out_file).entries] == [True]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["monitor"], "--reader, --url, --usb: expected one of them, found none of them"),
        (["monitor", "--url", "/dev/x", "--usb", "0403:6001"], "expected one of them, found --url and --usb"),
        (["monitor", "--usb", "0403"], 'usb: expected "VID:PID"'),
        (["monitor", "--url", "/dev/x", "--pattern", "("], "pattern: expected a regular expression"),
        (["monitor", "--url", "/dev/x", "--poll", "1"], "poll_s: expected nothing"),
        (["monitor", "--url", "/dev/x", "--only", "left"], "--only: expected --reader FILE beside it"),
        (["monitor", "--url", "replay://none.jsonl"], "none.jsonl: expected a capture that can be read"),
        (["monitor", "--url", "/dev/x", "--deck", "none"], "decks: expected one of demo-blue, demo-red"),
        (["monitor", "--reader", "none"], 'tables: expected one of demo, felt or a path to a TOML file, found "none"'),
        (["monitor", "--reader", "demo", "--url", "/dev/x"], "--reader: expected it alone, found --url beside it"),
        (["monitor", "--reader", "demo", "--only", "left"], "expected a reader named left, found shoe"),
        (["record", "--url", "/dev/x", "--out", "no/such/folder/file"], "--out: expected a new file"),
    ],
)
def test_what_can_not_be_used_is_told_in_one_line(run: Run, arguments: list[str], named: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1


def test_a_tables_faulty_reader_is_told_with_its_place(run: Run, tmp_path: Path) -> None:
    file = table(tmp_path, 'name = "shoe"\nurl = "/dev/x"\nrole = "pit"')
    _, _, err = run("monitor", "--reader", file)
    assert f'{file}: readers[0].role: expected "shoe", "seat", "discard", found "pit"' in err


def test_a_recording_takes_one_reader_and_no_file_that_is_there(run: Run, tmp_path: Path) -> None:
    file = table(tmp_path, 'name = "left"\nurl = "loop://"', 'name = "right"\nurl = "loop://"')
    out_file = tmp_path / "shoe.jsonl"
    assert (
        "--only: expected one of left, right, found none" in run("record", "--reader", file, "--out", str(out_file))[2]
    )
    out_file.write_text("kept")
    status, _, err = run("record", "--reader", file, "--only", "left", "--out", str(out_file))
    assert (status, out_file.read_text()) == (2, "kept")
    assert "expected a new file" in err
