"""Suits are shown as letters where the terminal says that their signs are two cells wide."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.output import DummyOutput

from hearts_cli import suitprobe
from hearts_cli.suitprobe import suits_are_narrow


@contextmanager
def terminal(
    monkeypatch: pytest.MonkeyPatch, width: int | None, typed: bytes = b""
) -> Generator[None, None, None]:
    """A terminal in which a sign takes so many cells; none: it does not say."""
    ours, theirs = pty.openpty()

    def answer() -> None:
        seen = b""
        try:
            while data := os.read(ours, 1024):
                seen += data
                while b"\x1b[6n" in seen:
                    seen = seen.partition(b"\x1b[6n")[2]
                    if width is not None:
                        os.write(ours, typed + b"\x1b[7;%dR" % (1 + width))
        except OSError:
            return  # the other end is closed

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    with os.fdopen(os.dup(theirs), "r") as keyboard, os.fdopen(theirs, "w") as screen:
        monkeypatch.setattr("sys.stdin", keyboard)
        monkeypatch.setattr("sys.stdout", screen)
        yield
    thread.join(5)
    os.close(ours)


@pytest.mark.parametrize("width", [1, 2])
def test_the_terminal_is_asked_and_believed(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    with terminal(monkeypatch, width):
        assert suits_are_narrow() is (width == 1)


def test_a_terminal_that_says_nothing_is_waited_for_no_longer_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(suitprobe, "SECONDS", 0.01)
    with terminal(monkeypatch, None):
        assert suits_are_narrow() is None


def test_what_is_typed_meanwhile_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        with terminal(monkeypatch, 1, typed=b"q"):
            assert suits_are_narrow()
        assert "".join(press.data for press in get_typeahead(keyboard)) == "qqqq"


def test_a_terminal_that_must_not_be_asked_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMPT_TOOLKIT_NO_CPR", "1")
    with terminal(monkeypatch, 1):
        assert suits_are_narrow() is None
