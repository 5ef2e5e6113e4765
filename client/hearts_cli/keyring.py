"""The servers' keys that this user has met: an audit says whether a seal is by one of them."""

from __future__ import annotations

from pathlib import Path

from hearts_cli.failures import BadInput
from hearts_replays.keys import KEY_NAME, BadKey, signing_key

FILE_NAME = "known-keys"


def known_keys(data: Path) -> frozenset[bytes]:
    """The keys of servers played at from this data folder, its own among them."""
    path = data / FILE_NAME
    met = path.read_text(encoding="ascii").split() if path.is_file() else []
    try:
        own = [signing_key(data).public] if (data / KEY_NAME).is_file() else []
    except (BadKey, OSError) as error:
        raise BadInput(f"the data folder {data} cannot be used: {error}") from error
    return frozenset([*map(bytes.fromhex, met), *own])


def remember_key(data: Path, key: bytes) -> None:
    """Add the key of a server that a game was played at."""
    if key not in known_keys(data):
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (data / FILE_NAME).open("a", encoding="ascii") as file:
            file.write(key.hex() + "\n")
