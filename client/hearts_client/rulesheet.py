"""The rules of a table in plain sentences, generated from what the rules say as data.

Cards are written like ``QS``; callers show them in their own style.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, assert_never

from hearts_client.rulebadge import badge
from hearts_client.rulescores import end_sentences, score_sentences
from hearts_engine.cards import Suit
from hearts_engine.options import (
    Finish,
    FirstForced,
    FirstTrick,
    Kitty,
    LastCancelled,
    Opening,
    QueenDump,
    QueenOnlyLead,
    Twins,
)
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules

__all__ = ["badge", "sentences"]


@lru_cache(maxsize=32)
def sentences(rules: Rules) -> tuple[str, ...]:
    """All the rules of a table, in the order in which a deal meets them."""
    return (
        *_table_sentences(rules),
        *_pass_sentences(rules),
        _opening_sentence(rules),
        *_play_sentences(rules),
        *_trick_sentences(rules),
        *score_sentences(rules),
        *end_sentences(rules),
    )


def _table_sentences(rules: Rules) -> Iterator[str]:
    yield f"{rules.players} seats play, each for itself; the deal goes round clockwise."
    packs = "One pack" if rules.decks == 1 else "Two packs"
    without = f" without {_listed(map(str, rules.removed))}" if rules.removed else ""
    every = "1 card" if rules.hand_size == 1 else f"{rules.hand_size} cards"
    yield f"{packs} of 52{without}, {len(rules.deck)} cards in all: {every} to each seat."
    if rules.kitty_size:
        cards = "The card" if rules.kitty_size == 1 else f"The {rules.kitty_size} cards"
        lie, they, are = ("lies", "it", "is") if rules.kitty_size == 1 else ("lie", "they", "are")
        yield f"{cards} left over, the kitty, {lie} face down and {_kitty_goes(rules.kitty, lie)}."
        yield f"Only that seat sees what {they} {are} before the deal is over, and has the points."
    elif rules.kitty is not Kitty.NONE:
        yield "The cards divide, so no kitty is left over."


def _kitty_goes(kitty: Kitty, lies: str) -> str:
    go = "goes" if lies == "lies" else "go"
    match kitty:
        case Kitty.FIRST_TRICK | Kitty.NONE:
            return f"{go} to the seat that takes the first trick anyone takes"
        case Kitty.LAST_TRICK:
            return f"{go} to the seat that takes the last trick"
        case Kitty.FIRST_PENALTY:
            return (
                f"{go} to the seat that takes the first card that costs points, or else the last "
                "trick"
            )
        case _:
            assert_never(kitty)


_PASSED: Final[Mapping[Direction, str]] = {
    Direction.LEFT: "to the next seat clockwise, its left",
    Direction.RIGHT: "to the next seat counter-clockwise, its right",
    Direction.ACROSS: "to the seat opposite",
    Direction.LEFT2: "to the second seat clockwise",
    Direction.RIGHT2: "to the second seat counter-clockwise",
    Direction.HOLD: "nobody passes",
    Direction.SCATTER: "one to each other seat, the first chosen to the next seat clockwise",
    Direction.SHUFFLE: "into the centre, where they are shuffled and dealt back by chance",
}


def _pass_sentences(rules: Rules) -> Iterator[str]:
    cycle = rules.pass_cycle
    if set(cycle) == {Direction.HOLD}:
        yield "No cards are passed."
        return
    cards = "1 card" if rules.pass_count == 1 else f"{rules.pass_count} cards"
    passes = f"each seat passes {cards} before the first trick"
    if len(set(cycle)) == 1:
        yield f"In every deal {passes}, {_PASSED[cycle[0]]}."
    else:
        ways = "; ".join(f"in deal {deal} {_PASSED[way]}" for deal, way in enumerate(cycle, 1))
        yield f"{passes[0].upper()}{passes[1:]}: {ways}; then again as from deal 1."
    yield "All choose before anyone sees what it is passed."
    if rules.keep_top_spades:
        yield "AS, KS and QS are not passed while another card could be."


def _opening_sentence(rules: Rules) -> str:
    clubs = rules.cards.in_suit(Suit.CLUBS)
    several = rules.decks > 1
    known = bool(clubs) and not rules.kitty_size
    lowest = str(clubs.lowest()) if known else "the lowest club in any hand"
    first = ", of two seats the first clockwise from the dealer," if several else ""
    match rules.opening:
        case Opening.LOW_CLUB:
            return f"Whoever holds {lowest}{first} leads it to the first trick."
        case Opening.ANY_CLUB:
            return f"Whoever holds {lowest}{first} leads any club to the first trick."
        case Opening.ELDEST:
            return "The seat on the dealer's left leads the first trick, with a card of its choice."
        case _:
            assert_never(rules.opening)


def _play_sentences(rules: Rules) -> Iterator[str]:
    yield "Follow suit if you can; otherwise play any card that the next rules allow."
    yield _first_trick_sentence(rules)
    yield from _heart_lead_sentences(rules)
    if rules.queen_dump is QueenDump.FIRST_CHANCE:
        yield (
            "QS must be played at the first chance: by a seat that cannot follow suit, and to a "
            "trick led with a spade in which AS or KS lies."
        )


def _first_trick_sentence(rules: Rules) -> str:
    if rules.first_trick is FirstTrick.ANY:
        return "Cards that cost points may be played to the first trick."
    only = {
        FirstForced.ANY: "any of them may be played",
        FirstForced.QUEEN: "QS must be played if she is among them",
    }[rules.first_forced]
    return (
        "No card that costs points is played to the first trick; where the rules before this "
        f"leave no other, {only}."
    )


def _heart_lead_sentences(rules: Rules) -> Iterator[str]:
    if not rules.must_break:
        yield "Hearts may be led at any time."
        return
    broken = "a heart or QS" if rules.queen_breaks else "a heart"
    yield f"Hearts are not led before {broken} has been played, unless a hand has nothing else."
    match rules.queen_only_lead:
        case QueenOnlyLead.MUST_LEAD_QUEEN:
            yield "A leader with nothing but hearts and QS must lead QS while hearts are closed."
        case QueenOnlyLead.FREE:
            yield "A leader with nothing but hearts and QS may lead any of them at any time."
        case _:
            assert_never(rules.queen_only_lead)


def _trick_sentences(rules: Rules) -> Iterator[str]:
    yield "Aces are high, and there are no trumps."
    yield "The highest card of the suit led takes the trick, and its seat leads the next."
    if rules.decks > 1:
        yield from _twin_sentences(rules)
    yield (
        "A seat on lead, after the first trick, may claim the rest if its hand proves that "
        "every trick is its own."
    )
    if rules.finish is Finish.EARLY:
        yield "A deal ends early once no card that is left can change any score."
    else:
        yield "A deal that nobody claims is played to the last card."


def _twin_sentences(rules: Rules) -> Iterator[str]:
    if rules.twins is Twins.FIRST_WINS:
        yield "Of two equal cards in a trick, the one played first counts as the higher."
        return
    yield "Two equal cards in a trick cancel each other: neither can win, though they still cost."
    yield (
        "If every card of the suit led is cancelled, nobody takes the trick: its leader leads "
        "again, and whoever takes the next trick takes these cards too."
    )
    takes = {
        LastCancelled.LEADER: "its leader",
        LastCancelled.SECOND_OF_TOP_PAIR: "whoever played the second card of the highest pair",
    }[rules.last_cancelled]
    yield f"A last trick so cancelled, with all that is carried, is taken by {takes}."


def _listed(words: Iterable[str]) -> str:
    every = tuple(words)
    return every[0] if len(every) == 1 else f"{', '.join(every[:-1])} and {every[-1]}"
