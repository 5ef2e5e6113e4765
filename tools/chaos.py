"""Play whole games through a network that breaks all the time, and hold their logs against it.

A server, `hearts serve`, runs as a process of its own. Between it and the bots stands a proxy:
each connection has a fate, which is to be cut, also in the middle of a message, to stall, to break
at the client's end alone, so that what was on its way arrives when the client is back on another
connection, or to fall silent for good. Some are slow. In the end all games must be over, each seat
must have been shown every record once and in order, and nothing may be in its name that it did not
send.

    python tools/chaos.py --cuts 500
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from hearts_cli.endurance.crowd import Crowd
from hearts_cli.endurance.hosts import Host, free_port
from hearts_cli.endurance.verdict import verdict_on
from hearts_server.testing.chaos import Chaos, Fate, let_loose

FINISHING_SECONDS: Final = 300.0
"""How long all games may take to end once connections are left alone."""


async def play_through(chaos: Chaos, cuts: int, crowd: Crowd) -> Counter[str]:
    """Play until so many connections have met their fate and all games are over.

    Raises ``TimeoutError`` for games that do not end.
    """
    enough = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        playing = tasks.create_task(crowd.play(enough))
        await chaos.has_struck(cuts)
        chaos.calm = True
        enough.set()
        async with asyncio.timeout(FINISHING_SECONDS):
            return await playing


async def run(folder: Path, port: int, options: argparse.Namespace) -> Counter[str]:
    """What the bots met."""
    notes = folder / "notes"
    notes.mkdir()
    chaos = Chaos(("127.0.0.1", port), random.Random(options.seed), tuple(Fate))  # noqa: S311
    async with let_loose(chaos):
        crowd = Crowd(chaos.address, notes, options.tables, options.seed)
        met = await play_through(chaos, options.cuts, crowd)
    return met + Counter({f"connections {fate}": times for fate, times in chaos.fates.items()})


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and report; 1 if anything is at fault."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--cuts", type=int, default=500)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", default="chaos")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as spare:
        folder, port, began = Path(spare), free_port(), time.monotonic()
        host = Host.start(folder / "data", port, folder / "server.txt")
        try:
            assert host.answers(), (folder / "server.txt").read_text(encoding="utf-8")
            met = asyncio.run(run(folder, port, options))
        finally:
            code = host.stop()
        verdict = verdict_on(folder / "data", folder / "notes")
    print(f"{time.monotonic() - began:.0f} s; the server ended with {code}")
    for what, count in sorted(met.items()):
        print(f"  {what}: {count}")
    for fault in verdict.faults:
        print(f"FAULT: {fault}")
    print(f"logs: { {name: n for name, n in asdict(verdict).items() if name != 'faults'} }")
    return 1 if code or verdict.faults or not verdict.games else 0


if __name__ == "__main__":
    sys.exit(main())
