"""What a seat remembers, written down in a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from hearts_bots.memory import Memory
from hearts_bots.prices import prices_of
from hearts_engine.cards import Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, WHOLE_PACK, CardSet
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick

NOBODY: Mapping[int, str] = {}


@dataclass(frozen=True)
class Recall:
    """Builds what seat 0 of four remembers in the middle of a deal."""

    rules: Rules

    def __call__(
        self,
        hand: str,
        trick: str = "",
        *,
        unseen: str | None = None,
        void: Mapping[int, str] = NOBODY,
        given: str = "",
        points: tuple[int, ...] = (0, 0, 0, 0),
        totals: tuple[int, ...] = (0, 0, 0, 0),
        hearts_broken: bool = True,
    ) -> Memory:
        """Seat 0 holds ``hand`` and must add to ``trick``; the rest is unseen unless said.

        ``void`` says by seat which suits it has shown out of: ``{1: "CD"}``. Seat 1 holds what is
        ``given``.
        """
        cards = CardSet.parse(hand)
        table = tuple(Card.parse(word) for word in trick.split())
        rest = WHOLE_PACK - cards - CardSet.of(table)
        hidden = rest if unseen is None else CardSet.parse(unseen)
        turn = Turn(cards, table, len(cards) == self.rules.hand_size, hearts_broken)
        empty = {suit for suit in Suit if not hidden.in_suit(suit)}
        shown = ({suit for suit in Suit if suit.letter in void.get(s, "")} for s in range(4))
        return Memory(
            seat=Seat(0),
            rules=self.rules,
            prices=prices_of(self.rules),
            hand=cards,
            legal=legal_plays(turn, self.rules.restrictions),
            trick=Trick(Seat((4 - len(table)) % 4), 4, table),
            carried=(),
            unseen=hidden,
            known=(NO_CARDS, CardSet.parse(given), NO_CARDS, NO_CARDS),
            void=tuple(frozenset(suits | empty) for suits in shown),
            cards_left=tuple(len(cards) - (s > 3 - len(table)) for s in range(4)),
            kitty_out=False,
            tricks_taken=0,
            points=points,
            totals=totals,
        )


@pytest.fixture
def recall() -> Callable[..., Memory]:
    return Recall(Rules())
