"""Kill a server again and again while bots play on it, and hold its logs against what they saw.

A server, `hearts serve`, runs as a process of its own. Bots at many tables play in another process,
which survives: it puts a note of each acknowledgement on disk. The server is killed at random
instants and started again at once, on the same data folder and port. Some kills meet it before it
takes connections. Now and then it is told to stop instead, which it must do with exit code 0, and
now and then a second server on the same folder runs beside it. In the end all games must be over,
every log must audit clean, and each acknowledgement must be in its log exactly once.

    python tools/soak.py --kills 1000
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from hearts_cli.endurance.hosts import Host, Stuck, free_port
from hearts_cli.endurance.verdict import Verdict, verdict_on

LONGEST_LIFE: Final = 0.8
"""Seconds that a server may live once it takes connections."""

AT_BIRTH: Final = 0.15
"""How many of the kills come before it does."""

TOLD_TO_STOP: Final = 0.05
WITH_A_NEIGHBOUR: Final = 0.05

FINISHING_SECONDS: Final = 120.0
"""How long all games may take to end once the server is left alone."""


@dataclass(slots=True)
class Record:
    """What was done to the servers."""

    counts: Counter[str] = field(default_factory=Counter[str])
    starts: list[float] = field(default_factory=list[float])
    """Seconds from each start to the first connection taken."""
    faults: list[str] = field(default_factory=list[str])

    @property
    def ends(self) -> int:
        """How many servers were killed or told to stop."""
        return self.counts["kills"] + self.counts["stops"]


@dataclass(frozen=True, slots=True)
class Site:
    """The folders and the port of one soak."""

    folder: Path
    port: int

    @property
    def data(self) -> Path:
        """The server's data folder."""
        return self.folder / "data"

    @property
    def notes(self) -> Path:
        """Where the seats write down what they were told."""
        return self.folder / "notes"

    @property
    def words(self) -> Path:
        """What the servers print."""
        return self.folder / "server.txt"

    def server(self, port: int) -> Host:
        """A server, just started."""
        return Host.start(self.data, port, self.words)


@dataclass(slots=True)
class Torment:
    """Servers started and killed, one after the other."""

    site: Site
    chance: random.Random
    record: Record
    bots: subprocess.Popen[bytes]
    until: float
    """When to stop killing, by the monotonic clock."""
    hosts: list[Host] = field(default_factory=list[Host])
    """Those that may be running."""

    def kill(self, times: int) -> Host:
        """Kill a server so often, in time; the next, which is left alone. Raises ``Stuck``."""
        counts = self.record.counts
        while counts["kills"] < times and time.monotonic() < self.until:
            if self.bots.poll() is not None:
                raise Stuck(f"a bot could not play on after {counts['kills']} kills")
            if self.chance.random() < AT_BIRTH:
                self._kill_at_birth()
            else:
                self._live_and_end()
            if self.record.ends % 50 == 0:
                print(f"{counts['kills']} kills", file=sys.stderr, flush=True)
        return self._started(self.site.port)

    def clear(self) -> None:
        """Leave nothing running."""
        for host in self.hosts:
            host.kill()

    def _kill_at_birth(self) -> None:
        host = self._start(self.site.port)
        time.sleep(self.chance.uniform(0, median(self.record.starts or [0.5])))
        self._kill(host)
        self.record.counts["kills before it took connections"] += 1

    def _live_and_end(self) -> None:
        began = time.monotonic()
        host = self._started(self.site.port)
        self.record.starts.append(time.monotonic() - began)
        older = [other for other in self.hosts if other is not host]
        if self.chance.random() < WITH_A_NEIGHBOUR:
            self._started(free_port())
            self.record.counts["neighbours"] += 1
        time.sleep(self.chance.uniform(0, LONGEST_LIFE))
        for neighbour in older:  # it has seen one owner of the folder go and another come
            neighbour.kill()
            self.hosts.remove(neighbour)
        if self.chance.random() < TOLD_TO_STOP:
            self._stop(host)
        else:
            self._kill(host)

    def _kill(self, host: Host) -> None:
        host.kill()
        self.hosts.remove(host)
        self.record.counts["kills"] += 1

    def _stop(self, host: Host) -> None:
        code = host.stop()
        self.hosts.remove(host)
        self.record.counts["stops"] += 1
        if code != 0:
            self.record.faults.append(f"told to stop, a server ended with exit code {code}")

    def _start(self, port: int) -> Host:
        self.hosts.append(self.site.server(port))
        return self.hosts[-1]

    def _started(self, port: int) -> Host:
        host = self._start(port)
        if not host.answers():
            raise Stuck(f"a server ended by itself; {self.site.words} says why")
        return host


@dataclass(frozen=True, slots=True)
class Measure:
    """How much of it."""

    kills: int
    minutes: float
    tables: int
    seed: str


def soak(site: Site, measure: Measure) -> tuple[Record, Counter[str], Verdict]:
    """The whole of it: what was done, what the bots met, and what holds afterwards."""
    record, told = Record(), b""
    site.notes.mkdir()
    bots = _bots(site, measure.tables, measure.seed)
    chance = random.Random(measure.seed)  # noqa: S311  (no secret)
    torment = Torment(site, chance, record, bots, time.monotonic() + 60 * measure.minutes)
    try:
        last = torment.kill(measure.kills)
        told, _ = bots.communicate(b"enough\n", FINISHING_SECONDS)
        if bots.returncode:
            record.faults.append("a bot could not play on; its words are above")
        if last.stop() != 0:
            record.faults.append("told to stop at the end, the server did not end with 0")
    except subprocess.TimeoutExpired:
        record.faults.append(f"games are not over {FINISHING_SECONDS} s after the last start")
    except Stuck as stuck:
        record.faults.append(str(stuck))
    finally:
        torment.clear()
        bots.kill()
        bots.wait()
    if "Traceback" in site.words.read_text(encoding="utf-8"):
        record.faults.append(f"a server made a mistake; {site.words} tells of it")
    met = Counter[str](json.loads(told or b"{}"))
    return record, met, verdict_on(site.data, site.notes)


def _bots(site: Site, tables: int, seed: str) -> subprocess.Popen[bytes]:
    """The process that survives, and plays until it is told that it is enough."""
    what = ("--bots", f"127.0.0.1:{site.port}", "--folder", str(site.notes))
    how = ("--tables", str(tables), "--seed", seed)
    return subprocess.Popen(
        (sys.executable, __file__, *what, *how), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def play_as_bots(address: str, notes: Path, tables: int, seed: str) -> None:
    """Play until a line comes in, and print what happened."""
    # Only here: the killer's process runs no gRPC.
    from hearts_cli.endurance.crowd import Crowd  # noqa: PLC0415

    async def play() -> Counter[str]:
        enough = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(Crowd(address, notes, tables, seed).play(enough))
            await asyncio.to_thread(sys.stdin.readline)
            enough.set()
        return playing.result()

    print(json.dumps(asyncio.run(play())))


def report(record: Record, met: Counter[str], verdict: Verdict, seconds: float) -> None:
    """Print the figures."""
    starts = sorted(record.starts)
    print(f"{seconds:.0f} s; {dict(record.counts)}")
    if starts:
        print(f"from a start to a connection {median(starts):.2f} s, at most {starts[-1]:.2f} s")
    for what, count in sorted(met.items()):
        print(f"  {what}: {count}")
    figures = asdict(verdict)
    figures.pop("faults")
    print(f"logs: {figures}")
    for fault in (*record.faults, *verdict.faults):
        print(f"FAULT: {fault}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak, and report; 1 if anything is at fault."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="of killing, at the most")
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--folder", type=Path, help="kept; by default a temporary one")
    parser.add_argument("--bots", metavar="ADDRESS", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.bots:
        play_as_bots(options.bots, options.folder, options.tables, options.seed)
        return 0
    with tempfile.TemporaryDirectory() as spare:
        folder = options.folder or Path(spare)
        folder.mkdir(parents=True, exist_ok=True)
        began = time.monotonic()
        measure = Measure(options.kills, options.minutes, options.tables, options.seed)
        result = soak(Site(folder, free_port()), measure)
        report(*result, seconds=time.monotonic() - began)
    record, _, verdict = result
    return 1 if record.faults or verdict.faults or not verdict.games else 0


if __name__ == "__main__":
    sys.exit(main())
