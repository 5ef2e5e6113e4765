"""The `hearts` command: one small module a verb, imported only when it is used."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import MappingProxyType

import click

# What gRPC itself has to say would stand between our own sentences, which say the same better.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
# Names are looked up as everywhere else on this machine: its hosts file, and .local by mDNS.
os.environ.setdefault("GRPC_DNS_RESOLVER", "native")

VERBS = MappingProxyType(
    {
        "play": "Play against house bots, here and now.",
        "serve": "Run a table server.",
        "health": "Ask a server whether it takes calls.",
        "join": "Sit down at a server's table.",
        "watch": "Watch a table without sitting down.",
        "tables": "List the tables on the local network, or of one server.",
        "replays": "List finished games.",
        "replay": "Print a game as text.",
        "export": "Write a game to a .hearts file.",
        "rules": "List the presets, or say a table's rules in sentences.",
        "config": "See and change settings.",
        "audit": "Check games: the deal, every card, the score, the seal.",
    }
)


class Verbs(click.Group):
    """Commands by name, whose modules are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs, in the order in which someone new would want them."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command behind a verb, or none."""
        del ctx
        if cmd_name not in VERBS:
            return None
        command = import_module(f"hearts_cli.{cmd_name}").command
        assert isinstance(command, click.Command), "every verb's module has a command"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing what is behind them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="hearts-table", prog_name="hearts")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Hearts: play, host, replay and audit, from a terminal.

    Without a command, a menu of what there is to do.
    """
    if ctx.invoked_subcommand is not None:
        return
    dumb = os.environ.get("TERM", "") in ("", "dumb")
    if dumb or not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return
    # Imported here, as every verb is.
    from hearts_cli.front.command import open_door  # noqa: PLC0415

    open_door()
