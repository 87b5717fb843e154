"""`dealer-assist pins`: set the dealer's and the supervisor's PIN of a table from the terminal."""

from pathlib import Path

import click

from dealer_assist.application.ports import BadPin
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.pins import PinBook


@click.command()
@click.option(
    "--data", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path), help="The table's folder."
)
def pins(folder: Path) -> None:
    """Set both PINs, of at least six digits each; the ones set before no longer hold."""
    with told_in_one_line():
        book = PinBook(DataFolder(folder).pins)
    dealer = click.prompt("Dealer's PIN", hide_input=True, confirmation_prompt=True)
    supervisor = click.prompt("Supervisor's PIN", hide_input=True, confirmation_prompt=True)
    try:
        book.set(dealer, supervisor)
    except BadPin as error:
        raise UnusableInput(str(error)) from None
    click.echo(f"PINs set in {folder}")
