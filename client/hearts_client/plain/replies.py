"""What plain mode answers to a question, from what a seat may know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prompt_toolkit.utils import get_cwidth

from hearts_client.announce import CANCELLED, carried_sentence
from hearts_client.cardnames import CardStyle, card_name, card_names, restyled
from hearts_client.celltext import padded
from hearts_client.company import Company, who_lines
from hearts_client.dealscore import kitty_sentence
from hearts_client.news import Ask, Asked
from hearts_client.passing import pass_lines
from hearts_client.plain.commands import HELP_LINES, Question, pass_example
from hearts_client.plain.lines import clock_line
from hearts_client.rulebadge import badge_in
from hearts_client.rulesheet import sentences
from hearts_client.scoreboard import ScoreRow, running_row, score_rows
from hearts_client.seatnames import SeatNames
from hearts_client.viewstate import cancelled
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView


def help_lines(rules: Rules | None) -> Iterator[str]:
    """What can be typed; how to pass only where these rules have a pass."""
    example = "" if rules is None else pass_example(rules)
    if example:
        these = "this card" if example.count(" ") == 1 else "these cards"
        yield f"HELP {example} - pass {these}"
    yield from (f"HELP {line}" for line in HELP_LINES)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one stands when one asks."""

    view: SeatView | None
    asked: Asked | None
    """The decision that is due."""
    style: CardStyle
    left: int | None = None
    """Seconds to make it in; none: as long as it takes."""
    company: Company = Company()


def reply_lines(question: Question, standing: Standing) -> Iterator[str]:
    """The answer, by where the game stands and the decision that is due."""
    view, asked, style = standing.view, standing.asked, standing.style
    match question, view:
        case Question.HELP, _:
            yield from help_lines(None if view is None else view.rules)
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
        case Question.RULES, SeatView():
            yield from _rule_lines(view, style)
        case Question.WHO, SeatView():
            yield from (f"WHO {line}" for line in who_lines(view, standing.company))
        case Question.CLOCK, _:
            yield _clock_reply(standing)


def _clock_reply(standing: Standing) -> str:
    if standing.asked is None:
        return "CLOCK you are not asked for anything now"
    if standing.left is None:
        return "CLOCK you have as long as it takes"
    return clock_line(standing.asked, standing.left)


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
    if asked.ask is Ask.MOON:
        return "LEGAL add, subtract"
    return f"LEGAL {card_names(asked.view.legal, style)}"


def _last_trick_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    """The last trick of this deal, the one on the table, and what is carried."""
    names = SeatNames.of(view)
    if not view.tricks:
        yield "LAST no trick has been completed in this deal"
    else:
        trick = view.tricks[-1]
        taken = CANCELLED if trick.taker is None else f"{names.does(trick.taker, 'take')} it"
        yield f"LAST {_plays(trick, view, names, style)}, {taken}"
    if view.phase is Phase.PLAYING and view.trick.cards:
        yield f"NOW {_plays(view.trick, view, names, style)}"
    if carried_sentence(view):
        yield f"CARRIED {carried_sentence(view)}"


def _plays(trick: Trick, view: SeatView, names: SeatNames, style: CardStyle) -> str:
    """``Ann KC (cancelled), You 2C, Ben KC (cancelled)``."""
    return ", ".join(
        f"{names.name(seat)} {card_name(card, style)}"
        f"{' (cancelled)' if cancelled(trick, card, view.rules) else ''}"
        for seat, card in trick.plays
    )


def _passed_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    """The pass of this deal, in the words in which it was told, and the kitty."""
    names = SeatNames.of(view)
    for word, sentence in pass_lines(view, names, style):
        yield f"{word} {sentence}"
    kitty = kitty_sentence(view, names, style)
    if kitty:
        yield f"KITTY {kitty}"


def _rule_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    yield f"RULES {badge_in(view.rules, style)}"
    for sentence in sentences(view.rules):
        yield f"RULE {restyled(sentence, style)}"
