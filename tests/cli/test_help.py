"""Every subcommand says what it does; what it can't use is told in one line."""

import pytest

from dealer_assist.cli import cli
from tests.cli.command import dealer_assist

COMMANDS = sorted(cli.list_commands(None))  # type: ignore[arg-type]  # it needs no context


def test_the_command_names_its_subcommands() -> None:
    ran = dealer_assist("--help")
    assert ran.status == 0
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_subcommand_has_help(command: str) -> None:
    ran = dealer_assist(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"Usage: dealer-assist {command} ")


@pytest.mark.parametrize("arguments", [("shuffle",), ("rank",), ("rank", "--fast", "As"), ("replay",), ("export", "x")])
def test_a_command_line_that_makes_no_sense_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    dealer_assist(*arguments).refused()


def test_the_version_is_told() -> None:
    ran = dealer_assist("--version")
    assert ran.status == 0
    assert ran.out.startswith("dealer-assist, version ")
