"""What a person can set, at the table: hand order, keys that play at once, a list to change it."""

from __future__ import annotations

import random

import pytest

from hearts_client.cardnames import CardStyle, SuitChoice
from hearts_client.screen.intents import Intent, Keep, SendCard
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.options import AT_THE_TABLE
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw
from hearts_client.screen.slots import cards_of
from hearts_client.screen.table_state import TableState, hurried, opened, receive
from hearts_client.settings import SETTINGS, BadSetting, PaceName, Settings
from hearts_client.testing import LocalSession
from hearts_engine.commands import ChoosePass
from hearts_engine.ruletext import parse_rules


def on_turn(settings: Settings) -> TableState:
    session = LocalSession(parse_rules("black_lady target=40"), random.Random(7))
    session.start()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    state = opened(settings, CardStyle.SYMBOLS)
    for item in session.told:
        state = hurried(receive(state, item))
    return state


def pressed(state: TableState, *keys: Pressed) -> tuple[TableState, Intent | None]:
    intent: Intent | None = None
    for key in keys:
        state, intent = press(state, key)
    return state, intent


def shown(state: TableState, columns: int = 80, rows: int = 24) -> str:
    return "".join(fragment[1] for fragment in draw(state, Size(columns, rows)))


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_reads_what_it_writes(name: str) -> None:
    for word in SETTINGS[name].words:
        assert Settings().with_word(name, word).word(name) == word


def test_a_wrong_word_is_answered_with_the_right_ones() -> None:
    with pytest.raises(BadSetting, match="pace can be slow, normal, fast or instant, not 'quick'"):
        Settings().with_word("pace", "quick")
    with pytest.raises(BadSetting, match="there is no setting 'colour'; there is theme, "):
        Settings().with_word("colour", "red")
    with pytest.raises(BadSetting, match="name can be up to"):
        Settings().with_word("name", "\x1b[31m")


def test_a_hand_is_sorted_as_the_person_set_it() -> None:
    usual = on_turn(Settings())
    other = on_turn(Settings(order="shdc", ranks="down"))
    assert set(usual.hand) == set(other.hand)
    letters = [str(card) for card in cards_of(other.hand)]
    suits = [name[1] for name in letters]
    assert suits == sorted(suits, key="SHDC".index)
    spades = ["23456789TJQKA".index(name[0]) for name in letters if name[1] == "S"]
    assert spades == sorted(spades, reverse=True)


def test_the_cursor_goes_through_the_hand_as_it_is_shown() -> None:
    state, _ = pressed(on_turn(Settings(order="hsdc", ranks="down")), Key.HOME)
    for at, slot in enumerate(state.hand):
        assert state.cursor == state.hand[at] == slot
        state, _ = press(state, Key.RIGHT)


def test_a_typed_card_is_played_at_once_only_where_that_is_set_and_the_card_is_legal() -> None:
    state = on_turn(Settings(one_key=True))
    assert state.view is not None
    legal = state.view.legal.lowest()
    _, intent = pressed(state, *str(legal).lower())
    assert isinstance(intent, SendCard)
    assert intent.card == legal
    illegal = next(card for card in state.view.hand if card not in state.view.legal)
    assert pressed(state, *str(illegal).lower())[1] is None
    assert pressed(on_turn(Settings()), *str(legal).lower())[1] is None


def test_settings_are_changed_at_the_table_and_kept() -> None:
    state, _ = pressed(on_turn(Settings()), "o")
    assert "Settings" in shown(state)
    names = [setting.name for setting in AT_THE_TABLE]
    state, intent = pressed(state, *[Key.DOWN] * names.index("pace"), Key.RIGHT)
    assert state.settings.pace is PaceName.FAST
    assert intent == Keep("pace", "fast")
    state, intent = pressed(state, Key.LEFT, Key.LEFT)
    assert intent == Keep("pace", "slow")


def test_suits_change_on_the_screen_as_soon_as_they_are_set() -> None:
    state, _ = pressed(on_turn(Settings()), "o", *[Key.DOWN] * 2, Key.RIGHT, Key.RIGHT)
    assert state.settings.suits is SuitChoice.LETTERS
    assert "♠" not in shown(state)
    assert "♠" in shown(pressed(state, Key.RIGHT)[0])


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (40, 12)])
def test_every_setting_can_be_seen_and_the_hand_with_it_at_any_size(
    columns: int, rows: int
) -> None:
    state, _ = pressed(on_turn(Settings()), "o")
    for setting in AT_THE_TABLE:
        screen = shown(state, columns, rows)
        assert f">{setting.name}" in screen
        assert "8♣" in screen
        state, _ = press(state, Key.DOWN)
