"""The watch over the pages is itself tested: it must hear what a screen does wrong."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Complaints

BODY = b"""<!doctype html><title>Table</title><link rel=icon href=data:,>
<button onclick="this.textContent = navigator.maxTouchPoints">Deal</button>"""


class _OnePage(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_: object) -> None:
        """Says nothing: the test reads what the page shows."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _OnePage) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_finger_presses_a_key_on_a_screen_of_1280_by_800(page: Page, address: str) -> None:
    page.goto(address)
    page.tap("button")
    assert int(page.inner_text("button")) > 0
    assert page.viewport_size == {"width": 1280, "height": 800}


def test_a_faultless_page_is_not_complained_of(page: Page, address: str, complaints: Complaints) -> None:
    page.goto(address)
    page.evaluate("console.warn('only a warning')")
    assert complaints.heard == []


@pytest.mark.parametrize(
    ("misdeed", "complaint"),
    [
        ("console.error('reader lost')", "logged reader lost"),
        ("setTimeout(() => { throw new Error('no such seat') })", "no such seat"),
        ("Promise.reject(new Error('nobody waits')); null", "nobody waits"),
        ("fetch('/nowhere')", "logged Failed to load resource: the server responded with a status of 404"),
        ("fetch('http://localhost:1/').catch(() => null)", "asked for http://localhost:1/"),
        ("fetch('https://cdn.invalid/font').catch(() => null)", "asked for https://cdn.invalid/font"),
    ],
)
def test_a_page_that_errs_or_asks_elsewhere_is_heard(
    page: Page, address: str, complaints: Complaints, misdeed: str, complaint: str
) -> None:
    page.goto(address)
    page.evaluate(misdeed)
    page.wait_for_timeout(50)
    assert any(complaint in text for text in complaints.unforeseen())
    complaints.expect(complaint)
    complaints.expect("net::ERR_")
    assert complaints.unforeseen() == []
