"""The soak is run for a moment, and it must be able to find what it looks for."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hearts_cli.endurance.company import Company, Plan
from hearts_cli.endurance.tap import Tally
from hearts_cli.endurance.verdict import judge
from hearts_cli.endurance.witness import Account, accounts_in
from hearts_engine.commands import PlayCard
from hearts_engine.ruletext import parse_rules
from hearts_replays.memory import MemoryStore
from hearts_server.app import serving
from hearts_server.policy import Policy
from hearts_server.testing.premises import premises_of

ROOT = Path(__file__).parents[2]


def test_a_server_that_is_killed_at_any_instant_loses_nothing_that_it_acknowledged(
    tmp_path: Path,
) -> None:
    command = (sys.executable, ROOT / "tools" / "soak.py", "--kills", "5", "--tables", "2")
    soaked = subprocess.run(
        (*command, "--folder", tmp_path / "soak"),
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        timeout=100,
        check=False,
    )
    assert soaked.returncode == 0, soaked.stdout + soaked.stderr
    assert "'kills': 5" in soaked.stdout


Told = Callable[[Account], Account]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[bytes]], Path]:
    """The log of a game of four bots, and the folder of their notes."""
    notes = tmp_path_factory.mktemp("notes")
    return asyncio.run(_play(notes)), notes


async def _play(notes: Path) -> dict[str, list[bytes]]:
    store, enough = MemoryStore(), asyncio.Event()
    async with serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as listening:
        company = Company(listening.address, notes, random.Random(1), Tally())
        await company.play(
            Plan(parse_rules("black_lady deals=1"), 1, starts_by_itself=True), enough
        )
    return store.games


def test_what_seats_were_told_of_a_game_that_went_well_agrees_with_its_log(
    played: tuple[dict[str, list[bytes]], Path],
) -> None:
    verdict = judge(*_evidence(played))
    assert (verdict.games, verdict.faults) == (1, [])
    assert verdict.acknowledgements > 4 * 10


def _evidence(
    played: tuple[dict[str, list[bytes]], Path], changed: Told | None = None
) -> tuple[dict[str, list[bytes]], dict[str, list[Account]]]:
    """Logs and accounts_in, the last seat's changed."""
    logs, notes = played
    told = list(accounts_in(notes))
    assert len(told) == 4
    if changed is not None:
        told[3] = changed(told[3])
    (game,) = logs
    return dict(logs), {game: told}


def _done_twice(told: Account) -> Account:
    return replace(told, done=[*told.done, told.done[-1]])


def _done_otherwise(told: Account) -> Account:
    # The last answer may have been a claim, or how a moon is scored.
    cards = [(i, c) for i, (c, _) in enumerate(told.done) if isinstance(c, PlayCard)]
    (_, before), (last, command) = cards[-2:]
    done = [*told.done]
    done[last] = replace(command, card=before.card), done[last][1]
    return replace(told, done=done)


def _done_nowhere(told: Account) -> Account:
    command, _ = told.done[-1]
    return replace(told, done=[*told.done, (command, 1)])


FAULTS: dict[str, tuple[Told, str]] = {
    "a record that was left out": (lambda t: replace(t, shown=t.shown[:9] + t.shown[10:]), "due"),
    "a record that came twice": (lambda t: replace(t, shown=t.shown[:9] + t.shown[8:]), "due"),
    "a record too many": (lambda t: replace(t, shown=[*t.shown, t.shown[-1]]), "was shown"),
    "an answer that was settled twice": (_done_twice, "settled twice"),
    "an answer that the log has otherwise": (_done_otherwise, "was acknowledged"),
    "an answer that is not in the log": (_done_nowhere, "was acknowledged"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_soak_finds(fault: str, played: tuple[dict[str, list[bytes]], Path]) -> None:
    changed, sentence = FAULTS[fault]
    (found, *_) = judge(*_evidence(played, changed)).faults
    assert "seat 3" in found
    assert sentence in found


def test_the_soak_finds_a_game_that_does_not_end_and_one_that_is_gone(
    played: tuple[dict[str, list[bytes]], Path],
) -> None:
    logs, told = _evidence(played)
    (game,) = logs
    (unsealed, *_) = judge({game: logs[game][:-1]}, told).faults
    assert "audit" in unsealed
    (gone,) = judge({}, told).faults
    assert "no log" in gone
