"""What a client keeps of a seat it holds, so that any terminal of its owner can take it again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from filelock import FileLock, Timeout

from hearts_engine.cards import Seat

EMBEDDED = "embedded"
"""In place of an address: a server that runs inside the program that plays."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """One seat in one game."""

    server: str
    """HOST:PORT, or ``EMBEDDED``."""
    table: str
    game_id: str
    seat: Seat
    name: str
    token: str
    """Secret: whoever has it holds the seat."""
    entropy: bytes
    """Secret until it is revealed: what the seat adds to every deal; empty if nothing."""
    pin: str | None = None
    """The fingerprint that the server proved; none if the connection was plain."""

    def is_for(self, server: str, pin: str | None) -> bool:
        """Whether the token may be shown to this server, which proves this pin.

        One that was given out over TLS goes to the same certificate only. One that was not may:
        the server has been started with TLS since.
        """
        return self.server == server and self.pin in (None, pin)

    @property
    def tenure(self) -> str:
        """A name for this owner's time on the seat, which whoever takes it over does not share.

        Fit for files: it gives nothing of the token away.
        """
        return f"{self.game_id}-{self.seat}-{sha256(self.token.encode()).hexdigest()[:16]}"

    def to_json(self) -> str:
        """The ticket as one line of text."""
        return json.dumps({**asdict(self), "entropy": self.entropy.hex()})

    @classmethod
    def from_json(cls, text: str) -> Ticket:
        """Read what :meth:`to_json` wrote; ``ValueError`` for anything else."""
        try:
            fields = json.loads(text)
            seat, entropy = Seat(fields.pop("seat")), bytes.fromhex(fields.pop("entropy"))
            return cls(**fields, seat=seat, entropy=entropy)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a ticket: {error}") from None


class Conflict(ValueError):
    """A server gives out a seat in a game that this user plays at another server."""


class Holding:
    """A ticket that this process plays on, and no other, until it is let go."""

    def __init__(self, ticket: Ticket, path: Path, lock: FileLock) -> None:
        self.ticket = ticket
        self._path = path
        self._lock = lock

    def let_go(self) -> None:
        """Let other processes of this user have the seat."""
        self._lock.release()

    def throw_away(self) -> None:
        """Let go of the seat for good."""
        self._path.unlink(missing_ok=True)
        self._path.with_suffix(".lock").unlink(missing_ok=True)
        self._lock.release()


class Tickets:
    """The tickets in a data folder, one file each, for this user's eyes alone."""

    def __init__(self, data: Path) -> None:
        self._folder = data / "seats"

    def keep(self, ticket: Ticket) -> Holding:
        """Write a new ticket down and hold it; it is on disk when this returns.

        It is held first: no other process may take it for one that nobody plays on. Raises
        ``Conflict`` where another server's ticket would be lost.
        """
        holding = self.hold(ticket)
        path = self._path(ticket)
        if holding is None:
            raise Conflict(f"you play on this seat in game {ticket.game_id} already")
        rivals = (other for other in self._all() if _same_seat(other, ticket))
        if not all(other.is_for(ticket.server, ticket.pin) for other in rivals):
            holding.let_go()
            raise Conflict(f"you hold this seat in game {ticket.game_id} at another server")
        with NamedTemporaryFile(  # made with mode 0600
            "w", dir=self._folder, prefix=".", delete=False, encoding="utf-8"
        ) as draft:
            draft.write(ticket.to_json())
            draft.flush()
            os.fsync(draft.fileno())
        Path(draft.name).replace(path)
        return holding

    def hold(self, ticket: Ticket) -> Holding | None:
        """The right to play on a ticket; none if another process has it."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(ticket)
        lock = FileLock(path.with_suffix(".lock"), thread_local=False)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return None
        return Holding(ticket, path, lock)

    def held(self, server: str, pin: str | None = None) -> tuple[Ticket, ...]:
        """The tickets for seats at this server, the newest first; damaged files are passed over.

        ``pin`` is the fingerprint that it proves; none for a plain connection.
        """
        return tuple(ticket for ticket in self._all() if ticket.is_for(server, pin))

    def _path(self, ticket: Ticket) -> Path:
        return self._folder / f"{ticket.game_id}-{ticket.seat}.json"

    def _all(self) -> Iterator[Ticket]:
        paths = self._folder.glob("*.json") if self._folder.is_dir() else ()
        for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True):
            try:
                yield _read(path)
            except (ValueError, OSError):
                continue


def _same_seat(one: Ticket, other: Ticket) -> bool:
    return (one.game_id, one.seat) == (other.game_id, other.seat)


def _read(path: Path) -> Ticket:
    return Ticket.from_json(path.read_text(encoding="utf-8"))
