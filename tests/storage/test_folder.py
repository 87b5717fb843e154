"""A table's data folder: its owner's alone, one table's at a time, its secrets made once."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from dealer_assist.game.commands import RecordExport
from dealer_assist.storage import acts
from dealer_assist.storage.folder import DataFolder, FolderInUse, NoTable, write_owner_only
from dealer_assist.storage.sealing import BrokenSeal, Seal
from tests.application.desk import desk_at
from tests.storage.logs import play_a_bit_of_everything


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_folder_and_everything_in_it_is_its_owners_alone(tmp_path: Path) -> None:
    os.umask(0o022)
    path = tmp_path / "deep" / "table"
    with desk_at(path) as desk:
        play_a_bit_of_everything(desk)
        desk.folder.lock()
        acts.leave(desk.folder.acts, acts.Act("2026-11-30T20:14:03Z", "user:x", RecordExport("r", "round/1", 1)))
        desk.folder.unlock()
        inside = [path, *path.rglob("*")]
        assert {found.name for found in inside} >= {"log.sqlite", "log.sqlite-wal", "seal.key", "lock", "acts"}
        assert {found.name: oct(mode(found) & 0o077) for found in inside} == dict.fromkeys(
            (found.name for found in inside), "0o0"
        )


def test_a_folder_that_was_open_to_others_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    DataFolder(tmp_path)
    assert mode(tmp_path) == 0o700


def test_a_key_is_made_once_and_is_its_names_own(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    key = folder.key("seal")
    assert len(key) == 32
    assert folder.key("seal") == key == DataFolder(tmp_path).key("seal")
    assert folder.key("sessions") != key
    assert mode(tmp_path / "seal.key") == 0o600


HOLDER = """
import sys
from pathlib import Path
from dealer_assist.storage.folder import DataFolder
folder = DataFolder(Path(sys.argv[1]))
folder.lock()
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_folder_in_use_names_the_process_that_uses_it(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "locked\n"
        with pytest.raises(FolderInUse, match=f"found it in use by process {holder.pid}$"):
            DataFolder(tmp_path).lock()
        holder.kill()
        holder.wait()
    folder = DataFolder(tmp_path)
    folder.lock()
    with pytest.raises(FolderInUse, match=f"process {os.getpid()}"):
        DataFolder(tmp_path).lock()
    folder.unlock()
    folder.unlock()
    DataFolder(tmp_path).lock()


def test_a_folder_without_a_log_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(NoTable, match="expected a table's data folder with a log, found none"):
        DataFolder.existing(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NoTable):
        DataFolder.existing(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_a_file_is_written_whole_and_leaves_no_draft(tmp_path: Path) -> None:
    target = tmp_path / "secret"
    write_owner_only(target, b"first")
    write_owner_only(target, b"second")
    assert target.read_bytes() == b"second"
    assert mode(target) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


# --- seals ---------------------------------------------------------------------------------------------------------


def test_a_seal_opens_what_it_closed_at_the_same_place() -> None:
    seal = Seal(bytes(range(32)))
    closed = seal.close(b"the ace of spades", b"7:CardDrawn")
    assert seal.open(closed, b"7:CardDrawn") == b"the ace of spades"
    assert b"ace" not in closed
    assert seal.close(b"the ace of spades", b"7:CardDrawn") != closed


@pytest.mark.parametrize("damage", ["place", "key", "byte", "nonce", "short", "empty"])
def test_a_seal_does_not_open_what_was_damaged_moved_or_closed_by_another(damage: str) -> None:
    seal = Seal(bytes(range(32)))
    closed = seal.close(b"the ace of spades", b"7:CardDrawn")
    flipped = bytes([closed[-1] ^ 1])
    damaged = {
        "byte": closed[:-1] + flipped,
        "nonce": bytes([closed[0] ^ 1]) + closed[1:],
        "short": closed[:14],
        "empty": b"",
    }.get(damage, closed)
    opening = Seal(bytes(32)) if damage == "key" else seal
    with pytest.raises(BrokenSeal):
        opening.open(damaged, b"8:CardDrawn" if damage == "place" else b"7:CardDrawn")


# --- acts ----------------------------------------------------------------------------------------------------------


def test_acts_wait_oldest_first_until_they_are_taken(tmp_path: Path) -> None:
    folder = tmp_path / "acts"
    assert acts.left(folder) == []
    late = acts.Act("2026-11-30T20:15:00.000000Z", "user:b", RecordExport("second", "round/1", 2))
    early = acts.Act("2026-11-30T20:14:00.000000Z", "user:a", RecordExport("first", "round/1", 1))
    acts.leave(folder, late)
    acts.leave(folder, early)
    acts.leave(folder, early)
    waiting = acts.left(folder)
    assert [act for _, act in waiting] == [early, early, late]
    for path, _ in waiting:
        path.unlink()
    assert acts.left(folder) == []
