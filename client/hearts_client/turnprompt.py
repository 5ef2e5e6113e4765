"""What a seat is asked, in a sentence with the legal cards."""

from __future__ import annotations

from hearts_client.cardnames import CardStyle, card_name, card_names, suit_name
from hearts_client.safetext import cleaned
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.passing import Direction, taker
from hearts_engine.state import Phase
from hearts_engine.view import SeatView


def pass_prompt(view: SeatView, names: SeatNames) -> str:
    """``pass 3 cards left to Ben``."""
    count = f"{view.rules.pass_count} card{'' if view.rules.pass_count == 1 else 's'}"
    if view.seat is None or view.direction is Direction.HOLD:
        return f"pass {count}"
    to = taker(view.seat, view.direction, len(names.names))
    return f"pass {count} {view.direction} to {names.name(to)}"


def card_prompt(view: SeatView, style: CardStyle) -> str:
    """Which rule binds the seat on turn, and the cards it leaves: ``follow clubs: 2♣ 9♣``."""
    return _card_prompt(view, card_names(view.legal, style), style)


def short_card_prompt(view: SeatView, style: CardStyle) -> str:
    """The same where the hand is in sight: ``any card`` rather than all of them."""
    free = view.legal == view.hand and len(view.legal) > 1
    return _card_prompt(view, "any card", style) if free else card_prompt(view, style)


def _card_prompt(view: SeatView, cards: str, style: CardStyle) -> str:
    legal, led = view.legal, view.trick.led
    if led is None:
        return _lead_prompt(view, cards, style)
    if any(card.suit is led for card in legal):
        return f"follow {suit_name(led)}: {cards}"
    if legal != view.hand:
        return f"no {suit_name(led)}, and no points on the first trick: {cards}"
    return f"no {suit_name(led)}, discard: {cards}"


def _lead_prompt(view: SeatView, cards: str, style: CardStyle) -> str:
    if not view.tricks:
        return f"lead the {card_name(view.rules.lowest_club, style)}"
    closed = legal_hides_hearts(view.hand, view.legal)
    return f"your lead, hearts are closed: {cards}" if closed else f"your lead: {cards}"


def legal_hides_hearts(hand: CardSet, legal: CardSet) -> bool:
    """Whether the hand has hearts and none of them may be played."""
    hearts = hand.in_suit(Suit.HEARTS)
    return bool(hearts) and not hearts & legal


def playable(view: SeatView) -> CardSet | None:
    """The cards that this seat may play to the open trick, on its turn or before it.

    None while that is not settled, because somebody else leads.
    """
    if view.phase is not Phase.PLAYING:
        return view.legal or None
    trick = view.trick
    if view.legal or trick.complete or _has_played(view):
        return view.legal or None
    if not trick.cards:
        return None
    turn = Turn(view.hand, trick.led, not view.tricks, view.hearts_broken)
    return legal_plays(turn, view.rules.restrictions)


def _has_played(view: SeatView) -> bool:
    return any(seat == view.seat for seat, _ in view.trick.plays)


def waiting_sentence(view: SeatView, names: SeatNames) -> str:
    """Whom the table is waiting for, when it is not for this seat."""
    match view.phase:
        case Phase.SEATING:
            empty = sum(taken is None for taken in view.seats)
            return f"waiting for {empty} more to sit down" if empty else "waiting for the start"
        case Phase.ENTROPY:
            return "waiting for the seats to mix the deal"
        case Phase.DEALING:
            return "dealing"
        case Phase.PASSING:
            late = _late_with_their_pass(view)
            return f"waiting for the pass of {names.listed(late)}" if late else ""
        case Phase.PLAYING:
            if view.turn is None or view.turn == view.seat:
                return ""
            return f"waiting for {names.name(view.turn)}"
        case Phase.SHOWING:
            return "counting the points"
        case Phase.ENDED | Phase.SEALED:
            return "the game is over"


def joining_sentence(view: SeatView) -> str:
    """How the free seats can be filled; empty when there are none to fill."""
    if view.phase is not Phase.SEATING or None not in view.seats:
        return ""
    table = cleaned(view.opened.table)
    return f"to join: hearts join HOST:PORT {table}; add --fill medium for house bots too"


def _late_with_their_pass(view: SeatView) -> tuple[Seat, ...]:
    """The others who have not chosen yet."""
    seats = (Seat(seat) for seat, ready in enumerate(view.ready) if not ready)
    return tuple(seat for seat in seats if seat != view.seat)
