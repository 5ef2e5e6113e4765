"""Every event as a message and back, total over the union both ways."""

from __future__ import annotations

from typing import assert_never

from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    LogSealed,
    MoonChosen,
    MoonOffered,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
    TrickCancelled,
    TrickTaken,
)
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.attendance import (
    close_cause_at,
    decode_away,
    decode_taken_over,
    stop_cause_at,
    write_attendance,
)
from hearts_wire.bounds import WireError, card_at, card_set_at, octets, seat_at
from hearts_wire.deals import (
    decode_began,
    decode_moon,
    decode_pass,
    decode_secret,
    seat_with_cards,
)
from hearts_wire.opening import decode_opening, write_opening
from hearts_wire.results import (
    decode_ended,
    decode_move,
    decode_scored,
    decode_shown,
    write_ended,
    write_move,
    write_scored,
    write_shown,
)
from hearts_wire.rules import DIRECTIONS, MOON_CHOICES
from hearts_wire.seats import AGENTS, agent_at, decode_seat, write_seat

SIGNATURE_SIZE = 64
"""Bytes of an Ed25519 signature."""


def encode_event(event: Event) -> pb.Event:
    """The message for an event."""
    into = pb.Event()
    write_event(into, event)
    return into


def write_event(into: pb.Event, event: Event) -> None:  # noqa: PLR0915  (an arm for each event)
    """Fill an empty message with an event; in place, which is twice as fast as a copy."""
    match event:
        case CardPlayed(seat, card, by):
            played = into.card_played
            played.seat = seat
            played.card = card
            played.by = AGENTS[by]
        case TrickTaken(seat, points):
            taken = into.trick_taken
            taken.SetInParent()
            taken.seat = seat
            taken.points = points
        case GameOpened():
            write_opening(into.game_opened, event)
        case SeatTaken():
            write_seat(into.seat_taken, event)
        case SeatLeft(seat):
            into.seat_left.SetInParent()
            into.seat_left.seat = seat
        case SeatsFrozen():
            into.seats_frozen.SetInParent()
        case EntropyRevealed(seat, entropy):
            into.entropy_revealed.seat = seat
            into.entropy_revealed.entropy = entropy
        case EntropyWithheld(seat):
            into.entropy_withheld.SetInParent()
            into.entropy_withheld.seat = seat
        case DealBegan(deal, dealer, direction):
            into.deal_began.deal = deal
            into.deal_began.dealer = dealer
            into.deal_began.direction = DIRECTIONS[direction]
        case HandDealt(seat, cards):
            into.hand_dealt.SetInParent()
            into.hand_dealt.seat = seat
            into.hand_dealt.cards.extend(cards)
        case SeatReady(seat):
            into.seat_ready.SetInParent()
            into.seat_ready.seat = seat
        case PassChosen(seat, cards, by):
            into.pass_chosen.SetInParent()
            into.pass_chosen.seat = seat
            into.pass_chosen.cards.extend(cards)
            into.pass_chosen.by = AGENTS[by]
        case CardsPassed():
            into.cards_passed.SetInParent()
            write_move(into.cards_passed, event)
        case KittyDealt(cards):
            into.kitty_dealt.SetInParent()
            into.kitty_dealt.cards.extend(cards)
        case CentreTaken(seat, cards):
            into.centre_taken.SetInParent()
            into.centre_taken.seat = seat
            into.centre_taken.cards.extend(cards)
        case TrickCancelled():
            into.trick_cancelled.SetInParent()
        case KittyWon(seat):
            into.kitty_won.SetInParent()
            into.kitty_won.seat = seat
        case KittyTaken(seat, cards):
            into.kitty_taken.SetInParent()
            into.kitty_taken.seat = seat
            into.kitty_taken.cards.extend(cards)
        case MoonOffered(seat):
            into.moon_offered.SetInParent()
            into.moon_offered.seat = seat
        case MoonChosen(seat, choice, by):
            into.moon_chosen.seat = seat
            into.moon_chosen.choice = MOON_CHOICES[choice]
            into.moon_chosen.by = AGENTS[by]
        case KittyShown(cards):
            into.kitty_shown.SetInParent()
            into.kitty_shown.cards.extend(cards)
        case PlayBegan(leader):
            into.play_began.SetInParent()
            into.play_began.leader = leader
        case RestClaimed(seat, points):
            into.rest_claimed.SetInParent()
            into.rest_claimed.seat = seat
            into.rest_claimed.points = points
        case PlayCut():
            into.play_cut.SetInParent()
        case HandShown():
            into.hand_shown.SetInParent()
            write_shown(into.hand_shown, event)
        case SecretRevealed(deal, secret):
            into.secret_revealed.deal = deal
            into.secret_revealed.secret = secret
        case DealScored():
            write_scored(into.deal_scored, event)
        case GameEnded():
            write_ended(into.game_ended, event)
        case LogSealed(signature):
            into.log_sealed.signature = signature
        case (
            SeatAway()
            | SeatBack()
            | SeatTakenOver()
            | ClocksStopped()
            | ClocksStarted()
            | GameClosed()
        ):
            write_attendance(into, event)
        case _:
            assert_never(event)


def decode_event(message: pb.Event) -> Event:
    """The event in a message.

    Raises ``WireError`` where a field is out of bounds or the kind of event is not known here.
    """
    kind = message.WhichOneof("kind")
    match kind:
        case "card_played":
            played = message.card_played
            return CardPlayed(
                seat_at("card_played.seat", played.seat),
                card_at("card_played.card", played.card),
                agent_at("card_played.by", played.by),
            )
        case "trick_taken":
            taken = message.trick_taken
            return TrickTaken(seat_at("trick_taken.seat", taken.seat), taken.points)
        case "game_opened":
            return decode_opening(message.game_opened)
        case "seat_taken":
            return decode_seat(message.seat_taken)
        case "seat_left":
            return SeatLeft(seat_at("seat_left.seat", message.seat_left.seat))
        case "seats_frozen":
            return SeatsFrozen()
        case "entropy_revealed":
            return _entropy_revealed(message.entropy_revealed)
        case "entropy_withheld":
            return EntropyWithheld(seat_at("entropy_withheld.seat", message.entropy_withheld.seat))
        case "deal_began":
            return decode_began(message.deal_began)
        case "hand_dealt":
            return HandDealt(*seat_with_cards("hand_dealt", message.hand_dealt))
        case "seat_ready":
            return SeatReady(seat_at("seat_ready.seat", message.seat_ready.seat))
        case "pass_chosen":
            return decode_pass(message.pass_chosen)
        case "cards_passed":
            return decode_move(message.cards_passed)
        case "kitty_dealt":
            return KittyDealt(card_set_at("kitty_dealt.cards", message.kitty_dealt.cards))
        case "centre_taken":
            return CentreTaken(*seat_with_cards("centre_taken", message.centre_taken))
        case "trick_cancelled":
            return TrickCancelled()
        case "kitty_won":
            return KittyWon(seat_at("kitty_won.seat", message.kitty_won.seat))
        case "kitty_taken":
            return KittyTaken(*seat_with_cards("kitty_taken", message.kitty_taken))
        case "moon_offered":
            return MoonOffered(seat_at("moon_offered.seat", message.moon_offered.seat))
        case "moon_chosen":
            return decode_moon(message.moon_chosen)
        case "kitty_shown":
            return KittyShown(card_set_at("kitty_shown.cards", message.kitty_shown.cards))
        case "play_began":
            return PlayBegan(seat_at("play_began.leader", message.play_began.leader))
        case "rest_claimed":
            claimed = message.rest_claimed
            return RestClaimed(seat_at("rest_claimed.seat", claimed.seat), claimed.points)
        case "play_cut":
            return PlayCut()
        case "hand_shown":
            return decode_shown(message.hand_shown)
        case "secret_revealed":
            return decode_secret(message.secret_revealed)
        case "deal_scored":
            return decode_scored(message.deal_scored)
        case "game_ended":
            return decode_ended(message.game_ended)
        case "log_sealed":
            signature = message.log_sealed.signature
            return LogSealed(octets("log_sealed.signature", signature, SIGNATURE_SIZE))
        case "seat_away":
            return decode_away(message.seat_away)
        case "seat_back":
            return SeatBack(seat_at("seat_back.seat", message.seat_back.seat))
        case "seat_taken_over":
            return decode_taken_over(message.seat_taken_over)
        case "clocks_stopped":
            cause = message.clocks_stopped.cause
            return ClocksStopped(stop_cause_at("clocks_stopped.cause", cause))
        case "clocks_started":
            return ClocksStarted()
        case "game_closed":
            return GameClosed(close_cause_at("game_closed.cause", message.game_closed.cause))
        case None:
            raise WireError("event.kind: this version knows no such event; a newer one may")
        case _:
            assert_never(kind)


def _entropy_revealed(message: pb.EntropyRevealed) -> EntropyRevealed:
    return EntropyRevealed(
        seat_at("entropy_revealed.seat", message.seat),
        octets("entropy_revealed.entropy", message.entropy),
    )
