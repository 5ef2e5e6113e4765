"""The pages lead somewhere: links, commands, chores, options and dependencies exist."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from hearts_cli.main import main
from hearts_engine.errors import Reason
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
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
    verb, *arguments = line.split()
    with main.make_context("hearts", [verb]) as context:
        command = main.get_command(context, verb)
        assert command is not None, f"there is no hearts {verb}"
        command.make_context(verb, arguments, parent=context)


def test_the_readme_shows_every_verb() -> None:
    verbs = {line.split()[0] for line in _commands()}
    with main.make_context("hearts", ["play"]) as context:
        assert verbs == set(main.list_commands(context))


def test_the_rules_page_gives_every_option_and_its_standard_value() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \|.*\| `([^`]+)` \|$", _text(ROOT / "docs/rules.md"), re.MULTILINE
    )
    assert {name for name, _ in rows} == {
        "players",
        "pass_count",
        "pass_cycle",
        "target",
        "finish",
    }
    for name, value in rows:
        assert parse_rules(f"black_lady {name}={value}") == Rules()


def test_the_rules_page_shows_rules_in_the_text_that_is_read_back() -> None:
    (text,) = re.findall(r"`(black_lady \w+=[^`]+)`", _text(ROOT / "docs/rules.md"))
    assert format_rules(parse_rules(text)) == text


def test_the_rules_page_names_every_restriction_in_the_order_that_they_are_tried() -> None:
    named = re.findall(r"\| `([A-Z_]+)` \|$", _text(ROOT / "docs/rules.md"), re.MULTILINE)
    rules = Rules().restrictions
    tried = [*rules.opening_lead, *rules.first_trick, *rules.lead]
    assert [Reason(name) for name in named] == [restriction.reason for restriction in tried]


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
