"""Passcodes: asked for or taken from the environment, never an argument that others could read."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from hearts_cli.terminal import Terminal
from hearts_client.lobby import TableInfo

F = TypeVar("F", bound=Callable[..., Any])

VARIABLE = "HEARTS_PASSCODE"


@dataclass(frozen=True, slots=True)
class Passcode:
    """Where the passcode of a table comes from."""

    asked_for: bool
    """Whether the person said that there is one."""

    async def given(self, terminal: Terminal) -> str:
        """The passcode that was set or is typed now; empty if there is to be none."""
        text = os.environ.get(VARIABLE, "")
        if text or not self.asked_for:
            return text
        if not terminal.can_ask:
            raise click.UsageError(f"nobody can be asked here: set {VARIABLE} instead")
        return await terminal.secret("passcode: ")

    async def of(self, table: TableInfo, terminal: Terminal) -> str:
        """The passcode that this table asks for, as far as it can be had; empty for none."""
        if not table.needs_passcode:
            return ""
        known = os.environ.get(VARIABLE, "")
        if known or not terminal.can_ask:
            return known
        return await terminal.secret(f"passcode of {table.name}: ")


def _passcode(_ctx: click.Context, _param: click.Parameter, asked_for: bool) -> Passcode:  # noqa: FBT001  (as click calls it)
    return Passcode(asked_for)


def passcode_option(command: F) -> F:
    """``--passcode``: a table has one, or is to have one."""
    return click.option(
        "--passcode",
        "passcode",
        is_flag=True,
        callback=_passcode,
        help=f"Ask for a passcode, of a table or for a new one (else {VARIABLE}).",
    )(command)
