"""Rules as a text that round-trips: a preset's name, and what differs from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import Final, TypeVar, cast

from hearts_engine.cards import Card
from hearts_engine.errors import BadRules
from hearts_engine.options import (
    CardPoints,
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
    Sun,
    Tie,
    Twins,
)
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules

E = TypeVar("E", bound=StrEnum)

LONGEST_NUMBER: Final = 9
"""Digits."""

_SHOWN: Final = 40
"""Characters of a wrong word that a refusal repeats."""


def parse_rules(text: str) -> Rules:
    """Read a preset's name and overrides, ``omnibus moon=auto target=50``.

    Without a name the overrides are of the standard game. Raises ``BadRules`` naming the word
    that is wrong and what would be right.
    """
    words = text.split()
    named = bool(words) and "=" not in words[0]
    name, overrides = (words[0], words[1:]) if named else (DEFAULT_PRESET, words)
    if name not in PRESETS:
        raise BadRules(f"{name[:_SHOWN]!r} is not a preset; {_choose(name, PRESETS)}")
    options: dict[str, object] = {}
    for override in overrides:
        key, equals, wanted = override.partition("=")
        if not equals or not key or not wanted:
            raise BadRules(f"{override[:_SHOWN]!r}: write option=value, without blanks around =")
        if key not in _READERS:
            raise BadRules(f"{key[:_SHOWN]!r} is not an option; {_choose(key, _READERS)}")
        if key in options:
            raise BadRules(f"{override[:_SHOWN]!r}: {key} is said twice")
        options[key] = _read(key, wanted)
    return _with(PRESETS[name], options)


def format_rules(rules: Rules) -> str:
    """The text with the fewest overrides that :func:`parse_rules` reads back as these rules."""
    name, *overrides = min((preset_words(rules, name) for name in PRESETS), key=len)
    return " ".join([name, *overrides])


def preset_words(rules: Rules, name: str) -> list[str]:
    """A preset's name and the overrides that make it these rules."""
    preset = PRESETS[name]
    options: dict[str, object] = {}
    if rules.players != preset.players:
        options["players"] = rules.players
    based = _usual_cycle_kept(preset, options)
    for key in _READERS:
        if getattr(rules, key) != based.get(key, getattr(preset, key)):
            options[key] = getattr(rules, key)
    return [name, *(f"{key}={write_option(options[key])}" for key in _READERS if key in options)]


def write_option(wanted: object) -> str:
    """The text of an option's value."""
    match wanted:
        case None | ():
            return "none"
        case bool():
            return str(wanted).lower()
        case CardPoints():
            return str(wanted)
        case tuple():
            return ",".join(str(item) for item in cast("tuple[object, ...]", wanted))
        case _:
            return str(wanted)


def _choose(word: str, names: Iterable[str]) -> str:
    """What would be right: the name that was perhaps meant, or all there are."""
    plain = word[:_SHOWN].lower().replace("-", "_")
    near = get_close_matches(plain, list(names), n=1)
    return f"did you mean {near[0]}?" if near else f"choose among {', '.join(names)}"


def _with(preset: Rules, options: dict[str, object]) -> Rules:
    changed = _usual_cycle_kept(preset, options)
    return replace(preset, **changed)  # type: ignore[arg-type]  # _READERS gives each its type


def _usual_cycle_kept(preset: Rules, options: dict[str, object]) -> dict[str, object]:
    """The options; with the usual cycle of another number of seats, if the preset has its own."""
    players = options.get("players", preset.players)
    if not isinstance(players, int) or preset.pass_cycle != usual_cycle(preset.players):
        return options
    return {"pass_cycle": usual_cycle(players), **options}


def _read(key: str, text: str) -> object:
    reader, expected = _READERS[key]
    try:
        return reader(text)
    except (ValueError, KeyError):
        raise BadRules(f"{key}={text[:_SHOWN]}: {expected}") from None


def _number(text: str) -> int:
    """A number in plain digits, of which none here needs more than a few."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER):
        raise ValueError
    return int(text)


def _yes_or_no(text: str) -> bool:
    return {"true": True, "false": False}[text]


def _cards(text: str) -> tuple[Card, ...]:
    return () if text == "none" else tuple(sorted(map(Card.parse, text.split(","))))


def _card_points(text: str) -> CardPoints:
    card, _, points = text.partition(":")
    return CardPoints(Card.parse(card), _number(points))


def _prices(text: str) -> tuple[CardPoints, ...]:
    return () if text == "none" else tuple(sorted(map(_card_points, text.split(","))))


def _bonus(text: str) -> CardPoints | None:
    return None if text == "none" else _card_points(text)


def _number_or_none(text: str) -> int | None:
    return None if text == "none" else _number(text)


def _sun(text: str) -> Sun:
    match text:
        case "none" | "double":
            return text
        case _:
            return _number(text)


def _cycle(text: str) -> tuple[Direction, ...]:
    return tuple(Direction(word) for word in text.split(","))


_Reader = tuple[Callable[[str], object], str]


def _among(choice: type[E]) -> _Reader:
    return choice, f"choose among {', '.join(choice)}"


_NUMBER: Final[_Reader] = (_number, "write a number")
_SWITCH: Final[_Reader] = (_yes_or_no, "write true or false")

_READERS: Final[dict[str, _Reader]] = {
    "players": _NUMBER,
    "decks": _NUMBER,
    "removed": (_cards, "write cards with commas, 2C,2D, or none"),
    "kitty": _among(Kitty),
    "pass_count": _NUMBER,
    "pass_cycle": (_cycle, f"write directions with commas, of {', '.join(Direction)}"),
    "keep_top_spades": _SWITCH,
    "opening": _among(Opening),
    "first_trick": _among(FirstTrick),
    "first_forced": _among(FirstForced),
    "must_break": _SWITCH,
    "queen_breaks": _SWITCH,
    "queen_only_lead": _among(QueenOnlyLead),
    "queen_dump": _among(QueenDump),
    "twins": _among(Twins),
    "last_cancelled": _among(LastCancelled),
    "heart_value": _among(HeartValue),
    "queen_value": _NUMBER,
    "extra_penalty": (_prices, "write cards with their points, KS:10,AS:7, or none"),
    "bonus": (_bonus, "write a card with its points, JD:10, or none"),
    "bonus_floor": _SWITCH,
    "no_tricks_bonus": _NUMBER,
    "moon": _among(Moon),
    "moon_needs_bonus": _SWITCH,
    "sun": (_sun, "write none, double or a number of points"),
    "target": _NUMBER,
    "reach": _among(Reach),
    "deals": (_number_or_none, "write none or a number of deals"),
    "exact": _among(Exact),
    "tie": _among(Tie),
    "finish": _among(Finish),
}
"""How the value of each option is read, and what to say when it cannot be."""

assert list(_READERS) == [f.name for f in fields(Rules) if f.init], "every option is read"
