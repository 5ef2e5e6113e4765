"""How a server's log is written: an entry a line, for people or for programs."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from hearts_server.logbook import fields_in, trace_of

F = TypeVar("F", bound=Callable[..., Any])

LOG_NAME: Final = "hearts.log"

LEVELS: Final = ("debug", "info", "warning", "error")

_PLAIN: Final = re.compile(r"[\w.:/\[\]+-]+", re.ASCII)
"""What needs no quotes in a line for people."""


def log_options(command: F) -> F:
    """``--log-format`` and ``--log-level``: what is written to standard error, and how."""
    in_lines = click.option(
        "--log-format",
        type=click.Choice(tuple(FORMATTERS)),
        default="text",
        show_default=True,
        help="Of the log on standard error.",
    )
    from_level = click.option(
        "--log-level",
        type=click.Choice(LEVELS),
        default="warning",
        show_default=True,
        help="The least that is logged; no level names a card.",
    )
    return in_lines(from_level(command))


@contextmanager
def logged_to(
    handler: logging.Handler, log_format: str, log_level: str
) -> Generator[None, None, None]:
    """Hand everything logged in the block to a handler; of other libraries warnings only."""
    handler.setFormatter(FORMATTERS[log_format]())
    root, ours = logging.getLogger(), logging.getLogger("hearts_server")
    before = ours.level
    root.addHandler(handler)
    ours.setLevel(log_level.upper())
    try:
        yield
    finally:
        ours.setLevel(before)
        root.removeHandler(handler)
        handler.close()


def log_file(data: Path) -> logging.Handler:
    """The log of a server inside another command: a file, made when there is something to say."""
    return logging.FileHandler(data / LOG_NAME, encoding="utf-8", delay=True)


@contextmanager
def logged_to_file(data: Path) -> Generator[None, None, None]:
    """Keep what a server inside another command logs off the screen, which is for the game."""
    with logged_to(log_file(data), "text", "warning"):
        yield


class TextLines(logging.Formatter):
    """``2026-01-01T12:00:00.000Z INFO table_opened table=oak-1``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = _told(record)
        words = (str(told.pop("time")), str(told.pop("level")).upper(), str(told.pop("entry")))
        fields = (f"{name}={_value(value)}" for name, value in told.items() if name != "logger")
        return " ".join([*words, *fields])


class JsonLines(logging.Formatter):
    """An object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        return json.dumps(_told(record))


FORMATTERS: Final[dict[str, type[logging.Formatter]]] = {"text": TextLines, "json": JsonLines}


def _told(record: logging.LogRecord) -> dict[str, object]:
    """What a record says.

    Of an error only its kind and its way, and of what another library says only the first line:
    the words of errors, which asyncio quotes further down, may name cards.
    """
    moment = datetime.fromtimestamp(record.created, UTC)
    told: dict[str, object] = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "entry": record.getMessage().partition("\n")[0],
        **fields_in(vars(record)),
    }
    if record.exc_info and record.exc_info[1] is not None:
        told["trace"] = trace_of(record.exc_info[1])
    return told


def _value(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case float():
            return f"{value:.3f}"
        case str() if not _PLAIN.fullmatch(value):
            return json.dumps(value)
        case _:
            return str(value)
