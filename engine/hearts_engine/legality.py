"""Which cards may be played: restrictions of the form "you must, if you can".

Every rule of play in Hearts narrows the hand, and is waived when it would leave nothing. Folding
the hand over them in order gives the legal cards, never none; the first restriction that takes a
card away is the reason for refusing it. Which of them bind depends only on the situation, so a
table works them out once, from its options (:func:`restrictions_of`).
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from hearts_engine.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES, Card, Suit
from hearts_engine.cardset import ALL_CARDS, SUITS, CardSet, Narrowing
from hearts_engine.errors import Reason, Rejected
from hearts_engine.options import FirstForced, FirstTrick, Opening, QueenDump, QueenOnlyLead


class Turn(NamedTuple):
    """All that a rule of play may look at."""

    hand: CardSet
    trick: tuple[Card, ...]
    """The cards of the open trick; empty for the leader."""
    first_trick: bool
    hearts_broken: bool

    @property
    def led(self) -> Suit | None:
        """The suit to follow; none for the leader."""
        return self.trick[0].suit if self.trick else None


class Restriction(NamedTuple):
    """One rule: what it narrows a hand to, and what to say to someone who plays another card."""

    reason: Reason
    sentence: str
    """What is asked for; ``{led}`` stands for the suit led."""
    narrowing: Narrowing


class Binding(NamedTuple):
    """The restrictions that a seat is under, in order."""

    restrictions: tuple[Restriction, ...]
    narrowings: tuple[Narrowing, ...]
    """What each of them narrows a hand to."""


def bound_by(*restrictions: Restriction) -> Binding:
    """Under these restrictions."""
    return Binding(restrictions, tuple(rule.narrowing for rule in restrictions))


FREE = bound_by()
"""Under none."""


class Restrictions(NamedTuple):
    """The rules of play of a table, by the situation of the seat to play."""

    opening: Binding
    """The lead to the first trick."""
    lowest_club_opens: bool
    """Whether that lead is the leader's lowest club, before anything else."""
    lead: Binding
    """Any other lead, before hearts are broken."""
    broken_lead: Binding
    first_trick: tuple[Binding, ...]
    """Followers in the first trick, by the suit led."""
    follow: tuple[Binding, ...]
    """Followers in any other trick, by the suit led."""
    under_top_spade: Binding
    """Followers to spades, once the ace or the king lies in the trick."""
    first_under_top_spade: Binding
    """The same in the first trick."""

    def leading(self, hand: CardSet, *, first_trick: bool, hearts_broken: bool) -> Binding:
        """What the leader of a trick is under."""
        if not first_trick:
            return self.broken_lead if hearts_broken else self.lead
        if self.lowest_club_opens and hand.in_suit(Suit.CLUBS):
            lowest = hand.in_suit(Suit.CLUBS).lowest()
            return bound_by(OPENED_WITH[lowest], *self.opening.restrictions)
        return self.opening

    def following(self, trick: tuple[Card, ...], *, first_trick: bool) -> Binding:
        """What a seat is under that plays to this trick."""
        led = trick[0].suit
        if led is Suit.SPADES and not TOP_SPADES.isdisjoint(trick):
            return self.first_under_top_spade if first_trick else self.under_top_spade
        return (self.first_trick if first_trick else self.follow)[led]

    def binding(self, turn: Turn) -> Binding:
        """What this turn is under."""
        first = turn.first_trick
        if turn.trick:
            return self.following(turn.trick, first_trick=first)
        return self.leading(turn.hand, first_trick=first, hearts_broken=turn.hearts_broken)


def legal_plays(turn: Turn, restrictions: Restrictions) -> CardSet:
    """The cards that may be played; never empty while the hand is not."""
    return turn.hand.narrowed_by(restrictions.binding(turn).narrowings)


def refusal(card: Card, turn: Turn, restrictions: Restrictions) -> Rejected:
    """Why this held card may not be played; ``ValueError`` if it may."""
    legal = legal_plays(turn, restrictions)
    cards = turn.hand
    for restriction in restrictions.binding(turn).restrictions:
        fewer = cards.narrowed_by((restriction.narrowing,))
        if card in cards and card not in fewer:
            led = turn.led.name.lower() if turn.led is not None else ""
            message = f"{card}: {restriction.sentence.format(led=led)}; legal: {legal}"
            return Rejected(restriction.reason, message, legal)
        cards = fewer
    raise ValueError(f"{card} is legal")


class PlayOptions(Protocol):
    """The options that say which cards may be played."""

    @property
    def opening(self) -> Opening: ...  # noqa: D102  (each as in Rules)
    @property
    def first_trick(self) -> FirstTrick: ...  # noqa: D102
    @property
    def first_forced(self) -> FirstForced: ...  # noqa: D102
    @property
    def must_break(self) -> bool: ...  # noqa: D102
    @property
    def queen_only_lead(self) -> QueenOnlyLead: ...  # noqa: D102
    @property
    def queen_dump(self) -> QueenDump: ...  # noqa: D102


def restrictions_of(options: PlayOptions, penalties: CardSet) -> Restrictions:
    """The rules of play that follow from the options of a table with these penalty cards."""
    no_points = options.first_trick is FirstTrick.NO_POINTS
    clean = _clean(penalties, options.first_forced) if no_points else ()
    closed = (_closed(options.queen_only_lead),) if options.must_break else ()
    opened = (LEAD_A_CLUB,) if options.opening is Opening.ANY_CLUB else ()
    suits = [(_follow(suit),) for suit in Suit]
    dumps = options.queen_dump is QueenDump.FIRST_CHANCE
    void = [(_queen_when_void(suit),) if dumps else () for suit in Suit]
    under = (QUEEN_UNDER_TOP_SPADE,) if dumps else ()
    spades = suits[Suit.SPADES]
    return Restrictions(
        opening=bound_by(*opened, *clean, *closed),
        lowest_club_opens=options.opening is Opening.LOW_CLUB,
        lead=bound_by(*closed),
        broken_lead=FREE,
        first_trick=tuple(bound_by(*suits[led], *clean, *void[led]) for led in Suit),
        follow=tuple(bound_by(*suits[led], *void[led]) for led in Suit),
        under_top_spade=bound_by(*spades, *under),
        first_under_top_spade=bound_by(*spades, *clean, *under),
    )


TOP_SPADES: Final = frozenset({ACE_OF_SPADES, KING_OF_SPADES})
"""The cards that, once in a trick of spades, may change what its followers are bound by."""

_QUEEN = CardSet.of([QUEEN_OF_SPADES])
_QUEENS = CardSet.of([QUEEN_OF_SPADES, QUEEN_OF_SPADES])
_NOT_HEARTS = ALL_CARDS.without(SUITS[Suit.HEARTS])


def _must(reason: Reason, sentence: str, cards: CardSet) -> Restriction:
    return Restriction(reason, sentence, Narrowing.of(cards))


LEAD_A_CLUB = _must(Reason.MUST_LEAD_CLUB, "the first trick is led with a club", SUITS[Suit.CLUBS])

QUEEN_UNDER_TOP_SPADE = _must(
    Reason.QUEEN_AT_FIRST_CHANCE, "the queen goes under the ace or king of spades", _QUEENS
)


def _opened_with(card: Card) -> Restriction:
    return _must(
        Reason.MUST_LEAD_LOWEST_CLUB,
        f"the first trick is led with {card}",
        CardSet.of([card, card]),
    )


OPENED_WITH = {card: _opened_with(card) for card in SUITS[Suit.CLUBS]}
"""The opening lead is this club, by the club."""


def _follow(led: Suit) -> Restriction:
    return _must(Reason.MUST_FOLLOW_SUIT, "you still hold {led}, follow suit", SUITS[led])


def _clean(penalties: CardSet, forced: FirstForced) -> tuple[Restriction, ...]:
    """Nobody plays a scoring card to trick one; and perhaps, if it must be one, the queen."""
    clean = _must(
        Reason.NO_POINTS_ON_FIRST_TRICK,
        "no scoring card on the first trick while you hold another",
        ALL_CARDS.without(penalties),
    )
    if forced is FirstForced.ANY:
        return (clean,)
    sentence = "of scoring cards alone, the first trick gets the queen of spades"
    queen = _must(Reason.QUEEN_FORCED, sentence, ALL_CARDS.without(penalties) | _QUEENS)
    return (clean, queen)


def _closed(queen_only: QueenOnlyLead) -> Restriction:
    """Hearts are not led before they are broken."""
    free = queen_only is QueenOnlyLead.FREE
    holding = _NOT_HEARTS.without(_QUEENS) if free else _NOT_HEARTS
    return Restriction(
        Reason.HEARTS_NOT_BROKEN,
        "hearts are not broken yet, lead another suit",
        Narrowing.of(_NOT_HEARTS, holding),
    )


def _queen_when_void(led: Suit) -> Restriction:
    sentence = "you are void, the queen of spades goes at the first chance"
    return _must(Reason.QUEEN_AT_FIRST_CHANCE, sentence, SUITS[led] | _QUEENS)
