"""Which options can be played together, and what would be right where they cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from hearts_engine.cards import MOST_SEATS, PACK, PACK_SIZE, QUEEN_OF_SPADES, Card, Suit
from hearts_engine.options import Exact, Kitty, Moon, Opening
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.values import card_points

if TYPE_CHECKING:
    from hearts_engine.rules import Rules

MOST_DEALS: Final = 256
"""The most deals a game can have: the length of the chain of secrets behind them."""

HIGHEST_TARGET: Final = 1000
"""Points: of a target, and of what a moon with all tricks is worth."""

DEAREST_CARD: Final = 100
"""Points: of one card, and of a bonus."""

LONGEST_CYCLE: Final = 20
"""Directions in a pass cycle: every one there is, for the largest table, twice."""

LARGEST_PASS: Final = 4
"""Cards passed, unless they are scattered."""


def packs_without(decks: int, removed: tuple[Card, ...]) -> tuple[Card, ...]:
    """So many packs, one after the other, without a card for each time it is named."""
    left_out = Counter(removed)
    deck: list[Card] = []
    for card in PACK * decks:
        if left_out[card]:
            left_out[card] -= 1
        else:
            deck.append(card)
    return tuple(deck)


def problems(rules: Rules) -> Iterator[str]:
    """What is wrong; a later question may rely on the answers to the earlier ones."""
    return chain(
        _out_of_range(rules),
        _bad_values(rules),
        _bad_deck(rules),
        _bad_passing(rules),
        _bad_opening(rules),
        _bad_scoring(rules),
    )


def _out_of_range(rules: Rules) -> Iterator[str]:
    ranges = (
        ("players", rules.players, 3, MOST_SEATS, "seats"),
        ("decks", rules.decks, 1, 2, "packs"),
        ("queen_value", rules.queen_value, 0, DEAREST_CARD, "points"),
        ("no_tricks_bonus", rules.no_tricks_bonus, 0, DEAREST_CARD, "points"),
        ("target", rules.target, 1, HIGHEST_TARGET, "points"),
        ("deals", rules.deals, 1, MOST_DEALS, "deals, or none"),
        ("sun", rules.sun, 1, HIGHEST_TARGET, "points, none or double"),
        *(("extra_penalty", cost, 1, DEAREST_CARD, "points") for _, cost in rules.extra_penalty),
        ("bonus", rules.bonus.points if rules.bonus else None, 1, DEAREST_CARD, "points"),
    )
    for name, number, least, most, unit in ranges:
        if isinstance(number, int) and not least <= number <= most:
            yield f"{name}={number}: {least} to {most} {unit}"
    if isinstance(rules.sun, str) and rules.sun not in ("none", "double"):
        yield f"sun={rules.sun}: 1 to {HIGHEST_TARGET} points, none or double"


def _bad_deck(rules: Rules) -> Iterator[str]:
    for card, times in Counter(rules.removed).items():
        if times > rules.decks:
            often = "once" if rules.decks == 1 else "twice"
            yield f"removed: {card} is in the deck {often}, not {times} times"
    if rules.removed != tuple(sorted(rules.removed)):
        yield "removed: name the cards in order, clubs first, low to high"
    size = PACK_SIZE * rules.decks - len(rules.removed)
    if size < rules.players:
        yield f"removed: leave a card for each of the {rules.players} seats"
    if size % rules.players and rules.kitty is Kitty.NONE:
        yield (
            f"players={rules.players}: {size} cards do not divide among them; remove "
            f"{size % rules.players} more, or say who takes the kitty"
        )


def _bad_values(rules: Rules) -> Iterator[str]:
    extra = [card for card, _ in rules.extra_penalty]
    for card in extra:
        if card == QUEEN_OF_SPADES or card.is_heart:
            yield f"extra_penalty: {card} has its price by queen_value or heart_value"
    if extra != sorted(set(extra)):
        yield "extra_penalty: name each card once, in order, clubs first"
    points = card_points(rules.heart_value, rules.queen_value, rules.extra_penalty)
    if rules.bonus is not None and points[rules.bonus.card]:
        yield f"bonus: {rules.bonus.card} costs points, choose a card that does not"
    scoring = [card for card in PACK if points[card] and not card.is_heart]
    if rules.bonus is not None:
        scoring.append(rules.bonus.card)
    for card in scoring:
        if card in rules.removed:
            unless = ", unless queen_value=0" if card == QUEEN_OF_SPADES else ""
            yield f"removed: {card} scores, so it stays in the deck{unless}"
    if not any(points[card] for card in packs_without(rules.decks, rules.removed)):
        yield "removed: some card that costs points stays in the deck"


def _bad_passing(rules: Rules) -> Iterator[str]:
    cycle, others = rules.pass_cycle, rules.players - 1
    if not 1 <= len(cycle) <= LONGEST_CYCLE:
        yield f"pass_cycle: name 1 to {LONGEST_CYCLE} directions, hold for no pass"
    if Direction.ACROSS in cycle and rules.players % 2:
        usual = ",".join(usual_cycle(rules.players))
        yield f"pass_cycle: nobody sits across with {rules.players} seats; usual is {usual}"
    if Direction.SCATTER in cycle:
        if rules.pass_count != others:
            yield (
                f"pass_count={rules.pass_count}: scatter passes one card to each other seat; "
                f"write pass_count={others}"
            )
    elif not 1 <= rules.pass_count <= LARGEST_PASS:
        yield f"pass_count={rules.pass_count}: 1 to {LARGEST_PASS} cards, more only with scatter"
    hand = (PACK_SIZE * rules.decks - len(rules.removed)) // rules.players
    if rules.pass_count > hand and any(way is not Direction.HOLD for way in cycle):
        yield f"pass_count={rules.pass_count}: a hand has {hand} cards"


def _bad_opening(rules: Rules) -> Iterator[str]:
    deck = packs_without(rules.decks, rules.removed)
    clubs = sum(card.suit is Suit.CLUBS for card in deck)
    if rules.opening is not Opening.ELDEST and clubs <= len(deck) % rules.players:
        nobody = "perhaps nobody holds" if clubs else "nobody holds"
        yield f"opening={rules.opening}: {nobody} a club; choose eldest"


def _bad_scoring(rules: Rules) -> Iterator[str]:
    if rules.moon_needs_bonus and (rules.bonus is None or rules.moon is Moon.NONE):
        yield "moon_needs_bonus: only with a bonus card and a moon"
    if rules.sun != "none" and rules.moon is Moon.NONE:
        yield f"sun={rules.sun}: only with a moon"
    if rules.exact is not Exact.NONE and rules.deals is not None:
        yield f"exact={rules.exact}: a game of {rules.deals} deals has no target to land on"
