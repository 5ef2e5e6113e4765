"""Themes: what is told by colour is told without it too, on any terminal."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from prompt_toolkit.styles import Attrs, Style

from hearts_client.screen.theme import style_of, suit_class
from hearts_client.settings import Settings, SuitColours, Theme
from hearts_engine.cards import Suit

BLACKS, REDS = (Suit.CLUBS, Suit.SPADES), (Suit.DIAMONDS, Suit.HEARTS)


def style(theme: Theme, colours: SuitColours = SuitColours.FOUR) -> Style:
    return style_of(Settings(theme=theme, colours=colours))


def look(style: Style, classes: str) -> Attrs:
    return style.get_attrs_for_style_str(classes)


def inks(style: Style) -> dict[Suit, str | None]:
    return {suit: look(style, suit_class(suit)).color for suit in Suit}


@pytest.mark.parametrize("theme", [theme for theme in Theme if theme is not Theme.MONO])
def test_four_colours_tell_four_suits_apart_and_two_the_red_from_the_black(theme: Theme) -> None:
    four = inks(style(theme))
    assert len(set(four.values())) == 4
    two = inks(style(theme, SuitColours.TWO))
    assert len({two[suit] for suit in BLACKS}) == len({two[suit] for suit in REDS}) == 1
    assert two[Suit.SPADES] != two[Suit.HEARTS]


def test_mono_has_no_colour_at_all() -> None:
    mono = style(Theme.MONO)
    for classes, _ in mono.style_rules:
        attrs = look(mono, f"class:{classes}")
        assert (attrs.color, attrs.bgcolor) == ("", "")


@pytest.mark.parametrize(("theme", "colours"), [*product(Theme, SuitColours)])
def test_what_may_be_played_what_not_and_the_cursor_look_different(
    theme: Theme, colours: SuitColours
) -> None:
    painted = style(theme, colours)
    for suit in Suit:
        looks = [
            look(painted, f"class:hand {suit_class(suit)} class:{part}")
            for part in ("legal", "illegal", "cursor", "cursor.illegal")
        ]
        assert all(one != other for one, other in combinations(looks, 2))


def test_blind_tells_no_suit_apart_by_red_and_green_alone() -> None:
    reddish_or_green = {"ansired", "ansibrightred", "ansigreen", "ansibrightgreen"}
    assert not reddish_or_green & set(filter(None, inks(style(Theme.BLIND)).values()))


def test_only_felt_paints_what_is_behind_the_table() -> None:
    for theme in Theme:
        behind = {part: look(style(theme), f"class:{part}").bgcolor for part in ("table", "hand")}
        assert bool(behind["table"] and behind["hand"]) is (theme is Theme.FELT)
