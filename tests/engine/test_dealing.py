"""From the deck to the first lead: the deal, every kind of pass, the shuffled centre."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, SEATS, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import ChoosePass, Deal, ShareCentre
from hearts_engine.dealing import KEPT_SPADES, centre_of, passable
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    CardsPassed,
    CentreTaken,
    DealBegan,
    HandDealt,
    KittyDealt,
    PassChosen,
    PlayBegan,
    SeatReady,
)
from hearts_engine.options import Opening
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import Recording, deal_at_random, deck_of, random_choice, seated
from hearts_engine.testing_rules import random_rules

SEEDS = st.integers(0, 2**32)


def refused(game: Recording, command: ChoosePass | Deal | ShareCentre) -> Rejected:
    """The refusal of a command, which must leave no trace."""
    before = game.state, list(game.events)
    with pytest.raises(Rejected) as caught:
        game.do(command)
    assert (game.state, game.events) == before
    return caught.value


def dealt(rules: Rules, seed: int = 1) -> Recording:
    game = seated(rules)
    game.do(Deal(tuple(Random(seed).sample(rules.deck, k=len(rules.deck)))))
    return game


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def four_each(hands: list[str], **options: object) -> Recording:
    """A deal of small hands: every card that they do not name is removed from the pack."""
    held = CardSet.parse(" ".join(hands))
    rules = Rules(
        players=len(hands),
        removed=tuple(card for card in PACK if card not in held),
        **options,  # type: ignore[arg-type]  # the tests below give each its type
    )
    game = seated(rules)
    game.do(Deal(deck_of([*map(CardSet.parse, hands)])))
    return game


@given(SEEDS)
def test_whatever_the_rules_the_deck_goes_round_and_the_rest_lies_face_down(seed: int) -> None:
    rules = random_rules(Random(seed))
    game = dealt(rules, seed)
    deck = Random(seed).sample(rules.deck, k=len(rules.deck))
    began, *events = [e for e in game.events if isinstance(e, DealBegan | HandDealt | KittyDealt)]
    assert began == DealBegan(1, SEATS[rules.players - 1], rules.pass_cycle[0])
    hands = [event for event in events if isinstance(event, HandDealt)]
    for place, card in enumerate(deck[: rules.hand_size * rules.players]):
        assert card in hands[place % rules.players].cards
    assert [len(hand.cards) for hand in hands] == [rules.hand_size] * rules.players
    kitty = CardSet.of(deck[rules.hand_size * rules.players :])
    assert [e.cards for e in events if isinstance(e, KittyDealt)] == ([kitty] if kitty else [])
    assert game.state.exchange.kitty == kitty


@given(SEEDS)
def test_whatever_the_rules_cards_only_change_hands_in_the_pass(seed: int) -> None:
    chance = Random(seed)
    game = dealt(random_rules(chance), seed)
    dealt_hands = game.state.exchange.dealt
    while game.state.phase in {Phase.PASSING, Phase.CENTRE}:
        game.do(random_choice(game.state, chance))
    held = game.state.play.hands
    assert sorted(sum(held, NO_CARDS)) == sorted(sum(dealt_hands, NO_CARDS))
    assert {len(hand) for hand in held} == {game.state.game.rules.hand_size}
    assert game.state.exchange.held == held


@given(SEEDS)
def test_hb_017_whatever_the_rules_the_leader_is_found_in_the_hands_that_are_played(
    seed: int,
) -> None:
    chance = Random(seed)
    rules = random_rules(chance)
    game = dealt(rules, seed)
    for _ in range(rules.players + 1):
        if game.state.phase is Phase.PLAYING:
            break
        game.do(random_choice(game.state, chance))
    leader = game.state.turn
    assert game.events[-1] == PlayBegan(Seat(leader if leader is not None else -1))
    clubs = [[card for card in hand if card < 13] for hand in game.state.play.hands]
    lowest = min((card for cards in clubs for card in cards), default=None)
    if rules.opening is Opening.ELDEST:
        assert leader == 0
    else:
        assert leader == next(seat for seat, cards in enumerate(clubs) if lowest in cards)
    if rules.opening is Opening.LOW_CLUB:
        assert {*game.state.play.legal} == {lowest}


def test_eldest_moves_on_with_the_deal() -> None:
    game = seated(parse_rules("plain_hearts target=1000"))
    chance = Random(4)
    for deal in range(1, 9):
        deal_at_random(game, chance)
        assert game.state.exchange.dealer == (deal - 2) % 4
        assert game.state.play.tricks[0].leader == (deal - 1) % 4


def test_of_two_lowest_clubs_the_first_from_eldest_leads() -> None:
    rules = parse_rules("cancellation players=8 opening=low_club")
    game = seated(rules)
    clubs = [Card.parse("2C")] * 2
    others = [card for card in rules.deck if card != clubs[0]]
    hands = [CardSet.of(others[13 * seat :][:13]) for seat in range(6)]
    rest = others[78:]
    hands[3:3] = [CardSet.of([clubs[0], *rest[:12]])]
    hands[5:5] = [CardSet.of([clubs[1], *rest[12:]])]
    game.do(Deal(deck_of(hands)))
    assert game.state.turn == 3


@pytest.mark.parametrize(
    "change",
    ["lacks a card", "has one too many", "has one twice", "is empty"],
)
@pytest.mark.parametrize("name", ["black_lady", "five", "cancellation", "black_maria"])
def test_a_deck_that_the_rules_do_not_have_is_refused(name: str, change: str) -> None:
    rules = parse_rules(name)
    deck = {
        "lacks a card": rules.deck[1:],
        "has one too many": (*rules.deck, rules.deck[0]),
        "has one twice": (*rules.deck[1:], rules.deck[1]),
        "is empty": (),
    }[change]
    assert refused(seated(rules), Deal(deck)).reason is Reason.BAD_DECK


HANDS = ["2C 5D 9S KH", "3C 6D TS AH", "4C 7D JS 2H", "5C 8D QS 3H"]
PICKS = ["2C 9S KH", "3C TS AH", "4C JS 2H", "5C QS 3H"]


def test_hb_018_hands_and_leader_after_a_pass_to_the_left() -> None:
    game = four_each(HANDS, pass_cycle=(Direction.LEFT,))
    for seat, pick in zip(SEATS, PICKS, strict=False):
        game.do(ChoosePass(seat, cards_of(pick)))
    assert list(game.state.play.hands) == [
        *map(CardSet.parse, ("5D 3H 5C QS", "6D 2C 9S KH", "7D 3C AH TS", "8D 2H 4C JS"))
    ]
    assert game.state.turn == 1


def test_scattered_cards_go_one_to_each_other_seat() -> None:
    game = four_each(HANDS, pass_cycle=(Direction.SCATTER,))
    game.do(ChoosePass(Seat(1), cards_of("AH 3C TS")))
    assert game.state.exchange.chosen[1] == cards_of("AH 3C TS"), "in the order named"
    for seat in (0, 2, 3):
        game.do(ChoosePass(Seat(seat), cards_of(PICKS[seat])))
    moves = [event for event in game.events if isinstance(event, CardsPassed)]
    assert len(moves) == 12
    assert [move for move in moves if move.giver == 1] == [
        CardsPassed(Seat(1), Seat(2), CardSet.parse("AH")),
        CardsPassed(Seat(1), Seat(3), CardSet.parse("3C")),
        CardsPassed(Seat(1), Seat(0), CardSet.parse("TS")),
    ]
    assert game.state.play.hands[0] == CardSet.parse("5D TS JS 5C")
    assert game.state.exchange.moves == tuple(moves)


def test_a_pass_to_one_seat_is_kept_in_index_order_however_it_is_named() -> None:
    game = four_each(HANDS, pass_cycle=(Direction.LEFT,))
    happened = game.do(ChoosePass(Seat(0), cards_of("KH 2C 9S")))
    assert happened == (PassChosen(Seat(0), cards_of("2C 9S KH")), SeatReady(Seat(0)))


def centre() -> Recording:
    game = four_each(HANDS, pass_cycle=(Direction.SHUFFLE,))
    for seat in (2, 0, 3, 1):
        game.do(ChoosePass(Seat(seat), cards_of(PICKS[seat])))
    return game


def test_the_centre_waits_for_its_shuffle_before_anyone_leads() -> None:
    game = centre()
    assert game.state.phase is Phase.CENTRE
    assert game.state.awaited == ()
    assert game.state.turn is None
    assert centre_of(game.state.exchange) == cards_of(" ".join(PICKS)), "by seat, then by index"
    assert not any(isinstance(event, PlayBegan) for event in game.events)


def test_every_seat_takes_its_block_of_the_shuffled_centre() -> None:
    game = centre()
    mixed = cards_of("QS 2C TS 3H 9S AH 4C KH 3C 2H 5C JS")
    happened = game.do(ShareCentre(mixed))
    blocks = [CardSet.of(mixed[at : at + 3]) for at in (0, 3, 6, 9)]
    assert list(happened[:4]) == [CentreTaken(Seat(s), block) for s, block in enumerate(blocks)]
    assert happened[4] == PlayBegan(Seat(0))
    kept = map(CardSet.parse, ("5D", "6D", "7D", "8D"))
    assert list(game.state.play.hands) == [k + b for k, b in zip(kept, blocks, strict=True)]
    assert game.state.exchange.received == tuple(blocks)


@pytest.mark.parametrize(
    "mixed",
    ["QS 2C TS 3H 9S AH 4C KH 3C 2H 5C", "QS 2C TS 3H 9S AH 4C KH 3C 2H 5C 5C",
     "QS 2C TS 3H 9S AH 4C KH 3C 2H 5C 5D", ""],
    ids=["too-few", "one-twice", "one-kept", "none"],
)  # fmt: skip
def test_only_what_was_passed_is_shared_out_of_the_centre(mixed: str) -> None:
    assert refused(centre(), ShareCentre(cards_of(mixed))).reason is Reason.BAD_CENTRE


def test_nobody_chooses_twice_while_the_centre_is_shuffled() -> None:
    assert refused(centre(), ChoosePass(Seat(0), cards_of("2C 5D 9S"))).reason is (
        Reason.WRONG_PHASE
    )


def test_hb_024_one_card_named_three_times_is_refused_and_the_hand_unchanged() -> None:
    game = four_each(["AC 5D 9S KH", *HANDS[1:]], pass_cycle=(Direction.LEFT,))
    answer = refused(game, ChoosePass(Seat(0), cards_of("AC AC AC")))
    assert answer.reason is Reason.DUPLICATE_CARDS
    assert game.state.play.hands[0] == answer.legal == CardSet.parse("AC 5D 9S KH")


@given(SEEDS, st.data())
def test_whatever_the_rules_a_pass_that_is_not_of_the_hand_is_refused_and_changes_nothing(
    seed: int, data: st.DataObject
) -> None:
    game = dealt(random_rules(Random(seed)), seed)
    if game.state.phase is not Phase.PASSING:
        return
    rules, hand = game.state.game.rules, game.state.play.hands[0]
    held = Counter(hand)
    named = data.draw(st.lists(st.sampled_from(hand.cards) | st.sampled_from(PACK), max_size=5))
    kept = sum(card in KEPT_SPADES for card in named)
    spare = rules.pass_count - sum(card not in KEPT_SPADES for card in hand)
    if any(card not in held for card in named):
        expected = {Reason.CARD_NOT_HELD, Reason.DUPLICATE_CARDS}
    elif Counter(named) - held:
        expected = {Reason.DUPLICATE_CARDS}
    elif len(named) != rules.pass_count:
        expected = {Reason.WRONG_PASS_COUNT}
    elif rules.keep_top_spades and kept > max(0, spare):
        expected = {Reason.TOP_SPADES_KEPT}
    else:
        game.do(ChoosePass(Seat(0), tuple(named)))
        return
    assert refused(game, ChoosePass(Seat(0), tuple(named))).reason in expected


@given(SEEDS, st.data())
def test_of_a_hand_exactly_the_passes_that_the_page_allows_are_taken(
    seed: int, data: st.DataObject
) -> None:
    game = dealt(random_rules(Random(seed)), seed)
    if game.state.phase is not Phase.PASSING:
        return
    rules, hand = game.state.game.rules, game.state.play.hands[0].cards
    named = data.draw(st.permutations(hand))[: rules.pass_count]
    others = sum(card not in KEPT_SPADES for card in hand)
    kept = sum(card in KEPT_SPADES for card in named)
    if rules.keep_top_spades and kept > max(0, rules.pass_count - others):
        answer = refused(game, ChoosePass(Seat(0), tuple(named)))
        assert answer.reason is Reason.TOP_SPADES_KEPT
        assert answer.legal == passable(CardSet.of(hand), rules)
    else:
        game.do(ChoosePass(Seat(0), tuple(named)))
        assert game.state.exchange.ready[0]


def test_a_seat_with_two_equal_cards_may_pass_both_and_no_third() -> None:
    rules = parse_rules("cancellation players=8 pass_cycle=left")
    game = seated(rules)
    pairs = sorted(rules.deck)
    game.do(Deal(deck_of([CardSet.of(pairs[13 * seat :][:13]) for seat in range(8)])))
    assert game.state.play.hands[0] == CardSet.parse("2C 2C 3C 3C 4C 4C 5C 5C 6C 6C 7C 7C 8C")
    assert refused(game, ChoosePass(Seat(0), cards_of("2C 2C 2C"))).reason is (
        Reason.DUPLICATE_CARDS
    )
    assert refused(game, ChoosePass(Seat(0), cards_of("8C 8C 2C"))).reason is (
        Reason.DUPLICATE_CARDS
    )
    game.do(ChoosePass(Seat(0), cards_of("2C 3C 2C")))
    assert game.state.exchange.chosen[0] == cards_of("2C 2C 3C")


TOP_HEAVY = ["KS 4D 5D 6C", "AS QS 7C 8C", "2D 3D 9C TC", "2S 3S JC QC", "4S 5S KC AC"]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hb_026_top_spades_are_kept_whatever_the_number_of_seats(players: int) -> None:
    hands = TOP_HEAVY[:players]
    game = four_each(hands, keep_top_spades=True, pass_cycle=(Direction.LEFT,))
    answer = refused(game, ChoosePass(Seat(0), cards_of("KS 4D 5D")))
    assert answer.reason is Reason.TOP_SPADES_KEPT
    assert answer.legal == CardSet.parse("4D 5D 6C")
    game.do(ChoosePass(Seat(0), cards_of("4D 5D 6C")))


def test_a_hand_short_of_other_cards_passes_only_as_many_top_spades_as_it_must() -> None:
    game = four_each(TOP_HEAVY, keep_top_spades=True, pass_cycle=(Direction.LEFT,))
    assert refused(game, ChoosePass(Seat(1), cards_of("AS QS 7C"))).reason is (
        Reason.TOP_SPADES_KEPT
    )
    game.do(ChoosePass(Seat(1), cards_of("AS 7C 8C")))
    assert passable(CardSet.parse("AS QS 7C 8C"), game.state.game.rules) == CardSet.parse(
        "AS QS 7C 8C"
    )


def test_top_spades_may_be_passed_where_nothing_keeps_them() -> None:
    game = four_each(TOP_HEAVY, pass_cycle=(Direction.LEFT,))
    game.do(ChoosePass(Seat(1), cards_of("AS QS 7C")))
    assert game.state.exchange.ready[1]
