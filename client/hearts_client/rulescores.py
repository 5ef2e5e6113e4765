"""What the scores of a table are, in plain sentences: cards, moon, bonuses, the end of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from hearts_engine.options import Exact, HeartValue, Moon, Reach, Tie
from hearts_engine.rules import Rules
from hearts_engine.soundness import MOST_DEALS


def score_sentences(rules: Rules) -> Iterator[str]:
    """What a deal costs."""
    yield from _price_sentences(rules)
    yield _moon_sentence(rules)
    yield from _sun_sentences(rules)
    yield from _bonus_sentences(rules)


def end_sentences(rules: Rules) -> Iterator[str]:
    """When a game is over, and who has won it."""
    if rules.deals is not None:
        yield f"The game is over after deal {rules.deals}, whatever the totals."
    else:
        stands = {
            Reach.GE: f"stands at {rules.target} or more",
            Reach.GT: f"stands at more than {rules.target}",
        }[rules.reach]
        yield f"The game is over after a deal in which a seat {stands}."
    match rules.exact:
        case Exact.NONE:
            pass
        case Exact.EXACT_WINS:
            yield f"A seat that stands at exactly {rules.target} after a deal wins at once."
            yield "If several do, they share the first place."
        case Exact.EXACT_MINUS_50:
            yield f"A seat that would stand at exactly {rules.target} has 50 more taken off."
        case _:
            assert_never(rules.exact)
    yield "Fewest points win."
    yield _TIES[rules.tie]
    yield f"No game is longer than {MOST_DEALS} deals."


_TIES: Final[Mapping[Tie, str]] = {
    Tie.EXTRA_HAND: "While two or more share the fewest, more deals are played.",
    Tie.SHARED: "If two or more have the fewest, they share the first place.",
}

_HEARTS: Final[Mapping[HeartValue, str]] = {
    HeartValue.ONE: "Each heart costs 1 point.",
    HeartValue.SPOT: "Hearts cost what is on them: 2 to 10, J 11, Q 12, K 13, A 14.",
    HeartValue.FACE5: "Hearts cost 1 point up to 10, J 2, Q 3, K 4, A 5.",
    HeartValue.COURT10: "Hearts cost what is on them up to 10, J, Q and K 10, A 15.",
}


def _price_sentences(rules: Rules) -> Iterator[str]:
    yield _HEARTS[rules.heart_value]
    if rules.queen_value:
        yield f"QS costs {_points(rules.queen_value)}."
    else:
        yield "QS costs nothing."
    for card, cost in rules.extra_penalty:
        yield f"{card} costs {_points(cost)}."
    twins = " with both packs" if rules.decks > 1 else ""
    yield f"That makes {_points(rules.penalty_total)} in a deal{twins}."


def _moon_sentence(rules: Rules) -> str:
    total = _points(rules.penalty_total)
    if rules.moon is Moon.NONE:
        return "There is no reward for taking every card that costs points."
    bonus = ""
    if rules.moon_needs_bonus and rules.bonus is not None:
        bonus = f" and {'both' if len(rules.bonus_cards) > 1 else ''} {rules.bonus.card}"
    all_of_it = f"A seat that takes every card that costs points{bonus} shoots the moon"
    return " ".join(f"{all_of_it}: {_moon_scored(rules.moon, total)}.".split())


def _moon_scored(moon: Moon, total: str) -> str:
    add, subtract = f"every other seat gets {total}", f"{total} are taken off its own score"
    auto = (
        f"it gets 0 and {add}; but {subtract} instead, the others getting 0, if that would end "
        "the game without it alone in first place"
    )
    match moon:
        case Moon.ADD:
            return f"it gets 0 and {add}"
        case Moon.SUBTRACT:
            return f"{subtract} and the others get 0"
        case Moon.AUTO:
            return auto
        case Moon.CHOOSE:
            return (
                f"it chooses whether {add} and it gets 0, or {subtract} and the others get 0; if "
                "it does not in time, the first, unless that would end the game without it alone "
                "in first place"
            )
        case Moon.NONE:
            return "that is worth nothing"
        case _:
            assert_never(moon)


def _sun_sentences(rules: Rules) -> Iterator[str]:
    if rules.sun != "none":
        worth = 2 * rules.penalty_total if rules.sun == "double" else rules.sun
        yield f"With every trick of the deal too the moon is worth {_points(worth)} instead."


def _bonus_sentences(rules: Rules) -> Iterator[str]:
    if rules.bonus is not None:
        each = "Each " if len(rules.bonus_cards) > 1 else ""
        off = _points(rules.bonus.points)
        yield f"{each}{rules.bonus.card} takes {off} off the score of whoever takes it."
    if rules.no_tricks_bonus:
        but = "" if rules.moon is Moon.NONE else ", except in a deal with a moon"
        off = _points(rules.no_tricks_bonus)
        yield f"A seat that takes no trick has {off} taken off{but}."
    if rules.bonus_floor and (rules.bonus is not None or rules.no_tricks_bonus):
        below = "" if rules.moon is Moon.NONE else ", or below what a moon made it"
        yield f"That cannot take the score of a deal below 0{below}."


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
