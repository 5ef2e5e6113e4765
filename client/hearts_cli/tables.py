"""`hearts tables`: where one could sit down."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from hearts_cli.address import Server, checked_server, tls_asked, tls_option
from hearts_cli.failures import ServerFailure, run
from hearts_cli.options import data_option, discovery_option, json_option
from hearts_cli.surroundings import Search
from hearts_cli.tablelist import aligned, server_line, table_json, table_rows
from hearts_client.connection import ServerError
from hearts_client.discovery import ServerTables, tables_at


@click.command("tables")
@click.argument("server", required=False, callback=checked_server, metavar="[INVITE]")
@tls_option
@discovery_option
@json_option
@data_option
def command(*, server: Server | None, discovery: bool, as_json: bool, data: Path) -> None:
    """List the tables of the server behind an INVITE, or at HOST:PORT.

    Without one, those of the local network and of this machine.
    """
    search = Search(data, tls_asked(click.get_current_context()), discovery=discovery)
    sys.exit(run(_tables(server or search, data, as_json=as_json)))


async def _tables(at: Server | Search, data: Path, *, as_json: bool) -> int:
    found = await (_of_all(at) if isinstance(at, Search) else _of_one(at, data))
    if as_json:
        listed = [table_json(each, table) for each in found for table in each.tables]
        click.echo(json.dumps(listed, indent=2))
    else:
        for line in _lines(found):
            click.echo(line)
    return 0


async def _of_one(server: Server, data: Path) -> tuple[ServerTables, ...]:
    try:
        tables = await tables_at(server.invite, server.trust(data))
    except ServerError as error:
        raise ServerFailure(error.message) from error
    return (ServerTables("", server.invite, tables),)


async def _of_all(search: Search) -> tuple[ServerTables, ...]:
    around = await search.surroundings()
    if not around.servers:
        raise ServerFailure(search.nothing_in(around))
    return around.servers


def _lines(servers: Iterable[ServerTables]) -> Iterator[str]:
    for server in servers:
        yield server_line(server)
        if not server.tables:
            yield "  no table is open"
        for line in aligned(table_rows(server.tables)):
            yield f"  {line}"
