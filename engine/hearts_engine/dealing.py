"""From the deck to the first lead: what a deal, a pass and a shuffled centre make happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from hearts_engine.cards import ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES, SEATS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, Deal, ShareCentre
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    CardsPassed,
    CentreTaken,
    DealBegan,
    Event,
    HandDealt,
    KittyDealt,
    PassChosen,
    PlayBegan,
    SeatReady,
)
from hearts_engine.exchange import Exchange
from hearts_engine.options import Opening
from hearts_engine.passing import Direction, direction_of, eldest, lowest_club_seat, parcels
from hearts_engine.rules import Rules
from hearts_engine.seating import require_seat
from hearts_engine.state import Phase, State

KEPT_SPADES: Final = CardSet.of([ACE_OF_SPADES, KING_OF_SPADES, QUEEN_OF_SPADES])
"""The spades that are not passed where they are to be kept."""


def deal(state: State, command: Deal) -> Iterator[Event]:
    """A deal begins: every seat gets its hand, and what is left over lies face down."""
    if state.phase is not Phase.DEALING:
        raise Rejected(Reason.WRONG_PHASE, "a deal begins when the one before is scored")
    rules = state.game.rules
    if tuple(sorted(command.deck)) != rules.in_order:
        raise Rejected(
            Reason.BAD_DECK, f"deal the {len(rules.deck)} cards of these rules, no others"
        )
    number = state.exchange.deal + 1
    direction = direction_of(number, rules.pass_cycle)
    yield DealBegan(number, SEATS[(number - 2) % rules.players], direction)
    dealt = rules.hand_size * rules.players
    hands = [
        CardSet.of(command.deck[seat : dealt : rules.players]) for seat in range(rules.players)
    ]
    for seat, hand in zip(SEATS, hands, strict=False):
        yield HandDealt(seat, hand)
    if rules.kitty_size:
        yield KittyDealt(CardSet.of(command.deck[dealt:]))
    if direction is Direction.HOLD:
        yield PlayBegan(_leader(hands, number, rules))


def _leader(hands: list[CardSet], number: int, rules: Rules) -> Seat:
    """Who leads the first trick of a deal, by what everyone holds."""
    first = eldest(number, rules.players)
    return first if rules.opening is Opening.ELDEST else lowest_club_seat(hands, first)


def choose_pass(state: State, command: ChoosePass) -> Iterator[Event]:
    """A seat has chosen; when it is the last one, the cards change hands."""
    if state.phase is not Phase.PASSING:
        raise Rejected(Reason.WRONG_PHASE, "cards are passed before the first trick of a deal")
    seat, exchange = command.seat, state.exchange
    require_seat(seat, state.game.rules.players)
    if exchange.ready[seat]:
        raise Rejected(Reason.ALREADY_PASSED, "you have chosen your pass for this deal")
    _require_passable(command.cards, state.play.hands[seat], state.game.rules)
    scattered = exchange.direction is Direction.SCATTER
    cards = command.cards if scattered else tuple(sorted(command.cards))
    yield PassChosen(seat, cards, command.by)
    yield SeatReady(seat)
    last = exchange.ready.count(False) == 1
    if last and exchange.direction is not Direction.SHUFFLE:
        yield from _pass(state, (*exchange.chosen[:seat], cards, *exchange.chosen[seat + 1 :]))


def passable(hand: CardSet, rules: Rules) -> CardSet:
    """The cards to choose a pass from: all, or without top spades while there are enough."""
    others = hand.without(KEPT_SPADES)
    return others if rules.keep_top_spades and len(others) >= rules.pass_count else hand


def _require_passable(cards: tuple[Card, ...], hand: CardSet, rules: Rules) -> None:
    count, different = rules.pass_count, set(cards)
    if len(cards) != count or len(different) < count or not CardSet.of(different) <= hand:
        _require_held(cards, hand, count)
    if rules.keep_top_spades:
        spare = max(0, count - len(hand.without(KEPT_SPADES)))
        if sum(card in KEPT_SPADES for card in cards) > spare:
            sentence = "ace, king and queen of spades stay while another card can be passed"
            raise Rejected(Reason.TOP_SPADES_KEPT, sentence, passable(hand, rules))


def _require_held(cards: tuple[Card, ...], hand: CardSet, count: int) -> None:
    """Refuse a pass that is not so many cards of the hand, each named as often as it is held."""
    held = Counter(hand)
    for card, times in Counter(cards).items():
        if not held[card]:
            raise Rejected(Reason.CARD_NOT_HELD, f"you do not hold {card}; you hold {hand}", hand)
        if times > held[card]:
            sentence = f"name {count} different cards of {hand}"
            raise Rejected(Reason.DUPLICATE_CARDS, sentence, hand)
    if len(cards) != count:
        sentence = f"pass exactly {count} cards, not {len(cards)}"
        raise Rejected(Reason.WRONG_PASS_COUNT, sentence, hand)


def _pass(state: State, chosen: tuple[tuple[Card, ...], ...]) -> Iterator[Event]:
    """All that is passed, once every seat has chosen, and who leads with what it then holds."""
    rules, exchange = state.game.rules, state.exchange
    hands = [hand - CardSet.of(given) for hand, given in zip(state.play.hands, chosen, strict=True)]
    for giver, given in zip(SEATS, chosen, strict=False):
        for taker, cards in parcels(giver, given, exchange.direction, rules.players):
            yield CardsPassed(giver, taker, cards)
            hands[taker] += cards
    yield PlayBegan(_leader(hands, exchange.deal, rules))


def centre_of(exchange: Exchange) -> tuple[Card, ...]:
    """The cards in the centre before they are shuffled: by seat, then by index."""
    return tuple(card for chosen in exchange.chosen for card in sorted(chosen))


def share_centre(state: State, command: ShareCentre) -> Iterator[Event]:
    """Every seat gets its block of the shuffled centre, and play begins."""
    if state.phase is not Phase.CENTRE:
        raise Rejected(Reason.WRONG_PHASE, "no cards lie in the centre")
    rules, exchange = state.game.rules, state.exchange
    if sorted(command.cards) != sorted(centre_of(exchange)):
        raise Rejected(Reason.BAD_CENTRE, "share out exactly the cards that were passed")
    blocks = [
        CardSet.of(command.cards[seat * rules.pass_count :][: rules.pass_count])
        for seat in range(rules.players)
    ]
    for seat, block in zip(SEATS, blocks, strict=False):
        yield CentreTaken(seat, block)
    hands = [
        hand - CardSet.of(given) + block
        for hand, given, block in zip(state.play.hands, exchange.chosen, blocks, strict=True)
    ]
    yield PlayBegan(_leader(hands, exchange.deal, rules))
