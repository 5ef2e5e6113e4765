"""The top line: table, rules, deal, pass, hearts and trick, as far as there is room.

What fits is measured by the widest words that a game can come to, so that the line keeps its
shape from one deal and trick to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple

from hearts_client.cardnames import CardStyle, restyled
from hearts_client.passing import DIRECTION_WORDS, passing_sentence
from hearts_client.rulebadge import BETWEEN, badge
from hearts_client.safetext import cleaned
from hearts_client.screen.lines import Line, apart, cells, line
from hearts_client.screen.table_state import TableState
from hearts_client.seatnames import SeatNames
from hearts_client.wording import counted
from hearts_engine.events import StopCause
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.view import SeatView

_MARGINS: Final = 4
"""A blank at either end, and two between what is left and right."""

_MANY_DEALS: Final = 10


class _Words(NamedTuple):
    """What is shown, and what has to fit in its place."""

    text: str
    widest: int
    """Cells of the longest text that may stand here in this game."""


def status_line(state: TableState, names: SeatNames, columns: int) -> Line:
    """Table, rules, deal, pass and hearts, as far as there is room; or that nobody answers."""
    view = state.view
    if state.offline:
        return line(" connection lost, trying again", "class:offline")
    if view is None:
        return line(" joining the table", "class:status")
    for right in _rights(state, view):
        left = _left(view, names, state.style, columns - _MARGINS - right.widest)
        if left:
            break
    else:
        left, right = _short_pass(view.direction), _Words("", 0)
    end = f"{right.text} " if right.text else ""
    whole = apart(line(f" {left}"), line(end), columns)
    return tuple(("class:status", text) for _, text in whole)


def _left(view: SeatView, names: SeatNames, style: CardStyle, room: int) -> str:
    """The fullest left end that fits: rules go before the table's name and the pass."""
    table = cleaned(view.opened.table)
    full, short, bare = _deal_words(view, names)
    ways = [(f"{table}  ", full), (f"{table}  ", short), ("", full), ("", short), ("", bare)]
    for rules in _badges(view.rules, style):
        for before, deal in ways:
            if cells(line(f"{before}{rules}  ")) + deal.widest <= room:
                return f"{before}{rules}  {deal.text}"
    fitting = (
        f"{before}{deal.text}" for before, deal in ways if cells(line(before)) + deal.widest <= room
    )
    return next(fitting, "")


def _badges(rules: Rules, style: CardStyle) -> Iterator[str]:
    """The badge, then with fewer and fewer parts; the name and the game's length go last."""
    parts = badge(rules).split(BETWEEN)
    length = f"to {rules.target}" if rules.deals is None else counted(rules.deals, "deal")
    order = sorted(range(len(parts)), key=lambda at: (at > 0, parts[at] != length, at))
    for count in range(len(parts), 0, -1):
        yield _shortened(parts, frozenset(order[:count]), style)


def _shortened(parts: list[str], kept: frozenset[int], style: CardStyle) -> str:
    """``Cancellation · 6 seats · … · to 30``."""
    symbols = style is CardStyle.SYMBOLS
    gap = "…" if symbols else "..."
    words = [part if at in kept else gap for at, part in enumerate(parts)]
    return restyled((BETWEEN if symbols else ", ").join(word for word, _ in groupby(words)), style)


def _deal_words(view: SeatView, names: SeatNames) -> tuple[_Words, _Words, _Words]:
    """The deal with whom one passes to, with which way, and without the pass."""
    ways = sorted({view.direction, *view.rules.pass_cycle})
    sentences = {way: passing_sentence(way, names) for way in ways}
    shorter = {way: _short_pass(way) for way in ways}
    return (
        _deal(view, sentences[view.direction], list(sentences.values())),
        _deal(view, shorter[view.direction], list(shorter.values())),
        _deal(view, "", [""]),
    )


def _deal(view: SeatView, passing: str, others: list[str]) -> _Words:
    if not view.deal:
        return _Words("before the first deal", len("before the first deal"))
    last = max(view.deal, _MANY_DEALS)
    widest = max(cells(line(_deal_text(view, last, other))) for other in others)
    return _Words(_deal_text(view, view.deal, passing), widest)


def _deal_text(view: SeatView, deal: int, passing: str) -> str:
    hearts = "hearts broken" if view.hearts_broken else "hearts closed"
    told = (f"deal {deal}", passing, hearts if view.rules.must_break else "")
    return "  ".join(part for part in told if part)


def _short_pass(direction: Direction) -> str:
    return "no pass" if direction is Direction.HOLD else f"pass {DIRECTION_WORDS[direction]}"


def _rights(state: TableState, view: SeatView) -> tuple[_Words, ...]:
    """What to show at the right end, the fullest first; the trick's number goes before a clock."""
    clock = _stopped(view) or _clock(state.seconds_left)
    tricks = view.rules.hand_size
    number = f"trick {len(view.tricks) + 1} of {tricks}" if view.phase is Phase.PLAYING else ""
    widest = len(f"{clock}  trick {tricks} of {tricks}".strip())
    return (_Words(f"{clock}  {number}".strip(), widest), _Words(clock, len(clock)))


def _stopped(view: SeatView) -> str:
    match view.stopped:
        case None:
            return ""
        case StopCause.HOST:
            return "paused"
        case StopCause.ABSENCE | StopCause.RESTART:
            return "clocks stand"


def _clock(seconds: int | None) -> str:
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02}"
