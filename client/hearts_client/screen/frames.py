"""News cut into frames: what is shown one after the other, each long enough to be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from hearts_client.announce import announce
from hearts_client.cardnames import CardStyle
from hearts_client.missed import steps_to_tell
from hearts_client.news import Asked, Cause, Closed, Happened, Joined
from hearts_client.rulebadge import badge_in
from hearts_client.screen.pace import Hold
from hearts_client.steps import Step, steps
from hearts_engine.events import (
    Agent,
    CardPlayed,
    DealScored,
    Event,
    GameEnded,
    KittyTaken,
    PlayCut,
    RestClaimed,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.view import SeatView


class Board(Enum):
    """A result that covers the table until a key is pressed."""

    DEAL = auto()
    GAME = auto()
    CLOSED = auto()


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of the table."""

    view: SeatView
    hold: Hold = Hold.NONE
    notices: tuple[str, ...] = ()
    """New lines of the log."""
    said: str = ""
    """What happened, while the table shows how."""
    board: Board | None = None
    scored: DealScored | None = None
    """The deal on the board."""
    asked: Asked | None = None
    """The decision that is due from here on."""
    closed: Closed | None = None
    """The session is over."""

    @property
    def moves_nothing(self) -> bool:
        """Whether the table looks the same as before, but for the decision that is due."""
        return self.asked is not None


_UNLOGGED: Final = frozenset({"HAND", "READY", "CHOSEN", "PAIR", "POINTS", "SCORED", "TOTALS"})
"""Words of notices that the table itself, or a board, shows better than the log."""


def frames_of_happened(before: SeatView, news: Happened, style: CardStyle) -> tuple[Frame, ...]:
    """The frames of what happened, from the table as it was."""
    frames = tuple(_frame(step, style) for step in steps(before, news.events))
    settled = bool(frames) and frames[-1].view == news.view
    return frames if settled else (*frames, Frame(news.view))


def frames_of_joined(known: SeatView | None, news: Joined, style: CardStyle) -> tuple[Frame, ...]:
    """The frames of sitting down or coming back: only results are held.

    A deal that began before one was attached, as where nobody mixes in, is in the log too.
    """
    told = steps_to_tell(news, known)
    if not news.returned or known is None:
        rules = f"rules (r: all of them): {badge_in(news.view.rules, style)}"
        first = Frame(news.view, notices=(rules, *_logged(told, style)))
        return (first, *_final_board(news.view, first))
    results = (_frame(step, style) for step in told if _is_result(step))
    back = f"back at the table, {len(told) or 'no'} events missed"
    return (Frame(known, notices=(back, *_logged(told, style))), *results, Frame(news.view))


def frame_of_closed(view: SeatView, news: Closed) -> Frame:
    """The frame of the end; the end of a game has shown its board before."""
    if news.cause is Cause.GAME_OVER:
        return Frame(view, closed=news)
    return Frame(view, Hold.KEY, (news.sentence,), board=Board.CLOSED, closed=news)


def _frame(step: Step, style: CardStyle) -> Frame:
    lines = tuple(_logged((step,), style))
    match step.event:
        case CardPlayed(seat) if seat != step.after.seat and not step.after.trick.complete:
            return Frame(step.after, Hold.CARD, lines)
        case TrickTaken() | TrickCancelled():
            return Frame(step.before, Hold.TRICK, lines, _said(step, style))
        case RestClaimed() | PlayCut() | KittyTaken():
            return Frame(step.after, Hold.TRICK, lines, _said(step, style))
        case DealScored() as scored:
            return Frame(step.after, Hold.KEY, lines, board=Board.DEAL, scored=scored)
        case GameEnded():
            return Frame(step.after, Hold.KEY, lines, board=Board.GAME)
        case _:
            return Frame(step.after, Hold.NONE, lines)


def _said(step: Step, style: CardStyle) -> str:
    return "; ".join(notice.sentence for notice in announce((step,), style))


def _is_result(step: Step) -> bool:
    return isinstance(step.event, DealScored | GameEnded)


def _final_board(view: SeatView, frame: Frame) -> tuple[Frame, ...]:
    if view.ended is None:
        return ()
    return (Frame(frame.view, Hold.KEY, board=Board.GAME),)


def _logged(told: Iterable[Step], style: CardStyle) -> Iterator[str]:
    for step in told:
        for notice in announce((step,), style):
            match notice.word:
                case "TAKEN" | "CANCELLED":
                    yield f"trick {len(step.after.tricks)}: {notice.sentence}"
                case "DEAL" | "PASSED" | "RECEIVED" as word:
                    yield f"{word.lower()} {notice.sentence}"
                case word if word not in _UNLOGGED and not _ordinary_card(step.event, word):
                    yield notice.sentence
                case _:
                    pass


def _ordinary_card(event: Event, word: str) -> bool:
    """Whether the notice is of a card that its own seat chose; the table shows that."""
    return isinstance(event, CardPlayed) and event.by is Agent.SEAT and word != "HEARTS"
