"""`hearts replays`: the games there are."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from hearts_cli.address import Server
from hearts_cli.failures import run
from hearts_cli.games import games_in
from hearts_cli.options import data_option, json_option, server_option
from hearts_client.safetext import cleaned
from hearts_replays.summary import GameSummary

SHORT_ID = 12
"""Characters of a game's id in a list; enough to tell games apart and to name one."""


@click.command("replays")
@click.option("--all", "unfinished_too", is_flag=True, help="Unfinished games too.")
@server_option
@json_option
@data_option
def command(*, unfinished_too: bool, server: Server | None, as_json: bool, data: Path) -> None:
    """List finished games, the newest first."""
    sys.exit(run(_replays(data, server, unfinished_too=unfinished_too, as_json=as_json)))


async def _replays(
    data: Path, server: Server | None, *, unfinished_too: bool, as_json: bool
) -> int:
    async with games_in(data, server) as games:
        found = [game for game in await games.summaries() if game.sealed or unfinished_too]
    if as_json:
        click.echo(json.dumps([summary_json(game) for game in found], indent=2))
    else:
        for line in _lines(found):
            click.echo(line)
    return 0


def summary_json(game: GameSummary) -> dict[str, object]:
    """A game in a list for machines."""
    return {
        "game_id": game.game_id,
        "table": game.table,
        "opened": opened_at(game).isoformat(),
        "records": game.records,
        "rules": game.rules,
        "seats": [
            {"seat": taken.seat, "name": taken.name, "kind": taken.kind.value, "bot": taken.bot}
            for taken in game.seats
        ],
        "deals": game.deals,
        "totals": list(game.totals),
        "winners": list(game.winners),
        "finished": game.sealed,
        "closed": None if game.closed is None else game.closed.value,
        "head": game.head.hex(),
    }


def opened_at(game: GameSummary) -> datetime:
    """When a game was opened."""
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=game.opened_time)


def _lines(games: list[GameSummary]) -> Iterator[str]:
    if not games:
        yield "no finished games there; those played at a server: hearts replays --server HOST:PORT"
    for game in games:
        when = opened_at(game).astimezone().strftime("%Y-%m-%d %H:%M")
        deals = "1 deal" if game.deals == 1 else f"{game.deals} deals"
        rules = cleaned(game.rules)
        yield f"{game.game_id[:SHORT_ID]}  {when}  {rules}  {deals}  {_result(game)}"


def standings(game: GameSummary) -> str:
    """Who stands at what."""
    return ", ".join(f"{cleaned(taken.name)} {game.totals[taken.seat]}" for taken in game.seats)


def _result(game: GameSummary) -> str:
    if game.closed is not None:
        return f"{standings(game)}  (given up)"
    return standings(game) + ("" if game.sealed else "  (not finished)")
