"""The lines that plain mode prints, from what a seat may know."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_client.announce import announce, seat_sentence
from hearts_client.cardnames import CardStyle
from hearts_client.missed import missed_sentence
from hearts_client.moonprompt import by_itself_sentence, prospect_sentence, prospects
from hearts_client.news import Ask, Asked, Joined, Offline
from hearts_client.passing import kept_sentence, pass_prompt
from hearts_client.plain.commands import pass_example
from hearts_client.rulebadge import badge_in
from hearts_client.safetext import cleaned
from hearts_client.scoreboard import points_sentence
from hearts_client.seatnames import SeatNames
from hearts_client.steps import Step
from hearts_client.turnprompt import card_prompt
from hearts_client.wording import counted
from hearts_engine.cards import Seat
from hearts_engine.rules import Rules


def joined_lines(joined: Joined, told: tuple[Step, ...], style: CardStyle) -> Iterator[str]:
    """Where one stands: the table, who sits there, and what was missed.

    ``told`` are the steps to tell of, see :func:`hearts_client.missed.steps_to_tell`.
    """
    view = joined.view
    names = SeatNames.of(view)
    if joined.returned:
        yield "ONLINE back at the table"
        yield f"MISSED {missed_sentence(told, style)}"
    else:
        yield f"TABLE {cleaned(view.opened.table)}, you are {_place(names)}"
        yield f"RULES {badge_in(view.rules, style)}"
        for seat in range(len(view.seats)):
            yield f"SEAT {seat_sentence(Seat(seat), names)}"
        if view.scored:
            yield f"TOTALS {points_sentence(view.totals, names)}"
    for notice in announce(told, style):
        yield str(notice)


def asked_lines(asked: Asked, style: CardStyle) -> Iterator[str]:
    """The decision that is due, and what one must know to make it."""
    view, names = asked.view, SeatNames.of(asked.view)
    match asked.ask:
        case Ask.PASS:
            yield f"YOUR PASS {pass_prompt(view, names)}"
            kept = kept_sentence(view, style)
            if kept:
                yield f"KEPT {kept}"
        case Ask.CARD:
            yield f"YOUR TURN {card_prompt(view, style)}"
        case Ask.MOON:
            yield "YOUR MOON type add or subtract"
            for prospect in prospects(view, names):
                yield f"CHOICE {prospect_sentence(prospect, names)}"


def clock_line(asked: Asked, seconds: int) -> str:
    """How long there is to decide, and what comes of a moon after that."""
    if asked.ask is Ask.MOON:
        return f"CLOCK {by_itself_sentence(asked.view, seconds)}"
    return f"CLOCK {counted(seconds, 'second')} to decide"


def hint_line(rules: Rules) -> str:
    """How to answer, for someone who has never done so."""
    example = pass_example(rules)
    if not example:
        return "HELP type qs to play that card; help lists the commands"
    these = "this card" if rules.pass_count == 1 else "these cards"
    return f"HELP type {example} to pass {these}, qs to play that one; help lists the commands"


def is_told(offline: Offline) -> bool:
    """Whether to tell of this attempt too: the first ones, then one about every minute."""
    return offline.attempt in (1, 5) or offline.attempt % 20 == 0


def _place(names: SeatNames) -> str:
    return "a spectator" if names.me is None else names.places[names.me]
