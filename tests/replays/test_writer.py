"""The writer's promise to each piece of work: all of it or nothing, whatever the others do."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from hearts_replays.log import Fenced
from hearts_replays.writer import LARGEST_GROUP, Committed, Work, Writer, unnoted


def note(word: str) -> Work[str]:
    def work(database: sqlite3.Connection) -> str:
        database.execute("INSERT INTO notes VALUES (?)", (word,))
        return word

    return work


def refused(database: sqlite3.Connection) -> None:
    note("half done")(database)
    raise Fenced("not yours")


def words(database: sqlite3.Connection) -> list[str]:
    return [word for (word,) in database.execute("SELECT word FROM notes ORDER BY rowid")]


def notebook(committed: Committed = unnoted) -> Writer:
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    database.execute("CREATE TABLE notes (word TEXT)")
    return Writer(database, committed)


def test_work_that_is_refused_half_way_leaves_nothing_and_takes_nobody_with_it() -> None:
    async def scene() -> None:
        writer = notebook()
        before, refusal, after = await asyncio.gather(
            writer.do(note("before")),
            writer.do(refused),
            writer.do(note("after")),
            return_exceptions=True,
        )
        assert (before, after) == ("before", "after")
        assert isinstance(refusal, Fenced)
        assert await writer.do(words) == ["before", "after"]
        await writer.close()

    asyncio.run(scene())


def test_work_is_done_in_the_order_it_was_asked_for_in_groups_of_any_size() -> None:
    async def scene() -> None:
        writer = notebook()
        asked = [str(number) for number in range(LARGEST_GROUP + 10)]
        await asyncio.gather(*(writer.do(note(word)) for word in asked))
        assert await writer.do(words) == asked
        await writer.close()

    asyncio.run(scene())


def test_closing_twice_does_no_harm() -> None:
    async def scene() -> None:
        writer = notebook()
        asked = asyncio.ensure_future(writer.do(note("last")))
        await asyncio.sleep(0)
        await asyncio.gather(writer.close(), writer.close())
        assert await asked == "last"

    asyncio.run(scene())


def test_a_caller_that_gave_up_does_not_disturb_the_others() -> None:
    async def scene() -> None:
        writer = notebook()
        gone = asyncio.ensure_future(writer.do(note("gone")))
        stays = asyncio.ensure_future(writer.do(note("stays")))
        await asyncio.sleep(0)
        gone.cancel()
        assert await stays == "stays"
        with pytest.raises(asyncio.CancelledError):
            await gone
        assert await writer.do(words) == ["gone", "stays"]
        await writer.close()

    asyncio.run(scene())


def test_of_every_transaction_it_is_told_how_much_it_was_and_how_long_it_took() -> None:
    noted = list[tuple[int, float]]()

    async def scene() -> None:
        writer = notebook(lambda jobs, seconds: noted.append((jobs, seconds)))
        await asyncio.gather(*(writer.do(note(str(number))) for number in range(50)))
        await writer.close()

    asyncio.run(scene())
    assert sum(jobs for jobs, _ in noted) == 50
    assert all(seconds > 0 for _, seconds in noted)
