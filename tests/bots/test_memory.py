"""What a seat that pays attention knows."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from hearts_bots.memory import Memory, highest, lowest, remember
from hearts_engine.cards import QUEEN_OF_SPADES, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import Deal, ShowDeal
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, random_choice, seated
from hearts_engine.view import observe

Recall = Callable[..., Memory]


TABLES = (
    "black_lady",
    "cancellation",
    "five pass_count=4 pass_cycle=scatter",
    "black_lady pass_cycle=shuffle",
    "black_lady decks=2 players=6 removed=2C,2D",
    "black_lady players=7 decks=2 kitty=first_penalty",
)


@pytest.mark.parametrize("text", TABLES)
def test_at_every_turn_what_a_seat_remembers_is_so(text: str) -> None:
    for state in turns(text, deals=3):
        seat, hands = state.awaited[0], state.play.hands
        memory = remember(observe(state, seat))
        held = NO_CARDS
        for other in memory.others:
            held += hands[other]
            assert memory.known[other] <= hands[other]
            assert not any(hands[other].in_suit(suit) for suit in memory.void[other])
        kitty = state.play.outcome.kitty_seat
        assert memory.unseen == (held if kitty == seat else held + state.exchange.kitty)
        assert memory.kitty_out == (bool(state.exchange.kitty) and kitty is None)
        assert memory.carried == state.play.carried
        for card in memory.dear_out:
            assert memory.keeper(card) is None or card in hands[memory.keeper(card) or 0]


@pytest.mark.parametrize("text", TABLES)
def test_a_card_beats_the_trick_exactly_if_it_would_be_winning(text: str) -> None:
    for state in turns(text, deals=2):
        memory = remember(observe(state, state.awaited[0]))
        for card in memory.legal:
            winner = memory.trick.add(card).winning(memory.rules.twins)
            assert memory.beats(card) == (winner == memory.seat)


def turns(text: str, deals: int) -> Iterator[State]:
    """Every state of some random deals in which a card is asked for."""
    chance = Random(7)
    game = seated(parse_rules(text))
    for _ in range(deals):
        deck = list(game.state.game.rules.deck)
        chance.shuffle(deck)
        game.do(Deal(tuple(deck)))
        while game.state.phase is not Phase.SHOWING:
            if game.state.phase is Phase.PLAYING:
                yield game.state
            game.do(random_choice(game.state, chance))
        game.do(ShowDeal(SECRET))


def test_a_spectator_remembers_nothing_as_it_is_never_asked() -> None:
    with pytest.raises(ValueError, match="spectator"):
        remember(observe(seated(Rules()).state, None))


def test_the_moon_is_watched_only_while_one_other_seat_has_every_point(recall: Recall) -> None:
    hand = "2C 3C"
    assert recall(hand, points=(0, 0, 0, 9)).moon_seat == 3
    assert recall(hand, points=(0, 0, 1, 9)).moon_seat is None
    assert recall(hand, points=(9, 0, 0, 0)).moon_seat is None
    assert recall(hand, points=(0, 0, 0, 2)).moon_seat is None


def test_the_seat_ahead_is_the_one_with_the_lowest_total(recall: Recall) -> None:
    assert recall("2C", totals=(90, 10, 40, 40)).ahead == (1,)
    assert recall("2C", totals=(0, 40, 40, 50)).ahead == (1, 2)


def test_the_queen_is_found_where_only_one_seat_can_hold_her(recall: Recall) -> None:
    assert recall("2C 3C", void={1: "S", 3: "S"}).keeper(QUEEN_OF_SPADES) == 2
    assert recall("2C 3C", void={1: "S"}).keeper(QUEEN_OF_SPADES) is None
    assert recall("2C 3C", given="QS").keeper(QUEEN_OF_SPADES) == 1


def test_the_queen_is_out_until_she_is_held_or_played(recall: Recall) -> None:
    assert recall("2C 3C").dear_out
    assert not recall("2C QS").dear_out
    assert not recall("2C 3C", "4S QS").dear_out


def test_those_behind_play_after_this_seat(recall: Recall) -> None:
    assert recall("2C 3C", "4C").behind == (Seat(1), Seat(2))
    assert recall("2C 3C", "4C 5C 6C").last


def test_above_and_below_count_only_cards_that_others_hold(recall: Recall) -> None:
    memory = recall("9C KC", unseen="2C AC 3D AD")
    assert memory.above(Card.parse("9C")) == CardSet.parse("AC")
    assert memory.below(Card.parse("9C")) == CardSet.parse("2C")


def test_a_suit_nobody_else_holds_leaves_every_seat_void(recall: Recall) -> None:
    assert all(Suit.CLUBS in suits for suits in recall("2C", unseen="2D 3D 4D").void)


def test_the_highest_and_lowest_card_go_by_rank_across_suits() -> None:
    cards = CardSet.parse("2H AC 3S")
    assert (highest(cards), lowest(cards)) == (Card.parse("AC"), Card.parse("2H"))
    assert highest(CardSet()) is lowest(CardSet()) is None
