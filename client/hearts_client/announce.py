"""What is said of each event: a stable word for programs, a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from hearts_client.attendance import attendance_words
from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.dealscore import bonus_sentences, kitty_sentence, moon_sentence
from hearts_client.notice import Notice
from hearts_client.passing import chosen_sentence, passing_sentence
from hearts_client.scoreboard import points_sentence
from hearts_client.seatnames import SeatNames
from hearts_client.steps import Step
from hearts_client.tiebreak import tie_sentence
from hearts_client.viewstate import cancelled, carried
from hearts_client.wording import counted
from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Agent,
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
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
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView

CANCELLED: Final = "cancelled, its cards go to the next taker"
"""What is said of a trick that nobody took."""


def announce(told: Iterable[Step], style: CardStyle) -> tuple[Notice, ...]:
    """What to tell of these steps, in order; much of what only an auditor needs is left out."""
    return tuple(notice for step in told for notice in _notices(step, style))


def _notices(step: Step, style: CardStyle) -> Iterator[Notice]:
    names = SeatNames.of(step.after)
    match step.event:
        case CardPlayed():
            yield _card_played(step, step.event, names, style)
            yield from _pair(step, step.event, style)
            if step.after.hearts_broken and not step.before.hearts_broken:
                yield Notice("HEARTS", "hearts are broken")
        case TrickTaken():
            yield _trick_taken(step, step.event, names)
        case TrickCancelled():
            yield Notice("CANCELLED", f"the trick is cancelled, {carried_sentence(step.after)}")
        case DealBegan(deal, dealer, direction):
            passing = passing_sentence(direction, names)
            yield Notice("DEAL", f"{deal}, {names.does(dealer, 'deal')}, {passing}")
        case SeatReady(seat):
            yield Notice("READY", f"{names.name(seat)} chose a pass")
        case HandDealt() | PassChosen() | CardsPassed() | CentreTaken():
            yield _of_hands(step.event, step.after, style)
        case PlayBegan(leader):
            yield from _play_began(step, leader, names, style)
        case KittyWon() | KittyTaken() | KittyShown():
            yield from _kitty(step, names, style)
        case RestClaimed(seat, points):
            claims = f"{names.does(seat, 'claim')} every remaining trick, proved"
            yield Notice("CLAIM", f"{claims}, {counted(points, 'point')}")
        case PlayCut():
            yield Notice("CUT", "no remaining card can change a score, the deal ends here")
        case MoonOffered(seat):
            choose = names.does(seat, "choose")
            yield Notice("MOON", f"{choose} how the moon is scored")
        case MoonChosen(seat, choice, by):
            yield Notice("MOON", f"{_moon_chosen(seat, choice, names)}{_for_whom(by)}")
        case DealScored():
            yield from _deal_scored(step.after, step.event, names, style)
        case GameEnded():
            yield Notice("GAME", "the game is over")
        case SeatTaken() | SeatLeft() | SeatsFrozen() | EntropyWithheld():
            yield _of_seating(step.event, names)
        case (
            SeatAway()
            | SeatBack()
            | SeatTakenOver()
            | ClocksStopped()
            | ClocksStarted()
            | GameClosed()
        ):
            yield Notice(*attendance_words(step.event, names))
        case (
            GameOpened()
            | EntropyRevealed()
            | HandShown()
            | KittyDealt()
            | SecretRevealed()
            | LogSealed()
        ):
            return
        case _:
            assert_never(step.event)


def _of_hands(
    event: HandDealt | PassChosen | CardsPassed | CentreTaken, view: SeatView, style: CardStyle
) -> Notice:
    names = SeatNames.of(view)
    match event:
        case HandDealt(seat, cards):
            return Notice("HAND", f"{_whose(seat, names)}{card_names(cards, style)}")
        case PassChosen(seat, cards, by):
            chosen = chosen_sentence(cards, view.direction, names, style)
            return Notice("CHOSEN", f"{_whose(seat, names)}{chosen}{_for_whom(by)}")
        case CentreTaken(seat, cards):
            centre = f"{card_names(cards, style)} from the centre"
            return Notice("RECEIVED", f"{_whose(seat, names)}{centre}")
        case CardsPassed():
            return _cards_passed(event, names, style)
        case _:
            assert_never(event)


def _whose(seat: Seat, names: SeatNames) -> str:
    """Whose cards those are, for a spectator who is shown all hands."""
    return f"{names.name(seat)}: " if names.me is None else ""


def _of_seating(
    event: SeatTaken | SeatLeft | SeatsFrozen | EntropyWithheld, names: SeatNames
) -> Notice:
    match event:
        case SeatTaken(seat):
            return Notice("SEAT", seat_sentence(seat, names))
        case SeatLeft(seat):
            return Notice("LEFT", f"the seat {names.places[seat]} is empty again")
        case SeatsFrozen():
            return Notice("START", "the seats are fixed")
        case EntropyWithheld(seat):
            return Notice("FAIRNESS", f"{names.name(seat)} withheld what the deal was to mix in")
        case _:
            assert_never(event)


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


def _pair(step: Step, event: CardPlayed, style: CardStyle) -> Iterator[Notice]:
    """That a card cancels its twin, as the second of them is played."""
    twin = event.card in step.before.trick.cards
    if twin and cancelled(step.after.trick, event.card, step.after.rules):
        card = card_name(event.card, style)
        yield Notice("PAIR", f"{card} and {card} cancel each other")


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
    if names.me is None:
        giver, taker = names.name(event.giver), names.name(event.taker)
        return Notice("PASSED", f"{cards} from {giver} to {taker}")
    if event.giver == names.me:
        return Notice("PASSED", f"{cards} to {names.name(event.taker)}")
    return Notice("RECEIVED", f"{cards} from {names.name(event.giver)}")


def _play_began(step: Step, leader: Seat, names: SeatNames, style: CardStyle) -> Iterator[Notice]:
    if names.me is not None and step.after.received:
        yield Notice("HAND", card_names(step.after.hand, style))
    yield Notice("LEADER", f"{names.does(leader, 'lead')} the first trick")


def _trick_taken(step: Step, event: TrickTaken, names: SeatNames) -> Notice:
    view, rules = step.before, step.before.rules
    waiting = carried(view)
    cards = CardSet.of(card for card in (*view.trick.cards, *waiting) if rules.counts[card])
    off = rules.bonus_of(cards)
    with_carried = " and the carried cards" if waiting else ""
    less = f", and {off} off" if off else ""
    taken = f"{names.does(event.seat, 'take')} the trick{with_carried}"
    return Notice("TAKEN", f"{taken}, {counted(event.points, 'point')}{less}")


def carried_sentence(view: SeatView) -> str:
    """What waits for whoever takes the next trick: ``6 cards carried, 2 points``; or empty."""
    waiting = carried(view)
    if not waiting:
        return ""
    off = view.rules.bonus_of(CardSet.of(card for card in waiting if view.rules.counts[card]))
    less = f", and {off} off" if off else ""
    points = counted(view.rules.value_of(waiting), "point")
    return f"{counted(len(waiting), 'card')} carried, {points}{less}"


def _kitty(step: Step, names: SeatNames, style: CardStyle) -> Iterator[Notice]:
    """Who took it, and what it was: for its taker at once, for all others at the end."""
    mine = step.after.kitty_seat == names.me
    if not mine or isinstance(step.event, KittyTaken):
        yield Notice("KITTY", kitty_sentence(step.after, names, style))


def _moon_chosen(seat: Seat, choice: MoonChoice, names: SeatNames) -> str:
    match choice:
        case MoonChoice.ADD:
            return f"{names.does(seat, 'add')} the points to every other seat"
        case MoonChoice.SUBTRACT:
            whose = "your" if seat == names.me else "their"
            return f"{names.does(seat, 'subtract')} the points from {whose} own score"


def _deal_scored(
    view: SeatView, event: DealScored, names: SeatNames, style: CardStyle
) -> Iterator[Notice]:
    yield Notice("POINTS", f"deal {event.deal}: {points_sentence(event.points, names)}")
    if event.moon is not None:
        yield Notice("MOON", moon_sentence(view, event, names))
    for sentence in bonus_sentences(view, event, names, style):
        yield Notice("BONUS", sentence)
    if event.scores != event.points:
        yield Notice("SCORED", f"deal {event.deal}: {points_sentence(event.scores, names)}")
    yield Notice("TOTALS", points_sentence(event.totals, names))
    tie = tie_sentence(event, view.rules, names)
    if tie:
        yield Notice("TIE", tie)
