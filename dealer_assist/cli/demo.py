"""`dealer-assist demo`: a whole table without hardware, dealing by itself."""

from pathlib import Path
from typing import Final

import click
from flask import Flask

from dealer_assist.cli.errors import told_in_one_line
from dealer_assist.cli.running import default_data, free_folder, greet, listen, log_to, say
from dealer_assist.demonstration import Demonstration
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.pins import PinBook
from dealer_assist.storage.tables import TablePlan, load_table
from dealer_assist.storage.totals import Totals, totals
from web_ui.app import create_app
from web_ui.server import end_server, run_server
from web_ui.site import TableAccess

FASTEST: Final = 1000.0


@click.command()
@click.option("--profile", metavar="ID", help="The rule profile (id or path); default: the demonstration table's own.")
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="End after N rounds, with a summary.")
@click.option("--speed", type=click.FloatRange(0.1, FASTEST), default=1.0, metavar="X", help="X times a human pace.")
@click.option("--manual", is_flag=True, help="A person presses the keys from the start.")
@click.option("--data", "folder", type=click.Path(path_type=Path), metavar="DIR", help="Where all of it is kept.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="P", help="The screens' port; 0: any free one."
)
def demo(profile: str | None, rounds: int | None, speed: float, manual: bool, folder: Path | None, port: int) -> int:
    """Run a table with a virtual shoe on a pseudo-terminal; it deals round after round until it is stopped."""
    with told_in_one_line():
        plan = load_table("demo", profile)
        data = free_folder(folder or default_data("demo"))
    listener = listen(port)
    before = totals(data.log)
    token = greet(listener, data)
    status = run_server(lambda: _app(plan, data, token, rounds, speed, manual), listener)
    if status == 0 and rounds is not None:
        say(_summary(before, totals(data.log), data))
    return status


def _app(plan: TablePlan, data: DataFolder, token: str, rounds: int | None, speed: float, manual: bool) -> Flask:
    """The table, opened in the server's worker."""
    log_to(data.path / "program.log")
    demonstration = Demonstration(plan, data, speed=speed, manual=manual)
    app = create_app(
        TableAccess(
            service=demonstration.table.service,
            publisher=demonstration.table.publisher,
            pins=PinBook(data.pins),
            secret_key=data.key("sessions"),
            laboratory=demonstration.table.laboratory,
            camera=demonstration.table.camera,
            camera_history=demonstration.table.camera_history,
            open_to_watch=True,
            demo=demonstration.robot,
            setup_token=token,
            close=demonstration.stop,
        )
    )
    demonstration.start(rounds, lambda _: end_server())
    return app


def _summary(before: Totals, after: Totals, data: DataFolder) -> str:
    closed, void = after.closed - before.closed, after.void - before.void
    return (
        f"{closed + void} rounds dealt, {void} of them void, {after.events - before.events} events logged; "
        f"the log in {data.path} holds {after.closed + after.void} rounds"
    )
