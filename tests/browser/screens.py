"""A table's app on a port of its own, for a browser: it can be stopped, and started again at the same address."""

import socket
import threading
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from tests.web_ui.helpers import DEALER_PIN, TableAtHand

Served = Callable[..., "ServedApp"]
HOLD_MS: Final = 800


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's own name
        """Says nothing: a test reads what the page shows."""


class ServedApp:
    """The app of a table, served by a thread."""

    def __init__(self, table: TableAtHand) -> None:
        self.table = table
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self._server: BaseWSGIServer | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        self._server = make_server("127.0.0.1", self._port, self.table.app, threaded=True, request_handler=_Quiet)
        self._server.daemon_threads = True  # type: ignore[attr-defined]  # of the threaded kind
        self._server.block_on_close = False  # type: ignore[attr-defined]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


def type_pin(page: Page, pin: str, within: str = "") -> None:
    for digit in pin:
        page.tap(f'{within} [data-digit="{digit}"]')


def sign_in(page: Page, app: ServedApp) -> None:
    page.goto(f"{app.address}/sign-in")
    type_pin(page, DEALER_PIN)
    page.tap('[data-key="sign-in"]')
    page.wait_for_selector('body[data-keys="yes"]')


def phase(page: Page, name: str) -> None:
    """Wait until the screen shows a phase."""
    page.wait_for_selector(f'body[data-phase="{name}"]')


def press(page: Page) -> None:
    """The primary key; a browser waits until it has rested and may be pressed."""
    page.tap("[data-primary]")


def hold_more(page: Page, milliseconds: int = HOLD_MS + 200) -> None:
    box = page.locator('[data-hold="more"]').bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(milliseconds)
    page.mouse.up()
