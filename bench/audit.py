"""How many events a second an audit takes, beside a plain replay of the same records.

A replay decodes and folds; an audit also checks each record's place, hashes the chain, verifies
the seal, deals every deal again and decides every event again. All parts run in turn, so that a
slow minute of the machine slows each alike.

Run ``python bench/audit.py``; no extra is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import perf_counter

from hearts_engine.evolve import replay
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.reader import read_log
from hearts_replays.redecide import redecide
from hearts_replays.testing import whole_log
from hearts_wire.records import decode_record

Log = Sequence[bytes]


def replay_log(log: Log) -> None:
    """Decode and fold, in good faith."""
    replay(decode_record(data).event for data in log)


def redecide_log(log: Log) -> None:
    """Decode and decide again, the dealing included."""
    verdict = redecide([decode_record(data).event for data in log])
    assert verdict.finding is None, "the log is clean"


def audit_log(log: Log) -> None:
    """The whole audit."""
    assert audit(log).clean, "the log is clean"


PARTS: dict[str, Callable[[Log], object]] = {
    "decode and check records": read_log,
    "hash the chain": EMPTY_CHAIN.extended,
    "decode and decide again": redecide_log,
    "plain replay": replay_log,
    "audit": audit_log,
}


def main() -> None:
    """Print a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=8)
    options.add_argument("--runs", type=int, default=7)
    chosen = options.parse_args()
    logs = [whole_log(Random(seed)).records for seed in range(chosen.games)]
    events = sum(map(len, logs))
    taken: dict[str, list[float]] = {name: [] for name in PARTS}
    for _ in range(chosen.runs):
        for name, part in PARTS.items():
            taken[name].append(seconds(part, logs))
    print(f"{chosen.games} games, {events} events, median of {chosen.runs} runs")
    print(f"{'':26}{'events/s':>10}{'us/event':>10}{'ms/game':>10}{'of replay':>11}")
    plain = median(taken["plain replay"])
    for name, times in taken.items():
        spent = median(times)
        print(
            f"{name:26}{events / spent:>10,.0f}{spent / events * 1e6:>10.1f}"
            f"{spent / chosen.games * 1e3:>10.1f}{spent / plain:>10.2f}x"
        )


def seconds(part: Callable[[Log], object], logs: Sequence[Log]) -> float:
    """How long this takes for all the logs."""
    start = perf_counter()
    for log in logs:
        part(log)
    return perf_counter() - start


if __name__ == "__main__":
    main()
