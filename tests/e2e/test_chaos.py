"""Whole games through a network that breaks all the time: nothing is lost, seen twice or stolen."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from hearts_cli.endurance.crowd import Crowd
from hearts_cli.endurance.verdict import judge
from hearts_cli.endurance.witness import Account, accounts_in
from hearts_engine.ruletext import parse_rules
from hearts_replays.memory import MemoryStore
from hearts_server.app import serving
from hearts_server.policy import Policy
from hearts_server.testing.chaos import NOTICED, Chaos, let_loose
from hearts_server.testing.premises import premises_of

CUTS = 20
SECONDS = 100.0


def test_games_end_and_each_seat_sees_all_of_its_own_once_however_often_connections_break(
    tmp_path: Path,
) -> None:
    asyncio.run(_play_through(tmp_path))


async def _play_through(notes: Path) -> None:
    store, enough = MemoryStore(), asyncio.Event()
    async with serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as listening:
        chaos = Chaos((listening.host, listening.port), random.Random(4), NOTICED)
        async with let_loose(chaos), asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
            games = (parse_rules("black_lady deals=1"), parse_rules("omnibus deals=1"))
            crowd = Crowd(chaos.address, notes, 3, "chaos", games)
            playing = tasks.create_task(crowd.play(enough))
            await chaos.has_struck(CUTS)
            chaos.calm = True
            enough.set()
            met = await playing
    verdict = judge(store.games, _told(notes))
    assert verdict.faults == []
    assert verdict.games == met["games ended"] >= 3
    assert met["tries to reconnect"] > 0
    assert met["CAUSE_SUPERSEDED"] == 0, "a client takes its own seat away from itself"
    assert len(chaos.fates) > 2


def _told(notes: Path) -> dict[str, list[Account]]:
    told: dict[str, list[Account]] = {}
    for account in accounts_in(notes):
        told.setdefault(account.receipts.game_id, []).append(account)
    return told
