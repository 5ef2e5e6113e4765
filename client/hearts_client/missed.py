"""What someone who sits down, or comes back, has missed and is told of."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_client.cardnames import CardStyle, card_names
from hearts_client.news import Joined
from hearts_client.steps import Step, steps
from hearts_client.wording import counted
from hearts_engine.cards import Card, Seat
from hearts_engine.events import (
    Agent,
    CardPlayed,
    DealBegan,
    DealScored,
    Event,
    PassChosen,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.view import SeatView


def steps_to_tell(joined: Joined, known: SeatView | None) -> tuple[Step, ...]:
    """What was missed, from where ``known`` stands.

    Someone who comes to a game that has been going on hears of the current deal only.
    """
    if joined.returned and known is not None:
        return tuple(steps(known, joined.missed))
    return tuple(steps(joined.view, _current_deal(joined.missed)))


def missed_sentence(told: tuple[Step, ...], style: CardStyle) -> str:
    """What was missed, in one line: how far the game went, and what was decided for oneself."""
    went_on = ", ".join(_how_far(tuple(step.event for step in told)))
    parts = (f"you missed {went_on}" if went_on else "you missed nothing", decided_for(told, style))
    return "; ".join(part for part in parts if part)


def decided_for(told: tuple[Step, ...], style: CardStyle) -> str:
    """What a clock or a bot decided for one's own seat: ``5♣ was played for you``; or nothing."""
    passed: list[Card] = []
    played: list[Card] = []
    for step in told:
        match step.event:
            case PassChosen(seat, cards, by) if _for_me(seat, by, step):
                passed += cards
            case CardPlayed(seat, card, by) if _for_me(seat, by, step):
                played.append(card)
            case _:
                pass
    done = (("passed", passed), ("played", played))
    return ", ".join(
        f"{card_names(cards, style)} {'was' if len(cards) == 1 else 'were'} {verb} for you"
        for verb, cards in done
        if cards
    )


def _for_me(seat: Seat, by: Agent, step: Step) -> bool:
    return seat == step.after.seat and by is not Agent.SEAT


def _how_far(events: tuple[Event, ...]) -> Iterator[str]:
    cards = sum(isinstance(event, CardPlayed) for event in events)
    tricks = sum(isinstance(event, TrickTaken | TrickCancelled) for event in events)
    deals = [event.deal for event in events if isinstance(event, DealScored)]
    if cards:
        yield counted(cards, "card")
    if tricks:
        yield counted(tricks, "trick")
    if deals:
        yield f"the end of deal {', '.join(map(str, deals))}"


def _current_deal(events: tuple[Event, ...]) -> tuple[Event, ...]:
    begun = [index for index, event in enumerate(events) if isinstance(event, DealBegan)]
    return events[begun[-1] :] if begun else ()
