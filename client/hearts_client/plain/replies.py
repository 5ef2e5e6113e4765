"""What plain mode answers to a question, from what a seat may know."""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit.utils import get_cwidth

from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.celltext import padded
from hearts_client.news import Asked
from hearts_client.plain.commands import HELP_LINES, Question
from hearts_client.scoreboard import ScoreRow, running_row, score_rows
from hearts_client.seatnames import SeatNames
from hearts_engine.cardset import CardSet
from hearts_engine.passing import taker
from hearts_engine.state import Phase
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView


def help_lines() -> Iterator[str]:
    """What can be typed."""
    return (f"HELP {line}" for line in HELP_LINES)


def reply_lines(
    question: Question, view: SeatView | None, asked: Asked | None, style: CardStyle
) -> Iterator[str]:
    """The answer, by where the game stands and the decision that is due."""
    match question, view:
        case Question.HELP, _:
            yield from help_lines()
        case _, None:
            yield "WAIT you are not at the table yet"
        case Question.LEGAL, _:
            yield _legal_line(asked, style)
        case Question.HAND, SeatView():
            yield f"HAND {card_names(view.hand, style)}"
        case Question.LAST, SeatView():
            yield from _last_trick_lines(view, style)
        case Question.PASSED, SeatView():
            yield from _passed_lines(view, style)
        case Question.SCORES, SeatView():
            yield from score_lines(view)


def score_lines(view: SeatView) -> Iterator[str]:
    """Every deal by seat, the current one too, and the totals of those scored, in columns."""
    names = SeatNames.of(view)
    seats = names.clockwise()
    rows = [("deal", *(names.label(seat) for seat in seats), "")]
    rows += [
        (row.label.removeprefix("deal "), *(str(row.numbers[seat]) for seat in seats), row.note)
        for row in _rows(view, names)
    ]
    widths = [max(map(get_cwidth, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = "  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True))
        yield f"SCORES {cells}".rstrip()


def _rows(view: SeatView, names: SeatNames) -> tuple[ScoreRow, ...]:
    *deals, total = score_rows(view, names)
    running = running_row(view)
    return (*deals, total) if running is None else (*deals, running, total)


def _legal_line(asked: Asked | None, style: CardStyle) -> str:
    if asked is None:
        return "LEGAL no cards, it is not your turn"
    return f"LEGAL {card_names(asked.view.legal, style)}"


def _last_trick_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    """The last trick taken in this deal, and the one on the table."""
    names = SeatNames.of(view)
    if not view.tricks:
        yield "LAST no trick has been taken in this deal"
    else:
        trick = view.tricks[-1]
        yield f"LAST {_plays(trick, names, style)}, {names.does(trick.winner, 'take')} it"
    if view.phase is Phase.PLAYING and view.trick.cards:
        yield f"NOW {_plays(view.trick, names, style)}"


def _plays(trick: Trick, names: SeatNames, style: CardStyle) -> str:
    return ", ".join(f"{names.name(seat)} {card_name(card, style)}" for seat, card in trick.plays)


def _passed_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    """The pass of this deal, in the words in which it was told."""
    names = SeatNames.of(view)
    giver = names.giver(view.direction)
    if names.me is None or giver is None:
        yield "PASSED no cards are passed in this deal"
        return
    to = names.name(taker(names.me, view.direction, len(names.names)))
    yield f"PASSED {_or_nothing(view.passed, style)} to {to}"
    yield f"RECEIVED {_or_nothing(view.received, style)} from {names.name(giver)}"


def _or_nothing(cards: CardSet, style: CardStyle) -> str:
    return card_names(cards, style) if cards else "nothing yet"
