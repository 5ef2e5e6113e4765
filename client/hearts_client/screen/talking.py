"""Keys that are about the table, not the cards: typed lines, phrases, the host's. Pure."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from hearts_client.orders import GiveUpSeat, Pause, Resume
from hearts_client.phrases import LONGEST_TEXT, WORDS
from hearts_client.screen.intents import Give, Intent, Tell
from hearts_client.screen.table_state import Entry, EntryKind, Panel, TableState
from hearts_client.seatnames import SeatNames
from hearts_client.tablewords import (
    TABLE_WORDS,
    AboutSeat,
    Misread,
    Mute,
    Speak,
    meant,
    read_table_word,
)
from hearts_client.viewstate import is_under_way
from hearts_engine.events import StopCause

Outcome: TypeAlias = tuple[TableState, Intent | None]


def typed(state: TableState, entry: Entry, character: str) -> TableState:
    """The line with one more character, as far as it may grow."""
    fits = character.isprintable() and len(entry.text) < LONGEST_TEXT
    return replace(state, entry=replace(entry, text=entry.text + character)) if fits else state


def completed(state: TableState, entry: Entry) -> TableState:
    """The command with its last word completed, or the next that begins like it."""
    if entry.kind is EntryKind.CHAT:
        return state
    before, _, word = entry.text.rpartition(" ")
    choices = _names_at(state) if before else COMMAND_WORDS
    later = [each for each in choices if each.lower().startswith(word.lower()) and each != word]
    if not later:
        return state
    text = f"{before} {later[0]}" if before else later[0]
    return replace(state, entry=replace(entry, text=text))


def _names_at(state: TableState) -> tuple[str, ...]:
    """Everyone at the table, by name."""
    if state.latest is None:
        return ()
    names = SeatNames.of(state.latest)
    return tuple(names.names[seat] for seat in names.clockwise() if names.names[seat])


def rubbed_out(state: TableState, entry: Entry) -> TableState:
    """The line without its last character; without any, there is no line any more."""
    shorter = replace(entry, text=entry.text[:-1])
    return replace(state, entry=shorter if entry.text else None)


def entered(state: TableState, entry: Entry) -> Outcome:
    """What a line comes to when it is done."""
    state = replace(state, entry=None)
    text = entry.text.strip()
    if not text:
        return state, None
    if entry.kind is EntryKind.CHAT:
        return state, Tell(text)
    return _done(state, text)


def phrase_chosen(state: TableState, key: str) -> Outcome | None:
    """A phrase, if the key is the number of one."""
    if key not in {str(number) for number in range(1, len(WORDS) + 1)}:
        return None
    return replace(state, panel=None), Tell(int(key))


def paused(state: TableState) -> Outcome:
    """The pause that is asked for, or the end of it."""
    if not state.orders:
        return replace(state, message="there is nobody else here to pause for"), None
    if state.latest is not None and state.latest.stopped is StopCause.HOST:
        return state, Give(Resume())
    return state, Give(Pause())


def given_up(state: TableState) -> Intent | None:
    """What the key does that leaves one's seat to a bot, if that is possible."""
    under_way = state.latest is not None and is_under_way(state.latest)
    return Give(GiveUpSeat()) if state.orders and under_way else None


PANEL_WORDS: Final = MappingProxyType(
    {
        "help": Panel.HELP,
        "last": Panel.LAST_TRICK,
        "passed": Panel.PASSED,
        "scores": Panel.SCORES,
        "taken": Panel.TAKEN,
        "rules": Panel.RULES,
        "who": Panel.WHO,
        "phrases": Panel.PHRASES,
        "settings": Panel.OPTIONS,
    }
)
"""What opens a panel by name."""

COMMAND_WORDS: Final = (*PANEL_WORDS, *TABLE_WORDS, "quit")
"""Everything that a command line can begin with."""


def _done(state: TableState, text: str) -> Outcome:
    if text in PANEL_WORDS:
        return replace(state, panel=PANEL_WORDS[text], page=0), None
    if text == "quit":
        return replace(state, leaving=True), None
    word = read_table_word(text)
    if word is None:
        known = ", ".join(COMMAND_WORDS)
        return replace(state, message=f"type one of {known}"), None
    match word:
        case Misread(sentence):
            return replace(state, message=sentence), None
        case Speak(words):
            return state, Tell(words)
        case AboutSeat():
            return _about(state, word)
        case _ if not state.orders:
            return replace(state, message="there is nobody else here to do that for"), None
        case _:
            return state, Give(word)


def _about(state: TableState, about: AboutSeat) -> Outcome:
    view = state.latest
    if view is None:
        return state, None
    names = SeatNames.of(view)
    todo = meant(about, names)
    match todo:
        case Misread(sentence):
            return replace(state, message=sentence), None
        case Mute(seat, muted):
            company = state.company.with_muted(seat, view, muted=muted)
            done = f"{names.name(seat)} is {'muted' if muted else 'heard again'}"
            return replace(state, company=company, heard=done), None
        case _ if not state.orders:
            return replace(state, message="there is nobody else here to do that for"), None
        case _:
            return state, Give(todo)
