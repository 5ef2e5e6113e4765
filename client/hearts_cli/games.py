"""Where a command finds games: the data folder, a server, or a file."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hearts_cli.address import Server
from hearts_cli.failures import BadInput, ServerFailure
from hearts_cli.passcodes import VARIABLE
from hearts_client.archive import RemoteArchive
from hearts_client.connection import ServerError, connected
from hearts_replays import format as files
from hearts_replays.archive import Archive
from hearts_replays.log import LogError
from hearts_replays.summary import GameSummary, summarise


class Games(Protocol):
    """A collection of games."""

    async def ids(self) -> tuple[str, ...]:
        """Every game, the newest first."""
        ...

    async def summaries(self) -> tuple[GameSummary, ...]:
        """Every game whose log can be read, the newest first."""
        ...

    async def records(self, game_id: str) -> tuple[bytes, ...]:
        """One game's log, as stored."""
        ...


class FolderGames:
    """The games in a data folder, unfinished ones too."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def ids(self) -> tuple[str, ...]:
        """Every game, the newest first, readable or not."""
        return self._archive.games()

    async def summaries(self) -> tuple[GameSummary, ...]:
        """Every game whose log can be read, the newest first."""
        found = (summarise(self._archive.records(game)) for game in self._archive.games())
        return tuple(summary for summary in found if summary is not None)

    async def records(self, game_id: str) -> tuple[bytes, ...]:
        """One game's log, as stored."""
        return self._archive.records(game_id)


@asynccontextmanager
async def games_in(data: Path, server: Server | None) -> AsyncGenerator[Games, None]:
    """The games of a server if one is named, else of the data folder."""
    try:
        if server is None:
            with Archive.open(data) as archive:
                yield FolderGames(archive)
        else:
            async with connected(server.invite, server.trust(data)) as channel:
                yield RemoteArchive(channel, server.address, os.environ.get(VARIABLE, ""))
    except LogError as error:
        raise BadInput(f"the data folder {data} cannot be read: {error}") from error
    except ServerError as error:
        raise ServerFailure(error.message) from error


async def game_called(games: Games, name: str) -> str:
    """The id of the one game whose id is, or begins with, this name.

    ``last`` is the newest finished game.
    """
    if name == "last":
        summaries = await games.summaries()
        found = [summary.game_id for summary in summaries if summary.sealed][:1]
    else:
        found = [game_id for game_id in await games.ids() if game_id.startswith(name)]
    if not found:
        raise BadInput(_nothing_called(name))
    if len(found) > 1:
        raise BadInput(f"{len(found)} games begin with {name!r}; write more of the id")
    return found[0]


def _nothing_called(name: str) -> str:
    if name == "last":
        return "there is no finished game here yet; one played at a server: add --server HOST:PORT"
    return f"there is no game {name!r}, nor a file; hearts replays lists the games"


@dataclass(frozen=True, slots=True)
class Found:
    """A log that was asked for."""

    records: tuple[bytes, ...]
    damage: str | None = None
    """What is wrong with its file, which can be read no further than this."""


async def log_called(data: Path, server: Server | None, name: str, *, unfinished: bool) -> Found:
    """The log of a game, or of a ``.hearts`` file as far as it can be read.

    ``unfinished``: also of a game under way, which shows what its seats may not see yet.
    """
    path = Path(name)
    if server is None and path.is_file():
        reading = await asyncio.to_thread(files.load, path)
        if not reading.records:
            raise BadInput(f"{path}: {reading.fault}")
        return Found(reading.records, None if reading.fault is None else str(reading.fault))
    async with games_in(data, server) as games:
        records = await games.records(await game_called(games, name))
    summary = summarise(records)
    if summary is not None and not summary.sealed and not unfinished:
        raise BadInput(
            "this game is not finished and its log shows all hands; "
            "--unfinished if you want to see them anyway"
        )
    return Found(records)
