"""What someone who comes back is told in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hearts_client.cardnames import CardStyle
from hearts_client.missed import decided_for, missed_sentence
from hearts_client.news import Happened
from hearts_client.steps import Step, steps
from hearts_client.testing import LocalSession
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.events import Agent, CardPlayed, DealScored, Event, PassChosen

SeatedAt = Callable[..., LocalSession]


def by_a_bot(event: Event) -> Event:
    """The same where a bot decided it."""
    if isinstance(event, CardPlayed | PassChosen):
        return replace(event, by=Agent.AUTOPILOT)
    return event


def missed(session: LocalSession, until: type[Event]) -> tuple[Step, ...]:
    """What happens from the pass on, all decided by bots, up to the first such event."""
    view, start = session.view, len(session.told)
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[:3]))
    while not any(isinstance(event, until) for event in session.events):
        session.answer(PlayCard(session.seat, session.view.legal.lowest()))
    events = [
        by_a_bot(event)
        for item in session.told[start:]
        if isinstance(item, Happened)
        for event in item.events
    ]
    end = next(at for at, event in enumerate(events) if isinstance(event, until))
    return tuple(steps(view, events[: end + 1]))


def test_it_says_how_far_the_game_went_and_what_a_bot_did_in_ones_place(table: SeatedAt) -> None:
    session = table()
    session.start()
    told = missed(session, CardPlayed)
    assert missed_sentence(told, CardStyle.LETTERS) == (
        "you missed 1 card; 8C 3D 6D were passed for you"
    )


def test_a_whole_deal_is_one_line_too(table: SeatedAt) -> None:
    session = table()
    session.start()
    sentence = missed_sentence(missed(session, DealScored), CardStyle.LETTERS)
    assert sentence.startswith("you missed 52 cards, 13 tricks, the end of deal 1; ")
    assert sentence.endswith("were played for you")


def test_nothing_missed_is_said_so(table: SeatedAt) -> None:
    session = table()
    session.start()
    assert missed_sentence((), CardStyle.LETTERS) == "you missed nothing"
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[:3]))
    assert decided_for((), CardStyle.LETTERS) == ""
