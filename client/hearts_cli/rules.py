"""`hearts rules`: what can be played here, and what the rules of a table are in sentences."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields

import click

from hearts_cli.failures import BadInput
from hearts_cli.options import json_option, rules_line
from hearts_client.rulesheet import sentences
from hearts_engine.errors import BadRules
from hearts_engine.options import CardPoints
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules, write_option

NO_WRAPPING = 10_000
"""Columns for text that goes to a pipe, where a sentence is a line."""

NARROWEST = 20
"""Columns of text that there are in any case."""


@click.group("rules")
def command() -> None:
    """List the presets, or say the rules of one table.

    Rules are a preset's name and what differs from it: omnibus moon=auto target=50.
    """


@command.command("list")
@json_option
def list_presets(*, as_json: bool) -> None:
    """List the presets, each with what is different in it."""
    if as_json:
        told = [{"preset": name, **_facts(rules)} for name, rules in PRESETS.items()]
        click.echo(json.dumps(told, indent=2))
        return
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        click.echo(_wrapped(f"{name:{width}}  {rules.players} seats  ", rules_line(rules)))
    click.echo("what differs can be added: hearts rules show cancellation players=10 target=50")


@command.command("show")
@click.argument("words", nargs=-1, metavar="[PRESET] [OPTION=VALUE]...")
@json_option
def show(*, words: tuple[str, ...], as_json: bool) -> None:
    """Say the rules of one table in sentences.

    Without PRESET they are those of the standard game.
    """
    try:
        rules = parse_rules(" ".join(words))
    except BadRules as error:
        raise BadInput(str(error)) from error
    if as_json:
        told = {**_facts(rules), "options": _options(rules), "sentences": sentences(rules)}
        click.echo(json.dumps(told, indent=2))
        return
    for line in _lines(rules):
        click.echo(line)


def _lines(rules: Rules) -> Iterator[str]:
    yield rules_line(rules)
    for sentence in sentences(rules):
        yield _wrapped("- ", sentence)
    yield f"rules: {format_rules(rules)}"


def _wrapped(beginning: str, text: str) -> str:
    """A text in lines as wide as the terminal, those after the first below its own first word."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else NO_WRAPPING
    return textwrap.fill(
        text,
        max(columns, len(beginning) + NARROWEST),
        initial_indent=beginning,
        subsequent_indent=" " * len(beginning),
        break_on_hyphens=False,
    )


def _facts(rules: Rules) -> dict[str, object]:
    """What follows from rules, for machines."""
    return {
        "text": format_rules(rules),
        "badge": rules_line(rules),
        "players": rules.players,
        "cards": len(rules.deck),
        "hand_size": rules.hand_size,
        "kitty_size": rules.kitty_size,
        "penalty_total": rules.penalty_total,
    }


def _options(rules: Rules) -> dict[str, object]:
    """Every option by its name, for machines; cards and their points as they are typed."""
    return {each.name: _plain(getattr(rules, each.name)) for each in fields(rules) if each.init}


def _plain(value: object) -> object:
    text = write_option(value)
    match value:
        case None | bool() | int():
            return value
        case ():
            return []
        case tuple() if not isinstance(value, CardPoints):
            return text.split(",")
        case _:
            return text
