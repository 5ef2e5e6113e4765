"""`hearts audit`: is this game what it says it is?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from hearts_cli.address import Server
from hearts_cli.failures import BadInput, run
from hearts_cli.games import game_called, games_in
from hearts_cli.keyring import known_keys
from hearts_cli.options import data_option, json_option, server_option
from hearts_replays.audit import audit, audit_file
from hearts_replays.finding import Kind
from hearts_replays.fingerprint import parse_fingerprint
from hearts_replays.report import Report, report_json, report_lines


@dataclass(frozen=True, slots=True)
class Audited:
    """One log and what was found."""

    name: str
    report: Report


@click.command("audit")
@click.argument("games", nargs=-1, metavar="[GAME|FILE]...")
@click.option("--all", "every", is_flag=True, help="Every game there is; running ones apart.")
@click.option("--key", metavar="FINGERPRINT", help="Require that this key sealed it.")
@server_option
@json_option
@data_option
def command(  # noqa: PLR0913  (one argument an option)
    *,
    games: tuple[str, ...],
    every: bool,
    key: str | None,
    server: Server | None,
    as_json: bool,
    data: Path,
) -> None:
    """Check framing, hash chain, seal, fairness and every single event.

    GAME is an id or the beginning of one, or the word last; FILE is a .hearts file. Exit code 0:
    clean; 1: a finding, of which a log that is not sealed is one; 2: not readable.
    """
    if every == bool(games):
        raise click.UsageError("either name games or files, or use --all")
    if key is not None:
        _require_fingerprint(key)
    sys.exit(run(_audit(games, key, server, as_json=as_json, data=data)))


async def _audit(
    names: tuple[str, ...], key: str | None, server: Server | None, *, as_json: bool, data: Path
) -> int:
    known = known_keys(data)
    files = [name for name in names if server is None and Path(name).is_file()]
    audited = [
        Audited(name, audit_file(Path(name), known_keys=known, required=key)) for name in files
    ]
    if len(files) < len(names) or not names:
        async with games_in(data, server) as games:
            if names:
                ids = [await game_called(games, name) for name in names if name not in files]
            else:
                ids = [*await games.ids()]
            for game_id in ids:
                log = await games.records(game_id)
                audited.append(Audited(game_id, audit(log, known_keys=known, required=key)))
    _print(audited, as_json=as_json, at_length=len(names) == 1)
    return _exit_code(audited, counts_running=bool(names))


def _print(audited: Sequence[Audited], *, as_json: bool, at_length: bool) -> None:
    if as_json:
        told = [{"name": each.name, **report_json(each.report)} for each in audited]
        click.echo(json.dumps(told, indent=2))
        return
    if at_length:
        for line in report_lines(audited[0].report):
            click.echo(line)
        return
    for each in audited:
        click.echo(f"{each.name}: {next(iter(report_lines(each.report)))}")
    clean = sum(each.report.clean for each in audited)
    unsealed = sum(each.report.unsealed for each in audited)
    wrong = len(audited) - clean - unsealed
    click.echo(f"{clean} clean, {unsealed} running or abandoned, {wrong} with a finding")


def _exit_code(audited: Sequence[Audited], *, counts_running: bool) -> int:
    findings = [each.report for each in audited if not each.report.clean]
    if any(r.finding is not None and r.finding.kind is Kind.UNREADABLE for r in findings):
        return 2
    return int(any(counts_running or not report.unsealed for report in findings))


def _require_fingerprint(text: str) -> None:
    try:
        parse_fingerprint(text)
    except ValueError as error:
        raise BadInput(f"--key: {error}") from error
