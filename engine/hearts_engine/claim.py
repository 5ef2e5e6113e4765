"""Claims: "the rest are mine", proved from the claimant's own hand and what it has seen."""

from __future__ import annotations

from hearts_engine.cards import Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.state import State


def takes_the_rest(hand: CardSet, unseen: CardSet) -> bool:
    """Whether a leader of these cards wins every trick, however the unseen ones lie.

    In each suit the worst case is one opponent with all the unseen cards of it, following with
    the lowest each time. So the leader's highest cards, as many as there are unseen ones, must
    all beat the highest of those; after that the suit is his alone. A twin does not beat its
    twin.
    """
    return all(_holds_against(hand.in_suit(suit), unseen.in_suit(suit)) for suit in Suit)


def _holds_against(mine: CardSet, theirs: CardSet) -> bool:
    if not mine or not theirs:
        return True
    tops = sorted(mine, reverse=True)[: len(theirs)]
    return min(tops) > theirs.highest()


def unseen_by(seat: Seat, state: State) -> CardSet:
    """The cards that a seat neither holds nor has seen: played, or in a kitty that it took."""
    outcome = state.play.outcome
    unseen = state.game.rules.cards - state.play.hands[seat]
    for trick in (*state.play.tricks, state.play.trick):
        unseen = unseen - CardSet.of(trick.cards)
    return unseen - outcome.kitty if outcome.kitty_seat == seat else unseen
