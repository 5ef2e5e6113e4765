"""What is refused because it is too much: which limit it meets, and what to do about it."""

from __future__ import annotations

from datetime import timedelta

from hearts_server.errors import Code, Refused


def too_many_tables(most: int) -> Refused:
    """No more tables at this server."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_TABLES",
        f"{most} tables are open, this server has no more; sit down at one, or try again later",
    )


def too_many_waiting_tables(most: int) -> Refused:
    """As many tables that the peer opened wait for their start as may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_WAITING_TABLES",
        f"{most} tables that your address opened have not started, which is all that may wait; "
        "start one, or sit down at one",
    )


def tables_too_fast(a_minute: int) -> Refused:
    """The peer opens tables faster than it may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TABLES_TOO_FAST",
        f"you may open {a_minute} tables a minute; wait a minute, or sit down at an open one",
    )


def too_many_seats(most: int) -> Refused:
    """The peer holds as many seats as it may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_SEATS",
        f"your address holds {most} seats, which is all it may; leave one, or finish a game",
    )


def too_many_streams(most: int) -> Refused:
    """The peer has as many calls in progress as it may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_STREAMS",
        f"your address has {most} calls in progress, which is all it may; end one of them",
    )


def too_many_calls(a_second: int) -> Refused:
    """The peer calls faster than it may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_CALLS",
        f"your address may make {a_second} calls a second; wait a second and call again",
    )


def too_many_commands(a_second: int) -> Refused:
    """A seat sends faster than it may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_COMMANDS",
        f"a seat may send {a_second} requests a second; wait a second and send it again",
    )


def too_many_watchers(most: int) -> Refused:
    """As many watch the table as may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_WATCHERS",
        f"{most} watch this table, which is all that may; try again later",
    )


def too_many_tries(wait: timedelta) -> Refused:
    """The peer guessed wrong too often."""
    seconds = -(-wait // timedelta(seconds=1))
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_TRIES",
        f"too many wrong passcodes; ask for the right one, and try again in {seconds} s",
    )


def too_many_at_once(most: int) -> Refused:
    """The peer says more passcodes at once than are looked at."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_TRIES",
        f"{most} passcodes of your address wait to be looked at; try again in a second",
    )


def too_many_goings(a_minute: int) -> Refused:
    """Someone comes and goes, or has the table stop and go, faster than they may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "TOO_MANY_GOINGS",
        f"you may leave, pause, remove or hand over {a_minute} times a minute, as all of it is "
        "written down; wait a moment and do it then",
    )


def chat_too_fast(a_minute: int) -> Refused:
    """Someone chats faster than they may."""
    return Refused(
        Code.RESOURCE_EXHAUSTED,
        "CHAT_TOO_FAST",
        f"you may say {a_minute} lines a minute; wait a moment and say it again",
    )
