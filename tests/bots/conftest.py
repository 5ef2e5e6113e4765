"""What a seat remembers, written down in a line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from hearts_bots.memory import Memory
from hearts_bots.prices import prices_of
from hearts_engine.cards import Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
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
        carried: str = "",
        kitty_out: bool = False,
        tricks_taken: int = 0,
    ) -> Memory:
        """Seat 0 holds ``hand`` and must add to ``trick``; the rest is unseen unless said.

        ``void`` says by seat which suits it has shown out of: ``{1: "CD"}``. Seat 1 holds what is
        ``given``. A cancelled trick left what is ``carried``.
        """
        cards = CardSet.parse(hand)
        table = tuple(Card.parse(word) for word in trick.split())
        rest = self.rules.cards - cards - CardSet.of(table)
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
            carried=tuple(CardSet.parse(carried)),
            unseen=hidden,
            known=(NO_CARDS, CardSet.parse(given), NO_CARDS, NO_CARDS),
            void=tuple(frozenset(suits | empty) for suits in shown),
            cards_left=tuple(len(cards) - (s > 3 - len(table)) for s in range(4)),
            kitty_out=kitty_out,
            tricks_taken=tricks_taken,
            points=points,
            totals=totals,
        )


@pytest.fixture
def recall() -> Callable[..., Memory]:
    return Recall(Rules())


@pytest.fixture
def recall_at() -> Callable[[str], Callable[..., Memory]]:
    """The same at a table of four with other rules, given as a text."""
    return lambda text: Recall(parse_rules(text))
