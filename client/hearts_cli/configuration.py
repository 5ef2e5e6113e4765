"""Where settings come from: what the command says, the environment, one file, or the default."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import click
import platformdirs

from hearts_cli.failures import BadInput
from hearts_client.settings import SETTINGS, BadSetting, Settings, setting_named

FILE_VARIABLE: Final = "HEARTS_CONFIG"
"""Names another file than the platform's."""


class Origin(Enum):
    """What decided a setting, the strongest first."""

    COMMAND = "the command"
    ENVIRONMENT = "the environment"
    FILE = "the file"
    DEFAULT = "the default"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Settings, and where each comes from."""

    settings: Settings
    origins: Mapping[str, Origin]


def settings_file() -> Path:
    """The one file of settings: the platform's, unless the environment names another."""
    named = os.environ.get(FILE_VARIABLE)
    return Path(named) if named else platformdirs.user_config_path("hearts-table") / "settings.toml"


def variable(setting: str) -> str:
    """The environment variable of a setting: ``HEARTS_THEME`` for ``theme``."""
    return f"HEARTS_{setting.upper()}"


def configured(said: Mapping[str, str] | None = None) -> Configuration:
    """All settings, with what the command ``said`` first.

    Raises ``BadInput`` where a source has what cannot be, and names it.
    """
    settings, origins = Settings(), dict.fromkeys(SETTINGS, Origin.DEFAULT)
    file = settings_file()
    sources: tuple[tuple[Origin, str, Mapping[str, str]], ...] = (
        (Origin.FILE, f"{file}: ", _read(file)),
        (Origin.ENVIRONMENT, "in the environment, ", _environment()),
        (Origin.COMMAND, "", {} if said is None else said),
    )
    for origin, where, words in sources:
        for name, word in words.items():
            try:
                settings = settings.with_word(name, word)
            except BadSetting as error:
                raise BadInput(f"{where}{error}") from error
            origins[name] = origin
    return Configuration(settings, origins)


def keep(name: str, word: str) -> None:
    """Write a setting into the file, and leave the rest of it as it is, comments too.

    Raises ``BadInput`` where the setting cannot be that or the file cannot be written.
    """
    # Imported here: only those who change a setting need it.
    import tomlkit  # noqa: PLC0415

    try:
        value = Settings().with_word(name, word)
    except BadSetting as error:
        raise BadInput(str(error)) from error
    file = settings_file()
    document = tomlkit.parse(_text(file))
    document[name] = getattr(value, name) if SETTINGS[name].is_switch else word
    try:
        _replace(file, tomlkit.dumps(document))
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {error.strerror}") from error


def kept_setting(name: str, word: str) -> str:
    """As :func:`keep`, for those who cannot be interrupted; what went wrong, or nothing."""
    try:
        keep(name, word)
    except BadInput as error:
        return error.message
    return ""


def said_settings(_ctx: click.Context, _param: click.Parameter, said: tuple[str, ...]) -> Settings:
    """What ``--set NAME=VALUE`` says, over the other sources; a callback for click."""
    words: dict[str, str] = {}
    for text in said:
        name, equals, word = text.partition("=")
        if not equals:
            raise click.BadParameter(f"write NAME=VALUE, like theme=felt, not {text!r}")
        try:
            words[setting_named(name).name] = word
            Settings().with_word(name, word)
        except BadSetting as error:
            raise click.BadParameter(str(error)) from error
    return configured(words).settings


def _environment() -> Mapping[str, str]:
    return {name: os.environ[variable(name)] for name in SETTINGS if variable(name) in os.environ}


def _read(file: Path) -> Mapping[str, str]:
    """The words in a file; none if there is no file."""
    try:
        found: Mapping[str, Any] = tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{file} is no TOML: {error}") from error
    return {name: _word(file, name, value) for name, value in found.items()}


def _word(file: Path, name: str, value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case str():
            return value
        case _:
            raise BadInput(f"{file}: write {name} as text in quotes, or true or false")


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file} cannot be read: {error}") from error


def _replace(file: Path, text: str) -> None:
    """Write the whole file at once, so that no half of it is ever there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.write(text)
        Path(name).replace(file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
