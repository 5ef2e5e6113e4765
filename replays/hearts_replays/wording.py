"""Each event in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from hearts_engine.cards import Card, Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
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
    StopCause,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.options import MoonChoice
from hearts_wire.commands import SeatCommand

COMPASS: Final = ("South", "West", "North", "East")


def seat_name(seat: Seat, players: int) -> str:
    """What people call a seat: at a table of four its compass point, else ``Seat 1`` and on."""
    named = players == len(COMPASS) and seat < players
    return COMPASS[seat] if named else f"Seat {seat + 1}"


def describe(event: Event, players: int) -> str:
    """What happened, without a full stop: ``South plays QS``."""

    def at(seat: Seat) -> str:
        return seat_name(seat, players)

    match event:
        case CardPlayed(seat, card, by):
            return f"{at(seat)} plays {card}{_by(by)}"
        case TrickTaken(seat, points):
            return f"{at(seat)} takes the trick, {counted(points, 'point')}"
        case TrickCancelled():
            return "the trick is cancelled, its cards wait for the next taker"
        case GameOpened(game_id):
            return f"game {plain(game_id)} is opened"
        case SeatTaken(seat, name, kind):
            return f"{plain(name)} ({kind}) sits down as {at(seat)}"
        case SeatLeft(seat):
            return f"{at(seat)} gets up"
        case SeatsFrozen():
            return "the game starts"
        case EntropyRevealed(seat):
            return f"{at(seat)} reveals its entropy"
        case EntropyWithheld(seat):
            return f"{at(seat)} withholds its entropy"
        case DealBegan(deal, dealer, direction):
            return f"deal {deal} begins, dealer {at(dealer)}, pass {direction}"
        case HandDealt(seat, cards):
            return f"{at(seat)} is dealt {_cards(cards)}"
        case KittyDealt(cards):
            return f"the kitty is {_cards(cards)}"
        case SeatReady(seat):
            return f"{at(seat)} has chosen its pass"
        case PassChosen(seat, cards, by):
            return f"{at(seat)} chooses to pass {_cards(cards)}{_by(by)}"
        case CardsPassed(giver, taker, cards):
            return f"{at(giver)} passes {_cards(cards)} to {at(taker)}"
        case CentreTaken(seat, cards):
            return f"{at(seat)} takes {_cards(cards)} from the centre"
        case PlayBegan(leader):
            return f"{at(leader)} is on lead for the first trick"
        case KittyWon(seat):
            return f"{at(seat)} wins the kitty"
        case KittyTaken(seat, cards):
            return f"{at(seat)} takes {_cards(cards)} from the kitty"
        case RestClaimed(seat, points):
            return f"{at(seat)} claims the rest, {counted(points, 'point')}"
        case PlayCut():
            return "the deal is cut short, no card can change a score any more"
        case MoonOffered(seat):
            return f"{at(seat)} shot the moon and is to choose how it is scored"
        case MoonChosen(seat, choice, by):
            return f"{at(seat)} chooses for its moon: {moon_words(choice)}{_by(by)}"
        case KittyShown(cards):
            return f"the kitty was {_cards(cards)}"
        case HandShown(seat, dealt, held):
            return f"{at(seat)} shows {_cards(dealt)} as dealt, {_cards(held)} after the pass"
        case SecretRevealed(deal, secret):
            return f"the secret of deal {deal} is {secret.hex()}"
        case DealScored(deal, _, moon, scores, totals):
            shot = "" if moon is None else f", {at(moon)} shot the moon"
            return f"deal {deal} scores {_by_seat(scores)}, totals {_by_seat(totals)}{shot}"
        case GameEnded(totals, places):
            return f"the game ends, totals {_by_seat(totals)}, places {_by_seat(places)}"
        case LogSealed():
            return "the log is sealed"
        case SeatAway(seat, absence):
            return f"{at(seat)} is away, {absence_words(absence)}"
        case SeatBack(seat):
            return f"{at(seat)} is back"
        case SeatTakenOver(seat, name, kind):
            return f"{plain(name)} ({kind}) takes over {at(seat)}"
        case ClocksStopped(cause):
            return f"time stands still, {stop_words(cause)}"
        case ClocksStarted():
            return "time runs again"
        case GameClosed(cause):
            return f"the game is given up, {close_words(cause)}"
        case _:
            assert_never(event)


def describe_command(command: SeatCommand, players: int) -> str:
    """What a seat asks for, in the words for what becomes of it."""
    match command:
        case PlayCard(seat, card, by):
            return describe(CardPlayed(seat, card, by), players)
        case ChoosePass(seat, cards, by):
            return describe(PassChosen(seat, cards, by), players)
        case ClaimRest(seat):
            return f"{seat_name(seat, players)} claims the rest"
        case ChooseMoon(seat, choice, by):
            return describe(MoonChosen(seat, choice, by), players)
        case RevealEntropy(seat, entropy):
            return describe(EntropyRevealed(seat, entropy), players)
        case _:
            assert_never(command)


def moon_words(choice: MoonChoice) -> str:
    """What a moon does when it is scored so."""
    match choice:
        case MoonChoice.ADD:
            return "add to the others"
        case MoonChoice.SUBTRACT:
            return "take off its own"
        case _:
            assert_never(choice)


def absence_words(absence: Absence) -> str:
    """Why decisions are made for a seat."""
    match absence:
        case Absence.MISSED:
            return "its time ran out twice"
        case Absence.LEFT:
            return "its owner left"
        case Absence.REMOVED:
            return "the host removed its owner"
        case _:
            assert_never(absence)


def stop_words(cause: StopCause) -> str:
    """Why time stands still."""
    match cause:
        case StopCause.HOST:
            return "the host paused the game"
        case StopCause.ABSENCE:
            return "no person is connected"
        case StopCause.RESTART:
            return "the server was started again"
        case _:
            assert_never(cause)


def close_words(cause: CloseCause) -> str:
    """Why a game was given up."""
    match cause:
        case CloseCause.UNATTENDED:
            return "nobody was connected for too long"
        case _:
            assert_never(cause)


def plain(text: str) -> str:
    """Text from a log nobody has audited, safe to print: ``?`` for what is not printable."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def counted(count: int, noun: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(words: Sequence[str]) -> str:
    """``South``, ``South and West``, ``South, West and East``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _by(agent: Agent) -> str:
    match agent:
        case Agent.SEAT:
            return ""
        case Agent.CLOCK:
            return " (its time was up)"
        case Agent.AUTOPILOT:
            return " (autopilot)"
        case _:
            assert_never(agent)


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards)) or "nothing"


def _by_seat(numbers: Sequence[int]) -> str:
    return "/".join(map(str, numbers))
