"""`dealer-assist serve`: a real table."""

from pathlib import Path

import click
from flask import Flask

from dealer_assist.bootstrap import RunningTable, camera_of, camera_settings
from dealer_assist.cli.errors import told_in_one_line
from dealer_assist.cli.running import free_folder, greet, listen, log_to
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.pins import PinBook
from dealer_assist.storage.profiles import find, named
from dealer_assist.storage.tables import TablePlan, load_table
from web_ui.app import create_app
from web_ui.server import run_server
from web_ui.site import TableAccess


@click.command()
@click.option("--table", required=True, metavar="FILE", help="The table's TOML file, or the id of a shipped one.")
@click.option(
    "--data", "folder", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The table's folder."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8080, metavar="P", help="The screens' port on loopback.")
def serve(table: str, folder: Path, port: int) -> int:
    """Run the table of FILE with its log in DIR; the dealer screen and the sign are served on 127.0.0.1."""
    with told_in_one_line():
        plan = load_table(table)
        named(find("tables", table), lambda: camera_of(camera_settings(plan)))  # told here, not in the worker
        data = free_folder(folder)
    listener = listen(port)
    token = greet(listener, data)
    return run_server(lambda: _app(plan, data, token), listener)


def _app(plan: TablePlan, data: DataFolder, token: str) -> Flask:
    """The table, opened in the server's worker."""
    log_to(data.path / "program.log")
    table = RunningTable(plan, data)
    app = create_app(
        TableAccess(
            service=table.service,
            publisher=table.publisher,
            pins=PinBook(data.pins),
            secret_key=data.key("sessions"),
            laboratory=table.laboratory,
            camera=table.camera,
            camera_history=table.camera_history,
            setup_token=token,
            close=table.stop,
        )
    )
    table.start()
    return app
