"""Support for tests of what plays on a session: a table in this process, no network.

The other seats play at random; every answer goes through the real engine. As one command of the
server does, each command here makes one piece of news with its events and the view after them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Final

from hearts_client.news import (
    Ask,
    Asked,
    Cause,
    Closed,
    Happened,
    Joined,
    News,
    Refused,
    Said,
)
from hearts_client.phrases import WORDS
from hearts_engine.cards import Card, Seat
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    Command,
    Deal,
    FreezeSeats,
    MarkBack,
    PlayCard,
    ShowDeal,
    StartClocks,
    TakeSeat,
)
from hearts_engine.errors import Rejected
from hearts_engine.events import Event, SeatKind
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, Chance, open_game, random_choice
from hearts_engine.view import SeatView, observe, visible

FIRST_SEAT: Final = Seat(0)

NAMES: Final = ("Dot", "Ann", "Ben", "Cy", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
"""Of whoever sits on which seat, if nothing else is said."""

Choose = Callable[[State], Command]
"""What the first seat that owes a decision does."""


class LocalSession:
    """A seat at a table of the real engine; meets ``Playable``."""

    def __init__(
        self,
        rules: Rules,
        chance: Chance,
        names: Sequence[str] = NAMES,
        seat: Seat = FIRST_SEAT,
    ) -> None:
        """Seat everyone; nothing is dealt before :meth:`start`."""
        self.seat = seat
        self.answers: list[Command] = []
        """What was asked of the table from this seat, refused or not."""
        self.said: list[str | int] = []
        """What was said from this seat."""
        self.seconds: int | None = None
        """How long every decision may take, from second 0 on; none: as long as it takes."""
        self.told: list[News] = []
        """Everything told so far."""
        self._chance = chance
        self._readers: list[asyncio.Queue[News]] = []
        self._game = open_game(rules)
        for place, name in enumerate(names[: rules.players]):
            kind = SeatKind.PERSON if place == seat else SeatKind.HOUSE
            bot = "" if place == seat else "easy"
            self._game.do(TakeSeat(Seat(place), name, kind, bot))
        self._game.do(FreezeSeats())

    @property
    def state(self) -> State:
        """The whole game, hidden cards too."""
        return self._game.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened, to whomever it is addressed."""
        return tuple(self._game.events)

    @property
    def view(self) -> SeatView:
        """What the seat may know."""
        return observe(self._game.state, self.seat)

    def start(self, choose: Choose | None = None) -> None:
        """Join, deal, and play on until this seat must decide something.

        ``choose`` stands in for chance at the other seats.
        """
        self._choose = choose or self._at_random
        self.tell(Joined(self.view, visible(self._game.events, self.seat), returned=False))
        self._go_on()

    def news(self) -> AsyncIterator[News]:
        """Everything told from this call on."""
        queue: asyncio.Queue[News] = asyncio.Queue()
        self._readers.append(queue)
        return _drained(queue)

    def tell(self, item: News) -> None:
        """Tell every reader of news."""
        self.told.append(item)
        for queue in self._readers:
            queue.put_nowait(item)

    async def choose_pass(self, cards: Collection[Card]) -> Refused | None:
        """Pass these cards."""
        return self.answer(ChoosePass(self.seat, tuple(cards)))

    async def play(self, card: Card) -> Refused | None:
        """Play this card."""
        return self.answer(PlayCard(self.seat, card))

    async def claim(self) -> Refused | None:
        """Claim every remaining trick."""
        return self.answer(ClaimRest(self.seat))

    async def choose_moon(self, choice: MoonChoice) -> Refused | None:
        """Have one's moon scored like this."""
        return self.answer(ChooseMoon(self.seat, choice))

    def say(self, words: str | int) -> None:
        """Tell everyone at the table."""
        self.said.append(words)
        text = words if isinstance(words, str) else WORDS[words - 1]
        self.tell(Said(self.seat, NAMES[self.seat], text))

    def come_back(self) -> None:
        """Decide for oneself again."""
        if self.view.away[self.seat] is not None:
            self.do(MarkBack(self.seat))

    def do(self, command: Command) -> None:
        """Have somebody come or go, or time stop or start; what is due is asked again then."""
        self._do(command)
        if isinstance(command, MarkBack | StartClocks):
            self._go_on()

    def answer(self, command: Command) -> Refused | None:
        """Ask something of the table from this seat."""
        self.answers.append(command)
        try:
            self._do(command)
        except Rejected as refusal:
            return Refused(refusal.reason, refusal.message, refusal.legal)
        self._go_on()
        return None

    def _do(self, command: Command) -> None:
        seen = visible(self._game.do(command), self.seat)
        self.tell(Happened(seen, self.view))

    def _go_on(self) -> None:
        """Let the table play on until this seat must decide, or the game is over."""
        while self.seat not in self.state.awaited:
            match self.state.phase:
                case Phase.DEALING:
                    deck = list(self.state.game.rules.deck)
                    self._chance.shuffle(deck)
                    self._do(Deal(tuple(deck)))
                case Phase.SHOWING:
                    self._do(ShowDeal(SECRET))
                case Phase.ENDED:
                    self.tell(Closed(Cause.GAME_OVER, "the game is over"))
                    return
                case _:
                    self._do(self._choose(self.state))
        asks = {Phase.PASSING: Ask.PASS, Phase.MOON: Ask.MOON}
        deadline = None if self.seconds is None else self.seconds * 1_000_000
        self.tell(Asked(asks.get(self.state.phase, Ask.CARD), self.view, deadline))

    def _at_random(self, state: State) -> Command:
        return random_choice(state, self._chance)


async def _drained(queue: asyncio.Queue[News]) -> AsyncIterator[News]:
    """What comes through the queue, to the news that closes the session."""
    while True:
        item = await queue.get()
        yield item
        if isinstance(item, Closed):
            return
