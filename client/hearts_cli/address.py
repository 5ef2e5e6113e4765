"""HOST:PORT, as people type it."""

from __future__ import annotations

import click

LOCAL = {"localhost": "127.0.0.1"}
"""Other names of the same place: a seat held there must be found again under either."""

HIGHEST_PORT = 65535


def checked_address(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """The address in the one form that seats are kept under; for ``callback=``."""
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) <= HIGHEST_PORT:
        raise click.BadParameter(f"{value!r} is no address, write HOST:PORT like 127.0.0.1:4246")
    return f"{LOCAL.get(host.lower(), host)}:{int(port)}"
