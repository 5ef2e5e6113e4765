"""What differs from the standard game at a table, on one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from hearts_client.cardnames import CardStyle, restyled
from hearts_client.passing import DIRECTION_WORDS
from hearts_engine.options import (
    Exact,
    Finish,
    FirstForced,
    FirstTrick,
    HeartValue,
    Kitty,
    LastCancelled,
    Moon,
    Opening,
    QueenDump,
    QueenOnlyLead,
    Reach,
    Tie,
    Twins,
)
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules

STANDARD: Final = "Standard"
"""The badge of the standard game."""

_KEPT: Final = 32
"""Rules whose badge is kept: a screen shows one again with every drawing."""

BETWEEN: Final = " · "
"""What stands between the parts of a badge."""


@lru_cache(maxsize=_KEPT)
def badge(rules: Rules) -> str:
    """The nearest preset's name and everything that differs from the standard game.

    >>> badge(Rules(target=50))
    'Standard · to 50'
    """
    standard = PRESETS[DEFAULT_PRESET]
    tags = [
        tag(rules)
        for option, tag in _TAGS.items()
        if _differs(rules, standard, option) and _matters(rules, option)
    ]
    return BETWEEN.join([preset_title(rules), *tags])


def badge_in(rules: Rules, style: CardStyle) -> str:
    """The badge with cards, and what stands between its parts, in this style."""
    line = badge(rules)
    return restyled(line if style is CardStyle.SYMBOLS else line.replace(BETWEEN, ", "), style)


@lru_cache(maxsize=_KEPT)
def preset_title(rules: Rules) -> str:
    """The name of the preset that these rules are nearest to, for people."""
    name = format_rules(rules).split()[0]
    other_size = name in _NAMED_BY_SEATS and rules.players != PRESETS[name].players
    if name == DEFAULT_PRESET or other_size:
        return STANDARD
    return name.replace("_", " ").capitalize()


_NAMED_BY_SEATS: Final = frozenset({"three", "five", "six", "seven"})


def _differs(rules: Rules, standard: Rules, option: str) -> bool:
    if option == "players":
        nearest = PRESETS[format_rules(rules).split()[0]].players
        said = preset_title(rules).lower() in _NAMED_BY_SEATS
        return not said and {rules.players, nearest} != {standard.players}
    if option == "pass_cycle":
        return rules.pass_cycle != usual_cycle(rules.players)
    return bool(getattr(rules, option) != getattr(standard, option))


def _matters(rules: Rules, option: str) -> bool:
    """Whether an option makes a difference beside the others."""
    match option:
        case "kitty":
            return rules.kitty_size > 0
        case "first_forced":
            return rules.first_trick is FirstTrick.NO_POINTS
        case "queen_breaks" | "queen_only_lead":
            return rules.must_break
        case "twins":
            return rules.decks > 1
        case "last_cancelled":
            return rules.decks > 1 and rules.twins is Twins.CANCEL
        case "bonus_floor":
            return rules.bonus is not None or rules.no_tricks_bonus > 0
        case "target" | "reach":
            return rules.deals is None
        case "pass_count":
            return set(rules.pass_cycle) != {Direction.HOLD}
        case _:
            return True


def _packs(rules: Rules) -> str:
    return f"{rules.decks} packs"


def _cycle(rules: Rules) -> str:
    if set(rules.pass_cycle) == {Direction.HOLD}:
        return "no passing"
    ways = ("none" if way is Direction.HOLD else DIRECTION_WORDS[way] for way in rules.pass_cycle)
    return f"passing {', '.join(ways)}"


def _bonus(rules: Rules) -> str:
    return "no bonus" if rules.bonus is None else f"{rules.bonus.card} -{rules.bonus.points}"


def _deals(rules: Rules) -> str:
    return "1 deal" if rules.deals == 1 else f"{rules.deals} deals"


def _queen(rules: Rules) -> str:
    return f"QS {rules.queen_value}" if rules.queen_value else "QS costs nothing"


_TAGS: Final[Mapping[str, Callable[[Rules], str]]] = {
    "players": lambda rules: f"{rules.players} seats",
    "decks": _packs,
    "removed": lambda rules: f"without {' '.join(map(str, rules.removed))}",
    "kitty": lambda rules: _KITTY[rules.kitty],
    "pass_count": lambda rules: f"{rules.pass_count} card{'s' * (rules.pass_count > 1)} passed",
    "pass_cycle": _cycle,
    "keep_top_spades": lambda _: "top spades stay",
    "opening": lambda rules: _OPENING[rules.opening],
    "first_trick": lambda rules: _FIRST_TRICK[rules.first_trick],
    "first_forced": lambda rules: _FIRST_FORCED[rules.first_forced],
    "must_break": lambda _: "hearts led freely",
    "queen_breaks": lambda _: "QS breaks hearts",
    "queen_only_lead": lambda rules: _QUEEN_ONLY_LEAD[rules.queen_only_lead],
    "queen_dump": lambda rules: _QUEEN_DUMP[rules.queen_dump],
    "twins": lambda rules: _TWINS[rules.twins],
    "last_cancelled": lambda rules: _LAST_CANCELLED[rules.last_cancelled],
    "heart_value": lambda rules: _HEARTS[rules.heart_value],
    "queen_value": _queen,
    "extra_penalty": lambda rules: " ".join(f"{card} {cost}" for card, cost in rules.extra_penalty),
    "bonus": _bonus,
    "bonus_floor": lambda _: "bonus not below 0",
    "no_tricks_bonus": lambda rules: f"no trick -{rules.no_tricks_bonus}",
    "moon": lambda rules: _MOON[rules.moon],
    "moon_needs_bonus": lambda _: "moon needs the bonus",
    "sun": lambda rules: f"sun {rules.sun}",
    "target": lambda rules: f"to {rules.target}",
    "reach": lambda rules: _REACH[rules.reach],
    "deals": _deals,
    "exact": lambda rules: _EXACT[rules.exact],
    "tie": lambda rules: _TIE[rules.tie],
    "finish": lambda rules: _FINISH[rules.finish],
}
"""What is said of each option where it differs, in the order of the rules page."""

_KITTY: Final[Mapping[Kitty, str]] = {
    Kitty.NONE: "no kitty",
    Kitty.FIRST_TRICK: "kitty to the first trick",
    Kitty.LAST_TRICK: "kitty to the last trick",
    Kitty.FIRST_PENALTY: "kitty to the first points",
}
_OPENING: Final[Mapping[Opening, str]] = {
    Opening.LOW_CLUB: "lowest club leads",
    Opening.ANY_CLUB: "any club leads",
    Opening.ELDEST: "dealer's left leads",
}
_FIRST_TRICK: Final[Mapping[FirstTrick, str]] = {
    FirstTrick.NO_POINTS: "no points on trick 1",
    FirstTrick.ANY: "points on trick 1",
}
_FIRST_FORCED: Final[Mapping[FirstForced, str]] = {
    FirstForced.ANY: "any points forced on trick 1",
    FirstForced.QUEEN: "QS forced on trick 1",
}
_QUEEN_ONLY_LEAD: Final[Mapping[QueenOnlyLead, str]] = {
    QueenOnlyLead.MUST_LEAD_QUEEN: "QS before hearts",
    QueenOnlyLead.FREE: "QS and hearts lead freely",
}
_QUEEN_DUMP: Final[Mapping[QueenDump, str]] = {
    QueenDump.FREE: "QS kept freely",
    QueenDump.FIRST_CHANCE: "QS at first chance",
}
_TWINS: Final[Mapping[Twins, str]] = {
    Twins.CANCEL: "twins cancel",
    Twins.FIRST_WINS: "first twin wins",
}
_LAST_CANCELLED: Final[Mapping[LastCancelled, str]] = {
    LastCancelled.LEADER: "cancelled last trick to its leader",
    LastCancelled.SECOND_OF_TOP_PAIR: "cancelled last trick to the top pair",
}
_HEARTS: Final[Mapping[HeartValue, str]] = {
    HeartValue.ONE: "hearts 1",
    HeartValue.SPOT: "hearts 2-14",
    HeartValue.FACE5: "hearts 1-5",
    HeartValue.COURT10: "hearts 2-15",
}
_MOON: Final[Mapping[Moon, str]] = {
    Moon.ADD: "moon adds",
    Moon.SUBTRACT: "moon subtracts",
    Moon.CHOOSE: "moon by choice",
    Moon.AUTO: "moon auto",
    Moon.NONE: "no moon",
}
_REACH: Final[Mapping[Reach, str]] = {Reach.GE: "at the target", Reach.GT: "past the target"}
_EXACT: Final[Mapping[Exact, str]] = {
    Exact.NONE: "no exact landing",
    Exact.EXACT_WINS: "exact landing wins",
    Exact.EXACT_MINUS_50: "exact landing -50",
}
_TIE: Final[Mapping[Tie, str]] = {Tie.EXTRA_HAND: "ties play on", Tie.SHARED: "ties share"}
_FINISH: Final[Mapping[Finish, str]] = {
    Finish.PLAY_OUT: "played out",
    Finish.EARLY: "early finish",
}
