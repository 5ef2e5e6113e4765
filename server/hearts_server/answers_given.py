"""The answers that the seats of a game gave, by the prompts that they answered."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import NamedTuple

from hearts_engine.cards import Seat


class Given(NamedTuple):
    """Where an answer stands in the log."""

    seq: int
    scattered: bool
    """Whether the cards that are passed go by the order in which they were named."""


class AnswersGiven:
    """Some ten bytes for an answer, of which a game has hundreds."""

    def __init__(self) -> None:
        self._seats: dict[Seat, tuple[array[int], array[int]]] = {}

    def note(self, seat: Seat, prompt_seq: int, given: Given) -> None:
        """Keep the answer of a seat to a prompt, which is later than those before."""
        prompts, places = self._seats.setdefault(seat, (array("I"), array("I")))
        prompts.append(prompt_seq)
        places.append(given.seq << 1 | given.scattered)

    def to(self, seat: Seat, prompt_seq: int) -> Given | None:
        """The answer of a seat to a prompt; none if it gave none."""
        prompts, places = self._seats.get(seat, (array("I"), array("I")))
        place = bisect_left(prompts, prompt_seq)
        if place == len(prompts) or prompts[place] != prompt_seq:
            return None
        return Given(places[place] >> 1, bool(places[place] & 1))
