"""How fast the full screen is: from a key to the screen, at rest, and from the command to it.

A real `hearts play` in a pseudo-terminal of 120 by 40, drawn by an emulator. Times from a key to
the screen are from writing the key to having drawn what it changed; the emulator's own time is
measured apart, with the same bytes, and named beside.

Run ``python bench/screen.py``.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

import pyte

from hearts_cli.testing import Hearts, Terminal

KEYS: Final = 200
REST_SECONDS: Final = 10.0
STARTS: Final = 7
RIGHT: Final = "\x1b[C"


def main() -> None:
    """Print all three."""
    with tempfile.TemporaryDirectory() as folder:
        starts = [_start(Path(folder) / str(number)) for number in range(STARTS)]
        print(f"from the command to the first screen: {_told(starts)}")
        terminal = _at_the_table(Path(folder) / "keys")
        keys = [_key(terminal) for _ in range(KEYS)]
        print(f"from a key to the screen at 120x40:   {_told(keys)}")
        print(f"of which the emulator takes:          {_told(_emulator(terminal))}")
        print(f"processor at rest, no clock shown:    {_rest(terminal):.2f} %")
        terminal.close()
        print(f"the same while a clock counts down:   {_beside_a_clock(Path(folder)):.2f} %")


def _beside_a_clock(folder: Path) -> float:
    server = Hearts(("serve", "--port", "0", "--clock", "90", "--data", str(folder / "s")), {})
    address = server.until("listening on").split()[-1]
    join = ("join", address, "--fill", "easy", "--data", str(folder / "c"))
    terminal = Terminal(join, 120, 40)
    terminal.shows("Space marks a card")
    used = _rest(terminal)
    terminal.close()
    server.close()
    return used


def _at_the_table(folder: Path) -> Terminal:
    arguments = ("play", "--seed", "bench", "--set", "pace=instant", "--data", str(folder))
    terminal = Terminal(arguments, 120, 40)
    terminal.shows("Space marks a card")
    return terminal


def _start(folder: Path) -> float:
    before = time.perf_counter()
    terminal = _at_the_table(folder)
    spent = time.perf_counter() - before
    terminal.close()
    return spent


def _key(terminal: Terminal) -> float:
    before, text = time.perf_counter(), terminal.text
    terminal.type(RIGHT)
    terminal.changes(text)
    return time.perf_counter() - before


def _emulator(terminal: Terminal) -> list[float]:
    """What it takes to feed as many bytes as a key makes on average."""
    data = terminal.raw[-20_000:]
    screen = pyte.Screen(120, 40)
    stream = pyte.ByteStream(screen)
    share = len(data) // 20
    spent = list[float]()
    for start in range(0, len(data), share):
        before = time.perf_counter()
        stream.feed(data[start : start + share])
        spent.append(time.perf_counter() - before)
    return spent


def _rest(terminal: Terminal) -> float:
    """Per cent of a processor that the program takes while nobody does anything."""
    before = _used(terminal.pid)
    time.sleep(REST_SECONDS)
    return 100 * (_used(terminal.pid) - before) / REST_SECONDS


def _used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _told(seconds: list[float]) -> str:
    worst = statistics.quantiles(seconds, n=20)[-1]
    return f"{1000 * statistics.median(seconds):.0f} ms median, {1000 * worst:.0f} ms at 95 %"


if __name__ == "__main__":
    main()
