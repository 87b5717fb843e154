"""`dealer-assist export` and `verify`: what a table's log holds, and whether it is what it was."""

import getpass
import sqlite3
import sys
from pathlib import Path

import click
import msgspec

from dealer_assist.application.export import encode, records
from dealer_assist.application.records import FORMAT
from dealer_assist.application.service import Stamped
from dealer_assist.bootstrap import utc_now
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.game.commands import RecordExport
from dealer_assist.game.events import HistoryExported
from dealer_assist.storage import acts
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.folder import DataFolder, FolderInUse
from dealer_assist.storage.sealing import BrokenSeal, Seal
from dealer_assist.storage.sqlite_log import SqliteLog, logged, open_to_read, rows
from dealer_assist.storage.verify import Verdict
from dealer_assist.storage.verify import verify as verify_log


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--format", "form", required=True, type=click.Choice([FORMAT]), help="The records' format.")
@click.option("--reason", required=True, metavar="TEXT", help="Why: it opens folded hands, and is logged.")
@click.option("--json", "as_json", is_flag=True, help="Accepted: the records are JSON lines in any case.")
def export(folder: Path, form: str, reason: str, as_json: bool) -> None:  # noqa: ARG001
    """Print the closed rounds of the table in DIR, one record a line."""
    lines = exported(folder, form, reason)
    sys.stdout.writelines(line + "\n" for line in lines)


def exported(folder: Path, form: str, reason: str) -> list[str]:
    """The closed rounds of the table in `folder` as lines of JSON; that they left the house is logged, and why.

    Raises: UnusableInput.
    """
    if not reason.strip():
        raise UnusableInput("--reason: expected why the rounds leave the house, found nothing")
    with told_in_one_line():
        data = DataFolder.existing(folder)
        seal = Seal(data.kept_key("seal"))
    lines = _lines(data, seal)
    _log_export(data, seal, HistoryExported(reason, form, len(lines)))
    return lines


def _lines(data: DataFolder, seal: Seal) -> list[str]:
    connection = open_to_read(data.log)
    try:
        return [encode(record).decode() for record in records(logged(rows(connection), seal))]
    except (BrokenSeal, msgspec.DecodeError, sqlite3.DatabaseError) as error:
        found = "a row that does not hold: run verify"
        raise UnusableInput(f"{data.log}: expected an unbroken log, found {found}") from error
    finally:
        connection.close()


def _log_export(data: DataFolder, seal: Seal, exported: HistoryExported) -> None:
    """Into the log at once, or by way of the running table that writes it."""
    actor = f"user:{getpass.getuser()}"
    try:
        data.lock()
    except FolderInUse:
        command = RecordExport(exported.reason, exported.format, exported.rounds)
        acts.leave(data.acts, acts.Act(utc_now(), actor, command))
        return
    log = SqliteLog(data.log, seal)
    log.append([exported], Stamped(utc_now(), actor))
    log.close()
    data.unlock()


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The verdict as one JSON object.")
def verify(folder: Path, as_json: bool) -> int:
    """Check the log in DIR: its hash chain, its seals, every settlement and meter entry computed anew, its pictures."""
    with told_in_one_line():
        data = DataFolder.existing(folder)
        seal = Seal(data.kept_key("seal"))
    verdict = verify_log(data.log, seal, evidence=EvidenceStore(data.evidence))
    if as_json:
        click.echo(msgspec.json.encode(verdict).decode())
    else:
        click.echo(_sentence(verdict))
    return 0 if verdict.broken is None else 1


def _sentence(verdict: Verdict) -> str:
    if verdict.broken is None:
        return f"holds: {verdict.rows} events of {verdict.rounds} rounds"
    return f"sequence {verdict.broken.seq} does not hold: {verdict.broken.finding} ({verdict.rows} before it do)"
