"""`dealer-assist deck`: register, check and import."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.cli import deck as deck_commands
from dealer_assist.cli import main
from dealer_assist.game.cards import DECK
from hardware.reader.deck import load_deck
from hardware.reader.deck_file import read_draft
from hardware.reader.registration import ORDERS
from hardware.simulated.pty_device import PtyDevice
from tests.hardware.helpers import DECKS, demo_deck

pytestmark = pytest.mark.timeout(30)

Run = Callable[..., tuple[int, str, str]]
ORDER: Final = ORDERS["ace-down"]
UIDS: Final = [f"04{at:06X}" for at in range(52)]
WHO: Final = ("--who", "R. Keller", "--back", "red")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `dealer-assist deck …`; gives exit status, standard output and standard error."""
    monkeypatch.setattr(deck_commands, "SETTLE_S", 0.3)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dealer-assist", "deck", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    return run


@pytest.fixture
def device(tmp_path: Path) -> Iterator[PtyDevice]:
    with PtyDevice(tmp_path / "port") as device:
        yield device


def passing(tmp_path: Path, *uids: str, repeats: int = 2) -> tuple[str, ...]:
    """The options of a capture in which these cards pass, each read so many times."""
    lines = ['{"format":"capture/1","reader":"shoe","protocol":"line","started":"2026-11-30T20:14:03Z"}']
    for at, uid in enumerate(uids):
        data = (uid.encode() + b"\n").hex()
        lines += [f'{{"t":{at + repeat / 50},"in":"{data}"}}' for repeat in range(repeats)]
    path = tmp_path / "capture.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return ("--url", f"replay://{path}?speed=full")


def test_a_deck_that_passes_the_shoe_is_written_with_its_certificate(run: Run, tmp_path: Path) -> None:
    out_file = tmp_path / "red-1.toml"
    status, out, err = run("register", *passing(tmp_path, *UIDS), "--out", str(out_file), "--pass", *WHO, "--json")
    told = json.loads(out)
    assert (status, told["deck"], told["cards"]) == (0, "red-1", 52)
    assert "2c  04000033  (52 of 52)" in err
    assert load_deck(out_file).tags == {card: (UIDS[ORDER.index(card)],) for card in DECK}
    certificate = read_draft(out_file).certificate
    assert certificate is not None
    assert (certificate.deck, certificate.who, certificate.reader) == ("red-1", "R. Keller", "reader")
    assert certificate.result == "52 cards, 52 tags, 0 damaged reads"
    assert certificate.when.utcoffset() is not None


def test_a_person_is_led_through_the_deck_card_by_card(run: Run, tmp_path: Path, device: PtyDevice) -> None:
    out_file = tmp_path / "blue-1.toml"
    uids = [*UIDS[:3], UIDS[0], "rubbish", *UIDS[3:]]  # a card that was shown before, and a damaged read
    sender = threading.Thread(target=device.write, args=("\n".join([*uids, ""]).encode(),))
    sender.start()
    status, out, err = run(
        "register", "--url", str(device.port_link), "--out", str(out_file), "--order", "ace-up", *WHO, "--name", "Blue"
    )
    sender.join()
    assert (status, out) == (0, f"{out_file}: 52 cards, 52 tags, 1 damaged reads\n")
    assert "the reader is there; now As" in err
    assert "not taken: tag 04000000 is As already" in err
    assert "not taken: a damaged read" in err
    assert load_deck(out_file).tags[ORDERS["ace-up"][5]] == (UIDS[5],)
    assert load_deck(out_file).name == "Blue"


@pytest.mark.parametrize(
    ("uids", "reason"),
    [
        ([*UIDS[:10], UIDS[3], *UIDS[11:]], "tag 04000003 is Js already"),
        (UIDS[:51], "2c did not come: 51 of 52 tags are read"),
        ([*UIDS, "0499"], "tag 0499 is one more than the deck has cards"),
        ([*UIDS[:5], demo_deck("red").tags[ORDER[0]][0], *UIDS[5:]], "belongs to deck demo-red"),
        ([], "As did not come: 0 of 52 tags are read"),
    ],
)
def test_a_pass_that_does_not_come_out_even_writes_nothing(
    run: Run, tmp_path: Path, uids: list[str], reason: str
) -> None:
    out_file = tmp_path / "red-1.toml"
    against = ("--against", str(DECKS / "demo-red.toml"))
    options = ("--out", str(out_file), "--pass", "--json", *WHO, *against)
    status, out, err = run("register", *passing(tmp_path, *uids), *options)
    assert status == 1
    assert reason in json.loads(out)["fault"]
    assert f"not registered, nothing written: {json.loads(out)['fault']}" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["capture.jsonl"]


def test_a_reader_that_is_silent_too_long_ends_a_registration(run: Run, tmp_path: Path, device: PtyDevice) -> None:
    options = ("--out", str(tmp_path / "red-1.toml"), *WHO, "--patience", "0.4")
    status, out, err = run("register", "--url", str(device.port_link), *options)
    assert (status, out) == (1, "")
    assert "As did not come: 0 of 52 tags are read" in err


def test_a_file_that_is_there_is_kept_unless_it_may_be_written_over(run: Run, tmp_path: Path) -> None:
    out_file = tmp_path / "red-1.toml"
    out_file.write_text("kept")
    options = ("register", *passing(tmp_path, *UIDS), "--out", str(out_file), "--pass", *WHO)
    status, _, err = run(*options)
    assert (status, out_file.read_text()) == (2, "kept")
    assert "--out: expected a new file (or --force)" in err
    assert run(*options, "--force")[0] == 0
    assert load_deck(out_file).id == "red-1"


def test_a_checked_deck_holds_or_says_what_is_missing_foreign_and_doubled(run: Run, tmp_path: Path) -> None:
    red = DECKS / "demo-red.toml"
    assert run("check", str(red), "--against", str(DECKS / "demo-blue.toml"))[0] == 0
    ace, king = (demo_deck("red").tags[card][0] for card in ORDER[:2])
    text = red.read_text().replace(f'Ks = "{king}"', f'Ks = "{ace}"').replace("demo-red", "other")
    path = tmp_path / "other.toml"
    path.write_text("\n".join(line for line in text.splitlines() if not line.startswith("2c")))
    status, out, _ = run("check", str(path), "--against", str(red), "--json")
    found = json.loads(out)
    assert (status, found["holds"], found["missing"]) == (1, False, ["2c"])
    assert found["doubled"] == [{"uid": ace, "cards": ["As", "Ks"]}]
    assert len(found["foreign"]) == 51
    status, out, _ = run("check", str(path))
    assert out.splitlines()[1:] == ["missing  2c", f"doubled  {ace}: As Ks"]


def test_a_table_is_taken_over_as_it_says_its_uids_are_written(run: Run, tmp_path: Path) -> None:
    source, out_file = tmp_path / "deck.csv", tmp_path / "deck.toml"
    numbers = [str(int(uid, 16)) for uid in UIDS]
    source.write_text("card,uid\n" + "".join(f"{card},{number}\n" for card, number in zip(ORDER, numbers, strict=True)))
    form = ("--uid-form", "decimal", "--byte-order", "as-sent")
    status, _, err = run("import", str(source), "--out", str(out_file), "--back", "red", *form)
    assert status == 2
    assert "uid_bytes: expected how many bytes a UID has, since uid_form is decimal" in err
    assert not out_file.exists()
    assert run("import", str(source), "--out", str(out_file), "--back", "red", *form, "--uid-bytes", "4")[0] == 0
    assert load_deck(out_file).tags[ORDER[9]] == (UIDS[9],)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["import", "x.csv", "--out", "y.toml", "--back", "red", "--uid-form", "hex"], "--byte-order"),
        (["import", "x.csv", "--out", "y.toml", "--back", "red", "--byte-order", "as-sent"], "--uid-form"),
        (["check", "none.toml"], "none.toml: expected a deck file that can be read"),
        (["register", "--url", "loop://", "--out", "no/such/folder/deck.toml", *WHO], "in a folder that is there"),
        (["register", "--url", "loop://", "--out", "new.toml", *WHO, "--order", "mixed"], "order: expected ace-down, ace-up"),
        (["register", "--out", "new.toml", *WHO], "--reader, --url, --usb: expected one of them"),
        (["register", "--url", "loop://", "--out", "new.toml", "--back", "red"], "--who"),
    ],
)  # fmt: skip
def test_what_can_not_be_used_is_told_in_one_line(run: Run, arguments: list[str], named: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
