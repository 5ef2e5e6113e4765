"""The lines around the table: prompt, message and the keys that apply now."""

from __future__ import annotations

from typing import Final

from hearts_client.announce import carried_sentence
from hearts_client.cardnames import card_name, card_names
from hearts_client.celltext import wrapped
from hearts_client.moonprompt import moon_prompt
from hearts_client.news import Ask
from hearts_client.passing import (
    chosen_sentence,
    kept_sentence,
    pass_prompt,
    received_sentence,
    scatter_takers,
)
from hearts_client.screen.frames import Board
from hearts_client.screen.handrow import fresh_cards
from hearts_client.screen.lines import BLANK, Line, cells, joined, line
from hearts_client.screen.pace import Hold
from hearts_client.screen.slots import cards_of
from hearts_client.screen.table_state import Entry, EntryKind, TableState
from hearts_client.screen.waitingroom import is_waiting
from hearts_client.seatnames import SeatNames
from hearts_client.turnprompt import (
    joining_sentence,
    short_card_prompt,
    waiting_sentence,
)
from hearts_client.viewstate import is_under_way
from hearts_engine.events import StopCause
from hearts_engine.passing import Direction
from hearts_engine.view import SeatView

_MOST_HINTS: Final = 6

_HELP: Final = ("?", "help")
_LEAVE: Final = ("Ctrl-Q", "leave")
_LOOKS: Final = (("l", "last trick"), ("b", "scores"), ("p", "passed"), ("r", "rules"))


def speaking_lines(state: TableState, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """What is asked, then what went wrong, on exactly this many lines; the latter goes first."""
    text, yours = _prompt(state, names)
    style = "class:prompt.yours" if yours else "class:prompt"
    message = _message(state, names)
    if not message[0] and rows > 2 and state.view is not None:
        message = carried_sentence(state.view), "class:log"
    said = [line(f" {part}", message[1]) for part in wrapped(message[0], columns - 2)]
    said = said[: rows - 1]
    asked = [line(f" {part}", style) for part in wrapped(text, columns - 2)]
    asked = asked[: rows - len(said)]
    between = [BLANK] * (rows - len(said) - len(asked))
    return [*asked, *between, *said] if rows > 2 else [*asked, *said, *between]


def covered_lines(state: TableState, names: SeatNames, columns: int) -> list[Line]:
    """The same where something covers the table: on as few lines as that takes."""
    text, _ = _prompt(state, names)
    timed = state.seconds_left is not None and state.asked is not None
    moon = timed and state.asked is not None and state.asked.ask is Ask.MOON
    rows = len(wrapped(text, columns - 2)) if moon else 1
    return speaking_lines(state, names, columns, rows + bool(state.message or state.heard))


def _prompt(state: TableState, names: SeatNames) -> tuple[str, bool]:
    view = state.view
    if state.leaving:
        return _leaving_question(state), True
    if state.entry is not None:
        return _entry_prompt(state.entry), True
    if view is None:
        return "", False
    if state.typed:
        return f"{state.typed.upper()}_ now the suit: c d s h", True
    if state.how_it_ends and not (state.held is not None and state.held.hold is Hold.KEY):
        return f"{state.how_it_ends}: this is how it went, any key goes on", False
    if state.held is not None and state.held.hold is not Hold.CARD:
        return _held_prompt(state)
    if state.sending:
        if state.offline:
            return "your answer will be sent when the connection is back", False
        return "sent, waiting for the table", False
    if state.asked is None:
        mine = view.stopped is StopCause.HOST and state.company.host == view.seat and state.orders
        return "you paused the game; z: go on" if mine else waiting_sentence(view, names), mine
    match state.asked.ask:
        case Ask.CARD:
            return short_card_prompt(view, state.style), True
        case Ask.PASS:
            return _pass_progress(state, view, names), True
        case Ask.MOON:
            return moon_prompt(state.asked.view, state.seconds_left), True


def _leaving_question(state: TableState) -> str:
    """Who keeps the seat is a question only where a bot could have it."""
    if state.orders and state.view is not None and is_under_way(state.view):
        return "Leave? y or Ctrl-Q: keep my seat, b: leave it to a bot, other keys: stay"
    return "Leave the table? y or Ctrl-Q: leave, other keys: stay"


def _entry_prompt(entry: Entry) -> str:
    what = "say: " if entry.kind is EntryKind.CHAT else ": "
    return f"{what}{entry.text}_"


def _held_prompt(state: TableState) -> tuple[str, bool]:
    if state.held is None or state.held.hold is Hold.KEY:
        return "press any key to go on", True
    return state.held.said, False


def _pass_progress(state: TableState, view: SeatView, names: SeatNames) -> str:
    count = view.rules.pass_count
    todo = pass_prompt(view, names)
    if not state.chosen:
        return f"{todo}: Space marks a card"
    then = "; Enter passes them" if len(state.chosen) == count else ""
    if view.direction is Direction.SCATTER:
        marked = chosen_sentence(cards_of(state.chosen), view.direction, names, state.style)
        return f"{marked}{_scatter_next(state, names)}{then}"
    marked = card_names(cards_of(sorted(state.chosen)), state.style)
    return f"{todo}: {len(state.chosen)} of {count} marked, {marked}{then}"


def _scatter_next(state: TableState, names: SeatNames) -> str:
    """Who gets the card that is marked next."""
    left = scatter_takers(names)[len(state.chosen) :]
    return f"; the next to {names.name(left[0])}" if left else ""


def _message(state: TableState, names: SeatNames) -> tuple[str, str]:
    """What went wrong, or else where cards came from or players may; and its style."""
    if state.message or state.offline:
        return state.message or state.offline, "class:message"
    if state.heard:
        return state.heard, "class:heard"
    view = state.view
    if view is None:
        return "", "class:log"
    if state.asked is not None and state.asked.ask is Ask.PASS:
        return kept_sentence(view, state.style), "class:log"
    if fresh_cards(view):
        return f"* {received_sentence(view, names)}", "class:log"
    return "" if state.ways_in else joining_sentence(view), "class:log"


def hint_line(state: TableState, columns: int) -> Line:
    """The keys that apply now: at most six, as many as fit, what is needed most first."""
    shown: Line = BLANK
    for key, does in _hints(state)[:_MOST_HINTS]:
        hint = joined(line(f" {key} ", "class:hint"), line(f"{does} "))
        if cells(shown) + cells(hint) > columns:
            break
        shown = joined(shown, hint)
    return shown


def _hints(state: TableState) -> list[tuple[str, str]]:
    """Help, the key that goes on from here, the way out; then the rarer a key the later."""
    if state.held is not None and state.held.hold is Hold.KEY:
        check = [("c", "check the deal")] if state.held.board is Board.DEAL else []
        return [("any key", "go on"), _LEAVE, *check]
    if state.entry is not None:
        return [
            ("Enter", "send" if state.entry.kind is EntryKind.CHAT else "do"),
            ("Esc", "no"),
            _LEAVE,
        ]
    if state.view is None:
        return [_HELP, _LEAVE]
    due = state.due
    if state.held is not None and state.held.hold is Hold.TRICK:
        return [_HELP, ("any key", "go on"), _LEAVE, *_LOOKS]
    if state.panel is not None:
        return [_HELP, ("Esc", "table"), _LEAVE, *_LOOKS]
    if is_waiting(state) and state.orders:
        return [_HELP, ("a", "add a bot"), _LEAVE, ("s", "start"), ("w", "who"), ("r", "rules")]
    if due is None:
        return [_HELP, _LEAVE, *_LOOKS]
    if due.ask is Ask.MOON:
        return [_HELP, ("a s", "choose"), _LEAVE, *_LOOKS]
    if due.ask is Ask.PASS:
        first, second = _pass_hints(state, due.view)
        return [_HELP, first, _LEAVE, ("Left Right", "choose"), second, ("b", "scores")]
    claim = [("f", "claim")] if _may_claim(due.view) else []
    return [_HELP, _play_hint(state, due.view), _LEAVE, *claim, *_LOOKS]


def _pass_hints(state: TableState, view: SeatView) -> tuple[tuple[str, str], tuple[str, str]]:
    """The key that the pass needs next, and the other."""
    mark, send = ("Space", "mark"), ("Enter", "pass")
    complete = len(state.chosen) == view.rules.pass_count
    return (send, mark) if complete else (mark, send)


def _play_hint(state: TableState, view: SeatView) -> tuple[str, str]:
    if state.card is None or state.card not in view.legal:
        return "Tab", "next legal"
    return "Enter", f"play {card_name(state.card, state.style)}"


def _may_claim(view: SeatView) -> bool:
    return not view.trick.cards and bool(view.tricks)
