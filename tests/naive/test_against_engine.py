"""The engine beside a second implementation that shares nothing with it but the page of rules."""

import os
from random import Random

import pytest
from side_by_side import compare

from hearts_engine.presets import PRESETS
from hearts_engine.ruletext import format_rules
from hearts_engine.testing_rules import random_rules

TIMES = int(os.environ.get("HEARTS_TIMES", "1"))
"""How many times the usual number of games."""


@pytest.mark.parametrize("text", PRESETS)
def test_games_of_every_preset_go_alike_in_both(text: str) -> None:
    for seed in range(3 * TIMES):
        compare(text, seed, deals=6)


@pytest.mark.parametrize("first", range(0, 200 * TIMES, 10))
def test_games_by_random_rules_go_alike_in_both(first: int) -> None:
    for seed in range(first, first + 10):
        compare(format_rules(random_rules(Random(seed))), seed, deals=3)
