"""Many viewers in a process of their own: `python -m tests.bench.listeners PORT COUNT PATH COOKIES`.

Each opens one stream and reads it; a line `ready` says that all of them have had their first picture.
"""

import asyncio
import sys
import urllib.request

# A session holds for the browser that signed in; the client that did is urllib's.
AGENT = dict(urllib.request.build_opener().addheaders)["User-agent"]


async def _listen(port: int, path: str, cookies: str, first: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n"
    asked += f"User-Agent: {AGENT}\r\nCookie: {cookies}\r\n\r\n"
    writer.write(asked.encode())
    while data := await reader.read(65536):
        if b"data:" in data:
            first.set()


async def _main(port: int, count: int, path: str, cookies: str) -> None:
    firsts = [asyncio.Event() for _ in range(count)]
    streams = [asyncio.create_task(_listen(port, path, cookies, first)) for first in firsts]
    await asyncio.gather(*(first.wait() for first in firsts))
    print("ready", flush=True)
    await asyncio.gather(*streams, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(_main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]))
