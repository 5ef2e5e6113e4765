"""Options that several commands share."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

import click
import platformdirs

from hearts_bots.house import LEVELS
from hearts_cli.address import checked_server, tls_option
from hearts_cli.configuration import configured, said_settings
from hearts_client.cardnames import CardStyle
from hearts_client.rulebadge import badge_in
from hearts_client.settings import Settings
from hearts_engine.errors import BadRules
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.seating import LONGEST_NAME

F = TypeVar("F", bound=Callable[..., Any])

CLOCKS: Final = MappingProxyType({"15": 15, "30": 30, "45": 45, "90": 90, "none": 0})
"""What ``--clock`` takes, and the seconds for a card that it means; 0: as long as it takes."""


def default_folder() -> Path:
    """Where games are kept unless told otherwise: the platform's data folder."""
    return platformdirs.user_data_path("hearts-table")


def data_option(command: F) -> F:
    """``--data DIR``: where games, keys and seats are kept."""
    return click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        envvar="HEARTS_DATA",
        default=default_folder,
        help="Folder for games, keys and seats (else HEARTS_DATA, else the platform's).",
    )(command)


def json_option(command: F) -> F:
    """``--json``: for machines."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def server_option(command: F) -> F:
    """``--server INVITE``: look there instead of in the data folder; and ``--tls`` for it."""
    option = click.option(
        "--server",
        callback=checked_server,
        metavar="INVITE",
        help="Ask this server, an invite or HOST:PORT, instead of the data folder.",
    )
    return option(tls_option(command))


def unfinished_option(command: F) -> F:
    """``--unfinished``: games under way too, and all that is hidden in them."""
    return click.option(
        "--unfinished", is_flag=True, help="Even if the game is not over: this shows all hands."
    )(command)


def rules_option(command: F) -> F:
    """``--rules TEXT``: what a table plays by; none if it is not given."""
    return click.option(
        "--rules",
        callback=_checked_rules,
        metavar="TEXT",
        help="A preset and what differs from it, 'omnibus target=50'; see hearts rules.",
    )(command)


def target_option(command: F) -> F:
    """``--target N``: the points that end a game, whatever else its rules say."""
    return click.option("--target", type=int, help="Points that end the game, else by the rules.")(
        command
    )


def clock_option(help: str, usual: str | None = None) -> Callable[[F], F]:  # noqa: A002  (as click)
    """``--clock SECONDS``: how long a person has for a card; ``clock`` is none if not given."""
    return click.option(
        "--clock",
        type=click.Choice(list(CLOCKS)),
        callback=_clock_seconds,
        default=usual,
        show_default=usual is not None,
        help=help,
    )


def name_option(command: F) -> F:
    """``--name NAME``: what others see."""
    return click.option(
        "--name",
        callback=_checked_name,
        help="Your name, which others and logs will see (else as set, else your login name).",
    )(command)


def settings_option(command: F) -> F:
    """``--set NAME=VALUE``: all settings, with these over those of environment and file.

    It is read before the options whose defaults are settings.
    """
    return click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        callback=said_settings,
        is_eager=True,
        help="A setting for this time, like theme=felt; see hearts config show.",
    )(command)


def bots_option(command: F) -> F:
    """``--bots LEVEL``: how well house bots play."""
    return click.option(
        "--bots",
        type=click.Choice(LEVELS),
        callback=_checked_level,
        help="How well the house bots play, else as set by hearts config.",
    )(command)


def plain_option(command: F) -> F:
    """``--plain``: lines instead of a full screen; and ``--say``, cards in words there."""
    says = click.option(
        "--say",
        is_flag=True,
        expose_value=False,
        callback=_say,
        help="With --plain: cards in words, queen of spades.",
    )
    plain = click.option(
        "--plain", is_flag=True, help="Lines of text, for screen readers, scripts and pipes."
    )
    return plain(says(command))


def discovery_option(command: F) -> F:
    """``--no-discovery``: only what is on this machine."""
    return click.option(
        "--discovery/--no-discovery",
        default=True,
        help="Listen for servers on the local network, which is the default, or do not.",
    )(command)


def rules_to(rules: Rules | None, target: int | None) -> Rules:
    """These rules, standard if there are none, to this target if there is one.

    A target that cannot be played to is bad input.
    """
    asked = Rules() if rules is None else rules
    try:
        return asked if target is None else replace(asked, target=target)
    except BadRules as error:
        raise click.BadParameter(str(error), param_hint="--target") from error


def rules_line(rules: Rules) -> str:
    """What is different at a table, in words that any terminal can show."""
    return badge_in(rules, CardStyle.LETTERS)


def _clock_seconds(_ctx: click.Context, _param: click.Parameter, text: str | None) -> int | None:
    return None if text is None else CLOCKS[text]


def _checked_rules(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Rules | None:
    """The rules that a text says; checked before anything is opened for them."""
    try:
        return None if text is None else parse_rules(text)
    except BadRules as error:
        raise click.BadParameter(str(error)) from error


def _settings(ctx: click.Context) -> Settings:
    """The settings of a command, whether or not it takes ``--set``."""
    settings = ctx.params.get("settings")
    return settings if isinstance(settings, Settings) else configured().settings


def _say(ctx: click.Context, _param: click.Parameter, value: bool) -> None:  # noqa: FBT001  (as click calls it)
    if value:
        ctx.params["settings"] = replace(_settings(ctx), say=True)


def _checked_level(ctx: click.Context, _param: click.Parameter, level: str | None) -> str:
    return _settings(ctx).bots if level is None else level


def _checked_name(ctx: click.Context, _param: click.Parameter, name: str | None) -> str:
    """A name that every table takes; checked before anything is opened for it."""
    name = (_settings(ctx).name or own_name()) if name is None else name
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise click.BadParameter(f"write 1 to {LONGEST_NAME} printable characters")
    return name


def own_name() -> str:
    """The login name, as far as it can be shown."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError):  # no such user in this container
        name = ""
    shown = "".join(character for character in name if character.isprintable())
    return shown[:LONGEST_NAME] or "Guest"
