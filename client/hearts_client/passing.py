"""The pass of a deal in words: where the cards go, and who gets which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Card, Seat
from hearts_engine.dealing import KEPT_SPADES
from hearts_engine.events import CardsPassed
from hearts_engine.passing import Direction, taker
from hearts_engine.view import SeatView

DIRECTION_WORDS: Final[Mapping[Direction, str]] = {
    Direction.LEFT: "left",
    Direction.RIGHT: "right",
    Direction.ACROSS: "across",
    Direction.LEFT2: "second left",
    Direction.RIGHT2: "second right",
    Direction.HOLD: "no pass",
    Direction.SCATTER: "one each",
    Direction.SHUFFLE: "to the centre",
}
"""Where a pass goes, in few words."""

_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")


def passing_sentence(direction: Direction, names: SeatNames) -> str:
    """Where this deal's cards go: ``pass left to Ben``, or ``no pass``."""
    if direction is Direction.HOLD:
        return "no pass"
    to = _taker(direction, names)
    where = f"pass {DIRECTION_WORDS[direction]}"
    return where if to is None else f"{where} to {names.name(to)}"


def pass_prompt(view: SeatView, names: SeatNames) -> str:
    """``pass 3 cards left to Ben``; where they are scattered, who gets the first, and so on."""
    count = f"{view.rules.pass_count} card{'' if view.rules.pass_count == 1 else 's'}"
    if view.seat is None or view.direction is Direction.HOLD:
        return f"pass {count}"
    to = _taker(view.direction, names)
    if to is not None:
        return f"pass {count} {DIRECTION_WORDS[view.direction]} to {names.name(to)}"
    if view.direction is Direction.SHUFFLE:
        return f"put {count} into the centre, you get {view.rules.pass_count} back by chance"
    return f"pass {count}, {scatter_sentence(names)}"


def scatter_sentence(names: SeatNames) -> str:
    """``1st to Ann, 2nd to Ben, 3rd to Cy``: who gets which of the cards as they are chosen."""
    told = zip(_ORDINALS, scatter_takers(names), strict=False)
    return ", ".join(f"{ordinal} to {names.name(seat)}" for ordinal, seat in told)


def scatter_takers(names: SeatNames) -> tuple[Seat, ...]:
    """Who gets the first card of a scattered pass, who the second, and so on."""
    return names.clockwise()[1:]


def chosen_sentence(
    cards: Sequence[Card], direction: Direction, names: SeatNames, style: CardStyle
) -> str:
    """The cards of a pass; where they are scattered, each with the seat that gets it."""
    if direction is not Direction.SCATTER or names.me is None:
        return card_names(cards, style)
    told = zip(cards, scatter_takers(names), strict=False)
    return ", ".join(f"{card_name(card, style)} to {names.name(seat)}" for card, seat in told)


def kept_sentence(view: SeatView, style: CardStyle) -> str:
    """Which cards of the hand are not to be passed, and why; empty if all may be."""
    if view.rules.keep_top_spades and len(view.hand.without(KEPT_SPADES)) < view.rules.pass_count:
        return "top spades are passed only along with all your other cards"
    kept = view.hand.without(view.legal) if view.legal else view.legal
    if not kept:
        return ""
    stays = "stays" if len(kept) == 1 else "stay"
    return f"{card_names(kept, style)} {stays}: top spades are not passed while others can be"


def pass_lines(view: SeatView, names: SeatNames, style: CardStyle) -> tuple[tuple[str, str], ...]:
    """What this seat passed and received in the deal, each with the word it was told under."""
    if names.me is None or view.direction is Direction.HOLD:
        return (("PASSED", "no cards are passed in this deal"),)
    if view.direction is Direction.SHUFFLE:
        return (
            ("PASSED", f"{_or_nothing(view.passed.cards, style)} into the centre"),
            ("RECEIVED", f"{_or_nothing(view.received.cards, style)} from the centre"),
        )
    if view.direction is Direction.SCATTER and view.moves:
        given = (f"{card_names(m.cards, style)} to {names.name(m.taker)}" for m in _given(view))
        got = (f"{card_names(m.cards, style)} from {names.name(m.giver)}" for m in _got(view))
        return (("PASSED", ", ".join(given)), ("RECEIVED", ", ".join(got)))
    if view.direction is Direction.SCATTER:
        chosen = _or_nothing(view.passed.cards, style)
        return (
            ("PASSED", f"{chosen}, one to each other seat"),
            ("RECEIVED", "nothing yet from the other seats"),
        )
    to, giver = _taker(view.direction, names), names.giver(view.direction)
    assert to is not None, "the other directions are dealt with"
    assert giver is not None, "the other directions are dealt with"
    return (
        ("PASSED", f"{_or_nothing(view.passed.cards, style)} to {names.name(to)}"),
        ("RECEIVED", f"{_or_nothing(view.received.cards, style)} from {names.name(giver)}"),
    )


def received_sentence(view: SeatView, names: SeatNames) -> str:
    """Whom the received cards came from; empty where none did."""
    if view.direction is Direction.SHUFFLE:
        return "received from the centre"
    if view.direction is Direction.SCATTER:
        return "received, one from each seat"
    giver = names.giver(view.direction)
    return "" if giver is None else f"received from {names.name(giver)}"


def _taker(direction: Direction, names: SeatNames) -> Seat | None:
    return None if names.me is None else taker(names.me, direction, len(names.names))


def _given(view: SeatView) -> tuple[CardsPassed, ...]:
    return tuple(move for move in view.moves if move.giver == view.seat)


def _got(view: SeatView) -> tuple[CardsPassed, ...]:
    return tuple(move for move in view.moves if move.taker == view.seat)


def _or_nothing(cards: Sequence[Card], style: CardStyle) -> str:
    return card_names(cards, style) if cards else "nothing yet"
