"""What can cover the table: results, and the panels a person opens. Lists of lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.celltext import clipped, padded_left, wrapped
from hearts_client.scoreboard import (
    ScoreRow,
    counted,
    moon_sentence,
    score_rows,
    winners_sentence,
)
from hearts_client.screen.lines import Line, joined, line
from hearts_client.screen.theme import suit_class
from hearts_client.seatnames import SeatNames
from hearts_engine.cardset import CardSet
from hearts_engine.events import DealScored
from hearts_engine.passing import taker
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView

_FIRST_COLUMN: Final = 8

HELP: Final = (
    ("Left Right", "choose a card"),
    ("Tab", "next legal card"),
    ("Enter", "play the card, or pass the marked"),
    ("Space", "mark a card for the pass"),
    ("q then s", "go to the queen of spades; t or 10 for tens"),
    ("Ctrl-Q F10", "leave, asks once"),
    ("Home End", "first, last card"),
    ("f", "finish: claim the rest, when you lead"),
    ("l", "last trick"),
    ("p", "cards passed and received"),
    ("b", "score board"),
    ("? or F1", "this help"),
    ("Esc", "back to the table"),
    ("Ctrl-L", "draw the screen again"),
    ("[Q] Q", "in brackets: you may play it; without: not"),
    (">Q< !Q!", "the cursor; with ! you may not play the card"),
    ("* +", "after a card: passed to you, marked for the pass"),
    ("45+3", "total, and points of this deal"),
)


def help_lines(columns: int, rows: int, page: int) -> list[Line]:
    """One page of the keys."""
    entries = [entry for keys, does in HELP for entry in _help_entry(keys, does, columns)]
    room = max(1, rows - 1)
    pages = -(-len(entries) // room)
    shown = page % pages
    more = f"  page {shown + 1} of {pages}, ? for the next" if pages > 1 else ""
    title = line(f" Help{more}", "class:heading")
    return [title, *entries[shown * room : (shown + 1) * room]]


def _help_entry(keys: str, does: str, columns: int) -> list[Line]:
    texts = wrapped(does, max(10, columns - 13))
    return [
        joined(line(f" {'' if number else keys:11}", "class:hint"), line(text))
        for number, text in enumerate(texts)
    ]


def score_lines(view: SeatView, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """The latest deals that fit, and the totals."""
    table = score_rows(view, names)
    room = max(1, rows - 3)
    hidden = max(0, len(table) - 1 - room)
    left_out = f", first {hidden} left out" if hidden else ""
    return [
        line(f" Points of every deal{left_out}", "class:heading"),
        *_score_table(table[hidden:], names, columns),
    ]


def deal_lines(scored: DealScored, names: SeatNames, columns: int) -> list[Line]:
    """The result of a deal, with the arithmetic of a moon."""
    table = [ScoreRow("taken", scored.points)]
    if scored.moon is not None:
        table.append(ScoreRow("counted", scored.scores))
    table.append(ScoreRow("total", scored.totals))
    return [
        line(f" Deal {scored.deal} is over", "class:heading"),
        *_score_table(table, names, columns),
        *_sentence(moon_sentence(scored, names), columns, "class:prompt"),
    ]


def game_lines(view: SeatView, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """How the game ended."""
    if view.ended is None:
        return score_lines(view, names, columns, rows)
    headline = _sentence(
        f"The game is over: {winners_sentence(view.ended, names)}", columns, "class:prompt"
    )
    places = ScoreRow("place", view.ended.places)
    table = (*score_rows(view, names), places)
    room = max(2, rows - len(headline) - 1)
    return [*headline, *_score_table(table[-room:], names, columns)]


def last_trick_lines(view: SeatView, names: SeatNames, style: CardStyle) -> list[Line]:
    """The last trick of this deal."""
    if not view.tricks:
        return [line(" No trick has been taken in this deal yet", "class:heading")]
    trick = view.tricks[-1]
    points = sum(view.rules.points[card] for card in trick.cards)
    took = f" Trick {len(view.tricks)}: {names.does(trick.winner, 'take')} it"
    took += f", {counted(points, 'point')}"
    return [line(took, "class:heading"), *_plays(trick, names, style)]


def passed_lines(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """What was passed and received in this deal."""
    title = line(f" The pass of deal {view.deal}", "class:heading")
    giver = names.giver(view.direction)
    if names.me is None or giver is None:
        return [title, line(" no cards are passed in this deal")]
    to = names.name(taker(names.me, view.direction, len(names.names)))
    passed = f"you passed {view.direction} to {to}: {_or_nothing(view.passed, style)}"
    received = f"{names.name(giver)} passed you: {_or_nothing(view.received, style)}"
    return [title, *_sentence(passed, columns), *_sentence(received, columns)]


def _or_nothing(cards: CardSet, style: CardStyle) -> str:
    return card_names(cards, style) if cards else "nothing yet"


def _plays(trick: Trick, names: SeatNames, style: CardStyle) -> list[Line]:
    lines: list[Line] = []
    for seat, card in trick.plays:
        notes = ["led"] * (seat == trick.leader) + ["took it"] * (seat == trick.winner)
        lines.append(
            joined(
                line(" ["),
                line(card_name(card, style), suit_class(card.suit)),
                line(f"] {names.label(seat)}  {', '.join(notes)}".rstrip()),
            )
        )
    return lines


def _score_table(rows: Iterable[ScoreRow], names: SeatNames, columns: int) -> list[Line]:
    seats = names.clockwise()
    width = min(14, (columns - _FIRST_COLUMN - 2) // len(seats))
    heads = "".join(padded_left(clipped(names.name(seat), width - 1), width) for seat in seats)
    lines = [line(f" {'':{_FIRST_COLUMN}}{heads}", "class:heading")]
    for row in rows:
        numbers = "".join(f"{row.numbers[seat]:>{width}}" for seat in seats)
        note = f"  {row.note}" if row.note else ""
        style = "class:heading" if row.label == "total" else ""
        lines.append(line(f" {row.label:{_FIRST_COLUMN}}{numbers}{note}", style))
    return lines


def _sentence(text: str, columns: int, style: str = "") -> list[Line]:
    return [line(f" {part}", style) for part in wrapped(text, columns - 2)]
