"""Write the golden logs of the current log format, once; those that exist are left alone.

    python tools/golden_logs.py

A log written by any released version must stay auditable for ever, so tests/replays/golden/vN
is only ever added to. What an audit tells of each log stands beside it, in expected.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from hearts_engine.passing import Direction
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_replays import format as files
from hearts_replays.audit import audit
from hearts_replays.report import report_json
from hearts_replays.testing import LogBuilder, Plan, unfinished_log, whole_log

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "replays" / "golden" / "v1"

HOLD_FIRST = (Direction.HOLD, Direction.ACROSS, Direction.RIGHT, Direction.LEFT)

PLANS = {
    "evening": Plan(reveal=frozenset({0, 2})),
    "withheld": Plan(
        Rules(target=30),
        reveal=frozenset({0}),
        withhold=frozenset({1}),
        away=frozenset({3}),
        claim=True,
    ),
    "fixed": Plan(Rules(target=30), fixed_seed="demo"),
    "early": Plan(Rules(target=40, finish=Finish.EARLY, pass_count=2, pass_cycle=HOLD_FIRST)),
    "alone": Plan(Rules(target=1), reveal=frozenset()),
    "running": Plan(),
}
FIRST_SEED = 101
RUNNING = 150
"""Records of the game that is not over."""


def main() -> None:
    """Write what is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    expected_path = FOLDER / "expected.json"
    expected: dict[str, object] = {}
    if expected_path.exists():
        expected |= json.loads(expected_path.read_text())
    for seed, name in enumerate(PLANS, start=FIRST_SEED):
        path = FOLDER / f"{name}{files.SUFFIX}"
        if path.exists():
            print(f"{path.name}: exists")
            continue
        log = build(name, seed)
        files.save(path, log.records)
        expected[name] = report_json(audit(log.records))
        print(f"{path.name}: {len(log.records)} records written")
    expected_path.write_text(json.dumps(expected, indent=2, sort_keys=True) + "\n")


def build(name: str, seed: int) -> LogBuilder:
    """The log of this name; the same again from the same seed."""
    chance = Random(seed)  # noqa: S311  (these logs are to be had again)
    if name == "running":
        return unfinished_log(chance, RUNNING, PLANS[name])
    return whole_log(chance, PLANS[name])


if __name__ == "__main__":
    main()
