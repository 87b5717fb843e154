"""`dealer-assist decode`: bytes in, one event a line out."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from dealer_assist.cli import main

GOLDEN: Final = json.loads((Path(__file__).parents[1] / "golden" / "frames.json").read_text("utf-8"))

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def decode(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command on bytes of standard input; gives exit status, standard output and standard error."""

    def run(*arguments: str, stdin: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dealer-assist", "decode", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden_frames_give_one_json_object_an_event(decode: Run, case: dict[str, Any]) -> None:
    status, out, err = decode("--protocol", case["protocol"], "-", "--json", stdin=bytes.fromhex(case["bytes"]))
    events = [json.loads(line) for line in out.splitlines()]
    told = [event["event"] + (":" + event["uid"] if "uid" in event else "") for event in events]
    assert [event for event in told if event != "noise"] == case["events"]
    assert status == (1 if {"bad_frame", "noise", "error"} & {event["event"] for event in events} else 0)
    assert err == ""


def test_a_file_is_read_as_standard_input_is(decode: Run, tmp_path: Path) -> None:
    file = tmp_path / "shoe.bin"
    file.write_bytes(b"04A1B2C3\r\n" * 20_000)
    assert decode("--protocol", "line", str(file)) == (0, "tag 04A1B2C3\n" * 20_000, "")


def test_bad_frames_name_their_reason_and_bytes_and_noise_its_bytes(decode: Run) -> None:
    status, out, _ = decode("--protocol", "em4100", "--json", "-", stdin=b"\xffA\x020B\x03")
    assert [json.loads(line) for line in out.splitlines()] == [
        {"event": "noise", "bytes": "FF41"},
        {"event": "bad_frame", "reason": "not twelve hex digits", "bytes": "02304203"},
    ]
    assert status == 1


def test_an_error_names_its_code_and_a_tag_how_strongly_it_was_heard(decode: Run) -> None:
    stream = bytes.fromhex(
        "BB 01 FF 00 01 17 18 7E BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E"
    )
    status, out, _ = decode("--protocol", "r200", "--json", "-", stdin=stream)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"event": "error", "code": "17"},
        {"event": "tag", "uid": "30751FEB705C5904E3D50D70", "rssi": -55},
    ]
    assert status == 1


def test_nothing_in_is_nothing_out(decode: Run) -> None:
    assert decode("--protocol", "pn532", "-") == (0, "", "")


def test_what_is_about_no_tag_is_told_when_asked_for(decode: Run) -> None:
    ack_and_none = bytes.fromhex("00 00 FF 00 FF 00 00 00 FF 03 FD D5 4B 00 E0 00")
    assert decode("--protocol", "pn532", "-", stdin=ack_and_none) == (0, "none\n", "")
    status, out, _ = decode("--protocol", "pn532", "--all", "--json", "-", stdin=ack_and_none)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"event": "answer", "code": "ack", "bytes": ""},
        {"event": "none"},
    ]
    assert status == 0


def test_a_pattern_decides_what_a_line_says(decode: Run) -> None:
    pattern = r"SEAT (?P<seat>[1-4]) (CARD (?P<card>..)|UID (?P<uid>\w+)|(?P<event>DOOR))"
    stream = b"SEAT 1 CARD As\rSEAT 2 UID 04a1\rSEAT 3 DOOR\rSEAT 9\r"
    status, out, _ = decode("--protocol", "line", "--pattern", pattern, "--all", "--json", "-", stdin=stream)
    assert [json.loads(line) for line in out.splitlines()] == [
        {"event": "tag", "card": "As", "seat": "1"},
        {"event": "tag", "uid": "04A1", "seat": "2"},
        {"event": "notice", "device_event": "DOOR", "seat": "3"},
        {"event": "bad_frame", "reason": "line does not match the pattern", "bytes": b"SEAT 9".hex().upper()},
    ]
    assert status == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--protocol", "line", "nowhere.bin"], "nowhere.bin: expected a readable file"),
        (["--protocol", "line", "."], ".: expected a readable file"),
        (["--protocol", "smoke", "-"], "'smoke' is not one of 'line', 'em4100'"),
        (["-"], "--protocol"),
        (["--protocol", "line"], "FILE"),
        (["--protocol", "line", "--pattern", "(", "-"], "--pattern: expected a regular expression"),
        (["--protocol", "line", "--pattern", "..", "-"], "--pattern: expected a named group"),
        (["--protocol", "r200", "--pattern", "(?P<uid>.)", "-"], "--pattern: expected none"),
    ],
)
def test_what_can_not_be_used_is_told_in_one_line(decode: Run, arguments: list[str], named: str) -> None:
    status, out, err = decode(*arguments, stdin=b"04A1\n")
    assert (status, out) == (2, "")
    assert named in err
    assert len(err.splitlines()) == 1
