"""Tricks: whose turn it is, and who takes them."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.options import LastCancelled, Twins
from hearts_engine.trick import Trick

CANCEL, FIRST_WINS = Twins.CANCEL, Twins.FIRST_WINS
LEADER, SECOND = LastCancelled.LEADER, LastCancelled.SECOND_OF_TOP_PAIR


def trick_of(leader: int, text: str) -> Trick:
    cards = tuple(map(Card.parse, text.split()))
    return Trick(Seat(leader), len(cards), cards)


def test_hb_012_the_ace_is_high() -> None:
    assert trick_of(0, "9D AD KD 2D").winning() == 1


@pytest.mark.parametrize(("leader", "winner"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_hb_013_the_winner_is_counted_from_the_leader(leader: int, winner: int) -> None:
    assert trick_of(leader, "5C JC 3C 9C").winning() == winner


def test_a_higher_card_of_another_suit_takes_nothing() -> None:
    for others in permutations(["AC", "QS", "AH"]):
        assert trick_of(2, " ".join(["2D", *others])).winning() == 2


@given(st.integers(0, 3), st.lists(st.sampled_from(PACK), min_size=4, max_size=4, unique=True))
def test_the_winner_played_the_highest_card_of_the_suit_led(leader: int, cards: list[Card]) -> None:
    trick = Trick(Seat(leader), 4, tuple(cards))
    followers = [(card.rank, seat) for seat, card in trick.plays if card.suit is cards[0].suit]
    for twins in Twins:
        assert trick.winning(twins) == max(followers)[1]


def test_seats_play_in_turn_from_the_leader() -> None:
    trick = Trick(Seat(2), 4)
    assert trick.led is None
    for seat, card in zip((2, 3, 0, 1), map(Card.parse, ("4S", "5S", "QS", "2H")), strict=True):
        assert not trick.complete
        assert trick.missing == 4 - len(trick.cards)
        assert trick.next_seat == seat
        trick = trick.add(card)
        assert trick.led is Suit.SPADES
    assert trick.complete
    assert trick.missing == 0
    assert [seat for seat, _ in trick.plays] == [2, 3, 0, 1]


def test_an_empty_trick_has_no_winner_and_an_open_one_has_the_highest_so_far() -> None:
    trick = Trick(Seat(3), 4)
    assert trick.winning() is None
    winners: list[Seat | None] = []
    for text in ("4S", "9S", "AH", "6S"):
        trick = trick.add(Card.parse(text))
        winners.append(trick.winning())
    assert winners == [3, 0, 0, 0]
    assert trick.taker is None, "nobody has taken it before it is said who did"


def test_hb_046_a_card_cannot_win_beside_its_twin() -> None:
    assert trick_of(0, "JC TC 9C 8C 4C JC").winning(CANCEL) == 1
    assert trick_of(0, "JC TC 9C 8C 4C JC").winning(FIRST_WINS) == 0


def test_two_pairs_leave_the_trick_to_a_third_card() -> None:
    assert trick_of(4, "AD KD AD KD 3D 2H").winning(CANCEL) == 2


def test_hb_048_a_discard_never_takes_a_cancelled_trick() -> None:
    cancelled = trick_of(1, "KD KD AS 2H 5C 7S")
    assert cancelled.winning(CANCEL) is None
    assert cancelled.winning(FIRST_WINS) == 1


def test_twins_among_the_discards_cancel_nothing() -> None:
    assert trick_of(0, "3D QS QS 2D AH AH").winning(CANCEL) == 0


def test_twins_cancel_only_once_both_are_played() -> None:
    assert trick_of(2, "KD 3D AS").winning(CANCEL) == 2
    assert trick_of(2, "KD 3D KD").winning(CANCEL) == 0


@pytest.mark.parametrize(
    ("rule", "taker"), [(LEADER, 2), (SECOND, 5)], ids=["leader", "second-of-top-pair"]
)
def test_hb_049_the_last_trick_is_taken_even_if_it_is_cancelled(
    rule: LastCancelled, taker: int
) -> None:
    cancelled = trick_of(2, "QS QS AS AS KS KS")
    assert cancelled.winning(CANCEL) is None
    assert cancelled.taken_if_last(CANCEL, rule) == taker


def test_a_pair_of_discards_does_not_count_as_the_top_pair() -> None:
    assert trick_of(0, "4D 9S 9S AH AH 4D").taken_if_last(CANCEL, SECOND) == 5


@given(st.sampled_from(LastCancelled), st.sampled_from(Twins))
def test_a_last_trick_that_is_not_cancelled_goes_to_who_won_it(
    rule: LastCancelled, twins: Twins
) -> None:
    assert trick_of(1, "4D TD KS AD 3D 5H").taken_if_last(twins, rule) == 4


@st.composite
def of_two_packs(draw: st.DrawFn) -> Trick:
    """A trick of up to ten seats, few kinds of cards, none more often than twice."""
    players = draw(st.integers(3, 10))
    kinds = st.sampled_from([PACK[index] for index in (0, 1, 5, 6, 12, 13, 25)])
    cards = draw(
        st.lists(kinds, min_size=players, max_size=players).filter(
            lambda cards: max(Counter(cards).values()) <= 2
        )
    )
    return Trick(Seat(draw(st.integers(0, players - 1))), players, tuple(cards))


@given(of_two_packs())
def test_no_twin_ever_wins_where_twins_cancel(trick: Trick) -> None:
    single = [
        (card, seat)
        for seat, card in trick.plays
        if card.suit is trick.led and trick.cards.count(card) == 1
    ]
    assert trick.winning(CANCEL) == (max(single)[1] if single else None)


@given(of_two_packs())
def test_where_the_first_twin_wins_every_trick_is_taken(trick: Trick) -> None:
    top = max(card for card in trick.cards if card.suit is trick.led)
    first = next(seat for seat, card in trick.plays if card == top)
    assert trick.winning(FIRST_WINS) == first
    assert {trick.taken_if_last(FIRST_WINS, rule) for rule in LastCancelled} == {first}


@given(of_two_packs(), st.sampled_from(LastCancelled))
def test_whoever_takes_a_last_trick_followed_suit(trick: Trick, rule: LastCancelled) -> None:
    taker = trick.taken_if_last(CANCEL, rule)
    played = dict(trick.plays)
    assert played[taker].suit is trick.led
