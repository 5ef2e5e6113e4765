"""Keys that are about the table, not the cards: typed lines, phrases, the host's. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from hearts_client.orders import GiveUpSeat, Pause, Resume
from hearts_client.phrases import LONGEST_TEXT, WORDS
from hearts_client.screen.intents import Give, Intent, Tell
from hearts_client.screen.table_state import Entry, EntryKind, TableState
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


def _done(state: TableState, text: str) -> Outcome:
    word = read_table_word(text)
    if word is None:
        known = ", ".join(TABLE_WORDS)
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
