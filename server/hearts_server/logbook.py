"""What operators are told: entries with stable names, and fields that cannot hold a card.

Nothing here takes a sentence: those are for the one who asked, and may name what others must not
know. An entry and a field that are not listed below do not pass the type checkers.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import PurePath
from traceback import extract_tb
from typing import TypedDict, Unpack


class Entry(StrEnum):
    """What a line is about. Names are for programs that read logs: they are never changed."""

    LISTENING = "listening"
    DRAINING = "draining"
    STOPPED = "stopped"
    METRICS_LISTENING = "metrics_listening"
    ANNOUNCED = "announced"
    NOT_ANNOUNCED = "not_announced"
    TABLE_OPENED = "table_opened"
    TABLE_TAKEN_UP = "table_taken_up"
    TABLE_LET_GO = "table_let_go"
    TABLE_IDLE = "table_idle"
    TABLE_FAILED = "table_failed"
    TABLE_UNREADABLE = "table_unreadable"
    GAME_OPENED = "game_opened"
    GAME_BEGUN = "game_begun"
    DEAL_BEGUN = "deal_begun"
    GAME_OVER = "game_over"
    GAME_CLOSED = "game_closed"
    CLOCKS_STOPPED = "clocks_stopped"
    CLOCKS_STARTED = "clocks_started"
    SEAT_JOINED = "seat_joined"
    SEAT_LEFT = "seat_left"
    SEAT_AWAY = "seat_away"
    SEAT_BACK = "seat_back"
    SEAT_TAKEN_OVER = "seat_taken_over"
    ATTACHED = "attached"
    DETACHED = "detached"
    WATCH_BEGUN = "watch_begun"
    WATCH_ENDED = "watch_ended"
    WRITTEN = "written"
    REFUSED = "refused"
    DUE_NOT_DONE = "due_not_done"
    HOUSE_SEAT_REFUSED = "house_seat_refused"
    HOUSE_SEAT_LATE = "house_seat_late"
    HOUSE_SEAT_FAILED = "house_seat_failed"
    AUTOPILOT_FAILED = "autopilot_failed"
    STORE_TROUBLE = "store_trouble"
    STORE_RECOVERED = "store_recovered"
    TABLE_HALTED = "table_halted"
    INCIDENT = "incident"
    BEAT_FAILED = "beat_failed"


class Fields(TypedDict, total=False):
    """What an entry may say of itself, each at most once."""

    table: str
    """The name that the server gave the table."""
    game: str
    seat: int
    kind: str
    """Of who sits down: a person, a bot, one of the house."""
    seq: int
    """The last record that the entry knows of."""
    count: int
    """How many records were written together."""
    deal: int
    peer: str
    """The address that a call comes from, as gRPC writes it."""
    method: str
    """Of the services: ``LobbyService/JoinTable``."""
    reason: str
    """Of a refusal, or the cause of an end: a word that this program made."""
    duration: float
    """Seconds."""
    host: str
    port: int
    owner: bool
    """Whether unfinished games in the data folder are this process's."""
    incident: str
    """What the caller was told to look for here."""
    trace: str
    """Kinds of errors and where they arose; see ``trace_of``."""
    network_says: str
    """The words of a local network that failed, or of what speaks to it: they know no cards."""
    store_says: str
    """The words of a store that failed: of files and disks, which know no cards."""


FIELDS = tuple(Fields.__annotations__)
"""The names of all fields, in the order in which a line has them."""


def about(where: Fields | None = None, /, **fields: Unpack[Fields]) -> dict[str, Fields]:
    """Fields for the ``extra`` of a logging call; those of ``where`` and these."""
    merged = Fields() if where is None else where.copy()
    merged.update(fields)
    return {"hearts": merged}


def fields_in(attributes: dict[str, object]) -> dict[str, object]:
    """The fields of a log record, from its ``__dict__``; none if it is another library's."""
    given = attributes.get("hearts")
    if not isinstance(given, dict):
        return {}
    return {name: given[name] for name in FIELDS if name in given}


def trace_of(error: BaseException) -> str:
    """The kind of an error, where it arose, and the same of its causes, in one line.

    Without its words: those of a mistake of ours may name any card.
    """
    return "; ".join(_kinds(error, set()))


def _kinds(error: BaseException, seen: set[int]) -> Iterator[str]:
    if id(error) in seen:
        return
    seen.add(id(error))
    frames = extract_tb(error.__traceback__)
    way = [f"{PurePath(each.filename).name}:{each.lineno} {each.name}" for each in frames]
    kind = type(error).__name__
    yield f"{kind} at {' > '.join(way)}" if way else kind
    for inner in _members(error):
        yield from _kinds(inner, seen)
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _kinds(before, seen)


def _members(error: object) -> Iterator[BaseException]:
    """The errors of a group; none if it is not one."""
    inner = getattr(error, "exceptions", ())
    return (each for each in inner if isinstance(each, BaseException))
