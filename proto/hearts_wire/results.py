"""What a view tells as its event does: passed cards and results, as messages and back."""

from __future__ import annotations

from hearts_engine.events import CardsPassed, DealScored, GameEnded, HandShown
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.bounds import by_seat, card_set_at, counted, seat_at


def write_move(into: pb.CardsPassed, move: CardsPassed) -> None:
    """Fill a message with cards that changed hands."""
    into.giver = move.giver
    into.taker = move.taker
    into.cards.extend(move.cards)


def decode_move(message: pb.CardsPassed) -> CardsPassed:
    """Cards that changed hands; ``WireError`` if a field is out of bounds."""
    return CardsPassed(
        seat_at("cards_passed.giver", message.giver),
        seat_at("cards_passed.taker", message.taker),
        card_set_at("cards_passed.cards", message.cards),
    )


def write_shown(into: pb.HandShown, shown: HandShown) -> None:
    """Fill a message with a seat's cards."""
    into.seat = shown.seat
    into.dealt.extend(shown.dealt)
    into.held.extend(shown.held)


def decode_shown(message: pb.HandShown) -> HandShown:
    """A seat's cards; ``WireError`` if a field is out of bounds."""
    return HandShown(
        seat_at("hand_shown.seat", message.seat),
        card_set_at("hand_shown.dealt", message.dealt),
        card_set_at("hand_shown.held", message.held),
    )


def write_scored(into: pb.DealScored, scored: DealScored) -> None:
    """Fill a message with the result of a deal."""
    into.deal = scored.deal
    into.points.extend(scored.points)
    if scored.moon is not None:
        into.moon = scored.moon
    into.scores.extend(scored.scores)
    into.totals.extend(scored.totals)


def decode_scored(message: pb.DealScored) -> DealScored:
    """The result of a deal; ``WireError`` if a field is out of bounds."""
    seats = len(message.points)
    moon = seat_at("deal_scored.moon", message.moon) if message.HasField("moon") else None
    return DealScored(
        counted("deal_scored.deal", message.deal),
        tuple(message.points),
        moon,
        by_seat("deal_scored.scores", message.scores, seats),
        by_seat("deal_scored.totals", message.totals, seats),
    )


def write_ended(into: pb.GameEnded, ended: GameEnded) -> None:
    """Fill a message with the end of a game."""
    into.totals.extend(ended.totals)
    into.places.extend(ended.places)


def decode_ended(message: pb.GameEnded) -> GameEnded:
    """The end of a game; ``WireError`` if a field is out of bounds."""
    seats = len(message.totals)
    places = tuple(counted("game_ended.places", place) for place in message.places)
    return GameEnded(tuple(message.totals), by_seat("game_ended.places", places, seats))
