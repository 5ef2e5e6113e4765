"""A store in memory, for tests and games that nobody needs to keep."""

from __future__ import annotations

from collections.abc import Sequence

from hearts_replays.log import Fenced, GameLog, Position, Unavailable


class MemoryStore:
    """Logs, secrets and tables that last as long as this object.

    Handles from one store share its games, so that one can fence another, as between processes.
    """

    def __init__(self) -> None:
        self._closed = False
        self._games: dict[str, list[bytes]] = {}
        self.logs = _Logs(self)
        self.secrets = _Secrets(self)
        self.tables = _Tables(self)

    async def close(self) -> None:
        """Make everything unavailable."""
        self._closed = True

    def reopen(self) -> None:
        """Make everything available again, as a restart does with a store on disk."""
        self._closed = False

    @property
    def games(self) -> dict[str, list[bytes]]:
        """The records of each game, by id, the oldest game first; ``Unavailable`` if closed."""
        self.check()
        return self._games

    def check(self) -> None:
        """Raise ``Unavailable`` if the store is closed."""
        if self._closed:
            raise Unavailable("the store is closed; open it again")


class _Log:
    def __init__(self, store: MemoryStore, game_id: str) -> None:
        self._store = store
        self._game_id = game_id
        self._length = len(store.games.get(game_id, ()))

    @property
    def length(self) -> int:
        return self._length

    async def append(self, records: Sequence[bytes]) -> Position:
        assert records, "append at least one record"
        games = self._store.games
        written = games.get(self._game_id, [])
        if len(written) != self._length:
            raise Fenced(f"another writer appended to game {self._game_id}; open it again")
        games[self._game_id] = [*written, *records]
        self._length += len(records)
        return Position(self._length)

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        written = self._store.games.get(self._game_id, [])
        return tuple(written[after : None if limit is None else after + limit])


class _Logs:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def open(self, game_id: str) -> GameLog:
        return _Log(self._store, game_id)

    async def games(self) -> tuple[str, ...]:
        return tuple(reversed(self._store.games))


class _Secrets:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._secrets: dict[str, bytes] = {}

    async def put(self, game_id: str, secret: bytes) -> None:
        self._store.check()
        self._secrets[game_id] = secret

    async def get(self, game_id: str) -> bytes | None:
        self._store.check()
        return self._secrets.get(game_id)

    async def forget(self, game_id: str) -> None:
        self._store.check()
        self._secrets.pop(game_id, None)


class _Tables:
    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._facts: dict[str, bytes] = {}

    async def put(self, table: str, facts: bytes) -> None:
        self._store.check()
        self._facts[table] = facts

    async def get(self, table: str) -> bytes | None:
        self._store.check()
        return self._facts.get(table)

    async def all(self) -> tuple[tuple[str, bytes], ...]:
        self._store.check()
        return tuple(sorted(self._facts.items()))

    async def drop(self, table: str) -> None:
        self._store.check()
        self._facts.pop(table, None)
