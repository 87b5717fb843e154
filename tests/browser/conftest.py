"""A real Chromium for the screens' tests; every page in it is watched.

A test takes `page`, or `new_page` where it needs several screens, and fails when a page logs an error, throws one,
or asks any host but 127.0.0.1 for anything. A test that provokes a complaint says so: `complaints.expect("409")`.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, sync_playwright

CHROMIUM_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
DEALER_SCREEN: Final[dict[str, Any]] = {
    "viewport": {"width": 1280, "height": 800},
    "has_touch": True,
    "service_workers": "block",
}


@dataclass
class Complaints:
    """What the pages of one test complained of, in order, and pieces of the texts that the test foresaw."""

    heard: list[str] = field(default_factory=list)
    foreseen: list[str] = field(default_factory=list)

    def expect(self, piece: str) -> None:
        """A complaint that holds this piece of text doesn't fail the test."""
        self.foreseen.append(piece)

    def unforeseen(self) -> list[str]:
        return [text for text in self.heard if not any(piece in text for piece in self.foreseen)]

    def listen(self, context: BrowserContext) -> None:
        """Hears all pages of a context, those too that it opens later."""
        context.on("console", self._hear_console)
        context.on("weberror", lambda error: self.heard.append(f"threw {error.error}"))
        context.on("request", self._hear_request)

    def _hear_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert"):
            self.heard.append(f"logged {message.text} at {message.location['url']}")

    def _hear_request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and url.hostname != "127.0.0.1":
            self.heard.append(f"asked for {request.url}")


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker(pytest.mark.browser)


def chromium() -> str:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        pytest.fail(f"no browser: none of {', '.join(CHROMIUM_NAMES)} is on PATH, and CHROMIUM names none")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Complaints:
    return Complaints()


@pytest.fixture
def new_page(browser: Browser, complaints: Complaints) -> Iterator[Callable[..., Page]]:
    """Opens a page with cookies of its own, the size of a dealer's screen unless told otherwise.

    Its keywords are those of `Browser.new_context`: `viewport`, `locale`, `reduced_motion`, …
    """
    contexts: list[BrowserContext] = []

    def open_page(**options: Any) -> Page:
        context = browser.new_context(**DEALER_SCREEN | options)
        contexts.append(context)
        complaints.listen(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints.unforeseen()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()
