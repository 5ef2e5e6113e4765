"""The lines that plain mode prints, from what a seat may know."""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit.utils import get_cwidth

from hearts_client.announce import announce, seat_sentence
from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.celltext import cleaned, padded
from hearts_client.news import Ask, Asked, Joined
from hearts_client.scoreboard import points_sentence, score_rows
from hearts_client.seatnames import SeatNames
from hearts_client.steps import Step, steps
from hearts_client.turnprompt import card_prompt, pass_prompt
from hearts_engine.cards import Seat
from hearts_engine.events import DealBegan, Event
from hearts_engine.state import Phase
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView


def joined_lines(joined: Joined, told: tuple[Step, ...], style: CardStyle) -> Iterator[str]:
    """Where one stands: the table, who sits there, and what was missed.

    ``told`` are the steps to tell of, see :func:`steps_to_tell`.
    """
    view = joined.view
    names = SeatNames.of(view)
    if joined.returned:
        yield "ONLINE back at the table"
    else:
        yield f"TABLE {cleaned(view.opened.table)}, {view.rules}, you are {_place(names)}"
        for seat in range(len(view.seats)):
            yield f"SEAT {seat_sentence(Seat(seat), names)}"
        if view.scored:
            yield f"TOTALS {points_sentence(view.totals, names)}"
    for notice in announce(told, style):
        yield str(notice)


def steps_to_tell(joined: Joined, known: SeatView | None) -> tuple[Step, ...]:
    """What was missed, from where ``known`` stands.

    Someone who comes to a game that has been going on hears of the current deal only.
    """
    if joined.returned and known is not None:
        return tuple(steps(known, joined.missed))
    return tuple(steps(joined.view, _current_deal(joined.missed)))


def _current_deal(events: tuple[Event, ...]) -> tuple[Event, ...]:
    begun = [index for index, event in enumerate(events) if isinstance(event, DealBegan)]
    return events[begun[-1] :] if begun else ()


def asked_line(asked: Asked, style: CardStyle) -> str:
    """The decision that is due."""
    match asked.ask:
        case Ask.PASS:
            return f"YOUR PASS {pass_prompt(asked.view, SeatNames.of(asked.view))}"
        case Ask.CARD:
            return f"YOUR TURN {card_prompt(asked.view, style)}"


def hand_line(view: SeatView, style: CardStyle) -> str:
    """The cards one holds."""
    return f"HAND {card_names(view.hand, style)}"


def legal_line(asked: Asked | None, style: CardStyle) -> str:
    """The cards one may play or pass now."""
    if asked is None:
        return "LEGAL no cards, it is not your turn"
    return f"LEGAL {card_names(asked.view.legal, style)}"


def last_trick_lines(view: SeatView, style: CardStyle) -> Iterator[str]:
    """The last trick taken in this deal, and the one on the table."""
    names = SeatNames.of(view)
    if not view.tricks:
        yield "LAST no trick has been taken in this deal"
    else:
        trick = view.tricks[-1]
        yield f"LAST {_plays(trick, names, style)}, {names.does(trick.winner, 'take')} it"
    if view.phase is Phase.PLAYING and view.trick.cards:
        yield f"NOW {_plays(view.trick, names, style)}"


def _plays(trick: Trick, names: SeatNames, style: CardStyle) -> str:
    return ", ".join(f"{names.name(seat)} {card_name(card, style)}" for seat, card in trick.plays)


def score_lines(view: SeatView) -> Iterator[str]:
    """Every deal by seat, and the totals, in columns."""
    names = SeatNames.of(view)
    seats = names.clockwise()
    rows = [("deal", *(names.label(seat) for seat in seats), "")]
    rows += [
        (row.label.removeprefix("deal "), *(str(row.numbers[seat]) for seat in seats), row.note)
        for row in score_rows(view, names)
    ]
    widths = [max(map(get_cwidth, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = "  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True))
        yield f"SCORES {cells}".rstrip()


def _place(names: SeatNames) -> str:
    return "a spectator" if names.me is None else names.places[names.me]
