"""The command `dealer-assist`. Each subcommand's module is imported when it is called, so that `rank` starts fast.

Exit 0: done and all agrees. 1: done, and differences or faults were found. 2: unusable input, told in one line.
"""

import importlib
import sys
from typing import Final

import click

from dealer_assist.cli.errors import UnusableInput

_COMMANDS: Final = {
    "demo": ("demo", "demo"),
    "serve": ("serve", "serve"),
    "export": ("history", "export"),
    "verify": ("history", "verify"),
    "replay": ("replay", "replay"),
    "convert": ("convert", "convert"),
    "settle": ("settle", "settle"),
    "simulate": ("simulate", "simulate"),
    "rank": ("rank", "rank"),
    "decode": ("decode", "decode"),
    "rules": ("rules", "rules"),
    "pins": ("pins", "pins"),
    "reader": ("reader", "reader"),
    "deck": ("deck", "deck"),
    "recognise": ("recognise", "recognise"),
    "camera": ("camera", "camera"),
    "report": ("report", "report"),
}


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name]
        found: click.Command = getattr(importlib.import_module(f"dealer_assist.cli.{module}"), name)
        return found


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dealer-assist")
def cli() -> None:
    """Dealer assist for Caribbean Stud tables: runs a table, replays its log, ranks hands, shows the rules."""


def main() -> None:
    """Run a command; what can't be used is told in one line."""
    try:
        status = cli.main(standalone_mode=False)
    except (UnusableInput, click.ClickException) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"dealer-assist: {' '.join(message.split())}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away; nothing is left to say.
        sys.stderr.close()
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)
