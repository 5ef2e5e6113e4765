"""`hearts replay GAME`: a game as text."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hearts_cli.failures import run
from hearts_cli.games import log_called
from hearts_cli.options import data_option, server_option
from hearts_replays.transcript import transcript


@click.command("replay")
@click.argument("game")
@server_option
@data_option
def command(*, game: str, server: str | None, data: Path) -> None:
    """Print GAME: hands, passes, every trick, scores.

    GAME is an id or the beginning of one, the word last, or a .hearts file.
    """
    sys.exit(run(_replay(data, server, game)))


async def _replay(data: Path, server: str | None, game: str) -> int:
    for line in transcript(await log_called(data, server, game)):
        click.echo(line)
    return 0
