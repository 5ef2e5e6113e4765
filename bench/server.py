"""How many moves a server makes for a second of its processor, beside streams without a game.

Four seats at every table, each on a connection of its own, answer as soon as they are asked. The
references do the least that four seats and their log can cost: each move goes to all four streams
of a table as one message of the same size, *bare* at once, *durable* after a commit of all that
is pending (SQLite, WAL, synchronous=FULL). All are served by one process, in one loop, in turns;
the load is another process. Times are from a move to the last seat that hears of it, or to the
next that is asked where seats hear on their turn only.

Run ``python bench/server.py``; ``--tables 1 16 250 1000`` for the whole of it, or
``--tables 1000 --soak 10`` to see what a thousand tables hold after ten minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final

from hearts_proto.v1 import table_pb2
from load.rally import Rally, go_on, quiet, spent
from load.reference import BARE, DURABLE, SEATS
from load.seats import Channels, Opening, connections, game, keep_playing, reference

LIVE: Final = game(table_pb2.DELIVERY_LIVE)
ON_TURN: Final = game(table_pb2.DELIVERY_ON_TURN)
FOLDER: Final = Path(__file__).parent
UNLIMITED: Final = sys.maxsize
DEAL: Final = 56
"""Moves of a deal, passes included; tables are spread over it before anything is measured."""
AT_ONCE: Final = 16
"""Tables that are opened at the same time."""
MOVES_A_MINUTE: Final = 12
"""At each table, where tables are only kept."""
LEAD: Final = 0.3
"""Seconds for which a contestant runs before it is measured."""


@dataclass(frozen=True, slots=True)
class Host:
    """The server's process."""

    process: asyncio.subprocess.Process
    port: int
    reference_port: int

    async def used(self) -> tuple[float, int]:
        """Seconds of processor time since it began, and bytes of memory now."""
        process = self.process
        assert process.stdin is not None, "its input is a pipe"
        process.stdin.write(b"\n")
        seconds, memory = await _words(process)
        return float(seconds), int(memory)


async def _words(process: asyncio.subprocess.Process) -> list[bytes]:
    assert process.stdout is not None, "its output is a pipe"
    return (await process.stdout.readline()).split()


@asynccontextmanager
async def hosting() -> AsyncGenerator[Host, None]:
    """A fresh process until the block is left."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "load.host", cwd=FOLDER, stdin=pipe, stdout=pipe
    )
    try:
        port, reference_port = map(int, await _words(process))
        yield Host(process, port, reference_port)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


@dataclass(frozen=True, slots=True)
class Measured:
    """One contestant, for some seconds."""

    moves: int
    cpu: float
    """Seconds of the server's processor."""
    seconds: float
    times: tuple[float, ...]

    @property
    def cost(self) -> float:
        """Microseconds of the server's processor a move."""
        return self.cpu / self.moves * 1e6

    @property
    def rate(self) -> float:
        """Moves a second, with the load on the same machine."""
        return self.moves / self.seconds

    @property
    def p50(self) -> float:
        """Milliseconds to the last seat, of a move in the middle."""
        return median(self.times) * 1e3

    @property
    def p99(self) -> float:
        """Milliseconds to the last seat, of the slowest moves but one in a hundred."""
        return quantiles(self.times, n=100)[-1] * 1e3


async def measure(host: Host, rallies: list[Rally], seconds: float) -> Measured:
    """Let the tables of one contestant run, and no others."""
    await go_on(rallies, [UNLIMITED] * len(rallies))
    await asyncio.sleep(LEAD)
    for rally in rallies:
        rally.times.clear()
    cpu, _ = await host.used()
    moves, began = sum(rally.moves for rally in rallies), perf_counter()
    await asyncio.sleep(seconds)
    took = perf_counter() - began
    moves = sum(rally.moves for rally in rallies) - moves
    cpu = (await host.used())[0] - cpu
    times = tuple(time for rally in rallies for time in rally.times)
    for rally in rallies:
        rally.hold()
    await quiet(rallies)
    return Measured(moves, cpu, took, times)


@dataclass(frozen=True, slots=True)
class Contestant:
    """Tables of one kind, all at once."""

    rallies: list[Rally]
    playing: list[asyncio.Task[None]]

    def leave(self) -> None:
        """Get up from every table."""
        for task in self.playing:
            task.cancel()

    @property
    def message_size(self) -> int:
        """Bytes of a message, on average."""
        return sum(r.size for r in self.rallies) // sum(r.messages for r in self.rallies)


async def enter(
    tasks: asyncio.TaskGroup, seats: list[Channels], openings: Sequence[Opening], listeners: int
) -> Contestant:
    """Open the tables, and spread them over the deal, so that they stand as many would."""
    rallies, playing = [Rally(listeners) for _ in seats], list[asyncio.Task[None]]()
    room = asyncio.Semaphore(AT_ONCE)

    async def open_table(rally: Rally, channels: Channels, opening: Opening) -> None:
        async with room:
            game = await opening(rally, channels)
        playing.append(tasks.create_task(keep_playing(rally, channels, opening, game)))

    async with asyncio.TaskGroup() as group:
        for rally, channels, opening in zip(rallies, seats, openings, strict=True):
            group.create_task(open_table(rally, channels, opening))
    await go_on(rallies, [DEAL * (number + 1) // len(rallies) for number in range(len(rallies))])
    await spent(rallies)
    await quiet(rallies)
    return Contestant(rallies, playing)


def references(method: str, tables: int, size: int) -> list[Opening]:
    """As many tables of a reference."""
    return [reference(method, number, size) for number in range(tables)]


async def compare(tables: int, runs: int, seconds: float) -> dict[str, list[Measured]]:
    """Every contestant with so many tables, in turns."""
    async with (
        hosting() as host,
        connections(host.port, tables) as seats,
        connections(host.reference_port, tables) as bare_seats,
        asyncio.TaskGroup() as tasks,
    ):
        live = await enter(tasks, seats, [LIVE] * tables, SEATS)
        size = live.message_size
        contestants = {
            "bare": await enter(tasks, bare_seats, references(BARE, tables, size), SEATS),
            "durable": await enter(tasks, bare_seats, references(DURABLE, tables, size), SEATS),
            "LIVE": live,
            "ON_TURN": await enter(tasks, seats, [ON_TURN] * tables, 1),
        }
        measured: dict[str, list[Measured]] = {name: [] for name in contestants}
        for _ in range(runs):
            for name, contestant in contestants.items():
                measured[name].append(await measure(host, contestant.rallies, seconds))
        for contestant in contestants.values():
            contestant.leave()
    return measured


def report(tables: int, measured: dict[str, list[Measured]]) -> None:
    """Print what was measured with so many tables: medians, and medians of the ratios."""
    print(f"{tables} tables, medians; moves a second of the server's processor, and in all")
    print(f"{'':10}{'us/move':>8}{'moves/cpu-s':>12}{'of bare':>8}{'of durable':>11}", end="")
    print(f"{'moves/s':>9}{'p50 ms':>8}{'p99 ms':>8}{'of durable':>11}")
    bare, durable = measured["bare"], measured["durable"]
    for name, runs in measured.items():
        cost = median(run.cost for run in runs)
        of_bare = median(b.cost / run.cost for b, run in zip(bare, runs, strict=True))
        of_durable = median(d.cost / run.cost for d, run in zip(durable, runs, strict=True))
        slower = median(run.p99 / d.p99 for d, run in zip(durable, runs, strict=True))
        rate = median(run.rate for run in runs)
        p50, p99 = median(run.p50 for run in runs), median(run.p99 for run in runs)
        print(
            f"{name:10}{cost:>8.0f}{1e6 / cost:>12,.0f}{of_bare:>8.2f}{of_durable:>11.2f}", end=""
        )
        print(f"{rate:>9,.0f}{p50:>8.1f}{p99:>8.1f}{slower:>11.2f}")
    print(flush=True)


async def held(tables: int) -> None:
    """Print what a table in the middle of its game holds, beside streams without a game."""
    live_bytes = await grown(tables, [LIVE] * tables, reference_port=False)
    bare_bytes = await grown(tables, references(BARE, tables, 1), reference_port=True)
    print(f"memory with {tables} tables, kB a table above an empty server")
    print(f"{'bare':10}{bare_bytes / tables / 1e3:>9.1f}")
    print(f"{'LIVE':10}{live_bytes / tables / 1e3:>9.1f}")
    print(f"{'above bare':10}{(live_bytes - bare_bytes) / tables / 1e3:>9.1f}")


async def grown(tables: int, openings: list[Opening], *, reference_port: bool) -> int:
    """How many bytes a server grows by so many tables at play."""
    async with hosting() as host:
        port = host.reference_port if reference_port else host.port
        async with connections(port, tables) as seats, asyncio.TaskGroup() as tasks:
            _, empty = await host.used()
            contestant = await enter(tasks, seats, openings, SEATS)
            _, full = await host.used()
            contestant.leave()
    return full - empty


async def soak(tables: int, minutes: int) -> None:
    """Keep tables at play, as slowly as people do, and print what the server holds."""
    async with (
        hosting() as host,
        connections(host.port, tables) as seats,
        asyncio.TaskGroup() as tasks,
    ):
        contestant = await enter(tasks, seats, [LIVE] * tables, SEATS)
        rallies = contestant.rallies
        print(f"{tables} tables\n{'minute':>6}{'moves':>12}{'MB':>9}")
        for minute in range(minutes + 1):
            _, memory = await host.used()
            moves = sum(rally.moves for rally in rallies)
            print(f"{minute:>6}{moves:>12,}{memory / 1e6:>9.1f}", flush=True)
            for _ in range(MOVES_A_MINUTE if minute < minutes else 0):
                await go_on(rallies, [1] * tables)
                await asyncio.sleep(60 / MOVES_A_MINUTE)
        contestant.leave()


async def run(options: argparse.Namespace) -> None:
    """Measure and print."""
    if options.soak:
        await soak(max(options.tables), options.soak)
        return
    for tables in options.tables:
        report(tables, await compare(tables, options.runs, options.seconds))
    await held(max(options.tables))


def main() -> None:
    """Print a table for each number of tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 16, 250])
    parser.add_argument("--runs", type=int, default=5, help="turns of each; medians count")
    parser.add_argument("--seconds", type=float, default=1.5, help="of each turn")
    parser.add_argument("--soak", type=int, metavar="MINUTES", help="only keep tables, so long")
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
