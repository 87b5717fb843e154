"""Acts done beside a running table, such as an export: left as files, taken into its log by the one that writes it."""

import secrets
from pathlib import Path

import msgspec

from dealer_assist.game.commands import RecordExport
from dealer_assist.storage.folder import write_owner_only


class Act(msgspec.Struct, frozen=True):
    """What was done, when (ISO 8601, UTC) and by whom."""

    at: str
    actor: str
    command: RecordExport


def leave(folder: Path, act: Act) -> None:
    """Put an act down, safely on disk before this returns."""
    folder.mkdir(mode=0o700, exist_ok=True)
    write_owner_only(folder / f"{act.at.replace(':', '')}-{secrets.token_hex(4)}.json", msgspec.json.encode(act))


def left(folder: Path) -> list[tuple[Path, Act]]:
    """The acts that wait, oldest first. An act is removed by its taker, after the log has it."""
    return [(path, msgspec.json.decode(path.read_bytes(), type=Act)) for path in sorted(folder.glob("*.json"))]
