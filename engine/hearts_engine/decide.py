"""Commands become events, or a refusal. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.claim import takes_the_rest
from hearts_engine.commands import (
    ChoosePass,
    ClaimRest,
    Command,
    Deal,
    FreezeSeats,
    LeaveSeat,
    OpenGame,
    PlayCard,
    RevealEntropy,
    SealLog,
    ShowDeal,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameOpened,
    HandDealt,
    HandShown,
    LogSealed,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
    TrickTaken,
)
from hearts_engine.evolve import evolve, untaken_penalties
from hearts_engine.legality import Turn, refusal
from hearts_engine.passing import Direction, direction_of, taker
from hearts_engine.rules import Finish
from hearts_engine.scoring import end_of_game, score_deal
from hearts_engine.seating import require_welcome
from hearts_engine.state import Phase, State, empty_exchange


def decide(state: State | None, command: Command) -> tuple[Event, ...]:
    """What this command makes happen.

    ``state`` is none before the game is opened. Raises ``Rejected`` when the rules do not allow
    the command now.
    """
    if state is None:
        return _open(command)
    match command:
        case PlayCard():
            return _play(state, command)
        case ChoosePass():
            return tuple(_choose_pass(state, command))
        case ClaimRest():
            return tuple(_claim(state, command))
        case Deal():
            return tuple(_deal(state, command))
        case ShowDeal():
            return tuple(_show(state, command))
        case TakeSeat():
            return _sit(state, command)
        case LeaveSeat():
            return _leave(state, command)
        case FreezeSeats():
            return _freeze(state)
        case RevealEntropy(seat, entropy):
            _require_owed(state, seat)
            return (EntropyRevealed(seat, entropy),)
        case WithholdEntropy(seat):
            _require_owed(state, seat)
            return (EntropyWithheld(seat),)
        case OpenGame():
            raise Rejected(Reason.WRONG_PHASE, "this game is open already")
        case SealLog(signature):
            _require(state, Phase.ENDED, "only the log of an ended game is sealed")
            return (LogSealed(signature),)
        case _:
            assert_never(command)


def by_seat(hands: tuple[CardSet, ...]) -> Iterator[tuple[Seat, CardSet]]:
    """Each seat with its hand."""
    return zip(SEATS, hands, strict=False)


def _require(state: State, phase: Phase, sentence: str) -> None:
    if state.phase is not phase:
        raise Rejected(Reason.WRONG_PHASE, sentence)


def _require_seat(state: State, seat: Seat) -> None:
    players = state.game.rules.players
    if not 0 <= seat < players:
        raise Rejected(Reason.NO_SUCH_SEAT, f"seat {seat}: this table has seats 0 to {players - 1}")


def _require_owed(state: State, seat: Seat) -> None:
    _require(state, Phase.ENTROPY, "entropy is revealed between the start and the first deal")
    if seat not in state.game.owing:
        raise Rejected(Reason.ENTROPY_NOT_OWED, f"seat {seat} has no entropy left to reveal")


def _open(command: Command) -> tuple[Event, ...]:
    if not isinstance(command, OpenGame):
        raise Rejected(Reason.WRONG_PHASE, "open a game first")
    return (
        GameOpened(
            command.game_id,
            command.table,
            command.rules,
            command.source,
            command.public_key,
            command.versions,
        ),
    )


def _sit(state: State, command: TakeSeat) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started, its seats are fixed")
    _require_seat(state, command.seat)
    if state.game.seats[command.seat] is not None:
        raise Rejected(Reason.SEAT_OCCUPIED, f"seat {command.seat} is taken, choose another")
    require_welcome(command, state.game.opened.source)
    return (SeatTaken(command.seat, command.name, command.kind, command.bot, command.commitment),)


def _leave(state: State, command: LeaveSeat) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started, its seats are fixed")
    _require_seat(state, command.seat)
    if state.game.seats[command.seat] is None:
        raise Rejected(Reason.SEAT_EMPTY, f"nobody sits on seat {command.seat}")
    return (SeatLeft(command.seat),)


def _freeze(state: State) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started already")
    empty = [str(seat) for seat, taken in enumerate(state.game.seats) if taken is None]
    if empty:
        raise Rejected(
            Reason.SEAT_EMPTY, f"fill seat {', '.join(empty)} first, with people or house bots"
        )
    return (SeatsFrozen(),)


def _deal(state: State, command: Deal) -> Iterator[Event]:
    _require(state, Phase.DEALING, "a deal begins when the one before is scored")
    rules = state.game.rules
    if tuple(sorted(command.deck)) != rules.deck:
        raise Rejected(
            Reason.BAD_DECK, f"deal the {len(rules.deck)} cards of these rules, each once"
        )
    deal = state.exchange.deal + 1
    direction = direction_of(deal, rules.pass_cycle)
    hands = tuple(CardSet.of(command.deck[seat :: rules.players]) for seat in range(rules.players))
    yield DealBegan(deal, empty_exchange(rules.players, deal).dealer, direction)
    for seat, hand in by_seat(hands):
        yield HandDealt(seat, hand)
    if direction is Direction.HOLD:
        yield PlayBegan(_leader(hands, rules.lowest_club))


def _leader(hands: tuple[CardSet, ...], lowest_club: Card) -> Seat:
    return next(seat for seat, hand in by_seat(hands) if lowest_club in hand)


def _choose_pass(state: State, command: ChoosePass) -> Iterator[Event]:
    _require(state, Phase.PASSING, "cards are passed before the first trick of a deal")
    _require_seat(state, command.seat)
    seat, exchange = command.seat, state.exchange
    if exchange.ready[seat]:
        raise Rejected(Reason.ALREADY_PASSED, "you have chosen your pass for this deal")
    cards = _checked_pass(state, command)
    yield PassChosen(seat, cards, command.by)
    yield SeatReady(seat)
    if sum(exchange.ready) + 1 == len(exchange.ready):
        yield from _pass(state, (*exchange.chosen[:seat], cards, *exchange.chosen[seat + 1 :]))


def _checked_pass(state: State, command: ChoosePass) -> CardSet:
    count = state.game.rules.pass_count
    hand = state.play.hands[command.seat]
    for card in command.cards:
        if card not in hand:
            raise Rejected(Reason.CARD_NOT_HELD, f"you do not hold {card}; you hold {hand}", hand)
    if len(set(command.cards)) != len(command.cards):
        raise Rejected(Reason.DUPLICATE_CARDS, f"name {count} different cards of {hand}", hand)
    if len(command.cards) != count:
        raise Rejected(
            Reason.WRONG_PASS_COUNT, f"pass exactly {count} cards, not {len(command.cards)}", hand
        )
    return CardSet.of(command.cards)


def _pass(state: State, chosen: tuple[CardSet, ...]) -> Iterator[Event]:
    """All that is passed, once every seat has chosen, and who leads with what it then holds."""
    rules, direction = state.game.rules, state.exchange.direction
    received: dict[Seat, CardSet] = {}
    for giver, cards in by_seat(chosen):
        to = taker(giver, direction, rules.players)
        received[to] = cards
        yield CardsPassed(giver, to, cards)
    hands = by_seat(state.play.hands)
    held = tuple(hand - chosen[seat] + received[seat] for seat, hand in hands)
    yield PlayBegan(_leader(held, rules.lowest_club))


def _play(state: State, command: PlayCard) -> tuple[Event, ...]:
    play, card = state.play, command.card
    if card not in play.legal or command.seat != play.trick.next_seat:
        raise _refusal(state, command)
    played = CardPlayed(command.seat, card, command.by)
    if play.trick.missing > 1:
        return (played,)
    trick = play.trick.add(card)
    taken = TrickTaken(trick.winner, state.game.rules.value_of(trick.cards))
    if state.game.rules.finish is Finish.EARLY and _settled(state, played, taken):
        return (played, taken, PlayCut())
    return (played, taken)


def _settled(state: State, *events: Event) -> bool:
    """Whether after these events cards are left to play, but none that costs anything."""
    for event in events:
        state = evolve(state, event)
    return state.phase is Phase.PLAYING and not untaken_penalties(state.play, state.game.rules)


def _require_turn(state: State, seat: Seat) -> None:
    if state.phase is not Phase.PLAYING:
        raise Rejected(Reason.WRONG_PHASE, "no trick is being played now")
    turn = state.play.trick.next_seat
    if seat != turn:
        raise Rejected(Reason.NOT_YOUR_TURN, f"it is the turn of seat {turn}")


def _refusal(state: State, command: PlayCard) -> Rejected:
    """Why this card may not be played now; no card is legal while no seat is on turn."""
    _require_turn(state, command.seat)
    play, card = state.play, command.card
    hand = play.hands[command.seat]
    if card not in hand:
        message = f"you do not hold {card}; legal: {play.legal}"
        return Rejected(Reason.CARD_NOT_HELD, message, play.legal)
    turn = Turn(hand, play.trick.led, not play.tricks, play.hearts_broken)
    return refusal(card, turn, state.game.rules.restrictions)


def _claim(state: State, command: ClaimRest) -> Iterator[Event]:
    _require_turn(state, command.seat)
    play = state.play
    if play.trick.cards:
        raise Rejected(Reason.NOT_ON_LEAD, "claim when you are on lead", play.legal)
    hand = play.hands[command.seat]
    if not play.tricks or not takes_the_rest(hand, _unseen(state, hand)):
        raise Rejected(
            Reason.CLAIM_NOT_PROVEN,
            "your hand and the cards played do not prove that every trick is yours; play on",
            play.legal,
        )
    yield RestClaimed(command.seat)


def _unseen(state: State, hand: CardSet) -> CardSet:
    """The cards that a seat with this hand has not seen played and does not hold."""
    unseen = CardSet.of(state.game.rules.deck) - hand
    for trick in state.play.tricks:
        unseen = unseen - CardSet.of(trick.cards)
    return unseen


def _show(state: State, command: ShowDeal) -> Iterator[Event]:
    _require(state, Phase.SHOWING, "a deal is shown when its play is over")
    rules, exchange = state.game.rules, state.exchange
    for (seat, dealt), held in zip(by_seat(exchange.dealt), exchange.held, strict=True):
        yield HandShown(seat, dealt, held)
    yield SecretRevealed(exchange.deal, command.secret)
    scored = score_deal(exchange.deal, state.play.taken, state.game.totals, rules)
    yield scored
    ended = end_of_game(scored, rules)
    if ended is not None:
        yield ended
