"""What holds for the project as a whole: sizes, names that stay out, files that can be read."""

import ast
import os
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("dealer_assist", "hardware", "web_ui")
LONGEST_MODULE: Final = 400
LONGEST_FUNCTION: Final = 40

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*packages: str) -> list[Path]:
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def nodes(*packages: str) -> Iterator[tuple[Path, ast.AST]]:
    for path in modules(*packages):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            yield path.relative_to(ROOT), node


def names_in(node: ast.AST) -> Iterator[str]:
    """The names that this very node writes: `x`, `….x`, `import x`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name):
            yield name
        case _:
            pass


def own_files() -> Iterator[Path]:
    """Every file here but those that `.gitignore` leaves out."""
    strange = [".git", *(line.strip("/") for line in (ROOT / ".gitignore").read_text("utf-8").split())]
    for folder, subfolders, files in os.walk(ROOT):
        subfolders[:] = [name for name in subfolders if not any(fnmatch(name, pattern) for pattern in strange)]
        yield from (Path(folder, name) for name in files if not any(fnmatch(name, pattern) for pattern in strange))


def own_lines(pattern: str) -> list[str]:
    """Where the pattern occurs in the project's texts, as `file:line`; files that aren't text are passed over."""
    places = []
    for path in own_files():
        try:
            lines = path.read_text("utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        places += [f"{path.relative_to(ROOT)}:{at}" for at, line in enumerate(lines, 1) if re.search(pattern, line)]
    return places


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in modules(*PACKAGES)}
    assert not {path: length for path, length in lengths.items() if length > LONGEST_MODULE}


def test_no_function_is_longer_than_40_lines() -> None:
    lengths = {
        f"{path}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path, node in nodes(*PACKAGES)
        if isinstance(node, Function)
    }
    assert not {place: length for place, length in lengths.items() if length > LONGEST_FUNCTION}


def test_nothing_in_the_game_is_of_type_any() -> None:
    named = [(path, name) for path, node in nodes("dealer_assist/game") for name in names_in(node)]
    assert not [path for path, name in named if name == "Any"]


def test_every_file_of_the_configuration_is_toml() -> None:
    for path in (ROOT / "config").rglob("*"):
        if path.is_file():
            assert path.suffix == ".toml", path
            tomllib.loads(path.read_text("utf-8"))


def test_no_text_leaves_work_for_later() -> None:
    assert not own_lines(r"\bTODO\b|\bFIXME\b")


def test_no_text_names_the_host_of_a_package_registry() -> None:
    assert not own_lines(r"\b(pypi|pythonhosted|npmjs|yarnpkg|debian)\.(org|com)\b")


def test_no_text_names_a_folder_of_one_machine() -> None:
    assert not own_lines(r"(?<![\w.~-])/(work|home|Users)/")
