"""Where a command finds games: the data folder, a server, or a file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from hearts_cli.failures import BadInput, ServerFailure
from hearts_client.archive import RemoteArchive
from hearts_client.connection import ServerError, connected
from hearts_replays import format as files
from hearts_replays.archive import Archive
from hearts_replays.log import LogError
from hearts_replays.summary import GameSummary, summarise


class Games(Protocol):
    """A collection of games."""

    async def summaries(self) -> tuple[GameSummary, ...]:
        """Every game, the newest first."""
        ...

    async def records(self, game_id: str) -> tuple[bytes, ...]:
        """One game's log, as stored."""
        ...


class FolderGames:
    """The games in a data folder, unfinished ones too."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def summaries(self) -> tuple[GameSummary, ...]:
        """Every game whose log can be read, the newest first."""
        found = (summarise(self._archive.records(game)) for game in self._archive.games())
        return tuple(summary for summary in found if summary is not None)

    async def records(self, game_id: str) -> tuple[bytes, ...]:
        """One game's log, as stored."""
        return self._archive.records(game_id)


@asynccontextmanager
async def games_in(data: Path, server: str | None) -> AsyncGenerator[Games, None]:
    """The games of a server if one is named, else of the data folder."""
    try:
        if server is None:
            with Archive.open(data) as archive:
                yield FolderGames(archive)
        else:
            async with connected(server) as channel:
                yield RemoteArchive(channel, server)
    except LogError as error:
        raise BadInput(f"the data folder {data} cannot be read: {error}") from error
    except ServerError as error:
        raise ServerFailure(error.message) from error


async def game_called(games: Games, name: str) -> GameSummary:
    """The one game whose id is, or begins with, this name; ``last`` is the newest."""
    summaries = await games.summaries()
    if name == "last":
        found = list(summaries[:1])
    else:
        found = [summary for summary in summaries if summary.game_id.startswith(name)]
    if not found:
        raise BadInput(f"no game is called {name!r}; hearts replays lists them")
    if len(found) > 1:
        raise BadInput(f"{len(found)} games begin with {name!r}; write more of the id")
    return found[0]


async def log_called(data: Path, server: str | None, name: str) -> tuple[bytes, ...]:
    """The log of a game, or of a ``.hearts`` file as far as it can be read."""
    path = Path(name)
    if server is None and path.is_file():
        reading = await asyncio.to_thread(files.load, path)
        if not reading.records:
            raise BadInput(f"{path}: {reading.fault}")
        return reading.records
    async with games_in(data, server) as games:
        return await games.records((await game_called(games, name)).game_id)
