"""`hearts config`: settings, where each comes from, and how to change one."""

from __future__ import annotations

import json

import click

from hearts_cli.configuration import configured, keep, settings_file, variable
from hearts_cli.options import json_option
from hearts_cli.tablelist import aligned
from hearts_client.settings import SETTINGS


@click.group("config")
def command() -> None:
    """See and change settings.

    A command's --set NAME=VALUE is stronger than the variable HEARTS_NAME, and that than the file.
    """


@command.command("show")
@json_option
def show(*, as_json: bool) -> None:
    """List every setting: what it is, what decided that, and what else it can be."""
    found = configured()
    rows = [
        (name, found.settings.word(name), found.origins[name], setting)
        for name, setting in SETTINGS.items()
    ]
    if as_json:
        told = [
            {"name": name, "value": word, "from": origin.value, "can_be": list(setting.words)}
            for name, word, origin, setting in rows
        ]
        click.echo(json.dumps({"file": str(settings_file()), "settings": told}, indent=2))
        return
    for line in aligned(
        (name, word or '""', f"from {origin.value}", f"{setting.says}: {_choices(setting.words)}")
        for name, word, origin, setting in rows
    ):
        click.echo(line)
    click.echo(f"the file is {settings_file()}; change it by hearts config set NAME VALUE")


@command.command("set")
@click.argument("name")
@click.argument("value")
def set_one(*, name: str, value: str) -> None:
    """Write one setting into the file."""
    keep(name, value)
    found = configured()
    click.echo(f"{name} is {value} from now on")
    if found.settings.word(name) != value:
        click.echo(f"but {variable(name)} says {found.settings.word(name)}, which is stronger")


def _choices(words: tuple[str, ...]) -> str:
    """What it can be; not every order of four suits."""
    most = 6
    return f"{words[0]}, {words[1]} and so on" if len(words) > most else " ".join(words) or "text"
