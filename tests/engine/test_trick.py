"""Tricks: whose turn it is, and who takes them."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.trick import Trick


def trick_of(leader: int, text: str) -> Trick:
    return Trick(Seat(leader), 4, tuple(map(Card.parse, text.split())))


def test_hb_012_the_ace_is_high() -> None:
    assert trick_of(0, "9D AD KD 2D").winner == 1


@pytest.mark.parametrize(("leader", "winner"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_hb_013_the_winner_is_counted_from_the_leader(leader: int, winner: int) -> None:
    assert trick_of(leader, "5C JC 3C 9C").winner == winner


def test_a_higher_card_of_another_suit_takes_nothing() -> None:
    for others in permutations(["AC", "QS", "AH"]):
        assert trick_of(2, " ".join(["2D", *others])).winner == 2


@given(st.integers(0, 3), st.lists(st.sampled_from(PACK), min_size=4, max_size=4, unique=True))
def test_the_winner_played_the_highest_card_of_the_suit_led(leader: int, cards: list[Card]) -> None:
    trick = Trick(Seat(leader), 4, tuple(cards))
    followers = [(card.rank, seat) for seat, card in trick.plays if card.suit is cards[0].suit]
    assert trick.winner == max(followers)[1]


def test_seats_play_in_turn_from_the_leader() -> None:
    trick = Trick(Seat(2), 4)
    assert trick.led is None
    for seat, card in zip((2, 3, 0, 1), map(Card.parse, ("4S", "5S", "QS", "2H")), strict=True):
        assert not trick.complete
        assert trick.next_seat == seat
        trick = trick.add(card)
        assert trick.led is Suit.SPADES
    assert trick.complete
    assert [seat for seat, _ in trick.plays] == [2, 3, 0, 1]


def test_an_empty_trick_has_no_winner() -> None:
    with pytest.raises(ValueError, match="nobody has led"):
        _ = Trick(Seat(0), 4).winner
