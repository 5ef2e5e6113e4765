"""A table's inbox: work in order, one at a time, and nobody left without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from hearts_server.errors import Refused
from hearts_server.inbox import CAPACITY, Inbox


@asynccontextmanager
async def running() -> AsyncGenerator[Inbox, None]:
    inbox = Inbox()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(inbox.run())
        yield inbox
        inbox.close()


class Gate:
    """Work that waits until it may go on."""

    def __init__(self) -> None:
        self.reached, self.opened, self.passed = asyncio.Event(), asyncio.Event(), False

    async def __call__(self) -> None:
        self.reached.set()
        await self.opened.wait()
        self.passed = True


async def nothing() -> None:
    """Work that is done at once."""


def test_work_is_done_in_the_order_in_which_it_was_asked() -> None:
    asyncio.run(_in_order())


async def _in_order() -> None:
    done: list[int] = []

    async def work(number: int) -> int:
        await asyncio.sleep(0)
        done.append(number)
        return number

    async with running() as inbox:
        count = CAPACITY * 3
        results = await asyncio.gather(*(inbox.ask(partial(work, n)) for n in range(count)))
    assert done == results == list(range(count))


def test_an_error_goes_to_whoever_asked_and_the_next_is_served() -> None:
    asyncio.run(_error())


async def _error() -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    async with running() as inbox:
        with pytest.raises(ZeroDivisionError):
            await inbox.ask(fails)
        await inbox.ask(nothing)


def test_work_is_finished_although_whoever_asked_has_gone() -> None:
    asyncio.run(_gone())


async def _gone() -> None:
    gate = Gate()
    async with running() as inbox:
        asking = asyncio.create_task(inbox.ask(gate))
        await gate.reached.wait()
        asking.cancel()
        gate.opened.set()
        await inbox.ask(nothing)
        assert gate.passed
        assert asking.cancelled()


def test_those_who_go_away_make_no_room_for_more() -> None:
    asyncio.run(_bounded())


async def _bounded() -> None:
    gate = Gate()
    async with running() as inbox:
        asking = [asyncio.create_task(inbox.ask(gate)) for _ in range(CAPACITY)]
        await gate.reached.wait()
        for task in asking[1:]:
            task.cancel()
        one_more = Gate()
        late = asyncio.create_task(inbox.ask(one_more))
        await asyncio.wait(asking[1:])
        assert not inbox.has_room
        gate.opened.set()
        await one_more.reached.wait()
        one_more.opened.set()
        await late


def test_what_was_asked_before_the_close_is_done_and_what_comes_after_is_refused() -> None:
    asyncio.run(_closed())


async def _closed() -> None:
    gate = Gate()
    async with running() as inbox:
        first = asyncio.create_task(inbox.ask(gate))
        second = asyncio.create_task(inbox.ask(nothing))
        await gate.reached.wait()
        inbox.close()
        with pytest.raises(Refused, match="stopped"):
            await inbox.ask(nothing)
        gate.opened.set()
        await first
        await second


def test_a_loop_that_is_cancelled_answers_everyone_who_waits() -> None:
    asyncio.run(_cancelled())


async def _cancelled() -> None:
    inbox, gate = Inbox(), Gate()
    loop = asyncio.create_task(inbox.run())
    asking = [asyncio.create_task(inbox.ask(gate)) for _ in range(CAPACITY + 5)]
    await gate.reached.wait()
    loop.cancel()
    answers = await asyncio.gather(*asking, return_exceptions=True)
    assert {type(answer) for answer in answers} == {Refused}
    with pytest.raises(Refused):
        await inbox.ask(nothing)


def test_it_is_idle_only_while_nothing_waits_and_nothing_is_done() -> None:
    asyncio.run(_idle())


async def _idle() -> None:
    gate = Gate()
    async with running() as inbox:
        assert inbox.idle
        asking = asyncio.create_task(inbox.ask(gate))
        await gate.reached.wait()
        assert not inbox.idle
        gate.opened.set()
        await asking
        assert inbox.idle
