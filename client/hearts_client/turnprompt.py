"""What a seat is asked, in a sentence with the legal cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from hearts_client.cardnames import CardStyle, card_name, card_names, suit_name
from hearts_client.safetext import cleaned
from hearts_client.seatnames import SeatNames
from hearts_client.viewstate import is_away, turn_of
from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.errors import Reason
from hearts_engine.events import StopCause
from hearts_engine.legality import legal_plays
from hearts_engine.options import Opening
from hearts_engine.state import Phase
from hearts_engine.view import SeatView


def card_prompt(view: SeatView, style: CardStyle) -> str:
    """Which rule binds the seat on turn, and the cards it leaves: ``follow clubs: 2♣ 9♣``."""
    return _card_prompt(view, card_names(view.legal, style), style)


def short_card_prompt(view: SeatView, style: CardStyle) -> str:
    """The same where the hand is in sight: ``any card`` rather than all of them."""
    free = view.legal == view.hand and len(view.legal) > 1
    return _card_prompt(view, "any card", style) if free else card_prompt(view, style)


def _card_prompt(view: SeatView, cards: str, style: CardStyle) -> str:
    opens = not view.tricks and not view.trick.cards
    if opens and view.rules.opening is Opening.LOW_CLUB:
        return f"lead the {card_name(view.legal.lowest(), style)}"
    clauses = [_what_to_play(view), *_binding_clauses(view)]
    return f"{', '.join(clauses)}: {cards}"


def _what_to_play(view: SeatView) -> str:
    """``your lead``, ``follow clubs``, or ``no clubs`` left to follow with."""
    led = view.trick.led
    if led is None:
        return "your lead"
    follows = any(card.suit is led for card in view.legal)
    return f"{'follow' if follows else 'no'} {suit_name(led)}"


_CLAUSES: Final[Mapping[Reason, str]] = {
    Reason.MUST_LEAD_CLUB: "a club",
    Reason.NO_POINTS_ON_FIRST_TRICK: "no points on the first trick",
    Reason.QUEEN_FORCED: "the queen goes to the first trick",
    Reason.QUEEN_AT_FIRST_CHANCE: "the queen goes at the first chance",
    Reason.HEARTS_NOT_BROKEN: "hearts are closed",
}
"""What binds beside following suit, in few words."""


def _binding_clauses(view: SeatView) -> Iterator[str]:
    """What keeps cards of the hand back, apart from the suit led."""
    led = view.trick.led
    clauses = [_CLAUSES[reason] for reason in _binding_reasons(view) if reason in _CLAUSES]
    if led is not None and not clauses and all(card.suit is not led for card in view.legal):
        yield "discard"
    yield from clauses


def _binding_reasons(view: SeatView) -> Iterator[Reason]:
    """The reason of every restriction that takes cards of the hand away now."""
    cards = view.hand
    for restriction in view.rules.restrictions.binding(turn_of(view)).restrictions:
        fewer = cards.narrowed_by((restriction.narrowing,))
        if fewer != cards:
            yield restriction.reason
        cards = fewer


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
    return legal_plays(turn_of(view), view.rules.restrictions)


def _has_played(view: SeatView) -> bool:
    return any(seat == view.seat for seat, _ in view.trick.plays)


def waiting_sentence(view: SeatView, names: SeatNames) -> str:
    """Whom the table is waiting for, when it is not for this seat."""
    if view.stopped is StopCause.HOST:
        return "the host paused the game"
    if is_away(view):
        return "a bot plays for you: press any key, and you decide again"
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
        case Phase.CENTRE:
            return "the centre is being shuffled"
        case Phase.PLAYING:
            if view.turn is None or view.turn == view.seat:
                return ""
            return f"waiting for {names.name(view.turn)}"
        case Phase.MOON:
            if view.moon_seat is None or view.moon_seat == view.seat:
                return ""
            return f"waiting for {names.name(view.moon_seat)} to choose how the moon is scored"
        case Phase.SHOWING:
            return "counting the points"
        case Phase.ENDED | Phase.SEALED:
            return "the game is over"


def why_not_asked(view: SeatView | None) -> str:
    """Why nothing can be decided now."""
    if view is not None and view.stopped is StopCause.HOST:
        return "the game is paused; decide when it goes on"
    if view is not None and is_away(view):
        return "a bot played for you; you are asked again now"
    return "it is not your turn"


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
