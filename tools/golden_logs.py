"""Write the golden logs of the current log format, once; those that exist are left alone.

    python tools/golden_logs.py

A log written by any released version must stay auditable for ever, so tests/replays/golden/vN
is only ever added to. What an audit tells of each log stands beside it, in expected.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_replays import format as files
from hearts_replays.audit import audit
from hearts_replays.report import report_json
from hearts_replays.testing import LogBuilder, Plan, unfinished_log, whole_log

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "replays" / "golden" / "v1"

NO_HEARTS = ",".join(f"{rank}H" for rank in "23456789TJQKA")
"""All hearts, removed: whoever takes the queen of spades shoots the moon."""

OPTIONS = {
    "evening": Plan(reveal=frozenset({0, 2})),
    "withheld": Plan(
        Rules(target=30),
        reveal=frozenset({0}),
        withhold=frozenset({1}),
        away=frozenset({3}),
        claim=True,
    ),
    "fixed": Plan(Rules(target=30), fixed_seed="demo"),
    "early": Plan(
        parse_rules(
            "black_lady pass_count=2 pass_cycle=hold,across,right,left target=40 finish=early"
        )
    ),
    "alone": Plan(Rules(target=1), reveal=frozenset()),
    "running": Plan(),
    "centre": Plan(
        parse_rules("black_lady pass_cycle=shuffle,scatter deals=2"),
        reveal=frozenset({0}),
        withhold=frozenset({2}),
        away=frozenset({1}),
    ),
    "moon": Plan(
        parse_rules(
            f"three removed={NO_HEARTS} keep_top_spades=true moon=choose target=30 tie=shared"
        ),
        away=frozenset({2}),
    ),
    "second_of_pair": Plan(
        parse_rules(
            "cancellation players=10 kitty=last_trick last_cancelled=second_of_top_pair "
            "finish=early deals=2 tie=shared"
        )
    ),
    "first_penalty": Plan(
        parse_rules(
            "cancellation players=7 kitty=first_penalty pass_cycle=left2,shuffle twins=first_wins "
            "no_tricks_bonus=5 sun=double finish=early deals=2"
        )
    ),
    "claimed_kitty": Plan(
        parse_rules(
            "three removed=none kitty=last_trick heart_value=face5 bonus=JD:10 deals=6 tie=shared"
        ),
        claim=True,
    ),
    "restless": Plan(
        Rules(target=40),
        reveal=frozenset({0, 1}),
        withhold=frozenset({2}),
        away=frozenset({3}),
        restless=True,
    ),
    "given_up": Plan(reveal=frozenset({0, 1}), restless=True, given_up=200),
    "exact": Plan(
        parse_rules(
            "black_lady first_trick=any first_forced=queen queen_only_lead=free "
            "queen_dump=first_chance "
            "extra_penalty=KS:10,AS:7 bonus=TD:20 bonus_floor=true moon=auto moon_needs_bonus=true "
            "sun=100 target=50 reach=gt exact=exact_minus_50"
        )
    ),
}
"""Games that reach options; what they are for is in their names and rules."""

PLANS = OPTIONS | {f"preset_{name}": Plan(rules) for name, rules in PRESETS.items()}
FIRST_SEED = 101
SEEDS = {
    "early": 204,
    "moon": 242,
    "second_of_pair": 266,
    "first_penalty": 244,
    "claimed_kitty": 203,
    "exact": 204,
    "restless": 300,
    "given_up": 300,
}
"""Of games in which what they are for does happen."""

RUNNING = 150
"""Records of the game that is not over."""


def main() -> None:
    """Write what is missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    expected_path = FOLDER / "expected.json"
    expected: dict[str, object] = {}
    if expected_path.exists():
        expected |= json.loads(expected_path.read_text())
    for number, name in enumerate(PLANS, start=FIRST_SEED):
        path = FOLDER / f"{name}{files.SUFFIX}"
        if path.exists():
            print(f"{path.name}: exists")
            continue
        log = build(name, SEEDS.get(name, number))
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
