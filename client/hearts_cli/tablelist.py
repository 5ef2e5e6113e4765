"""Tables as lists show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from prompt_toolkit.utils import get_cwidth

from hearts_cli.options import rules_line
from hearts_client.celltext import padded
from hearts_client.discovery import ServerTables
from hearts_client.lobby import TableInfo
from hearts_client.safetext import cleaned
from hearts_engine.events import SeatKind, SeatTaken
from hearts_engine.ruletext import format_rules

Row = tuple[str, ...]


def server_line(server: ServerTables) -> str:
    """Which server it is, and where."""
    where = server.invite.address
    return f"{server.name} ({where})" if server.name else where


def table_rows(tables: Iterable[TableInfo]) -> tuple[Row, ...]:
    """For each table its name, how far it is, what is free, what is played, and who sits there."""
    return tuple(
        (table.name, status_word(table), free_words(table), terms(table), sitters(table))
        for table in tables
    )


def aligned(rows: Iterable[Row]) -> Iterator[str]:
    """The rows as lines, each column as wide as its widest entry."""
    kept = tuple(rows)
    widths = [max(map(get_cwidth, column)) for column in zip(*kept, strict=True)]
    for row in kept:
        cells = (padded(text, width) for text, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def status_word(table: TableInfo) -> str:
    """How far a table's game is."""
    if table.over:
        return "over"
    return "seating" if table.seating else "playing"


def free_words(table: TableInfo) -> str:
    """How many can still sit down, or take over from a bot."""
    if table.seating and table.free:
        return "1 seat free" if table.free == 1 else f"{table.free} seats free"
    if table.vacant and not table.over:
        return f"{len(table.vacant)} to take over"
    return "no seat free"


def terms(table: TableInfo) -> str:
    """What is played at a table, and what else one should know before sitting down."""
    clock = f"{table.turn_seconds} s a turn" if table.turn_seconds else ""
    hands = "spectators see all hands" if table.open_hands else ""
    passcode = "needs a passcode" if table.needs_passcode else ""
    watched = f"{table.watchers} watching" if table.watchers else ""
    said = (rules_line(table.rules), clock, hands, passcode, watched)
    return "; ".join(part for part in said if part)


def sitters(table: TableInfo) -> str:
    """Who sits at a table, by name, with what is special about them."""
    return ", ".join(cleaned(taken.name) + _marks(table, taken) for taken in table.seats)


def _marks(table: TableInfo, taken: SeatTaken) -> str:
    bot = "" if taken.kind is SeatKind.PERSON else "bot"
    host = "host" if taken.seat == table.host else ""
    marks = ", ".join(mark for mark in (bot, host) if mark)
    return f" ({marks})" if marks else ""


def table_json(server: ServerTables, table: TableInfo) -> dict[str, object]:
    """A table in a list for machines."""
    return {
        "table": table.name,
        "server": server.invite.address,
        "server_name": server.name,
        "invite": str(replace(server.invite, table=table.name)),
        "game_id": table.game_id,
        "rules": format_rules(table.rules),
        "status": status_word(table),
        "free": table.free if table.seating else 0,
        "vacant": sorted(table.vacant),
        "host": table.host,
        "turn_seconds": table.turn_seconds,
        "open_hands": table.open_hands,
        "needs_passcode": table.needs_passcode,
        "watchers": table.watchers,
        "seats": [
            {
                "seat": taken.seat,
                "name": taken.name,
                "kind": taken.kind.value,
                "bot": taken.bot,
                "connected": taken.seat in table.connected,
            }
            for taken in table.seats
        ],
    }
