"""`hearts replay GAME`: a game as text."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hearts_cli.address import Server
from hearts_cli.failures import run
from hearts_cli.games import log_called
from hearts_cli.options import data_option, server_option, unfinished_option
from hearts_replays.transcript import transcript


@click.command("replay")
@click.argument("game")
@unfinished_option
@server_option
@data_option
def command(*, game: str, unfinished: bool, server: Server | None, data: Path) -> None:
    """Print GAME: hands, passes, every trick, scores.

    GAME is an id or the beginning of one, the word last, or a .hearts file.
    """
    sys.exit(run(_replay(data, server, game, unfinished=unfinished)))


async def _replay(data: Path, server: Server | None, game: str, *, unfinished: bool) -> int:
    found = await log_called(data, server, game, unfinished=unfinished)
    if found.damage is not None:
        click.echo(f"damaged, and shown as far as it goes: {found.damage}")
    for line in transcript(found.records):
        click.echo(line)
    return 0 if found.damage is None else 1
