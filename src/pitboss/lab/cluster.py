"""Plays the rounds of a simulation on the workers of a Dask cluster."""

import logging
import pickle
import re
import socket
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

from pitboss.lab.blocks import Block
from pitboss.lab.plan import Plan, Play, Work
from pitboss.lab.played import Table

CONNECT_SECONDS = 5
WORKERS_SECONDS = 4
RETRIES = 3
AHEAD = 3  # blocks handed out for each thread, so that none waits for the next


ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})/?", re.ASCII)
MOST_PORT = 65535
MOST_GREETING = 1 << 20  # bytes


class ClusterFailed(Exception):
    """The cluster cannot be reached, cannot play, or was lost."""


class NoAddress(ClusterFailed):
    """The address is not a valid cluster address."""


@contextmanager
def clustered(plan: Plan, address: str) -> Iterator[Play]:
    """Yield the function that plays blocks on a cluster."""
    port = ADDRESS.fullmatch(address)
    if not port or not 0 < int(port[1]) <= MOST_PORT:
        raise NoAddress(f"A cluster's address looks like tcp://host:8786; {address!r} doesn't.")
    try:
        import distributed
    except ImportError:
        raise ClusterFailed(
            "Running on a cluster needs more packages. Install them with pip install 'pitboss[cluster]'."
        ) from None
    import dask

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the failure is reported in a sentence
    with dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"}), warnings.catch_warnings():
        warnings.simplefilter("ignore", distributed.versions.VersionMismatchWarning)
        client = _connected(distributed, address)
        try:
            _check_workers(client, address)
            yield lambda work: _blocks(distributed, client, address, plan, work)
        finally:
            client.close(timeout=CONNECT_SECONDS)


def _connected(distributed: Any, address: str) -> Any:
    try:
        _greeted(address)
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError):
        raise ClusterFailed(
            f"No cluster answers at {address}. Check the address and that its scheduler is running."
        ) from None


def _greeted(address: str) -> None:
    # A scheduler speaks first, with the length of its greeting. A client would wait forever for a silent one.
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rstrip("/").rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS) as probe:
        if scheme not in ("", "tcp"):
            return
        length = int.from_bytes(probe.recv(8, socket.MSG_WAITALL), "little")
        if not 0 < length < MOST_GREETING:
            raise ConnectionError("something else answers there")


def _check_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError:
        raise ClusterFailed(f"The cluster at {address} has no workers. Start at least one.") from None
    found = client.run(_installed, on_error="return")
    ours = _installed()
    for worker, theirs in found.items():
        if isinstance(theirs, BaseException):
            raise ClusterFailed(f"The worker at {worker} cannot load pitboss: {_sentence(theirs)}")
        if theirs != ours:
            raise ClusterFailed(
                f"The worker at {worker} runs a different version of Pitboss. Install the same version on both."
            )


def _installed() -> str:
    from pitboss import __version__
    from pitboss.odds.compiled import digest

    return f"{__version__} {digest()}"


def _blocks(distributed: Any, client: Any, address: str, plan: Plan, work: list[Work]) -> Iterator[Block]:
    # Few blocks are handed out at a time, so that little is lost if it is stopped and nothing piles up here.
    written, waiting = pickle.dumps(plan), iter(work)
    running: set[Any] = set()

    def submitted(count: int) -> list[Any]:
        found = [client.submit(_played, written, span, pure=False, retries=RETRIES) for span in islice(waiting, count)]
        running.update(found)
        return found

    futures = distributed.as_completed(submitted(AHEAD * _threads(client)), loop=client.loop)
    try:
        for future in futures:
            block: Block = future.result()
            running.discard(future)
            futures.update(submitted(1))
            yield block
    except distributed.client.FutureCancelledError:
        raise ClusterFailed(f"The connection to the cluster at {address} was lost. Run the simulation again.") from None
    except (OSError, ImportError, distributed.scheduler.KilledWorker) as wrong:
        raise ClusterFailed(f"The cluster at {address} failed: {_sentence(wrong)}") from None
    finally:
        if running:
            client.cancel(list(running))


def _threads(client: Any) -> int:
    found: dict[str, int] = client.nthreads()
    return max(1, sum(found.values()))


def _sentence(wrong: BaseException) -> str:
    return f"{str(wrong).splitlines()[0].rstrip('.') if str(wrong) else type(wrong).__name__}."


# A worker may have several threads, and a table's memory is for one: each has its own. They are made one at a time,
# so that the second finds in the user's cache what the first has solved.
_own = threading.local()
_making = threading.Lock()


def _played(written: bytes, work: Work) -> Block:
    kept: tuple[bytes, Plan, Table] | None = getattr(_own, "kept", None)
    if kept is None or kept[0] != written:
        plan: Plan = pickle.loads(written)
        with _making:
            kept = _own.kept = written, plan, plan.table()
    _, plan, table = kept
    return table.block(plan.seed, *work)
