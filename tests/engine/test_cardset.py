"""Sets of cards, compared with plain counting of cards, twins included."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Suit
from hearts_engine.cardset import ALL_CARDS, NO_CARDS, WHOLE_PACK, CardSet, Narrowing

# Few kinds of cards, so that two sets often share one, and from both ends of the pack.
KINDS = [PACK[index] for index in (0, 1, 12, 13, 36, 50, 51)]
MULTISETS = st.dictionaries(st.sampled_from(KINDS), st.integers(1, 2)).map(Counter)
CARDS = st.sampled_from(KINDS)


def set_of(cards: Counter[Card]) -> CardSet:
    return CardSet.of(cards.elements())


def counted(cards: Iterable[Card]) -> Counter[Card]:
    return Counter(cards)


@given(MULTISETS)
def test_a_set_holds_what_it_was_given_in_index_order(cards: Counter[Card]) -> None:
    held = set_of(cards)
    assert list(held) == sorted(cards.elements())
    assert len(held) == cards.total()
    assert bool(held) == bool(cards)
    assert [card in held for card in PACK] == [card in cards for card in PACK]


@given(MULTISETS, MULTISETS)
def test_sets_combine_as_counted_cards_do(a: Counter[Card], b: Counter[Card]) -> None:
    assert counted(set_of(a) & set_of(b)) == a & b
    assert counted(set_of(a) | set_of(b)) == a | b
    assert counted(set_of(a) - set_of(b)) == a - b
    assert (set_of(a) <= set_of(b)) == (a <= b)


@given(MULTISETS, MULTISETS)
def test_sums_hold_every_card_of_both(a: Counter[Card], b: Counter[Card]) -> None:
    b = Counter({card: count for card, count in b.items() if a[card] + count <= 2})
    assert counted(set_of(a) + set_of(b)) == a + b


@given(MULTISETS, MULTISETS)
def test_equal_sets_are_equal_however_they_came_about(a: Counter[Card], b: Counter[Card]) -> None:
    assert (set_of(a) == set_of(b)) == (a == b)
    rebuilt = (set_of(a) - set_of(b)) + (set_of(a) & set_of(b))
    assert rebuilt == set_of(a)
    assert hash(rebuilt) == hash(set_of(a))


@given(MULTISETS, CARDS)
def test_one_card_more_or_less(cards: Counter[Card], card: Card) -> None:
    assert counted(set_of(cards).remove(card)) == cards - Counter([card])
    if cards[card] < 2:
        assert counted(set_of(cards).add(card)) == cards + Counter([card])


@given(MULTISETS, st.sampled_from(Suit))
def test_a_suit_of_a_set_keeps_its_twins(cards: Counter[Card], suit: Suit) -> None:
    expected = Counter({card: n for card, n in cards.items() if card.suit is suit})
    assert counted(set_of(cards).in_suit(suit)) == expected
    assert counted(set_of(cards) & CardSet.of_suit(suit)) == expected


@given(MULTISETS, MULTISETS)
def test_what_is_kept_out_goes_with_its_twin(cards: Counter[Card], mask: Counter[Card]) -> None:
    kept = Counter({card: n for card, n in cards.items() if not mask[card]})
    assert counted(set_of(cards).without(set_of(mask))) == kept
    assert list(set_of(cards).without(set_of(mask))) == sorted(kept.elements())


KEPT = st.sets(CARDS, min_size=1).map(lambda kinds: CardSet.of([*kinds, *kinds]))
"""A mask: twins go together."""


@given(MULTISETS, st.lists(KEPT, max_size=3))
def test_a_set_is_narrowed_by_each_mask_that_leaves_something(
    cards: Counter[Card], masks: list[CardSet]
) -> None:
    expected = cards
    for mask in masks:
        expected = Counter({c: n for c, n in expected.items() if c in mask}) or expected
    narrowed = set_of(cards).narrowed_by(tuple(map(Narrowing.of, masks)))
    assert counted(narrowed) == expected
    assert list(narrowed) == sorted(expected.elements())


@given(MULTISETS, KEPT, KEPT)
def test_a_narrowing_may_depend_on_other_cards(
    cards: Counter[Card], keeps: CardSet, more: CardSet
) -> None:
    holding = keeps.without(more)
    narrowed = set_of(cards).narrowed_by((Narrowing.of(keeps, holding),))
    kept = Counter({card: n for card, n in cards.items() if card in keeps})
    assert counted(narrowed) == (kept if any(card in holding for card in cards) else cards)


@given(st.lists(st.sampled_from(PACK), max_size=60))
def test_cards_added_one_by_one_are_the_set_of_all_of_them(cards: list[Card]) -> None:
    kept = [*(Counter(cards) & Counter([*PACK, *PACK])).elements()]
    held = NO_CARDS
    for card in kept:
        held = held.add(card)
    assert held == CardSet.of(kept)
    assert held.cards == tuple(sorted(kept))
    for card in kept:
        held = held.remove(card)
    assert held == NO_CARDS


@given(MULTISETS)
def test_lowest_and_highest_are_the_ends_of_the_order(cards: Counter[Card]) -> None:
    if cards:
        assert set_of(cards).lowest() is min(cards)
        assert set_of(cards).highest() is max(cards)


def test_an_empty_set_has_no_ends() -> None:
    with pytest.raises(ValueError, match="no lowest"):
        NO_CARDS.lowest()
    with pytest.raises(ValueError, match="no highest"):
        NO_CARDS.highest()


@given(MULTISETS)
def test_a_set_reads_back_from_what_it_prints(cards: Counter[Card]) -> None:
    held = set_of(cards)
    assert CardSet.parse(str(held)) == held
    assert repr(held) == f"CardSet.parse({str(held)!r})"


def test_two_packs_hold_no_third_card() -> None:
    with pytest.raises(ValueError, match="only two of QS"):
        CardSet.parse("QS QS QS")


def test_a_set_is_no_number_and_no_other_thing() -> None:
    assert CardSet(1) != 1
    assert CardSet.parse("2C") != {Card.parse("2C")}


def test_the_whole_pack_and_its_double() -> None:
    assert list(WHOLE_PACK) == list(PACK)
    assert counted(ALL_CARDS) == counted([*PACK, *PACK])
