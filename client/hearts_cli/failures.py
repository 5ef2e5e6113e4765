"""How a command fails: a sentence, and an exit code that scripts can rely on.

0 done, 1 a finding, 2 bad usage or input, 3 the server cannot be reached or refuses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from typing import Any

import click

Failure = click.ClickException | BrokenPipeError
"""What ends a command, told by click."""


class BadInput(click.ClickException):
    """What was asked for makes no sense here."""

    exit_code = 2


class ServerFailure(click.ClickException):
    """The server cannot be reached, or refuses."""

    exit_code = 3


def run(main: Coroutine[Any, Any, int]) -> int:
    """The exit code of a command; a person who presses Ctrl-C has simply left.

    So has one who ends the input at a question. A failure that a task group has wrapped is
    unwrapped: it is the same for whoever reads it. So is a pipe that nobody reads any more, at
    which click ends quietly.
    """
    try:
        with unwrapped():
            return asyncio.run(main)
    except (KeyboardInterrupt, click.Abort):
        click.echo("left; a game under way is kept")
        return 0


@contextmanager
def unwrapped() -> Generator[None, None, None]:
    """A failure that task groups have wrapped leaves the block as itself."""
    try:
        yield
    except BaseExceptionGroup as group:
        failures = group.subgroup(click.ClickException) or group.subgroup(BrokenPipeError)
        if failures is None:
            raise
        raise _first(failures) from group


def _first(group: BaseExceptionGroup[Failure]) -> Failure:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
