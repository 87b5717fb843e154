"""How far a long command is: a bar on a terminal's standard error, and nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def progress(doing: str, total: float) -> Iterator[Callable[[float], None]]:
    """A bar that is advanced by what is given, up to `total`."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (TextColumn(doing), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda count: bar.advance(task, count)
