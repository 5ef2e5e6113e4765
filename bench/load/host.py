"""The process under the stopwatch: a table server and the references, in one loop.

Prints the ports of both. Then each line on its input is answered with what it has used: seconds
of processor time, and bytes of memory. It ends with its input.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from hearts_replays.keys import SigningKey
from hearts_replays.sqlite import SqliteStore
from hearts_server.app import serving
from hearts_server.clocks import SystemClock
from hearts_server.journal import Premises
from hearts_server.policy import Policy
from load.reference import references


async def serve(folder: Path) -> None:
    """Serve until the input ends."""
    store = SqliteStore.open(folder)
    premises = Premises(store, SigningKey.from_seed(bytes(32)), SystemClock(), os.urandom)
    async with (
        serving(premises, "127.0.0.1", 0, Policy(resumes=True)) as listening,
        references(folder) as port,
    ):
        print(listening.port, port, flush=True)
        await asyncio.to_thread(answer_for_usage)
    await store.close()


def answer_for_usage() -> None:
    """Say what was used whenever that is asked."""
    for _ in sys.stdin:
        print(process_time(), memory(), flush=True)


def memory() -> int:
    """Bytes that this process holds; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Serve in a folder that goes away."""
    with TemporaryDirectory() as folder:
        asyncio.run(serve(Path(folder)))


if __name__ == "__main__":
    main()
