"""The fields of a form in which rules are chosen: a preset, and what differs from it."""

from __future__ import annotations

from hearts_cli.options import rules_line
from hearts_client.foyer.form import Field, Told, Words
from hearts_engine.errors import BadRules
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules


def rule_fields() -> tuple[Field, ...]:
    """Standard rules to begin with."""
    first, *_ = PRESETS
    return (
        Field("preset", "rules", first, tuple(PRESETS), "Left and Right for others"),
        Field("changes", "but with", "", says="such as target=50 moon=choose"),
    )


def asked_rules(words: Words) -> Rules:
    """The rules that the fields say; raises ``BadRules``."""
    return parse_rules(f"{words['preset']} {words['changes']}")


def rules_told(words: Words) -> Told:
    """What these rules are in a line, or why nobody can play by them."""
    try:
        rules = asked_rules(words)
    except BadRules as error:
        return Told(trouble=str(error))
    return Told((f"{rules.players} seats: {rules_line(rules)}",))
