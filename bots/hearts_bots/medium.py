"""The medium house bot: the well-known good habits, in order."""

from __future__ import annotations

from collections.abc import Collection

from hearts_bots.discarding import DISCARDING
from hearts_bots.following import FOLLOWING
from hearts_bots.habit import Advice, Habit
from hearts_bots.leading import LEADING
from hearts_bots.memory import Memory, remember
from hearts_bots.moon import better_moon
from hearts_bots.passing import addressed, advise_pass
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView


class Medium:
    """Plays by habit: the same view always gets the same card."""

    __slots__ = ()

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        """What the habits of the pass give away."""
        cards = tuple(advice.card for advice in advise_pass(view.hand, view.rules))
        return addressed(cards, view)

    def choose_play(self, view: SeatView) -> Card:
        """What the first habit that has something to say asks for."""
        return advise_play(view).card

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """What serves its place in the game."""
        return better_moon(view)


def advise_play(view: SeatView) -> Advice:
    """The card to play, and the habit that chose it.

    Raises ``ValueError`` where this seat is not asked for a card.
    """
    return advise(remember(view))


def advise(memory: Memory) -> Advice:
    """The same for what a seat remembers."""
    if len(memory.legal) == 1:
        return Advice(memory.legal.lowest(), "play the only legal card", "no other may be played")
    for habit in _habits(memory):
        card = habit.choose(memory)
        if card is not None:
            return Advice(card, habit.name, habit.why)
    raise ValueError("nobody asks this seat for a card now")


def _habits(memory: Memory) -> tuple[Habit, ...]:
    led = memory.trick.led
    if led is None:
        return LEADING
    return FOLLOWING if memory.legal.in_suit(led) else DISCARDING
