"""The rules of every preset, to read."""

from __future__ import annotations

from hearts_cli.front.hall import Hall
from hearts_cli.options import rules_line
from hearts_client.foyer.listing import Listing, Row
from hearts_client.foyer.reader import Reader
from hearts_client.rulesheet import sentences
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules


async def read_rules(hall: Hall) -> None:
    """Choose among the presets until the person goes back."""
    listing = Listing(
        "Rules",
        ("preset", "seats", "what is different"),
        tuple(
            Row((name, str(rules.players), rules_line(rules)), name)
            for name, rules in PRESETS.items()
        ),
    )
    while (name := await hall.foyer.show(listing)) is not None:
        await hall.foyer.show(_page(name, PRESETS[name]))


def _page(name: str, rules: Rules) -> Reader:
    told = (line for sentence in sentences(rules) for line in (f"- {sentence}", ""))
    return Reader(f"Rules of {name}", (rules_line(rules), "", *told))
