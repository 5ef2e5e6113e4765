"""What a seat asks for, as a message and back."""

from __future__ import annotations

from typing import assert_never

from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_proto.v1 import table_pb2 as pb
from hearts_wire.bounds import WireError, card_at, cards_at, octets
from hearts_wire.rules import MOON_CHOICES, moon_choice_at

SeatCommand = ChoosePass | PlayCard | ClaimRest | ChooseMoon | RevealEntropy
"""The commands that answer a prompt. Whose they are is known from the stream, not the message."""


def encode_command(command: SeatCommand, prompt_seq: int, request_id: int = 0) -> pb.PlayRequest:
    """The request that answers a prompt with this command."""
    into = pb.PlayRequest(request_id=request_id)
    match command:
        case ChoosePass(_, cards):
            into.choose_pass.prompt_seq = prompt_seq
            into.choose_pass.cards.extend(cards)
        case PlayCard(_, card):
            into.play_card.prompt_seq = prompt_seq
            into.play_card.card = card
        case ClaimRest():
            into.claim_rest.prompt_seq = prompt_seq
        case ChooseMoon(_, choice):
            into.choose_moon.prompt_seq = prompt_seq
            into.choose_moon.choice = MOON_CHOICES[choice]
        case RevealEntropy(_, entropy):
            into.reveal_entropy.prompt_seq = prompt_seq
            into.reveal_entropy.entropy = entropy
        case _:
            assert_never(command)
    return into


def decode_command(request: pb.PlayRequest, seat: Seat) -> tuple[SeatCommand, int]:
    """The command of this seat in a request, and the prompt that it answers.

    Raises ``WireError`` where a field is out of bounds or the request holds no command.
    """
    kind = request.WhichOneof("kind")
    match kind:
        case "choose_pass":
            chosen = request.choose_pass
            cards = cards_at("choose_pass.cards", chosen.cards)
            return ChoosePass(seat, cards), chosen.prompt_seq
        case "play_card":
            played = request.play_card
            return PlayCard(seat, card_at("play_card.card", played.card)), played.prompt_seq
        case "claim_rest":
            return ClaimRest(seat), request.claim_rest.prompt_seq
        case "choose_moon":
            chosen_moon = request.choose_moon
            choice = moon_choice_at("choose_moon.choice", chosen_moon.choice)
            return ChooseMoon(seat, choice), chosen_moon.prompt_seq
        case "reveal_entropy":
            revealed = request.reveal_entropy
            entropy = octets("reveal_entropy.entropy", revealed.entropy)
            return RevealEntropy(seat, entropy), revealed.prompt_seq
        case "attach" | "heartbeat" | "say" | "come_back" | None:
            raise WireError(f"play_request.kind: {kind or 'nothing known here'} is no command")
        case _:
            assert_never(kind)
