"""All settings on one page."""

from __future__ import annotations

from dataclasses import replace

from hearts_cli.configuration import Origin, configured, keep, settings_file, variable
from hearts_cli.front.hall import Hall
from hearts_client.foyer.form import Field, Form, Told, Words
from hearts_client.settings import SETTINGS, BadSetting, Settings


async def set_up(hall: Hall) -> Hall:
    """Change settings and keep them; the hall as it looks from now on."""
    page = Form("Settings", _fields(hall.settings), "Keep these", _judged)
    words = await hall.foyer.show(page)
    if words is None:
        return hall
    for name, word in words.items():
        if word != hall.settings.word(name):
            keep(name, word)
    return replace(hall, settings=_read(words))


def _fields(settings: Settings) -> tuple[Field, ...]:
    return tuple(
        Field(name, name, settings.word(name), setting.words, setting.says)
        for name, setting in SETTINGS.items()
    )


def _read(words: Words) -> Settings:
    settings = Settings()
    for name, word in words.items():
        settings = settings.with_word(name, word)
    return settings


def _judged(words: Words) -> Told:
    """Where they are kept, and what is stronger than that."""
    try:
        _read(words)
    except BadSetting as error:
        return Told(trouble=str(error))
    origins = configured().origins
    stronger = [variable(name) for name in words if origins[name] is Origin.ENVIRONMENT]
    told: tuple[str, ...] = (f"they are kept in {settings_file()}",)
    if stronger:
        told = (*told, f"the environment is stronger next time: {', '.join(stronger)}")
    return Told(told)
