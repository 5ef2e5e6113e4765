"""Where settings come from, and the command that shows and changes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hearts_cli.configuration import Origin, configured, keep, kept_setting
from hearts_cli.failures import BadInput
from hearts_cli.main import main
from hearts_client.settings import SETTINGS, PaceName, Theme


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "hearts" / "settings.toml"
    monkeypatch.setenv("HEARTS_CONFIG", str(path))
    for name in SETTINGS:
        monkeypatch.delenv(f"HEARTS_{name.upper()}", raising=False)
    return path


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)


def hearts(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_the_command_is_stronger_than_the_environment_and_that_than_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(file, 'theme = "felt"\npace = "slow"\nmouse = true\n')
    monkeypatch.setenv("HEARTS_PACE", "fast")
    monkeypatch.setenv("HEARTS_THEME", "light")
    found = configured({"theme": "mono"})
    assert (found.settings.theme, found.settings.pace) == (Theme.MONO, PaceName.FAST)
    assert found.settings.mouse
    origins = [found.origins[name] for name in ("theme", "pace", "mouse", "bell")]
    assert origins == [Origin.COMMAND, Origin.ENVIRONMENT, Origin.FILE, Origin.DEFAULT]


def test_what_is_kept_leaves_the_rest_of_the_file_as_its_owner_wrote_it(file: Path) -> None:
    write(file, '# mine\ntheme = "felt"  # green\nbell = "turn"\n')
    keep("theme", "mono")
    keep("mouse", "on")
    assert file.read_text() == '# mine\ntheme = "mono"  # green\nbell = "turn"\nmouse = true\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('theme = "red"', "theme can be auto, felt, light, blind or mono, not 'red'"),
        ('colour = "red"', "there is no setting 'colour'"),
        ("pace = 3", "write pace as text in quotes"),
        ("pace =", "is no TOML"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong_in_it(
    file: Path, text: str, sentence: str
) -> None:
    write(file, text)
    found = hearts("config", "show")
    assert found.exit_code == 2
    assert sentence in found.output
    assert str(file) in found.output


def test_a_wrong_setting_is_not_written(file: Path) -> None:
    with pytest.raises(BadInput):
        keep("pace", "quick")
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_told_and_ends_nothing(file: Path) -> None:
    file.parent.write_text("a file where the folder should be")
    assert "cannot be" in kept_setting("pace", "fast")


def test_each_setting_is_shown_with_where_it_comes_from(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(file, 'pace = "slow"\n')
    monkeypatch.setenv("HEARTS_BELL", "queen")
    shown = hearts("config", "show").output
    assert [line.split()[:4] for line in shown.splitlines() if line.startswith("pace ")] == [
        ["pace", "slow", "from", "the"]
    ]
    told = json.loads(hearts("config", "show", "--json").output)
    assert told["file"] == str(file)
    by_name = {setting["name"]: setting for setting in told["settings"]}
    assert set(by_name) == set(SETTINGS)
    assert by_name["pace"]["from"] == "the file"
    assert by_name["bell"]["from"] == "the environment"
    assert by_name["theme"] == {
        "name": "theme",
        "value": "auto",
        "from": "the default",
        "can_be": ["auto", "felt", "light", "blind", "mono"],
    }


def test_whoever_sets_what_something_stronger_overrides_is_told_so(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEARTS_PACE", "fast")
    said = hearts("config", "set", "pace", "slow").output
    assert "but HEARTS_PACE says fast, which is stronger" in said
    assert 'pace = "slow"' in file.read_text()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [("theme", "write NAME=VALUE"), ("theme=red", "theme can be"), ("them=red", "no setting")],
)
def test_a_setting_that_a_command_gets_wrong_is_bad_usage(said: str, sentence: str) -> None:
    found = hearts("play", "--auto", "--set", said)
    assert found.exit_code == 2
    assert sentence in found.output
