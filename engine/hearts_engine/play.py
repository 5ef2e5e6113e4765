"""The tricks of one deal, and what came of it beside them."""

from __future__ import annotations

from typing import Final

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.exchange import put
from hearts_engine.legality import FREE, TOP_SPADES, Binding
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick
from hearts_engine.value import replace, value


@value
class Outcome:
    """What came of a deal beside its tricks."""

    kitty_seat: Seat | None = None
    """The seat that the kitty went to."""
    kitty: CardSet = NO_CARDS
    """What it was, once it is taken and as far as that is known."""
    kitty_shown: bool = False
    """Whether everyone has seen it."""
    claimed: Seat | None = None
    """The seat that claimed the rest."""
    moon_seat: Seat | None = None
    """The seat that was offered the choice of how its moon is scored."""
    moon_choice: MoonChoice | None = None


NOTHING_YET: Final = Outcome()


@value
class Play:
    """The tricks of one deal."""

    hands: tuple[CardSet, ...]
    leader: Seat
    """Of the open trick."""
    cards: tuple[Card, ...]
    """Of the open trick, in the order played."""
    turn: Seat | None
    """The seat to play; none while a full trick is still to be taken, and outside play."""
    binding: Binding
    """The restrictions that the seat on turn is under."""
    legal: CardSet
    """What the seat on turn may play."""
    hearts_broken: bool
    tricks: tuple[Trick, ...]
    """Those completed, in order; the taker of each leads the next."""
    points: tuple[int, ...]
    """What each seat has taken in tricks, or by a claim."""
    outcome: Outcome = NOTHING_YET

    @property
    def trick(self) -> Trick:
        """The open trick, perhaps still empty."""
        return Trick(self.leader, len(self.hands), self.cards)

    @property
    def carried(self) -> tuple[Card, ...]:
        """The cards of cancelled tricks that wait for the next taker."""
        waiting: tuple[Card, ...] = ()
        if not self.tricks or self.tricks[-1].taker is not None:
            return waiting
        for trick in reversed(self.tricks):
            if trick.taker is not None:
                break
            waiting = (*trick.cards, *waiting)
        return waiting

    def holding(self, hands: tuple[CardSet, ...]) -> Play:
        """The same before the first lead, with these hands."""
        return Play(
            hands,
            self.leader,
            (),
            None,
            FREE,
            NO_CARDS,
            self.hearts_broken,
            self.tricks,
            self.points,
            self.outcome,
        )

    def with_card(self, seat: Seat, card: Card, rules: Rules) -> Play:
        """This card has come from that seat to the open trick; the next seat is on turn."""
        hands = list(self.hands)
        hands[seat] = hands[seat].remove(card)
        cards = (*self.cards, card)
        binding = self.binding
        if len(cards) == 1 or card in TOP_SPADES:
            binding = rules.restrictions.following(cards, first_trick=not self.tricks)
        if len(cards) < len(hands):
            turn = SEATS[seat + 1 if seat + 1 < len(hands) else 0]
            legal = hands[turn].narrowed_by(binding.narrowings)
        else:
            turn, legal = None, NO_CARDS
        return Play(
            tuple(hands),
            self.leader,
            cards,
            turn,
            binding,
            legal,
            self.hearts_broken or rules.breakers[card],
            self.tricks,
            self.points,
            self.outcome,
        )

    def taken_by(self, taker: Seat, points: int, rules: Rules) -> Play:
        """The open trick is this seat's, for so many points, and it leads the next."""
        trick = Trick(self.leader, len(self.hands), self.cards, taker)
        gained = put(self.points, taker, self.points[taker] + points) if points else self.points
        return self.led_by(taker, (*self.tricks, trick), gained, rules)

    def cancelled(self, rules: Rules) -> Play:
        """The open trick is nobody's, and its leader leads again."""
        return self.led_by(self.leader, (*self.tricks, self.trick), self.points, rules)

    def led_by(
        self, leader: Seat, tricks: tuple[Trick, ...], points: tuple[int, ...], rules: Rules
    ) -> Play:
        """After these tricks the next is this seat's to lead, if there is one."""
        hands, broken = self.hands, self.hearts_broken
        if len(tricks) == rules.hand_size:
            return Play(
                hands, leader, (), None, FREE, NO_CARDS, broken, tricks, points, self.outcome
            )
        hand = hands[leader]
        binding = rules.restrictions.leading(hand, first_trick=not tricks, hearts_broken=broken)
        legal = hand.narrowed_by(binding.narrowings)
        return Play(hands, leader, (), leader, binding, legal, broken, tricks, points, self.outcome)

    def over(self) -> Play:
        """Nobody plays any more, though cards may be left."""
        return replace(self, turn=None, binding=FREE, legal=NO_CARDS)


def empty_play(players: int) -> Play:
    """No cards anywhere, nobody on lead."""
    return Play(
        hands=(NO_CARDS,) * players,
        leader=SEATS[0],
        cards=(),
        turn=None,
        binding=FREE,
        legal=NO_CARDS,
        hearts_broken=False,
        tricks=(),
        points=(0,) * players,
    )
