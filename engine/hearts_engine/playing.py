"""Play: what a card, a claim and the choice of a moon make happen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.claim import takes_the_rest, unseen_by
from hearts_engine.commands import ChooseMoon, ClaimRest, PlayCard
from hearts_engine.ending import is_settled
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    CardPlayed,
    Event,
    KittyTaken,
    KittyWon,
    MoonChosen,
    MoonOffered,
    PlayCut,
    RestClaimed,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.evolve import evolve
from hearts_engine.kitty import comes_with
from hearts_engine.legality import Turn, refusal
from hearts_engine.options import Finish, Moon
from hearts_engine.scoring import moon_shooter
from hearts_engine.state import Phase, State
from hearts_engine.takings import outstanding, takings
from hearts_engine.trick import Trick, winning_place


def play_card(state: State, command: PlayCard) -> tuple[Event, ...]:
    """The card is on the table, and perhaps the trick is complete."""
    play, seat, card = state.play, command.seat, command.card
    if seat != play.turn or card not in play.legal:
        raise _refusal(state, command)
    played = CardPlayed(seat, card, command.by)
    if len(play.cards) + 1 < len(play.hands):
        return (played,)
    return _with_what_follows(state, (played, *_complete(state, (*play.cards, card))))


def _complete(state: State, cards: tuple[Card, ...]) -> tuple[Event, ...]:
    """Who takes a trick of these cards, if anyone, and whether the kitty goes along."""
    play, rules = state.play, state.game.rules
    last = len(play.tricks) + 1 == rules.hand_size
    place = winning_place(cards, rules.twins)
    if place is not None:
        taker = SEATS[(play.leader + place) % len(cards)]
    elif last:
        trick = Trick(play.leader, len(cards), cards)
        taker = trick.taken_if_last(rules.twins, rules.last_cancelled)
    else:
        return (TrickCancelled(),)
    cards += play.carried
    taken = TrickTaken(taker, rules.value_of(cards))
    if rules.kitty_size and comes_with(cards, rules, last=last):
        # First of all the taker looks at the kitty: after the trick it is asked for a lead.
        return (*_kitty_to(taker, state), taken)
    return (taken,)


def _kitty_to(seat: Seat, state: State) -> tuple[Event, ...]:
    """The kitty is this seat's, if there is one and nobody has it."""
    if not state.game.rules.kitty_size or state.play.outcome.kitty_seat is not None:
        return ()
    return (KittyWon(seat), KittyTaken(seat, state.exchange.kitty))


def _with_what_follows(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """These events, and the early end or the offer of a moon that they lead to."""
    rules = state.game.rules
    if rules.finish is Finish.PLAY_OUT and rules.moon is not Moon.CHOOSE:
        return events
    after = reduce(evolve, events, state)
    if rules.finish is Finish.EARLY and after.phase is Phase.PLAYING:
        if not is_settled(after.play, rules):
            return events
        events = (*events, PlayCut())
        after = evolve(after, PlayCut())
    if rules.moon is Moon.CHOOSE and after.phase is Phase.SHOWING:
        shooter = moon_shooter(takings(after.play, rules), rules)
        return events if shooter is None else (*events, MoonOffered(shooter))
    return events


def _require_turn(state: State, seat: Seat) -> None:
    if state.phase is not Phase.PLAYING:
        raise Rejected(Reason.WRONG_PHASE, "no trick is being played now")
    if seat != state.play.turn:
        raise Rejected(Reason.NOT_YOUR_TURN, f"it is the turn of seat {state.play.turn}")


def _refusal(state: State, command: PlayCard) -> Rejected:
    """Why this card may not be played now; no card is legal while no seat is on turn."""
    _require_turn(state, command.seat)
    play, card = state.play, command.card
    hand = play.hands[command.seat]
    if card not in hand:
        message = f"you do not hold {card}; legal: {play.legal}"
        return Rejected(Reason.CARD_NOT_HELD, message, play.legal)
    turn = Turn(hand, play.cards, not play.tricks, play.hearts_broken)
    return refusal(card, turn, state.game.rules.restrictions)


def claim_rest(state: State, command: ClaimRest) -> tuple[Event, ...]:
    """Every remaining trick is the claimant's, which its own hand must prove."""
    _require_turn(state, command.seat)
    play, rules, seat = state.play, state.game.rules, command.seat
    if play.cards:
        raise Rejected(Reason.NOT_ON_LEAD, "claim when you are on lead", play.legal)
    if not play.tricks or not takes_the_rest(play.hands[seat], unseen_by(seat, state)):
        raise Rejected(
            Reason.CLAIM_NOT_PROVEN,
            "your hand and the cards played do not prove that every trick is yours; play on",
            play.legal,
        )
    rest = outstanding(play, rules)
    kitty = _kitty_to(seat, state)
    if kitty:
        rest = rest - state.exchange.kitty
    return _with_what_follows(state, (RestClaimed(seat, rules.value_of(rest)), *kitty))


def choose_moon(state: State, command: ChooseMoon) -> Iterator[Event]:
    """The shooter has chosen."""
    if state.phase is not Phase.MOON:
        raise Rejected(Reason.WRONG_PHASE, "no moon waits for a choice")
    shooter = state.play.outcome.moon_seat
    if command.seat != shooter:
        raise Rejected(Reason.NOT_YOUR_TURN, f"the moon is seat {shooter}'s")
    yield MoonChosen(command.seat, command.choice, command.by)
