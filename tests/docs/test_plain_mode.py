"""The page on plain mode names every word that a line can begin with, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_client.plain.commands import HELP_LINES, read_command
from hearts_client.tablewords import Misread

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "plain-mode.md").read_text(encoding="utf-8")
CLIENT = ROOT / "client" / "hearts_client"
SPEAKERS = (
    *(CLIENT / f"{name}.py" for name in ("announce", "attendance", "company", "passing")),
    *sorted((CLIENT / "plain").glob("*.py")),
)
WORD = re.compile(r"([A-Z]{3,})(?: |$)")


def texts_in(tree: ast.AST) -> Iterator[str]:
    """The beginnings of all texts in a module, docstrings apart."""
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
                yield text
            case ast.Constant(value=str(text)):
                yield text
            case _:
                pass


def spoken() -> set[str]:
    found = set[str]()
    for path in SPEAKERS:
        for text in texts_in(ast.parse(path.read_text(encoding="utf-8"))):
            word = WORD.match(text)
            if word is not None and "\n" not in text:
                found.add(word[1])
    return found - {"NAME"}  # in a line of help


def listed() -> set[str]:
    section = PAGE.partition("## Lines")[2].partition("## What can be typed")[0]
    first_cells = (line.split("|")[1] for line in section.splitlines() if line.startswith("| `"))
    return {words.split()[0] for cell in first_cells for words in re.findall(r"`([^`]+)`", cell)}


def test_every_word_that_a_line_begins_with_is_on_the_page_and_no_other() -> None:
    assert listed() == spoken()


COMMANDS = re.findall(
    r"`([a-z][^`]*)`", PAGE.partition("| line | what |")[2].partition("## From a pipe")[0]
)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_page_says_can_be_typed_is_understood(command: str) -> None:
    line = command.replace("NAME", "west").replace("TEXT", "hello")
    assert not isinstance(read_command(line), Misread | None)


def test_no_command_of_the_help_is_missing_from_the_page() -> None:
    verbs = {line.split(" - ")[0] for line in HELP_LINES if " - " in line}
    words = {word for verb in verbs for word in re.findall(r"\b[a-z]{3,}\b", verb)}
    assert words <= set(re.findall(r"\b[a-z]{3,}\b", " ".join(COMMANDS)))
