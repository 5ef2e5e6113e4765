"""What can cover the table: results, and the panels a person opens. Lists of lines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from hearts_client.announce import CANCELLED
from hearts_client.cardnames import CardStyle, card_name, restyled
from hearts_client.celltext import clipped, padded_left, wrapped
from hearts_client.company import Company, who_lines
from hearts_client.dealscore import kitty_sentence, result_sentences
from hearts_client.moonprompt import Prospect, prospects, short_prospect
from hearts_client.passing import pass_lines
from hearts_client.phrases import WORDS
from hearts_client.rulebadge import badge_in
from hearts_client.rulesheet import sentences
from hearts_client.scoreboard import ScoreRow, points_sentence, score_rows, winners_sentence
from hearts_client.screen.frames import Frame
from hearts_client.screen.lines import BLANK, Line, fitted, joined, line
from hearts_client.screen.theme import suit_class
from hearts_client.seatnames import SeatNames
from hearts_client.tiebreak import tie_sentence
from hearts_client.viewstate import cancelled
from hearts_client.wording import counted
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView

_FIRST_COLUMN: Final = 8

_NARROWEST: Final = 5
"""Cells of a column of points that can be read."""

HELP: Final = (
    ("Left Right", "choose a card"),
    ("Tab", "next legal card"),
    ("Enter", "play the card, or pass the marked"),
    ("Space", "mark a card for the pass"),
    ("q then s", "go to the queen of spades; t or 10 for tens"),
    ("Ctrl-Q F10", "leave, asks once"),
    ("Home End", "first, last card"),
    ("f", "finish: claim the rest, when you lead"),
    ("l p b r", "last trick, passed cards, scores, rules of the table"),
    ("a s", "when your moon is to be scored: add, subtract"),
    ("c", "at the result of a deal: how it came about, and every hand"),
    ("v", "points taken in this deal, and suits shown out"),
    ("w", "who is here, away or not connected, and who is host"),
    ("o", "looks and habits: theme, suits, pace, bell and more"),
    ("m", "say something: type it, then Enter; Esc: say nothing"),
    ("e", "say a phrase: then its number"),
    ("z", "the host pauses the game, and lets it go on"),
    (":", "type a command, Tab completes it: mute Ann, remove west, bot easy, scores"),
    ("? F1 Esc", "this help; back to the table"),
    ("Ctrl-L", "draw the screen again"),
    ("[Q] Q", "in brackets: you may play it; without: not"),
    (">Q< !Q!", "the cursor; with ! you may not play the card"),
    ("* +", "after a card: passed to you, marked for the pass"),
    ("1 2", "after a card: it goes to the first, second seat on your left"),
    ("45+3", "total, and points of this deal"),
)


def help_lines(columns: int, rows: int, page: int) -> list[Line]:
    """One page of the keys."""
    entries = [entry for keys, does in HELP for entry in _help_entry(keys, does, columns)]
    return paged("Help", entries, rows, page, "?")


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
        *score_table(table[hidden:], names, columns)[: max(1, rows - 1)],
    ]


def deal_lines(frame: Frame, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """The result of a deal, with the arithmetic of moon and bonuses."""
    scored, view = frame.scored, frame.view
    if scored is None:
        return []
    table = [ScoreRow("taken", scored.points)]
    if scored.scores != scored.points:
        table.append(ScoreRow("counted", scored.scores))
    table.append(ScoreRow("total", scored.totals))
    tie = tie_sentence(scored, view.rules, names)
    return [
        line(f" Deal {scored.deal} is over", "class:heading"),
        *sentence_lines(tie, columns, "class:prompt"),
        *score_table(table, names, columns),
        *(
            content
            for told in result_sentences(view, scored, names, style)
            for content in sentence_lines(told, columns, "class:prompt")
        ),
    ]


def moon_lines(view: SeatView, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """What the shooter of a moon chooses between: with a table of each, or in sentences."""
    title = sentence_lines("You took every card that costs points", columns, "class:heading")
    choices = prospects(view, names)
    lines = [*title, *(each for choice in choices for each in _prospect(choice, names, columns))]
    if len(lines) <= rows:
        return lines
    told = (short_prospect(prospect, names) for prospect in choices)
    return [*title, *(each for text in told for each in sentence_lines(text, columns))]


def _prospect(prospect: Prospect, names: SeatNames, columns: int) -> list[Line]:
    scored = prospect.scored
    rows = [ScoreRow("counted", scored.scores), ScoreRow("total", scored.totals)]
    return [
        BLANK,
        *sentence_lines(short_prospect(prospect, names), columns, "class:prompt"),
        *score_table(rows, names, columns),
    ]


def game_lines(view: SeatView, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """How the game ended."""
    if view.ended is None:
        given_up = "The game was given up: nobody was connected for too long"
        title = sentence_lines(given_up, columns, "class:prompt") if view.closed is not None else []
        return [*title, *score_lines(view, names, columns, rows - len(title))]
    headline = sentence_lines(
        f"The game is over: {winners_sentence(view.ended, names)}", columns, "class:prompt"
    )
    places = ScoreRow("place", view.ended.places)
    table = (*score_rows(view, names), places)
    room = max(2, rows - len(headline) - 1)
    return [*headline, *score_table(table[-room:], names, columns)]


def who_is_here(view: SeatView, company: Company, columns: int) -> list[Line]:
    """Who sits there, who is away or not connected, who is host, and how many watch."""
    told = (sentence_lines(sentence, columns) for sentence in who_lines(view, company))
    return [line(" Who is here", "class:heading"), *(each for lines in told for each in lines)]


def phrase_lines(columns: int) -> list[Line]:
    """The phrases by number, two on a line."""
    numbered = [line(f" {number} {words}") for number, words in enumerate(WORDS, 1)]
    half = len(numbered) // 2
    pairs = zip(numbered[:half], numbered[half:], strict=True)
    return [
        line(" Say: type the number", "class:heading"),
        *(joined(fitted(one, columns // 2), other) for one, other in pairs),
    ]


def rule_lines(rules: Rules, style: CardStyle, columns: int, rows: int, page: int) -> list[Line]:
    """One page of the rules of the table."""
    told = [
        line(f" {'-' if number == 0 else ' '} {part}")
        for sentence in sentences(rules)
        for number, part in enumerate(wrapped(restyled(sentence, style), columns - 4))
    ]
    badge = clipped(badge_in(rules, style), columns - 40)
    return paged(f"Rules: {badge}" if badge else "Rules", told, rows, page, "r")


def paged(heading: str, entries: list[Line], rows: int, page: int, key: str) -> list[Line]:
    """One page of what does not fit, and which key shows the next."""
    room = max(1, rows - 1)
    pages = max(1, -(-len(entries) // room))
    shown = page % pages
    more = f"  page {shown + 1} of {pages}, {key} for the next" if pages > 1 else ""
    title = line(f" {heading}{more}", "class:heading")
    return [title, *entries[shown * room : (shown + 1) * room]]


def last_trick_lines(
    view: SeatView, names: SeatNames, style: CardStyle, columns: int, rows: int
) -> list[Line]:
    """The last trick of this deal."""
    if not view.tricks:
        return [line(" No trick has been completed in this deal yet", "class:heading")]
    trick = view.tricks[-1]
    points = counted(view.rules.value_of(trick.cards), "point")
    took = CANCELLED if trick.taker is None else f"{names.does(trick.taker, 'take')} it"
    heading = f"Trick {len(view.tricks)}: {took}, {points}"
    title = sentence_lines(heading, columns, "class:heading")
    plays = _plays(trick, view, names, style)
    if len(title) + len(plays) <= rows:
        return [*title, *plays]
    width = columns // 2
    half = -(-len(plays) // 2)
    pairs = zip_longest(plays[:half], plays[half:], fillvalue=BLANK)
    return [*title, *(joined(fitted(one, width), other) for one, other in pairs)]


def passed_lines(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """What was passed and received in this deal, and what became of the kitty."""
    told = [f"{word.lower()} {text}" for word, text in pass_lines(view, names, style)]
    kitty = kitty_sentence(view, names, style)
    lines = [line(f" The pass of deal {view.deal}", "class:heading")]
    for sentence in [*told, *([kitty] if kitty else [])]:
        lines += sentence_lines(sentence, columns)
    return lines


def _plays(trick: Trick, view: SeatView, names: SeatNames, style: CardStyle) -> list[Line]:
    lines: list[Line] = []
    for seat, card in trick.plays:
        notes = ["led"] * (seat == trick.leader) + ["took it"] * (seat == trick.taker)
        notes += ["cancelled"] * cancelled(trick, card, view.rules)
        lines.append(
            joined(
                line(" "),
                line(f"[{card_name(card, style)}]", suit_class(card.suit)),
                line(f" {names.label(seat)}  {', '.join(notes)}".rstrip()),
            )
        )
    return lines


def score_table(rows: Iterable[ScoreRow], names: SeatNames, columns: int) -> list[Line]:
    """A column for each seat, or sentences where columns would be too narrow to be read."""
    seats = names.clockwise()
    width = min(14, (columns - _FIRST_COLUMN - 2) // len(seats))
    if width < _NARROWEST:
        told = (f"{row.label}: {points_sentence(row.numbers, names)}" for row in rows)
        return [content for text in told for content in sentence_lines(text, columns)]
    heads = "".join(padded_left(clipped(names.name(seat), width - 1), width) for seat in seats)
    lines = [line(f" {'':{_FIRST_COLUMN}}{heads}", "class:heading")]
    for row in rows:
        numbers = "".join(f"{row.numbers[seat]:>{width}}" for seat in seats)
        note = f"  {row.note}" if row.note else ""
        style = "class:heading" if row.label == "total" else ""
        lines.append(line(f" {row.label:{_FIRST_COLUMN}}{numbers}{note}", style))
    return lines


def sentence_lines(text: str, columns: int, style: str = "") -> list[Line]:
    """A sentence on as many lines as it needs."""
    return [line(f" {part}", style) for part in wrapped(text, columns - 2)]
