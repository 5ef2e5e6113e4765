"""How a command fails: a sentence, and an exit code that scripts can rely on.

0 done, 1 a finding, 2 bad usage or input, 3 the server cannot be reached or refuses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import click

E = TypeVar("E", bound=BaseException)


class BadInput(click.ClickException):
    """What was asked for makes no sense here."""

    exit_code = 2


class ServerFailure(click.ClickException):
    """The server cannot be reached, or refuses."""

    exit_code = 3


def run(main: Coroutine[Any, Any, int]) -> int:
    """The exit code of a command; a person who presses Ctrl-C has simply left."""
    try:
        return asyncio.run(main)
    except KeyboardInterrupt:
        click.echo("left; a game under way is kept")
        return 0
    except BaseExceptionGroup as group:
        # What a task group wraps is still the same failure for whoever reads the terminal.
        failure = first_of(group, click.ClickException)
        if failure is None:
            raise
        raise failure from group


def first_of(group: BaseExceptionGroup[BaseException], kind: type[E]) -> E | None:
    """The first error of a kind within a group, however deep."""
    for error in group.exceptions:
        found = first_of(error, kind) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, kind):
            return found
    return None
