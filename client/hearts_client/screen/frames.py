"""News cut into frames: what is shown one after the other, each long enough to be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from hearts_client.announce import announce
from hearts_client.cardnames import CardStyle
from hearts_client.missed import decided_for, missed_sentence, steps_to_tell
from hearts_client.news import Asked, Cause, Closed, Happened, Joined
from hearts_client.rulebadge import badge_in
from hearts_client.screen.pace import Hold
from hearts_client.steps import Step, steps
from hearts_engine.events import (
    Agent,
    CardPlayed,
    ClocksStarted,
    DealScored,
    Event,
    GameClosed,
    GameEnded,
    KittyTaken,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatTakenOver,
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
    flash: str = ""
    """What is also said where there is no room for the log, until the next key."""

    @property
    def the_end(self) -> str:
        """Why nothing comes after this, in a few words; nothing where something may."""
        if self.board is Board.GAME:
            return "the game is over"
        if self.closed is None or self.closed.cause is Cause.GAME_OVER:
            return ""
        return self.closed.sentence

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
    back = f"back at the table, {missed_sentence(told, style)}"
    first = Frame(known, notices=(back, *_logged(told, style)), flash=back)
    return (first, *results, Frame(news.view))


def frame_of_closed(view: SeatView, news: Closed) -> Frame:
    """The frame of the end; the end of a game has shown its board before."""
    if news.cause is Cause.GAME_OVER:
        return Frame(view, closed=news)
    return Frame(view, Hold.KEY, (news.sentence,), board=Board.CLOSED, closed=news)


def _frame(step: Step, style: CardStyle) -> Frame:
    lines = tuple(_logged((step,), style))
    match step.event:
        case CardPlayed(seat, _, by) if (
            seat != step.after.seat or by is not Agent.SEAT
        ) and not step.after.trick.complete:
            return Frame(step.after, Hold.CARD, lines, flash=decided_for((step,), style))
        case TrickTaken() | TrickCancelled():
            return Frame(step.before, Hold.TRICK, lines, _said(step, style))
        case RestClaimed() | PlayCut() | KittyTaken():
            return Frame(step.after, Hold.TRICK, lines, _said(step, style))
        case DealScored() as scored:
            return Frame(step.after, Hold.KEY, lines, board=Board.DEAL, scored=scored)
        case GameEnded() | GameClosed():
            return Frame(step.after, Hold.KEY, lines, board=Board.GAME)
        case SeatAway() | SeatBack() | SeatTakenOver() | ClocksStarted():
            return Frame(step.after, Hold.NONE, lines, flash=_said(step, style))
        case _:
            return Frame(step.after, Hold.NONE, lines, flash=decided_for((step,), style))


def _said(step: Step, style: CardStyle) -> str:
    return "; ".join(notice.sentence for notice in announce((step,), style))


def _is_result(step: Step) -> bool:
    return isinstance(step.event, DealScored | GameEnded | GameClosed)


def _final_board(view: SeatView, frame: Frame) -> tuple[Frame, ...]:
    if view.ended is None and view.closed is None:
        return ()
    return (Frame(frame.view, Hold.KEY, board=Board.GAME),)


def _logged(told: Iterable[Step], style: CardStyle) -> Iterator[str]:
    for step in told:
        for notice in announce((step,), style):
            match notice.word:
                case "TAKEN" | "CANCELLED":
                    yield f"trick {len(step.after.tricks)}: {notice.sentence}"
                case "CHOSEN" if decided_for((step,), style):
                    yield decided_for((step,), style)
                case "DEAL" | "PASSED" | "RECEIVED" as word:
                    yield f"{word.lower()} {notice.sentence}"
                case word if word not in _UNLOGGED and not _ordinary_card(step.event, word):
                    yield notice.sentence
                case _:
                    pass


def _ordinary_card(event: Event, word: str) -> bool:
    """Whether the notice is of a card that its own seat chose; the table shows that."""
    return isinstance(event, CardPlayed) and event.by is Agent.SEAT and word != "HEARTS"
