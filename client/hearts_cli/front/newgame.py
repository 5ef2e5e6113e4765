"""A game against house bots: what is played, and how well they play."""

from __future__ import annotations

from dataclasses import replace

from hearts_bots.house import LEVELS
from hearts_cli.front.hall import Hall
from hearts_cli.front.rulefields import asked_rules, rule_fields, rules_told
from hearts_cli.options import own_name
from hearts_cli.play import Resume, Wish, play
from hearts_client.foyer.form import Field, Form
from hearts_engine.rules import Rules


async def play_at_home(hall: Hall) -> None:
    """Ask what is to be played, and play it."""
    level = Field("bots", "house bots", hall.settings.bots, LEVELS, "how well they play")
    page = Form("A game against house bots", (*rule_fields(), level), "Play", rules_told)
    words = await hall.foyer.show(page)
    if words is not None:
        await play(_wish(hall, asked_rules(words), words["bots"]), hall.terminal)


async def go_on_at_home(hall: Hall) -> None:
    """Go on with the game that was broken off."""
    wish = _wish(hall, Rules(), hall.settings.bots)
    await play(replace(wish, resume=Resume.GO_ON), hall.terminal)


def _wish(hall: Hall, rules: Rules, bots: str) -> Wish:
    return Wish(
        rules=rules,
        name=hall.settings.name or own_name(),
        seed=None,
        bots=bots,
        auto=False,
        data=hall.data,
        resume=Resume.KEEP,
    )
