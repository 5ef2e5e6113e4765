"""What is said of each event: a stable word for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.scoreboard import counted, moon_sentence, points_sentence
from hearts_client.seatnames import SeatNames
from hearts_client.steps import Step
from hearts_engine.cards import Seat
from hearts_engine.events import (
    Agent,
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    LogSealed,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
    TrickTaken,
)
from hearts_engine.passing import Direction, taker


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to tell."""

    word: str
    """Never changes from one version to the next: ``TRICK 3``."""
    sentence: str
    """``Ann leads 9C``"""

    def __str__(self) -> str:
        return f"{self.word} {self.sentence}"


def announce(told: Iterable[Step], style: CardStyle) -> tuple[Notice, ...]:
    """What to tell of these steps, in order; much of what only an auditor needs is left out."""
    return tuple(notice for step in told for notice in _notices(step, style))


def _notices(step: Step, style: CardStyle) -> Iterator[Notice]:
    names = SeatNames.of(step.after)
    match step.event:
        case CardPlayed():
            yield _card_played(step, step.event, names, style)
            if step.after.hearts_broken and not step.before.hearts_broken:
                yield Notice("HEARTS", "hearts are broken")
        case TrickTaken(seat, points):
            yield Notice("TAKEN", f"{names.does(seat, 'take')} the trick, {_cost(points)}")
        case DealBegan(deal, dealer, direction):
            passing = passing_sentence(direction, names)
            yield Notice("DEAL", f"{deal}, {names.does(dealer, 'deal')}, {passing}")
        case HandDealt(_, cards):
            yield Notice("HAND", card_names(cards, style))
        case SeatReady(seat):
            yield Notice("READY", f"{names.name(seat)} chose a pass")
        case PassChosen(_, cards):
            yield Notice("CHOSEN", card_names(cards, style))
        case CardsPassed():
            yield _cards_passed(step.event, names, style)
        case PlayBegan(leader):
            yield from _play_began(step, leader, names, style)
        case RestClaimed(seat):
            yield Notice("CLAIM", f"{names.does(seat, 'claim')} every remaining trick, proved")
        case PlayCut():
            yield Notice("CUT", "no remaining card can change a score, the deal ends here")
        case DealScored():
            yield from _deal_scored(step.event, names)
        case GameEnded():
            yield Notice("GAME", "the game is over")
        case SeatTaken(seat):
            yield Notice("SEAT", seat_sentence(seat, names))
        case SeatLeft(seat):
            yield Notice("LEFT", f"the seat {names.places[seat]} is empty again")
        case SeatsFrozen():
            yield Notice("START", "the seats are fixed")
        case EntropyWithheld(seat):
            yield Notice("FAIRNESS", f"{names.name(seat)} withheld what the deal was to mix in")
        case GameOpened() | EntropyRevealed() | HandShown() | SecretRevealed() | LogSealed():
            return
        case _:
            assert_never(step.event)


def passing_sentence(direction: Direction, names: SeatNames) -> str:
    """Where this deal's cards go: ``pass left to Ben``, or ``no pass``."""
    if direction is Direction.HOLD:
        return "no pass"
    if names.me is None:
        return f"pass {direction}"
    return f"pass {direction} to {names.name(taker(names.me, direction, len(names.names)))}"


def seat_sentence(seat: Seat, names: SeatNames) -> str:
    """``West Ann, person``; ``West empty``."""
    label, kind = names.label(seat), names.kinds[seat]
    return label if kind == "empty" else f"{label}, {kind}"


def _card_played(step: Step, event: CardPlayed, names: SeatNames, style: CardStyle) -> Notice:
    card = card_name(event.card, style) + _for_whom(event.by)
    if not step.before.trick.cards:
        number = len(step.before.tricks) + 1
        return Notice(f"TRICK {number}", f"{names.does(event.seat, 'lead')} {card}")
    return Notice("CARD", f"{names.does(event.seat, 'play')} {card}")


def _for_whom(agent: Agent) -> str:
    match agent:
        case Agent.SEAT:
            return ""
        case Agent.CLOCK:
            return ", the clock chose"
        case Agent.AUTOPILOT:
            return ", the autopilot chose"


def _cards_passed(event: CardsPassed, names: SeatNames, style: CardStyle) -> Notice:
    cards = card_names(event.cards, style)
    if event.giver == names.me:
        return Notice("PASSED", f"{cards} to {names.name(event.taker)}")
    return Notice("RECEIVED", f"{cards} from {names.name(event.giver)}")


def _play_began(step: Step, leader: Seat, names: SeatNames, style: CardStyle) -> Iterator[Notice]:
    if names.me is not None and step.after.received:
        yield Notice("HAND", card_names(step.after.hand, style))
    yield Notice("LEADER", f"{names.does(leader, 'lead')} the first trick")


def _deal_scored(event: DealScored, names: SeatNames) -> Iterator[Notice]:
    yield Notice("POINTS", f"deal {event.deal}: {points_sentence(event.points, names)}")
    if event.moon is not None:
        yield Notice("MOON", moon_sentence(event, names))
    yield Notice("TOTALS", points_sentence(event.totals, names))


def _cost(points: int) -> str:
    return counted(points, "point")
