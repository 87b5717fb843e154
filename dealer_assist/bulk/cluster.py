"""A bulk run on a Dask cluster: each part is a task. Its workers need this program, and the logs at the same paths."""

import logging
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, Final

from dealer_assist.bulk.partitions import Partition
from dealer_assist.bulk.run import IN_FLIGHT, Compute, RunBroken
from dealer_assist.bulk.store import FORMAT
from dealer_assist.bulk.work import Options, PartResult, work
from dealer_assist.storage.shoe_logs import UnreadableLog

_ADDRESS: Final = re.compile(r"(?:tcp|tls)://(?:\[[0-9a-fA-F:.]+\]|[^\s:/]+):\d{1,5}")
_ANSWER_S: Final = 10
_WORKER_S: Final = 30


class NoCluster(Exception):
    """A cluster that can't be worked on: its extra is not installed, or nobody answers at its address."""


@contextmanager
def on_cluster(address: str) -> Iterator[Compute]:
    """Work by the workers of the scheduler at an address like `tcp://host:8786`. Raises: NoCluster."""
    if not _ADDRESS.fullmatch(address):
        raise NoCluster(f"--cluster: expected an address like tcp://host:8786, found {address}")
    try:
        import distributed  # noqa: PLC0415  an extra that only a cluster needs
    except ModuleNotFoundError:
        extra = "pip install 'dealer-assist[cluster]'"
        raise NoCluster(f"--cluster: expected Dask to be installed ({extra}), found no module distributed") from None
    connect: Any = distributed.Client
    logging.disable(logging.CRITICAL)  # what Dask has to say is said here, in one line
    try:
        client = connect(address, timeout=_ANSWER_S, set_as_default=False)
    except (OSError, ValueError) as error:
        logging.disable(logging.NOTSET)
        told = str(error).splitlines()[0]
        raise NoCluster(f"--cluster: expected a Dask scheduler at {address}, found none: {told}") from None
    try:
        client.wait_for_workers(1, timeout=_WORKER_S)
        yield partial(_compute, client)
    except TimeoutError:
        raise NoCluster(f"--cluster: expected a worker at {address} within {_WORKER_S} s, found none") from None
    finally:
        client.close(timeout=_ANSWER_S)
        logging.disable(logging.NOTSET)


def _compute(client: Any, parts: Sequence[Partition], options: Options) -> Iterator[tuple[Partition, PartResult]]:
    import distributed  # noqa: PLC0415  see above

    waiting: Iterator[Partition] = iter(parts)
    running: Any = vars(distributed)["as_completed"](loop=client.loop)
    part_of: dict[str, Partition] = {}
    try:
        while True:
            most = IN_FLIGHT * max(1, sum(client.nthreads().values()))
            while len(part_of) < most and (part := next(waiting, None)) is not None:
                future = client.submit(_work, _code(), part, options, pure=False)
                part_of[future.key] = part
                running.add(future)
            if not part_of:
                return
            done = next(running)
            part = part_of.pop(done.key)
            yield part, _result(done, part)
            done.release()
    except (OSError, CancelledError):
        raise RunBroken("--cluster: expected the scheduler to stay, found it gone; run again to go on") from None


def _result(done: Any, part: Partition) -> PartResult:
    """Raises: RunBroken, where a worker could not do it; CancelledError."""
    error = done.exception()
    if isinstance(error, UnreadableLog):
        raise RunBroken(f"{error} (on a worker, which needs the logs at the same paths)")
    if isinstance(error, Exception):
        told = str(error).splitlines()[0]
        raise RunBroken(f"{part.name}: expected a worker's result, found {type(error).__name__}: {told}")
    result: PartResult = done.result()
    return result


def _code() -> tuple[int, str]:
    """What must be the same here and on a worker."""
    return FORMAT, version("dealer-assist")


def _work(code: tuple[int, str], part: Partition, options: Options) -> PartResult:
    if code != _code():
        raise RunBroken(f"expected dealer-assist {code[1]} of format {code[0]} on a worker, found {_code()}")
    return work(part, options)
