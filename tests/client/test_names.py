"""Names of cards and seats, and text that is safe to show."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hearts_client.cardnames import (
    CardStyle,
    SuitChoice,
    card_name,
    card_names,
    card_style,
    restyled,
    terminal_style,
)
from hearts_client.celltext import clipped, padded, wrapped
from hearts_client.safetext import cleaned
from hearts_client.seatnames import SeatNames
from hearts_client.testing import LocalSession
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules


@pytest.mark.parametrize(
    ("choice", "terminal", "encoding", "style"),
    [
        (SuitChoice.AUTO, "xterm-256color", "UTF-8", CardStyle.SYMBOLS),
        (SuitChoice.AUTO, "xterm-256color", "utf8", CardStyle.SYMBOLS),
        (SuitChoice.AUTO, "xterm", "ANSI_X3.4-1968", CardStyle.LETTERS),
        (SuitChoice.AUTO, "linux", "UTF-8", CardStyle.LETTERS),
        (SuitChoice.AUTO, "dumb", "UTF-8", CardStyle.LETTERS),
        (SuitChoice.SYMBOLS, "linux", "ascii", CardStyle.SYMBOLS),
        (SuitChoice.LETTERS, "xterm", "UTF-8", CardStyle.LETTERS),
    ],
)
def test_suits_are_letters_where_the_terminal_cannot_be_trusted_with_signs(
    choice: SuitChoice, terminal: str, encoding: str, style: CardStyle
) -> None:
    assert card_style(choice, terminal_style(terminal, encoding)) is style


@pytest.mark.parametrize("style", CardStyle)
def test_every_card_has_its_own_name(style: CardStyle) -> None:
    assert len({card_name(card, style) for card in PACK}) == 52


def test_cards_are_listed_as_eyes_or_ears_need_them() -> None:
    cards = CardSet.parse("2C TD")
    assert card_names(cards, CardStyle.LETTERS) == "2C TD"
    assert card_names(cards, CardStyle.SYMBOLS) == "2♣ T♦"
    assert card_names(cards, CardStyle.WORDS) == "two of clubs, ten of diamonds"
    assert card_names(NO_CARDS, CardStyle.LETTERS) == "no cards"


def test_cards_in_a_sentence_of_the_server_are_shown_like_all_others() -> None:
    sentence = "6H: you still hold clubs, follow suit; legal: 2C TC"
    assert restyled(sentence, CardStyle.SYMBOLS).endswith("legal: 2♣ T♣")
    assert restyled(sentence, CardStyle.LETTERS) == sentence
    assert restyled("ASK THE HOST, 2CAN", CardStyle.SYMBOLS) == "ASK THE HOST, 2CAN"


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("Ann", "Ann"),
        ("\x1b[31mAnn\x07\r\n", "[31mAnn"),
        ("An\u202en\u2066\u200b\ufeff", "Ann"),
        ("A\u0300\u0301\u0302\u0303\u0304b", "\u00c0\u0301\u0302b"),
        ("♥\ufe0f", "♥"),
        ("Jos\u0065\u0301 Ng", "José Ng"),
        ("\u00a0\u3000", ""),
    ],
)
def test_a_name_cannot_move_the_cursor_or_turn_the_line_around(text: str, safe: str) -> None:
    assert cleaned(text) == safe


def test_wide_characters_count_as_the_cells_they_take() -> None:
    assert clipped("日本語", 6) == "日本語"
    assert clipped("日本語", 5) == "日本~"
    assert clipped("日本語", 4) == "日~"
    assert padded("日", 4) == "日  "
    assert clipped("Ann", 0) == ""


def test_lines_break_at_blanks_and_no_line_is_too_long() -> None:
    assert wrapped("follow clubs: 2C 5C", 9) == ("follow", "clubs: 2C", "5C")
    assert wrapped("", 9) == ()
    assert wrapped("unbreakable", 5) == ("unbr~",)


def named(*names: str) -> SeatNames:
    return SeatNames.of(LocalSession(Rules(), random.Random(1), names).view)


def test_one_is_you_and_sits_first_and_the_others_follow_clockwise() -> None:
    session = LocalSession(Rules(), random.Random(1))
    names = SeatNames.of(replace(session.view, seat=Seat(2)))
    assert [names.label(seat) for seat in names.clockwise()] == [
        "North You",
        "East Cy",
        "South Dot",
        "West Ann",
    ]
    assert names.does(Seat(2), "lead") == "You lead"
    assert names.does(Seat(1), "lead") == "Ann leads"
    assert names.listed(names.clockwise()[:3]) == "You, Cy and Dot"


def test_two_seats_of_one_name_can_be_told_apart() -> None:
    names = named("Dot", "Bot", "Bot", "You")
    assert names.names == ("You (South)", "Bot (West)", "Bot (North)", "You (East)")


def test_a_name_of_nothing_visible_still_has_a_name() -> None:
    session = LocalSession(Rules(), random.Random(1))
    view = session.view
    taken = view.seats[1]
    assert taken is not None
    hidden = (view.seats[0], replace(taken, name="\u200b\u202e"), *view.seats[2:])
    assert SeatNames.of(replace(view, seats=hidden)).names[1] == "nameless"


def test_a_spectator_is_nobody_at_the_table() -> None:
    session = LocalSession(Rules(), random.Random(1))
    names = SeatNames.of(replace(session.view, seat=None))
    assert names.names == ("Dot", "Ann", "Ben", "Cy")


def test_cards_are_read_as_they_are_written() -> None:
    assert all(Card.parse(card_name(card, CardStyle.SYMBOLS)) is card for card in PACK)


@pytest.mark.parametrize("players", range(3, 11))
def test_every_table_has_names_for_its_seats_and_no_two_alike(players: int) -> None:
    words = "opening=eldest kitty=last_trick pass_cycle=hold"
    rules = parse_rules(f"black_lady players={players} {words}")
    names = SeatNames.of(LocalSession(rules, random.Random(1), ("Ann",) * players).view)
    assert len(set(names.names)) == len(set(names.places)) == players
    compass = ("South", "West", "North", "East")
    numbers = tuple(f"Seat {number}" for number in range(1, players + 1))
    assert names.places == (compass if players == 4 else numbers)
    assert names.label(Seat(2)) == f"{names.places[2]} Ann"


def test_a_name_that_looks_like_another_seats_is_told_apart() -> None:
    people = ("Dot", "Ann", "Ann (West)", "Ann")
    names = SeatNames.of(LocalSession(Rules(), random.Random(1), people).view)
    assert names.names == ("You (South)", "Ann (West)", "Ann (West) (North)", "Ann (East)")


def test_only_passes_to_one_seat_have_one_giver() -> None:
    rules = parse_rules("six pass_cycle=left2")
    names = SeatNames.of(LocalSession(rules, random.Random(1)).view)
    givers = {way: names.giver(way) for way in Direction}
    assert givers == {
        Direction.LEFT: 5,
        Direction.RIGHT: 1,
        Direction.ACROSS: 3,
        Direction.LEFT2: 4,
        Direction.RIGHT2: 2,
        Direction.HOLD: None,
        Direction.SCATTER: None,
        Direction.SHUFFLE: None,
    }
