"""Cards: their text, their numbers, and their one object each."""

import copy
import pickle

import pytest

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, TWO_OF_CLUBS, Card, Rank, Suit


def test_the_index_that_logs_hold_never_changes() -> None:
    assert [str(card) for card in PACK[:3]] == ["2C", "3C", "4C"]
    assert [str(PACK[index]) for index in (12, 13, 25, 26, 36, 38, 39, 51)] == [
        "AC", "2D", "AD", "2S", "QS", "AS", "2H", "AH",
    ]  # fmt: skip
    assert all(card == index == 13 * card.suit + card.rank - 2 for index, card in enumerate(PACK))


def test_a_card_reads_back_from_what_it_prints() -> None:
    for card in PACK:
        assert Card.parse(str(card)) is card
        assert Card.parse(str(card).lower()) is card
        assert Card.parse(card.symbol) is card
        assert Card.of(card.rank, card.suit) is card
        assert Card(int(card)) is card


def test_a_ten_may_be_written_with_two_digits() -> None:
    assert Card.parse("10d") is Card.parse(" TD ") is Card.of(Rank.TEN, Suit.DIAMONDS)


@pytest.mark.parametrize("text", ["", "Q", "QQ", "1S", "QX", "SQ", "QS2C", "110D", "100D", "Q S"])
def test_what_is_no_card_is_named_in_the_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as caught:
        Card.parse(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("index", [-1, 52, 1000])
def test_an_index_outside_the_pack_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match="0 to 51"):
        Card(index)


def test_copies_and_pickles_give_the_same_object() -> None:
    assert copy.deepcopy(QUEEN_OF_SPADES) is QUEEN_OF_SPADES
    assert pickle.loads(pickle.dumps(TWO_OF_CLUBS)) is TWO_OF_CLUBS


def test_cards_print_with_suit_signs_where_the_terminal_can() -> None:
    assert QUEEN_OF_SPADES.symbol == "Q♠"
    assert repr(QUEEN_OF_SPADES) == "Card.parse('QS')"
