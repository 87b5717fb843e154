"""A real table as a process: the command line, the server, the log, and a virtual shoe at the end of a pty."""

import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dealer_assist.storage.profiles import find
from hardware.simulated.client import VirtualShoe

COMMAND = Path(sys.executable).parent / "dealer-assist"
DEALER_PIN, SUPERVISOR_PIN = "271828", "314159"

TABLE = """
id = "T7"
title = "Test table"
profile = "{profile}"
procedure = "felt"
currency = "{currency}"
bet_entry = "{bet_entry}"
chips = ["0.50", "1.00", "5.00", "25.00", "100.00", "500.00", "1000.00"]
decks = ["demo-red", "demo-blue"]
{meter}
[[limits]]
bounds = "ante"
lowest = "5.00"
highest = "100.00"

[[readers]]
name = "shoe"
url = "{port}"
protocol = "line"
silence_s = 0.2
"""
CURRENCIES = {"four-seat-fi": "EUR", "cyber-stud-nb": "USD", "live-studio-da": "DKK", "casino-stud-da": "DKK"}


def table_file(folder: Path, profile: str, bet_entry: str, port: Path, more: str = "") -> Path:
    """A table's file in `folder`, its reader at `port`; `more`: TOML that stands at its end."""
    path = folder / "table.toml"
    meter = "" if profile == "casino-stud-da" else '[jackpot]\nseed = "20000.00"\n'
    path.write_text(
        TABLE.format(profile=profile, currency=CURRENCIES[profile], bet_entry=bet_entry, meter=meter, port=port) + more
    )
    return path


class ServedTable:
    """`dealer-assist serve` on a fresh folder, its shoe, and a signed-in client. Ends all of it on exit."""

    def __init__(self, folder: Path, profile: str = "four-seat-fi", bet_entry: str = "amounts", more: str = "") -> None:
        self.folder = folder
        self.data = folder / "data"
        folder.mkdir(parents=True, exist_ok=True)
        decks = [find("decks", "demo-red"), find("decks", "demo-blue")]
        self.shoe = VirtualShoe(folder / "shoe", decks=decks, repeats=1)
        self.table = table_file(folder, profile, bet_entry, folder / "shoe", more)
        self._start()

    @property
    def port(self) -> int:
        """The screens' port."""
        return int(self.address.rpartition(":")[2])

    def _start(self, port: int = 0) -> None:
        self._out = (self.folder / "out").open("w+")
        self.process = subprocess.Popen(
            [COMMAND, "serve", "--table", self.table, "--data", self.data, "--port", str(port)],
            stdout=self._out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.address = self._said(r"^dealer (http://\S+)/dealer").group(1)

    def _said(self, pattern: str) -> re.Match[str]:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            found = re.search(pattern, self.said, re.MULTILINE)
            if found:
                return found
            assert self.process.poll() is None, self.said
            time.sleep(0.02)
        raise AssertionError(f"the table never said {pattern}: {self.said}")

    @property
    def said(self) -> str:
        """What the process has printed so far."""
        return (self.folder / "out").read_text()

    def set_pins(self) -> None:
        """The first run, as a person does it: the page whose address the table printed."""
        address = self._said(r"^setup (http://\S+)").group(1)
        client = Client(self.address)
        token = client.token(client.get(address))
        pins = {"dealer": DEALER_PIN, "supervisor": SUPERVISOR_PIN}
        fields = {**pins, **{f"{name}_again": pin for name, pin in pins.items()}}
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)
        client.post_form("/setup", {**fields, "token": asked["token"][0], "csrf_token": token})

    def client(self) -> "Client":
        """A client signed in as the dealer."""
        client = Client(self.address)
        client.sign_in(DEALER_PIN)
        return client

    def kill(self) -> None:
        """Pull the plug on the table's processes; the shoe lives on."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(5)
        self._out.close()

    def restart(self, port: int = 0) -> None:
        """Start again on the same folder."""
        self._start(port)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(5)
        self._out.close()
        self.shoe.close()


class Client:
    """A browser's part without a browser: cookies, the page's CSRF token, keys, and the stream."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self._token = ""
        self.heard: dict[str, Any] = {}

    def get(self, path: str) -> str:
        """A page's text."""
        with self._opener.open(urllib.parse.urljoin(self.address, path), timeout=20) as answer:
            text: str = answer.read().decode()
        return text

    @property
    def cookies(self) -> str:
        """The cookies as a request's header has them."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._jar)

    def token(self, page: str) -> str:
        """The CSRF token in a page's form or head."""
        found = re.search(r'name="csrf[-_]token"[^>]*?(?:value|content)="([^"]+)"', page)
        assert found, page[:500]
        return found.group(1)

    def post_form(self, path: str, fields: dict[str, str]) -> str:
        """Send a form as its page would."""
        request = urllib.request.Request(self.address + path, urllib.parse.urlencode(fields).encode())
        with self._opener.open(request, timeout=20) as answer:
            text: str = answer.read().decode()
        return text

    def sign_in(self, pin: str, role: str = "dealer") -> None:
        """Sign in, and take the dealer page's token for the keys."""
        page = self.get("/sign-in")
        self.post_form("/sign-in", {"role": role, "pin": pin, "csrf_token": self.token(page)})
        self._token = self.token(self.get("/dealer"))

    def press(
        self, command: dict[str, Any], pin: str | None = None, key: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        """A key as the screen sends it, for the state last heard; the status and the answer."""
        order: dict[str, Any] = {
            "key": key or str(uuid.uuid4()),
            "round": self.heard.get("round"),
            "expected": self.heard.get("seq", 0),
            "command": command,
        }
        if pin is not None:
            order["supervisor_pin"] = pin
        return self.post_json("/dealer/command", order)

    def post_json(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Send JSON as a page's script would; the status and the answer."""
        request = urllib.request.Request(
            self.address + path,
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "X-CSRFToken": self._token},
        )
        try:
            with self._opener.open(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.loads(refused.read())

    def messages(self, path: str = "/dealer/stream") -> Iterator[dict[str, Any]]:
        """The stream's pictures as they come; the last one is kept in `heard`."""
        request = urllib.request.Request(self.address + path, headers={"Accept": "text/event-stream"})
        with self._opener.open(request, timeout=60) as stream:
            for raw in stream:
                if raw.startswith(b"data:"):
                    message = json.loads(raw[5:])
                    if ("seq" in message and "next" in message) or path != "/dealer/stream":
                        self.heard = message
                    yield message

    def listen(self, path: str = "/dealer/stream") -> threading.Thread:
        """Follow the stream in the background, so that `heard` is the newest picture."""

        def follow() -> None:
            try:
                for _ in self.messages(path):
                    pass
            except (OSError, ValueError):
                pass  # the table ended

        thread = threading.Thread(target=follow, daemon=True)
        thread.start()
        return thread
