"""What every store promises; the same suite for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from hearts_replays.log import Fenced, Store, Unavailable
from hearts_replays.memory import MemoryStore
from hearts_replays.sqlite import SqliteStore

Opening = Callable[[], AbstractAsyncContextManager[Store]]
"""Opens the same store again, as another process or after a restart would."""


@pytest.fixture(params=["memory", "sqlite"])
def opening(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    shared = MemoryStore()

    @asynccontextmanager
    async def memory() -> AsyncGenerator[Store, None]:
        shared.reopen()
        yield shared
        await shared.close()

    @asynccontextmanager
    async def sqlite() -> AsyncGenerator[Store, None]:
        store = SqliteStore.open(tmp_path)
        yield store
        await store.close()

    return memory if request.param == "memory" else sqlite


def run(opening: Opening, scene: Callable[[Store], Awaitable[None]]) -> None:
    async def act() -> None:
        async with opening() as store:
            await scene(store)

    asyncio.run(act())


def test_records_come_back_as_they_were_appended(opening: Opening) -> None:
    records = (b"\x00opened", b"", b"\xff" * 5000)

    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        await game.append(records[:1])
        await game.append(records[1:])
        assert await game.read() == records
        assert game.length == 3

    run(opening, scene)


def test_a_part_of_a_log_can_be_read(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        await game.append([b"1", b"2", b"3", b"4"])
        assert await game.read(after=1) == (b"2", b"3", b"4")
        assert await game.read(after=1, limit=2) == (b"2", b"3")
        assert await game.read(limit=1) == (b"1",)
        assert await game.read(after=4) == ()
        assert await game.read(after=9, limit=9) == ()

    run(opening, scene)


def test_a_new_game_is_empty_and_not_listed_until_something_is_appended(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        assert (game.length, await game.read()) == (0, ())
        assert await store.logs.games() == ()
        await game.append([b"opened"])
        assert await store.logs.games() == ("g-1",)

    run(opening, scene)


def test_games_are_listed_newest_first_whatever_their_ids(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        for game_id in ("g-2", "g-9", "g-1"):
            game = await store.logs.open(game_id)
            await game.append([b"opened"])
        await (await store.logs.open("g-2")).append([b"more"])
        assert await store.logs.games() == ("g-1", "g-9", "g-2")

    run(opening, scene)


def test_games_do_not_see_each_others_records(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        games = {name: await store.logs.open(name) for name in ("g-1", "g-10", "G-1", "")}
        for name, game in games.items():
            await game.append([name.encode(), b"more"])
        for name, game in games.items():
            assert await game.read() == (name.encode(), b"more")

    run(opening, scene)


def test_positions_differ_after_every_append(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        positions = [await game.append([b"same"]) for _ in range(5)]
        assert len(set(positions)) == 5

    run(opening, scene)


def test_the_second_writer_of_a_game_is_fenced_and_writes_nothing(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        first, second = await store.logs.open("g-1"), await store.logs.open("g-1")
        await first.append([b"mine"])
        for _ in range(2):  # it stays fenced
            with pytest.raises(Fenced, match="g-1"):
                await second.append([b"theirs", b"theirs too", b"and this"])
        assert second.length == 0
        assert await first.read() == (b"mine",)

    run(opening, scene)


def test_whoever_appends_first_after_both_opened_goes_on(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        old = await store.logs.open("g-1")
        await old.append([b"opened", b"seated"])
        new = await store.logs.open("g-1")
        assert new.length == 2
        await new.append([b"dealt"])
        with pytest.raises(Fenced):
            await old.append([b"dealt otherwise"])
        await new.append([b"played"])
        assert await old.read() == (b"opened", b"seated", b"dealt", b"played")

    run(opening, scene)


def test_many_games_can_be_appended_to_at_once_and_each_keeps_its_order(opening: Opening) -> None:
    async def play(store: Store, name: str) -> None:
        game = await store.logs.open(name)
        for number in range(20):
            await game.append([f"{name} {number}".encode()])

    async def scene(store: Store) -> None:
        names = [f"g-{number}" for number in range(30)]
        async with asyncio.TaskGroup() as tables:
            for name in names:
                tables.create_task(play(store, name))
        for name in names:
            game = await store.logs.open(name)
            assert await game.read() == tuple(f"{name} {n}".encode() for n in range(20))

    run(opening, scene)


def test_a_fenced_game_does_not_hold_up_those_that_append_with_it(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        names = [f"g-{number}" for number in range(9)]
        games = [await store.logs.open(name) for name in names]
        await (await store.logs.open("g-4")).append([b"another's"])
        results = await asyncio.gather(
            *(game.append([b"opened", b"seated"]) for game in games), return_exceptions=True
        )
        assert [n for n, r in zip(names, results, strict=True) if isinstance(r, Fenced)] == ["g-4"]
        for name, game in zip(names, games, strict=True):
            expected = (b"another's",) if name == "g-4" else (b"opened", b"seated")
            assert await game.read() == expected

    run(opening, scene)


def test_everything_is_there_after_a_restart(opening: Opening) -> None:
    async def before(store: Store) -> None:
        await (await store.logs.open("g-1")).append([b"opened", b"seated"])
        await store.secrets.put("g-1", b"top")
        await store.tables.put("oak-3", b"facts")

    async def after(store: Store) -> None:
        game = await store.logs.open("g-1")
        assert (game.length, await game.read()) == (2, (b"opened", b"seated"))
        assert await store.logs.games() == ("g-1",)
        assert await store.secrets.get("g-1") == b"top"
        assert await store.tables.all() == (("oak-3", b"facts"),)

    run(opening, before)
    run(opening, after)


def test_a_secret_is_kept_until_it_is_forgotten(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        secrets = store.secrets
        assert await secrets.get("g-1") is None
        await secrets.put("g-1", b"\x00" * 32)
        await secrets.put("g-2", b"\x01" * 32)
        await secrets.forget("g-2")
        await secrets.forget("g-3")
        assert await secrets.get("g-1") == b"\x00" * 32
        assert await secrets.get("g-2") is None
        assert await store.logs.games() == ()

    run(opening, scene)


def test_a_table_keeps_the_facts_last_put_until_it_is_dropped(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        tables = store.tables
        assert await tables.get("oak-3") is None
        assert await tables.all() == ()
        await tables.put("oak-3", b"one seat taken")
        await tables.put("elm-1", b"")
        await tables.put("oak-3", b"two seats taken")
        assert await tables.get("oak-3") == b"two seats taken"
        assert await tables.all() == (("elm-1", b""), ("oak-3", b"two seats taken"))
        await tables.drop("oak-3")
        await tables.drop("ash-7")
        assert await tables.all() == (("elm-1", b""),)

    run(opening, scene)


def test_nothing_can_be_done_with_a_closed_store(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        await game.append([b"opened"])
        await store.close()
        attempts: list[Callable[[], Awaitable[object]]] = [
            lambda: game.append([b"more"]),
            game.read,
            lambda: store.logs.open("g-1"),
            store.logs.games,
            lambda: store.secrets.put("g-1", b""),
            lambda: store.secrets.get("g-1"),
            lambda: store.secrets.forget("g-1"),
            lambda: store.tables.put("oak-3", b""),
            lambda: store.tables.get("oak-3"),
            store.tables.all,
            lambda: store.tables.drop("oak-3"),
        ]
        for attempt in attempts:
            with pytest.raises(Unavailable, match="closed"):
                await attempt()

    run(opening, scene)


def test_closing_finishes_what_was_asked_for(opening: Opening) -> None:
    async def before(store: Store) -> None:
        games = [await store.logs.open(f"g-{number}") for number in range(50)]
        appends = [asyncio.ensure_future(game.append([b"opened"])) for game in games]
        await asyncio.sleep(0)  # each has asked
        await store.close()
        assert [await append for append in appends]

    async def after(store: Store) -> None:
        assert len(await store.logs.games()) == 50

    run(opening, before)
    run(opening, after)


def test_nothing_is_appended_where_there_is_nothing_to_append(opening: Opening) -> None:
    async def scene(store: Store) -> None:
        game = await store.logs.open("g-1")
        with pytest.raises(AssertionError, match="at least one record"):
            await game.append([])
        assert await store.logs.games() == ()

    run(opening, scene)
