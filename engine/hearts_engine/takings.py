"""What each seat has taken in a deal: the cards that count, and how many tricks."""

from __future__ import annotations

from typing import NamedTuple

from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.play import Play
from hearts_engine.rules import Rules


class Taking(NamedTuple):
    """What one seat has taken."""

    cards: CardSet = NO_CARDS
    """Those that cost points or take them off."""
    tricks: int = 0


def takings(play: Play, rules: Rules) -> tuple[Taking, ...]:
    """What every seat has taken, by seat: tricks with what they carried, the kitty, a claim."""
    cards = [NO_CARDS] * rules.players
    tricks = [0] * rules.players
    waiting = NO_CARDS
    for trick in play.tricks:
        counted = [card for card in trick.cards if rules.counts[card]]
        if counted:
            waiting += CardSet.of(counted)
        if trick.taker is not None:
            tricks[trick.taker] += 1
            if waiting:
                cards[trick.taker] += waiting
                waiting = NO_CARDS
    outcome = play.outcome
    if outcome.kitty_seat is not None:
        cards[outcome.kitty_seat] += outcome.kitty & rules.counting
    if outcome.claimed is not None:
        rest = rules.counting
        for taken in cards:
            rest -= taken
        cards[outcome.claimed] += rest
        tricks[outcome.claimed] += rules.hand_size - len(play.tricks)
    return tuple(map(Taking, cards, tricks))


def outstanding(play: Play, rules: Rules) -> CardSet:
    """The cards that count and that no seat has taken yet: held, carried, or in the kitty."""
    rest = rules.counting
    for taken in takings(play, rules):
        rest -= taken.cards
    return rest
