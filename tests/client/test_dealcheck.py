"""How a deal came about can be looked at with one key when it is over, with every hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from hearts_client.cardnames import CardStyle, card_names
from hearts_client.dealcheck import DealCheck, Evidence
from hearts_client.screen.checkboard import check_lines
from hearts_client.screen.frames import Board
from hearts_client.screen.lines import Line
from hearts_client.screen.pressing import press
from hearts_client.screen.table_state import TableState, hurried, receive
from hearts_client.seatnames import SeatNames
from hearts_client.testing import LocalSession
from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.events import EntropyRevealed, Event, HandDealt, SecretRevealed
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.view import visible
from hearts_replays.testing import Plan, whole_log

ME = Seat(1)
LOG = whole_log(
    Random(4), Plan(Rules(target=20), reveal=frozenset({0, 1, 2}), withhold=frozenset({3}))
)


def checks_of(events: list[Event]) -> list[DealCheck]:
    evidence, found = Evidence(), dict[int, DealCheck]()
    for event in events:
        evidence = evidence.after([event])
        found.update(evidence.checks)
    return list(found.values())


def mine() -> list[Event]:
    return list(visible(LOG.events, ME))


def test_every_deal_of_a_fair_game_is_found_fair_from_what_one_seat_saw() -> None:
    checks = checks_of(mine())
    assert len(checks) >= 2
    assert all(not check.faults for check in checks)
    dealt = [event for event in LOG.events if isinstance(event, HandDealt)]
    for event, hand in zip(dealt, (h for c in checks for h in c.dealt.hands), strict=True):
        assert event.cards == CardSet.of(hand), "every hand is shown as it was dealt"


def faults(events: list[Event]) -> set[str]:
    return {fault for check in checks_of(events) for fault in check.faults}


def changed(kind: type[Event], how: Callable[[Any], Event]) -> list[Event]:
    """What one saw, with the first event of a kind told otherwise."""
    events = mine()
    at = next(at for at, event in enumerate(events) if isinstance(event, kind))
    return [*events[:at], how(events[at]), *events[at + 1 :]]


def test_another_secret_than_was_fixed_is_told() -> None:
    told = faults(changed(SecretRevealed, lambda event: SecretRevealed(event.deal, bytes(32))))
    assert "the secret is not the one that was fixed before the first deal" in told
    assert "dealt again, you would have got other cards" in told


def test_entropy_that_was_not_committed_to_is_told() -> None:
    told = faults(changed(EntropyRevealed, lambda event: EntropyRevealed(event.seat, bytes(32))))
    assert "what a seat mixed in is not what it had committed to" in told


def test_cards_that_were_not_dealt_are_told() -> None:
    hand = next(e for e in mine() if isinstance(e, HandDealt)).cards
    other = next(card for card in Rules().cards if card not in hand)
    wrong = hand.add(other) - CardSet.of([hand.lowest()])
    assert faults(changed(HandDealt, lambda event: HandDealt(event.seat, wrong))) == {
        "dealt again, you would have got other cards"
    }


def text(lines: list[Line]) -> str:
    return "\n".join("".join(part for _, part in line) for line in lines)


def test_the_page_says_that_it_was_fair_and_shows_every_hand() -> None:
    (check, *_) = checks_of(mine())
    names = SeatNames(
        ME, ("Ann", "Ben", "Cy", "Dot"), ("South", "West", "North", "East"), ("",) * 4
    )
    page = text(check_lines(check, names, CardStyle.LETTERS, 200))
    assert "Fair: " in page
    assert "withheld" in page
    for hand in check.dealt.hands:
        assert card_names(sorted(hand), CardStyle.LETTERS) in page
    wrong = replace(check, faults=("the secret is another",))
    assert "NOT FAIR: the secret is another" in text(
        check_lines(wrong, names, CardStyle.LETTERS, 80)
    )
    assert "Nothing was revealed" in text(check_lines(None, names, CardStyle.LETTERS, 80))


def test_the_check_is_one_key_away_from_the_result_and_back() -> None:
    session = LocalSession(parse_rules("black_lady target=40"), Random(7))
    session.start()
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = hurried(receive(state, item))
    seen = len(session.told)
    while state.held is None or state.held.board is not Board.DEAL:
        legal = session.view.legal
        if session.state.phase is Phase.PASSING:
            session.answer(ChoosePass(session.seat, tuple(legal)[:3]))
        else:
            session.answer(PlayCard(session.seat, legal.lowest()))
        for item in session.told[seen:]:
            state = hurried(receive(state, item))
        seen = len(session.told)
    state, _ = press(state, "c")
    assert state.checking
    state, _ = press(state, "c")
    assert not state.checking
    assert state.held is not None
    state, _ = press(state, "x")
    assert not state.checking
