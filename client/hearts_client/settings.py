"""What a person can set about looks and habits, each by its name and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import permutations
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from hearts_bots.house import LEVELS
from hearts_client.cardnames import SuitChoice
from hearts_client.handorder import HandOrder
from hearts_engine.seating import LONGEST_NAME

KeepSetting: TypeAlias = Callable[[str, str], str]
"""Writes down a setting and its word; what went wrong, or nothing."""


class BadSetting(ValueError):
    """There is no such setting, or it cannot be that; the sentence says what can be."""


class Theme(Enum):
    """The colours of the full screen."""

    AUTO = "auto"
    """The terminal's own background, and the colours that every terminal has."""
    FELT = "felt"
    """White cards on a green table."""
    LIGHT = "light"
    """For terminals with a light background."""
    BLIND = "blind"
    """Colours that are told apart without telling red from green."""
    MONO = "mono"
    """No colours at all."""


class SuitColours(Enum):
    """How many colours the suits have."""

    FOUR = "four"
    TWO = "two"


class PaceName(Enum):
    """How long others' cards and finished tricks stay; see :mod:`hearts_client.screen.pace`."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


class Bell(Enum):
    """When the terminal's bell rings."""

    OFF = "off"
    TURN = "turn"
    """When a decision is due."""
    QUEEN = "queen"
    """When somebody takes the queen of spades."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. The defaults are what someone new gets."""

    theme: Theme = Theme.AUTO
    colours: SuitColours = SuitColours.FOUR
    suits: SuitChoice = SuitChoice.AUTO
    order: str = "cdsh"
    """The suits of the hand from left to right, by their letters."""
    ranks: str = "up"
    """``up`` for low cards first in each suit, ``down`` for high ones."""
    pace: PaceName = PaceName.NORMAL
    one_key: bool = False
    """Whether a card that is typed is played at once, where it may be."""
    bell: Bell = Bell.OFF
    mouse: bool = False
    say: bool = False
    """Whether plain mode says cards in words."""
    name: str = ""
    """What others see; empty for the login name."""
    bots: str = "medium"
    """The level of house bots, where none is asked for."""

    @property
    def hand_order(self) -> HandOrder:
        """How the hand is sorted."""
        return HandOrder.of(self.order, high_first=self.ranks == "down")

    def word(self, name: str) -> str:
        """What a setting is, as it is written.

        >>> Settings().word("mouse")
        'off'
        """
        value = getattr(self, setting_named(name).name)
        match value:
            case bool():
                return "on" if value else "off"
            case Enum():
                return str(value.value)
            case _:
                return str(value)

    def with_word(self, name: str, word: str) -> Settings:
        """These settings with one changed; raises ``BadSetting`` where that cannot be.

        >>> Settings().with_word("theme", "felt").theme
        <Theme.FELT: 'felt'>
        """
        setting = setting_named(name)
        change: dict[str, Any] = {setting.name: setting.read(word)}
        return replace(self, **change)


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set."""

    name: str
    says: str
    """What it is about, in a few words."""
    words: tuple[str, ...]
    """What it can be, in the order in which a key goes through them; none: any short text."""
    reads: Callable[[str], Any]

    @property
    def is_switch(self) -> bool:
        """Whether it is only on or off."""
        return self.words == ("off", "on")

    def read(self, word: str) -> object:
        """The value that a word means."""
        if self.words and word not in self.words:
            raise BadSetting(f"{self.name} can be {_or(self.words)}, not {word!r}")
        return self.reads(word)

    def after(self, word: str, step: int = 1) -> str:
        """The word so many further on than this one, round and round."""
        return self.words[(self.words.index(word) + step) % len(self.words)]


def setting_named(name: str) -> Setting:
    """The setting of this name; raises ``BadSetting`` if there is none."""
    if name not in SETTINGS:
        raise BadSetting(f"there is no setting {name!r}; there is {_or(tuple(SETTINGS), 'and')}")
    return SETTINGS[name]


def _or(words: tuple[str, ...], last: str = "or") -> str:
    *before, end = words
    return f"{', '.join(before)} {last} {end}"


def _a_name(text: str) -> str:
    if not text.isprintable() or len(text) > LONGEST_NAME or text != text.strip():
        raise BadSetting(f"name can be up to {LONGEST_NAME} printable characters, not {text!r}")
    return text


def _enum(name: str, says: str, values: type[Enum]) -> Setting:
    return Setting(name, says, tuple(str(value.value) for value in values), values)


def _switch(name: str, says: str) -> Setting:
    return Setting(name, says, ("off", "on"), lambda word: word == "on")


_ORDERS: Final = tuple("".join(order) for order in permutations("cdsh"))

SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        setting.name: setting
        for setting in (
            _enum("theme", "colours of the screen", Theme),
            _enum("colours", "colours of the suits", SuitColours),
            _enum("suits", "suits as symbols or letters", SuitChoice),
            Setting("order", "suits of the hand, left to right", _ORDERS, str),
            Setting("ranks", "low cards first (up) or high ones", ("up", "down"), str),
            _enum("pace", "how long cards and tricks stay", PaceName),
            _switch("one_key", "a card that is typed is played at once"),
            _enum("bell", "when the bell rings", Bell),
            _switch("mouse", "click cards; Shift selects text then"),
            _switch("say", "cards in words in plain mode"),
            Setting("name", "what others see; empty: the login name", (), _a_name),
            Setting("bots", "how well house bots play", LEVELS, str),
        )
    }
)
"""Every setting by its name, in the order in which they are listed."""
