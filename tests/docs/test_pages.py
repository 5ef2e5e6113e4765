"""The pages lead somewhere: links, commands, chores, options and dependencies exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from dataclasses import fields
from enum import StrEnum
from pathlib import Path

import click
import pytest

from hearts_cli.main import main
from hearts_engine.cardset import ALL_CARDS
from hearts_engine.errors import Reason
from hearts_engine.legality import Binding, Restrictions
from hearts_engine.options import Opening
from hearts_engine.passing import usual_cycle
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "deploy" / "README.md"])
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
COMMAND = re.compile(r"^(?:\.venv/bin/)?hearts ((?:[^#\n]|#(?! ))*)", re.MULTILINE)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _anchors(path: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _text(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_link_of_a_page_leads_to_something(page: Path) -> None:
    for target, anchor in LINK.findall(_text(page)):
        if target.startswith("http"):
            continue
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{target} is not there"
        if anchor:
            assert anchor in _anchors(path), f"{target}#{anchor} is not there"


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_chore_that_a_page_names_is_in_the_makefile(page: Path) -> None:
    chores = set(re.findall(r"(?:`|^)make ([a-z-]+)", _text(page), re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", _text(ROOT / "Makefile"), re.MULTILINE))
    assert chores <= targets


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_code_within_a_sentence_can_be_copied_from_one_line(page: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", _text(page), flags=re.MULTILINE | re.DOTALL)
    assert [line for line in prose.splitlines() if line.count("`") % 2] == []


def test_make_alone_lists_every_chore_with_what_it_does() -> None:
    # Without its directory, which make names when the tests themselves are run by make.
    quiet = ["make", "--no-print-directory"]
    listed = subprocess.run(quiet, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (phony,) = re.findall(r"^\.PHONY: (.*)$", _text(ROOT / "Makefile"), re.MULTILINE)
    named = [line.split()[:2] for line in listed.splitlines() if len(line.split()) > 2]
    assert named == [["make", chore] for chore in phony.split()]


def _commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", _text(ROOT / "README.md"), re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in COMMAND.findall(block)]


@pytest.mark.parametrize("line", _commands())
def test_a_command_in_the_readme_can_be_typed(line: str) -> None:
    verb, *arguments = shlex.split(line)
    with main.make_context("hearts", [verb]) as context:
        _require_typeable(context, verb, arguments)


def _require_typeable(parent: click.Context, verb: str, arguments: list[str]) -> None:
    """Raise what the user would see if this command, or one below it, cannot be called so."""
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, verb)
    assert command is not None, f"there is no {parent.command_path} {verb}"
    with command.make_context(verb, list(arguments), parent=parent) as context:
        if isinstance(command, click.Group):
            assert arguments, f"{context.command_path} needs more words"
            _require_typeable(context, arguments[0], arguments[1:])


def test_the_readme_shows_every_verb() -> None:
    verbs = {line.split()[0] for line in _commands()}
    with main.make_context("hearts", ["play"]) as context:
        assert verbs == set(main.list_commands(context))


RULES_PAGE = _text(ROOT / "docs" / "rules.md")
SEATS_IN_WORDS = (
    (4, "four seats"),
    (5, "five"),
    (6, "six"),
    (3, "three and with seven to ten"),
)
"""The order and the words in which the page goes through the numbers of seats."""
OPTION = re.compile(r"^\| `(\w+)` \| (.*) \| (?:`([^`]+)`|by seats, below) \|$", re.MULTILINE)
PRESET = re.compile(r"^\| `(\w+)` \| (?:`([^|`]*=[^|`]*)`|nothing)[^|]* \|$", re.MULTILINE)


def test_the_rules_page_gives_every_option_and_its_standard_value() -> None:
    rows = OPTION.findall(RULES_PAGE)
    assert [name for name, _, _ in rows] == [each.name for each in fields(Rules) if each.init]
    for name, _, value in rows:
        if name != "pass_cycle":
            assert parse_rules(f"black_lady {name}={value}") == Rules()


def test_the_rules_page_gives_every_value_of_an_option_that_is_a_choice() -> None:
    chosen = 0
    for name, values, _ in OPTION.findall(RULES_PAGE):
        standard = getattr(Rules(), name)
        if isinstance(standard, StrEnum):
            assert re.findall(r"`(\w+)`", values) == list(type(standard)), name
            chosen += 1
    assert chosen > 10


def test_the_rules_page_gives_the_usual_pass_cycle_of_every_number_of_seats() -> None:
    (said,) = re.findall(r"The usual pass cycle is (.*?)\. ", RULES_PAGE, re.DOTALL)
    cycles = re.findall(r"`([a-z0-9,]+)` with ([a-z ]+)", said.replace("\n", " "))
    assert [(",".join(usual_cycle(seats)), words) for seats, words in SEATS_IN_WORDS] == cycles
    assert {usual_cycle(seats) for seats in (3, 7, 8, 9, 10)} == {usual_cycle(3)}


def test_the_rules_page_gives_every_preset_by_what_it_changes() -> None:
    section = RULES_PAGE[RULES_PAGE.index("\n## Presets") :]
    rows = PRESET.findall(section)
    assert [name for name, _ in rows] == list(PRESETS)
    for name, overrides in rows:
        assert parse_rules(f"black_lady {overrides}") == PRESETS[name], name


def test_the_rules_page_shows_rules_in_the_text_that_is_read_back() -> None:
    (text,) = re.findall(r"a text such as `([^`]+)`", RULES_PAGE)
    assert format_rules(parse_rules(text)) == text


@pytest.mark.parametrize("opening", Opening)
def test_the_rules_page_names_every_restriction_in_the_order_that_they_are_tried(
    opening: Opening,
) -> None:
    named = re.findall(r"\| `([A-Z_]+)` \|$", RULES_PAGE, re.MULTILINE)
    every = f"black_lady opening={opening} first_forced=queen queen_dump=first_chance"
    for binding in _situations(parse_rules(every).restrictions):
        tried = [restriction.reason for restriction in binding.restrictions]
        assert tried == [Reason(name) for name in named if Reason(name) in tried]


def test_the_rules_page_names_no_restriction_that_there_is_not() -> None:
    named = re.findall(r"\| `([A-Z_]+)` \|$", RULES_PAGE, re.MULTILINE)
    every = (
        f"black_lady opening={opening} first_forced=queen queen_dump=first_chance"
        for opening in Opening
    )
    tried = {
        restriction.reason
        for text in every
        for binding in _situations(parse_rules(text).restrictions)
        for restriction in binding.restrictions
    }
    assert tried == set(map(Reason, named))


def _situations(rules: Restrictions) -> list[Binding]:
    """What binds a seat, in every situation that makes a difference."""
    return [
        rules.leading(ALL_CARDS, first_trick=True, hearts_broken=False),
        rules.lead,
        *rules.first_trick,
        *rules.follow,
        rules.first_under_top_spade,
        rules.under_top_spade,
    ]


def test_the_readme_counts_the_options_that_there_are() -> None:
    (said,) = re.findall(r"\[(\d+) options\]\(docs/rules.md#options\)", _text(ROOT / "README.md"))
    assert int(said) == len(OPTION.findall(RULES_PAGE))


def test_every_dependency_has_its_reason_on_record() -> None:
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))["project"]
    wanted: list[str] = list(project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted += extra
    page = _text(ROOT / "docs" / "decisions" / "0002-dependencies.md")
    names = {re.split(r"[\[<>=!~;]", line)[0].strip() for line in wanted}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_decisions_are_numbered_in_order_and_say_what_and_why() -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    for path in records:
        number = int(path.name[:4])
        assert _text(path).startswith(f"# {number}. ")
    assert len({path.name[:4] for path in records}) == len(records)
