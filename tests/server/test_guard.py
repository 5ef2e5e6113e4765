"""Passcodes are tried one after the other, and only wrong ones make anyone wait."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from datetime import timedelta

import pytest

from hearts_server import guard as guards
from hearts_server import passcode as passcodes
from hearts_server.errors import Refused
from hearts_server.guard import Guard
from hearts_server.passcode import sealed
from hearts_server.testing.premises import VirtualClock

WORD = "behind the old oak"
SALT = bytes(16)
ANN = "192.0.2.1"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passcodes, "COST", 2)


@contextmanager
def guarding(tries: int = 3) -> Generator[tuple[Guard, VirtualClock, str], None, None]:
    clock = VirtualClock()
    guard = Guard(tries, clock)
    try:
        yield guard, clock, sealed(WORD, SALT)
    finally:
        guard.close()


async def reason(said: Coroutine[None, None, object]) -> str:
    try:
        await said
    except Refused as refused:
        return refused.reason
    return ""


def test_a_whole_company_that_knows_the_word_comes_in_at_once() -> None:
    async def main() -> None:
        with guarding() as (guard, _, kept):
            said = [guard.require(ANN, "oak-1", WORD, kept) for _ in range(40)]
            assert set(await asyncio.gather(*map(reason, said))) == {""}

    asyncio.run(main())


def test_guesses_made_side_by_side_are_as_few_as_one_after_the_other() -> None:
    async def main() -> None:
        with guarding(tries=3) as (guard, clock, kept):
            said = [guard.require(ANN, "oak-1", f"guess {n}", kept) for n in range(20)]
            told = await asyncio.gather(*map(reason, said))
            assert told.count("WRONG_PASSCODE") == 3
            assert told.count("TOO_MANY_TRIES") == 17
            assert await reason(guard.require(ANN, "oak-1", WORD, kept)) == "TOO_MANY_TRIES"
            assert not await reason(guard.require("192.0.2.2", "oak-1", WORD, kept))
            clock.advance(timedelta(minutes=10))
            assert not await reason(guard.require(ANN, "oak-1", WORD, kept))

    asyncio.run(main())


def test_who_hangs_up_before_the_answer_has_guessed_all_the_same() -> None:
    async def main() -> None:
        with guarding(tries=1) as (guard, _, kept):
            begun, go_on = threading.Event(), threading.Event()

            def slowly() -> None:
                begun.set()
                go_on.wait()
                passcodes.require_passcode("a guess", kept)

            guess = asyncio.create_task(guard.tried(ANN, "oak-1", slowly))
            await asyncio.to_thread(begun.wait)
            guess.cancel()
            later = asyncio.create_task(reason(guard.require(ANN, "oak-1", WORD, kept)))
            go_on.set()
            assert await later == "TOO_MANY_TRIES"

    asyncio.run(main())


def test_no_peer_has_more_tries_waiting_than_a_household_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guards, "MOST_WAITING", 4)

    async def main() -> None:
        with guarding() as (guard, _, kept):
            said = [guard.require(ANN, f"oak-{n}", WORD, kept) for n in range(6)]
            told = await asyncio.gather(*map(reason, said))
            assert told.count("TOO_MANY_TRIES") == 2

    asyncio.run(main())


def test_a_door_that_nobody_waits_at_takes_no_memory() -> None:
    async def main() -> None:
        with guarding() as (guard, _, kept):
            for table in range(100):
                await guard.require(ANN, f"oak-{table}", WORD, kept)
            await reason(guard.require(ANN, "oak-1", "a guess", kept))
            assert len(guard) == 0

    asyncio.run(main())


def test_an_open_table_asks_for_nothing_and_a_guarded_one_for_something() -> None:
    async def main() -> None:
        with guarding() as (guard, _, kept):
            assert not await reason(guard.require(ANN, "oak-1", "", ""))
            assert not await reason(guard.require(ANN, "oak-1", "whatever", ""))
            assert await reason(guard.require(ANN, "oak-1", "", kept)) == "PASSCODE_NEEDED"

    asyncio.run(main())
