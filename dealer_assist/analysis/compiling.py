"""Tells when machine code is made, which the first run on a machine does and later ones find ready."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from numba.core.event import Event, Listener, install_listener


class _First(Listener):
    """Calls back at the first function that is compiled; one that is loaded is not."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, event: Event) -> None:  # noqa: ARG002  the signature is the compiler's
        """A function is being compiled."""
        tell, self._tell = self._tell, None
        if tell is not None:
            tell()

    def on_end(self, event: Event) -> None:
        """It has been."""


@contextmanager
def told_of_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Within, `tell` is called once if anything has to be compiled, before it is."""
    with install_listener("numba:compile", _First(tell)):
        yield
