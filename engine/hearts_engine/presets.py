"""The sets of rules that have a name."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from hearts_engine.cards import Card
from hearts_engine.options import CardPoints, FirstTrick, HeartValue, Kitty, Moon, Opening
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.rules import Rules

DEFAULT_PRESET: Final = "black_lady"


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


BLACK_LADY: Final = Rules()
"""The standard game."""

PAGAT: Final = Rules(first_trick=FirstTrick.ANY)

MICROSOFT: Final = Rules()
"""The standard game, under the name by which many know it."""

BICYCLE: Final = Rules(queen_breaks=True)

OMNIBUS: Final = Rules(bonus=CardPoints(Card.parse("JD"), 10))

SPOT: Final = Rules(heart_value=HeartValue.SPOT, queen_value=25, target=500)

CANCELLATION: Final = Rules(
    players=6,
    decks=2,
    kitty=Kitty.FIRST_TRICK,
    pass_cycle=(Direction.HOLD,),
    opening=Opening.ELDEST,
)
"""For six to ten, with two packs."""

BLACK_MARIA: Final = Rules(
    players=3,
    removed=_cards("2C"),
    pass_cycle=(Direction.RIGHT,),
    opening=Opening.ELDEST,
    first_trick=FirstTrick.ANY,
    must_break=False,
    extra_penalty=(CardPoints(Card.parse("KS"), 10), CardPoints(Card.parse("AS"), 7)),
    moon=Moon.NONE,
)

PLAIN_HEARTS: Final = Rules(
    pass_cycle=(Direction.HOLD,),
    opening=Opening.ELDEST,
    first_trick=FirstTrick.ANY,
    must_break=False,
    queen_value=0,
    moon=Moon.NONE,
)
"""As in the 1880s, before the queen of spades came in."""

THREE: Final = Rules(players=3, removed=_cards("2D"), pass_cycle=usual_cycle(3))
FIVE: Final = Rules(players=5, removed=_cards("2C 2D"), pass_cycle=usual_cycle(5))
SIX: Final = Rules(players=6, removed=_cards("3C 4C 2D 3D"), pass_cycle=usual_cycle(6))
SEVEN: Final = Rules(players=7, removed=_cards("3C 2D 3D"), pass_cycle=usual_cycle(7))

PRESETS: Final = MappingProxyType(
    {
        DEFAULT_PRESET: BLACK_LADY,
        "pagat": PAGAT,
        "microsoft": MICROSOFT,
        "bicycle": BICYCLE,
        "omnibus": OMNIBUS,
        "spot": SPOT,
        "cancellation": CANCELLATION,
        "black_maria": BLACK_MARIA,
        "plain_hearts": PLAIN_HEARTS,
        "three": THREE,
        "five": FIVE,
        "six": SIX,
        "seven": SEVEN,
    }
)
"""Each name with its rules, the standard game first."""
