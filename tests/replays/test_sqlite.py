"""The store on disk: durable when it says so, grouped, fenced, and honest when it fails."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

import pytest
from filelock import FileLock

from hearts_replays.archive import Archive
from hearts_replays.database import FILE_NAME
from hearts_replays.log import Fenced, LogError, Unavailable, Unknown
from hearts_replays.sqlite import SqliteStore


class Watched(sqlite3.Connection):
    """A real connection, seen from outside, whose commits can be held up or fail."""

    made: ClassVar[list[Watched]] = []

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.commits = 0
        self.committing = Event()
        self.may_commit = Event()
        self.may_commit.set()
        self.failure: sqlite3.Error | None = None
        self.made.append(self)

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql == "COMMIT":
            self.commits += 1
            self.committing.set()
            self.may_commit.wait()
            if self.failure:
                raise self.failure
        return super().execute(sql, *parameters)

    def hold(self) -> None:
        """From now on, block in every commit."""
        self.committing.clear()
        self.may_commit.clear()

    def value(self, pragma: str) -> object:
        return super().execute(f"PRAGMA {pragma}").fetchone()[0]


Scene = Callable[[SqliteStore, Watched], Awaitable[None]]
Stage = Callable[[Scene], None]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Plays a scene with a store and the connection that it writes through."""

    def play(scene: Scene) -> None:
        async def act() -> None:
            store = SqliteStore.open(tmp_path, timedelta(), Watched)
            connection = Watched.made.pop()
            try:
                await scene(store, connection)
            finally:
                connection.may_commit.set()
                await store.close()

        asyncio.run(act())

    return play


def failing(code: int, message: str) -> sqlite3.Error:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


async def turns(number: int = 20) -> None:
    """Let everything else in the loop have its turn."""
    for _ in range(number):
        await asyncio.sleep(0)


def test_a_commit_is_on_disk_and_not_in_a_cache_of_the_system(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        await (await store.logs.open("g-1")).append([b"opened"])
        assert connection.value("journal_mode") == "wal"
        assert connection.value("synchronous") == 2
        assert connection.value("fullfsync") == 1

    stage(scene)


def test_append_does_not_return_before_its_commit_does(stage: Stage, tmp_path: Path) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        game = await store.logs.open("g-1")
        connection.hold()
        append = asyncio.ensure_future(game.append([b"opened"]))
        await asyncio.to_thread(connection.committing.wait)
        await turns()
        assert not append.done()
        assert game.length == 0
        with Archive.open(tmp_path) as archive:
            assert archive.games() == ()
            connection.may_commit.set()
            await append
            assert archive.records("g-1") == (b"opened",)

    stage(scene)


def test_a_secret_and_a_table_are_on_disk_before_put_returns(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        for put in (store.secrets.put, store.tables.put):
            connection.hold()
            task = asyncio.ensure_future(put("g-1", b"top"))
            await asyncio.to_thread(connection.committing.wait)
            await turns()
            assert not task.done()
            connection.may_commit.set()
            await task

    stage(scene)


def test_what_many_games_ask_for_meanwhile_is_one_commit(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        games = [await store.logs.open(f"g-{number}") for number in range(64)]
        connection.commits = 0
        connection.hold()
        first = asyncio.ensure_future(games[0].append([b"opened"]))
        await asyncio.to_thread(connection.committing.wait)
        others = [asyncio.ensure_future(game.append([b"opened"])) for game in games[1:]]
        await turns()
        connection.may_commit.set()
        await asyncio.gather(first, *others)
        assert connection.commits == 2
        assert len(await store.logs.games()) == 64

    stage(scene)


def test_a_full_disk_is_unavailable_and_the_same_handle_goes_on_later(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        game = await store.logs.open("g-1")
        await game.append([b"opened"])
        pages = connection.value("page_count")
        connection.value(f"max_page_count = {pages}")
        with pytest.raises(Unavailable, match="full"):
            await game.append([b"seated", b"x" * 100_000])
        assert await game.read() == (b"opened",)
        connection.value("max_page_count = 1000000")
        await game.append([b"seated", b"x" * 100_000])
        assert len(await game.read()) == game.length == 3

    stage(scene)


def test_another_process_that_writes_for_long_makes_it_unavailable(
    stage: Stage, tmp_path: Path
) -> None:
    async def scene(store: SqliteStore, _: Watched) -> None:
        game = await store.logs.open("g-1")
        with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable, match="locked"):
                await game.append([b"opened"])
            other.execute("ROLLBACK")
        await game.append([b"opened"])
        assert await game.read() == (b"opened",)

    stage(scene)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_FULL, Unavailable),
        (sqlite3.SQLITE_BUSY, Unavailable),
        (sqlite3.SQLITE_IOERR_FSYNC, Unknown),
        (sqlite3.SQLITE_CORRUPT, Unknown),
    ],
)
def test_a_commit_that_fails_says_whether_anything_can_have_been_written(
    stage: Stage, code: int, kind: type[LogError]
) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        games = [await store.logs.open(name) for name in ("g-1", "g-2")]
        connection.failure = failing(code, "it broke")
        results = await asyncio.gather(
            *(game.append([b"opened"]) for game in games), return_exceptions=True
        )
        assert [type(result) for result in results] == [kind, kind]
        assert str(results[0]) == "the store failed: it broke"
        connection.failure = None
        if kind is Unknown:  # this handle cannot know where the log ends
            with pytest.raises(Unknown, match="open the game again"):
                await games[0].append([b"opened"])
        again = await store.logs.open("g-1")
        assert again.length == 0
        await again.append([b"opened"])

    stage(scene)


def test_an_append_that_was_cancelled_may_be_written_and_reopening_tells(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        game = await store.logs.open("g-1")
        connection.hold()
        append = asyncio.ensure_future(game.append([b"opened"]))
        await asyncio.to_thread(connection.committing.wait)
        append.cancel()
        reopening = asyncio.ensure_future(store.logs.open("g-1"))
        await turns()
        assert append.cancelled()
        assert not reopening.done()
        connection.may_commit.set()
        with pytest.raises(Unknown, match="cut off"):
            await game.append([b"seated"])
        again = await reopening
        assert again.length == 1
        await again.append([b"seated"])
        assert await again.read() == (b"opened", b"seated")

    stage(scene)


def test_a_loop_that_ends_while_a_commit_is_under_way_does_not_stop_the_store(
    tmp_path: Path,
) -> None:
    store = SqliteStore.open(tmp_path, connection=Watched)
    connection = Watched.made.pop()

    async def leave() -> None:
        game = await store.logs.open("g-1")
        connection.hold()
        append = asyncio.ensure_future(game.append([b"opened"]))
        await asyncio.to_thread(connection.committing.wait)
        assert not append.done()

    async def come_back() -> None:
        game = await store.logs.open("g-1")
        assert await game.read() == (b"opened",)
        await game.append([b"seated"])
        await store.close()

    asyncio.run(leave())
    connection.may_commit.set()
    asyncio.run(come_back())


def test_work_that_breaks_in_the_writer_is_reported_and_others_go_on(stage: Stage) -> None:
    async def scene(store: SqliteStore, connection: Watched) -> None:
        game = await store.logs.open("g-1")
        with pytest.raises(Unavailable, match="the store failed"):
            await game.append([object()])  # type: ignore[list-item]  # a mistake of ours
        await game.append([b"opened"])
        assert not connection.in_transaction

    stage(scene)


PROGRAM = """
import sys
sys.path[:] = {path!r}
import asyncio
from pathlib import Path
from hearts_replays.log import Fenced
from hearts_replays.sqlite import SqliteStore
async def main():
    store = SqliteStore.open(Path({folder!r}))
    {body}
asyncio.run(main())
"""


def start(body: str, folder: Path) -> subprocess.Popen[str]:
    """Another process, which does this with a store in hand."""
    lines = "\n    ".join(body.strip().splitlines())
    program = PROGRAM.format(path=sys.path, folder=str(folder), body=lines)
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def heard(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


ENDLESS_GAME = """
game = await store.logs.open("g-1")
for number in range(10**9):
    await game.append([f"{number} {part}".encode() for part in "abc"])
    print(number, flush=True)
"""


def test_everything_acknowledged_outlives_a_kill_and_no_command_is_half_there(
    tmp_path: Path,
) -> None:
    with start(ENDLESS_GAME, tmp_path) as process:
        while (acknowledged := int(heard(process))) < 50:
            pass
        process.kill()
        process.wait()
        assert process.stdout
        acknowledged = int([f"{acknowledged}", *process.stdout.read().splitlines()][-1])
    with Archive.open(tmp_path) as archive:
        records = archive.records("g-1")
    assert len(records) % 3 == 0
    assert len(records) >= 3 * (acknowledged + 1)
    assert records == tuple(
        f"{number} {part}".encode() for number in range(len(records) // 3) for part in "abc"
    )

    async def go_on() -> None:
        store = SqliteStore.open(tmp_path)
        game = await store.logs.open("g-1")
        assert game.length == len(records)
        await game.append([b"and on"])
        assert (await game.read(after=len(records))) == (b"and on",)
        await store.close()

    asyncio.run(go_on())


LATE_WRITER = """
game = await store.logs.open("g-1")
print("opened", flush=True)
sys.stdin.readline()
try:
    await game.append([b"theirs"])
    print("appended", flush=True)
except Fenced:
    print("fenced", flush=True)
await store.close()
"""


def test_two_processes_fence_each_other(stage: Stage, tmp_path: Path) -> None:
    async def scene(store: SqliteStore, _: Watched) -> None:
        game = await store.logs.open("g-1")
        await game.append([b"opened"])
        with start(LATE_WRITER, tmp_path) as other:
            assert heard(other) == "opened"
            await game.append([b"mine"])
            assert other.communicate("go\n")[0].strip() == "fenced"
        with start(LATE_WRITER, tmp_path) as other:
            assert heard(other) == "opened"
            assert other.communicate("go\n")[0].strip() == "appended"
        with pytest.raises(Fenced):
            await game.append([b"mine again"])
        assert await game.read() == (b"opened", b"mine", b"theirs")

    stage(scene)


OWN_GAMES = """
game = await store.logs.open(sys.stdin.readline().strip())
for number in range(30):
    await game.append([b"record"])
await store.close()
print("done", flush=True)
"""


def test_processes_that_share_a_folder_from_its_first_moment_do_not_disturb_each_other(
    tmp_path: Path,
) -> None:
    processes = [start(OWN_GAMES, tmp_path) for _ in range(3)]
    for number, process in enumerate(processes):
        tell(process, f"g-{number}")
    for process in processes:
        assert process.communicate()[0].strip() == "done"
    with Archive.open(tmp_path) as archive:
        assert sorted(archive.games()) == ["g-0", "g-1", "g-2"]
        assert {len(archive.records(game)) for game in archive.games()} == {30}


def test_nobody_else_on_the_machine_can_read_the_secrets(stage: Stage, tmp_path: Path) -> None:
    async def scene(store: SqliteStore, _: Watched) -> None:
        await store.secrets.put("g-1", b"top")
        files = [tmp_path / f"{FILE_NAME}{suffix}" for suffix in ("", "-wal", "-shm")]
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * 3

    stage(scene)


def test_an_archive_reads_beside_the_writer_and_after_it_has_gone(
    stage: Stage, tmp_path: Path
) -> None:
    with Archive.open(tmp_path) as empty:
        assert (empty.games(), empty.records("g-1"), empty.tables()) == ((), (), ())

    async def scene(store: SqliteStore, _: Watched) -> None:
        game = await store.logs.open("g-1")
        with Archive.open(tmp_path) as archive:
            for number in range(3):
                await game.append([b"record"])
                assert len(archive.records("g-1")) == number + 1

    stage(scene)
    with Archive.open(tmp_path) as archive:
        assert archive.games() == ("g-1",)
        assert archive.records("g-1", after=1, limit=1) == (b"record",)


def test_a_store_that_was_closed_leaves_one_file_to_copy(tmp_path: Path) -> None:
    async def scene() -> None:
        store = SqliteStore.open(tmp_path)
        await (await store.logs.open("a")).append([b"1"])
        assert await store.logs.games() == ("a",)
        await store.close()

    asyncio.run(scene())
    assert [path.name for path in tmp_path.glob(f"{FILE_NAME}*")] == [FILE_NAME]


def test_an_archive_that_was_never_written_to_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    with Archive.open(tmp_path) as archive:
        assert archive.games() == ()


def test_a_file_of_a_newer_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 2")
    for open_it in (SqliteStore.open, Archive.open):
        with pytest.raises(LogError, match="made by a newer program"):
            open_it(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Unavailable, match="cannot be opened"):
        SqliteStore.open(tmp_path / "file" / "data")


def test_a_folder_that_another_process_keeps_opening_is_unavailable(tmp_path: Path) -> None:
    opening = FileLock(tmp_path / "opening.lock")
    with opening, pytest.raises(Unavailable, match="another process is opening"):
        SqliteStore.open(tmp_path, timedelta())


def test_a_file_that_is_no_store_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"something else entirely" * 100)
    for open_it in (SqliteStore.open, Archive.open):
        with pytest.raises(Unavailable, match="not a database"):
            open_it(tmp_path)
