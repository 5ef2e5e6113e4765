"""How much a server lets in, as its operator says it."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from hearts_server.limits import BadLimit, Limits

F = TypeVar("F", bound=Callable[..., Any])


def limit_option(command: F) -> F:
    """``--limit NAME=VALUE``, as often as wanted: the server's limits, those set otherwise."""
    return click.option(
        "--limit",
        "limits",
        multiple=True,
        callback=_checked_limits,
        metavar="NAME=VALUE",
        help="Let in more or less, seats=8 say; an unknown NAME lists them all.",
    )(command)


def _checked_limits(_ctx: click.Context, _param: click.Parameter, texts: tuple[str, ...]) -> Limits:
    try:
        return reduce(Limits.but, texts, Limits())
    except BadLimit as error:
        raise click.BadParameter(str(error)) from error
