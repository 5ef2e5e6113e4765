"""`hearts serve`: a table server, for this machine or for others too."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from dataclasses import replace
from pathlib import Path

import click

from hearts_cli.announcing import Announcing, announce_option, announced_if
from hearts_cli.failures import BadInput, run
from hearts_cli.house import house_in
from hearts_cli.limiting import limit_option
from hearts_cli.loglines import log_options, logged_to
from hearts_cli.metering import MetricsAddress, metered, metrics_options
from hearts_cli.options import (
    clock_option,
    data_option,
    rules_line,
    rules_option,
    rules_to,
    target_option,
)
from hearts_cli.securing import Entrance, join_commands, listening_lines, security_of
from hearts_client.trust import Tls
from hearts_engine.rules import Rules
from hearts_server.app import CannotListen, Listening
from hearts_server.limits import Limits
from hearts_server.plan import Plan
from hearts_server.policy import Policy
from hearts_server.summary import TableStatus

PORT = 4246

BOT_SECONDS = 20
"""What a bot has for a card, so that one that hangs holds nobody up for long."""


@click.command("serve")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0: everywhere."
)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option(
    "--tls",
    type=click.Choice([when.value for when in Tls]),
    default=Tls.AUTO.value,
    show_default=True,
    help="Encrypt; auto: unless only this machine can connect.",
)
@rules_option
@target_option
@clock_option("Seconds that a person has for a card, and twice that for a pass.", usual="45")
@limit_option
@data_option
@announce_option
@log_options
@metrics_options
def command(  # noqa: PLR0913  (one argument an option)
    *,
    host: str,
    port: int,
    tls: str,
    rules: Rules | None,
    target: int | None,
    clock: int,
    limits: Limits,
    data: Path,
    announcing: Announcing,
    log_format: str,
    log_level: str,
    metrics_host: str,
    metrics_port: int | None,
) -> None:
    """Run a table server until it is told to stop.

    One table is open from the start, for the first who join. It and all tables for which nothing
    else is asked play by --rules and --clock.
    """
    entrance = Entrance(host, port, security_of(host, Tls(tls), data), announcing)
    metrics = MetricsAddress(metrics_host, metrics_port)
    policy = Policy(
        resumes=True,
        usual_rules=rules_to(rules, target),
        turn_seconds=clock,
        bot_seconds=BOT_SECONDS,
        limits=limits,
    )
    with logged_to(logging.StreamHandler(), log_format, log_level):
        sys.exit(run(_serve(entrance, policy, data, metrics)))


async def _serve(entrance: Entrance, policy: Policy, data: Path, metrics: MetricsAddress) -> int:
    """Serve by a policy, which takes up games only where the data folder is this process's."""
    stop = _told_to_stop()
    async with house_in(data) as house:
        if not house.owner:
            click.echo("another process owns this data folder: its unfinished games are left to it")
        policy = replace(policy, resumes=house.owner)
        try:
            async with (
                entrance.serving(house.premises, policy) as listening,
                metered(listening, house.premises.meters, metrics),
            ):
                await _open_table(listening)
                async with announced_if(entrance.announcing, listening, house.premises.clock):
                    await stop.wait()
                    click.echo("stopping")
        except CannotListen as error:
            raise BadInput(str(error)) from error
    click.echo("stopped; games under way are kept")
    return 0


async def _open_table(listening: Listening) -> None:
    for line in listening_lines(listening):
        click.echo(line)
    tables = await listening.lobby.summaries()
    for table in tables:
        status = table.status.name.lower()
        click.echo(f"table {table.name} ({rules_line(table.rules)}): {status}, taken up again")
    if not any(table.status is TableStatus.SEATING for table in tables):
        opened, _ = await listening.lobby.create(Plan(start_when_full=True))
        name = opened.facts.name
        click.echo(f"table {name} ({rules_line(opened.journal.state.game.rules)}) is open")
        for line in join_commands(listening, name):
            click.echo(f"to sit down: {line}")


def _told_to_stop() -> asyncio.Event:
    """Set by the signals that end a server; from here on they end nothing by themselves."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
