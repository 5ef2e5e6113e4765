"""Games at home that were broken off, in the words in which someone would remember them."""

from __future__ import annotations

from pathlib import Path

from hearts_cli.replays import opened_at, standings
from hearts_client.ticket import EMBEDDED, Ticket, Tickets
from hearts_replays.archive import Archive
from hearts_replays.log import LogError
from hearts_replays.summary import GameSummary, summarise


def described(ticket: Ticket, data: Path) -> str:
    """``your game of 2026-01-01 20:15, black_lady, deal 3, You 12, Ann 40, ...``."""
    game = _summary(ticket, data)
    if game is None:
        return f"your game at {ticket.table}"
    when = opened_at(game).astimezone().strftime("%Y-%m-%d %H:%M")
    return f"your game of {when}, {game.rules}, deal {game.deals + 1}, {standings(game)}"


def broken_off(data: Path) -> Ticket | None:
    """The seat in the newest game at home that is not over; none if there is none."""
    for ticket in Tickets(data).held(EMBEDDED):
        game = _summary(ticket, data)
        if game is not None and not game.sealed and game.closed is None:
            return ticket
    return None


def _summary(ticket: Ticket, data: Path) -> GameSummary | None:
    try:
        with Archive.open(data) as archive:
            return summarise(archive.records(ticket.game_id))
    except LogError:
        return None
