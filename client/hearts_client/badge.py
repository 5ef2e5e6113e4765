"""What a table plays differently, in one line for lists and the top of the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Final

from hearts_engine.options import Reach
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.presets import DEFAULT_PRESET
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, write_option

STANDARD: Final = "Standard"

_STANDARD_GAME: Final = Rules()


def badge(rules: Rules) -> str:
    """``Omnibus · moon auto · to 50 · JD -10``; ``Standard`` for the standard game.

    The nearest preset, then what differs from it, then what it says itself that the standard
    game does not: a line that is cut short loses the least.
    """
    name, *overrides = format_rules(rules).split()
    title = STANDARD if name == DEFAULT_PRESET else name.replace("_", " ").title()
    here = [override.partition("=")[0] for override in overrides]
    changed = [option for option in _changed(rules) if option not in here]
    return " · ".join([title, *(_SAID[option](rules) for option in (*here, *changed))])


def _changed(rules: Rules) -> list[str]:
    """The options in which these rules are not those of the standard game."""
    options = [field.name for field in fields(Rules) if field.init]
    changed = [
        option
        for option in options
        if getattr(rules, option) != getattr(_STANDARD_GAME, option)
        and not (option == "pass_cycle" and rules.pass_cycle == usual_cycle(rules.players))
    ]
    return changed


def _passing(rules: Rules) -> str:
    if set(rules.pass_cycle) == {Direction.HOLD}:
        return "no pass"
    return f"pass {','.join(rules.pass_cycle)}"


def _removed(rules: Rules) -> str:
    return f"without {' '.join(map(str, rules.removed))}" if rules.removed else "whole pack"


def _extra(rules: Rules) -> str:
    return ", ".join(f"{card} {points}" for card, points in rules.extra_penalty) or "no other cards"


def _bonus(rules: Rules) -> str:
    return "no bonus" if rules.bonus is None else f"{rules.bonus.card} -{rules.bonus.points}"


def _target(rules: Rules) -> str:
    return f"to {rules.target}"


def _deals(rules: Rules) -> str:
    return "no end of deals" if rules.deals is None else f"deals {rules.deals}"


def _switch(yes: str, no: str, option: str) -> Callable[[Rules], str]:
    return lambda rules: yes if getattr(rules, option) else no


def _named(said: str, option: str) -> Callable[[Rules], str]:
    return lambda rules: f"{said} {write_option(getattr(rules, option)).replace('_', ' ')}"


_SAID: Final[dict[str, Callable[[Rules], str]]] = {
    "players": lambda rules: f"{rules.players} seats",
    "decks": lambda rules: f"{rules.decks} pack{'s' * (rules.decks > 1)}",
    "removed": _removed,
    "kitty": _named("kitty", "kitty"),
    "pass_count": lambda rules: f"pass {rules.pass_count}",
    "pass_cycle": _passing,
    "keep_top_spades": _switch("top spades stay", "top spades pass", "keep_top_spades"),
    "opening": _named("opening", "opening"),
    "first_trick": _named("first trick", "first_trick"),
    "first_forced": _named("first forced", "first_forced"),
    "must_break": _switch("hearts closed", "hearts open", "must_break"),
    "queen_breaks": _switch("QS breaks", "QS breaks nothing", "queen_breaks"),
    "queen_only_lead": _named("queen-only lead", "queen_only_lead"),
    "queen_dump": _named("queen dump", "queen_dump"),
    "twins": _named("twins", "twins"),
    "last_cancelled": _named("last cancelled", "last_cancelled"),
    "heart_value": _named("hearts", "heart_value"),
    "queen_value": lambda rules: f"QS {rules.queen_value}" if rules.queen_value else "no queen",
    "extra_penalty": _extra,
    "bonus": _bonus,
    "bonus_floor": _switch("bonus floor", "no bonus floor", "bonus_floor"),
    "no_tricks_bonus": lambda rules: f"no tricks -{rules.no_tricks_bonus}",
    "moon": _named("moon", "moon"),
    "moon_needs_bonus": _switch("moon needs bonus", "moon without bonus", "moon_needs_bonus"),
    "sun": _named("sun", "sun"),
    "target": _target,
    "reach": lambda rules: "beyond target" if rules.reach is Reach.GT else "at target",
    "deals": _deals,
    "exact": lambda rules: write_option(rules.exact).replace("_", " "),
    "tie": _named("tie", "tie"),
    "finish": _named("finish", "finish"),
}
"""How each option is said where it differs."""

assert list(_SAID) == [field.name for field in fields(Rules) if field.init], "every option is said"
