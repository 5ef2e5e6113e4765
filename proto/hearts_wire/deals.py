"""What happens in a deal that has several fields: messages to events."""

from __future__ import annotations

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import DealBegan, MoonChosen, PassChosen, SecretRevealed
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.bounds import card_set_at, cards_at, counted, octets, seat_at
from hearts_wire.rules import direction_at, moon_choice_at
from hearts_wire.seats import agent_at


def decode_began(message: pb.DealBegan) -> DealBegan:
    """A deal that began; ``WireError`` if a field is out of bounds."""
    return DealBegan(
        counted("deal_began.deal", message.deal),
        seat_at("deal_began.dealer", message.dealer),
        direction_at("deal_began.direction", message.direction),
    )


def seat_with_cards(
    kind: str, message: pb.HandDealt | pb.CentreTaken | pb.KittyTaken
) -> tuple[Seat, CardSet]:
    """A seat and the cards that it got; ``WireError`` names the field of this kind of event."""
    return seat_at(f"{kind}.seat", message.seat), card_set_at(f"{kind}.cards", message.cards)


def decode_moon(message: pb.MoonChosen) -> MoonChosen:
    """How a moon is scored; ``WireError`` if a field is out of bounds."""
    return MoonChosen(
        seat_at("moon_chosen.seat", message.seat),
        moon_choice_at("moon_chosen.choice", message.choice),
        agent_at("moon_chosen.by", message.by),
    )


def decode_pass(message: pb.PassChosen) -> PassChosen:
    """A pass, in the order it was chosen; ``WireError`` if a field is out of bounds."""
    return PassChosen(
        seat_at("pass_chosen.seat", message.seat),
        cards_at("pass_chosen.cards", message.cards),
        agent_at("pass_chosen.by", message.by),
    )


def decode_secret(message: pb.SecretRevealed) -> SecretRevealed:
    """A secret behind a deal; ``WireError`` if a field is out of bounds."""
    return SecretRevealed(
        counted("secret_revealed.deal", message.deal),
        octets("secret_revealed.secret", message.secret),
    )
