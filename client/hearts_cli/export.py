"""`hearts export GAME -o FILE.hearts`: a game as a file to send to someone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from hearts_cli.address import Server
from hearts_cli.failures import BadInput, run
from hearts_cli.games import log_called
from hearts_cli.options import data_option, server_option, unfinished_option
from hearts_replays import format as files


@click.command("export")
@click.argument("game")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write, by custom NAME.hearts.",
)
@unfinished_option
@server_option
@data_option
def command(
    *, game: str, output: Path, unfinished: bool, server: Server | None, data: Path
) -> None:
    """Write GAME to a file that anyone can audit.

    GAME is an id or the beginning of one, or the word last.
    """
    sys.exit(run(_export(data, server, game, output, unfinished=unfinished)))


async def _export(
    data: Path, server: Server | None, game: str, output: Path, *, unfinished: bool
) -> int:
    found = await log_called(data, server, game, unfinished=unfinished)
    if found.damage is not None:
        raise BadInput(f"{game} is damaged: {found.damage}")
    write(output, found.records)
    click.echo(f"{output}: {len(found.records)} records")
    return 0


def write(output: Path, records: Sequence[bytes]) -> None:
    """Write a game's log to a file; ``BadInput`` where that cannot be."""
    try:
        files.save(output, records)
    except OSError as error:
        raise BadInput(f"{output} cannot be written: {error.strerror}") from error
