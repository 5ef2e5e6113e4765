"""What a server in this process needs of the data folder: store, key and owner's lock."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from hearts_cli.failures import BadInput
from hearts_replays.keys import BadKey, signing_key
from hearts_replays.log import LogError
from hearts_replays.owner import OwnerLock
from hearts_replays.sqlite import SqliteStore
from hearts_server.clocks import SystemClock
from hearts_server.journal import Premises
from hearts_server.meters import Meters


@dataclass(frozen=True, slots=True)
class House:
    """A data folder in use by a server."""

    premises: Premises
    owner: bool
    """Whether unfinished games in the folder are this process's to go on with."""


@asynccontextmanager
async def house_in(data: Path) -> AsyncGenerator[House, None]:
    """The folder's house, until the block is left; ``BadInput`` if the folder is of no use."""
    meters = Meters()
    try:
        lock = OwnerLock.acquire(data)
        key, store = signing_key(data), SqliteStore.open(data, committed=meters.committed)
    except (OSError, BadKey, LogError) as error:
        raise BadInput(f"the data folder {data} cannot be used: {error}") from error
    try:
        premises = Premises(store, key, SystemClock(), os.urandom, meters)
        yield House(premises, owner=lock is not None)
    finally:
        await store.close()
        if lock is not None:
            lock.release()
